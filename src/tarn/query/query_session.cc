#include "tarn/query/query_session.h"

#include <arrow/array.h>
#include <arrow/builder.h>
#include <arrow/record_batch.h>
#include <arrow/type.h>

#include <algorithm>
#include <set>
#include <utility>

#include "tarn/base/text.h"
#include "tarn/duck/file_system.h"
#include "tarn/query/multi_file.h"
#include "tarn/query/statement_context_internal.h"
#include "tarn/query/table_upkeep.h"
#include "tarn/sql/rewrite.h"
#include "tarn/sql/statement_parser.h"
#include "tarn/sql/tokenizer.h"

namespace tarn {

namespace {

// One line per row: what EXPLAIN draws, in a column "plan".
class LinesOfPlan : public BatchStream {
 public:
  static Result<std::unique_ptr<BatchStream>> Make(BatchStream& explained) {
    arrow::StringBuilder lines;
    while (true) {
      TARN_ASSIGN_OR_RETURN(const auto batch, explained.Next());
      if (batch == nullptr) break;
      // explain_key, explain_value.
      const auto& texts =
          static_cast<const arrow::StringArray&>(*batch->column(batch->num_columns() - 1));
      for (int64_t row = 0; row < texts.length(); ++row) {
        for (const std::string& line : Split(texts.GetString(row), '\n')) {
          if (!line.empty() && !lines.Append(line).ok()) return Internal("explain: out of memory");
        }
      }
    }
    auto array = lines.Finish();
    if (!array.ok()) return Internal("explain: " + array.status().ToString());
    auto schema = arrow::schema({arrow::field("plan", arrow::utf8())});
    auto stream = std::make_unique<LinesOfPlan>();
    stream->batch_ = arrow::RecordBatch::Make(std::move(schema), (*array)->length(), {*array});
    return std::unique_ptr<BatchStream>(std::move(stream));
  }

  std::shared_ptr<arrow::Schema> schema() const override {
    return schema_ ? schema_ : batch_->schema();
  }
  Result<std::shared_ptr<arrow::RecordBatch>> Next() override {
    if (!schema_) schema_ = batch_->schema();
    return std::exchange(batch_, nullptr);
  }

 private:
  std::shared_ptr<arrow::RecordBatch> batch_;
  std::shared_ptr<arrow::Schema> schema_;
};

class Session : public QuerySession {
 public:
  Session(Runtime& runtime, TableResolver& resolver, const Registry<FileFormat>& file_formats,
          QueryOptions options, std::unique_ptr<DuckSession> duck)
      : options_(std::move(options)),
        duck_(std::move(duck)),
        tables_(resolver, *duck_, options_.skipping),
        context_{runtime, resolver, file_formats, options_, *duck_, tables_} {}

  Status Install() {
    TARN_ASSIGN_OR_RETURN(files_, ObjectFiles::Mount(*duck_, context_.runtime));
    return InstallScan(
        *duck_, files_, context_.file_formats,
        [this](std::string_view key) { return tables_.Find(key); },
        [this](const std::vector<std::string>& parts) { return tables_.KeyOfName(parts); });
  }

  Status Run(std::string_view sql, const std::function<Status(StatementResult)>& consume) override {
    TARN_ASSIGN_OR_RETURN(const std::vector<sql::Statement> statements, sql::ParseScript(sql));
    for (const sql::Statement& statement : statements) {
      TARN_RETURN_IF_ERROR(context_.runtime.cancellation.Check());
      files_->Forget();
      auto result = std::visit(
          [&](const auto& body) -> Result<StatementResult> { return Do(body, statement); },
          statement.body);
      if (!result.ok()) return result.error();
      TARN_RETURN_IF_ERROR(consume(std::move(result).value()));
    }
    return OkStatus();
  }

