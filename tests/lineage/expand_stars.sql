### star-with-partitions-last | hive | d.s(a, b, dt)
create table d.r as select * from d.s where dt = '1'
=>
reads: d.s
writes: d.r
d.r.a <- d.s.a
d.r.b <- d.s.b
d.r.dt <- d.s.dt
rows <- d.s.dt filter

### star-of-a-join | spark | d.a(k, v) d.b(j, w)
create table d.r as select * from d.a join d.b on k = j
=>
reads: d.a, d.b
writes: d.r
d.r.k <- d.a.k
d.r.v <- d.a.v
d.r.j <- d.b.j
d.r.w <- d.b.w
rows <- d.a.k join, d.b.j join

### qualified-stars-swapped | trino | d.a(k, v) d.b(j, w) d.r(c1, c2, c3, c4)
insert into d.r select b.*, a.* from d.a a cross join d.b b
=>
reads: d.a, d.b
writes: d.r
d.r.c1 <- d.b.j
d.r.c2 <- d.b.w
d.r.c3 <- d.a.k
d.r.c4 <- d.a.v

### star-between-items | hive | d.a(k, v) d.r(p, q, s, t)
insert into table d.r select 1, a.*, k + 1 from d.a
=>
reads: d.a
writes: d.r
d.r.p <-
d.r.q <- d.a.k
d.r.s <- d.a.v
d.r.t <- d.a.k transformation

### star-of-a-subquery | hive | d.a(k, v)
create table d.r as select * from (select v as x, k from d.a) s
=>
reads: d.a
writes: d.r
d.r.x <- d.a.v
d.r.k <- d.a.k

### star-through-two-ctes | trino | d.a(k, v)
create table d.r as with p as (select * from d.a), q as (select *, v + 1 as n from p) select * from q
=>
reads: d.a
writes: d.r
d.r.k <- d.a.k
d.r.v <- d.a.v
d.r.n <- d.a.v transformation

### star-in-both-branches | hive | d.a(k, v) d.b(x, y) d.r(p, q)
insert overwrite table d.r select * from (select * from d.a union all select * from d.b) u
=>
reads: d.a, d.b
writes: d.r
d.r.p <- d.a.k, d.b.x
d.r.q <- d.a.v, d.b.y

### star-except-two | spark | d.s(a, b, c)
create table d.r as select * except (a, c) from d.s
=>
reads: d.s
writes: d.r
d.r.b <- d.s.b

### star-exclude-of-duckdb | duckdb | d.s(a, b, c)
create table d.r as select * exclude (b) from d.s
=>
reads: d.s
writes: d.r
d.r.a <- d.s.a
d.r.c <- d.s.c

### qualified-star-except | spark | d.a(k, v) d.b(k, w)
create table d.r as select a.*, b.* except (k) from d.a a join d.b b on a.k = b.k
=>
reads: d.a, d.b
writes: d.r
d.r.k <- d.a.k
d.r.v <- d.a.v
d.r.w <- d.b.w
rows <- d.a.k join, d.b.k join

### star-replace | duckdb | d.s(a, b)
create table d.r as select * replace (upper(b) as b) from d.s
=>
reads: d.s
writes: d.r
d.r.a <- d.s.a
d.r.b <- d.s.b transformation

### star-rename | duckdb | d.s(a, b)
create table d.r as select * rename (a as aa) from d.s
=>
reads: d.s
writes: d.r
d.r.aa <- d.s.a
d.r.b <- d.s.b

### unknown-star-stays-a-star | spark |
create table d.r as select * from d.s
=>
reads: d.s
writes: d.r
d.r.* <- d.s.*
warns: unknown_star, unknown_table

### names-through-an-unknown-star | hive |
create table d.r as select q.a from (select * from d.s where b > 1) q
=>
reads: d.s
writes: d.r
d.r.a <- d.s.a
rows <- d.s.b filter
warns: unknown_table

### count-of-a-qualified-star | duckdb | d.s(a)
create table d.r as select count(*) as n, count(a) as m from d.s
=>
reads: d.s
writes: d.r
d.r.n <-
d.r.m <- d.s.a aggregation

### columns-by-a-pattern | duckdb | d.s(user_id, item_id, price, note)
create table d.r as select columns('_id$') from d.s
=>
reads: d.s
writes: d.r
d.r.user_id <- d.s.user_id
d.r.item_id <- d.s.item_id

### columns-by-alternatives | duckdb | d.s(q1_sum, q2_sum, q5_sum, total)
create table d.r as select columns('^(q[1-4]_.+|total)$') from d.s
=>
reads: d.s
writes: d.r
d.r.q1_sum <- d.s.q1_sum
d.r.q2_sum <- d.s.q2_sum
d.r.total <- d.s.total

### columns-of-a-star | duckdb | d.s(a, b, c)
create table d.r as select columns(* exclude (b)) from d.s
=>
reads: d.s
writes: d.r
d.r.a <- d.s.a
d.r.c <- d.s.c

### columns-by-a-list | duckdb | d.s(a, b, c)
create table d.r as select columns(['c', 'a']) from d.s
=>
reads: d.s
writes: d.r
d.r.a <- d.s.a
d.r.c <- d.s.c

### columns-within-an-expression | duckdb | d.s(k, a1, a2)
create table d.r as select k, sum(columns('^a')) from d.s group by k
=>
reads: d.s
writes: d.r
d.r.k <- d.s.k
d.r.a1 <- d.s.a1 aggregation
d.r.a2 <- d.s.a2 aggregation
rows <- d.s.k group by

### columns-twice-in-an-expression | duckdb | d.s(a, b)
create table d.r as select columns(*) + 2 * columns(*) from d.s
=>
reads: d.s
writes: d.r
d.r.a <- d.s.a transformation
d.r.b <- d.s.b transformation

### columns-by-what-is-computed | duckdb | d.s(a, b)
create table d.r as select columns(c -> c <> 'b') from d.s
=>
reads: d.s
writes: d.r
d.r.a <- d.s.a
d.r.b <- d.s.b
warns: unsupported
