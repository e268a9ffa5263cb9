#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "tarn/base/runtime.h"
#include "tarn/storage/disk.h"

namespace tarn::testing {

// A disk in memory that knows what was synced: PowerCut keeps that, and of the rest whatever the
// Random given draws. Data that was not synced may be torn. Thread-safe.
class FakeDisk final : public Disk {
 public:
  // Called before each operation, outside the lock, with its name and path.
  std::function<void(std::string_view, const Path&)> before_call;
  // Gives files their time.
  std::function<int64_t()> now_ms = [] { return int64_t{0}; };

  void PowerCut(Random& random) {
    const std::lock_guard lock(mutex_);
    CutPower(*root_, random);
    // The dead machine's writers hold nodes that must not change any more what is found after.
    ++boot_;
  }

  Result<DiskStat> Stat(const Path& path) const override {
    Call("stat", path);
    const std::lock_guard lock(mutex_);
    TARN_ASSIGN_OR_RETURN(const auto node, Find(path));
    return DiskStat{node->is_folder, static_cast<int64_t>(node->data.size()), node->modified_ms,
                    std::to_string(node->generation), std::to_string(node->number)};
  }

  Result<std::unique_ptr<ObjectReader>> OpenFile(const Path& path) const override {
    Call("open", path);
    const std::lock_guard lock(mutex_);
    TARN_ASSIGN_OR_RETURN(const auto node, Find(path));
    if (node->is_folder) return NotFound("'" + path.str() + "' is a folder");
    return std::unique_ptr<ObjectReader>(std::make_unique<Reader>(node->data));
  }

  Result<std::vector<DiskEntry>> ReadFolder(const Path& folder,
                                            std::string_view after) const override {
    Call("list", folder);
    const std::lock_guard lock(mutex_);
    TARN_ASSIGN_OR_RETURN(const auto node, Find(folder));
    std::vector<DiskEntry> entries;
    for (const auto& [name, child] : node->entries) {
      if (child->is_folder || name > after) entries.push_back({name, child->is_folder});
    }
    return entries;
  }

  Result<std::unique_ptr<UnnamedFile>> OpenUnnamed(const Path& folder) override {
    Call("open unnamed", folder);
    const std::lock_guard lock(mutex_);
    TARN_ASSIGN_OR_RETURN(const auto node, Find(folder));
    if (!node->is_folder) return NotFound("'" + folder.str() + "' is no folder");
    return std::unique_ptr<UnnamedFile>(std::make_unique<Unnamed>(*this, NewNode(false)));
  }

  Result<bool> MakeFolder(const Path& folder) override {
    Call("make folder", folder);
    const std::lock_guard lock(mutex_);
    TARN_ASSIGN_OR_RETURN(const auto parent, Find(folder.parent()));
    const std::string name(folder.name());
    if (parent->entries.contains(name)) return false;
    parent->entries[name] = NewNode(true);
    return true;
  }

  Status SyncFolder(const Path& folder) override {
    Call("sync folder", folder);
    const std::lock_guard lock(mutex_);
    TARN_ASSIGN_OR_RETURN(const auto node, Find(folder));
    node->synced_entries = node->entries;
    return OkStatus();
  }

  Result<PutOutcome> RenameIfAbsent(const Path& from, const Path& to) override {
    Call("rename", to);
    const std::lock_guard lock(mutex_);
    TARN_ASSIGN_OR_RETURN(const auto source, Find(from.parent()));
    TARN_ASSIGN_OR_RETURN(const auto target, Find(to.parent()));
    const auto entry = source->entries.find(std::string(from.name()));
    if (entry == source->entries.end()) return NotFound("'" + from.str() + "'");
    if (target->entries.contains(std::string(to.name()))) return PutOutcome::kAlreadyExists;
    target->entries[std::string(to.name())] = entry->second;
    source->entries.erase(std::string(from.name()));
    return PutOutcome::kCreated;
  }

  Result<bool> Remove(const Path& path) override {
    Call("remove", path);
    const std::lock_guard lock(mutex_);
    const auto parent = Find(path.parent());
    if (!parent.ok()) return false;
    const auto entry = (*parent)->entries.find(std::string(path.name()));
    if (entry == (*parent)->entries.end() || !entry->second->entries.empty()) return false;
    (*parent)->entries.erase(entry);
    return true;
  }

  std::string FileName(const Path& path) const override { return "/" + path.str(); }

