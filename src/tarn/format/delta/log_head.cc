#include "tarn/format/delta/log_head.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "tarn/datafile/json_index.h"
#include "tarn/format/delta/action_json.h"
#include "tarn/format/delta/location.h"
#include "tarn/format/delta/log_compaction.h"
#include "tarn/format/delta/log_paths.h"
#include "tarn/format/delta/parquet_leaf.h"

namespace tarn::delta {
namespace {

constexpr int64_t kBlockBytes = int64_t{4} << 20;

void Take(Action&& action, LogHead& head, std::vector<Sidecar>* sidecars) {
  // Within one commit the order of actions means nothing, but should one be there twice, the last
  // counts, as for whoever replays line by line.
  if (auto* protocol = std::get_if<Protocol>(&action)) {
    head.protocol = std::move(*protocol);
  } else if (auto* metadata = std::get_if<MetadataAction>(&action)) {
    head.metadata = std::move(*metadata);
  } else if (auto* txn = std::get_if<Txn>(&action)) {
    head.txns[txn->app_id] = std::move(*txn);
  } else if (auto* domain = std::get_if<DomainMetadata>(&action)) {
    head.domains[domain->domain] = std::move(*domain);
  } else if (auto* info = std::get_if<CommitInfo>(&action)) {
    head.commit_info = std::move(*info);
  } else if (auto* sidecar = std::get_if<Sidecar>(&action); sidecar != nullptr && sidecars) {
    sidecars->push_back(std::move(*sidecar));
  }
}

// Calls visit(row, cursor) for every value of a leaf; rows count over the whole file. What is rare
// stands at the beginning of most checkpoints: nothing is read behind the last value.
template <class Visit>
Status VisitValues(const CheckpointParquet& file, int row_group, int64_t first_row, int leaf,
                   const Visit& visit) {
  if (leaf < 0) return {};
  int64_t left = file.ValuesSet(row_group, leaf);  // -1: unknown, never reaches 0
  if (left == 0) return {};
  TARN_ASSIGN_OR_RETURN(LeafCursor cursor, file.Cursor(row_group, leaf));
  int64_t row = first_row - 1;
  while (left != 0 && cursor.Next()) {
    if (cursor.repetition() == 0) ++row;
    if (!cursor.has_value()) continue;
    visit(row, cursor);
    --left;
  }
  return cursor.status();
}

// A map column: keys and values entry by entry; a null value is left out.
Status VisitMap(const CheckpointParquet& file, int row_group, int64_t first_row,
                std::initializer_list<std::string_view> path,
                const std::function<void(int64_t row, std::string key, std::string value)>& visit) {
  const std::vector<int> leaves = file.LeavesBelow(path);
  if (leaves.size() != 2) return {};
  int64_t left = file.ValuesSet(row_group, leaves[0]);  // as above
  if (left == 0) return {};
  TARN_ASSIGN_OR_RETURN(LeafCursor keys, file.Cursor(row_group, leaves[0]));
  TARN_ASSIGN_OR_RETURN(LeafCursor values, file.Cursor(row_group, leaves[1]));
  int64_t row = first_row - 1;
  while (left != 0 && keys.Next()) {
    if (!values.Next()) break;
    if (keys.repetition() == 0) ++row;
    if (!keys.has_value()) continue;
    --left;
    if (values.has_value()) {
      visit(row, std::string(keys.bytes()), std::string(values.bytes()));
    }
  }
  TARN_RETURN_IF_ERROR(keys.status());
  return values.status();
}

// Reads one row group's share of the actions that are rare, each kind by row.
class ParquetHeadReader {
 public:
  ParquetHeadReader(const CheckpointParquet& file, int row_group, int64_t first_row)
      : file_(file), row_group_(row_group), first_row_(first_row) {}

  Status ReadProtocol(LogHead& head) {
    std::map<int64_t, Protocol> rows;
    TARN_RETURN_IF_ERROR(Values({"protocol", "minReaderVersion"}, [&](int64_t row, auto& cursor) {
      rows[row].min_reader_version = static_cast<int32_t>(cursor.integer());
    }));
    TARN_RETURN_IF_ERROR(Values({"protocol", "minWriterVersion"}, [&](int64_t row, auto& cursor) {
      rows[row].min_writer_version = static_cast<int32_t>(cursor.integer());
    }));
    TARN_RETURN_IF_ERROR(List({"protocol", "readerFeatures"}, [&](int64_t row, auto& cursor) {
      rows[row].reader_features.emplace_back(cursor.bytes());
    }));
    TARN_RETURN_IF_ERROR(List({"protocol", "writerFeatures"}, [&](int64_t row, auto& cursor) {
      rows[row].writer_features.emplace_back(cursor.bytes());
    }));
    if (!rows.empty()) head.protocol = std::move(rows.rbegin()->second);
    return {};
  }

