#pragma once

#include <memory>
#include <string>

#include "tarn/base/runtime.h"
#include "tarn/table/committer.h"
#include "tarn/table/table_format.h"
#include "tarn/table/table_home.h"

namespace tarn {

// A table that can be read and, with `committer`, written: home, codec and committer together.
// Holds no snapshot: Load gives one. Move-only; thread-safe but for home.head.
struct Table {
  std::string name;  // as the user said it, for messages
  TableHome home;
  const TableFormat* format = nullptr;
  Storage* storage = nullptr;                      // null: read-only
  std::unique_ptr<Committer> committer = nullptr;  // null: read-only

  Result<Snapshot> Load(const AsOf& as_of = Newest{}) const { return format->Load(home, as_of); }
};

}  // namespace tarn
