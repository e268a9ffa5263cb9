#include "tarn/ingest/schema_plan.h"

#include <algorithm>
#include <utility>

#include "tarn/base/text.h"
#include "tarn/model/evolution.h"

namespace tarn {
namespace {

size_t IndexAmong(const std::vector<Field>& fields, const std::string& name) {
  for (size_t i = 0; i < fields.size(); ++i) {
    if (fields[i].name == name) return i;
  }
  for (size_t i = 0; i < fields.size(); ++i) {
    if (AsciiEqualsIgnoreCase(fields[i].name, name)) return i;
  }
  return fields.size();
}

// What is stored or declared, with the members that were seen besides. Where the kinds differ, what
// is stored counts: the decoder will say which value does not fit.
Type MergeTypes(const Type& stored, const Type& seen) {
  if (stored.kind != seen.kind || !stored.IsNested() || stored.kind == TypeKind::kMap)
    return stored;
  Type merged = stored;
  if (stored.kind == TypeKind::kList) {
    merged.fields[0].type = MergeTypes(stored.fields[0].type, seen.fields[0].type);
    return merged;
  }
  for (const Field& member : seen.fields) {
    const size_t known = IndexAmong(merged.fields, member.name);
    if (known == merged.fields.size()) {
      merged.fields.push_back(member);
    } else {
      merged.fields[known].type = MergeTypes(merged.fields[known].type, member.type);
    }
  }
  return merged;
}

// The field at `path` below `fields`, or null.
Field* FieldAt(std::vector<Field>& fields, const ColumnPath& path) {
  std::vector<Field>* level = &fields;
  Field* field = nullptr;
  for (const std::string& name : path) {
    const size_t index = IndexAmong(*level, name);
    if (index == level->size()) return nullptr;
    field = &(*level)[index];
    level = &field->type.fields;
  }
  return field;
}

// Text formats cannot fill these: the column is left to be NULL.
bool CanBeDecoded(const Type& type) {
  if (type.kind == TypeKind::kVariant || type.kind == TypeKind::kVoid) return false;
  if (type.kind == TypeKind::kMap && type.fields[0].type.kind != TypeKind::kString) return false;
  return std::all_of(type.fields.begin(), type.fields.end(),
                     [](const Field& field) { return CanBeDecoded(field.type); });
}

void ForgetFormat(std::vector<Field>& fields) {
  for (Field& field : fields) {
    field.id = 0;
    field.source_name.clear();
    field.annotations.clear();
    field.initial_default.reset();
    field.write_default_sql.reset();
    ForgetFormat(field.type.fields);
  }
}

// The source's columns, with what is known about them.
struct Columns {
  std::vector<Field> fields;
  std::vector<bool> inferred;

  // Declared or stored: in its place if the source has it, else behind.
  void Know(const Field& field) {
    const size_t index = IndexAmong(fields, field.name);
    if (index == fields.size()) {
      fields.push_back(field);
      inferred.push_back(false);
      return;
    }
    Field known = field;
    known.type = MergeTypes(field.type, fields[index].type);
    fields[index] = std::move(known);
    inferred[index] = false;
  }

  // Spellings of one name that were kept apart become the first of them: rows that have both are
  // then told by the decoder.
  void FoldVariants() {
    for (size_t i = 0; i < fields.size(); ++i) {
      for (size_t k = fields.size() - 1; k > i; --k) {
        if (!AsciiEqualsIgnoreCase(fields[k].name, fields[i].name)) continue;
        fields.erase(fields.begin() + static_cast<std::ptrdiff_t>(k));
        inferred.erase(inferred.begin() + static_cast<std::ptrdiff_t>(k));
      }
    }
  }
};

class Planner {
 public:
  Planner(Runtime& runtime, const Registry<TransformMaker>& makers, const Pipeline& pipeline,
          const SourceSchema& source, const Snapshot& snapshot, const std::string& table_format)
      : runtime_(runtime),
        makers_(makers),
        pipeline_(pipeline),
        source_(source),
        snapshot_(snapshot),
        table_format_(table_format) {}

  Result<SchemaPlan> Plan() {
    TARN_RETURN_IF_ERROR(PlanSource());
    TARN_RETURN_IF_ERROR(snapshot_.exists() ? PlanChanges() : PlanCreation());
    for (const std::string& column : source_.without_values) {
      if (!source_.complete) break;
      plan_.warnings.push_back("column " + column +
                               " has no value yet: it is added when the first one comes");
    }
    return std::move(plan_);
  }

