### coalesce-is-a-transformation | hive | d.s(a, b)
create table d.r as select coalesce(a, b, 'x') as c, nvl(a, 0) as n, nullif(a, b) as z from d.s
=>
reads: d.s
writes: d.r
d.r.c <- d.s.a transformation, d.s.b transformation
d.r.n <- d.s.a transformation
d.r.z <- d.s.a transformation, d.s.b transformation

### aggregate-within-a-transformation | hive | d.s(k, a)
create table d.r as select k, round(avg(a) + 1, 2) as x from d.s group by k
=>
reads: d.s
writes: d.r
d.r.k <- d.s.k
d.r.x <- d.s.a aggregation
rows <- d.s.k group by

### one-column-two-kinds | spark | d.s(a, b)
create table d.r as select a + sum(a) as x, max(b) - min(b) as y from d.s group by a
=>
reads: d.s
writes: d.r
d.r.x <- d.s.a aggregation
d.r.y <- d.s.b aggregation
rows <- d.s.a group by

### aggregate-of-an-aggregate | trino | d.s(k, j, a)
create table d.r as select k, max(s) as m from (select k, j, sum(a) as s from d.s group by k, j) q group by k
=>
reads: d.s
writes: d.r
d.r.k <- d.s.k
d.r.m <- d.s.a aggregation
rows <- d.s.k group by, d.s.j group by

### counting-has-no-source | hive | d.s(a)
create table d.r as select count(*) as n, count(1) as o, count(distinct a) as p from d.s
=>
reads: d.s
writes: d.r
d.r.n <-
d.r.o <-
d.r.p <- d.s.a aggregation

### conditional-aggregation | hive | d.s(st, a)
create table d.r as select count(case when st = 'x' then 1 end) as n, sum(if(st = 'y', a, 0)) as t from d.s
=>
reads: d.s
writes: d.r
d.r.n <- d.s.st conditional
d.r.t <- d.s.st conditional, d.s.a aggregation

### aggregate-filter | trino | d.s(st, a)
create table d.r as select sum(a) filter (where st = 1) as t from d.s
=>
reads: d.s
writes: d.r
d.r.t <- d.s.a aggregation, d.s.st conditional

### aggregate-with-order | duckdb | d.s(k, a, ts)
create table d.r as select k, string_agg(a, ',' order by ts) as l from d.s group by k
=>
reads: d.s
writes: d.r
d.r.k <- d.s.k
d.r.l <- d.s.a aggregation, d.s.ts sort
rows <- d.s.k group by

### percentile-within-group | postgres | d.s(k, a)
create table d.r as select k, percentile_cont(0.5) within group (order by a) as p from d.s group by k
=>
reads: d.s
writes: d.r
d.r.k <- d.s.k
d.r.p <- d.s.a aggregation
rows <- d.s.k group by

### simple-case | hive | d.s(a, b, c)
create table d.r as select case a when 1 then b when 2 then c end as x from d.s
=>
reads: d.s
writes: d.r
d.r.x <- d.s.a conditional, d.s.b transformation, d.s.c transformation

### case-of-literals | spark | d.s(a)
create table d.r as select case when a > 1 then 'big' else 'small' end as x from d.s
=>
reads: d.s
writes: d.r
d.r.x <- d.s.a conditional

### case-whose-condition-is-its-value | spark | d.s(a)
create table d.r as select case when a > 1 then a end as x, iff(a is null, 0, a) as y from d.s
=>
reads: d.s
writes: d.r
d.r.x <- d.s.a conditional, d.s.a transformation
d.r.y <- d.s.a conditional, d.s.a transformation

### condition-of-a-window-value | trino | d.s(k, ts, a)
create table d.r as select case when rn = 1 then a end as x from (select a, row_number() over (partition by k order by ts) as rn from d.s) q
=>
reads: d.s
writes: d.r
d.r.x <- d.s.a transformation, d.s.k conditional, d.s.ts conditional

### masking-by-hash | spark | d.s(id, email)
create table d.r as select id, md5(email) as m, concat('u', sha2(lower(email), 256)) as h from d.s
=>
reads: d.s
writes: d.r
d.r.id <- d.s.id
d.r.m <- d.s.email transformation masking
d.r.h <- d.s.email transformation masking

### masking-through-a-subquery | hive | d.s(email)
create table d.r as select upper(h) as x from (select mask(email) as h from d.s) q
=>
reads: d.s
writes: d.r
d.r.x <- d.s.email transformation masking

### a-clear-copy-beside-the-hash-unmasks | spark | d.s(email)
create table d.r as select concat(md5(email), email) as x from d.s
=>
reads: d.s
writes: d.r
d.r.x <- d.s.email transformation

