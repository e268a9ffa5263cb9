#include "tarn/duck/batch_sql.h"

#include <arrow/array.h>
#include <arrow/record_batch.h>
#include <arrow/scalar.h>
#include <arrow/table.h>
#include <arrow/type.h>

#include <mutex>
#include <utility>

#include <fmt/format.h>

#include "tarn/datafile/arrow_schema.h"
#include "tarn/duck/duck_session.h"
#include "tarn/sql/rewrite.h"

namespace tarn {

namespace {

constexpr const char* kBatchName = "batch";
// Expressions over one batch need little; what needs more fails instead of pressing on the writers.
constexpr int64_t kMemoryBytes = int64_t{256} << 20;

// Sessions lent to one thread at a time: as many as threads ever met here at once.
class SessionPool {
 public:
  explicit SessionPool(Runtime& runtime) : runtime_(runtime) {}

  Result<std::unique_ptr<DuckSession>> Take() {
    {
      std::lock_guard lock(mutex_);
      if (!idle_.empty()) {
        auto session = std::move(idle_.back());
        idle_.pop_back();
        return session;
      }
    }
    // One thread each: the callers bring the parallelism, and rows keep their order.
    return DuckSession::Make(
        runtime_,
        {.file_access = FileAccess::kDenied, .threads = 1, .memory_limit_bytes = kMemoryBytes});
  }
  void Give(std::unique_ptr<DuckSession> session) {
    std::lock_guard lock(mutex_);
    idle_.push_back(std::move(session));
  }

 private:
  Runtime& runtime_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<DuckSession>> idle_;
};

// A session for the time of one call.
class Lent {
 public:
  static Result<Lent> From(SessionPool& pool) {
    TARN_ASSIGN_OR_RETURN(auto session, pool.Take());
    return Lent(pool, std::move(session));
  }
  Lent(Lent&&) = default;
  ~Lent() {
    if (session_) pool_->Give(std::move(session_));
  }
  DuckSession& operator*() { return *session_; }
  DuckSession* operator->() { return session_.get(); }

 private:
  Lent(SessionPool& pool, std::unique_ptr<DuckSession> session)
      : pool_(&pool), session_(std::move(session)) {}
  SessionPool* pool_;
  std::unique_ptr<DuckSession> session_;
};

Result<std::string> InDuckWords(const std::string& text) {
  TARN_ASSIGN_OR_RETURN(auto edits, sql::SpellingEdits(text));
  return sql::ApplyEdits(text, std::move(edits)).text;
}

// `schema` as DuckDB returned it, with the ids and documentation of columns that are `input`'s
// still.
Schema Identified(Schema schema, const Schema& input) {
  for (Field& field : schema.fields) {
    const auto same = input.IndexOf(field.name);
    if (!same) continue;
    const Field& origin = input.fields[*same];
    if (origin.name != field.name || TypeToText(origin.type) != TypeToText(field.type)) continue;
    field.id = origin.id;
    field.type = origin.type;
    field.doc = origin.doc;
  }
  schema.last_column_id = input.last_column_id;
  return schema;
}

Result<std::shared_ptr<arrow::RecordBatch>> Collect(BatchStream& stream) {
  std::vector<std::shared_ptr<arrow::RecordBatch>> batches;
  while (true) {
    TARN_ASSIGN_OR_RETURN(auto batch, stream.Next());
    if (batch == nullptr) break;
    batches.push_back(std::move(batch));
  }
  if (batches.size() == 1) return batches[0];
  auto whole = batches.empty() ? arrow::RecordBatch::MakeEmpty(stream.schema())
                               : arrow::ConcatenateRecordBatches(batches);
  if (!whole.ok()) return Internal("sql: " + whole.status().ToString());
  return *whole;
}

class PooledBatchSql : public BatchSql {
 public:
  PooledBatchSql(Runtime& runtime, std::string query) : pool_(runtime), query_(std::move(query)) {}

  const Schema& output() const override { return output_; }

  Status Describe(const Schema& input) {
    TARN_ASSIGN_OR_RETURN(const auto schema, ToArrow(input));
    TARN_ASSIGN_OR_RETURN(Lent session, Lent::From(pool_));
    TARN_RETURN_IF_ERROR(session->RegisterBatches(kBatchName, schema, {}));
    TARN_ASSIGN_OR_RETURN(const auto rows, session->Query(query_));
    TARN_ASSIGN_OR_RETURN(Schema output, FromArrow(*rows->schema()));
    output_ = Identified(std::move(output), input);
    return OkStatus();
  }

  Result<std::shared_ptr<arrow::RecordBatch>> Apply(
      const std::shared_ptr<arrow::RecordBatch>& batch) const override {
    TARN_ASSIGN_OR_RETURN(Lent session, Lent::From(pool_));
    TARN_RETURN_IF_ERROR(session->RegisterBatches(kBatchName, batch->schema(), {batch}));
    TARN_ASSIGN_OR_RETURN(const auto rows, session->Query(query_));
    TARN_ASSIGN_OR_RETURN(auto result, Collect(*rows));
    // The batch is not kept until the next one comes.
    TARN_RETURN_IF_ERROR(session->RegisterBatches(kBatchName, batch->schema(), {}));
    return result;
  }

