#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tarn/base/path.h"
#include "tarn/base/result.h"
#include "tarn/model/commit.h"
#include "tarn/storage/storage.h"

namespace tarn {

// The position in a table's snapshot that says which of its ledger objects is in force: one for all
// files ever loaded into the table, so that a file is not loaded twice through two patterns.
inline constexpr const char* kFileLedgerSource = "tarn:files";

struct LedgerEntry {
  int64_t size_bytes = 0;
  int64_t modified_ms = 0;
  std::string fingerprint;  // FingerprintOf
  friend bool operator==(const LedgerEntry&, const LedgerEntry&) = default;
};

// Which files a table already holds. The truth is the table's own: a position (a rising number)
// that moves by compare-and-set in the commit that adds the rows, and per position one object
// `<table>/_tarn/ledger/<number, 20 digits>.json`, created before that commit:
//   {"version": 1, "position": 7, "before": 6, "files": [{"path": …, "size": …, "modified_ms": …,
//    "fingerprint": …}, …]}
// An object lists the files of its own commit and points to the one before; now and then one lists
// everything and points to nothing. An object whose commit did not land is named by no snapshot and
// harms nobody. A value: read once, extended once.
class FileLedger {
 public:
  // The ledger in force at `position` (Snapshot::positions); without one, an empty ledger.
  // kCorrupt naming the object that is missing or broken: then nobody knows what is loaded.
  static Result<FileLedger> Load(const Storage& storage, const Path& table_root,
                                 const std::optional<std::string>& position);

  // How the file was when it was loaded; null: it was not. By absolute path.
  const LedgerEntry* Find(const std::string& path) const;
  size_t size() const { return files_.size(); }

  struct Extension {
    Path object;
    PositionMove move;  // belongs into the commit
    std::string json;
  };
  // The ledger with `loaded` as well; or, with `replace`, with nothing but them. Names a free
  // object (one look at the folder) but creates nothing.
  enum class Extend : uint8_t { kAdd, kReplace };
  Result<Extension> Plan(const Storage& storage, const Path& table_root,
                         const std::map<std::string, LedgerEntry>& loaded, Extend how) const;

 private:
  std::map<std::string, LedgerEntry> files_;
  std::optional<std::string> position_;
  int64_t depth_ = 0;       // objects in the chain
  int64_t base_files_ = 0;  // files in the oldest of them
};

}  // namespace tarn