 private:
  Status PlanSource() {
    Columns columns{source_.schema.fields, std::vector<bool>(source_.schema.fields.size(), true)};
    if (pipeline_.transforms.empty()) columns.FoldVariants();
    if (IsFrozen(pipeline_, snapshot_))
      columns = {};  // what is new is told by the decoder, with its line
    if (pipeline_.schema) {
      for (const Field& field : pipeline_.schema->fields) columns.Know(field);
    }
    if (pipeline_.transforms.empty()) {
      for (const Field& field : snapshot_.metadata.schema.fields) {
        const bool declared = pipeline_.schema && pipeline_.schema->IndexOf(field.name).has_value();
        if (!declared && CanBeDecoded(field.type)) columns.Know(field);
      }
    } else {
      TARN_RETURN_IF_ERROR(LearnFromTable(columns));
    }
    for (const std::string& path : source_.without_values) {
      if (IsFrozen(pipeline_, snapshot_)) break;
      plan_.decode.ignored.insert(path);
      // Top level only: a struct's member without values is passed over.
      const bool nested = path.find('.') != std::string::npos;
      if (nested || IndexAmong(columns.fields, path) != columns.fields.size()) continue;
      Field field;
      field.name = path;
      columns.fields.push_back(std::move(field));
      columns.inferred.push_back(true);
      plan_.decode.void_columns.push_back(path);
    }
    ForgetFormat(columns.fields);
    if (columns.fields.empty()) {
      return Invalid("the files hold no column with a value; declare a schema to load them");
    }
    plan_.decode.schema.fields = std::move(columns.fields);
    plan_.decode.inferred = std::move(columns.inferred);
    plan_.decode.final = source_.complete || IsFrozen(pipeline_, snapshot_);
    plan_.decode.contract = snapshot_.exists() ? pipeline_.contract : SchemaContract::kEvolve;
    TARN_ASSIGN_OR_RETURN(plan_.chain, MakeChain(plan_.decode.schema));
    return {};
  }

  Result<TransformChain> MakeChain(Schema schema) const {
    std::erase_if(schema.fields, [this](const Field& field) {
      return std::find(plan_.decode.void_columns.begin(), plan_.decode.void_columns.end(),
                       field.name) != plan_.decode.void_columns.end();
    });
    if (schema.fields.empty()) {
      return Invalid("the files hold no column with a value; declare a schema to load them");
    }
    return TransformChain::Make(runtime_, makers_, schema, pipeline_.transforms);
  }

  // Through the transforms: which source columns reach which of the table's unchanged.
  Status LearnFromTable(Columns& columns) const {
    if (!snapshot_.exists() || columns.fields.empty()) return {};
    Schema schema;
    schema.fields = columns.fields;
    TARN_ASSIGN_OR_RETURN(const TransformChain chain, MakeChain(schema));
    for (const Field& output : chain.output().fields) {
      const std::optional<size_t> stored = snapshot_.metadata.schema.IndexOf(output.name);
      const ColumnPath path = chain.IdentitySource(output.name);
      if (!stored || path.empty()) continue;
      if (pipeline_.schema && pipeline_.schema->IndexOf(path[0])) continue;
      Field* field = FieldAt(columns.fields, path);
      const Field& known = snapshot_.metadata.schema.fields[*stored];
      if (field == nullptr || !CanBeDecoded(known.type)) continue;
      field->type = MergeTypes(known.type, field->type);
      if (path.size() != 1) continue;
      const size_t index = IndexAmong(columns.fields, path[0]);
      columns.inferred[index] = false;
    }
    return {};
  }

  Status PlanCreation() {
    TableMetadata metadata;
    metadata.schema.fields = plan_.chain.output().fields;
    ForgetFormat(metadata.schema.fields);
    metadata.schema = AssignFreshIds(std::move(metadata.schema));
    TARN_RETURN_IF_ERROR(ValidateSchema(metadata.schema));
    TARN_ASSIGN_OR_RETURN(PartitionSpec spec, PartitionsFor(metadata.schema));
    metadata.specs = {std::move(spec)};
    metadata.properties = pipeline_.properties;
    if (!pipeline_.column_mapping.empty()) {
      metadata.properties[table_format_ + ".columnMapping.mode"] = pipeline_.column_mapping;
    }
    plan_.changes.push_back("create table with " + SchemaToDdl(metadata.schema));
    if (!pipeline_.partition_by.empty()) {
      plan_.changes.push_back("partition by " + Join(pipeline_.partition_by, ", "));
    }
    plan_.metadata = std::move(metadata);
    return {};
  }

