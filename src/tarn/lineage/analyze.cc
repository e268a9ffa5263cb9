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

// Reads the statements of a script, one after the other.
class ScriptReader {
 public:
  ScriptReader(Session& session, std::string_view text)
      : session_(session), reader_(session, text) {}

  // `statement`, or, of a scripting block, every statement that is in it: any of them may run.
  void Add(const Node& statement) {
    if (const auto* block = As<sql::tree::Block>(&statement)) return AddAll(block->statements);
    if (const auto* choice = As<sql::tree::If>(&statement)) {
      AddCondition(choice->operand);
      for (const auto* branch : choice->branches) {
        AddCondition(branch->condition);
        AddAll(branch->statements);
      }
      return;
    }
    if (const auto* loop = As<sql::tree::Loop>(&statement)) {
      AddCondition(loop->query);
      AddCondition(loop->condition);
      session_.EnterLoop({session_.names().Fold(loop->variable), loop->query});
      AddAll(loop->statements);
      return session_.LeaveLoop();
    }
    if (const auto* declare = As<sql::tree::Declare>(&statement)) {
      for (const auto& name : declare->names) session_.Declare(session_.Part(name.parts[0]));
      AddCondition(declare->value);
      if (declare->statement != nullptr) Add(*declare->statement);
    }
    if (const auto* set = As<sql::tree::Set>(&statement)) {
      for (const auto* assignment : set->assignments) AddCondition(assignment->value);
    }
    script.statements.push_back(reader_.Read(statement));
  }

  void AddUnread(const sql::ParsedStatement& statement) {
    StatementLineage unread;
    unread.span = statement.span;
    unread.warnings.push_back(
        {WarningCode::kSyntax, statement.error->span, statement.error->message});
    script.statements.push_back(std::move(unread));
  }

  ScriptLineage script;

 private:
  void AddAll(const sql::tree::List<const Node*>& statements) {
    for (const Node* inner : statements) {
      if (inner != nullptr) Add(*inner);
    }
  }

  // What a script looks at before it goes on: worth saying if it reads something.
  void AddCondition(const Node* condition) {
    if (condition == nullptr) return;
    StatementLineage read = reader_.ReadCondition(*condition);
    if (!read.inputs.empty()) script.statements.push_back(std::move(read));
  }

  Session& session_;
  Reader reader_;
};

}  // namespace

ScriptLineage Analyze(std::string_view sql, const sql::Dialect& dialect,
                      const SchemaProvider& schema, const AnalyzeOptions& options) {
  const sql::ParsedScript parsed = sql::Parse(sql, dialect);
  Session session(dialect, schema, options);
  ScriptReader reader(session, parsed.text);
  reader.script.statements.reserve(parsed.statements.size());
  for (const sql::ParsedStatement& statement : parsed.statements) {
    if (statement.root != nullptr) {
      reader.Add(*statement.root);
    } else {
      reader.AddUnread(statement);
    }
  }
  return std::move(reader.script);
}

}  // namespace tarn::lineage
