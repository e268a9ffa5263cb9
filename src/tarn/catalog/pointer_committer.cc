#include "tarn/catalog/pointer_committer.h"

#include <charconv>
#include <optional>
#include <utility>

#include "tarn/base/crash_point.h"
#include "tarn/base/uuid.h"

namespace tarn {
namespace {

std::string_view FileName(std::string_view location) {
  return location.substr(location.rfind('/') + 1);
}

class PointerCommitter final : public Committer {
 public:
  PointerCommitter(Storage& storage, Random& random, std::shared_ptr<PointerStore> pointers,
                   PointerKey key)
      : storage_(storage),
        random_(random),
        paths_(MakePathCommitter(storage)),
        pointers_(std::move(pointers)),
        key_(std::move(key)) {}

  Result<std::unique_ptr<CommitGuard>> Guard(TableHome& home) override {
    TARN_ASSIGN_OR_RETURN(std::optional<std::string> pointer, pointers_->Find(key_));
    if (!pointer && !home.head.name.empty()) {
      return NotFound("table '" + key_.table_namespace + "." + key_.table_name +
                      "' was dropped or renamed meanwhile; look for it with `tarn ls`");
    }
    home.head.name = pointer.value_or("");
    return std::unique_ptr<CommitGuard>();
  }

  Result<PublishOutcome> Publish(TableHome& home, const EncodedCommit& commit) override {
    const std::string name = NextMetadataName(home.head.name, random_);
    const NewObject head = commit.head(name);
    WriteTicket staged;
    staged.shown_first = commit.staged;
    staged.shown_first.push_back(head);
    CrashPoint("commit.before_stage");
    TARN_RETURN_IF_ERROR(paths_->ShowFirst(home, staged));
    CrashPoint("commit.staged");
    std::optional<std::string> expected;
    if (!home.head.name.empty()) expected = home.head.name;
    CrashPoint("commit.before_reveal");
    std::string location = LocationOf(home, head.path);
    const Result<bool> swapped = pointers_->Swap(key_, expected, location);
    CrashPoint("commit.revealed");
    if (!swapped.ok()) {
      if (swapped.error().code != ErrorCode::kUnknownOutcome) return swapped.error();
      return PublishOutcome(NoAnswer{});
    }
    if (!*swapped) {
      // Nobody can have seen it, and a table should not look as if it had more states than it has.
      (void)storage_.Remove(head.path);
      return PublishOutcome(LostRace{});
    }
    home.head.name = std::move(location);
    return PublishOutcome(Published{{name}});
  }

  Status ShowFirst(TableHome& home, const WriteTicket& ticket) override {
    return paths_->ShowFirst(home, ticket);
  }
  Status RunUpkeep(TableHome& home, const Upkeep& upkeep) override {
    return paths_->RunUpkeep(home, upkeep);
  }

 private:
  // As the pointer before spells the folder, so that others find their prefix again.
  static std::string LocationOf(const TableHome& home, const Path& object) {
    const size_t slash = home.head.name.rfind('/');
    if (slash != std::string::npos) {
      const std::string folder = home.head.name.substr(0, slash);
      const Result<Path> there = home.Resolve(folder);
      if (there.ok() && object == *there / object.name()) {
        return folder + "/" + std::string(object.name());
      }
    }
    return UriOf(home.storage, object);
  }

  Storage& storage_;
  Random& random_;
  const std::unique_ptr<Committer> paths_;  // objects put and removed as on any path
  const std::shared_ptr<PointerStore> pointers_;
  const PointerKey key_;
};

}  // namespace

std::string NextMetadataName(std::string_view location, Random& random) {
  int64_t next = 0;
  std::string_view name = FileName(location);
  if (name.starts_with('v')) name.remove_prefix(1);
  int64_t number = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  const bool counted = error == std::errc() && end != name.data() + name.size() && number >= 0 &&
                       (*end == '-' || *end == '.');
  if (counted) next = number + 1;
  std::string digits = std::to_string(next);
  constexpr size_t kDigits = 5;
  if (digits.size() < kDigits) digits.insert(0, kDigits - digits.size(), '0');
  return digits + "-" + NewUuid(random);
}

std::unique_ptr<Committer> MakePointerCommitter(Storage& storage, Random& random,
                                                std::shared_ptr<PointerStore> pointers,
                                                PointerKey key) {
  return std::make_unique<PointerCommitter>(storage, random, std::move(pointers), std::move(key));
}

}  // namespace tarn
