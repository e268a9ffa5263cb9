#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "tarn/base/bytes.h"
#include "tarn/model/data_file.h"

namespace tarn::sim {

struct LiveFile {
  std::string part;
  std::optional<DeleteFile> vector;  // its deletion vector
  friend bool operator==(const LiveFile&, const LiveFile&) = default;
};

// A table's state after a version, as the protocol defines it.
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
  bool data_change = false;
  bool changes_metadata = false;
  std::map<std::string, LiveFile> added;
  std::map<std::string, LiveFile> removed;
  std::map<std::string, int64_t> positions;
  TableState after;
};

// What is in a Delta log, learnt by replaying its JSON files as they were created: a second, plain
// reader that shares no code with the one under test, keeps what clean-up removes, and knows no
// checkpoints.
class LogTruth {
 public:
  // The object `<version>.json` now holds `bytes`. Nothing, or which rule of the log was broken.
  std::optional<std::string> Record(int64_t version, const Bytes& bytes);
  void Removed(int64_t version) { present_.erase(version); }
  // Forgets `version` and all after it: what a power cut may do to what was not acknowledged.
  void ForgetFrom(int64_t version);

  int64_t newest() const { return static_cast<int64_t>(commits_.size()) - 1; }
  const LoggedCommit& at(int64_t version) const { return commits_[static_cast<size_t>(version)]; }
  // Empty before version 0.
  TableState StateAfter(int64_t version) const;
  // The versions whose JSON has not been cleaned away.
  const std::set<int64_t>& present() const { return present_; }
  // At which versions a commit of this id stands.
  std::vector<int64_t> VersionsOf(std::string_view id) const;

 private:
  std::vector<LoggedCommit> commits_;
  std::set<int64_t> present_;
};

}  // namespace tarn::sim
