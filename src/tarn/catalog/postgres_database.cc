#include "tarn/catalog/postgres_database.h"

#include <libpq-fe.h>

#include <optional>
#include <utility>

#include "tarn/base/text.h"

namespace tarn {
namespace {

// Any number that no other program uses for its advisory locks; Tarn's writers wait for it.
constexpr char kLock[] = "SELECT pg_advisory_xact_lock(7021150984372001)";

struct ResultClearer {
  void operator()(PGresult* result) const { PQclear(result); }
};
using PgResult = std::unique_ptr<PGresult, ResultClearer>;

struct OptionsFreer {
  void operator()(PQconninfoOption* options) const { PQconninfoFree(options); }
};

}  // namespace

std::string NumberedParameters(std::string_view sql) {
  std::string numbered;
  int number = 0;
  for (const char c : sql) {
    if (c == '?') {
      numbered += '$' + std::to_string(++number);
    } else {
      numbered += c;
    }
  }
  return numbered;
}

Result<std::unique_ptr<PostgresDatabase>> PostgresDatabase::Make(const std::string& uri) {
  if (!uri.starts_with("postgresql://") && !uri.starts_with("postgres://")) {
    return Invalid("catalog '" + uri +
                   "': not the address of a PostgreSQL database; write "
                   "postgresql://user@host:port/database");
  }
  char* message = nullptr;
  const std::unique_ptr<PQconninfoOption, OptionsFreer> options(
      PQconninfoParse(uri.c_str(), &message));
  if (options == nullptr) {
    const std::string cause = OneLine(message == nullptr ? "out of memory" : message);
    PQfreemem(message);
    return Invalid("catalog '" + uri + "': " + cause);
  }
  for (const PQconninfoOption* option = options.get(); option->keyword != nullptr; ++option) {
    if (std::string_view(option->keyword) == "password" && option->val != nullptr) {
      return Invalid(
          "the address of the catalog holds a password, which would be kept in the lake's folder; "
          "leave it out and put it into ~/.pgpass or PGPASSWORD");
    }
  }
  return std::unique_ptr<PostgresDatabase>(new PostgresDatabase(uri));
}

PostgresDatabase::~PostgresDatabase() { PQfinish(connection_); }

Error PostgresDatabase::Failure(std::string_view state, std::string_view message) const {
  const std::string text = "catalog '" + uri_ + "': " + OneLine(message);
  const std::string_view kind = state.substr(0, 2);
  // Connection lost, resources, server going down, a transaction to be run again, a lock held.
  if (state.empty() || kind == "08" || kind == "53" || kind == "57" || kind == "40" ||
      state == "55P03") {
    return Unavailable(text);
  }
  // Who may not enter or do this; no such database or schema; a value that does not fit.
  if (kind == "28" || kind == "3D" || kind == "3F" || kind == "22" || state == "42501") {
    return Invalid(text);
  }
  return Internal(text);
}

Status PostgresDatabase::Connect() {
  if (connection_ != nullptr && PQstatus(connection_) == CONNECTION_OK) return OkStatus();
  if (in_transaction_) return Unavailable("catalog '" + uri_ + "': the connection was lost");
  PQfinish(connection_);
  // What the address says comes before these.
  const char* const keywords[] = {"connect_timeout", "application_name", "client_encoding",
                                  "options",         "dbname",           nullptr};
  const char* const values[] = {"10",         "tarn",
                                "UTF8",       "-c statement_timeout=10000 -c lock_timeout=10000",
                                uri_.c_str(), nullptr};
  connection_ = PQconnectdbParams(keywords, values, /*expand_dbname=*/1);
  if (connection_ == nullptr) return Unavailable("catalog '" + uri_ + "': out of memory");
  if (PQstatus(connection_) == CONNECTION_OK) return OkStatus();
  const std::string message = PQerrorMessage(connection_);
  // libpq gives no code for a refused connection, only the server's words.
  for (const char* refused : {"authentication failed", "no password supplied", "does not exist",
                              "permission denied", "no pg_hba.conf entry"}) {
    if (message.find(refused) != std::string::npos) return Failure("28000", message);
  }
  return Failure("08006", message);
}

Result<PostgresDatabase::Answer> PostgresDatabase::Run(const std::string& sql,
                                                       const std::vector<std::string>& values) {
  TARN_RETURN_IF_ERROR(Connect());
  std::vector<const char*> parameters;
  parameters.reserve(values.size());
  for (const std::string& value : values) {
    if (value.find('\0') != std::string::npos) {
      return Invalid("catalog '" + uri_ + "': a name holds a zero byte");
    }
    parameters.push_back(value.c_str());
  }
  const PgResult result(PQexecParams(connection_, NumberedParameters(sql).c_str(),
                                     static_cast<int>(parameters.size()), nullptr,
                                     parameters.data(), nullptr, nullptr, /*resultFormat=*/0));
  const ExecStatusType status = PQresultStatus(result.get());
  if (status != PGRES_TUPLES_OK && status != PGRES_COMMAND_OK) {
    const char* state = PQresultErrorField(result.get(), PG_DIAG_SQLSTATE);
    const char* primary = PQresultErrorField(result.get(), PG_DIAG_MESSAGE_PRIMARY);
    return Failure(state == nullptr ? "" : state,
                   primary == nullptr ? PQerrorMessage(connection_) : primary);
  }
  Answer answer;
  for (int row = 0; row < PQntuples(result.get()); ++row) {
    Row cells;
    for (int column = 0; column < PQnfields(result.get()); ++column) {
      cells.emplace_back(PQgetvalue(result.get(), row, column),
                         static_cast<size_t>(PQgetlength(result.get(), row, column)));
    }
    answer.rows.push_back(std::move(cells));
  }
  answer.changed = ParseInt64(PQcmdTuples(result.get())).value_or(0);
  return answer;
}

Result<std::vector<SqlDatabase::Row>> PostgresDatabase::Query(
    const std::string& sql, const std::vector<std::string>& values) {
  TARN_ASSIGN_OR_RETURN(Answer answer, Run(sql, values));
  return std::move(answer.rows);
}

Result<int64_t> PostgresDatabase::Execute(const std::string& sql,
                                          const std::vector<std::string>& values) {
  TARN_ASSIGN_OR_RETURN(const Answer answer, Run(sql, values));
  return answer.changed;
}

Status PostgresDatabase::InTransaction(const std::function<Status()>& work) {
  TARN_RETURN_IF_ERROR(Run("BEGIN", {}));
  in_transaction_ = true;
  Status status = Run(kLock, {}).status();
  if (status.ok()) status = work();
  if (status.ok()) {
    const PgResult result(PQexec(connection_, "COMMIT"));
    if (PQresultStatus(result.get()) != PGRES_COMMAND_OK) {
      const char* state = PQresultErrorField(result.get(), PG_DIAG_SQLSTATE);
      status = Failure(state == nullptr ? "" : state, PQerrorMessage(connection_));
      // Without an answer it may have been committed.
      if (PQstatus(connection_) != CONNECTION_OK) status = UnknownOutcome(status.error().message);
    }
  } else if (PQstatus(connection_) == CONNECTION_OK) {
    const PgResult rolled_back(PQexec(connection_, "ROLLBACK"));
  }
  in_transaction_ = false;
  return status;
}

Result<std::vector<std::string>> PostgresDatabase::ColumnsOf(const std::string& table) {
  TARN_ASSIGN_OR_RETURN(
      auto rows,
      Query("SELECT attname FROM pg_attribute WHERE attrelid = to_regclass(quote_ident(?)) AND "
            "attnum > 0 AND NOT attisdropped ORDER BY attnum",
            {table}));
  return FirstColumn(std::move(rows));
}

}  // namespace tarn
