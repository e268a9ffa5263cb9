#include "tarn/format/iceberg/metadata_writer.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "tarn/format/iceberg/json_internal.h"
#include "tarn/format/iceberg/load.h"
#include "tarn/format/iceberg/schema_json_internal.h"

namespace tarn::iceberg {
namespace {

Json FieldsOf(const PartitionSpec& spec) {
  Json fields = Json::array();
  for (const PartitionField& field : spec.fields) {
    Json json;
    json["name"] = field.name;
    json["transform"] = TransformToText(field);
    json["source-id"] = field.source_id;
    json["field-id"] = field.field_id;
    fields.push_back(std::move(json));
  }
  return fields;
}

Json FieldsOf(const SortOrder& order) {
  Json fields = Json::array();
  for (const SortField& field : order.fields) {
    Json json;
    json["transform"] = TransformToText(TransformOf(field));
    json["source-id"] = field.source_id;
    json["direction"] = field.descending ? "desc" : "asc";
    json["null-order"] = field.nulls_first ? "nulls-first" : "nulls-last";
    fields.push_back(std::move(json));
  }
  return fields;
}

int64_t IntegerIn(const Json& json, const char* key, int64_t otherwise) {
  const Json* member = Member(json, key);
  return member != nullptr && member->is_number_integer() ? member->get<int64_t>() : otherwise;
}

Json& ArrayIn(Json& json, const char* key) {
  Json& array = json[key];
  if (!array.is_array()) array = Json::array();
  return array;
}

Json& ObjectIn(Json& json, const char* key) {
  Json& object = json[key];
  if (!object.is_object()) object = Json::object();
  return object;
}

// Without ids of its own and what only a document says ("identifier-field-ids").
bool SameSchema(const Json& a, const Json& b) { return a["fields"] == b["fields"]; }

bool IsOurs(const std::string& property) {
  return property.starts_with(kPositionPrefix) || property == kCommitIdProperty;
}

}  // namespace

struct MetadataDocument::Parts {
  Json json;
  // The snapshots, which are most of a document: as long as none goes they stay the text that they
  // are (what is between the brackets), beside what the document before had read of it. `json` has
  // an empty array in their place.
  struct KeptSnapshots {
    std::string text;
    SnapshotList read;
  };
  std::optional<KeptSnapshots> kept;

  int32_t version() const { return static_cast<int32_t>(IntegerIn(json, "format-version", 2)); }

  Result<Metadata> Read() const { return MetadataFromDocument(json, kept ? &kept->read : nullptr); }

  // Takes the snapshots up into `json`, where each can be reached.
  Status Unfold() {
    if (!kept) return OkStatus();
    TARN_ASSIGN_OR_RETURN(json["snapshots"], ParseJson("[" + kept->text + "]", "snapshots"));
    kept.reset();
    return OkStatus();
  }

  // "Sorting": order 0 is that of unsorted rows; one that has been keeps its id.
  void SetSortOrder(const SortOrder& order) {
    Json& orders = ArrayIn(json, "sort-orders");
    const Json fields = FieldsOf(order);
    int64_t id = order.IsUnsorted() ? 0 : -1;
    int64_t last_id = 0;
    bool unsorted = false;
    for (const Json& known : orders) {
      const int64_t its_id = IntegerIn(known, "order-id", 0);
      last_id = std::max(last_id, its_id);
      unsorted = unsorted || its_id == 0;
      if (id < 0 && known.value("fields", Json::array()) == fields) id = its_id;
    }
    const auto add = [&](int64_t order_id, Json of) {
      Json one;
      one["order-id"] = order_id;
      one["fields"] = std::move(of);
      orders.push_back(std::move(one));
    };
    if (!unsorted) add(0, Json::array());
    if (id < 0) add(id = last_id + 1, fields);
    json["default-sort-order-id"] = id;
  }

