#include "tarn/format/delta/log_segment.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "tarn/base/planted_bug.h"

namespace tarn::delta {
namespace {

constexpr int32_t kPageObjects = 10'000;

std::string Where(const TableHome& home) { return "delta: '" + home.root.str() + "': "; }

int Preference(LogName::Kind kind) {
  switch (kind) {
    case LogName::Kind::kUuidCheckpointParquet:
      return 0;
    case LogName::Kind::kUuidCheckpointJson:
      return 1;
    case LogName::Kind::kClassicCheckpoint:
      return 2;
    default:
      return 3;
  }
}

// Gathers the parts of multi-part checkpoints; what stays incomplete is ignored.
class PartCollector {
 public:
  void Add(const LogName& name, ObjectInfo object) {
    auto& parts = by_key_[{name.version, name.parts}];
    parts[name.part] = std::move(object);
  }

  void MoveCompleteTo(std::map<int64_t, std::vector<CheckpointObjects>>& checkpoints) {
    for (auto& [key, parts] : by_key_) {
      const bool complete = static_cast<int32_t>(parts.size()) == key.second;
      if (!complete && !planted::kTornCheckpointTrusted) continue;
      CheckpointObjects whole{key.first, LogName::Kind::kMultiPartCheckpoint, {}};
      for (auto& [number, object] : parts) whole.parts.push_back(std::move(object));
      checkpoints[key.first].push_back(std::move(whole));
    }
  }

