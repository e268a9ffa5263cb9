#pragma once

#include "tarn/base/result.h"
#include "tarn/sql/statement.h"
#include "tarn/sql/token_cursor.h"

namespace tarn::sql {

// Whether an action of ALTER TABLE on a branch or tag stands at the cursor: CREATE, CREATE OR
// REPLACE, REPLACE or DROP, then BRANCH or TAG and a name.
bool LooksAtReferenceAction(const TokenCursor& cursor);

// CREATE [OR REPLACE] BRANCH [IF NOT EXISTS] b [AS OF VERSION 1] [RETAIN 7 DAYS]
//   [WITH SNAPSHOT RETENTION 3 SNAPSHOTS [2 DAYS] | WITH SNAPSHOT RETENTION 2 DAYS]
// REPLACE BRANCH b …; the same of TAG, but for the retention of snapshots;
// DROP BRANCH | TAG [IF EXISTS] b. kInvalid naming the place.
Result<ChangeReference> ParseReferenceAction(TokenCursor& cursor);

// CALL procedure(value, name => value, …), the cursor behind CALL; the name may be dotted.
Result<Call> ParseCall(TokenCursor& cursor);

}  // namespace tarn::sql
