#include "tarn/lineage/lineage_text.h"

#include <algorithm>
#include <vector>

#include "tarn/lineage/source_text_internal.h"
#include "tarn/sql/places.h"

namespace tarn::lineage {
namespace {

constexpr size_t kExpressionBytesMax = 100;

std::string Shortened(std::string text) {
  if (text.size() <= kExpressionBytesMax) return text;
  size_t end = kExpressionBytesMax;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return text.substr(0, end) + "…";
}

// One ← line: what stands in its three places.
struct Source {
  std::string column;
  std::string kind;
  std::string expression;
};

void AddSources(const std::vector<Source>& sources, std::string& out) {
  size_t column_width = 0;
  size_t kind_width = 0;
  for (const Source& source : sources) {
    column_width = std::max(column_width, source.column.size());
    kind_width = std::max(kind_width, source.kind.size());
  }
  for (const Source& source : sources) {
    out += "    ← " + source.column;
    out.append(column_width - source.column.size() + 2, ' ');
    out += source.kind;
    if (!source.expression.empty()) {
      out.append(kind_width - source.kind.size() + 2, ' ');
      out += source.expression;
    }
    out += '\n';
  }
}

class TreeWriter {
 public:
  explicit TreeWriter(std::string_view sql) : sql_(sql), places_(sql) {}

  void Write(const std::vector<StatementLineage>& statements) {
    for (auto at = statements.begin(); at != statements.end();) {
      const auto next = std::find_if_not(at, statements.end(), IsSilent);
      if (next != at) {
        WriteSilent(*at, *(next - 1), static_cast<size_t>(next - at));
        at = next;
      } else {
        Write(*at++);
      }
    }
  }

  std::string out;

 private:
  // SET, USE, SHOW …: nothing to say but that it is there.
  static bool IsSilent(const StatementLineage& statement) {
    return (statement.operation == Operation::kSession ||
            statement.operation == Operation::kOther) &&
           statement.inputs.empty() && statement.outputs.empty() && statement.ddl.empty() &&
           statement.warnings.empty();
  }

  void WriteSilent(const StatementLineage& first, const StatementLineage& last, size_t count) {
    if (!out.empty()) out += '\n';
    const auto line = [&](const StatementLineage& statement) {
      return std::to_string(places_.Of(statement.span.begin).line);
    };
    if (count == 1) {
      out += "line " + line(first) + ": " + std::string(OperationName(first.operation)) + "\n";
    } else {
      out += "lines " + line(first) + "–" + line(last) + ": " + std::to_string(count) +
             " statements that move no data\n";
    }
  }

  void Write(const StatementLineage& statement) {
    if (!out.empty()) out += '\n';
    out += "line " + std::to_string(places_.Of(statement.span.begin).line) + ": " +
           std::string(OperationName(statement.operation));
    WriteNames(statement, statement.outputs, " → ");
    out += '\n';
    if (!statement.inputs.empty()) {
      out += "  reads";
      WriteNames(statement, statement.inputs, " ");
      out += '\n';
    }
    WriteNotes(statement);
    for (const OutputColumn& output : statement.output_columns) WriteColumn(statement, output);
    for (const DatasetId target : Targets(statement)) WriteEffects(statement, target);
    for (const Warning& warning : statement.warnings) {
      const sql::SourcePlace place = places_.Of(warning.where.begin);
      out += "  warning: line " + std::to_string(place.line) + ", column " +
             std::to_string(place.column) + ": " + warning.message + "\n";
    }
  }

  void WriteNames(const StatementLineage& statement, const std::vector<DatasetId>& ids,
                  std::string_view first) {
    for (const DatasetId id : ids) {
      out += id == ids.front() ? first : ", ";
      out += statement.dataset(id).name;
    }
  }

  void WriteNotes(const StatementLineage& statement) {
    for (const std::string& name : statement.transient) {
      out += "  through " + name + "\n";
    }
    for (const DatasetId id : statement.schema_from) {
      out += "  shaped like " + statement.dataset(id).name + "\n";
    }
    for (const DatasetId id : statement.maintenance) {
      out += "  looks after " + statement.dataset(id).name + "\n";
    }
    for (const DdlEffect& effect : statement.ddl) {
      out += "  " + effect.op;
      if (!effect.object.empty()) out += ' ' + effect.object;
      if (!effect.from.empty()) out += ' ' + effect.from + " → " + effect.to;
      for (const std::string& column : effect.columns) {
        out += column == effect.columns.front() ? ": " + column : ", " + column;
      }
      out += '\n';
    }
    for (const PartitionValue& value : statement.partitions) {
      out += "  partition ";
      if (statement.outputs.size() > 1) out += statement.dataset(value.dataset).name + '.';
      out += value.column + " = " + value.value.value_or("(dynamic)") + "\n";
    }
  }

  // Every dataset that an edge may end in: the outputs, or the rows of a query.
  static std::vector<DatasetId> Targets(const StatementLineage& statement) {
    std::vector<DatasetId> targets;
    for (const Edge& edge : statement.edges) {
      if (targets.empty() || targets.back() != edge.target) targets.push_back(edge.target);
    }
    return targets;
  }

  Source SourceOf(const StatementLineage& statement, const Edge& edge, bool with_expression) {
    std::string kind(EdgeKindName(edge.kind));
    if (edge.masking) kind += " masking";
    return {QualifiedName(statement, edge.input), std::move(kind),
            with_expression ? Shortened(SourceText(sql_, edge.where)) : std::string()};
  }

  void WriteColumn(const StatementLineage& statement, const OutputColumn& output) {
    const Column& column = statement.column(output.column);
    out += "  ";
    if (statement.outputs.size() > 1) out += statement.dataset(column.dataset).name + '.';
    out += column.name;
    const std::string text = SourceText(sql_, output.expression);
    const bool star = text == "*" || text.ends_with(".*");  // says nothing of one column
    if (!text.empty() && text != column.name && !star) out += " = " + Shortened(text);
    out += '\n';
    std::vector<Source> sources;
    for (const Edge& edge : EdgesInto(statement, column.dataset, output.column)) {
      sources.push_back(SourceOf(statement, edge, !(edge.where == output.expression)));
    }
    AddSources(sources, out);
  }

  void WriteEffects(const StatementLineage& statement, DatasetId target) {
    std::vector<Source> sources;
    for (const Edge& edge : EdgesInto(statement, target, kEveryColumn)) {
      sources.push_back(SourceOf(statement, edge, true));
    }
    if (sources.empty()) return;
    out += "  every row";
    if (statement.outputs.size() > 1) out += " of " + statement.dataset(target).name;
    out += '\n';
    AddSources(sources, out);
  }

  std::string_view sql_;
  sql::Places places_;
};

}  // namespace

std::string LineageTree(const ScriptLineage& script, std::string_view sql) {
  TreeWriter writer(sql);
  writer.Write(script.statements);
  return std::move(writer.out);
}

}  // namespace tarn::lineage