 private:
  std::map<std::pair<int64_t, int32_t>, std::map<int32_t, ObjectInfo>> by_key_;
};

// The JSON files for [first, version], or the version that is missing.
struct Cover {
  std::vector<LogTailObject> tail;
  std::optional<int64_t> missing;
};

Cover CoverVersions(const LogListing& listing, int64_t first, int64_t version) {
  std::map<int64_t, const LogTailObject*> longest;  // by first version
  for (const LogTailObject& compaction : listing.compactions) {
    if (compaction.first < first || compaction.last > version) continue;
    const LogTailObject*& best = longest[compaction.first];
    if (best == nullptr || best->last < compaction.last) best = &compaction;
  }
  Cover cover;
  for (int64_t at = first; at <= version;) {
    if (const auto compaction = longest.find(at); compaction != longest.end()) {
      cover.tail.push_back(*compaction->second);
      at = compaction->second->last + 1;
      continue;
    }
    const auto commit = listing.commits.find(at);
    if (commit == listing.commits.end()) {
      cover.missing = at;
      return cover;
    }
    cover.tail.push_back({at, at, commit->second});
    ++at;
  }
  return cover;
}

// Clean-up takes the oldest commits away, one by one, and may fail in the middle: a hole that a
// later checkpoint bridges is its doing, and the older commits before the hole are left over.
Error MissingVersion(const TableHome& home, const LogListing& listing, int64_t asked,
                     int64_t missing) {
  const auto later = listing.commits.upper_bound(missing);
  const auto bridge = listing.checkpoints.lower_bound(missing);
  const bool bridged = bridge != listing.checkpoints.end();
  if (bridged || later == listing.commits.begin()) {
    const int64_t kept = later == listing.commits.end() ? listing.NewestVersion() : later->first;
    std::string message = Where(home) + "version " + std::to_string(asked) +
                          " cannot be read: the log before version " + std::to_string(kept) +
                          " has been cleaned away";
    if (!bridged) return Corrupt(message + " and no checkpoint holds it");
    return NotFound(message + "; the earliest version after it that can be read is " +
                    std::to_string(bridge->first));
  }
  return Corrupt(Where(home) + "version " + std::to_string(asked) + " cannot be read: '" +
                 CommitPath(home.root, missing).str() + "' (version " + std::to_string(missing) +
                 ") is missing from the log; versions before it can be read with VERSION AS OF");
}

// More commits than this after a checkpoint are listed rather than looked up.
constexpr int64_t kLookupsMax = 256;
// How far beyond the first missing version a later one is looked for: a hole in the log must not
// pass for its end. A whole listing would see any; commits vanish one by one.
constexpr int64_t kLooksBeyond = 8;

// The object, or nothing where there is none.
Result<std::optional<ObjectInfo>> Lookup(const TableHome& home, const Path& path) {
  Result<ObjectInfo> object = home.storage.Stat(path);
  if (object.ok()) return std::optional<ObjectInfo>(*std::move(object));
  if (object.error().code == ErrorCode::kNotFound) return std::optional<ObjectInfo>();
  return std::move(object).error();
}

// The segment from the classic checkpoint at `hint` on, by names alone; nothing when in doubt.
Result<std::optional<LogSegment>> LookUpSegment(const TableHome& home, int64_t hint,
                                                std::optional<int64_t> version,
                                                const std::set<Path>& damaged) {
  const std::optional<LogSegment> in_doubt;
  const Path checkpoint_path = ClassicCheckpointPath(home.root, hint);
  if (damaged.contains(checkpoint_path)) return in_doubt;
  TARN_ASSIGN_OR_RETURN(const auto checkpoint, Lookup(home, checkpoint_path));
  if (!checkpoint) return in_doubt;
  LogSegment segment;
  segment.version = hint;
  segment.checkpoint = CheckpointObjects{hint, LogName::Kind::kClassicCheckpoint, {*checkpoint}};
  for (int64_t at = hint + 1; !version || at <= *version; ++at) {
    if (at - hint > kLookupsMax) return in_doubt;
    TARN_ASSIGN_OR_RETURN(auto commit, Lookup(home, CommitPath(home.root, at)));
    if (!commit) {
      if (version) return in_doubt;
      break;
    }
    segment.version = at;
    segment.version_modified_ms = commit->modified_ms;
    segment.tail.push_back({at, at, *std::move(commit)});
  }
  if (!version) {
    for (int64_t step = 2; step <= kLooksBeyond; ++step) {
      TARN_ASSIGN_OR_RETURN(const auto beyond,
                            Lookup(home, CommitPath(home.root, segment.version + step)));
      if (beyond) return in_doubt;
    }
  }
  if (segment.tail.empty()) {
    TARN_ASSIGN_OR_RETURN(const auto own, Lookup(home, CommitPath(home.root, hint)));
    if (own) segment.version_modified_ms = own->modified_ms;
  }
  return std::optional<LogSegment>(std::move(segment));
}

}  // namespace

bool LookupIsCheap(const TableHome& home) { return !home.storage.NativeName(home.root).empty(); }

int64_t LogListing::NewestVersion() const {
  int64_t newest = -1;
  if (!commits.empty()) newest = commits.rbegin()->first;
  if (!checkpoints.empty()) newest = std::max(newest, checkpoints.rbegin()->first);
  return newest;
}

int64_t LogListing::EarliestReadable() const {
  if (commits.contains(0)) return 0;
  return checkpoints.empty() ? -1 : checkpoints.begin()->first;
}

Result<LogListing> ListLog(const TableHome& home, int64_t from) {
  LogListing listing;
  listing.from_start = from <= 0;
  const Path folder = home.root / kLogFolder;
  // Names of a version sort after its bare digits, so the page starts with the version itself.
  Path after = from <= 0 ? Path() : folder / VersionDigits(from);
  PartCollector parts;
  while (true) {
    TARN_ASSIGN_OR_RETURN(std::vector<ObjectInfo> page,
                          home.storage.List(folder, after, kPageObjects, Storage::Depth::kShallow));
    for (ObjectInfo& object : page) {
      const std::optional<LogName> name = ParseLogName(object.path.name());
      if (!name) continue;
      switch (name->kind) {
        case LogName::Kind::kCommit:
          listing.commits.emplace(name->version, object);
          break;
        case LogName::Kind::kCompaction:
          listing.compactions.push_back({name->version, name->last_version, object});
          break;
        case LogName::Kind::kMultiPartCheckpoint:
          parts.Add(*name, object);
          break;
        case LogName::Kind::kChecksum:
          break;
        default:
          listing.checkpoints[name->version].push_back({name->version, name->kind, {object}});
          break;
      }
    }
    if (static_cast<int32_t>(page.size()) < kPageObjects) break;
    after = page.back().path;
  }
  parts.MoveCompleteTo(listing.checkpoints);
  for (auto& [version, same_version] : listing.checkpoints) {
    std::stable_sort(same_version.begin(), same_version.end(), [](const auto& a, const auto& b) {
      return Preference(a.kind) < Preference(b.kind);
    });
  }
  return listing;
}

std::optional<int64_t> ReadLastCheckpointHint(const TableHome& home) {
  const Result<Bytes> bytes = home.storage.Read(LastCheckpointPath(home.root));
  if (!bytes.ok()) return std::nullopt;
  const nlohmann::json json = nlohmann::json::parse(*bytes, nullptr, false);
  if (!json.is_object()) return std::nullopt;
  const auto version = json.find("version");
  if (version == json.end() || !version->is_number_integer()) return std::nullopt;
  const auto number = version->get<int64_t>();
  if (number < 0) return std::nullopt;
  return number;
}

Result<LogSegment> SelectSegment(const TableHome& home, const LogListing& listing,
                                 std::optional<int64_t> version, const std::set<Path>& damaged) {
  const int64_t newest = listing.NewestVersion();
  if (newest < 0) {
    return NotFound(Where(home) + "no Delta table: no commit in '" + std::string(kLogFolder) + "'");
  }
  LogSegment segment;
  segment.version = version.value_or(newest);
  if (segment.version > newest || segment.version < 0) {
    return NotFound(Where(home) + "no version " + std::to_string(segment.version) +
                    "; the newest is " + std::to_string(newest));
  }
  for (auto same_version = listing.checkpoints.upper_bound(segment.version);
       same_version != listing.checkpoints.begin() && !segment.checkpoint;) {
    --same_version;
    for (const CheckpointObjects& candidate : same_version->second) {
      if (damaged.contains(candidate.parts.front().path)) continue;
      segment.checkpoint = candidate;
      break;
    }
  }
  const int64_t first = segment.checkpoint ? segment.checkpoint->version + 1 : 0;
  Cover cover = CoverVersions(listing, first, segment.version);
  if (cover.missing) return MissingVersion(home, listing, segment.version, *cover.missing);
  segment.tail = std::move(cover.tail);
  if (const auto own = listing.commits.find(segment.version); own != listing.commits.end()) {
    segment.version_modified_ms = own->second.modified_ms;
  }
  return segment;
}

Result<LogSegment> FindSegment(const TableHome& home, std::optional<int64_t> version,
                               const std::set<Path>& damaged) {
  const std::optional<int64_t> hint = ReadLastCheckpointHint(home);
  if (hint && *hint > 0 && (!version || *version >= *hint)) {
    if (LookupIsCheap(home)) {
      TARN_ASSIGN_OR_RETURN(auto found, LookUpSegment(home, *hint, version, damaged));
      if (found) return *std::move(found);
    }
    TARN_ASSIGN_OR_RETURN(const LogListing near, ListLog(home, *hint));
    // The hint may be ahead, wrong, or its checkpoint gone: then all that was listed says nothing.
    if (!near.checkpoints.empty()) {
      Result<LogSegment> segment = SelectSegment(home, near, version, damaged);
      if (segment.ok() && segment->checkpoint) return segment;
    }
  }
  TARN_ASSIGN_OR_RETURN(const LogListing whole, ListLog(home, 0));
  TARN_ASSIGN_OR_RETURN(LogSegment segment, SelectSegment(home, whole, version, damaged));
  // Of a checkpoint that is there but broken others tell.
  const bool followed = hint && *hint > 0 && (!version || *version >= *hint);
  if (followed && damaged.empty()) segment.wrong_hint = hint;
  return segment;
}

}  // namespace tarn::delta