  Status ReadMetadata(LogHead& head) {
    std::map<int64_t, MetadataAction> rows;
    const auto text = [&](std::initializer_list<std::string_view> path, auto member) {
      return Values(path, [&](int64_t row, auto& cursor) {
        rows[row].*member = std::string(cursor.bytes());
      });
    };
    TARN_RETURN_IF_ERROR(text({"metaData", "schemaString"}, &MetadataAction::schema_string));
    TARN_RETURN_IF_ERROR(text({"metaData", "id"}, &MetadataAction::id));
    if (rows.empty()) return {};
    TARN_RETURN_IF_ERROR(text({"metaData", "name"}, &MetadataAction::name));
    TARN_RETURN_IF_ERROR(text({"metaData", "description"}, &MetadataAction::description));
    TARN_RETURN_IF_ERROR(
        text({"metaData", "format", "provider"}, &MetadataAction::format_provider));
    TARN_RETURN_IF_ERROR(Values({"metaData", "createdTime"}, [&](int64_t row, auto& cursor) {
      rows[row].created_time_ms = cursor.integer();
    }));
    TARN_RETURN_IF_ERROR(List({"metaData", "partitionColumns"}, [&](int64_t row, auto& cursor) {
      rows[row].partition_columns.emplace_back(cursor.bytes());
    }));
    TARN_RETURN_IF_ERROR(VisitMap(file_, row_group_, first_row_, {"metaData", "configuration"},
                                  [&](int64_t row, std::string key, std::string value) {
                                    rows[row].configuration[std::move(key)] = std::move(value);
                                  }));
    TARN_RETURN_IF_ERROR(VisitMap(file_, row_group_, first_row_, {"metaData", "format", "options"},
                                  [&](int64_t row, std::string key, std::string value) {
                                    rows[row].format_options[std::move(key)] = std::move(value);
                                  }));
    head.metadata = std::move(rows.rbegin()->second);
    return {};
  }

  Status ReadTxns(LogHead& head) {
    std::map<int64_t, Txn> rows;
    TARN_RETURN_IF_ERROR(Values({"txn", "appId"}, [&](int64_t row, auto& cursor) {
      rows[row].app_id = std::string(cursor.bytes());
    }));
    if (rows.empty()) return {};
    TARN_RETURN_IF_ERROR(Values({"txn", "version"}, [&](int64_t row, auto& cursor) {
      rows[row].version = cursor.integer();
    }));
    TARN_RETURN_IF_ERROR(Values({"txn", "lastUpdated"}, [&](int64_t row, auto& cursor) {
      rows[row].last_updated_ms = cursor.integer();
    }));
    for (auto& [row, txn] : rows) head.txns[txn.app_id] = std::move(txn);
    return {};
  }

  Status ReadDomains(LogHead& head) {
    std::map<int64_t, DomainMetadata> rows;
    TARN_RETURN_IF_ERROR(Values({"domainMetadata", "domain"}, [&](int64_t row, auto& cursor) {
      rows[row].domain = std::string(cursor.bytes());
    }));
    if (rows.empty()) return {};
    TARN_RETURN_IF_ERROR(Values(
        {"domainMetadata", "configuration"},
        [&](int64_t row, auto& cursor) { rows[row].configuration = std::string(cursor.bytes()); }));
    TARN_RETURN_IF_ERROR(Values({"domainMetadata", "removed"}, [&](int64_t row, auto& cursor) {
      rows[row].removed = cursor.integer() != 0;
    }));
    for (auto& [row, domain] : rows) head.domains[domain.domain] = std::move(domain);
    return {};
  }

  Status ReadSidecars(std::vector<Sidecar>& sidecars) {
    std::map<int64_t, Sidecar> rows;
    TARN_RETURN_IF_ERROR(Values({"sidecar", "path"}, [&](int64_t row, auto& cursor) {
      rows[row].path = std::string(cursor.bytes());
    }));
    if (rows.empty()) return {};
    TARN_RETURN_IF_ERROR(Values({"sidecar", "sizeInBytes"}, [&](int64_t row, auto& cursor) {
      rows[row].size_bytes = cursor.integer();
    }));
    TARN_RETURN_IF_ERROR(Values({"sidecar", "modificationTime"}, [&](int64_t row, auto& cursor) {
      rows[row].modified_ms = cursor.integer();
    }));
    for (auto& [row, sidecar] : rows) sidecars.push_back(std::move(sidecar));
    return {};
  }

