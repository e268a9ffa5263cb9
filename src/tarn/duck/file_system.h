#pragma once

#include <functional>
#include <memory>
#include <string>

#include "tarn/base/path.h"
#include "tarn/base/result.h"
#include "tarn/base/runtime.h"
#include "tarn/datafile/file_format.h"
#include "tarn/duck/duck_session.h"
#include "tarn/storage/storage.h"

namespace tarn {

// Objects of storages as files of DuckDB: those without a native name are opened as
// "tarn://<number of the store>/<path>" through ObjectReader. Reads only. Thread-safe.
class ObjectFiles {
 public:
  // Adds the schemes to the session's DuckDB; once per session. `runtime` outlives it.
  static Result<std::shared_ptr<ObjectFiles>> Mount(DuckSession& session, Runtime& runtime);
  virtual ~ObjectFiles() = default;

  // The name under which DuckDB opens the object. `storage` must outlive its use.
  virtual std::string NameOf(const Storage& storage, const Path& path) = 0;

  // A file that DuckDB cannot read itself: while it is open, `rows` stand in memory as Parquet, in
  // their order, with the ids of `schema`'s fields. `key` tells files apart; the name stays good
  // until Forget.
  using RowsMaker = std::function<Result<std::unique_ptr<BatchStream>>()>;
  virtual std::string NameOfRows(const std::string& key, Schema schema, RowsMaker rows) = 0;
  // Drops the names that NameOfRows gave.
  virtual void Forget() = 0;
};

}  // namespace tarn
