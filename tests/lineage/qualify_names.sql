### use-database | hive | ods.t(a) dw.r(x)
USE dw; INSERT INTO r SELECT a FROM ods.t
=>
reads: ods.t
writes: dw.r
dw.r.x <- ods.t.a

### use-catalog-and-schema | trino | iceberg.dw.t(a) iceberg.dw.r(x)
USE iceberg.dw; INSERT INTO r SELECT a FROM t
=>
reads: iceberg.dw.t
writes: iceberg.dw.r
iceberg.dw.r.x <- iceberg.dw.t.a

### use-then-qualified | spark | dw.t(a) ods.t(a) dw.r(x)
USE dw; INSERT INTO r SELECT t.a FROM ods.t t JOIN t AS mine ON t.a = mine.a
=>
reads: ods.t, dw.t
writes: dw.r
dw.r.x <- ods.t.a
rows <- ods.t.a join, dw.t.a join

### default-database-of-hive | hive | default.t(a) default.r(x)
insert into r select a from t
=>
reads: default.t
writes: default.r
default.r.x <- default.t.a

### folded-names | spark | d.t(a)
CREATE TABLE D.NewTable AS SELECT T.A AS Big FROM d.T
=>
reads: d.t
writes: d.newtable
d.newtable.big <- d.t.a

### quoted-names-of-postgres-keep-case | postgres |
create table d."Mixed" as select t."Id", t.Plain from d."Src" t
=>
reads: d.Src
writes: d.Mixed
d.Mixed.Id <- d.Src.Id
d.Mixed.plain <- d.Src.plain
warns: unknown_table

### trino-folds-quoted-names | trino | d.t(id)
create table d.r as select "ID" from "D"."T"
=>
reads: d.t
writes: d.r
d.r.id <- d.t.id

### dot-in-quotes-is-no-separator | spark | db.`x.y`(k)
create table db.r as select a.k from db.`x.y` a
=>
reads: db.`x.y`
writes: db.r
db.r.k <- db.`x.y`.k

### hive-takes-both-parts-in-one-pair-of-ticks | hive | db.t(k)
create table `db.r` as select k from `db.t`
=>
reads: db.t
writes: db.r
db.r.k <- db.t.k

### dot-in-a-quoted-target | spark | db.t(k)
insert into db.`a.b` select k from db.t
=>
reads: db.t
writes: db.`a.b`
db.`a.b`.k <- db.t.k

### three-parts-both-sides | trino | hive.d.a(x) mysql.d.b(x)
create table hive.d.r as select a.x from hive.d.a a join mysql.d.b b on a.x = b.x
=>
reads: hive.d.a, mysql.d.b
writes: hive.d.r
hive.d.r.x <- hive.d.a.x
rows <- hive.d.a.x join, mysql.d.b.x join

### qualified-by-whole-name | spark | d.t(a) d.r(x)
insert into d.r select d.t.a from d.t where d.t.a > 0
=>
reads: d.t
writes: d.r
d.r.x <- d.t.a
rows <- d.t.a filter

### qualified-by-catalog | trino | c.d.t(a)
create table c.d.r as select c.d.t.a from c.d.t
=>
reads: c.d.t
writes: c.d.r
c.d.r.a <- c.d.t.a

### variable-in-a-name | hive | ods.t(a)
set hivevar:src=ods; create table dw.r as select a from ${hivevar:src}.t
=>
reads: ods.t
writes: dw.r
dw.r.a <- ods.t.a

### variable-in-a-literal | hive | d.t(a, dt) d.r(a)
insert overwrite table d.r select a from d.t where dt = '${hiveconf:day}'
=>
reads: d.t
writes: d.r
d.r.a <- d.t.a
rows <- d.t.dt filter

### jinja-in-a-predicate | spark | d.t(a, dt)
create table d.r as select a from d.t where dt >= '{{ start }}' and dt < {{ end }}
=>
reads: d.t
writes: d.r
d.r.a <- d.t.a
rows <- d.t.dt filter

### parameter-in-a-predicate | postgres | d.t(a, dt)
create table d.r as select a from d.t where dt = :day
=>
reads: d.t
writes: d.r
d.r.a <- d.t.a
rows <- d.t.dt filter

### dbt-ref-and-source | spark | stg.orders(id, amt)
select o.id, s.x from {{ source('stg', 'orders') }} o join {{ ref('dim') }} s on o.id = s.id
=>
reads: stg.orders, default.dim
writes:
<query>.id <- stg.orders.id
<query>.x <- default.dim.x
rows <- stg.orders.id join, default.dim.id join
warns: unknown_table

### files-by-path-of-spark | spark | d.r(a)
insert into d.r select a from csv.`s3://b/in.csv`
=>
reads: path:s3://b/in.csv
writes: d.r
d.r.a <- path:s3://b/in.csv.a

### files-by-path-of-duckdb | duckdb |
create table r as select x.a, y.b from 'in/a.parquet' x join read_csv('in/b.csv') y on x.a = y.a
=>
reads: path:in/a.parquet, path:in/b.csv
writes: r
r.a <- path:in/a.parquet.a
r.b <- path:in/b.csv.b
rows <- path:in/a.parquet.a join, path:in/b.csv.a join

### delta-by-path | spark | d.r(a, b)
insert into d.r select * from (select a, b from delta.`/lake/t`) x
=>
reads: path:/lake/t
writes: d.r
d.r.a <- path:/lake/t.a
d.r.b <- path:/lake/t.b
