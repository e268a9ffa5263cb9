#include "tarn/storage/memory.h"

#include <map>
#include <mutex>

#include <fmt/format.h>

namespace tarn {
namespace {

struct Object {
  std::shared_ptr<const Bytes> bytes;
  int64_t modified_ms = 0;
  int64_t generation = 0;  // the etag
};
using Objects = std::map<Path, Object>;

class MemoryReader final : public ObjectReader {
 public:
  MemoryReader(std::shared_ptr<const Bytes> bytes, Path path)
      : bytes_(std::move(bytes)), path_(std::move(path)) {}

  int64_t size_bytes() const override { return static_cast<int64_t>(bytes_->size()); }

  Status ReadAt(int64_t offset, int64_t length, char* out) const override {
    if (offset < 0 || length < 0 || offset > size_bytes() - length) {
      return Invalid(fmt::format("read '{}': {} bytes from {} of {}", path_.str(), length, offset,
                                 size_bytes()));
    }
    bytes_->copy(out, static_cast<size_t>(length), static_cast<size_t>(offset));
    return OkStatus();
  }

 private:
  const std::shared_ptr<const Bytes> bytes_;
  const Path path_;
};

class MemoryStorageImpl final : public MemoryStorage {
 public:
  MemoryStorageImpl(Clock& clock, Random& random) : clock_(clock), random_(random) {}

  std::string root_uri() const override { return "memory:"; }

  Result<Bytes> Read(const Path& path) const override {
    TARN_ASSIGN_OR_RETURN(const Object object, Find("read", path));
    return *object.bytes;
  }

  Result<Bytes> ReadRange(const Path& path, ByteRange range) const override {
    TARN_ASSIGN_OR_RETURN(const Object object, Find("read", path));
    if (range.offset < 0 || range.length < 0 ||
        range.offset > static_cast<int64_t>(object.bytes->size()) - range.length) {
      return Invalid(fmt::format("read '{}': {} bytes from {} of {}", path.str(), range.length,
                                 range.offset, object.bytes->size()));
    }
    return object.bytes->substr(static_cast<size_t>(range.offset),
                                static_cast<size_t>(range.length));
  }

  Result<ObjectInfo> Stat(const Path& path) const override {
    TARN_ASSIGN_OR_RETURN(const Object object, Find("stat", path));
    return Describe(path, object);
  }

  Result<std::unique_ptr<ObjectReader>> OpenReader(const Path& path) const override {
    TARN_ASSIGN_OR_RETURN(const Object object, Find("open", path));
    return std::unique_ptr<ObjectReader>(std::make_unique<MemoryReader>(object.bytes, path));
  }

  Result<std::vector<ObjectInfo>> List(const Path& prefix, const Path& after, int32_t limit,
                                       Depth depth) const override {
    if (limit <= 0) return Invalid("list: the limit must be positive");
    TARN_RETURN_IF_ERROR(Begin("list", prefix));
    std::vector<ObjectInfo> found;
    const std::lock_guard lock(mutex_);
    auto at = after < prefix ? visible_.lower_bound(prefix) : visible_.upper_bound(after);
    for (; at != visible_.end() && found.size() < static_cast<size_t>(limit); ++at) {
      const Path& path = at->first;
      if (!path.str().starts_with(prefix.str())) break;
      if (!path.IsWithin(prefix)) continue;  // "a-b" stands between "a" and "a/x"
      if (depth == Depth::kShallow && path != prefix && path.parent() != prefix) continue;
      found.push_back(Describe(path, at->second));
    }
    return found;
  }

  Status Put(const Path& path, BytesView bytes) override {
    return PutAndDescribe(path, bytes).status();
  }

  Result<ObjectInfo> PutAndDescribe(const Path& path, BytesView bytes) {
    TARN_ASSIGN_OR_RETURN(const Answer answer, BeginWrite("put", path));
    ObjectInfo info;
    if (answer != Answer::kNotDone) {
      const std::lock_guard lock(mutex_);
      info = Describe(path, StoreLocked(path, bytes));
    }
    TARN_RETURN_IF_ERROR(Answered(answer, "put", path));
    return info;
  }

  Result<PutOutcome> PutIfAbsent(const Path& path, BytesView bytes) override {
    TARN_ASSIGN_OR_RETURN(const Answer answer, BeginWrite("create", path));
    PutOutcome outcome = PutOutcome::kAlreadyExists;
    if (answer != Answer::kNotDone) {
      const std::lock_guard lock(mutex_);
      if (!visible_.contains(path)) {
        StoreLocked(path, bytes);
        outcome = PutOutcome::kCreated;
      }
    }
    TARN_RETURN_IF_ERROR(Answered(answer, "create", path));
    return outcome;
  }

  Result<std::unique_ptr<ObjectWriter>> OpenWriter(const Path& path) override;

  Result<PutOutcome> MoveIfAbsent(const Path& from, const Path& to) override {
    TARN_RETURN_IF_ERROR(CheckName(to));
    TARN_ASSIGN_OR_RETURN(const Answer answer, BeginWrite("move", from));
    PutOutcome outcome = PutOutcome::kAlreadyExists;
    if (answer != Answer::kNotDone) {
      const std::lock_guard lock(mutex_);
      const auto source = visible_.find(from);
      if (source == visible_.end()) return NotFound("move '" + from.str() + "': no such object");
      if (!visible_.contains(to)) {
        const Bytes bytes = *source->second.bytes;
        StoreLocked(to, bytes);
        RemoveLocked(from);
        outcome = PutOutcome::kCreated;
      }
    }
    TARN_RETURN_IF_ERROR(Answered(answer, "move", from));
    return outcome;
  }

