#include "tests/sim/log_truth.h"

#include <utility>

namespace tarn::sim {

std::optional<std::string> LogTruth::Record(TableLog& log, const Storage& storage, const Path& root,
                                            int64_t version, const Bytes& bytes) {
  const std::string name = "version " + std::to_string(version);
  if (version <= newest()) {
    // A name that clean-up freed may be taken by who slept long; that this commit is in no state,
    // and so must not be acknowledged, the judge sees.
    if (at(version).raw != bytes && !present_.contains(version)) return std::nullopt;
    if (at(version).raw != bytes) return name + " was overwritten";
    present_.insert(version);
    return std::nullopt;
  }
  if (version > newest() + 1)
    return name + " was created before version " + std::to_string(newest() + 1);
  Result<LoggedCommit> commit = log.Read(storage, root, bytes, StateAfter(newest()));
  if (!commit.ok()) return name + " cannot be read: " + commit.error().ToString();
  commit->raw = bytes;
  commits_.push_back(*std::move(commit));
  present_.insert(version);
  return std::nullopt;
}

void LogTruth::ForgetFrom(int64_t version) {
  commits_.resize(static_cast<size_t>(version));
  present_.erase(present_.lower_bound(version), present_.end());
}

int64_t LogTruth::whole_from() const {
  int64_t first = newest() + 1;
  while (first > 0 && present_.contains(first - 1)) --first;
  return first;
}

TableState LogTruth::StateAfter(int64_t version) const {
  return version < 0 ? TableState() : at(version).after;
}

std::vector<int64_t> LogTruth::VersionsOf(std::string_view id) const {
  std::vector<int64_t> versions;
  for (int64_t version = 0; version <= newest(); ++version) {
    if (at(version).id == id) versions.push_back(version);
  }
  return versions;
}

}  // namespace tarn::sim
