#include "tarn/format/delta/action_writer.h"

#include <charconv>
#include <map>
#include <optional>
#include <vector>

#include "tarn/base/json_text.h"
#include "tarn/base/text.h"

namespace tarn::delta {
namespace {

void AppendInteger(std::string& out, int64_t value) {
  char digits[24];
  const auto [end, error] = std::to_chars(digits, digits + sizeof(digits), value);
  static_cast<void>(error);  // 24 characters hold every int64
  out.append(digits, end);
}

// One object being written: members are appended in order, absent ones not at all.
class ObjectWriter {
 public:
  explicit ObjectWriter(std::string& out) : out_(out) { out_ += '{'; }
  void End() { out_ += '}'; }

  void Key(std::string_view name) {
    if (!first_) out_ += ',';
    first_ = false;
    AppendJsonString(name, out_);
    out_ += ':';
  }
  void Text(std::string_view name, std::string_view value) {
    Key(name);
    AppendJsonString(value, out_);
  }
  void TextUnlessEmpty(std::string_view name, std::string_view value) {
    if (!value.empty()) Text(name, value);
  }
  void Text(std::string_view name, const std::optional<std::string>& value) {
    if (value) Text(name, std::string_view(*value));
  }
  void Integer(std::string_view name, int64_t value) {
    Key(name);
    AppendInteger(out_, value);
  }
  void Integer(std::string_view name, const std::optional<int64_t>& value) {
    if (value) Integer(name, *value);
  }
  void Bool(std::string_view name, bool value) {
    Key(name);
    out_ += value ? "true" : "false";
  }
  void Texts(std::string_view name, const std::vector<std::string>& values) {
    Key(name);
    out_ += '[';
    for (size_t i = 0; i < values.size(); ++i) {
      if (i > 0) out_ += ',';
      AppendJsonString(values[i], out_);
    }
    out_ += ']';
  }
  void Map(std::string_view name, const std::map<std::string, std::string>& values) {
    Key(name);
    ObjectWriter object(out_);
    for (const auto& [key, value] : values) object.Text(key, std::string_view(value));
    object.End();
  }
  void MapUnlessEmpty(std::string_view name, const std::map<std::string, std::string>& values) {
    if (!values.empty()) Map(name, values);
  }
  void Partition(const PartitionTexts& values) {
    Key("partitionValues");
    ObjectWriter object(out_);
    for (const auto& [column, text] : values) {
      object.Key(column);
      if (text) {
        AppendJsonString(*text, out_);
      } else {
        out_ += "null";
      }
    }
    object.End();
  }
  void DeletionVector(const std::optional<DeletionVectorDescriptor>& vector) {
    if (!vector) return;
    Key("deletionVector");
    ObjectWriter object(out_);
    object.Text("storageType", std::string_view(&vector->storage_type, 1));
    object.Text("pathOrInlineDv", std::string_view(vector->path_or_inline));
    if (vector->offset) object.Integer("offset", *vector->offset);
    object.Integer("sizeInBytes", vector->size_bytes);
    object.Integer("cardinality", vector->cardinality);
    object.End();
  }

 private:
  std::string& out_;
  bool first_ = true;
};

// A whole line: the action's object within an object of one member.
class LineWriter {
 public:
  LineWriter(std::string& out, std::string_view action) : out_(out), object_(Begin(out, action)) {}
  ~LineWriter() {
    object_.End();
    out_ += "}\n";
  }
  ObjectWriter* operator->() { return &object_; }