  Status Remove(const Path& path) override {
    TARN_ASSIGN_OR_RETURN(const Answer answer, BeginWrite("remove", path));
    if (answer != Answer::kNotDone) {
      const std::lock_guard lock(mutex_);
      RemoveLocked(path);
    }
    return Answered(answer, "remove", path);
  }

  std::string NativeName(const Path& /*path*/) const override { return {}; }

  void SetFaults(const MemoryFaults& faults) override {
    const std::lock_guard lock(mutex_);
    faults_ = faults;
  }

  void SetSyncWrites(bool sync_writes) override {
    const std::lock_guard lock(mutex_);
    sync_writes_ = sync_writes;
    if (sync_writes_) synced_ = visible_;
  }

  void PowerCut() override {
    const std::lock_guard lock(mutex_);
    visible_ = synced_;
  }

  void SetBeforeCall(std::function<void(std::string_view operation, const Path&)> hook) override {
    const std::lock_guard lock(mutex_);
    hook_ = std::move(hook);
  }

 private:
  // What becomes of one write and of the answer to it.
  enum class Answer : uint8_t { kGiven, kLost, kNotDone };

  static Status CheckName(const Path& path) {
    if (path.empty()) return Invalid("memory storage: the root is not an object");
    return OkStatus();
  }

  static ObjectInfo Describe(const Path& path, const Object& object) {
    return {path, static_cast<int64_t>(object.bytes->size()), object.modified_ms,
            fmt::format("{}", object.generation)};
  }

  MemoryFaults FaultsNow() const {
    const std::lock_guard lock(mutex_);
    return faults_;
  }

  bool Drawn(int32_t per_mille) const {
    return per_mille > 0 && random_.Below(1000) < static_cast<uint64_t>(per_mille);
  }

  // The hook, the delay and the failure that come before any operation.
  Status Begin(std::string_view operation, const Path& path) const {
    std::function<void(std::string_view, const Path&)> hook;
    {
      const std::lock_guard lock(mutex_);
      hook = hook_;
    }
    if (hook) hook(operation, path);
    const MemoryFaults faults = FaultsNow();
    if (faults.delay_max_ms > 0) {
      clock_.SleepMillis(
          static_cast<int64_t>(random_.Below(static_cast<uint64_t>(faults.delay_max_ms) + 1)));
    }
    if (Drawn(faults.fail_before)) {
      return Unavailable(fmt::format("{} '{}': the store is unavailable", operation, path.str()));
    }
    return OkStatus();
  }

  Result<Answer> BeginWrite(std::string_view operation, const Path& path) {
    TARN_RETURN_IF_ERROR(CheckName(path));
    TARN_RETURN_IF_ERROR(Begin(operation, path));
    const MemoryFaults faults = FaultsNow();
    if (Drawn(faults.lose_answer)) return Answer::kLost;
    if (Drawn(faults.unknown_not_done)) return Answer::kNotDone;
    return Answer::kGiven;
  }

  static Status Answered(Answer answer, std::string_view operation, const Path& path) {
    if (answer == Answer::kGiven) return OkStatus();
    return UnknownOutcome(fmt::format("{} '{}': no answer came", operation, path.str()));
  }

  Result<Object> Find(std::string_view operation, const Path& path) const {
    TARN_RETURN_IF_ERROR(Begin(operation, path));
    const std::lock_guard lock(mutex_);
    const auto found = visible_.find(path);
    if (found == visible_.end()) {
      return NotFound(fmt::format("{} '{}': no such object", operation, path.str()));
    }
    return found->second;
  }

  const Object& StoreLocked(const Path& path, BytesView bytes) {
    const Object object{std::make_shared<const Bytes>(bytes), clock_.NowMicros() / 1000,
                        ++generation_};
    if (sync_writes_) synced_[path] = object;
    return visible_[path] = object;
  }

  void RemoveLocked(const Path& path) {
    visible_.erase(path);
    if (sync_writes_) synced_.erase(path);
  }

  Clock& clock_;
  Random& random_;
  mutable std::mutex mutex_;
  Objects visible_;
  Objects synced_;
  int64_t generation_ = 0;
  bool sync_writes_ = true;
  MemoryFaults faults_;
  std::function<void(std::string_view, const Path&)> hook_;
};

class MemoryWriter final : public ObjectWriter {
 public:
  MemoryWriter(MemoryStorageImpl& storage, Path path) : storage_(storage), path_(std::move(path)) {}

  Status Append(BytesView bytes) override {
    bytes_.append(bytes);
    return OkStatus();
  }

  Result<ObjectInfo> Finish() override { return storage_.PutAndDescribe(path_, bytes_); }

 private:
  MemoryStorageImpl& storage_;
  const Path path_;
  Bytes bytes_;
};

Result<std::unique_ptr<ObjectWriter>> MemoryStorageImpl::OpenWriter(const Path& path) {
  TARN_RETURN_IF_ERROR(CheckName(path));
  return std::unique_ptr<ObjectWriter>(std::make_unique<MemoryWriter>(*this, path));
}

}  // namespace

std::unique_ptr<MemoryStorage> MakeMemoryStorage(Clock& clock, Random& random) {
  return std::make_unique<MemoryStorageImpl>(clock, random);
}

}  // namespace tarn
