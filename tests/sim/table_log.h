#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tarn/base/bytes.h"
#include "tarn/base/path.h"
#include "tarn/base/result.h"
#include "tarn/base/runtime.h"
#include "tarn/model/data_file.h"
#include "tarn/model/snapshot.h"
#include "tarn/storage/storage.h"
#include "tarn/table/table_format.h"

namespace tarn::sim {

struct LiveFile {
  std::string part;
  std::optional<DeleteFile> vector = {};  // its deletion vector
  friend bool operator==(const LiveFile&, const LiveFile&) = default;
};

// A table's state after a version, as the format's specification defines it.
struct TableState {
  std::map<std::string, LiveFile> files;  // by path
  std::map<std::string, int64_t> positions;
  std::vector<std::string> columns;
  std::map<std::string, std::string> properties;
};

// One commit as it stands in the log.
struct LoggedCommit {
  Bytes raw;
  std::string id;
  int64_t timestamp_ms = 0;
  bool changes_metadata = false;
  std::map<std::string, LiveFile> added;
  std::map<std::string, LiveFile> removed;
  std::map<std::string, int64_t> positions;
  TableState after;
};

// How the versions of a table of one format lie in storage: a second, plain reader that shares no
// code with the codec under test. Versions are numbered from 0, whatever the format calls them.
class TableLog {
 public:
  static std::unique_ptr<TableLog> OfDelta();
  static std::unique_ptr<TableLog> OfIceberg();  // of path tables
  virtual ~TableLog() = default;

  // The codec under test.
  virtual std::unique_ptr<TableFormat> MakeFormat(Runtime& runtime) const = 0;

  // The object that reveals a version, and which version an object reveals.
  virtual Path PathOf(const Path& root, int64_t version) const = 0;
  virtual std::optional<int64_t> VersionAt(const Path& path) const = 0;
  // The format's name for a version.
  virtual std::string NameOf(int64_t version) const = 0;
  virtual int64_t NumberOf(const Version& version) const = 0;

  // The commit that `head`, the bytes of such an object, makes of the state `before` it. Objects
  // that it names are read from `storage`. kCorrupt: which rule of the format was broken.
  virtual Result<LoggedCommit> Read(const Storage& storage, const Path& root, const Bytes& head,
                                    const TableState& before) = 0;
};

}  // namespace tarn::sim
