### explode-default-name | spark | d.t(id, xs)
create table d.r as select id, col from d.t lateral view explode(xs)
=>
reads: d.t
writes: d.r
d.r.id <- d.t.id
d.r.col <- d.t.xs transformation

### explode-map | hive | d.t(id, m)
create table d.r as select id, k, v from d.t lateral view explode(m) x as k, v
=>
reads: d.t
writes: d.r
d.r.id <- d.t.id
d.r.k <- d.t.m transformation
d.r.v <- d.t.m transformation

### explode-outer-of-an-expression | hive | d.t(id, a, b)
create table d.r as select x.w from d.t lateral view outer explode(split(concat(a, b), ',')) x as w
=>
reads: d.t
writes: d.r
d.r.w <- d.t.a transformation, d.t.b transformation

### lateral-view-of-a-lateral-view | hive | d.t(xs)
create table d.r as select z from d.t lateral view explode(xs) e1 as y lateral view explode(split(y, ';')) e2 as z
=>
reads: d.t
writes: d.r
d.r.z <- d.t.xs transformation

### lateral-view-shadows-nothing | spark | d.t(id, xs, ys)
create table d.r as select e.x, ys from d.t lateral view explode(xs) e as x where x > 3
=>
reads: d.t
writes: d.r
d.r.x <- d.t.xs transformation
d.r.ys <- d.t.ys
rows <- d.t.xs filter

### lateral-view-over-a-subquery | hive | d.t(id, s)
create table d.r as select q.id, v.w from (select id, upper(s) u from d.t where id > 0) q lateral view explode(split(q.u, '')) v as w
=>
reads: d.t
writes: d.r
d.r.id <- d.t.id
d.r.w <- d.t.s transformation
rows <- d.t.id filter

### lateral-view-of-a-constant | spark | d.t(id)
create table d.r as select id, n from d.t lateral view explode(array(1, 2)) e as n
=>
reads: d.t
writes: d.r
d.r.id <- d.t.id
d.r.n <-

### json-tuple-of-three | hive | d.t(id, j)
create table d.r as select id, b from d.t lateral view json_tuple(j, 'x', 'y', 'z') v as a, b, c
=>
reads: d.t
writes: d.r
d.r.id <- d.t.id
d.r.b <- d.t.j transformation

### json-tuple-default-names | spark | d.t(j)
create table d.r as select v.c1 from d.t lateral view json_tuple(j, 'x', 'y') v
=>
reads: d.t
writes: d.r
d.r.c1 <- d.t.j transformation

### json-tuple-then-expression | spark | d.t(j)
create table d.r as select concat(x, y) as xy from d.t lateral view json_tuple(lower(j), 'x', 'y') v as x, y
=>
reads: d.t
writes: d.r
d.r.xy <- d.t.j transformation

### udtf-in-the-select-list | hive | d.t(line) d.r(p, q)
insert into table d.r select json_tuple(line, 'p', 'q') as (a, b) from d.t
=>
reads: d.t
writes: d.r
d.r.p <- d.t.line transformation
d.r.q <- d.t.line transformation

### parse-url-tuple-in-a-subquery | hive | d.t(u)
create table d.r as select s.h from (select parse_url_tuple(u, 'HOST', 'PATH') as (h, p) from d.t) s
=>
reads: d.t
writes: d.r
d.r.h <- d.t.u transformation

### explode-in-the-select-list | spark | d.t(id, xs)
create table d.r as select id, explode(xs) as x from d.t
=>
reads: d.t
writes: d.r
d.r.id <- d.t.id
d.r.x <- d.t.xs transformation

### posexplode-in-the-select-list | spark | d.t(id, xs)
create table d.r as select id, posexplode(xs) as (p, x) from d.t
=>
reads: d.t
writes: d.r
d.r.id <- d.t.id
d.r.p <- d.t.xs transformation
d.r.x <- d.t.xs transformation

### stack-by-position | hive | d.t(a, b, c, e)
create table d.r as select s.x, s.y from d.t lateral view stack(2, a, b, c, e) s as x, y
=>
reads: d.t
writes: d.r
d.r.x <- d.t.a transformation, d.t.c transformation
d.r.y <- d.t.b transformation, d.t.e transformation

### unnest-two-arrays | trino | d.t(id, xs, ys)
create table d.r as select t.id, u.x, u.y from d.t t cross join unnest(t.xs, t.ys) as u(x, y)
=>
reads: d.t
writes: d.r
d.r.id <- d.t.id
d.r.x <- d.t.xs transformation
d.r.y <- d.t.ys transformation

### unnest-a-map | trino | d.t(m)
create table d.r as select k, v from d.t cross join unnest(m) as x(k, v)
=>
reads: d.t
writes: d.r
d.r.k <- d.t.m transformation
d.r.v <- d.t.m transformation

### unnest-without-columns | duckdb | d.t(id, xs)
create table d.r as select t.id, x from d.t t, unnest(t.xs) as x
=>
reads: d.t
writes: d.r
d.r.id <- d.t.id
d.r.x <- d.t.xs transformation

### unnest-filtered | trino | d.t(id, xs)
create table d.r as select id from d.t cross join unnest(xs) with ordinality as u(x, n) where x > 1 and n = 1
=>
reads: d.t
writes: d.r
d.r.id <- d.t.id
rows <- d.t.xs filter

### range-is-no-table | spark | d.t(id)
create table d.r as select r.id, t.id as t_id from range(5) r join d.t t on t.id = r.id
=>
reads: d.t
writes: d.r
d.r.id <-
d.r.t_id <- d.t.id
rows <- d.t.id join

### generate-series | postgres | d.t(lo, hi)
create table d.r as select g.n from d.t cross join lateral generate_series(t.lo, t.hi) as g(n)
=>
reads: d.t
writes: d.r
d.r.n <- d.t.lo transformation, d.t.hi transformation

### sequence-unnested | trino | d.t(a)
create table d.r as select n, a from d.t cross join unnest(sequence(1, 10)) as s(n)
=>
reads: d.t
writes: d.r
d.r.n <-
d.r.a <- d.t.a

### transform-with-types | hive | d.t(a, b, c)
create table d.r as select transform(a, b) using 'cat' as (k int, v string) from d.t where c > 1
=>
reads: d.t
writes: d.r
d.r.k <- d.t.a transformation, d.t.b transformation
d.r.v <- d.t.a transformation, d.t.b transformation
rows <- d.t.c filter

### transform-default-columns | hive | d.t(a)
create table d.r as select key from (select transform(a) using 'cat' from d.t) x
=>
reads: d.t
writes: d.r
d.r.key <- d.t.a transformation

### map-reduce-words | hive | d.t(a, b) d.r(x)
from (from d.t map a, b using 'm' as x, y) q insert into table d.r select q.y
=>
reads: d.t
writes: d.r
d.r.x <- d.t.a transformation, d.t.b transformation

### exploded-map-without-names | hive | d.s(id, a, b)
create table d.r as select s.id, m.* from d.s s lateral view explode(map('a', a, 'b', b)) m
=>
reads: d.s
writes: d.r
d.r.id <- d.s.id
d.r.key <- d.s.a transformation, d.s.b transformation
d.r.value <- d.s.a transformation, d.s.b transformation

### exploded-map-with-positions | spark | d.s(t)
create table d.r as select pos, key, value from d.s lateral view posexplode(str_to_map(t)) m
=>
reads: d.s
writes: d.r
d.r.pos <- d.s.t transformation
d.r.key <- d.s.t transformation
d.r.value <- d.s.t transformation
