#include "tarn/lineage/analyze.h"

#include <string>
#include <utility>

#include "tarn/lineage/reader_internal.h"
#include "tarn/lineage/session_internal.h"
#include "tarn/sql/parser.h"

namespace tarn::lineage {
namespace {

using sql::tree::As;
using sql::tree::Node;

// Reads `statement`, or, of a scripting block, every statement that is in it: any of them may run.
void ReadInto(const Node& statement, Reader& reader, ScriptLineage& script) {
  const auto all = [&](const sql::tree::List<const Node*>& statements) {
    for (const Node* inner : statements) {
      if (inner != nullptr) ReadInto(*inner, reader, script);
    }
  };
  if (const auto* block = As<sql::tree::Block>(&statement)) return all(block->statements);
  if (const auto* choice = As<sql::tree::If>(&statement)) {
    for (const auto* branch : choice->branches) all(branch->statements);
    return;
  }
  if (const auto* loop = As<sql::tree::Loop>(&statement)) return all(loop->statements);
  script.statements.push_back(reader.Read(statement));
}

}  // namespace

ScriptLineage Analyze(std::string_view sql, const sql::Dialect& dialect,
                      const SchemaProvider& schema, const AnalyzeOptions& options) {
  const sql::ParsedScript parsed = sql::Parse(sql, dialect);
  Session session(dialect, schema, options);
  Reader reader(session, parsed.text);
  ScriptLineage script;
  script.statements.reserve(parsed.statements.size());
  for (const sql::ParsedStatement& statement : parsed.statements) {
    if (statement.root != nullptr) {
      ReadInto(*statement.root, reader, script);
      continue;
    }
    StatementLineage unread;
    unread.span = statement.span;
    unread.warnings.push_back(
        {WarningCode::kSyntax, statement.error->span, statement.error->message});
    script.statements.push_back(std::move(unread));
  }
  return script;
}

}  // namespace tarn::lineage
