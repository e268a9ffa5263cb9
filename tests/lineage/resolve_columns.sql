### lateral-alias-chain | spark | d.s(a, b)
create table d.r as select a as x, x + b as y, y * 2 as z from d.s
=>
reads: d.s
writes: d.r
d.r.x <- d.s.a
d.r.y <- d.s.a transformation, d.s.b transformation
d.r.z <- d.s.a transformation, d.s.b transformation

### column-before-lateral-alias | spark | d.s(a, b)
create table d.r as select a + 1 as b, b as c from d.s
=>
reads: d.s
writes: d.r
d.r.b <- d.s.a transformation
d.r.c <- d.s.b

### lateral-alias-of-an-aggregate | duckdb | d.s(k, a)
create table d.r as select k, sum(a) as t, t / 2 as half from d.s group by k
=>
reads: d.s
writes: d.r
d.r.k <- d.s.k
d.r.t <- d.s.a aggregation
d.r.half <- d.s.a aggregation
rows <- d.s.k group by

### alias-in-group-by-and-order-by | hive | d.s(a, b)
create table d.r as select upper(a) as u, count(b) as n from d.s group by upper(a) order by n
=>
reads: d.s
writes: d.r
d.r.u <- d.s.a transformation
d.r.n <- d.s.b aggregation
rows <- d.s.a group by, d.s.b sort

### correlated-scalar | trino | d.o(id, c) d.i(id, v)
create table d.r as select o.id, (select max(i.v) from d.i i where i.id = o.c) as m from d.o o
=>
reads: d.o, d.i
writes: d.r
d.r.id <- d.o.id
d.r.m <- d.i.v aggregation, d.i.id filter, d.o.c filter

### correlated-unqualified | spark | d.o(oid, c) d.i(iid, v)
create table d.r as select oid, (select sum(v) from d.i where iid = c) as s from d.o
=>
reads: d.o, d.i
writes: d.r
d.r.oid <- d.o.oid
d.r.s <- d.i.v aggregation, d.i.iid filter, d.o.c filter

### scalar-subquery-of-nothing-outer | hive | d.o(a) d.i(v)
create table d.r as select a, (select max(v) from d.i) as m from d.o
=>
reads: d.o, d.i
writes: d.r
d.r.a <- d.o.a
d.r.m <- d.i.v aggregation

### scalar-subquery-in-where | spark | d.o(a, k) d.i(v, k)
create table d.r as select a from d.o where a > (select avg(v) from d.i where i.k = o.k)
=>
reads: d.o, d.i
writes: d.r
d.r.a <- d.o.a
rows <- d.o.a filter, d.i.v filter, d.i.k filter, d.o.k filter

### inner-table-hides-the-outer-column | postgres | d.o(id, v) d.i(id, v)
create table d.r as select o.id from d.o where exists (select 1 from d.i where id = o.id)
=>
reads: d.o, d.i
writes: d.r
d.r.id <- d.o.id
rows <- d.i.id filter, d.o.id filter

### exists-two-deep | trino | d.a(k) d.b(k, j) d.c(j)
create table d.r as select k from d.a where exists (select 1 from d.b where b.k = a.k and exists (select 1 from d.c where c.j = b.j))
=>
reads: d.a, d.b, d.c
writes: d.r
d.r.k <- d.a.k
rows <- d.b.k filter, d.a.k filter, d.c.j filter, d.b.j filter

### not-in-and-in | hive | d.a(k, v) d.b(k) d.c(j)
create table d.r as select v from d.a where k not in (select k from d.b) and v in (select j from d.c where j > 0)
=>
reads: d.a, d.b, d.c
writes: d.r
d.r.v <- d.a.v
rows <- d.a.k filter, d.b.k filter, d.a.v filter, d.c.j filter

### any-of-a-subquery | postgres | d.a(k, v) d.b(k)
create table d.r as select v from d.a where k > any (select k from d.b)
=>
reads: d.a, d.b
writes: d.r
d.r.v <- d.a.v
rows <- d.a.k filter, d.b.k filter

### same-alias-in-two-branches | spark | d.a(k, v) d.b(k, w)
create table d.r as select x.v from d.a x union all select x.w from d.b x
=>
reads: d.a, d.b
writes: d.r
d.r.v <- d.a.v, d.b.w

### same-alias-inside-and-outside | hive | d.a(k) d.b(k)
create table d.r as select t.k from d.a t where t.k in (select t.k from d.b t)
=>
reads: d.a, d.b
writes: d.r
d.r.k <- d.a.k
rows <- d.a.k filter, d.b.k filter

