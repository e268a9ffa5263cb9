#include <algorithm>
#include <array>
#include <charconv>
#include <string>
#include <utility>
#include <vector>

#include "tarn/base/text.h"
#include "tarn/lineage/reader_internal.h"

// Functions in the place of tables: lateral views, UNNEST, range(10), read_parquet('…').
namespace tarn::lineage {
namespace {

using sql::tree::As;
using sql::tree::Identifier;

// Functions that read files, beside those whose name ends with kScan: the first argument is the
// path.
constexpr std::string_view kScan = "_scan";
constexpr std::array<std::string_view, 14> kFileFunctions = {
    "read_parquet",      "read_csv",    "read_csv_auto",    "read_json",  "read_json_auto",
    "read_json_objects", "read_ndjson", "read_ndjson_auto", "read_files", "read_text",
    "read_blob",         "read_avro",   "read_xlsx",        "st_read"};

// The columns of functions that have more than one, or one that is not called `col`.
struct Columns {
  std::string_view function;
  std::array<std::string_view, 3> columns;
};
constexpr std::array<Columns, 10> kColumns = {{{"posexplode", {"pos", "col"}},
                                               {"posexplode_outer", {"pos", "col"}},
                                               {"explode", {"col"}},
                                               {"explode_outer", {"col"}},
                                               {"range", {"id"}},
                                               {"generate_series", {"generate_series"}},
                                               {"sequence", {"sequential_number"}},
                                               {"split_to_table", {"seq", "index", "value"}},
                                               {"json_each", {"key", "value"}},
                                               {"json_object_keys", {"json_object_keys"}}}};

const sql::tree::Node* ValueOfArgument(const sql::tree::Node* node) {
  const auto* argument = As<sql::tree::Argument>(node);
  return argument != nullptr ? argument->value : node;
}

// Whether `node` is a call that makes a map: exploded, it gives a key and a value.
bool MakesMap(const sql::tree::Node* node) {
  static constexpr std::array<std::string_view, 6> kMakers = {
      "map", "str_to_map", "map_from_arrays", "map_from_entries", "map_concat", "map_filter"};
  const auto* call = As<sql::tree::Call>(ValueOfArgument(node));
  if (call == nullptr || call->function.empty()) return false;
  const std::string_view name = call->function.parts[call->function.parts.size() - 1].text;
  return std::any_of(kMakers.begin(), kMakers.end(),
                     [&](std::string_view maker) { return AsciiEqualsIgnoreCase(maker, name); });
}

// The whole number that `node` is, or 0.
size_t NumberOf(const sql::tree::Node* node) {
  const auto* literal = As<sql::tree::Literal>(node);
  if (literal == nullptr || literal->tokens.empty()) return 0;
  const std::string_view text = literal->tokens[0];
  size_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() ? number : 0;
}

}  // namespace

void Reader::ReadLateralView(const sql::tree::LateralView& view, Scope& scope) {
  ReadRelation(view.input, scope);
  const NameId alias = session_.names().Fold(view.table_alias);
  Bind(scope, Generated(*view.call, view.columns, kNoName, false, scope), alias);
}

void Reader::ReadFunction(const sql::tree::Function& function, Scope& scope) {
  const NameId alias = session_.names().Fold(function.alias.name);
  for (const auto* call : function.calls) {
    if (const std::optional<const Relation*> file = FileFunction(*call)) {
      Bind(scope, Renamed(*file, function.alias.columns), alias);
      continue;
    }
    const bool ordinality = !function.with.empty();
    const Relation* relation = Generated(*call, function.alias.columns, alias, ordinality, scope);
    if (!function.offset.empty()) {
      // WITH OFFSET AS n: one more column, of the same array.
      const size_t count = relation->columns.size();
      const std::span<RelationColumn> columns = scratch_.NewArray<RelationColumn>(count + 1);
      std::copy(relation->columns.begin(), relation->columns.end(), columns.begin());
      columns[count].name = session_.names().Fold(function.offset);
      columns[count].value = relation->columns.empty() ? Value{} : relation->columns[0].value;
      relation = Made(columns, {});
    }
    const NameId name =
        alias != kNoName || call->function.empty()
            ? alias
            : session_.names().Fold(call->function.parts[call->function.parts.size() - 1]);
    Bind(scope, relation, name);
  }
}

// read_parquet('x.parquet') and the like; nothing for other functions.
std::optional<const Relation*> Reader::FileFunction(const sql::tree::Call& call) {
  if (call.function.empty() || call.arguments.empty()) return std::nullopt;
  const std::string_view name =
      Text(session_.names().Fold(call.function.parts[call.function.parts.size() - 1]));
  const bool changes = name == "table_changes";
  if (!changes && !name.ends_with(kScan) &&
      std::find(kFileFunctions.begin(), kFileFunctions.end(), name) == kFileFunctions.end()) {
    return std::nullopt;
  }
  const Node* const first = ValueOfArgument(call.arguments[0]);
  if (changes) {
    return TableByName(session_.TableName(session_.Text(first)), call.span);
  }
  const auto* several = As<sql::tree::Array>(first);
  if (several == nullptr) {
    const uint32_t dataset = PathDataset("path:", session_.Text(first), DatasetKind::kPath);
    AddInput(dataset);
    return UnknownRelation(dataset);
  }
  const Relation* relation = empty_;
  for (const Expression* element : several->elements) {
    const uint32_t dataset = PathDataset("path:", session_.Text(element), DatasetKind::kPath);
    AddInput(dataset);
    if (relation == empty_) relation = UnknownRelation(dataset);
  }
  return relation;
}

// The rows of `call`: `names` are its columns if they were said, else its own, else `alias`.
const Relation* Reader::Generated(const sql::tree::Call& call, List<Identifier> names, NameId alias,
                                  bool ordinality, Scope& scope) {
  const WhereGuard guard(*this);
  where_ = Where(call.span);
  const size_t count = call.arguments.size();
  std::vector<Value> values;
  values.reserve(count);
  const size_t all_mark = Mark();
  for (const Node* argument : call.arguments) {
    const size_t mark = Mark();
    TraceArgument(argument, {EdgeKind::kTransformation}, scope);
    values.push_back({.origins = Take(mark)});
  }
  for (const Value& value : values) Push(value, {EdgeKind::kTransformation});
  const Value all{.origins = Take(all_mark)};
  const NameId function =
      call.function.empty()
          ? kNoName
          : session_.names().Fold(call.function.parts[call.function.parts.size() - 1]);
  const std::string_view name = Text(function);

  std::vector<NameId> columns;
  bool open = false;
  if (!names.empty()) {
    columns.reserve(names.size());
    for (const Identifier& said : names) columns.push_back(session_.names().Fold(said));
  } else if (const auto* listed = std::find_if(kColumns.begin(), kColumns.end(),
                                               [&](const auto& of) { return of.function == name; });
             listed != kColumns.end()) {
    for (const std::string_view column : listed->columns) {
      if (!column.empty()) columns.push_back(session_.names().Intern(column));
    }
    if (columns.back() == session_.names().Intern("col") && count > 0 &&
        MakesMap(call.arguments[0])) {
      columns.back() = session_.names().Intern("key");
      columns.push_back(session_.names().Intern("value"));
    }
    if (alias != kNoName && columns.size() == 1) columns[0] = alias;
  } else if (name == "json_tuple" || name == "parse_url_tuple") {
    for (size_t index = 0; index + 1 < count; ++index) {
      columns.push_back(session_.names().Intern("c" + std::to_string(index)));
    }
  } else if (name == "stack") {
    const size_t rows = count == 0 ? 0 : NumberOf(ValueOfArgument(call.arguments[0]));
    for (size_t index = 0; rows > 0 && index < (count - 1 + rows - 1) / rows; ++index) {
      columns.push_back(session_.names().Intern("col" + std::to_string(index)));
    }
    open = rows == 0;
  } else if (name == "unnest") {
    columns.push_back(alias != kNoName ? alias : function);
    open = true;  // rows give a column per field
  } else {
    open = true;
  }

  const size_t width = columns.size();
  const std::span<RelationColumn> made = scratch_.NewArray<RelationColumn>(width + (open ? 1 : 0));
  const bool by_position = name == "unnest" && count > 1 && width == count + (ordinality ? 1 : 0);
  const bool stacked = name == "stack" && width > 0 &&
                       NumberOf(count > 0 ? ValueOfArgument(call.arguments[0]) : nullptr) > 0;
  for (size_t index = 0; index < width; ++index) {
    made[index].name = columns[index];
    made[index].value = all;
    if (by_position && index < count) {
      made[index].value = values[index];
    } else if (stacked) {
      const size_t mark = Mark();
      for (size_t at = 1 + index; at < count; at += width) {
        Push(values[at], {EdgeKind::kTransformation});
      }
      made[index].value.origins = Take(mark);
    }
  }
  if (open) made[width] = RelationColumn{.star = true, .value = all};
  return Made(made, {});
}

}  // namespace tarn::lineage
