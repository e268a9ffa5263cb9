#include "tarn/format/delta/json_files.h"

#include <charconv>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "tarn/datafile/json_cursor.h"
#include "tarn/format/delta/action_json.h"
#include "tarn/format/delta/log_head.h"
#include "tarn/model/prune.h"

namespace tarn::delta {
namespace {

using Token = JsonCursor::Token;

// What of a file action the fast path finds. Views into the line or the decoder's buffers.
struct FileLine {
  bool is_add = false;
  std::string_view path;
  std::string_view partition_json;  // the raw object
  std::string_view stats_raw;       // the string as it stands between its quotes
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

  // One line, `cursor` at its first token.
  Status Line(std::string_view line, JsonCursor& cursor) {
    const std::string_view name = LeadingAction(line);
    if (name == "add" || name == "remove") {
      FileLine file;
      file.is_add = name == "add";
      // What the fast path does not understand may still be good JSON, spelled unusually.
      if (ParseFast(cursor, file)) return TakeFast(file);
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
  bool ParseFast(JsonCursor& cursor, FileLine& file) {
    const auto action_member = [&](std::string_view key) {
      if (key == "path") return Text(cursor, path_text_, &file.path);
      if (key == "deletionVector") {
        return cursor.token() == Token::kNull ? cursor.Skip() : ParseVector(cursor, file);
      }
      if (!file.is_add) return cursor.Skip();
      if (key == "partitionValues") {
        return cursor.token() == Token::kObject && cursor.Skip(&file.partition_json);
      }
      if (key == "size") return Integer(cursor, &file.size_bytes);
      if (key == "modificationTime") return Integer(cursor, &file.modified_ms);
      if (key == "stats") {
        if (cursor.token() == Token::kNull) return cursor.Skip();
        return cursor.token() == Token::kString && cursor.String(&file.stats_raw);
      }
      return cursor.Skip();
    };
    const auto only_member = [&](std::string_view) { return cursor.Object(action_member); };
    return cursor.Object(only_member) && !cursor.within_line() && !file.path.empty();
  }

  bool ParseVector(JsonCursor& cursor, FileLine& file) {
    DeletionVectorDescriptor& vector = file.deletion_vector.emplace();
    bool storage_given = false;
    int64_t number = 0;
    const auto member = [&](std::string_view key) {
      std::string_view text;
      if (key == "storageType") {
        if (!Text(cursor, vector_text_, &text) || text.size() != 1) return false;
        vector.storage_type = text[0];
        storage_given = true;
        return true;
      }
      if (key == "pathOrInlineDv") {
        if (!Text(cursor, vector_text_, &text)) return false;
        vector.path_or_inline = text;
        return true;
      }
      if (key == "offset") {
        if (cursor.token() == Token::kNull) return cursor.Skip();
        if (!Integer(cursor, &number) || number < 0 || number > INT32_MAX) return false;
        vector.offset = static_cast<int32_t>(number);
        return true;
      }
      if (key == "sizeInBytes") {
        if (!Integer(cursor, &number) || number < 0 || number > INT32_MAX) return false;
        vector.size_bytes = static_cast<int32_t>(number);
        return true;
      }
      if (key == "cardinality") return Integer(cursor, &vector.cardinality);
      return cursor.Skip();
    };
    return cursor.Object(member) && storage_given && !vector.path_or_inline.empty();
  }

  // A string, decoded: into `scratch` where it has escapes.
  static bool Text(JsonCursor& cursor, std::string& scratch, std::string_view* text) {
    std::string_view raw;
    return cursor.token() == Token::kString && cursor.String(&raw) &&
           UnescapeJson(raw, scratch, text);
  }

  static bool Integer(JsonCursor& cursor, int64_t* number) {
    std::string_view raw;
    bool integer = false;
    if (cursor.token() != Token::kNumber || !cursor.Number(&raw, &integer) || !integer) {
      return false;
    }
    return std::from_chars(raw.data(), raw.data() + raw.size(), *number).ec == std::errc();
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
    std::string_view stats;
    if (!file.stats_raw.empty() && UnescapeJson(file.stats_raw, stats_text_, &stats, true)) {
      stats_reader_.ReadPadded(stats, stats_);
    } else {
      stats_.Reset(plan_.wanted.fields().size());
    }
    entry.row = actions_.batch.size;
    AppendRow(actions_.batch, {file.path, path, file.size_bytes, file.modified_ms, tuple, &stats_,
                               file.deletion_vector ? &*file.deletion_vector : nullptr});
    return {};
  }

  Result<PartitionTexts> ParsePartition(std::string_view json) {
    if (json.empty()) return PartitionTexts();
    // Through the reader of whole actions, so that there is one meaning of partitionValues.
    std::string line = "{\"cdc\":{\"path\":\"\",\"partitionValues\":";
    line.append(json);
    line += "}}";
    TARN_ASSIGN_OR_RETURN(std::optional<Action> action, ReadAction(line));
    if (!action) return Corrupt("'add.partitionValues' is no object");
    return std::get<CdcFile>(std::move(*action)).partition_values;
  }

  Status TakeSlow(std::string_view line) {
    TARN_ASSIGN_OR_RETURN(std::optional<Action> action, ReadAction(line));
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
  FileActions actions_;
  FileStats stats_;
  std::string path_scratch_;
  std::string path_text_;
  std::string vector_text_;
  std::string stats_text_;
};

}  // namespace

Result<FileActions> DecodeJsonFiles(const FilePlan& plan, const ObjectInfo& object) {
  JsonFileDecoder decoder(plan);
  JsonLineWalker walker;
  Status status;
  int64_t lines_before = 0;
  const auto fail = [&](int64_t line, const Error& error) {
    status = error.WithContext("delta: '" + object.path.str() + "': line " +
                               std::to_string(lines_before + line + 1));
  };
  const auto row = [&](int64_t line, std::string_view text) {
    if (!status.ok()) return;
    const Status taken = decoder.Line(text, walker.cursor());
    if (!taken.ok()) fail(line, taken.error());
  };
  const auto bad = [&](int64_t line, std::string_view, const char* why) {
    if (status.ok()) fail(line, Corrupt(std::string("no JSON: ") + why));
  };
  TARN_ASSIGN_OR_RETURN(const std::unique_ptr<JsonBlocks> blocks,
                        JsonBlocks::Open(plan.home, object));
  while (true) {
    TARN_ASSIGN_OR_RETURN(const std::string_view block, blocks->Next());
    if (block.empty()) return decoder.Finish();
    lines_before += walker.Walk(block, row, bad);
    TARN_RETURN_IF_ERROR(status);
  }
}

}  // namespace tarn::delta
