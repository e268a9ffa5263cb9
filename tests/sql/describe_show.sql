CREATE TABLE one (id INT NOT NULL, day DATE COMMENT 'when') PARTITIONED BY (day);
CREATE NAMESPACE sales;
CREATE TABLE sales.orders (id INT);
SHOW TABLES;
--|default|one
--|sales|orders
SHOW TABLES IN sales;
--|sales|orders
SHOW TABLES LIKE 'on*';
--|default|one
DESCRIBE one;
-->column_name|column_type|null|default|partition|comment
--|id|INTEGER|NO|NULL|NULL|NULL
--|day|DATE|YES|NULL|identity|when
DESCRIBE SELECT 1 AS x;
--contains x|INTEGER
USE sales;
SELECT count(*) FROM orders;
--|0
SHOW CREATE TABLE default.one;
--contains PARTITIONED BY (day)
DESCRIBE HISTORY default.one;
--contains CREATE TABLE
CREATE VIEW v AS SELECT count(*) AS n FROM orders;
SELECT n FROM v;
--|0
INSERT INTO orders VALUES (1);
-- A view sees the newest state.
SELECT n FROM v;
--|1
DROP NAMESPACE sales;
--error invalid: sales
