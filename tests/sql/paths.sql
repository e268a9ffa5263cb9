-- Tables by path, without the catalog; files by DuckDB itself.
CREATE TABLE delta.`${LAKE}/by_path` (id INT);
INSERT INTO delta.`${LAKE}/by_path` VALUES (1), (2);
SELECT count(*) FROM '${LAKE}/by_path';
--|2
SELECT by_path.id FROM '${LAKE}/by_path' WHERE by_path.id = 2;
--|2
SELECT count(*) FROM '${LAKE}/by_path'.history;
--|2
SELECT count(*) FROM '${LAKE}/by_path' VERSION AS OF 0;
--|0
SELECT count(*) FROM '${SHARED}/fixtures/delta/dat-basic-append/expected.parquet';
--contains 5
SELECT count(*) FROM '${LAKE}/nothing_here';
--error not found: nothing_here
