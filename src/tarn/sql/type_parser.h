#pragma once

#include <cstdint>
#include <string>

#include "tarn/base/result.h"
#include "tarn/model/types.h"
#include "tarn/sql/token_cursor.h"

namespace tarn::sql {

// A type at the cursor, in Spark's, Hive's, DuckDB's or the model's spelling, ids 0 at every depth:
// BIGINT, LONG, INT8 (8 bytes in DuckDB's and PostgreSQL's sense is refused as ambiguous),
// DECIMAL(10, 2), VARCHAR(20), STRUCT<a: INT NOT NULL COMMENT 'x', b STRING>, STRUCT(a INT),
// ARRAY<INT>, INT[], MAP<STRING, INT>, MAP(VARCHAR, INT). kInvalid naming place and word.
// A plain TIMESTAMP is an instant (kTimestampTz) in the DDL of tables, as in Delta and Spark, but
// has no zone in DuckDB's casts; TIMESTAMP_NTZ never has one, TIMESTAMPTZ and TIMESTAMP_LTZ always
// do.
enum class PlainTimestamp : uint8_t { kInstant, kWithoutZone };
Result<Type> ParseType(TokenCursor& cursor, PlainTimestamp plain = PlainTimestamp::kInstant);

// The type as DuckDB spells it in casts: "STRUCT(a INTEGER)[]".
std::string TypeToDuckDb(const Type& type);

}  // namespace tarn::sql
