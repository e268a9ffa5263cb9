#pragma once

#include <memory>
#include <string>

#include "tarn/base/path.h"
#include "tarn/base/result.h"
#include "tarn/duck/duck_session.h"
#include "tarn/storage/storage.h"

namespace tarn {

// Objects of storages as files of DuckDB: those without a native name are opened as
// "tarn://<number of the store>/<path>" through ObjectReader. Reads only. Thread-safe.
class ObjectFiles {
 public:
  // Adds the scheme to the session's DuckDB; once per session.
  static Result<std::shared_ptr<ObjectFiles>> Mount(DuckSession& session);
  virtual ~ObjectFiles() = default;

  // The name under which DuckDB opens the object. `storage` must outlive its use.
  virtual std::string NameOf(const Storage& storage, const Path& path) = 0;
};

}  // namespace tarn