  std::vector<std::string> Complete(std::string_view text_before_cursor) override {
    // The word being typed: letters, digits, _ and dots of names.
    size_t begin = text_before_cursor.size();
    while (begin > 0) {
      const auto c = static_cast<unsigned char>(text_before_cursor[begin - 1]);
      if (!std::isalnum(c) && c != '_' && c != '.' && c < 0x80) break;
      --begin;
    }
    const std::string prefix = AsciiLower(text_before_cursor.substr(begin));
    std::set<std::string> candidates;
    auto offer = [&](const std::string& word) {
      if (AsciiLower(word).starts_with(prefix)) candidates.insert(word);
    };
    if (const auto names = context_.resolver.List(std::nullopt); names.ok()) {
      for (const std::string& name : *names) {
        offer(name);
        // A table of the current namespace goes by its last part, too.
        const size_t dot = name.rfind('.');
        if (dot != std::string::npos &&
            (name.substr(0, dot) == options_.default_namespace ||
             name.substr(0, dot) == Join(tables_.current_namespace(), "."))) {
          offer(name.substr(dot + 1));
        }
      }
    }
    tables_.Begin();
    if (const auto uses = sql::FindTables(text_before_cursor); uses.ok()) {
      for (const sql::TableUse& use : *uses) {
        const auto pinned = tables_.Pin(use.name);
        if (!pinned.ok()) continue;
        for (const Field& field : pinned->snapshot.metadata.schema.fields) {
          offer(field.name);
          if (!use.alias.empty()) offer(use.alias + "." + field.name);
        }
      }
    }
    if (!prefix.empty() && prefix.find('.') == std::string::npos) {
      for (const char* word :
           {"SELECT",        "FROM",         "WHERE",         "GROUP BY",         "ORDER BY",
            "LIMIT",         "JOIN",         "INSERT INTO",   "INSERT OVERWRITE", "DELETE FROM",
            "UPDATE",        "CREATE TABLE", "DROP TABLE",    "ALTER TABLE",      "SHOW TABLES",
            "DESCRIBE",      "EXPLAIN",      "VERSION AS OF", "TIMESTAMP AS OF",  "PARTITIONED BY",
            "TBLPROPERTIES", "VALUES"}) {
        offer(word);
      }
    }
    return {candidates.begin(), candidates.end()};
  }

 private:
  Result<StatementResult> Do(const sql::Query& query, const sql::Statement& /*statement*/) {
    tables_.Begin();
    TARN_ASSIGN_OR_RETURN(auto rows, RunQuery(context_, query.query.text));
    return StatementResult{.rows = std::move(rows)};
  }

  Result<StatementResult> Do(const sql::Explain& explain, const sql::Statement& /*statement*/) {
    tables_.Begin();
    TARN_ASSIGN_OR_RETURN(const auto inner, sql::ParseScript(explain.statement.text));
    if (inner.size() != 1 || !std::holds_alternative<sql::Query>(inner[0].body)) {
      return Unsupported("EXPLAIN of anything but a query");
    }
    TARN_ASSIGN_OR_RETURN(const sql::Rewritten text,
                          tables_.Rewrite(explain.statement.text, sql::TextKind::kQuery));
    auto rows = duck_->Query((explain.analyze ? "EXPLAIN ANALYZE " : "EXPLAIN ") + text.text);
    if (!rows.ok()) return tables_.Explain(rows.error());
    TARN_ASSIGN_OR_RETURN(auto lines, LinesOfPlan::Make(**rows));
    return StatementResult{.rows = std::move(lines)};
  }

  Result<StatementResult> Written(Result<StatementResult> result, const sql::TableName& table) {
    if (result.ok()) RunUpkeepAfterStatement(context_, table);
    return result;
  }

  Result<StatementResult> Do(const sql::CreateTable& create, const sql::Statement&) {
    return RunCreateTable(context_, create);
  }
  Result<StatementResult> Do(const sql::Insert& insert, const sql::Statement&) {
    return Written(RunInsert(context_, insert), insert.table);
  }
  Result<StatementResult> Do(const sql::Delete& statement, const sql::Statement&) {
    return Written(RunDelete(context_, statement), statement.table);
  }
  Result<StatementResult> Do(const sql::Update& update, const sql::Statement&) {
    return Written(RunUpdate(context_, update), update.table);
  }
  Result<StatementResult> Do(const sql::DropTable& drop, const sql::Statement&) {
    return RunDropTable(context_, drop);
  }
  Result<StatementResult> Do(const sql::AlterTable& alter, const sql::Statement&) {
    return RunAlterTable(context_, alter);
  }
  Result<StatementResult> Do(const sql::Describe& describe, const sql::Statement&) {
    return RunDescribe(context_, describe);
  }
  Result<StatementResult> Do(const sql::ShowTables& show, const sql::Statement&) {
    return RunShowTables(context_, show);
  }
  Result<StatementResult> Do(const sql::ShowNamespaces& show, const sql::Statement&) {
    return RunShowNamespaces(context_, show);
  }

  Result<StatementResult> Do(const sql::Call& call, const sql::Statement&) {
    return RunCall(context_, call);
  }

