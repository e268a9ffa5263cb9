#pragma once

#include "tarn/model/snapshot.h"
#include "tarn/sql/statement.h"

namespace tarn {

struct StatementContext;

// Upkeep that a table asks for: with the property `tarn.upkeep.commits` = N, after every N commits,
// whoever makes them, small files are written together and what its retention lets go is forgotten
// (`CALL system.upkeep`).

bool AsksForUpkeep(const Snapshot& snapshot);

// Whether the commits between two states of a table complete such a number. False for a table that
// does not ask, and for versions that do not count on.
bool UpkeepIsDue(const Snapshot& before, const Snapshot& after);

// Runs it after a statement that wrote to `name`, if it is due. What it cannot do is logged: the
// statement stands, and the next upkeep does it.
void RunUpkeepAfterStatement(StatementContext& context, const sql::TableName& name);

}  // namespace tarn
