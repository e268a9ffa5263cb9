### pivot-two-aggregates | spark | d.s(k, q, a, b)
create table d.r as select * from d.s pivot (sum(a) as sa, max(b) as mb for q in (1 as one))
=>
reads: d.s
writes: d.r
d.r.k <- d.s.k
d.r.one_sa <- d.s.a aggregation, d.s.q conditional
d.r.one_mb <- d.s.b aggregation, d.s.q conditional
rows <- d.s.k group by

### pivot-then-expression | spark | d.s(k, q, a)
create table d.r as select k, x + y as t from d.s pivot (sum(a) for q in ('x' as x, 'y' as y))
=>
reads: d.s
writes: d.r
d.r.k <- d.s.k
d.r.t <- d.s.a aggregation, d.s.q conditional
rows <- d.s.k group by

### pivot-of-a-renamed-subquery | spark | d.s(yr, q, amt)
create table d.r as select * from (select yr as y, q as quarter, amt * 2 as twice from d.s where amt > 0) pivot (avg(twice) for quarter in ('Q1', 'Q2'))
=>
reads: d.s
writes: d.r
d.r.y <- d.s.yr
d.r.q1 <- d.s.amt aggregation, d.s.q conditional
d.r.q2 <- d.s.amt aggregation, d.s.q conditional
rows <- d.s.amt filter, d.s.yr group by

### unpivot-two-values | spark | d.s(id, a1, b1, a2, b2)
create table d.r as select * from d.s unpivot ((a, b) for n in ((a1, b1), (a2, b2)))
=>
reads: d.s
writes: d.r
d.r.id <- d.s.id
d.r.n <-
d.r.a <- d.s.a1, d.s.a2
d.r.b <- d.s.b1, d.s.b2

### unpivot-with-labels | spark | d.s(id, jan, feb)
create table d.r as select id, upper(v) as u from d.s unpivot include nulls (v for m in (jan as 'J', feb as 'F')) p
=>
reads: d.s
writes: d.r
d.r.id <- d.s.id
d.r.u <- d.s.jan transformation, d.s.feb transformation

### unpivot-filtered | spark | d.s(id, x, y)
create table d.r as select id from d.s unpivot (v for m in (x, y)) where v > 1
=>
reads: d.s
writes: d.r
d.r.id <- d.s.id
rows <- d.s.x filter, d.s.y filter

### match-recognize | trino | d.t(sym, ts, price)
create table d.r as select m.sym, m.low from d.t match_recognize (partition by sym order by ts measures last(b.price) as low pattern (a b+) define b as price < prev(price)) m
=>
reads: d.t
writes: d.r
d.r.sym <- d.t.sym
d.r.low <- d.t.price transformation, d.t.sym window, d.t.ts window
rows <- d.t.price filter, d.t.sym filter, d.t.ts filter
