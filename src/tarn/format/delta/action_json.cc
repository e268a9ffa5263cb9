#include "tarn/format/delta/action_json.h"

#include <cstdint>
#include <string>
#include <utility>

#include <nlohmann/json.hpp>

#include "tarn/base/text.h"
#include "tarn/datafile/json_cursor.h"
#include "tarn/datafile/json_index.h"

namespace tarn::delta {
namespace {

// In the order of the text: the members of partitionValues keep the writer's.
using Json = nlohmann::ordered_json;

std::optional<int64_t> AsInt(const Json& value) {
  if (value.is_number_unsigned()) {
    const auto number = value.get<uint64_t>();
    if (number > static_cast<uint64_t>(INT64_MAX)) return std::nullopt;
    return static_cast<int64_t>(number);
  }
  if (value.is_number_integer()) return value.get<int64_t>();
  return std::nullopt;
}

// A string as it is, any other value as JSON.
std::string AsText(const Json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

// Members of one action by name. The first failure is kept, so that an action reads as a list of
// its members.
class Members {
 public:
  Members(std::string_view action, const Json& json) : action_(action), json_(json) {}

  // Null when absent or null.
  const Json* Find(std::string_view name) const {
    const auto found = json_.find(name);
    return found == json_.end() || found->is_null() ? nullptr : &*found;
  }

  std::string Text(std::string_view name) { return OptionalText(name).value_or(std::string()); }
  std::string RequiredText(std::string_view name) {
    auto text = OptionalText(name);
    if (!text) Fail(name, "is missing");
    return std::move(text).value_or(std::string());
  }
  std::optional<std::string> OptionalText(std::string_view name) {
    const Json* value = Find(name);
    if (value == nullptr) return std::nullopt;
    if (!value->is_string()) {
      Fail(name, "is no string");
      return std::nullopt;
    }
    return value->get<std::string>();
  }

  std::optional<int64_t> OptionalInt(std::string_view name) {
    const Json* value = Find(name);
    if (value == nullptr) return std::nullopt;
    if (const std::optional<int64_t> number = AsInt(*value)) return number;
    // Some writers print whole numbers as 1.0.
    const double floating = value->is_number_float() ? value->get<double>() : 0.5;
    if (floating > -9.2e18 && floating < 9.2e18 &&
        static_cast<double>(static_cast<int64_t>(floating)) == floating) {
      return static_cast<int64_t>(floating);
    }
    Fail(name, "is no 64-bit integer");
    return std::nullopt;
  }
  int64_t RequiredInt(std::string_view name) {
    const auto number = OptionalInt(name);
    if (!number) Fail(name, "is missing");
    return number.value_or(0);
  }
  int32_t RequiredInt32(std::string_view name) {
    const int64_t number = RequiredInt(name);
    if (number < INT32_MIN || number > INT32_MAX) Fail(name, "is no 32-bit integer");
    return static_cast<int32_t>(number);
  }

  bool Bool(std::string_view name, bool fallback) {
    const Json* value = Find(name);
    if (value == nullptr) return fallback;
    if (value->is_boolean()) return value->get<bool>();
    Fail(name, "is no boolean");
    return fallback;
  }

  std::vector<std::string> Texts(std::string_view name) {
    std::vector<std::string> texts;
    const Json* value = Find(name);
    if (value == nullptr) return texts;
    if (!value->is_array()) {
      Fail(name, "is no array");
      return texts;
    }
    texts.reserve(value->size());
    for (const Json& item : *value) {
      if (!item.is_string()) {
        Fail(name, "holds something that is no string");
        return texts;
      }
      texts.push_back(item.get<std::string>());
    }
    return texts;
  }

  PartitionTexts NullableTexts(std::string_view name) {
    PartitionTexts texts;
    const Json* value = Object(name);
    if (value == nullptr) return texts;
    texts.reserve(value->size());
    for (const auto& [key, item] : value->items()) {
      texts.emplace_back(key, item.is_null() ? std::nullopt : std::optional(AsText(item)));
    }
    return texts;
  }

  // Strings as they are, other values as JSON; null values are left out.
  std::map<std::string, std::string> TextMap(std::string_view name) {
    std::map<std::string, std::string> map;
    for (auto& [key, text] : NullableTexts(name)) {
      if (text) map[key] = *std::move(text);
    }
    return map;
  }

  const Json* Object(std::string_view name) {
    const Json* value = Find(name);
    if (value == nullptr || value->is_object()) return value;
    Fail(name, "is no object");
    return nullptr;
  }

  void Fail(std::string_view name, std::string_view what) {
    if (!failure_.ok()) return;
    failure_ =
        Corrupt("'" + std::string(action_) + "." + std::string(name) + "' " + std::string(what));
  }
  const Status& failure() const { return failure_; }

 private:
  const std::string_view action_;
  const Json& json_;
  Status failure_;
};

std::optional<DeletionVectorDescriptor> DeletionVectorOf(Members& owner) {
  const Json* json = owner.Object("deletionVector");
  if (json == nullptr) return std::nullopt;
  Members members("deletionVector", *json);
  DeletionVectorDescriptor vector;
  const std::string storage = members.RequiredText("storageType");
  if (storage.size() != 1) members.Fail("storageType", "is not one character");
  vector.storage_type = storage.empty() ? '?' : storage[0];
  vector.path_or_inline = members.RequiredText("pathOrInlineDv");
  if (const auto offset = members.OptionalInt("offset")) {
    if (*offset < 0 || *offset > INT32_MAX) members.Fail("offset", "is out of range");
    vector.offset = static_cast<int32_t>(*offset);
  }
  vector.size_bytes = members.RequiredInt32("sizeInBytes");
  vector.cardinality = members.RequiredInt("cardinality");
  if (!members.failure().ok()) owner.Fail("deletionVector", members.failure().error().message);
  return vector;
}

Action ReadProtocol(Members& members) {
  Protocol protocol;
  protocol.min_reader_version = members.RequiredInt32("minReaderVersion");
  protocol.min_writer_version = members.RequiredInt32("minWriterVersion");
  protocol.reader_features = members.Texts("readerFeatures");
  protocol.writer_features = members.Texts("writerFeatures");
  return protocol;
}

Action ReadMetadata(Members& members) {
  MetadataAction metadata;
  metadata.id = members.RequiredText("id");
  metadata.name = members.Text("name");
  metadata.description = members.Text("description");
  if (const Json* format = members.Object("format")) {
    Members inner("metaData.format", *format);
    metadata.format_provider = inner.OptionalText("provider").value_or("parquet");
    metadata.format_options = inner.TextMap("options");
  }
  metadata.schema_string = members.Text("schemaString");
  metadata.partition_columns = members.Texts("partitionColumns");
  metadata.configuration = members.TextMap("configuration");
  metadata.created_time_ms = members.OptionalInt("createdTime");
  return metadata;
}

Action ReadAdd(Members& members) {
  AddFile add;
  add.path = members.RequiredText("path");
  add.partition_values = members.NullableTexts("partitionValues");
  add.size_bytes = members.RequiredInt("size");
  add.modified_ms = members.OptionalInt("modificationTime").value_or(0);
  add.data_change = members.Bool("dataChange", true);
  add.stats = members.OptionalText("stats");
  add.tags = members.TextMap("tags");
  add.deletion_vector = DeletionVectorOf(members);
  add.base_row_id = members.OptionalInt("baseRowId");
  add.default_row_commit_version = members.OptionalInt("defaultRowCommitVersion");
  add.clustering_provider = members.OptionalText("clusteringProvider");
  return add;
}

Action ReadRemove(Members& members) {
  RemoveFile remove;
  remove.path = members.RequiredText("path");
  remove.deletion_timestamp_ms = members.OptionalInt("deletionTimestamp");
  remove.data_change = members.Bool("dataChange", true);
  remove.extended_file_metadata = members.Bool("extendedFileMetadata", false);
  remove.partition_values = members.NullableTexts("partitionValues");
  remove.size_bytes = members.OptionalInt("size");
  remove.stats = members.OptionalText("stats");
  remove.tags = members.TextMap("tags");
  remove.deletion_vector = DeletionVectorOf(members);
  remove.base_row_id = members.OptionalInt("baseRowId");
  remove.default_row_commit_version = members.OptionalInt("defaultRowCommitVersion");
  return remove;
}

Action ReadCdc(Members& members) {
  CdcFile cdc;
  cdc.path = members.RequiredText("path");
  cdc.partition_values = members.NullableTexts("partitionValues");
  cdc.size_bytes = members.OptionalInt("size").value_or(0);
  cdc.tags = members.TextMap("tags");
  return cdc;
}

Action ReadTxn(Members& members) {
  Txn txn;
  txn.app_id = members.RequiredText("appId");
  txn.version = members.RequiredInt("version");
  txn.last_updated_ms = members.OptionalInt("lastUpdated");
  return txn;
}

Action ReadDomain(Members& members) {
  DomainMetadata domain;
  domain.domain = members.RequiredText("domain");
  domain.configuration = members.Text("configuration");
  domain.removed = members.Bool("removed", false);
  return domain;
}

// Free-form, so nothing in it can make a commit unreadable: what has not the expected type goes to
// `extra` with the rest.
CommitInfo ReadCommitInfo(const Json& json) {
  CommitInfo info;
  const auto take_text = [](const Json& value, std::string& into) {
    if (value.is_string()) into = value.get<std::string>();
    return value.is_string();
  };
  const auto take_int = [](const Json& value, std::optional<int64_t>& into) {
    const std::optional<int64_t> number = AsInt(value);
    if (number) into = number;
    return number.has_value();
  };
  Members members("commitInfo", json);
  for (const auto& [name, value] : json.items()) {
    if (value.is_null()) continue;
    bool taken = false;
    if (name == "timestamp") {
      taken = take_int(value, info.timestamp_ms);
    } else if (name == "inCommitTimestamp") {
      taken = take_int(value, info.in_commit_timestamp_ms);
    } else if (name == "operation") {
      taken = take_text(value, info.operation);
    } else if (name == "operationParameters" && value.is_object()) {
      info.operation_parameters = members.TextMap(name);
      taken = true;
    } else if (name == "operationMetrics" && value.is_object()) {
      info.operation_metrics = members.TextMap(name);
      taken = true;
    } else if (name == "readVersion") {
      taken = take_int(value, info.read_version);
    } else if (name == "isolationLevel") {
      taken = take_text(value, info.isolation_level);
    } else if (name == "isBlindAppend" && value.is_boolean()) {
      info.is_blind_append = value.get<bool>();
      taken = true;
    } else if (name == "engineInfo") {
      taken = take_text(value, info.engine_info);
    } else if (name == "txnId") {
      taken = take_text(value, info.txn_id);
    } else if (name == "userName") {
      taken = take_text(value, info.user_name);
    } else if (name == "tarnCommitId") {
      taken = take_text(value, info.tarn_commit_id);
    } else if (name == "tarnWriter") {
      taken = take_text(value, info.tarn_writer);
    } else if (name == "tarnLineage") {
      std::string encoded;
      if (take_text(value, encoded)) {
        if (auto decoded = Base64Decode(encoded)) {
          info.tarn_lineage = *std::move(decoded);
          taken = true;
        }
      }
    }
    if (!taken) info.extra[name] = value.dump();
  }
  return info;
}

Action ReadSidecar(Members& members) {
  Sidecar sidecar;
  sidecar.path = members.RequiredText("path");
  sidecar.size_bytes = members.OptionalInt("sizeInBytes").value_or(0);
  sidecar.modified_ms = members.OptionalInt("modificationTime").value_or(0);
  return sidecar;
}

Action ReadCheckpointMetadata(Members& members) {
  CheckpointMetadata metadata;
  metadata.version = members.RequiredInt("version");
  metadata.tags = members.TextMap("tags");
  return metadata;
}

struct NamedReader {
  std::string_view name;
  Action (*read)(Members&);
};
constexpr NamedReader kReaders[] = {
    {"add", ReadAdd},
    {"remove", ReadRemove},
    {"metaData", ReadMetadata},
    {"protocol", ReadProtocol},
    {"txn", ReadTxn},
    {"cdc", ReadCdc},
    {"domainMetadata", ReadDomain},
    {"sidecar", ReadSidecar},
    {"checkpointMetadata", ReadCheckpointMetadata},
};

// Why a text is no JSON: the slow reader only says that it is none.
std::string WhyNoJson(std::string_view line) {
  std::string padded(line);
  padded.append(JsonIndex::kPadding, '\0');
  const std::string_view text = std::string_view(padded).substr(0, line.size());
  JsonIndex index;
  if (const char* why = index.Build(text)) return why;
  JsonCursor cursor;
  cursor.AttachLine(text, index);
  return cursor.Skip() ? "more than one value" : cursor.problem();
}

}  // namespace

Result<std::optional<Action>> ReadAction(std::string_view line) {
  const Json json = Json::parse(line, nullptr, false);
  if (json.is_discarded()) return Corrupt("no JSON: " + WhyNoJson(line));
  if (!json.is_object()) return Corrupt("an action is no JSON object");
  for (const auto& [name, value] : json.items()) {
    if (value.is_null()) continue;
    if (name == "commitInfo") {
      if (!value.is_object()) continue;
      return std::optional<Action>(ReadCommitInfo(value));
    }
    for (const NamedReader& reader : kReaders) {
      if (name != reader.name) continue;
      if (!value.is_object()) return Corrupt("'" + name + "' is no object");
      Members members(name, value);
      std::optional<Action> action = reader.read(members);
      TARN_RETURN_IF_ERROR(members.failure());
      return action;
    }
  }
  return std::optional<Action>();
}

std::string_view LeadingAction(std::string_view line) {
  size_t at = 0;
  const auto take = [&](char wanted) {
    while (at < line.size() && line[at] == ' ') ++at;
    if (at >= line.size() || line[at] != wanted) return false;
    ++at;
    return true;
  };
  if (!take('{') || !take('"')) return {};
  const size_t begin = at;
  while (at < line.size() && line[at] >= 'A' && line[at] <= 'z') ++at;
  const std::string_view name = line.substr(begin, at - begin);
  return take('"') && take(':') && take('{') ? name : std::string_view();
}

Status ForEachLine(std::string_view text,
                   const std::function<Status(std::string_view line, int64_t number)>& visit) {
  int64_t number = 0;
  while (!text.empty()) {
    const size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    ++number;
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.find_first_not_of(" \t") == std::string_view::npos) continue;
    TARN_RETURN_IF_ERROR(visit(line, number));
  }
  return {};
}

Status ForEachAction(std::string_view text, const std::function<Status(Action&&)>& visit) {
  return ForEachLine(text, [&](std::string_view line, int64_t number) -> Status {
    auto action = ReadAction(line);
    if (!action.ok()) return action.error().WithContext("line " + std::to_string(number));
    if (!action->has_value()) return {};
    return visit(*std::move(*action));
  });
}

}  // namespace tarn::delta
