-- Tables made, filled and read.
CREATE TABLE people (id BIGINT NOT NULL, name STRING COMMENT 'as they say it', born DATE);
--message created

INSERT INTO people VALUES (1, 'Ada', DATE '1815-12-10'), (2, 'Grace', DATE '1906-12-09');
--message 2 rows inserted into

INSERT INTO people (name, id) VALUES ('Alan', 3);
SELECT id, name, born FROM people ORDER BY id;
-->id|name|born
--|1|Ada|1815-12-10
--|2|Grace|1906-12-09
--|3|Alan|NULL

-- Every spelling of a name means the same table.
SELECT count(*) FROM default.people;
--|3
SELECT count(*) FROM "people";
--|3
SELECT count(*) FROM `default`.`people`;
--|3
SELECT people.name FROM default.people WHERE default.people.id = 1;
--|Ada
SELECT p.name FROM people AS p WHERE p.id = 1;
--|Ada

-- A CTE shadows a table, a string that looks like one is none.
WITH people AS (SELECT 7 AS id) SELECT id FROM people;
--|7
SELECT 'FROM people' AS people, (SELECT max(id) FROM people) AS m;
--|FROM people|3
SELECT a.name, b.name FROM people a JOIN people b ON a.id + 1 = b.id ORDER BY a.id;
--|Ada|Grace
--|Grace|Alan

INSERT INTO people SELECT id + 10, name, born FROM people;
--message 3 rows
SELECT count(*) FROM people;
--|6

INSERT INTO people BY NAME SELECT 'Edsger' AS name, 20 AS id;
SELECT name, born FROM people WHERE id = 20;
--|Edsger|NULL

INSERT INTO people VALUES (1, 'x');
--error invalid: wants 3 columns (id, name, born), the rows have 2
INSERT INTO people (id, nmae) VALUES (1, 'x');
--error invalid: did you mean 'name'?
INSERT INTO people VALUES (NULL, 'x', NULL);
--error invalid: id
INSERT INTO people VALUES ('not a number', 'x', NULL);
--error invalid: not a number
CREATE TABLE people (id INT);
--error already exists: people
CREATE TABLE IF NOT EXISTS people (id INT);
--message exists already
SELECT * FROM peple;
--error not found: peple
SELECT * FROM people WHERE nothing = 1;
--error invalid: nothing

DROP TABLE people;
SELECT * FROM people;
--error not found: people
DROP TABLE people;
--error not found: people
DROP TABLE IF EXISTS people;
