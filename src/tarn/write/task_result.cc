#include "tarn/write/task_result.h"

#include <cstring>
#include <optional>
#include <string>
#include <utility>

#include <nlohmann/json.hpp>

namespace tarn {
namespace {

using Json = nlohmann::json;

// Of the bytes' layout; a member that is new and may be missing does not raise it.
constexpr int64_t kLayout = 1;

Json Binary(const std::string& bytes) { return Json::binary({bytes.begin(), bytes.end()}); }

// A value by what it is: nothing, true or false, a number, bytes; decimals as their 16 bytes in an
// array of one.
Json ValueToJson(const Value& value) {
  if (const auto* truth = std::get_if<bool>(&value)) return *truth;
  if (const auto* number = std::get_if<int64_t>(&value)) return *number;
  if (const auto* real = std::get_if<double>(&value)) return *real;
  if (const auto* text = std::get_if<std::string>(&value)) return Binary(*text);
  if (const auto* decimal = std::get_if<Int128>(&value)) {
    std::string bytes(sizeof(*decimal), '\0');
    std::memcpy(bytes.data(), decimal, sizeof(*decimal));
    return Json::array({Binary(bytes)});
  }
  return nullptr;
}

Json StatisticsToJson(const ColumnStatistics& column) {
  Json json;
  json["id"] = column.field_id;
  const auto count = [&](const char* name, const std::optional<int64_t>& number) {
    if (number) json[name] = *number;
  };
  count("values", column.value_count);
  count("nulls", column.null_count);
  count("nans", column.nan_count);
  count("bytes", column.size_bytes);
  if (column.lower) json["lower"] = ValueToJson(*column.lower);
  if (column.upper) json["upper"] = ValueToJson(*column.upper);
  if (!column.lower_exact) json["lower_exact"] = false;
  if (!column.upper_exact) json["upper_exact"] = false;
  return json;
}

Json DeleteToJson(const DeleteFile& file) {
  Json json;
  json["kind"] = static_cast<int64_t>(file.kind);
  json["location"] = Binary(file.location);
  if (file.offset) json["offset"] = *file.offset;
  json["size_bytes"] = file.size_bytes;
  json["row_count"] = file.row_count;
  json["equality_ids"] = file.equality_ids;
  json["format"] = file.format;
  return json;
}

Json FileToJson(const DataFile& file) {
  Json json;
  json["location"] = Binary(file.location);
  json["path"] = Binary(file.path);
  json["format"] = file.format;
  json["size_bytes"] = file.size_bytes;
  json["record_count"] = file.record_count;
  json["modified_ms"] = file.modified_ms;
  json["spec_id"] = file.spec_id;
  json["sort_order_id"] = file.sort_order_id;
  json["partition"] = Json::array();
  for (const Value& value : file.partition) json["partition"].push_back(ValueToJson(value));
  json["statistics"] = Json::array();
  for (const ColumnStatistics& column : file.statistics) {
    json["statistics"].push_back(StatisticsToJson(column));
  }
  json["tight_bounds"] = file.tight_bounds;
  json["deletes"] = Json::array();
  for (const DeleteFile& one : file.deletes) json["deletes"].push_back(DeleteToJson(one));
  json["first_row_id"] = file.first_row_id;
  json["sequence_number"] = file.sequence_number;
  json["split_offsets"] = file.split_offsets;
  json["tags"] = Json::object();
  for (const auto& [key, value] : file.tags) json["tags"][key] = Binary(value);
  return json;
}

// Reads members and remembers the first that cannot be.
class Reader {
 public:
  explicit Reader(std::string where) : where_(std::move(where)) {}

  const Status& status() const { return status_; }

  int64_t Number(const Json& json, const char* name) {
    const Json* member = Find(json, name);
    if (member == nullptr || !member->is_number_integer()) return Fail(name, "a whole number"), 0;
    return member->get<int64_t>();
  }
  std::optional<int64_t> NumberIfThere(const Json& json, const char* name) {
    if (!json.contains(name)) return std::nullopt;
    return Number(json, name);
  }
  bool Truth(const Json& json, const char* name, std::optional<bool> otherwise) {
    const Json* member = Find(json, name);
    if (member == nullptr && otherwise) return *otherwise;
    if (member == nullptr || !member->is_boolean()) return Fail(name, "true or false"), false;
    return member->get<bool>();
  }
  std::string Text(const Json& json, const char* name) {
    const Json* member = Find(json, name);
    if (member == nullptr || !member->is_string()) return Fail(name, "a text"), std::string();
    return member->get<std::string>();
  }
  std::string BytesOf(const Json& json, const char* name) {
    const Json* member = Find(json, name);
    if (member == nullptr || !member->is_binary()) return Fail(name, "bytes"), std::string();
    return {member->get_binary().begin(), member->get_binary().end()};
  }
  const Json& Array(const Json& json, const char* name) {
    static const Json kNone = Json::array();
    const Json* member = Find(json, name);
    if (member == nullptr || !member->is_array()) return Fail(name, "an array"), kNone;
    return *member;
  }
  const Json& Object(const Json& json, const char* name) {
    static const Json kNone = Json::object();
    const Json* member = Find(json, name);
    if (member == nullptr || !member->is_object()) return Fail(name, "a map"), kNone;
    return *member;
  }
  template <class Number>
  std::vector<Number> Numbers(const Json& json, const char* name) {
    std::vector<Number> numbers;
    for (const Json& one : Array(json, name)) {
      if (!one.is_number_integer()) return Fail(name, "whole numbers"), numbers;
      numbers.push_back(one.get<Number>());
    }
    return numbers;
  }
  Value ValueOf(const Json& json, const char* name) {
    if (json.is_null()) return {};
    if (json.is_boolean()) return json.get<bool>();
    if (json.is_number_integer()) return json.get<int64_t>();
    if (json.is_number_float()) return json.get<double>();
    if (json.is_binary()) return std::string(json.get_binary().begin(), json.get_binary().end());
    if (json.is_array() && json.size() == 1 && json[0].is_binary() &&
        json[0].get_binary().size() == sizeof(Int128)) {
      Int128 decimal = 0;
      std::memcpy(&decimal, json[0].get_binary().data(), sizeof(decimal));
      return decimal;
    }
    Fail(name, "a value");
    return {};
  }
  std::optional<Value> ValueIfThere(const Json& json, const char* name) {
    const Json* member = Find(json, name);
    if (member == nullptr) return std::nullopt;
    return ValueOf(*member, name);
  }