  void SetHead(const std::string& branch, int64_t snapshot_id, int64_t ms) {
    Json& ref = ObjectIn(ObjectIn(json, "refs"), branch.c_str());
    ref["snapshot-id"] = snapshot_id;
    ref["type"] = "branch";
    if (branch != kMainBranch) return;
    json["current-snapshot-id"] = snapshot_id;
    Json log;
    log["timestamp-ms"] = ms;
    log["snapshot-id"] = snapshot_id;
    ArrayIn(json, "snapshot-log").push_back(std::move(log));
  }
};

Result<MetadataDocument> MetadataDocument::Create(const TableMetadata& model,
                                                  std::string location) {
  MetadataDocument document;
  document.parts_ = std::make_shared<Parts>();
  Json& json = document.parts_->json;
  json["format-version"] = model.writer_version;
  json["table-uuid"] = model.table_id;
  json["location"] = std::move(location);
  if (model.writer_version > 1) json["last-sequence-number"] = 0;
  json["last-updated-ms"] = 0;
  json["last-column-id"] = 0;
  json["schemas"] = Json::array();
  json["current-schema-id"] = 0;
  json["partition-specs"] = Json::array();
  json["default-spec-id"] = 0;
  json["last-partition-id"] = 999;
  json["properties"] = Json::object();
  // Readers of versions 1 and 2 know -1 as none, those of version 3 null.
  json["current-snapshot-id"] = model.writer_version < 3 ? Json(-1) : Json(nullptr);
  if (model.writer_version >= 3) json["next-row-id"] = 0;
  json["refs"] = Json::object();
  for (const char* list :
       {"snapshots", "statistics", "partition-statistics", "snapshot-log", "metadata-log"}) {
    json[list] = Json::array();
  }
  TARN_RETURN_IF_ERROR(document.SetModel(model));
  return document;
}

Result<MetadataDocument> MetadataDocument::After(const Metadata& before,
                                                 const std::string& file_location,
                                                 int64_t previous_versions_max) {
  MetadataDocument document;
  document.parts_ = std::make_shared<Parts>();
  Json& json = document.parts_->json;
  const std::string_view text = before.text;
  const std::optional<JsonSpan> snapshots = FindMember(text, "snapshots");
  if (snapshots && text[snapshots->begin] == '[') {
    TARN_ASSIGN_OR_RETURN(json, ParseJson(std::string(text.substr(0, snapshots->begin)) + "[]" +
                                              std::string(text.substr(snapshots->end)),
                                          "metadata"));
    document.parts_->kept = {
        std::string(text.substr(snapshots->begin + 1, snapshots->end - snapshots->begin - 2)),
        before.snapshots};
  } else {
    TARN_ASSIGN_OR_RETURN(json, ParseJson(text, "metadata"));
  }
  Json& log = ArrayIn(json, "metadata-log");
  Json entry;
  entry["timestamp-ms"] = before.last_updated_ms;
  entry["metadata-file"] = file_location;
  log.push_back(std::move(entry));
  while (static_cast<int64_t>(log.size()) > previous_versions_max) log.erase(log.begin());
  return document;
}

Status MetadataDocument::SetModel(const TableMetadata& model) {
  Json& json = parts_->json;
  SortOrder order_before;
  if (!ArrayIn(json, "schemas").empty() || json.contains("schema")) {
    TARN_ASSIGN_OR_RETURN(const Metadata before, parts_->Read());
    order_before = SortOrderOf(before);
  }
  const int32_t version = std::max(model.writer_version, parts_->version());
  if (version > parts_->version()) {
    json["format-version"] = version;
    if (!json.contains("last-sequence-number")) json["last-sequence-number"] = 0;
    if (version >= 3 && !json.contains("next-row-id")) json["next-row-id"] = 0;
  }

  TARN_ASSIGN_OR_RETURN(Json schema, SchemaToJson(model.schema, version));
  Json& schemas = ArrayIn(json, "schemas");
  if (schemas.empty() && json.contains("schema")) schemas.push_back(json["schema"]);
  int64_t schema_id = -1;
  int64_t next_id = 0;
  for (Json& known : schemas) {
    if (!known.contains("schema-id")) known["schema-id"] = 0;
    next_id = std::max(next_id, IntegerIn(known, "schema-id", 0) + 1);
    if (SameSchema(known, schema)) schema_id = IntegerIn(known, "schema-id", 0);
  }
  if (schema_id < 0) {
    // The schema as it stands says more than the model has fields for: defaults of nested columns,
    // identifier fields. Equal models mean that nothing of it has changed.
    TARN_ASSIGN_OR_RETURN(const bool unchanged, IsCurrentSchema(model.schema));
    if (unchanged) schema_id = IntegerIn(json, "current-schema-id", 0);
  }
  if (schema_id < 0) {
    schema_id = next_id;
    schema["schema-id"] = schema_id;
    schemas.push_back(schema);
  }
  json["current-schema-id"] = schema_id;
  json["last-column-id"] =
      std::max<int64_t>(IntegerIn(json, "last-column-id", 0), model.schema.last_column_id);

  Json specs = Json::array();
  int64_t last_field = IntegerIn(json, "last-partition-id", 999);
  for (const PartitionSpec& spec : model.specs) {
    Json one;
    one["spec-id"] = spec.id;
    one["fields"] = FieldsOf(spec);
    for (const PartitionField& field : spec.fields) {
      last_field = std::max<int64_t>(last_field, field.field_id);
    }
    specs.push_back(std::move(one));
  }
  json["partition-specs"] = std::move(specs);
  json["default-spec-id"] = model.default_spec_id;
  json["last-partition-id"] = last_field;
  if (version == 1) {
    for (const Json& known : schemas) {
      if (IntegerIn(known, "schema-id", 0) == schema_id) json["schema"] = known;
    }
    json["partition-spec"] = FieldsOf(model.default_spec());
  } else {
    json.erase("schema");
    json.erase("partition-spec");
  }
  // An order that cannot be told is none in the model: it stays until another is asked for.
  if (!json.contains("sort-orders") || model.sort_order.fields != order_before.fields) {
    parts_->SetSortOrder(model.sort_order);
  }

  Json properties = Json::object();
  for (const auto& [name, value] : ObjectIn(json, "properties").items()) {
    if (IsOurs(name)) properties[name] = value;
  }
  for (const auto& [name, value] : model.properties) properties[name] = value;
  if (!model.description.empty()) properties["comment"] = model.description;
  for (const CheckConstraint& constraint : model.constraints) {
    properties[std::string(kConstraintPrefix) + constraint.name] = constraint.sql;
  }
  json["properties"] = std::move(properties);
  return OkStatus();
}

Result<bool> MetadataDocument::IsCurrentSchema(const Schema& schema) const {
  const Json& json = parts_->json;
  const Json* schemas = Member(json, "schemas");
  if (schemas == nullptr) return false;
  for (const Json& known : *schemas) {
    if (IntegerIn(known, "schema-id", -1) != IntegerIn(json, "current-schema-id", 0)) continue;
    TARN_ASSIGN_OR_RETURN(const Schema current, SchemaFromJson(known, "the schema"));
    if (current.fields.size() != schema.fields.size()) return false;
    for (size_t i = 0; i < schema.fields.size(); ++i) {
      Field mine = schema.fields[i];
      ClearAliases(mine);
      if (!(mine == current.fields[i])) return false;
    }
    return true;
  }
  return false;
}

void MetadataDocument::ClearAliases(Field& field) {
  field.aliases.clear();
  for (Field& child : field.type.fields) ClearAliases(child);
}

void MetadataDocument::SetProperty(const std::string& name, const std::string& value) {
  ObjectIn(parts_->json, "properties")[name] = value;
}

void MetadataDocument::RemoveProperty(const std::string& name) {
  ObjectIn(parts_->json, "properties").erase(name);
}

Status MetadataDocument::AddSnapshot(const SnapshotEntry& snapshot, int64_t assigned_rows,
                                     const std::string& branch) {
  Json& json = parts_->json;
  Json entry;
  entry["snapshot-id"] = snapshot.id;
  if (snapshot.parent_id) entry["parent-snapshot-id"] = *snapshot.parent_id;
  if (parts_->version() > 1) entry["sequence-number"] = snapshot.sequence_number;
  entry["timestamp-ms"] = snapshot.timestamp_ms;
  entry["summary"] = snapshot.summary;
  entry["manifest-list"] = snapshot.manifest_list;
  if (snapshot.schema_id) entry["schema-id"] = *snapshot.schema_id;
  if (snapshot.first_row_id) {
    entry["first-row-id"] = *snapshot.first_row_id;
    entry["added-rows"] = assigned_rows;
    json["next-row-id"] = *snapshot.first_row_id + assigned_rows;
  }
  if (parts_->kept) {
    TARN_ASSIGN_OR_RETURN(SnapshotEntry read, SnapshotFromJson(entry));
    parts_->kept->read.push_back(std::move(read));
    std::string& text = parts_->kept->text;
    if (text.find_first_not_of(" \t\r\n") != std::string::npos) text += ',';
    text += entry.dump();
  } else {
    ArrayIn(json, "snapshots").push_back(std::move(entry));
  }
  if (parts_->version() > 1) json["last-sequence-number"] = snapshot.sequence_number;
  parts_->SetHead(branch.empty() ? std::string(kMainBranch) : branch, snapshot.id,
                  snapshot.timestamp_ms);
  return OkStatus();
}

Status MetadataDocument::MoveReference(const ReferenceChange& change,
                                       std::optional<int64_t> snapshot_id, int64_t now_ms) {
  Json& json = parts_->json;
  Json& refs = ObjectIn(json, "refs");
  const bool is_main = change.name == kMainBranch;
  const bool there = refs.contains(change.name);
  const std::string what =
      (change.kind == ReferenceChange::Kind::kBranch ? "branch '" : "tag '") + change.name + "'";
  if (there && change.when == ReferenceChange::When::kIfNew) {
    return AlreadyExists("iceberg: " + what + " exists already");
  }
  const bool must_be_there =
      change.when == ReferenceChange::When::kIfThere || (!snapshot_id && !is_main);
  if (!there && must_be_there) return NotFound("iceberg: there is no " + what);
  const std::string type = change.kind == ReferenceChange::Kind::kBranch ? "branch" : "tag";
  if (there && refs[change.name].value("type", "branch") != type) {
    return Invalid("iceberg: '" + change.name + "' is no " + type);
  }
  if (!snapshot_id) {
    if (is_main) return Invalid("iceberg: branch 'main' cannot be dropped");
    refs.erase(change.name);
    return OkStatus();
  }
  TARN_ASSIGN_OR_RETURN(const Metadata now, parts_->Read());
  const bool known = now.SnapshotById(*snapshot_id) != nullptr;
  if (!known) {
    return NotFound("iceberg: snapshot " + SnapshotIdText(*snapshot_id) + " has expired");
  }
  if (is_main) {
    parts_->SetHead(change.name, *snapshot_id, now_ms);
  } else {
    Json& ref = ObjectIn(refs, change.name.c_str());
    ref["snapshot-id"] = *snapshot_id;
    ref["type"] = type;
  }
  Json& ref = refs[change.name];
  const std::pair<const char*, std::optional<int64_t>> kept[] = {
      {"max-ref-age-ms", change.keep_name_ms},
      {"max-snapshot-age-ms", change.keep_versions_ms},
      {"min-snapshots-to-keep", change.keep_versions_min}};
  for (const auto& [key, value] : kept) {
    if (!value) continue;
    if (*value <= 0) return Invalid("iceberg: " + what + ": what is retained must be positive");
    ref[key] = *value;
  }
  return OkStatus();
}

Status MetadataDocument::RemoveSnapshots(const std::vector<std::string>& ids) {
  TARN_RETURN_IF_ERROR(parts_->Unfold());
  Json& json = parts_->json;
  const auto gone = [&](const Json& entry) {
    const Json* id = Member(entry, "snapshot-id");
    return id != nullptr && id->is_number_integer() &&
           std::find(ids.begin(), ids.end(), SnapshotIdText(id->get<int64_t>())) != ids.end();
  };
  for (const auto& [name, ref] : ObjectIn(json, "refs").items()) {
    if (gone(ref)) {
      return Conflict("iceberg: '" + name + "' names a snapshot that was to expire; run it again");
    }
  }
  for (const char* list : {"snapshots", "statistics", "partition-statistics"}) {
    if (!json.contains(list)) continue;
    Json kept = Json::array();
    for (const Json& entry : ArrayIn(json, list)) {
      if (!gone(entry)) kept.push_back(entry);
    }
    json[list] = std::move(kept);
  }
  // "Snapshot log": what stands before a gap could be taken for what was current then.
  Json log = Json::array();
  for (const Json& entry : ArrayIn(json, "snapshot-log")) {
    if (gone(entry)) {
      log = Json::array();
    } else {
      log.push_back(entry);
    }
  }
  json["snapshot-log"] = std::move(log);
  return OkStatus();
}

void MetadataDocument::SetUpdated(int64_t ms) { parts_->json["last-updated-ms"] = ms; }

Result<Metadata> MetadataDocument::Read() const { return parts_->Read(); }

Result<std::string> MetadataDocument::Text() const {
  std::string text = parts_->json.dump();
  if (!parts_->kept) return text;
  const std::optional<JsonSpan> place = FindMember(text, "snapshots");
  if (!place) return Internal("iceberg: metadata: the snapshots have lost their place");
  text.replace(place->begin, place->end - place->begin, "[" + parts_->kept->text + "]");
  return text;
}

}  // namespace tarn::iceberg