  Result<StatementResult> Do(const sql::CreateNamespace& create, const sql::Statement&) {
    const std::string name = Join(create.name, ".");
    const Status created = context_.resolver.CreateNamespace(name);
    if (!created.ok() &&
        !(create.if_not_exists && created.error().code == ErrorCode::kAlreadyExists)) {
      return created.error();
    }
    return StatementResult{.message = "namespace " + name +
                                      (created.ok() ? " created" : " exists already")};
  }
  Result<StatementResult> Do(const sql::DropNamespace& drop, const sql::Statement&) {
    const std::string name = Join(drop.name, ".");
    if (drop.cascade) return Unsupported("DROP NAMESPACE … CASCADE: drop its tables one by one");
    const Status dropped = context_.resolver.DropNamespace(name);
    if (!dropped.ok() && !(drop.if_exists && dropped.error().code == ErrorCode::kNotFound)) {
      return dropped.error();
    }
    return StatementResult{.message = "namespace " + name +
                                      (dropped.ok() ? " dropped" : " does not exist")};
  }
  Result<StatementResult> Do(const sql::UseNamespace& use, const sql::Statement&) {
    TARN_ASSIGN_OR_RETURN(const auto known, context_.resolver.ListNamespaces());
    const std::string name = Join(use.name, ".");
    if (name != options_.default_namespace &&
        std::find(known.begin(), known.end(), name) == known.end()) {
      return NotFound("no namespace '" + name + "'" + DidYouMean(name, known));
    }
    tables_.SetNamespace(use.name);
    return StatementResult{.message = "using " + name};
  }

  // What only DuckDB knows: SET, CREATE VIEW, CREATE MACRO, … Names in it are resolved when it
  // runs, so that a view sees the newest state each time.
  Result<StatementResult> Do(const sql::Other& other, const sql::Statement& statement) {
    static const std::set<std::string> refused = {"MERGE INTO", "MERGE",    "BEGIN",
                                                  "COMMIT",     "ROLLBACK", "START TRANSACTION",
                                                  "VACUUM",     "OPTIMIZE", "RESTORE"};
    if (refused.contains(other.words)) {
      return Unsupported("sql: " + other.words + " is not supported" +
                         (other.words.starts_with("MERGE")
                              ? " yet; UPDATE, DELETE and INSERT say the same in steps"
                          : other.words == "RESTORE" ? "; `tarn table restore` does it"
                                                     : ""));
    }
    tables_.Begin();
    TARN_ASSIGN_OR_RETURN(const auto uses, sql::FindTables(statement.text));
    for (const sql::TableUse& use : uses) {
      if (use.as_of) {
        return Unsupported("sql: time travel inside " + other.words +
                           " (it would be read anew each time, without it)");
      }
    }
    TARN_ASSIGN_OR_RETURN(auto spellings, sql::SpellingEdits(statement.text));
    const sql::Rewritten text = sql::ApplyEdits(statement.text, std::move(spellings));
    const SqlOrigin origin{statement.text, [&](size_t offset) {
                             return text.OriginalOffset(static_cast<uint32_t>(offset));
                           }};
    auto rows = duck_->Query(text.text, &origin);
    if (!rows.ok()) return tables_.Explain(rows.error());
    const auto& schema = *(*rows)->schema();
    // DuckDB answers such statements with an empty "Success" or a count of rows.
    const bool silent = schema.num_fields() == 1 && (schema.field(0)->name() == "Success" ||
                                                     schema.field(0)->name() == "Count");
    if (!silent) return StatementResult{.rows = std::move(rows).value()};
    while (true) {
      TARN_ASSIGN_OR_RETURN(const auto batch, (*rows)->Next());
      if (batch == nullptr) return StatementResult{.message = "done"};
    }
  }

  QueryOptions options_;
  std::unique_ptr<DuckSession> duck_;
  std::shared_ptr<ObjectFiles> files_;
  StatementTables tables_;
  StatementContext context_;
};

}  // namespace

Result<std::unique_ptr<QuerySession>> QuerySession::Make(Runtime& runtime, TableResolver& resolver,
                                                         const Registry<FileFormat>& file_formats,
                                                         QueryOptions options) {
  TARN_ASSIGN_OR_RETURN(auto duck,
                        DuckSession::Make(runtime, {.file_access = FileAccess::kAllowed}));
  auto session = std::make_unique<Session>(runtime, resolver, file_formats, std::move(options),
                                           std::move(duck));
  TARN_RETURN_IF_ERROR(session->Install());
  return std::unique_ptr<QuerySession>(std::move(session));
}

}  // namespace tarn
