#include "tarn/engine/table_diff.h"

#include <algorithm>
#include <map>
#include <utility>

namespace tarn {
namespace {

std::map<std::string, const DataFile*> FilesByPath(const TableFacts& facts) {
  std::map<std::string, const DataFile*> files;
  for (const PartitionFacts& partition : facts.partitions) {
    for (const DataFile& file : partition.files) files[file.path] = &file;
  }
  return files;
}

int64_t DeletedRows(const DataFile& file) {
  int64_t rows = 0;
  for (const DeleteFile& deletes : file.deletes) rows += deletes.row_count;
  return rows;
}

void Add(const DataFile& file, std::vector<DataFile>& files, FileTotals& totals) {
  totals.files += 1;
  totals.bytes += file.size_bytes;
  totals.deleted_rows += DeletedRows(file);
  if (file.record_count < 0 || totals.rows < 0) {
    totals.rows = -1;
  } else {
    totals.rows += file.record_count - DeletedRows(file);
  }
  files.push_back(file);
}

std::string Described(const Schema& schema, const Field& field) {
  return schema.PathOf(field.id) + ": " + TypeToText(field.type) +
         (field.required ? " not null" : "");
}

// What a field is, without its children, who are fields of their own.
std::string OwnType(const Field& field) {
  return field.type.IsNested() ? std::string(field.type.kind == TypeKind::kStruct ? "struct"
                                             : field.type.kind == TypeKind::kList ? "list"
                                                                                  : "map")
                               : TypeToText(field.type);
}

void DiffField(const Schema& from, const Schema& to, const Field& before, const Field& after,
               std::vector<std::string>& lines) {
  const std::string path = to.PathOf(after.id);
  const std::string id = " (id " + std::to_string(after.id) + ")";
  if (before.name != after.name) {
    lines.push_back("renamed column " + from.PathOf(before.id) + " to " + path + id);
  }
  if (OwnType(before) != OwnType(after)) {
    lines.push_back("changed type of " + path + " from " + OwnType(before) + " to " +
                    OwnType(after) + id);
  }
  if (before.required != after.required) {
    lines.push_back((after.required ? "made required: " : "made optional: ") + path + id);
  }
  if (before.doc != after.doc)
    lines.push_back("changed comment of " + path + " to '" + after.doc + "'" + id);
  if (before.write_default_sql != after.write_default_sql) {
    lines.push_back(after.write_default_sql
                        ? "set default of " + path + " to " + *after.write_default_sql + id
                        : "dropped default of " + path + id);
  }
}

std::string OrNone(const std::string& text) { return text.empty() ? "none" : text; }

std::string SpecText(const TableMetadata& metadata) {
  return OrNone(SpecToText(metadata.default_spec(), metadata.schema));
}

std::string OrderText(const TableMetadata& metadata) {
  return OrNone(SortOrderToText(metadata.sort_order, metadata.schema));
}

std::vector<std::string> DiffOthers(const TableMetadata& from, const TableMetadata& to) {
  std::vector<std::string> lines;
  if (SpecText(from) != SpecText(to)) {
    lines.push_back("partitioned by " + SpecText(to) + " (was " + SpecText(from) + ")");
  }
  if (OrderText(from) != OrderText(to)) {
    lines.push_back("rows ordered by " + OrderText(to) + " (was " + OrderText(from) + ")");
  }
  for (const CheckConstraint& constraint : from.constraints) {
    if (std::find(to.constraints.begin(), to.constraints.end(), constraint) ==
        to.constraints.end()) {
      lines.push_back("dropped constraint " + constraint.name + ": " + constraint.sql);
    }
  }
  for (const CheckConstraint& constraint : to.constraints) {
    if (std::find(from.constraints.begin(), from.constraints.end(), constraint) ==
        from.constraints.end()) {
      lines.push_back("added constraint " + constraint.name + ": " + constraint.sql);
    }
  }
  if (from.reader_version != to.reader_version || from.writer_version != to.writer_version) {
    lines.push_back("protocol: reader " + std::to_string(to.reader_version) + ", writer " +
                    std::to_string(to.writer_version) + " (was " +
                    std::to_string(from.reader_version) + ", " +
                    std::to_string(from.writer_version) + ")");
  }
  if (from.description != to.description) lines.push_back("comment is '" + to.description + "'");
  return lines;
}

}  // namespace

std::vector<std::string> DiffSchemas(const Schema& from, const Schema& to) {
  std::vector<std::string> lines;
  ForEachField(from, [&](const Field& before, const std::string&) {
    if (to.FindById(before.id) == nullptr) {
      lines.push_back("dropped column " + Described(from, before) + " (id " +
                      std::to_string(before.id) + ")");
    }
  });
  ForEachField(to, [&](const Field& after, const std::string&) {
    const Field* before = from.FindById(after.id);
    if (before == nullptr) {
      lines.push_back("added column " + Described(to, after) + " (id " + std::to_string(after.id) +
                      ")");
    } else {
      DiffField(from, to, *before, after, lines);
    }
  });
  return lines;
}

TableDiff DiffTables(const TableFacts& from, const TableFacts& to) {
  TableDiff diff;
  diff.from = from.snapshot.version;
  diff.to = to.snapshot.version;
  const TableMetadata& before = from.snapshot.metadata;
  const TableMetadata& after = to.snapshot.metadata;
  diff.schema_changes = DiffSchemas(before.schema, after.schema);
  diff.other_changes = DiffOthers(before, after);
  for (const auto& [key, value] : after.properties) {
    const auto old = before.properties.find(key);
    if (old == before.properties.end()) {
      diff.property_changes.push_back("set " + key + " = '" + value + "'");
    } else if (old->second != value) {
      diff.property_changes.push_back("set " + key + " = '" + value + "' (was '" + old->second +
                                      "')");
    }
  }
  for (const auto& [key, value] : before.properties) {
    if (!after.properties.contains(key)) diff.property_changes.push_back("unset " + key);
  }
  const auto old_files = FilesByPath(from);
  const auto new_files = FilesByPath(to);
  for (const auto& [path, file] : new_files) {
    const auto old = old_files.find(path);
    if (old == old_files.end()) {
      Add(*file, diff.files_added, diff.added);
    } else if (!(old->second->deletes == file->deletes)) {
      diff.files_with_rows_deleted.push_back(*file);
      diff.rows_deleted_in_files += DeletedRows(*file) - DeletedRows(*old->second);
    }
  }
  for (const auto& [path, file] : old_files) {
    if (!new_files.contains(path)) Add(*file, diff.files_removed, diff.removed);
  }
  return diff;
}

}  // namespace tarn
