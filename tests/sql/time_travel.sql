-- Versions and times.
CREATE TABLE t (id INT);
INSERT INTO t VALUES (1);
INSERT INTO t VALUES (2);
INSERT INTO t VALUES (3);
SELECT count(*) FROM t VERSION AS OF 2;
--|2
SELECT count(*) FROM t AT (VERSION => 1);
--|1
SELECT count(*) FROM t FOR VERSION AS OF 0;
--|0
SELECT count(*) FROM t AT (VERSION => 1 + 1);
--|2
SELECT a.id FROM t VERSION AS OF 3 AS a LEFT JOIN t VERSION AS OF 1 AS b USING (id) WHERE b.id IS NULL ORDER BY 1;
--|2
--|3
SELECT count(*) FROM t TIMESTAMP AS OF '2999-01-01';
--|3
SELECT count(*) FROM t AT (TIMESTAMP => now());
--|3
SELECT count(*) FROM t TIMESTAMP AS OF '1999-01-01';
--error not found: 1999
SELECT count(*) FROM t VERSION AS OF 99;
--error not found: 99
SELECT 'VERSION AS OF 3' AS t;
--|VERSION AS OF 3
SELECT version, operation FROM t.history ORDER BY version LIMIT 2;
--|0|CREATE TABLE
--|1|WRITE
SELECT count(*) FROM t.history VERSION AS OF 1;
--|2
SELECT id, _change_type, _commit_version FROM t.changes(2, 3) ORDER BY id;
--|2|insert|2
--|3|insert|3
SELECT count(*) FROM t.changes(0, 0);
--|0
SELECT * FROM t.changes(3, 2);
--error invalid: after
DELETE FROM t WHERE id = 2;
--message 1 row deleted
SELECT id, _change_type FROM t.changes(4, 4) ORDER BY id, _change_type;
--|2|delete

-- Rows taken by deletion vectors, one commit after another.
CREATE TABLE dv TBLPROPERTIES ('delta.enableDeletionVectors' = 'true') AS SELECT i FROM range(6) r(i);
DELETE FROM dv WHERE i = 3;
DELETE FROM dv WHERE i IN (1, 5);
SELECT i, _change_type, _commit_version FROM dv.changes(1, 2) ORDER BY i;
--|1|delete|2
--|3|delete|1
--|5|delete|2
SELECT _change_type, count(*) FROM dv.changes(0, 2) GROUP BY 1 ORDER BY 1;
--|delete|3
--|insert|6
SELECT i FROM dv ORDER BY i;
--|0
--|2
--|4
-- Change data where the table keeps it.
CREATE TABLE cdf (i INT, s STRING) TBLPROPERTIES ('delta.enableChangeDataFeed' = 'true');
INSERT INTO cdf VALUES (1, 'a'), (2, 'b');
DELETE FROM cdf WHERE i = 1;
SELECT i, s, _change_type, _commit_version FROM cdf.changes(0, 2) ORDER BY _commit_version, i;
--|1|a|insert|1
--|2|b|insert|1
--|1|a|delete|2
