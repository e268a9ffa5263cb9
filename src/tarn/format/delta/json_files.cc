#include "tarn/format/delta/json_files.h"

#include <optional>
#include <utility>
#include <variant>

#include <simdjson.h>

#include "tarn/format/delta/action_json.h"
#include "tarn/format/delta/log_head.h"
#include "tarn/model/prune.h"

namespace tarn::delta {
namespace {

namespace ondemand = simdjson::ondemand;

// What of a file action the fast path finds. Views into the line or the parser's buffers.
struct FileLine {
  bool is_add = false;
  std::string_view path;
  std::string_view partition_json;  // the raw object
  std::string_view stats_token;     // the raw string, with its quotes
  int64_t size_bytes = 0;
  int64_t modified_ms = 0;
  std::optional<DeletionVectorDescriptor> deletion_vector;
};

class JsonFileDecoder {
 public:
  explicit JsonFileDecoder(const FilePlan& plan)
      : plan_(plan), partitions_(plan), stats_reader_(plan.wanted) {
    actions_.batch = plan.EmptyBatch();
  }

  Status Line(std::string_view line) {
    const std::string_view name = LeadingAction(line);
    if (name == "add" || name == "remove") {
      FileLine file;
      file.is_add = name == "add";
      // What the fast path does not understand may still be good JSON, spelled unusually.
      if (ParseFast(line, file)) return TakeFast(file);
    } else if (name == "commitInfo" || name == "txn" || name == "cdc" || name == "metaData" ||
               name == "protocol") {
      return {};
    }
    return TakeSlow(line);
  }

  Result<FileActions> Finish() {
    if (!plan_.wanted.fields().empty() && !plan_.filter.IsTrue() && actions_.batch.size > 0) {
      PruneByStatistics();
    }
    return std::move(actions_);
  }

 private:
  bool ParseFast(std::string_view line, FileLine& file) {
    ondemand::document document;
    if (parser_.iterate(line.data(), line.size(), line.size() + kJsonPadding).get(document)) {
      return false;
    }
    ondemand::object action;
    if (document.find_field(file.is_add ? "add" : "remove").get_object().get(action)) return false;
    for (auto member : action) {
      std::string_view key;
      ondemand::value value;
      if (member.unescaped_key().get(key) || member.value().get(value)) return false;
      if (key == "path") {
        if (value.get_string().get(file.path)) return false;
      } else if (key == "deletionVector") {
        if (!ParseVector(value, file)) return false;
      } else if (!file.is_add) {
        continue;
      } else if (key == "partitionValues") {
        ondemand::object object;
        if (value.get_object().get(object) || object.raw_json().get(file.partition_json)) {
          return false;
        }
      } else if (key == "size") {
        if (value.get_int64().get(file.size_bytes)) return false;
      } else if (key == "modificationTime") {
        if (value.get_int64().get(file.modified_ms)) return false;
      } else if (key == "stats") {
        ondemand::json_type type{};
        if (value.type().get(type)) return false;
        if (type == ondemand::json_type::string) {
          file.stats_token = value.raw_json_token();
        } else if (type != ondemand::json_type::null) {
          return false;
        }
      }
    }
    return !file.path.empty();
  }

  static bool ParseVector(ondemand::value& value, FileLine& file) {
    ondemand::json_type type{};
    if (value.type().get(type)) return false;
    if (type == ondemand::json_type::null) return !value.is_null().error();
    ondemand::object object;
    if (value.get_object().get(object)) return false;
    DeletionVectorDescriptor& vector = file.deletion_vector.emplace();
    bool storage_given = false;
    for (auto member : object) {
      std::string_view key;
      ondemand::value inner;
      if (member.unescaped_key().get(key) || member.value().get(inner)) return false;
      std::string_view text;
      int64_t number = 0;
      if (key == "storageType") {
        if (inner.get_string().get(text) || text.size() != 1) return false;
        vector.storage_type = text[0];
        storage_given = true;
      } else if (key == "pathOrInlineDv") {
        if (inner.get_string().get(text)) return false;
        vector.path_or_inline = text;
      } else if (key == "offset") {
        ondemand::json_type offset_type{};
        if (inner.type().get(offset_type)) return false;
        if (offset_type == ondemand::json_type::null) {
          if (inner.is_null().error()) return false;
          continue;
        }
        if (inner.get_int64().get(number) || number < 0 || number > INT32_MAX) return false;
        vector.offset = static_cast<int32_t>(number);
      } else if (key == "sizeInBytes") {
        if (inner.get_int64().get(number) || number < 0 || number > INT32_MAX) return false;
        vector.size_bytes = static_cast<int32_t>(number);
      } else if (key == "cardinality") {
        if (inner.get_int64().get(vector.cardinality)) return false;
      }
    }
    return storage_given && !vector.path_or_inline.empty();
  }

  Status TakeFast(const FileLine& file) {
    const std::string_view path = FileKey(plan_.home, file.path, path_scratch_);
    if (!file.is_add) {
      AddEntry(path, file.deletion_vector, false);
      return {};
    }
    const PartitionTuple* tuple = partitions_.Find(file.partition_json);
    if (tuple == nullptr) {
      TARN_ASSIGN_OR_RETURN(const PartitionTexts texts, ParsePartition(file.partition_json));
      TARN_ASSIGN_OR_RETURN(tuple, partitions_.Add(file.partition_json, texts));
    }
    FileActions::Entry& entry = AddEntry(path, file.deletion_vector, true);
    if (!tuple->keep) return {};
    if (file.stats_token.empty()) {
      stats_.Reset(plan_.wanted.fields().size());
    } else {
      stats_reader_.Read(Unescaped(file.stats_token), stats_);
    }
    entry.row = actions_.batch.size;
    AppendRow(actions_.batch, {file.path, path, file.size_bytes, file.modified_ms, tuple, &stats_,
                               file.deletion_vector ? &*file.deletion_vector : nullptr});
    return {};
  }

