### reference-example | hive | default.dual(id, name)
create table temp.lineage_test as select coalesce(name, count(id)) lineage_name from default.dual group by id, name
=>
reads: default.dual
writes: temp.lineage_test
temp.lineage_test.lineage_name <- default.dual.name transformation, default.dual.id aggregation
rows <- default.dual.id group by, default.dual.name group by

### ctas-names-from-aliases | hive | d.s(a, b)
create table d.r stored as parquet as select a as x, b y from d.s
=>
reads: d.s
writes: d.r
d.r.x <- d.s.a
d.r.y <- d.s.b

### ctas-with-names | trino | d.s(a, b)
create table d.r (p, q) as select b, a from d.s
=>
reads: d.s
writes: d.r
d.r.p <- d.s.b
d.r.q <- d.s.a

### ctas-unnamed-of-hive | hive | d.s(a)
create table d.r as select a, a + 1 from d.s
=>
reads: d.s
writes: d.r
d.r.a <- d.s.a
d.r._c1 <- d.s.a transformation

### ctas-unnamed-after-a-star | hive | d.s(a, b)
create table d.r as select *, a + 1 from d.s
=>
reads: d.s
writes: d.r
d.r.a <- d.s.a
d.r.b <- d.s.b
d.r._c1 <- d.s.a transformation

### ctas-iceberg-partitioned | spark | d.s(id, ts)
create table d.r using iceberg partitioned by (bucket(8, id), months(ts)) as select id, ts from d.s
=>
reads: d.s
writes: d.r
d.r.id <- d.s.id
d.r.ts <- d.s.ts

### replace-table | spark | d.s(id, a)
replace table d.r using delta options ('x' = 'y') as select id, a * 2 as aa from d.s
=>
reads: d.s
writes: d.r
d.r.id <- d.s.id
d.r.aa <- d.s.a transformation

### ctas-with-properties | trino | d.s(id, dt)
create table d.r with (format = 'ORC', partitioned_by = array['dt']) as select id, dt from d.s with data
=>
reads: d.s
writes: d.r
d.r.id <- d.s.id
d.r.dt <- d.s.dt

### insert-by-position-not-name | trino | d.s(a, b) d.r(b, a)
insert into d.r select a, b from d.s
=>
reads: d.s
writes: d.r
d.r.b <- d.s.a
d.r.a <- d.s.b

### insert-position-of-expressions | hive | d.s(a, b) d.r(x, y, z)
insert into table d.r select a + b, 1, b from d.s
=>
reads: d.s
writes: d.r
d.r.x <- d.s.a transformation, d.s.b transformation
d.r.y <-
d.r.z <- d.s.b

### insert-position-through-aliases | spark | d.s(a, b) d.r(x, y)
insert overwrite d.r select a as y, b as x from d.s
=>
reads: d.s
writes: d.r
d.r.x <- d.s.a
d.r.y <- d.s.b

### insert-unknown-target | spark | d.s(a, b)
insert into d.r select a, b as c from d.s
=>
reads: d.s
writes: d.r
d.r.a <- d.s.a
d.r.c <- d.s.b

### column-list-in-another-order | trino | d.s(a, b) d.r(x, y, z)
insert into d.r (z, x) select a, b from d.s
=>
reads: d.s
writes: d.r
d.r.z <- d.s.a
d.r.x <- d.s.b

### column-list-of-an-unknown-table | postgres | d.s(a, b)
insert into d.r (p, q) select b, a from d.s
=>
reads: d.s
writes: d.r
d.r.p <- d.s.b
d.r.q <- d.s.a

### column-list-and-a-star | spark | d.s(a, b) d.r(x, y, z)
insert into d.r (y, z) select * from d.s
=>
reads: d.s
writes: d.r
d.r.y <- d.s.a
d.r.z <- d.s.b

### column-list-then-with | trino | d.s(a) d.r(x)
insert into d.r (x) with c as (select a + 1 as n from d.s) select n from c
=>
reads: d.s
writes: d.r
d.r.x <- d.s.a transformation

### with-before-insert-and-list | spark | d.s(a) d.r(x, y)
with c as (select a from d.s) insert into d.r (y) select a from c
=>
reads: d.s
writes: d.r
d.r.y <- d.s.a

### list-and-nested-with | postgres | d.s(a, b) d.r(x, y)
insert into d.r (y, x) with c as (with e as (select a, b from d.s) select b, a from e) select * from c
=>
reads: d.s
writes: d.r
d.r.y <- d.s.b
d.r.x <- d.s.a

### by-name | spark | d.s(a, b) d.r(b, a)
insert into d.r by name select a, b from d.s
=>
reads: d.s
writes: d.r
d.r.a <- d.s.a
d.r.b <- d.s.b

### dynamic-partition | hive | d.s(a, b, day) d.r(x, y, dt)
insert overwrite table d.r partition (dt) select a, b, day from d.s
=>
reads: d.s
writes: d.r
d.r.x <- d.s.a
d.r.y <- d.s.b
d.r.dt <- d.s.day
partition: d.r.dt dynamic

### static-then-dynamic-partition | hive | d.s(a, h) d.r(x, dt, hr)
insert into table d.r partition (dt = '1', hr) select a, h from d.s
=>
reads: d.s
writes: d.r
d.r.x <- d.s.a
d.r.hr <- d.s.h
d.r.dt <-
partition: d.r.dt '1', d.r.hr dynamic