 private:
  static const Json* Find(const Json& json, const char* name) {
    if (!json.is_object()) return nullptr;
    const auto found = json.find(name);
    return found == json.end() ? nullptr : &*found;
  }
  void Fail(const char* name, const char* expected) {
    if (!status_.ok()) return;
    status_ = Corrupt(where_ + ": '" + name + "' is missing or not " + expected);
  }

  const std::string where_;
  Status status_;
};

ColumnStatistics StatisticsOf(const Json& json, Reader& reader) {
  ColumnStatistics column;
  column.field_id = static_cast<int32_t>(reader.Number(json, "id"));
  column.value_count = reader.NumberIfThere(json, "values");
  column.null_count = reader.NumberIfThere(json, "nulls");
  column.nan_count = reader.NumberIfThere(json, "nans");
  column.size_bytes = reader.NumberIfThere(json, "bytes");
  column.lower = reader.ValueIfThere(json, "lower");
  column.upper = reader.ValueIfThere(json, "upper");
  column.lower_exact = reader.Truth(json, "lower_exact", true);
  column.upper_exact = reader.Truth(json, "upper_exact", true);
  return column;
}

DeleteFile DeleteOf(const Json& json, Reader& reader) {
  DeleteFile file;
  file.kind = static_cast<DeleteKind>(reader.Number(json, "kind"));
  file.location = reader.BytesOf(json, "location");
  file.offset = reader.NumberIfThere(json, "offset");
  file.size_bytes = reader.Number(json, "size_bytes");
  file.row_count = reader.Number(json, "row_count");
  file.equality_ids = reader.Numbers<int32_t>(json, "equality_ids");
  file.format = reader.Text(json, "format");
  return file;
}

Result<DataFile> FileOf(const Json& json, size_t place) {
  Reader reader("task result: file " + std::to_string(place + 1));
  DataFile file;
  file.location = reader.BytesOf(json, "location");
  file.path = reader.BytesOf(json, "path");
  file.format = reader.Text(json, "format");
  file.size_bytes = reader.Number(json, "size_bytes");
  file.record_count = reader.Number(json, "record_count");
  file.modified_ms = reader.Number(json, "modified_ms");
  file.spec_id = static_cast<int32_t>(reader.Number(json, "spec_id"));
  file.sort_order_id = static_cast<int32_t>(reader.Number(json, "sort_order_id"));
  for (const Json& value : reader.Array(json, "partition")) {
    file.partition.push_back(reader.ValueOf(value, "partition"));
  }
  for (const Json& column : reader.Array(json, "statistics")) {
    file.statistics.push_back(StatisticsOf(column, reader));
  }
  file.tight_bounds = reader.Truth(json, "tight_bounds", std::nullopt);
  for (const Json& one : reader.Array(json, "deletes")) {
    file.deletes.push_back(DeleteOf(one, reader));
  }
  file.first_row_id = reader.Number(json, "first_row_id");
  file.sequence_number = reader.Number(json, "sequence_number");
  file.split_offsets = reader.Numbers<int64_t>(json, "split_offsets");
  const Json& tags = reader.Object(json, "tags");
  for (const auto& [key, value] : tags.items()) {
    file.tags[key] = reader.BytesOf(tags, key.c_str());
  }
  TARN_RETURN_IF_ERROR(reader.status());
  return file;
}

}  // namespace

Bytes EncodeTaskResult(const TaskResult& result) {
  Json json;
  json["layout"] = kLayout;
  json["files"] = Json::array();
  for (const DataFile& file : result.files) json["files"].push_back(FileToJson(file));
  Bytes bytes;
  Json::to_cbor(json, bytes);
  return bytes;
}

Result<TaskResult> DecodeTaskResult(std::string_view bytes) {
  const Json json = Json::from_cbor(bytes, /*strict=*/true, /*allow_exceptions=*/false);
  if (json.is_discarded()) return Corrupt("task result: these bytes are no CBOR, or cut short");
  Reader reader("task result");
  const int64_t layout = reader.Number(json, "layout");
  TARN_RETURN_IF_ERROR(reader.status());
  if (layout != kLayout) {
    return Unsupported("task result: of layout " + std::to_string(layout) +
                       ", this Tarn reads layout " + std::to_string(kLayout) +
                       "; tasks and driver must be of one version");
  }
  const Json& files = reader.Array(json, "files");
  TARN_RETURN_IF_ERROR(reader.status());
  TaskResult result;
  for (size_t i = 0; i < files.size(); ++i) {
    TARN_ASSIGN_OR_RETURN(result.files.emplace_back(), FileOf(files[i], i));
  }
  return result;
}

}  // namespace tarn
