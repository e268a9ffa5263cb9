### using-merges | trino | d.a(id, x) d.b(id, y)
create table d.r as select id, x, y from d.a left join d.b using (id)
=>
reads: d.a, d.b
writes: d.r
d.r.id <- d.a.id
d.r.x <- d.a.x
d.r.y <- d.b.y
rows <- d.a.id join, d.b.id join

### using-star-order | spark | d.a(x, id) d.b(y, id) d.r(p, q, s)
insert into d.r select * from d.a join d.b using (id)
=>
reads: d.a, d.b
writes: d.r
d.r.p <- d.a.id
d.r.q <- d.a.x
d.r.s <- d.b.y
rows <- d.a.id join, d.b.id join

### using-right-and-full | postgres | d.a(id, x) d.b(id, y)
create table d.r as select id as k, a.id as ka from d.a full join d.b using (id)
=>
reads: d.a, d.b
writes: d.r
d.r.k <- d.a.id transformation, d.b.id transformation
d.r.ka <- d.a.id
rows <- d.a.id join, d.b.id join

### using-right-join | postgres | d.a(id, x) d.b(id, y)
create table d.r as select id from d.a right join d.b using (id)
=>
reads: d.a, d.b
writes: d.r
d.r.id <- d.b.id
rows <- d.a.id join, d.b.id join

### using-twice | duckdb | d.a(k, x) d.b(k, y) d.c(k, z)
create table d.r as select * from d.a join d.b using (k) join d.c using (k)
=>
reads: d.a, d.b, d.c
writes: d.r
d.r.k <- d.a.k
d.r.x <- d.a.x
d.r.y <- d.b.y
d.r.z <- d.c.z
rows <- d.a.k join, d.b.k join, d.c.k join

### natural-join | postgres | d.a(id, x) d.b(y, id)
create table d.r as select * from d.a natural join d.b
=>
reads: d.a, d.b
writes: d.r
d.r.id <- d.a.id
d.r.x <- d.a.x
d.r.y <- d.b.y
rows <- d.a.id join, d.b.id join

### unqualified-names-by-catalog | hive | d.a(k, v) d.b(id, w)
create table d.r as select v, w from d.a join d.b on k = id
=>
reads: d.a, d.b
writes: d.r
d.r.v <- d.a.v
d.r.w <- d.b.w
rows <- d.a.k join, d.b.id join

### one-table-without-schema | hive | d.a(k, v)
create table d.r as select v, w from d.a join d.b on k = id
=>
reads: d.a, d.b
writes: d.r
d.r.v <- d.a.v
d.r.w <- d.b.w
rows <- d.a.k join, d.b.id join
warns: unknown_table

### expressions-in-on | spark | d.a(k, v) d.b(k, w)
create table d.r as select v from d.a left join d.b on a.k = substr(b.k, 2) and b.w > 10
=>
reads: d.a, d.b
writes: d.r
d.r.v <- d.a.v
rows <- d.a.k join, d.b.k join, d.b.w join

### left-semi-join | hive | d.a(k, v) d.b(k, v)
create table d.r as select v from d.a left semi join d.b on a.k = b.k
=>
reads: d.a, d.b
writes: d.r
d.r.v <- d.a.v
rows <- d.a.k join, d.b.k join

### left-anti-join-star | spark | d.a(k, v) d.b(k, w)
create table d.r as select * from d.a left anti join d.b on a.k = b.k
=>
reads: d.a, d.b
writes: d.r
d.r.k <- d.a.k
d.r.v <- d.a.v
rows <- d.a.k join, d.b.k join

### comma-join | trino | d.a(k, v) d.b(k, w)
create table d.r as select a.v, b.w from d.a, d.b where a.k = b.k and w > 1
=>
reads: d.a, d.b
writes: d.r
d.r.v <- d.a.v
d.r.w <- d.b.w
rows <- d.a.k filter, d.b.k filter, d.b.w filter

### comma-then-join | hive | d.a(k) d.b(k, j) d.c(j, z)
create table d.r as select a.k, c.z from d.a, d.b join d.c on b.j = c.j
=>
reads: d.a, d.b, d.c
writes: d.r
d.r.k <- d.a.k
d.r.z <- d.c.z
rows <- d.b.j join, d.c.j join

### self-join | spark | d.t(id, up, nm)
create table d.r as select c.nm, p.nm as up_nm from d.t c left join d.t p on c.up = p.id
=>
reads: d.t
writes: d.r
d.r.nm <- d.t.nm
d.r.up_nm <- d.t.nm
rows <- d.t.up join, d.t.id join

### insert-reading-its-target | spark | d.s(id, v) d.t(id, v)
insert into d.t select s.id, s.v from d.s s left anti join d.t t on s.id = t.id
=>
reads: d.s, d.t
writes: d.t
d.t.id <- d.s.id
d.t.v <- d.s.v
rows <- d.s.id join, d.t.id join

### overwrite-itself-with-more | hive | d.s(id, v) d.t(id, v)
insert overwrite table d.t select id, v from (select id, v from d.t union all select id, v from d.s) u
=>
reads: d.t, d.s
writes: d.t
d.t.id <- d.t.id, d.s.id
d.t.v <- d.t.v, d.s.v

### overwrite-itself-aggregated | spark | d.t(id, n)
insert overwrite d.t select id, sum(n) from d.t group by id
=>
reads: d.t
writes: d.t
d.t.id <- d.t.id
d.t.n <- d.t.n aggregation
rows <- d.t.id group by

### overwrite-itself-by-scalar | trino | d.t(id, n)
insert into d.t select id + (select max(t.id) from d.t), n from d.t
=>
reads: d.t
writes: d.t
d.t.id <- d.t.id aggregation
d.t.n <- d.t.n

### parenthesised-joins | postgres | d.a(k, x) d.b(k, y) d.c(k, z)
create table d.r as select x, z from d.a left join (d.b join d.c on b.k = c.k) on a.k = b.k
=>
reads: d.a, d.b, d.c
writes: d.r
d.r.x <- d.a.x
d.r.z <- d.c.z
rows <- d.a.k join, d.b.k join, d.c.k join

### values-as-a-table | trino | d.a(id, v)
create table d.r as select a.v, m.nm from d.a join (values (1, 'p'), (2, 'q')) m(id, nm) on m.id = a.id
=>
reads: d.a
writes: d.r
d.r.v <- d.a.v
d.r.nm <-
rows <- d.a.id join

### values-named-by-position | spark | d.a(id)
create table d.r as select a.id, v.col2 from d.a cross join (values (1, 'x')) v
=>
reads: d.a
writes: d.r
d.r.id <- d.a.id
d.r.col2 <-

### values-of-columns | postgres | d.a(id, p, q)
create table d.r as select a.id, v.x from d.a cross join lateral (values (a.p), (a.q)) v(x)
=>
reads: d.a
writes: d.r
d.r.id <- d.a.id
d.r.x <- d.a.p, d.a.q