### static-partition-takes-no-item | spark | d.s(a, b) d.r(x, y, ds)
insert overwrite table d.r partition (ds = 20240101) select a, max(b) from d.s group by a
=>
reads: d.s
writes: d.r
d.r.x <- d.s.a
d.r.y <- d.s.b aggregation
d.r.ds <-
rows <- d.s.a group by
partition: d.r.ds 20240101

### static-partition-with-if | hive | d.s(st, v) d.r(n, dt)
insert overwrite table d.r partition (dt = '${day}') if not exists select sum(if(st > 0, v, 0)) from d.s
=>
reads: d.s
writes: d.r
d.r.n <- d.s.st conditional, d.s.v aggregation
d.r.dt <-
partition: d.r.dt '${day}'

### static-partition-of-a-case | spark | d.s(st, v) d.r(k, p)
insert into d.r partition (p = 'x') select case when st = 1 then v else null end from d.s
=>
reads: d.s
writes: d.r
d.r.k <- d.s.st conditional, d.s.v transformation
d.r.p <-
partition: d.r.p 'x'

### dynamic-partition-of-an-unknown-table | hive | d.s(a, day)
insert overwrite table d.r partition (dt) select a, day from d.s
=>
reads: d.s
writes: d.r
d.r.a <- d.s.a
d.r.dt <- d.s.day
partition: d.r.dt dynamic

### partition-by-case | hive | d.s(a, c) d.r(x, dt)
insert overwrite table d.r partition (dt) select a, case when c = 1 then 'p' else 'q' end from d.s
=>
reads: d.s
writes: d.r
d.r.x <- d.s.a
d.r.dt <- d.s.c conditional
partition: d.r.dt dynamic

### column-list-and-partition | spark | d.s(a, b) d.r(x, y, dt)
insert into d.r partition (dt = '1') (y, x) select a, b from d.s
=>
reads: d.s
writes: d.r
d.r.y <- d.s.a
d.r.x <- d.s.b
d.r.dt <-
partition: d.r.dt '1'

### too-few-columns | hive | d.s(a) d.r(x, y)
insert into table d.r select a from d.s
=>
reads: d.s
writes: d.r
d.r.x <- d.s.a
warns: column_count

### values-into-a-table | trino | d.r(x, y)
insert into d.r values (1, 'select a from d.t'), (2, 'b')
=>
reads:
writes: d.r
d.r.x <-
d.r.y <-

### values-with-a-list | postgres | d.r(x, y, z)
insert into d.r (z, x) values (1, now())
=>
reads:
writes: d.r
d.r.z <-
d.r.x <-

### values-with-a-subquery | spark | d.s(a, k) d.r(x, y)
insert into d.r values ((select min(a) from d.s where k = 1), 5)
=>
reads: d.s
writes: d.r
d.r.x <- d.s.a aggregation, d.s.k filter
d.r.y <-

### two-rows-of-subqueries | trino | d.s(a) d.t(b) d.r(x)
insert into d.r values (select max(a) from d.s), (select max(b) from d.t)
=>
reads: d.s, d.t
writes: d.r
d.r.x <- d.s.a aggregation, d.t.b aggregation

### values-of-an-expression | hive | d.r(x, y)
insert into d.r values (concat('a', ';', 'b'), current_timestamp())
=>
reads:
writes: d.r
d.r.x <-
d.r.y <-

### view-with-columns | spark | d.s(a, b)
create view d.v (x comment 'first', y) as select b, max(a) from d.s group by b
=>
reads: d.s
writes: d.v
d.v.x <- d.s.b
d.v.y <- d.s.a aggregation
rows <- d.s.b group by

### view-if-not-exists | hive | d.s(a)
create view if not exists d.v as select a as x from d.s where a > 0
=>
reads: d.s
writes: d.v
d.v.x <- d.s.a
rows <- d.s.a filter

### materialized-view-refreshed | trino | d.s(k, v, dt)
create or replace materialized view d.mv comment 'c' with (format = 'orc') as select k, avg(v) as m from d.s group by k
=>
reads: d.s
writes: d.mv
d.mv.k <- d.s.k
d.mv.m <- d.s.v aggregation
rows <- d.s.k group by

### materialized-view-of-hive | hive | d.s(k, v)
create materialized view d.mv as select k, v * 2 as w from d.s
=>
reads: d.s
writes: d.mv
d.mv.k <- d.s.k
d.mv.w <- d.s.v transformation

### materialized-view-is-read-as-a-table | postgres | d.s(k, v)
create materialized view d.mv as select k, v from d.s; create table d.r as select k from d.mv
=>
reads: d.s, d.mv
writes: d.mv, d.r
d.mv.k <- d.s.k
d.mv.v <- d.s.v
d.r.k <- d.mv.k

### alter-view | spark | d.s(a, b) d.v(a)
alter view d.v as select upper(b) as bb from d.s
=>
reads: d.s
writes: d.v
d.v.bb <- d.s.b transformation

### alter-view-renames-all | hive | d.s(a, b) d.v(p, q)
alter view d.v as select b, a from d.s
=>
reads: d.s
writes: d.v
d.v.b <- d.s.b
d.v.a <- d.s.a

### alter-view-with-a-cte | spark | d.s(a) d.v(z)
alter view d.v as with c as (select a from d.s) select a + 1 as n from c
=>
reads: d.s
writes: d.v
d.v.n <- d.s.a transformation
