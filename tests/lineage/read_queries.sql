### union-by-position | trino | d.a(k, v) d.b(x, y)
create table d.r as select k as id, v from d.a union select y, x from d.b
=>
reads: d.a, d.b
writes: d.r
d.r.id <- d.a.k, d.b.y
d.r.v <- d.a.v, d.b.x

### union-of-kinds | spark | d.a(k, v) d.b(k, v)
create table d.r as select k, v from d.a union all select k, sum(v) from d.b group by k
=>
reads: d.a, d.b
writes: d.r
d.r.k <- d.a.k, d.b.k
d.r.v <- d.a.v, d.b.v aggregation
rows <- d.b.k group by

### union-in-a-subquery | hive | d.a(k) d.b(k) d.c(k)
create table d.r as select u.k + 1 as n from (select k from d.a union all select k from d.b union all select k from d.c where k > 1) u
=>
reads: d.a, d.b, d.c
writes: d.r
d.r.n <- d.a.k transformation, d.b.k transformation, d.c.k transformation
rows <- d.c.k filter

### union-in-parentheses | spark | d.a(k) d.b(k) d.r(x)
insert into d.r (select k from d.a) union all (select k from d.b)
=>
reads: d.a, d.b
writes: d.r
d.r.x <- d.a.k, d.b.k

### union-with-order | postgres | d.a(k) d.b(k)
create table d.r as (select k from d.a) union (select k from d.b) order by k limit 3
=>
reads: d.a, d.b
writes: d.r
d.r.k <- d.a.k, d.b.k
rows <- d.a.k sort, d.b.k sort

### union-by-name | duckdb | d.a(k, v) d.b(v, k)
create table d.r as select * from d.a union all by name select * from d.b
=>
reads: d.a, d.b
writes: d.r
d.r.k <- d.a.k, d.b.k
d.r.v <- d.a.v, d.b.v

### union-with-a-constant-branch | hive | d.a(k, v)
create table d.r as select k, v from d.a union all select 0, 'none'
=>
reads: d.a
writes: d.r
d.r.k <- d.a.k
d.r.v <- d.a.v

### except-filters | trino | d.a(k) d.b(j, w)
create table d.r as select k from d.a except select j from d.b where w = 1
=>
reads: d.a, d.b
writes: d.r
d.r.k <- d.a.k
rows <- d.b.j filter, d.b.w filter

### intersect-filters | spark | d.a(k) d.b(j)
create table d.r as select k from d.a intersect select j from d.b
=>
reads: d.a, d.b
writes: d.r
d.r.k <- d.a.k
rows <- d.b.j filter

### minus-of-hive | hive | d.a(k) d.b(j)
create table d.r as select k from d.a minus select j from d.b
=>
reads: d.a, d.b
writes: d.r
d.r.k <- d.a.k
rows <- d.b.j filter

### group-by-position | spark | d.s(a, b, c)
create table d.r as select upper(a) as u, b, sum(c) as t from d.s group by 1, 2
=>
reads: d.s
writes: d.r
d.r.u <- d.s.a transformation
d.r.b <- d.s.b
d.r.t <- d.s.c aggregation
rows <- d.s.a group by, d.s.b group by

### group-by-all | duckdb | d.s(a, b, c)
create table d.r as select a, b + 1 as b1, count(c) as n from d.s group by all
=>
reads: d.s
writes: d.r
d.r.a <- d.s.a
d.r.b1 <- d.s.b transformation
d.r.n <- d.s.c aggregation
rows <- d.s.a group by, d.s.b group by

### group-by-all-with-an-expression | spark | d.s(a, b)
create table d.r as select substr(a, 1, 2) as p, max(b) + min(b) as x, 1 as one from d.s group by all
=>
reads: d.s
writes: d.r
d.r.p <- d.s.a transformation
d.r.x <- d.s.b aggregation
d.r.one <-
rows <- d.s.a group by

### group-by-all-counting | spark | d.s(a)
create table d.r as select a, count(*) as n from d.s group by all
=>
reads: d.s
writes: d.r
d.r.a <- d.s.a
d.r.n <-
rows <- d.s.a group by

### rollup | spark | d.s(a, b, v)
create table d.r as select a, b, sum(v) as t from d.s group by rollup (a, b)
=>
reads: d.s
writes: d.r
d.r.a <- d.s.a
d.r.b <- d.s.b
d.r.t <- d.s.v aggregation
rows <- d.s.a group by, d.s.b group by

### cube-of-hive | hive | d.s(a, b, v)
create table d.r as select a, b, count(v) as n from d.s group by a, b with cube
=>
reads: d.s
writes: d.r
d.r.a <- d.s.a
d.r.b <- d.s.b
d.r.n <- d.s.v aggregation
rows <- d.s.a group by, d.s.b group by

### grouping-sets-of-trino | trino | d.s(a, b, v)
create table d.r as select a, b, max(v) as m from d.s group by grouping sets ((a), (a, b), ())
=>
reads: d.s
writes: d.r
d.r.a <- d.s.a
d.r.b <- d.s.b
d.r.m <- d.s.v aggregation
rows <- d.s.a group by, d.s.b group by

