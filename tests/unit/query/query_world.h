#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "tarn/query/query_session.h"
#include "tarn/query/statement_context_internal.h"

namespace tarn::testing {

// SQL over tables of a toy format (tests/support/toy_format.h) in a store in memory: names are
// folders of the store, `ns.t` is "ns/t".
class QueryWorld {
 public:
  explicit QueryWorld(QueryOptions options = {});
  ~QueryWorld();

  // The rows of the last statement of `sql`, columns joined by '|'; {"error: <code>: …"} on
  // failure.
  std::vector<std::string> Rows(const std::string& sql);
  // Its message, or "error: <code>: …".
  std::string Message(const std::string& sql);
  // The columns of its result.
  std::string Columns(const std::string& sql);

  QuerySession& session();
  // Another user's session over the same tables.
  QuerySession& Second();
  TableResolver& resolver();
  Runtime& runtime();
  // Runs once, before the next commit is revealed: how another writer gets between.
  void BeforeCommit(std::function<void()> other);
  // What verbs and the session's parts are made of, for tests of one part.
  StatementContext& context();

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace tarn::testing