### cast-is-a-transformation | trino | d.s(a, b)
create table d.r as select cast(a as bigint) as x, try_cast(b as date) as y, (a) as z from d.s
=>
reads: d.s
writes: d.r
d.r.x <- d.s.a transformation
d.r.y <- d.s.b transformation
d.r.z <- d.s.a

### unknown-function | hive | d.s(a, b)
create table d.r as select my_udf(a, b, 1) as x from d.s
=>
reads: d.s
writes: d.r
d.r.x <- d.s.a transformation, d.s.b transformation

### units-are-no-columns | spark | d.s(ts, day)
create table d.r as select date_trunc('day', ts) as x, dateadd(day, 1, ts) as y, extract(year from ts) as z from d.s
=>
reads: d.s
writes: d.r
d.r.x <- d.s.ts transformation
d.r.y <- d.s.ts transformation
d.r.z <- d.s.ts transformation

### ranking-has-no-direct-source | hive | d.s(k, ts)
create table d.r as select k, row_number() over (partition by k order by ts desc) as rn from d.s
=>
reads: d.s
writes: d.r
d.r.k <- d.s.k
d.r.rn <- d.s.k window, d.s.ts window

### aggregate-over-a-window | spark | d.s(k, ts, a)
create table d.r as select sum(a) over (partition by k order by ts rows between 2 preceding and current row) as t from d.s
=>
reads: d.s
writes: d.r
d.r.t <- d.s.a aggregation, d.s.k window, d.s.ts window

### lead-and-first-value | trino | d.s(k, ts, a, b)
create table d.r as select lead(a, 2) over (partition by k order by ts) as x, coalesce(first_value(b) over (order by ts), a) as y from d.s
=>
reads: d.s
writes: d.r
d.r.x <- d.s.a transformation, d.s.k window, d.s.ts window
d.r.y <- d.s.b transformation, d.s.ts window, d.s.a transformation

### named-windows | postgres | d.s(k, ts, a)
create table d.r as select rank() over w2 as r1, avg(a) over w as m from d.s window w as (partition by k), w2 as (w order by ts)
=>
reads: d.s
writes: d.r
d.r.r1 <- d.s.k window, d.s.ts window
d.r.m <- d.s.a aggregation, d.s.k window

### share-of-a-total | spark | d.s(k, a)
create table d.r as select k, sum(a) / sum(sum(a)) over () as share from d.s group by k
=>
reads: d.s
writes: d.r
d.r.k <- d.s.k
d.r.share <- d.s.a aggregation
rows <- d.s.k group by

### lambda-parameters-are-no-columns | trino | d.s(xs, k, x)
create table d.r as select transform(xs, x -> x + k) as a, filter(xs, e -> e > 1) as b from d.s
=>
reads: d.s
writes: d.r
d.r.a <- d.s.xs transformation, d.s.k transformation
d.r.b <- d.s.xs transformation

### lambda-of-two | spark | d.s(m, z)
create table d.r as select map_filter(m, (k, v) -> v > z) as f from d.s
=>
reads: d.s
writes: d.r
d.r.f <- d.s.m transformation, d.s.z transformation

### lambda-parameter-with-a-field | spark | d.s(items, rate)
create table d.r as select aggregate(items, 0, (acc, i) -> acc + i.qty * rate) as t from d.s
=>
reads: d.s
writes: d.r
d.r.t <- d.s.items transformation, d.s.rate transformation

### lambda-within-a-lambda | trino | d.s(xs, ys)
create table d.r as select transform(xs, x -> transform(ys, y -> x + y)) as p from d.s
=>
reads: d.s
writes: d.r
d.r.p <- d.s.xs transformation, d.s.ys transformation

### membership-in-the-select-list | trino | d.s(a) d.b(k)
create table d.r as select a in (select k from d.b) as known from d.s
=>
reads: d.s, d.b
writes: d.r
d.r.known <- d.s.a transformation, d.b.k filter

### constants | spark | d.s(a)
create table d.r as select 1 as one, current_date() as t, null as n, 'x' || 'y' as s from d.s
=>
reads: d.s
writes: d.r
d.r.one <-
d.r.t <-
d.r.n <-
d.r.s <-

### long-chain | hive | d.s(a, b)
create table d.r as select a || '-' || b || '-' || a as x from d.s where a = 1 or a = 2 or b = 3
=>
reads: d.s
writes: d.r
d.r.x <- d.s.a transformation, d.s.b transformation
rows <- d.s.a filter, d.s.b filter