 private:
  struct Node {
    bool is_folder = false;
    int64_t number = 0;
    int64_t generation = 0;
    int64_t modified_ms = 0;
    Bytes data;
    Bytes synced_data;
    std::map<std::string, std::shared_ptr<Node>> entries;
    std::map<std::string, std::shared_ptr<Node>> synced_entries;
  };

  class Reader final : public ObjectReader {
   public:
    explicit Reader(Bytes data) : data_(std::move(data)) {}
    int64_t size_bytes() const override { return static_cast<int64_t>(data_.size()); }
    Status ReadAt(int64_t offset, int64_t length, char* out) const override {
      if (offset < 0 || length < 0 || offset > size_bytes() - length)
        return Invalid("past the end");
      data_.copy(out, static_cast<size_t>(length), static_cast<size_t>(offset));
      return OkStatus();
    }

   private:
    const Bytes data_;
  };

  class Unnamed final : public UnnamedFile {
   public:
    Unnamed(FakeDisk& disk, std::shared_ptr<Node> node)
        : disk_(disk), node_(std::move(node)), boot_(disk.boot_) {}

    Status Append(BytesView bytes) override {
      const std::lock_guard lock(disk_.mutex_);
      node_->data += bytes;
      return OkStatus();
    }
    Status SyncData() override {
      disk_.Call("sync data", Path());
      const std::lock_guard lock(disk_.mutex_);
      node_->synced_data = node_->data;
      return OkStatus();
    }
    Result<PutOutcome> NameIfAbsent(const Path& path) override {
      disk_.Call("name", path);
      const std::lock_guard lock(disk_.mutex_);
      if (boot_ != disk_.boot_) return Unavailable("this machine is dead");
      TARN_ASSIGN_OR_RETURN(const auto parent, disk_.Find(path.parent()));
      const bool named = parent->entries.emplace(std::string(path.name()), node_).second;
      return named ? PutOutcome::kCreated : PutOutcome::kAlreadyExists;
    }
    Status NameReplacing(const Path& path) override {
      disk_.Call("replace", path);
      const std::lock_guard lock(disk_.mutex_);
      if (boot_ != disk_.boot_) return Unavailable("this machine is dead");
      TARN_ASSIGN_OR_RETURN(const auto parent, disk_.Find(path.parent()));
      parent->entries[std::string(path.name())] = node_;
      return OkStatus();
    }

   private:
    FakeDisk& disk_;
    const std::shared_ptr<Node> node_;
    const int64_t boot_;
  };

  std::shared_ptr<Node> NewNode(bool is_folder) {
    auto node = std::make_shared<Node>();
    node->is_folder = is_folder;
    node->number = node->generation = ++nodes_made_;
    node->modified_ms = now_ms();
    return node;
  }

  void Call(std::string_view operation, const Path& path) const {
    if (before_call) before_call(operation, path);
  }

  Result<std::shared_ptr<Node>> Find(const Path& path) const {
    std::shared_ptr<Node> node = root_;
    std::string_view rest = path.str();
    while (!rest.empty()) {
      const size_t slash = rest.find('/');
      const auto entry = node->entries.find(std::string(rest.substr(0, slash)));
      if (entry == node->entries.end()) return NotFound("'" + path.str() + "' is not there");
      node = entry->second;
      rest = slash == std::string_view::npos ? std::string_view() : rest.substr(slash + 1);
    }
    return node;
  }

  static void CutPower(Node& node, Random& random) {
    if (!node.is_folder) {
      if (node.data != node.synced_data && random.Below(2) == 0) {
        // Torn: length known, bytes lost; or nothing at all.
        const size_t kept = random.Below(node.data.size() + 1);
        node.data.resize(kept);
      } else if (node.data != node.synced_data) {
        node.data = node.synced_data;
      }
      node.synced_data = node.data;
      return;
    }
    auto after = node.synced_entries;
    for (const auto& [name, child] : node.entries) {
      const auto synced = node.synced_entries.find(name);
      const bool same = synced != node.synced_entries.end() && synced->second == child;
      if (!same && random.Below(2) == 0) after[name] = child;
    }
    for (const auto& [name, child] : node.synced_entries) {
      if (!node.entries.contains(name) && random.Below(2) == 0) after.erase(name);
    }
    node.entries = node.synced_entries = std::move(after);
    for (const auto& [name, child] : node.entries) CutPower(*child, random);
  }

  mutable std::mutex mutex_;
  int64_t nodes_made_ = 0;
  int64_t boot_ = 0;
  std::shared_ptr<Node> root_ = [] {
    auto root = std::make_shared<Node>();
    root->is_folder = true;
    return root;
  }();
};

}  // namespace tarn::testing
