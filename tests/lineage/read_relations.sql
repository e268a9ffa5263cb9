### cte-under-another-name | hive | d.t(a) d.r(x)
with c as (select a from d.t) insert into table d.r select y.a from c y
=>
reads: d.t
writes: d.r
d.r.x <- d.t.a

### cte-of-cte-with-columns | trino | d.t(a, b)
create table d.r as with c(p, q) as (select a, b from d.t), e(z) as (select q from c) select z from e
=>
reads: d.t
writes: d.r
d.r.z <- d.t.b

### cte-read-twice | spark | d.t(a, b)
create table d.r as with c as (select a, b from d.t where b > 0) select x.a, y.b from c x join c y on x.a = y.a
=>
reads: d.t
writes: d.r
d.r.a <- d.t.a
d.r.b <- d.t.b
rows <- d.t.b filter, d.t.a join

### cte-hides-a-table | spark | d.t(a) d.u(a)
use d; create table d.r as with t as (select a from u) select a from t
=>
reads: d.u
writes: d.r
d.r.a <- d.u.a

### cte-of-the-same-name-as-what-it-reads | spark | d.t(a, b)
use d; create table d.r as with t as (select b as a from t) select a from t
=>
reads: d.t
writes: d.r
d.r.a <- d.t.b

### inner-cte-hides-the-outer | postgres | d.t(a) d.u(a)
create table d.r as with c as (select a from d.t) select s.a from (with c as (select a from d.u) select a from c) s
=>
reads: d.u
writes: d.r
d.r.a <- d.u.a
warns: unused_cte

### qualified-name-is-no-cte | hive | d.t(a) d.u(a)
create table d.r as with t as (select a from d.u) select x.a from d.t x join t on x.a = t.a
=>
reads: d.t, d.u
writes: d.r
d.r.a <- d.t.a
rows <- d.t.a join, d.u.a join

### unused-cte-is-no-input | hive | d.t(a) d.u(a)
create table d.r as with c as (select a from d.u) select a from d.t
=>
reads: d.t
writes: d.r
d.r.a <- d.t.a
warns: unused_cte

### cte-with-a-keyword-for-a-name | spark | d.t(`date`)
create table d.r as with model as (select `date` from d.t) select model.`date` as d1 from model
=>
reads: d.t
writes: d.r
d.r.d1 <- d.t.date

### keyword-columns-quoted | hive | d.t(order, table)
create table d.r as select `order` as o, x.`table` as t from d.t x
=>
reads: d.t
writes: d.r
d.r.o <- d.t.order
d.r.t <- d.t.table

### keyword-aliases | spark | d.t(a)
create table d.r as select `select`.a as `from` from d.t as `select`
=>
reads: d.t
writes: d.r
d.r.from <- d.t.a

### recursive-cte | postgres | d.emp(id, boss, name)
create table d.r as with recursive up as (select id, boss, name from d.emp where boss is null union all select e.id, e.boss, u.name from d.emp e join up u on e.boss = u.id) select id, name from up
=>
reads: d.emp
writes: d.r
d.r.id <- d.emp.id
d.r.name <- d.emp.name
rows <- d.emp.boss filter, d.emp.boss join, d.emp.id join

### recursive-cte-moves-columns | postgres | d.t(a, b, c)
create table d.r as with recursive w(x, y, z) as (select a, b, c from d.t union select y, z, x from w) select x from w
=>
reads: d.t
writes: d.r
d.r.x <- d.t.a, d.t.b, d.t.c

### derived-table-renamed-by-list | trino | d.t(a, b)
create table d.r as select s.q from (select a, b from d.t) s(p, q)
=>
reads: d.t
writes: d.r
d.r.q <- d.t.b

### table-renamed-by-list | postgres | d.t(a, b)
create table d.r as select s.q from d.t as s(p, q)
=>
reads: d.t
writes: d.r
d.r.q <- d.t.b

### cte-renamed-by-list | hive | d.t(a, b)
create table d.r as with c (p, q) as (select b, a from d.t) select p, q from c
=>
reads: d.t
writes: d.r
d.r.p <- d.t.b
d.r.q <- d.t.a

