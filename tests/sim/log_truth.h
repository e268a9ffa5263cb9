#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "tests/sim/table_log.h"

namespace tarn::sim {

// What is in a table's log, learnt by replaying its commits as they were created: it keeps what
// clean-up removes.
class LogTruth {
 public:
  // The object that reveals `version` now holds `bytes`, which `log` reads. Nothing, or which rule
  // of the log was broken.
  std::optional<std::string> Record(TableLog& log, const Storage& storage, const Path& root,
                                    int64_t version, const Bytes& bytes);
  void Removed(int64_t version) { present_.erase(version); }
  // Forgets `version` and all after it: what a power cut may do to what was not acknowledged.
  void ForgetFrom(int64_t version);

  int64_t newest() const { return static_cast<int64_t>(commits_.size()) - 1; }
  const LoggedCommit& at(int64_t version) const { return commits_[static_cast<size_t>(version)]; }
  // Empty before version 0.
  TableState StateAfter(int64_t version) const;
  // The versions whose object has not been cleaned away.
  const std::set<int64_t>& present() const { return present_; }
  // The first of the versions that are present without a hole up to the newest: a clean-up that
  // failed in the middle leaves older ones behind. Newest + 1 where none is.
  int64_t whole_from() const;
  // At which versions a commit of this id stands.
  std::vector<int64_t> VersionsOf(std::string_view id) const;

 private:
  std::vector<LoggedCommit> commits_;
  std::set<int64_t> present_;
};

}  // namespace tarn::sim
