-- What goes and what stays.
CREATE TABLE d (id INT, day DATE, v STRING) PARTITIONED BY (day);
INSERT INTO d VALUES (1, '2026-01-01', 'a'), (2, '2026-01-01', 'b'), (3, '2026-01-02', 'c'), (4, NULL, 'd');

INSERT OVERWRITE d PARTITION (day = '2026-01-01') VALUES (9, 'z');
SELECT id, day, v FROM d ORDER BY id;
--|3|2026-01-02|c
--|4|NULL|d
--|9|2026-01-01|z

-- Dynamic: only the partitions that the rows fall into.
INSERT OVERWRITE d PARTITION (day) SELECT 30, 'cc', DATE '2026-01-02';
SELECT id, day, v FROM d ORDER BY id;
--|4|NULL|d
--|9|2026-01-01|z
--|30|2026-01-02|cc

INSERT OVERWRITE d VALUES (1, '2026-02-01', 'only'), (2, '2026-02-02', 'two');
SELECT id FROM d ORDER BY id;
--|1
--|2
INSERT OVERWRITE d PARTITION (v = 'x') VALUES (1, '2026-02-01');
--error invalid: no partition column

-- Deletes are exact: NULL stays, subqueries work, metadata alone where it can.
INSERT INTO d VALUES (3, '2026-02-02', NULL), (4, '2026-02-03', 'four');
DELETE FROM d WHERE v <> 'two';
--message 2 rows deleted
SELECT id FROM d ORDER BY id;
--|2
--|3
DELETE FROM d WHERE id IN (SELECT max(id) FROM d);
--message 1 row deleted
DELETE FROM d WHERE id = 77;
--message 0 rows deleted
DELETE FROM d WHERE day = '2026-02-02';
--message 1 row deleted
SELECT count(*) FROM d;
--|0
INSERT INTO d VALUES (5, '2026-03-01', 'x');
TRUNCATE TABLE d;
SELECT count(*) FROM d;
--|0

-- Updates.
INSERT INTO d VALUES (1, '2026-01-01', 'a'), (2, '2026-01-02', 'b'), (3, NULL, NULL);
UPDATE d SET v = v || '!', day = DATE '2026-05-05' WHERE id <= 2;
--message 2 rows updated
SELECT id, day, v FROM d ORDER BY id;
--|1|2026-05-05|a!
--|2|2026-05-05|b!
--|3|NULL|NULL
UPDATE d SET v = 'n' WHERE v IS NULL;
--message 1 row
UPDATE d SET id = id + (SELECT max(id) FROM d);
--message 3 rows
SELECT id, v FROM d ORDER BY id;
--|4|a!
--|5|b!
--|6|n
UPDATE d SET nothing = 1;
--error not found: nothing

-- Rows replaced by a predicate over ordinary columns, by rows read from the table itself: what goes is
-- looked up by the session that gives the new rows.
CREATE TABLE r (id INT, day INT, v INT) PARTITIONED BY (day);
INSERT INTO r SELECT i, i % 3, 0 FROM range(30) t(i);
INSERT INTO r REPLACE WHERE day = 1 AND id < 10 SELECT id, day, 7 AS v FROM r WHERE day = 1 AND id < 10;
--message 3 rows written
SELECT count(*), sum(v), sum(id) FROM r;
--|30|21|435
INSERT INTO r REPLACE WHERE id >= 20 VALUES (20, 2, 1), (21, 0, 1);
--message 2 rows written
SELECT count(*), sum(v), max(id) FROM r;
--|22|23|21
INSERT INTO r REPLACE WHERE id = 5 VALUES (6, 0, 1);
--error invalid: does not match
SELECT count(*), sum(v), max(id) FROM r;
--|22|23|21