 private:
  mutable SessionPool pool_;
  const std::string query_;
  Schema output_;
};

// A row for a message: "id = 3, price = -1.5".
std::string RowText(const arrow::RecordBatch& batch, int64_t row) {
  std::string text;
  for (int column = 0; column < batch.num_columns(); ++column) {
    auto scalar = batch.column(column)->GetScalar(row);
    std::string value = !scalar.ok() ? "?" : (*scalar)->is_valid ? (*scalar)->ToString() : "NULL";
    constexpr size_t kLongest = 60;
    if (value.size() > kLongest) value = value.substr(0, kLongest) + "…";
    if (!text.empty()) text += ", ";
    text += batch.schema()->field(column)->name() + " = " + value;
  }
  return text;
}

class PooledConstraintChecker : public ConstraintChecker {
 public:
  PooledConstraintChecker(Runtime& runtime, std::vector<CheckConstraint> constraints)
      : pool_(runtime), constraints_(std::move(constraints)) {}

  Status Prepare(const Schema& schema) {
    for (const CheckConstraint& constraint : constraints_) {
      TARN_ASSIGN_OR_RETURN(const std::string text, InDuckWords(constraint.sql));
      holds_.push_back("coalesce(CAST((" + text + "\n) AS BOOLEAN), false)");
    }
    query_ = "SELECT ";
    for (size_t i = 0; i < holds_.size(); ++i) {
      query_ += (i == 0 ? "bool_and(" : ", bool_and(") + holds_[i] + ")";
    }
    query_ += std::string(" FROM ") + kBatchName;
    TARN_ASSIGN_OR_RETURN(const auto arrow_schema, ToArrow(schema));
    TARN_ASSIGN_OR_RETURN(Lent session, Lent::From(pool_));
    TARN_RETURN_IF_ERROR(session->RegisterBatches(kBatchName, arrow_schema, {}));
    for (size_t i = 0; i < holds_.size(); ++i) {
      const auto bound = session->Query(std::string("SELECT ") + holds_[i] + " FROM " + kBatchName);
      if (!bound.ok()) {
        return bound.error().WithContext("constraint '" + constraints_[i].name + "' (" +
                                         constraints_[i].sql + ")");
      }
    }
    return OkStatus();
  }

  Status Check(const std::shared_ptr<arrow::RecordBatch>& batch) const override {
    if (batch->num_rows() == 0) return OkStatus();
    TARN_ASSIGN_OR_RETURN(Lent session, Lent::From(pool_));
    TARN_RETURN_IF_ERROR(session->RegisterBatches(kBatchName, batch->schema(), {batch}));
    const Status outcome = CheckIn(*session, *batch);
    TARN_RETURN_IF_ERROR(session->RegisterBatches(kBatchName, batch->schema(), {}));
    return outcome;
  }

 private:
  Status CheckIn(DuckSession& session, const arrow::RecordBatch& batch) const {
    TARN_ASSIGN_OR_RETURN(auto rows, session.Query(query_));
    TARN_ASSIGN_OR_RETURN(const auto verdict, Collect(*rows));
    for (int i = 0; i < verdict->num_columns(); ++i) {
      const auto value = verdict->column(i)->GetScalar(0);
      if (value.ok() && (*value)->is_valid && (*value)->ToString() == "true") continue;
      const CheckConstraint& constraint = constraints_[static_cast<size_t>(i)];
      TARN_ASSIGN_OR_RETURN(
          auto broken, session.Query(std::string("SELECT * FROM ") + kBatchName + " WHERE NOT " +
                                     holds_[static_cast<size_t>(i)] + " LIMIT 1"));
      TARN_ASSIGN_OR_RETURN(const auto row, Collect(*broken));
      return Invalid(fmt::format("constraint '{}' ({}) is broken by the row {}", constraint.name,
                                 constraint.sql,
                                 row->num_rows() > 0 ? RowText(*row, 0) : RowText(batch, 0)));
    }
    return OkStatus();
  }

  mutable SessionPool pool_;
  std::vector<CheckConstraint> constraints_;
  std::vector<std::string> holds_;
  std::string query_;
};

class NoConstraints : public ConstraintChecker {
 public:
  Status Check(const std::shared_ptr<arrow::RecordBatch>& /*batch*/) const override {
    return OkStatus();
  }
};

}  // namespace

Result<std::unique_ptr<BatchSql>> BatchSql::Make(Runtime& runtime, const Schema& input,
                                                 const std::string& select,
                                                 const std::string& where) {
  TARN_ASSIGN_OR_RETURN(const std::string columns, InDuckWords(select));
  std::string query = "SELECT " + columns + "\nFROM " + kBatchName;
  if (!where.empty()) {
    TARN_ASSIGN_OR_RETURN(const std::string condition, InDuckWords(where));
    query += " WHERE (" + condition + "\n)";
  }
  auto made = std::make_unique<PooledBatchSql>(runtime, std::move(query));
  TARN_RETURN_IF_ERROR(made->Describe(input));
  return std::unique_ptr<BatchSql>(std::move(made));
}

Result<std::unique_ptr<ConstraintChecker>> ConstraintChecker::Make(
    Runtime& runtime, const Schema& schema, const std::vector<CheckConstraint>& constraints) {
  if (constraints.empty()) {
    return std::unique_ptr<ConstraintChecker>(std::make_unique<NoConstraints>());
  }
  auto made = std::make_unique<PooledConstraintChecker>(runtime, constraints);
  TARN_RETURN_IF_ERROR(made->Prepare(schema));
  return std::unique_ptr<ConstraintChecker>(std::move(made));
}

}  // namespace tarn