 private:
  template <class Visit>
  Status Values(std::initializer_list<std::string_view> path, const Visit& visit) {
    return VisitValues(file_, row_group_, first_row_, file_.Leaf(path), visit);
  }
  template <class Visit>
  Status List(std::initializer_list<std::string_view> path, const Visit& visit) {
    const std::vector<int> leaves = file_.LeavesBelow(path);
    if (leaves.size() != 1) return {};
    return VisitValues(file_, row_group_, first_row_, leaves[0], visit);
  }

  const CheckpointParquet& file_;
  const int row_group_;
  const int64_t first_row_;
};

}  // namespace

void LogHead::Absorb(LogHead older) {
  if (!protocol) protocol = std::move(older.protocol);
  if (!metadata) metadata = std::move(older.metadata);
  txns.merge(older.txns);
  domains.merge(older.domains);
}

Result<std::unique_ptr<JsonBlocks>> JsonBlocks::Open(const TableHome& home,
                                                     const ObjectInfo& object) {
  TARN_ASSIGN_OR_RETURN(std::unique_ptr<ObjectReader> reader, home.storage.OpenReader(object.path));
  return std::unique_ptr<JsonBlocks>(new JsonBlocks(std::move(reader), kBlockBytes));
}

Result<std::string_view> JsonBlocks::Next() {
  if (used_ > 0) {
    std::memmove(buffer_.data(), buffer_.data() + used_, held_ - used_);
    held_ -= used_;
    used_ = 0;
  }
  size_t searched = 0;
  while (true) {
    const int64_t left = object_->size_bytes() - offset_;
    if (left > 0) {
      const int64_t take = std::min(left, block_bytes_);
      const size_t wanted = held_ + static_cast<size_t>(take) + JsonIndex::kPadding;
      if (buffer_.size() < wanted) buffer_.resize(wanted);
      TARN_RETURN_IF_ERROR(object_->ReadAt(offset_, take, buffer_.data() + held_));
      offset_ += take;
      held_ += static_cast<size_t>(take);
    }
    const std::string_view held = std::string_view(buffer_).substr(0, held_);
    if (offset_ >= object_->size_bytes()) {
      used_ = held_;
    } else if (const size_t end = held.substr(searched).rfind('\n'); end != held.npos) {
      used_ = searched + end + 1;
    } else {
      searched = held_;  // a line longer than a block
      continue;
    }
    return held.substr(0, used_);
  }
}

Result<LogHead> ReadJsonHead(const TableHome& home, const ObjectInfo& object, WantCommitInfo want,
                             std::vector<Sidecar>* sidecars) {
  LogHead head;
  int64_t lines_before = 0;
  // Nothing guards a compaction against being cut short, and what a lost line says would be missed
  // here: its file lines are parsed too, so that damage shows.
  const std::optional<LogName> log_name = ParseLogName(object.path.name());
  const bool every_line = log_name && log_name->kind == LogName::Kind::kCompaction;
  TARN_ASSIGN_OR_RETURN(const std::unique_ptr<JsonBlocks> blocks, JsonBlocks::Open(home, object));
  while (true) {
    TARN_ASSIGN_OR_RETURN(const std::string_view block, blocks->Next());
    if (block.empty()) return head;
    int64_t lines = 0;
    TARN_RETURN_IF_ERROR(ForEachLine(block, [&](std::string_view line, int64_t number) -> Status {
      lines = number;
      // Lines spelled in another way are parsed, so it costs time only.
      const std::string_view name = LeadingAction(line);
      if (!every_line && (name == "add" || name == "remove" || name == "cdc")) return {};
      if (want == WantCommitInfo::kNo && name == "commitInfo") return {};
      auto action = ReadAction(line);
      if (!action.ok()) {
        return action.error().WithContext("delta: '" + object.path.str() + "': line " +
                                          std::to_string(lines_before + number));
      }
      if (action->has_value()) Take(*std::move(*action), head, sidecars);
      return {};
    }));
    lines_before += lines;
  }
}

Result<LogHead> ReadParquetHead(const CheckpointParquet& file, std::vector<Sidecar>* sidecars) {
  LogHead head;
  int64_t first_row = 0;
  for (int row_group = 0; row_group < file.row_groups(); ++row_group) {
    ParquetHeadReader reader(file, row_group, first_row);
    TARN_RETURN_IF_ERROR(reader.ReadProtocol(head));
    TARN_RETURN_IF_ERROR(reader.ReadMetadata(head));
    TARN_RETURN_IF_ERROR(reader.ReadTxns(head));
    TARN_RETURN_IF_ERROR(reader.ReadDomains(head));
    if (sidecars != nullptr) TARN_RETURN_IF_ERROR(reader.ReadSidecars(*sidecars));
    first_row += file.rows(row_group);
  }
  return head;
}

Result<LogHead> ReadTailHead(Runtime& runtime, const TableHome& home, const LogSegment& segment) {
  const size_t files = segment.tail.size();
  std::vector<LogHead> heads(files);
  TARN_RETURN_IF_ERROR(
      runtime.executor.ParallelFor(static_cast<int64_t>(files), [&](int64_t i) -> Status {
        const LogTailObject& tail = segment.tail[static_cast<size_t>(i)];
        const auto want =
            tail.first == segment.version ? WantCommitInfo::kYes : WantCommitInfo::kNo;
        LogHead& into = heads[static_cast<size_t>(i)];
        return ReadOrCommits(runtime, home, tail.object, [&](const ObjectInfo& object) -> Status {
          TARN_ASSIGN_OR_RETURN(LogHead head, ReadJsonHead(home, object, want, nullptr));
          if (head.commit_info) into.commit_info = std::move(head.commit_info);
          into.Absorb(std::move(head));
          return {};
        });
      }));
  LogHead head;
  if (files > 0) head.commit_info = std::move(heads.back().commit_info);
  for (size_t i = files; i > 0; --i) head.Absorb(std::move(heads[i - 1]));
  // A checkpoint or a compaction stands in for the version's commit but has no commitInfo.
  const bool read_commit = files > 0 && segment.tail.back().first == segment.version;
  if (!read_commit && segment.version_modified_ms != 0) {
    ObjectInfo commit;
    commit.path = CommitPath(home.root, segment.version);
    TARN_ASSIGN_OR_RETURN(LogHead own, ReadJsonHead(home, commit, WantCommitInfo::kYes, nullptr));
    head.commit_info = std::move(own.commit_info);
  }
  return head;
}

Result<CheckpointHead> ReadCheckpointHead(const TableHome& home,
                                          const CheckpointObjects& checkpoint) {
  CheckpointHead result;
  for (const ObjectInfo& part : checkpoint.parts) {
    if (checkpoint.kind == LogName::Kind::kUuidCheckpointJson) {
      TARN_ASSIGN_OR_RETURN(LogHead head,
                            ReadJsonHead(home, part, WantCommitInfo::kNo, &result.sidecars));
      result.head.Absorb(std::move(head));
      continue;
    }
    TARN_ASSIGN_OR_RETURN(std::shared_ptr<ObjectReader> object, home.storage.OpenReader(part.path));
    TARN_ASSIGN_OR_RETURN(const std::unique_ptr<CheckpointParquet> file,
                          CheckpointParquet::Open(std::move(object), part.path.str()));
    TARN_ASSIGN_OR_RETURN(LogHead head, ReadParquetHead(*file, &result.sidecars));
    result.head.Absorb(std::move(head));
  }
  return result;
}

Result<std::optional<CommitInfo>> ReadFirstCommitInfo(const TableHome& home,
                                                      const ObjectInfo& commit) {
  constexpr int64_t kFirstRead = 8 << 10;
  TARN_ASSIGN_OR_RETURN(const std::unique_ptr<ObjectReader> reader,
                        home.storage.OpenReader(commit.path));
  const int64_t size = reader->size_bytes();
  std::string text;
  for (int64_t take = std::min(size, kFirstRead);; take = std::min(size, take * 16)) {
    text.resize(static_cast<size_t>(take));
    TARN_RETURN_IF_ERROR(reader->ReadAt(0, take, text.data()));
    const std::string_view read = std::string_view(text).substr(0, static_cast<size_t>(take));
    const size_t end = read.find('\n');
    if (end == std::string_view::npos && take < size) continue;
    const std::string_view line = read.substr(0, end);
    if (LeadingAction(line) != "commitInfo") return std::optional<CommitInfo>();
    auto action = ReadAction(line);
    if (!action.ok()) return action.error().WithContext("delta: '" + commit.path.str() + "'");
    if (!action->has_value()) return std::optional<CommitInfo>();
    auto* info = std::get_if<CommitInfo>(&**action);
    if (info == nullptr) return std::optional<CommitInfo>();
    return std::optional<CommitInfo>(std::move(*info));
  }
}

Result<Path> SidecarPath(const TableHome& home, const Sidecar& sidecar) {
  if (IsAbsoluteLocation(sidecar.path)) return home.Resolve(DecodeLocation(sidecar.path));
  const std::string name = DecodeLocation(sidecar.path);
  Result<Path> path = name.find('/') == std::string::npos ? (home.root / kSidecarFolder).Join(name)
                                                          : home.root.Join(name);
  if (!path.ok()) return path.error().WithContext("delta: sidecar '" + sidecar.path + "'");
  return path;
}

}  // namespace tarn::delta