  // The text of a JSON string token. Tokens come from simdjson, which found their end; what is no
  // valid escape yields nothing, that is unknown statistics.
  std::string_view Unescaped(std::string_view token) {
    if (unescaped_.size() < token.size() + kJsonPadding) {
      unescaped_.resize(2 * token.size() + kJsonPadding);
    }
    auto* end = reinterpret_cast<uint8_t*>(unescaped_.data());
    std::string_view text;
    ondemand::raw_json_string raw(reinterpret_cast<const uint8_t*>(token.data()) + 1);
    if (parser_.unescape(raw, end).get(text)) return {};
    return text;
  }

  Result<PartitionTexts> ParsePartition(std::string_view json) {
    if (json.empty()) return PartitionTexts();
    // Through the reader of whole actions, so that there is one meaning of partitionValues.
    std::string line = "{\"cdc\":{\"path\":\"\",\"partitionValues\":";
    line.append(json);
    line += "}}";
    const size_t size = line.size();
    line.append(kJsonPadding, '\0');
    TARN_ASSIGN_OR_RETURN(std::optional<Action> action,
                          slow_.Read(std::string_view(line).substr(0, size)));
    if (!action) return Corrupt("'add.partitionValues' is no object");
    return std::get<CdcFile>(std::move(*action)).partition_values;
  }

  Status TakeSlow(std::string_view line) {
    TARN_ASSIGN_OR_RETURN(std::optional<Action> action, slow_.Read(line));
    if (!action) return {};
    if (const auto* remove = std::get_if<RemoveFile>(&*action)) {
      AddEntry(FileKey(plan_.home, remove->path, path_scratch_), remove->deletion_vector, false);
      return {};
    }
    const auto* add = std::get_if<AddFile>(&*action);
    if (add == nullptr) return {};
    const std::string_view path = FileKey(plan_.home, add->path, path_scratch_);
    std::string key;
    for (const auto& [name, text] : add->partition_values) {
      key += std::to_string(name.size()) + ":" + name;
      key += text ? std::to_string(text->size()) + ":" + *text : "-";
    }
    const PartitionTuple* tuple = partitions_.Find(key);
    if (tuple == nullptr) {
      TARN_ASSIGN_OR_RETURN(tuple, partitions_.Add(key, add->partition_values));
    }
    FileActions::Entry& entry = AddEntry(path, add->deletion_vector, true);
    if (!tuple->keep) return {};
    if (add->stats) {
      stats_reader_.Read(*add->stats, stats_);
    } else {
      stats_.Reset(plan_.wanted.fields().size());
    }
    entry.row = actions_.batch.size;
    AppendRow(actions_.batch, {add->path, path, add->size_bytes, add->modified_ms, tuple, &stats_,
                               add->deletion_vector ? &*add->deletion_vector : nullptr});
    return {};
  }

  FileActions::Entry& AddEntry(std::string_view path,
                               const std::optional<DeletionVectorDescriptor>& vector, bool is_add) {
    FileActions::Entry entry;
    entry.is_add = is_add;
    entry.key_offset = actions_.keys.size();
    entry.path_length = static_cast<uint32_t>(path.size());
    actions_.keys.append(path);
    if (vector) {
      const std::string id = vector->UniqueId();
      entry.vector_length = static_cast<uint32_t>(id.size());
      actions_.keys.append(id);
    }
    return actions_.entries.emplace_back(entry);
  }

  void PruneByStatistics() {
    const std::vector<uint8_t> keep =
        MayMatch(plan_.filter, plan_.metadata.schema, plan_.spec, actions_.batch);
    std::vector<int64_t> new_row(keep.size(), -1);
    int64_t rows = 0;
    for (size_t i = 0; i < keep.size(); ++i) {
      if (keep[i] != 0) new_row[i] = rows++;
    }
    if (rows == actions_.batch.size) return;
    actions_.batch = actions_.batch.Filter(keep);
    for (FileActions::Entry& entry : actions_.entries) {
      if (entry.row >= 0) entry.row = new_row[static_cast<size_t>(entry.row)];
    }
  }

  const FilePlan& plan_;
  PartitionCache partitions_;
  StatsReader stats_reader_;
  ondemand::parser parser_;
  ActionReader slow_;
  FileActions actions_;
  FileStats stats_;
  std::string path_scratch_;
  std::string unescaped_;
};

}  // namespace

Result<FileActions> DecodeJsonFiles(const FilePlan& plan, const ObjectInfo& object) {
  JsonFileDecoder decoder(plan);
  int64_t lines_before = 0;
  TARN_ASSIGN_OR_RETURN(const std::unique_ptr<JsonBlocks> blocks,
                        JsonBlocks::Open(plan.home, object));
  while (true) {
    TARN_ASSIGN_OR_RETURN(const std::string_view block, blocks->Next());
    if (block.empty()) return decoder.Finish();
    int64_t lines = 0;
    TARN_RETURN_IF_ERROR(ForEachLine(block, [&](std::string_view line, int64_t number) -> Status {
      lines = number;
      const Status status = decoder.Line(line);
      if (status.ok()) return {};
      return status.error().WithContext("delta: '" + object.path.str() + "': line " +
                                        std::to_string(lines_before + number));
    }));
    lines_before += lines;
  }
}

}  // namespace tarn::delta
