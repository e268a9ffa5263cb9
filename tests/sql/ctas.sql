-- CREATE TABLE … AS SELECT: types, partitions, replacement.
CREATE TABLE numbers PARTITIONED BY (part) TBLPROPERTIES ('k' = 'v') AS
SELECT i AS n, (i / 2)::DECIMAL(10, 2) AS half, i % 3 AS part, 'row ' || i AS text,
       {'a': i, 'b': [i, i + 1]} AS s, MAP {'k': i} AS m, i::DOUBLE AS d,
       TIMESTAMPTZ '2026-01-01 00:00:00+00' AS at
FROM range(10) r(i);
--message 10 rows

SELECT part, count(*), sum(n) FROM numbers GROUP BY part ORDER BY part;
--|0|4|18
--|1|3|12
--|2|3|15
SELECT s.b[2], m['k'], half, text FROM numbers WHERE n = 7;
--|8|7|3.50|row 7
SELECT part, files, record_count FROM numbers.partitions ORDER BY part;
--|0|1|4
--|1|1|3
--|2|1|3
SELECT count(*) FROM numbers.files;
--|3
EXPLAIN SELECT n FROM numbers WHERE part = 1;
--contains 1 of 3
EXPLAIN SELECT n FROM numbers WHERE n > 100;
--contains 0 of 3
SELECT count(*) FROM numbers WHERE part = 1 AND n > 3;
--|2

CREATE OR REPLACE TABLE numbers AS SELECT 1 AS n;
SELECT * FROM numbers;
-->n
--|1
SELECT count(*) FROM numbers VERSION AS OF 0;
--|10
CREATE TABLE bad AS SELECT 1 AS n, 2 AS N;
--error invalid: two columns
SELECT * FROM bad;
--error not found: bad