 private:
  static std::string& Begin(std::string& out, std::string_view action) {
    out += "{\"";
    out += action;
    out += "\":";
    return out;
  }
  std::string& out_;
  ObjectWriter object_;
};

}  // namespace

void AppendAction(std::string& out, const Protocol& action) {
  LineWriter line(out, "protocol");
  line->Integer("minReaderVersion", action.min_reader_version);
  line->Integer("minWriterVersion", action.min_writer_version);
  if (action.min_reader_version >= 3) line->Texts("readerFeatures", action.reader_features);
  if (action.min_writer_version >= 7) line->Texts("writerFeatures", action.writer_features);
}

void AppendAction(std::string& out, const MetadataAction& action) {
  LineWriter line(out, "metaData");
  line->Text("id", std::string_view(action.id));
  line->TextUnlessEmpty("name", action.name);
  line->TextUnlessEmpty("description", action.description);
  line->Key("format");
  ObjectWriter format(out);
  format.Text("provider", std::string_view(action.format_provider));
  format.Map("options", action.format_options);
  format.End();
  line->Text("schemaString", std::string_view(action.schema_string));
  line->Texts("partitionColumns", action.partition_columns);
  line->Map("configuration", action.configuration);
  line->Integer("createdTime", action.created_time_ms);
}

void AppendAction(std::string& out, const AddFile& action) {
  LineWriter line(out, "add");
  line->Text("path", std::string_view(action.path));
  line->Partition(action.partition_values);
  line->Integer("size", action.size_bytes);
  line->Integer("modificationTime", action.modified_ms);
  line->Bool("dataChange", action.data_change);
  line->Text("stats", action.stats);
  line->MapUnlessEmpty("tags", action.tags);
  line->DeletionVector(action.deletion_vector);
  line->Integer("baseRowId", action.base_row_id);
  line->Integer("defaultRowCommitVersion", action.default_row_commit_version);
  line->Text("clusteringProvider", action.clustering_provider);
}

void AppendAction(std::string& out, const RemoveFile& action) {
  LineWriter line(out, "remove");
  line->Text("path", std::string_view(action.path));
  line->Integer("deletionTimestamp", action.deletion_timestamp_ms);
  line->Bool("dataChange", action.data_change);
  if (action.extended_file_metadata) {
    line->Bool("extendedFileMetadata", true);
    line->Partition(action.partition_values);
    line->Integer("size", action.size_bytes);
  }
  line->Text("stats", action.stats);
  line->MapUnlessEmpty("tags", action.tags);
  line->DeletionVector(action.deletion_vector);
  line->Integer("baseRowId", action.base_row_id);
  line->Integer("defaultRowCommitVersion", action.default_row_commit_version);
}

void AppendAction(std::string& out, const CdcFile& action) {
  LineWriter line(out, "cdc");
  line->Text("path", std::string_view(action.path));
  line->Partition(action.partition_values);
  line->Integer("size", action.size_bytes);
  line->Bool("dataChange", false);
  line->MapUnlessEmpty("tags", action.tags);
}

void AppendAction(std::string& out, const Txn& action) {
  LineWriter line(out, "txn");
  line->Text("appId", std::string_view(action.app_id));
  line->Integer("version", action.version);
  line->Integer("lastUpdated", action.last_updated_ms);
}

void AppendAction(std::string& out, const DomainMetadata& action) {
  LineWriter line(out, "domainMetadata");
  line->Text("domain", std::string_view(action.domain));
  line->Text("configuration", std::string_view(action.configuration));
  line->Bool("removed", action.removed);
}

void AppendAction(std::string& out, const CommitInfo& action) {
  LineWriter line(out, "commitInfo");
  line->Integer("inCommitTimestamp", action.in_commit_timestamp_ms);
  line->Integer("timestamp", action.timestamp_ms);
  line->TextUnlessEmpty("userName", action.user_name);
  line->Text("operation", std::string_view(action.operation));
  line->Map("operationParameters", action.operation_parameters);
  line->Integer("readVersion", action.read_version);
  line->TextUnlessEmpty("isolationLevel", action.isolation_level);
  if (action.is_blind_append) line->Bool("isBlindAppend", *action.is_blind_append);
  line->MapUnlessEmpty("operationMetrics", action.operation_metrics);
  line->TextUnlessEmpty("engineInfo", action.engine_info);
  line->TextUnlessEmpty("txnId", action.txn_id);
  line->TextUnlessEmpty("tarnCommitId", action.tarn_commit_id);
  line->TextUnlessEmpty("tarnWriter", action.tarn_writer);
  if (!action.tarn_lineage.empty()) {
    line->Text("tarnLineage", std::string_view(Base64Encode(action.tarn_lineage)));
  }
  for (const auto& [name, json] : action.extra) {
    line->Key(name);
    out += json;
  }
}

}  // namespace tarn::delta