  Result<PartitionSpec> PartitionsFor(const Schema& schema) const {
    Result<PartitionSpec> spec = IdentitySpec(schema, pipeline_.partition_by);
    if (spec.ok() || spec.error().code != ErrorCode::kNotFound) return spec;
    std::string times;
    for (const Field& field : schema.fields) {
      if (field.type.IsTimestamp()) times += (times.empty() ? "" : " or ") + field.name;
    }
    if (times.empty()) return spec;
    Error error = spec.error();
    error.code = ErrorCode::kInvalid;
    error.message += "; a day can be taken from " + times +
                     " by the transform partition_from: {column: …, into: …}";
    return error;
  }

  Status PlanChanges() {
    const TableMetadata& before = snapshot_.metadata;
    if (!pipeline_.partition_by.empty()) {
      std::vector<std::string> names;
      for (const PartitionField& field : before.default_spec().fields) {
        if (field.transform == TransformKind::kVoid) continue;
        const Field* column = before.schema.FindById(field.source_id);
        names.push_back(column != nullptr ? column->name : field.name);
      }
      const bool same = std::equal(names.begin(), names.end(), pipeline_.partition_by.begin(),
                                   pipeline_.partition_by.end(), AsciiEqualsIgnoreCase);
      if (!same) {
        return Invalid("the table is partitioned by " +
                       (names.empty() ? std::string("nothing") : Join(names, ", ")) + ", not by " +
                       Join(pipeline_.partition_by, ", ") + "; leave the partitioning out");
      }
    }
    Schema incoming;
    incoming.fields = plan_.chain.output().fields;
    // A column that only repeats the table's under NOT NULL asks for no change.
    TARN_ASSIGN_OR_RETURN(const auto changes, ChangesToAccept(before.schema, incoming));
    if (changes.empty()) return {};
    for (const SchemaChange& change : changes) {
      if (const auto* added = std::get_if<AddColumn>(&change)) {
        const std::string path =
            added->parent.empty() ? added->field.name : added->parent + "." + added->field.name;
        plan_.columns_added.push_back(path);
        plan_.changes.push_back("add column " + path + " " + TypeToText(added->field.type));
      } else if (const auto* widened = std::get_if<WidenColumn>(&change)) {
        plan_.changes.push_back("widen column " + widened->path + " to " +
                                TypeToText(widened->type));
      } else if (const auto* optional = std::get_if<MakeOptional>(&change)) {
        plan_.changes.push_back("make column " + optional->path + " optional");
      }
    }
    if (pipeline_.contract == SchemaContract::kFreeze) {
      return Invalid("the contract is freeze, and these rows need to " + Join(plan_.changes, ", "));
    }
    TableMetadata after = before;
    TARN_ASSIGN_OR_RETURN(after.schema, Evolve(before.schema, changes));
    plan_.metadata = std::move(after);
    return {};
  }

  Runtime& runtime_;
  const Registry<TransformMaker>& makers_;
  const Pipeline& pipeline_;
  const SourceSchema& source_;
  const Snapshot& snapshot_;
  const std::string& table_format_;
  SchemaPlan plan_;
};

}  // namespace

Result<SchemaPlan> PlanSchema(Runtime& runtime, const Registry<TransformMaker>& makers,
                              const Pipeline& pipeline, const SourceSchema& source,
                              const Snapshot& snapshot, const std::string& table_format) {
  return Planner(runtime, makers, pipeline, source, snapshot, table_format).Plan();
}

bool IsFrozen(const Pipeline& pipeline, const Snapshot& snapshot) {
  return snapshot.exists() && pipeline.contract == SchemaContract::kFreeze &&
         pipeline.transforms.empty();
}

NameVariants VariantsFor(const Pipeline& pipeline) {
  return pipeline.transforms.empty() ? NameVariants::kMerge : NameVariants::kKeepApart;
}

}  // namespace tarn
