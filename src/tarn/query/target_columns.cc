#include "tarn/query/target_columns.h"

#include <arrow/type.h>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "tarn/base/text.h"
#include "tarn/query/statement_context_internal.h"
#include "tarn/sql/type_parser.h"

namespace tarn {

namespace {

Result<size_t> ColumnOf(const std::string& table, const Schema& schema, const std::string& name) {
  if (const auto index = schema.IndexOf(name)) return *index;
  std::vector<std::string> names;
  for (const Field& field : schema.fields) names.push_back(field.name);
  return Invalid("INSERT: " + table + " has no column '" + name + "'" + DidYouMean(name, names));
}

std::string NamesOf(const Schema& schema, const std::vector<size_t>& columns) {
  std::vector<std::string> names;
  for (const size_t column : columns) names.push_back(schema.fields[column].name);
  return Join(names, ", ");
}

}  // namespace

std::string SqlTypeOf(const Type& type) { return sql::TypeToDuckDb(type); }

Result<std::string> SelectForInsert(DuckSession& session, const std::string& table,
                                    const Schema& schema, const sql::Insert& insert,
                                    const std::string& query) {
  std::map<size_t, std::string> sources;
  std::vector<size_t> dynamic;
  for (const auto& part : insert.partitions) {
    TARN_ASSIGN_OR_RETURN(const size_t column, ColumnOf(table, schema, part.column));
    if (!part.value) {
      dynamic.push_back(column);
      continue;
    }
    TARN_ASSIGN_OR_RETURN(sources[column], InDuckWords(*part.value));
  }

  // The query's own columns, without running it.
  TARN_ASSIGN_OR_RETURN(auto rows, session.Query("SELECT * FROM (" + query + "\n) LIMIT 0"));
  const std::shared_ptr<arrow::Schema> given = rows->schema();
  rows.reset();

  if (insert.by_name) {
    for (const auto& field : given->fields()) {
      TARN_ASSIGN_OR_RETURN(const size_t column, ColumnOf(table, schema, field->name()));
      if (sources.contains(column)) {
        return Invalid("INSERT: column '" + field->name() + "' is given twice");
      }
      sources[column] = "q." + QuoteIdentifier(field->name());
    }
  } else {
    std::vector<size_t> wanted;
    if (insert.columns.empty()) {
      for (size_t column = 0; column < schema.fields.size(); ++column) {
        const bool partition = sources.contains(column) ||
                               std::find(dynamic.begin(), dynamic.end(), column) != dynamic.end();
        const bool untyped = schema.fields[column].type.kind == TypeKind::kVoid;
        if (!partition && !untyped) wanted.push_back(column);
      }
      wanted.insert(wanted.end(), dynamic.begin(), dynamic.end());
    } else {
      for (const std::string& name : insert.columns) {
        TARN_ASSIGN_OR_RETURN(const size_t column, ColumnOf(table, schema, name));
        wanted.push_back(column);
      }
      for (const size_t column : dynamic) {
        if (std::find(wanted.begin(), wanted.end(), column) == wanted.end()) {
          wanted.push_back(column);
        }
      }
    }
    if (static_cast<size_t>(given->num_fields()) != wanted.size()) {
      return Invalid(fmt::format("INSERT: {} wants {} column{} ({}), the rows have {}", table,
                                 wanted.size(), wanted.size() == 1 ? "" : "s",
                                 NamesOf(schema, wanted), given->num_fields()));
    }
    for (size_t i = 0; i < wanted.size(); ++i) {
      if (!sources.try_emplace(wanted[i], "#" + std::to_string(i + 1)).second) {
        return Invalid("INSERT: column '" + schema.fields[wanted[i]].name + "' is given twice");
      }
    }
  }

  std::string select;
  for (size_t column = 0; column < schema.fields.size(); ++column) {
    const Field& field = schema.fields[column];
    if (field.type.kind == TypeKind::kVoid) continue;
    const auto source = sources.find(column);
    std::string expression = "NULL";
    if (source != sources.end()) {
      expression = source->second;
    } else if (field.write_default_sql) {
      TARN_ASSIGN_OR_RETURN(expression, InDuckWords(*field.write_default_sql));
    }
    select += (select.empty() ? "SELECT CAST(" : ", CAST(") + expression + " AS " +
              SqlTypeOf(field.type) + ") AS " + QuoteIdentifier(field.name);
  }
  return select + " FROM (" + query + "\n) AS q";
}

}  // namespace tarn
