"""Tables that Tarn writes, one for each feature it can write: what every peer is asked to read."""

SCALARS = """
CREATE TABLE {t} (
  b BOOLEAN, i8 TINYINT, i16 SMALLINT, i32 INT, i64 BIGINT, f FLOAT, d DOUBLE,
  small DECIMAL(5,2), large DECIMAL(38,10), day DATE, at TIMESTAMP, s STRING, raw BINARY);
INSERT INTO {t} VALUES
  (true, 127, 32767, 2147483647, 9223372036854775807, 1.5, 'NaN'::DOUBLE, 999.99,
   1234567890123456789012345678.0123456789, '2026-11-30', '2026-11-30 10:00:00.123456', 'é😀', '\\x00\\xFF'::BLOB),
  (false, -128, -32768, -2147483648, -9223372036854775808, -0.0, 'Infinity'::DOUBLE, -999.99,
   -0.0000000001, '1600-01-01', '1969-12-31 23:59:59.999999', '', ''::BLOB),
  (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
"""

NESTED = """
CREATE TABLE {t} (id INT, s STRUCT<a: INT, b: STRUCT<c: STRING>>, l ARRAY<STRUCT<x: INT>>, m MAP<STRING, INT>);
INSERT INTO {t} VALUES
  (1, {{'a': 1, 'b': {{'c': 'x'}}}}, [{{'x': 1}}, NULL, {{'x': NULL}}], MAP {{'k': 1}}),
  (2, {{'a': NULL, 'b': NULL}}, [], MAP {{}}),
  (3, NULL, NULL, NULL);
"""

PARTITIONED = """
CREATE TABLE {t} (id INT, day DATE, city STRING) PARTITIONED BY (day, city);
INSERT INTO {t} VALUES (1, '2026-01-01', 'Ulm'), (2, '2026-01-01', 'A/B %2F é 😀'), (3, NULL, 'x=y'), (4, '2026-01-02', NULL);
"""

# name → statements. {t} is the table, {{ }} are braces.
TABLES = {
    "scalars": SCALARS,
    "ancient-dates": "CREATE TABLE {t} (day DATE, at TIMESTAMP);"
    + "INSERT INTO {t} VALUES ('0001-01-01', '1000-01-01 00:00:00'), ('9999-12-31', '9999-12-31 23:59:59.999999');",
    "nested": NESTED,
    "partitioned": PARTITIONED,
    "empty": "CREATE TABLE {t} (id INT, s STRING);",
    "many-commits": "CREATE TABLE {t} (id INT);" + "".join(f"INSERT INTO {{t}} VALUES ({n});" for n in range(24)),
    "overwritten": PARTITIONED
    + "INSERT OVERWRITE {t} PARTITION (day = '2026-01-01', city = 'Ulm') SELECT 10;"
    + "DELETE FROM {t} WHERE id = 2;",
    "deleted-rows": "CREATE TABLE {t} AS SELECT i::INT AS id, i % 7 AS k FROM range(1000) r(i);"
    + "DELETE FROM {t} WHERE k = 3;",
    "deletion-vectors": "CREATE TABLE {t} (id INT, k BIGINT) TBLPROPERTIES ('delta.enableDeletionVectors' = 'true');"
    + "INSERT INTO {t} SELECT i::INT, i % 7 FROM range(1000) r(i);"
    + "DELETE FROM {t} WHERE k = 3; DELETE FROM {t} WHERE id < 10;",
    "column-added": "CREATE TABLE {t} (id INT); INSERT INTO {t} VALUES (1);"
    + "ALTER TABLE {t} ADD COLUMN s STRING; INSERT INTO {t} VALUES (2, 'b');",
    "mapping-by-name": NESTED
    + "ALTER TABLE {t} RENAME COLUMN s TO record; ALTER TABLE {t} RENAME COLUMN record.a TO first;"
    + "ALTER TABLE {t} DROP COLUMN m; ALTER TABLE {t} ADD COLUMN m STRING;"
    + "INSERT INTO {t} VALUES (4, {{'first': 4, 'b': {{'c': 'y'}}}}, [], 'text');",
    "mapping-by-name-partitioned": PARTITIONED
    + "ALTER TABLE {t} RENAME COLUMN city TO town; INSERT INTO {t} VALUES (5, '2026-01-03', 'Bonn');",
    "mapping-by-id": "CREATE TABLE {t} (id INT, s STRING) TBLPROPERTIES ('delta.columnMapping.mode' = 'id');"
    + "INSERT INTO {t} VALUES (1, 'a'); ALTER TABLE {t} RENAME COLUMN s TO text; INSERT INTO {t} VALUES (2, 'b');",
    "timestamp-ntz": "CREATE TABLE {t} (id INT, at TIMESTAMP_NTZ);"
    + "INSERT INTO {t} VALUES (1, '2026-11-30 10:00:00.000001'), (2, NULL);",
    "in-commit-timestamps": "CREATE TABLE {t} (id INT) TBLPROPERTIES ('delta.enableInCommitTimestamps' = 'true');"
    + "INSERT INTO {t} VALUES (1); INSERT INTO {t} VALUES (2);",
    "change-data-feed": "CREATE TABLE {t} (id INT, s STRING) TBLPROPERTIES ('delta.enableChangeDataFeed' = 'true');"
    + "INSERT INTO {t} VALUES (1, 'a'), (2, 'b'), (3, 'c'); DELETE FROM {t} WHERE id = 2;"
    + "UPDATE {t} SET s = upper(s) WHERE id = 3;",
    "constraints": "CREATE TABLE {t} (id INT NOT NULL, n INT); ALTER TABLE {t} ADD CONSTRAINT positive CHECK (n IS NULL OR n > 0);"
    + "INSERT INTO {t} VALUES (1, 1), (2, NULL);",
    "append-only": "CREATE TABLE {t} (id INT) TBLPROPERTIES ('delta.appendOnly' = 'true'); INSERT INTO {t} VALUES (1);",
}
