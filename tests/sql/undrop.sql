CREATE TABLE u (id INT, gone STRING) TBLPROPERTIES ('delta.columnMapping.mode' = 'name');
INSERT INTO u VALUES (1, 'kept');
ALTER TABLE u DROP COLUMN gone;
SELECT * FROM u;
-->id
ALTER TABLE u UNDROP COLUMN gone;
SELECT id, gone FROM u;
--|1|kept
ALTER TABLE u UNDROP COLUMN gone;
--error already exists: gone
ALTER TABLE u UNDROP COLUMN never;
--error not found: never