### having-and-order | hive | d.s(a, v)
create table d.r as select a, sum(v) as t from d.s group by a having count(v) > 1 order by t desc
=>
reads: d.s
writes: d.r
d.r.a <- d.s.a
d.r.t <- d.s.v aggregation
rows <- d.s.a group by, d.s.v filter, d.s.v sort

### having-by-alias | spark | d.s(a, v)
create table d.r as select a, max(v) as m from d.s group by a having m > 10
=>
reads: d.s
writes: d.r
d.r.a <- d.s.a
d.r.m <- d.s.v aggregation
rows <- d.s.a group by, d.s.v filter

### order-by-position-and-expression | trino | d.s(a, b)
create table d.r as select a, b from d.s order by 2, abs(a)
=>
reads: d.s
writes: d.r
d.r.a <- d.s.a
d.r.b <- d.s.b
rows <- d.s.b sort, d.s.a sort

### order-by-what-is-not-selected | postgres | d.s(a, b)
create table d.r as select a from d.s order by b
=>
reads: d.s
writes: d.r
d.r.a <- d.s.a
rows <- d.s.b sort

### sort-by-and-cluster-by | hive | d.s(a, b)
create table d.r as select a, b from d.s distribute by a sort by b
=>
reads: d.s
writes: d.r
d.r.a <- d.s.a
d.r.b <- d.s.b
rows <- d.s.b sort

### qualify-by-alias | spark | d.s(k, ts, v)
create table d.r as select v, row_number() over (partition by k order by ts) as rn from d.s qualify rn = 1
=>
reads: d.s
writes: d.r
d.r.v <- d.s.v
d.r.rn <- d.s.k window, d.s.ts window
rows <- d.s.k filter, d.s.ts filter

### qualify-of-an-aggregate-window | duckdb | d.s(k, v)
create table d.r as select k from d.s qualify sum(v) over (partition by k) > 10
=>
reads: d.s
writes: d.r
d.r.k <- d.s.k
rows <- d.s.v filter, d.s.k filter

### dedup-by-row-number | hive | d.s(k, ts, v)
create table d.r as select k, v from (select k, v, row_number() over (partition by k order by ts desc) rn from d.s) q where rn = 1
=>
reads: d.s
writes: d.r
d.r.k <- d.s.k
d.r.v <- d.s.v
rows <- d.s.k filter, d.s.ts filter

### dedup-by-rank-in-a-cte | spark | d.s(k, ts, v)
create table d.r as with q as (select *, rank() over (partition by k order by ts) as rk from d.s) select * except (rk) from q where rk <= 3
=>
reads: d.s
writes: d.r
d.r.k <- d.s.k
d.r.ts <- d.s.ts
d.r.v <- d.s.v
rows <- d.s.k filter, d.s.ts filter

### distinct-groups-nothing | spark | d.s(a, b)
create table d.r as select distinct a, b from d.s
=>
reads: d.s
writes: d.r
d.r.a <- d.s.a
d.r.b <- d.s.b

### distinct-on | postgres | d.s(a, b, ts)
create table d.r as select distinct on (a) a, b from d.s order by a, ts
=>
reads: d.s
writes: d.r
d.r.a <- d.s.a
d.r.b <- d.s.b
rows <- d.s.a group by, d.s.a sort, d.s.ts sort

### subquery-effects-reach-the-top | trino | d.a(k, v, f) d.b(k, w)
create table d.r as select q.v from (select k, v from d.a where f = 1) q join (select k from d.b group by k having max(w) > 1) p on q.k = p.k
=>
reads: d.a, d.b
writes: d.r
d.r.v <- d.a.v
rows <- d.a.f filter, d.b.k group by, d.b.w filter, d.a.k join, d.b.k join

### plain-query | trino | d.a(x, y)
select x, y + 1 as z from d.a where y > 0
=>
reads: d.a
writes:
<query>.x <- d.a.x
<query>.z <- d.a.y transformation
rows <- d.a.y filter

### plain-query-of-a-join | hive | d.a(k) d.b(k, v)
select a.k, count(b.v) n from d.a a left join d.b b on a.k = b.k group by a.k
=>
reads: d.a, d.b
writes:
<query>.k <- d.a.k
<query>.n <- d.b.v aggregation
rows <- d.a.k join, d.b.k join, d.a.k group by

### plain-star | spark | d.a(k, v)
select * from d.a
=>
reads: d.a
writes:
<query>.k <- d.a.k
<query>.v <- d.a.v

### from-first | duckdb | d.a(k, v)
create table d.r as from d.a select v where k = 1
=>
reads: d.a
writes: d.r
d.r.v <- d.a.v
rows <- d.a.k filter

### pipes | spark | d.a(k, v)
create table d.r as from d.a |> where v > 0 |> aggregate sum(v) as t group by k |> extend t * 2 as t2 |> order by t
=>
reads: d.a
writes: d.r
d.r.k <- d.a.k
d.r.t <- d.a.v aggregation
d.r.t2 <- d.a.v aggregation
rows <- d.a.v filter, d.a.k group by, d.a.v sort

### pipe-join-and-select | spark | d.a(k, v) d.b(k, w)
create table d.r as from d.a |> as x |> join d.b on x.k = b.k |> select v, w
=>
reads: d.a, d.b
writes: d.r
d.r.v <- d.a.v
d.r.w <- d.b.w
rows <- d.a.k join, d.b.k join