### same-alias-in-two-ctes | trino | d.a(k) d.b(k)
create table d.r as with p as (select t.k from d.a t), q as (select t.k from d.b t) select p.k as a, q.k as b from p, q
=>
reads: d.a, d.b
writes: d.r
d.r.a <- d.a.k
d.r.b <- d.b.k

### alias-equals-another-table | spark | d.a(k) d.b(k)
use d; create table r as select b.k from a b join b a on a.k = b.k
=>
reads: d.a, d.b
writes: d.r
d.r.k <- d.a.k
rows <- d.b.k join, d.a.k join

### struct-of-a-column | spark | d.s(id, st)
create table d.r as select st.a.b as x, s.st.c as y, d.s.st.e as z from d.s
=>
reads: d.s
writes: d.r
d.r.x <- d.s.st transformation
d.r.y <- d.s.st transformation
d.r.z <- d.s.st transformation

### field-of-an-exploded-struct | hive | d.s(id, items)
create table d.r as select e.it.price * e.it.qty as total from d.s lateral view explode(items) e as it
=>
reads: d.s
writes: d.r
d.r.total <- d.s.items transformation

### array-element-field | spark | d.s(items)
create table d.r as select items[0].sku as s from d.s where items[1].qty > 0
=>
reads: d.s
writes: d.r
d.r.s <- d.s.items transformation
rows <- d.s.items filter

### exploded-struct-through-a-subquery | trino | d.s(id, items)
create table d.r as select q.it.sku as sku from (select id, it from d.s cross join unnest(items) as u(it)) q
=>
reads: d.s
writes: d.r
d.r.sku <- d.s.items transformation

### struct-built-in-the-query | spark | d.s(a, b, c)
create table d.r as select q.st.x, q.st.y as yy, q.st from (select named_struct('x', a, 'y', b + c) as st from d.s) q
=>
reads: d.s
writes: d.r
d.r.x <- d.s.a
d.r.yy <- d.s.b transformation, d.s.c transformation
d.r.st <- d.s.a transformation, d.s.b transformation, d.s.c transformation

### struct-built-with-aliases | spark | d.s(a, b)
create table d.r as with c as (select struct(a as p, upper(b) as q) as st from d.s) select st.p, st.q from c
=>
reads: d.s
writes: d.r
d.r.p <- d.s.a
d.r.q <- d.s.b transformation

### row-cast-to-names | trino | d.s(a, b)
create table d.r as select q.v.m from (select cast(row(a, b) as row(m bigint, n bigint)) as v from d.s) q
=>
reads: d.s
writes: d.r
d.r.m <- d.s.a

### unknown-name-has-no-source | hive | d.s(a)
create table d.r as select a, nosuch from d.s
=>
reads: d.s
writes: d.r
d.r.a <- d.s.a
d.r.nosuch <-
warns: unknown_column

### ambiguous-name-has-no-source | hive | d.a(k, v) d.b(k, w)
create table d.r as select k, v from d.a join d.b on a.k = b.k
=>
reads: d.a, d.b
writes: d.r
d.r.k <-
d.r.v <- d.a.v
rows <- d.a.k join, d.b.k join
warns: ambiguous_column

### two-tables-without-schema | spark |
create table d.r as select a.x, y from d.a a join d.b b on a.k = b.k
=>
reads: d.a, d.b
writes: d.r
d.r.x <- d.a.x
d.r.y <-
rows <- d.a.k join, d.b.k join
warns: ambiguous_column, unknown_table

### one-table-without-schema-of-one | trino |
create table d.r as select x, upper(y) as u from d.a where z = 1
=>
reads: d.a
writes: d.r
d.r.x <- d.a.x
d.r.u <- d.a.y transformation
rows <- d.a.z filter
warns: unknown_table

### pseudo-columns-have-no-source | hive | d.s(a)
create table d.r as select a, input__file__name as f from d.s
=>
reads: d.s
writes: d.r
d.r.a <- d.s.a
d.r.f <-

### case-ignored | hive | d.users(id, nm)
create table d.r as select U.Id, u.NM as Nm2 from D.Users U
=>
reads: d.users
writes: d.r
d.r.id <- d.users.id
d.r.nm2 <- d.users.nm

### case-ignored-in-ctes | spark | d.t(a)
create table d.r as with Cte as (select a as ColA from d.t) select cola from CTE
=>
reads: d.t
writes: d.r
d.r.cola <- d.t.a

### case-ignored-of-aliases | trino | d.t(a) d.u(a)
create table d.r as select X.A from d.t x join d.u Y on x.a = y.A
=>
reads: d.t, d.u
writes: d.r
d.r.a <- d.t.a
rows <- d.t.a join, d.u.a join
