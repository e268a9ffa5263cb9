-- Columns come, go and change their names; files stay.
CREATE TABLE a (id INT NOT NULL, v STRING, s STRUCT<x: INT, y: STRING>);
INSERT INTO a VALUES (1, 'one', {'x': 10, 'y': 'p'});
ALTER TABLE a ADD COLUMN extra DOUBLE COMMENT 'later';
SELECT id, extra FROM a;
--|1|NULL
INSERT INTO a VALUES (2, 'two', {'x': 20, 'y': 'q'}, 2.5);
SELECT id, extra FROM a WHERE extra IS NOT NULL;
--|2|2.5
ALTER TABLE a ADD COLUMNS (s.z BIGINT);
SELECT id, s.z FROM a ORDER BY id;
--|1|NULL
--|2|NULL
ALTER TABLE a ADD COLUMN v INT;
--error already exists: v
-- Without a person to ask, the first rename is refused, saying what it would do.
ALTER TABLE a RENAME COLUMN v TO word;
--error invalid: column mapping
ALTER TABLE a SET TBLPROPERTIES ('delta.columnMapping.mode' = 'name');
ALTER TABLE a RENAME COLUMN v TO word;
--message altered
SELECT id, word FROM a ORDER BY id;
--|1|one
--|2|two
ALTER TABLE a RENAME COLUMN s.x TO number;
SELECT s.number FROM a WHERE s.number > 10;
--|20
SELECT v FROM a;
--error invalid: v
ALTER TABLE a DROP COLUMN word;
SELECT * FROM a ORDER BY id;
-->id|s|extra
ALTER TABLE a ADD COLUMN word STRING;
-- A new column of an old name revives nothing.
SELECT word FROM a;
--|NULL
--|NULL
ALTER TABLE a DROP COLUMN word;
ALTER TABLE a DROP COLUMN missing;
--error not found: missing

ALTER TABLE a ADD CONSTRAINT positive CHECK (id > 0);
INSERT INTO a (id) VALUES (0);
--error invalid: positive
ALTER TABLE a ADD CONSTRAINT small CHECK (id < 2);
--error invalid: small
ALTER TABLE a DROP CONSTRAINT positive;
INSERT INTO a (id) VALUES (0);
ALTER TABLE a ALTER COLUMN id DROP NOT NULL;
INSERT INTO a (extra) VALUES (1);
SELECT count(*) FROM a WHERE id IS NULL;
--|1
ALTER TABLE a UNSET TBLPROPERTIES ('nothing');
--error not found: nothing
