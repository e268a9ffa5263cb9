#pragma once

#include <optional>
#include <string>

#include "tarn/base/result.h"

namespace tarn {

// The row of a SQL catalog that points to a table's newest metadata. Spelled exactly as in the row.
struct PointerKey {
  std::string catalog_name;
  std::string table_namespace;
  std::string table_name;
};

// Pointers that are swapped by comparing: what tables have for a head whose truth a database keeps.
// Thread-safe; several processes may use one database at once.
class PointerStore {
 public:
  virtual ~PointerStore() = default;

  // Where the newest metadata is; nothing if there is no such table.
  virtual Result<std::optional<std::string>> Find(const PointerKey& key) const = 0;
  // Puts `next` in the place of `expected`, or makes the row if nothing is expected; false, and
  // nothing has changed, if the row says something else. kAlreadyExists for a row to be made whose
  // name another kind of entry has, or one that differs only by case. kUnknownOutcome: it may have
  // happened.
  virtual Result<bool> Swap(const PointerKey& key, const std::optional<std::string>& expected,
                            const std::string& next) = 0;
};

}  // namespace tarn