### subquery-in-subquery-in-subquery | hive | d.t(a, b)
create table d.r as select z.k from (select y.k from (select x.a + 1 as k from (select a, b from d.t where b = 1) x) y) z
=>
reads: d.t
writes: d.r
d.r.k <- d.t.a transformation
rows <- d.t.b filter

### temp-view-of-a-temp-view | spark | d.t(a, b) d.r(x)
create temp view v1 as select a * 2 as k from d.t; create or replace temp view v2 as select k from v1 where k > 0; insert into d.r select k from v2
=>
reads: d.t
writes: d.r
d.r.x <- d.t.a transformation
rows <- d.t.a filter
through: v1, v2

### temp-view-replaced-by-one-that-reads-it | spark | d.t(a)
create temp view v as select a from d.t; create or replace temp view v as select a + 1 as a from v; create table d.r as select a from v
=>
reads: d.t
writes: d.r
d.r.a <- d.t.a transformation
through: v

### temp-view-with-columns | spark | d.t(a, b)
create temporary view v (p, q) as select a, b from d.t; create table d.r as select q from v
=>
reads: d.t
writes: d.r
d.r.q <- d.t.b
through: v

### temp-view-over-files | spark |
create temporary view v using csv options (path '/in/x.csv', header 'true'); create table d.r as select a from v
=>
reads: path:/in/x.csv
writes: d.r
d.r.a <- path:/in/x.csv.a
through: v

### cached-query | spark | d.t(a)
cache table c as select a as k from d.t; create table d.r as select k from c
=>
reads: d.t
writes: d.r
d.r.k <- d.t.a
through: c

### dropped-temp-view | spark | d.t(a) default.v(a)
create temp view v as select a from d.t; drop view v; create table d.r as select a from v
=>
reads: default.v
writes: d.r
d.r.a <- default.v.a
through: v

### lateral-subquery | postgres | d.t(a, b) d.u(k, v)
create table d.r as select t.a, s.v from d.t t cross join lateral (select u.v from d.u u where u.k = t.b) s
=>
reads: d.t, d.u
writes: d.r
d.r.a <- d.t.a
d.r.v <- d.u.v
rows <- d.u.k filter, d.t.b filter

### sample-before-the-alias | hive | d.t(a)
create table d.r as select s.a from d.t tablesample(10 percent) s
=>
reads: d.t
writes: d.r
d.r.a <- d.t.a

### sample-of-spark | spark | d.t(a)
create table d.r as select a from d.t tablesample (5 rows) as s where a > 1
=>
reads: d.t
writes: d.r
d.r.a <- d.t.a
rows <- d.t.a filter

### sample-of-trino | trino | d.t(a) d.u(a)
create table d.r as select s.a from d.t tablesample bernoulli (10) s join d.u on s.a = u.a
=>
reads: d.t, d.u
writes: d.r
d.r.a <- d.t.a
rows <- d.t.a join, d.u.a join

### time-travel-is-the-same-table | spark | d.t(a)
create table d.r as select a from d.t version as of 3
=>
reads: d.t
writes: d.r
d.r.a <- d.t.a

### comments-are-no-tables | hive | d.t(a)
-- from d.x
create table d.r as select /* , b from d.y */ a from d.t -- join d.z
=>
reads: d.t
writes: d.r
d.r.a <- d.t.a

### hints-are-no-columns | spark | d.t(a) d.u(a)
create table d.r as select /*+ mapjoin(u), coalesce(3) */ t.a from d.t join d.u on t.a = u.a
=>
reads: d.t, d.u
writes: d.r
d.r.a <- d.t.a
rows <- d.t.a join, d.u.a join

### sql-in-strings-is-text | hive | d.t(a)
create table d.r as select concat('select x from d.y; -- ', a) as s from d.t where a <> ';'
=>
reads: d.t
writes: d.r
d.r.s <- d.t.a transformation
rows <- d.t.a filter

### empty-statements | spark | d.t(a) d.r(a)
;; insert into d.r select a from d.t;; ; -- end
=>
reads: d.t
writes: d.r
d.r.a <- d.t.a

### comment-with-a-semicolon | hive | d.t(a) d.r(a)
insert into table d.r select a /* ; drop table d.t; */ from d.t; -- ; select 1 from d.x
=>
reads: d.t
writes: d.r
d.r.a <- d.t.a
