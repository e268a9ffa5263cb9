### multi-insert-of-two | hive | d.s(a, b, c) d.p(x) d.q(y, z)
from d.s insert into table d.p select a where b = 1 insert overwrite table d.q select a, sum(c) where b = 2 group by a
=>
reads: d.s
writes: d.p, d.q
d.p.x <- d.s.a
d.q.y <- d.s.a
d.q.z <- d.s.c aggregation
rows of d.p <- d.s.b filter
rows of d.q <- d.s.b filter, d.s.a group by

### multi-insert-over-a-subquery | hive | d.s(a, b) d.p(x) d.q(y)
from (select a, b from d.s where a > 0) t insert overwrite table d.p select t.a insert overwrite table d.q select t.b where t.b < 5
=>
reads: d.s
writes: d.p, d.q
d.p.x <- d.s.a
d.q.y <- d.s.b
rows of d.p <- d.s.a filter
rows of d.q <- d.s.a filter, d.s.b filter

### multi-insert-with-lateral-view | spark | d.s(id, xs) d.p(x) d.q(y)
from d.s lateral view explode(xs) e as x insert into d.p select x insert into d.q select id where x > 1
=>
reads: d.s
writes: d.p, d.q
d.p.x <- d.s.xs transformation
d.q.y <- d.s.id
rows of d.q <- d.s.xs filter

### multi-insert-directory-and-table | hive | d.s(a) d.p(x)
from d.s insert overwrite table d.p select a insert overwrite directory '/out/x' select a
=>
reads: d.s
writes: d.p, dir:/out/x
d.p.x <- d.s.a
dir:/out/x.a <- d.s.a

### merge-from-a-table | spark | d.s(id, v) d.t(id, v, n)
merge into d.t using d.s on t.id = s.id when matched then update set v = s.v, n = t.n + 1 when not matched then insert (id, v) values (s.id, s.v)
=>
reads: d.s, d.t
writes: d.t
d.t.id <- d.s.id
d.t.v <- d.s.v
d.t.n <- d.t.n transformation
rows <- d.t.id join, d.s.id join

### merge-star | spark | d.s(id, v) d.t(id, v)
merge into d.t as t using (select id, upper(v) as v from d.s) as s on t.id = s.id when matched then update set * when not matched then insert *
=>
reads: d.s, d.t
writes: d.t
d.t.id <- d.s.id
d.t.v <- d.s.v transformation
rows <- d.t.id join, d.s.id join

### merge-with-conditions | trino | d.s(id, v, del) d.t(id, v)
merge into d.t t using d.s s on t.id = s.id when matched and s.del = 1 then delete when matched and t.v <> s.v then update set v = s.v when not matched then insert (id, v) values (s.id, s.v)
=>
reads: d.s, d.t
writes: d.t
d.t.id <- d.s.id
d.t.v <- d.s.v
rows <- d.t.id join, d.s.id join, d.s.del filter, d.t.v filter, d.s.v filter

### merge-by-position | hive | d.s(id, a, b) d.t(k, x, y)
merge into d.t using d.s on t.k = s.id when not matched then insert values (s.id, s.a, concat(s.a, s.b))
=>
reads: d.s, d.t
writes: d.t
d.t.k <- d.s.id
d.t.x <- d.s.a
d.t.y <- d.s.a transformation, d.s.b transformation
rows <- d.t.k join, d.s.id join

### merge-not-matched-by-source | spark | d.s(id) d.t(id, gone)
merge into d.t using d.s on t.id = s.id when not matched by source and t.gone = 0 then update set gone = 1
=>
reads: d.s, d.t
writes: d.t
d.t.gone <-
rows <- d.t.id join, d.s.id join, d.t.gone filter

### update-with-an-expression | postgres | d.t(id, n, m)
update d.t set n = n + m, m = 0 where id > 5
=>
reads: d.t
writes: d.t
d.t.n <- d.t.n transformation, d.t.m transformation
d.t.m <-
rows <- d.t.id filter

### update-from-a-subquery | postgres | d.t(id, v) d.s(id, v, k)
update d.t as x set v = q.v from (select id, max(v) as v from d.s where k = 1 group by id) q where q.id = x.id
=>
reads: d.t, d.s
writes: d.t
d.t.v <- d.s.v aggregation
rows <- d.s.k filter, d.s.id group by, d.s.id filter, d.t.id filter

### update-by-correlated-scalar | spark | d.t(id, v) d.s(id, w)
update d.t set v = (select s.w from d.s where s.id = t.id)
=>
reads: d.t, d.s
writes: d.t
d.t.v <- d.s.w, d.s.id filter, d.t.id filter

### update-of-a-struct-field | spark | d.t(id, st) d.s(id, v)
update d.t set st.a = 1 where id in (select id from d.s)
=>
reads: d.t, d.s
writes: d.t
d.t.st <-
rows <- d.t.id filter, d.s.id filter

### update-several-at-once | postgres | d.t(a, b, k) d.s(x, y, k)
update d.t set (a, b) = (select s.x, s.y from d.s where s.k = t.k)
=>
reads: d.t, d.s
writes: d.t
d.t.a <- d.s.x, d.s.k filter, d.t.k filter
d.t.b <- d.s.y, d.s.k filter, d.t.k filter

### delete-with-exists | trino | d.t(id) d.s(id, x)
delete from d.t where exists (select 1 from d.s where s.id = t.id and s.x > 1)
=>
reads: d.t, d.s
writes: d.t
rows <- d.s.id filter, d.t.id filter, d.s.x filter

### delete-using | postgres | d.t(id) d.s(id, x)
delete from d.t using d.s where t.id = s.id and x is null
=>
reads: d.t, d.s
writes: d.t
rows <- d.t.id filter, d.s.id filter, d.s.x filter

### delete-not-in | spark | d.t(id, v) d.s(k)
delete from d.t where id not in (select k from d.s) and v > 3
=>
reads: d.t, d.s
writes: d.t
rows <- d.t.id filter, d.s.k filter, d.t.v filter

### upsert-on-conflict | postgres | d.s(id, v) d.t(id, v)
insert into d.t (id, v) select id, v from d.s on conflict (id) do update set v = excluded.v + t.v
=>
reads: d.s
writes: d.t
d.t.id <- d.s.id
d.t.v <- d.s.v transformation, d.t.v transformation

### local-directory | hive | d.s(a, b)
insert overwrite local directory '/tmp/out' row format delimited fields terminated by ',' select a, b as bb from d.s
=>
reads: d.s
writes: dir:file:/tmp/out
dir:file:/tmp/out.a <- d.s.a
dir:file:/tmp/out.bb <- d.s.b

### directory-with-options | spark | d.s(a)
insert overwrite directory using csv options (path 's3://b/o') select a * 2 as x from d.s
=>
reads: d.s
writes: dir:s3://b/o
dir:s3://b/o.x <- d.s.a transformation

### directory-of-an-aggregate | hive | d.s(k, v)
insert overwrite directory 'hdfs://nn/o' select k, count(v) from d.s group by k
=>
reads: d.s
writes: dir:hdfs://nn/o
dir:hdfs://nn/o.k <- d.s.k
dir:hdfs://nn/o._c1 <- d.s.v aggregation
rows <- d.s.k group by

### load-into-a-table | spark | d.t(a)
load data inpath 's3://b/in' into table d.t
=>
reads: path:s3://b/in
writes: d.t

### load-into-a-partition | hive | d.t(a, dt, hr)
load data inpath '/in' overwrite into table d.t partition (dt = '1', hr = 2)
=>
reads: path:/in
writes: d.t
partition: d.t.dt '1', d.t.hr 2

### load-local | hive | d.t(a)
load data local inpath '/home/x.txt' into table d.t
=>
reads: path:file:/home/x.txt
writes: d.t

### copy-into | spark | d.t(a, b)
copy into d.t from (select a, upper(b) as b from 's3://b/in') fileformat = parquet
=>
reads: path:s3://b/in
writes: d.t
d.t.a <- path:s3://b/in.a
d.t.b <- path:s3://b/in.b transformation

### copy-to-a-file | duckdb | d.s(a, b)
copy (select a from d.s where b = 1) to 'out.parquet' (format parquet)
=>
reads: d.s
writes: dir:out.parquet
dir:out.parquet.a <- d.s.a
rows <- d.s.b filter

### export-and-import | hive | d.t(a)
export table d.t partition (dt = '1') to '/exp/t'; import table d.u from '/exp/t'
=>
reads: d.t, path:/exp/t
writes: dir:/exp/t, d.u
partition: d.t.dt '1'

### moved-rows | postgres | d.a(id, v, old) d.b(id, w)
with moved as (delete from d.a where old returning id, v) insert into d.b select id, upper(v) from moved
=>
reads: d.a
writes: d.a, d.b
d.b.id <- d.a.id
d.b.w <- d.a.v transformation
rows of d.a <- d.a.old filter
rows of d.b <- d.a.old filter

### moved-rows-all-columns | postgres | d.a(id, v) d.b(x, y)
with m as (delete from d.a using d.c where d.a.id = d.c.id returning d.a.*) insert into d.b table m
=>
reads: d.a, d.c
writes: d.a, d.b
d.b.x <- d.a.id
d.b.y <- d.a.v
rows of d.a <- d.a.id filter, d.c.id filter
rows of d.b <- d.a.id filter, d.c.id filter

### returned-is-what-was-assigned | postgres | d.a(id, v) d.s(id, n) d.log(id, v, n)
with u as (update d.a set v = s.n + 1 from d.s s where a.id = s.id returning a.id, a.v, s.n) insert into d.log select * from u
=>
reads: d.a, d.s
writes: d.a, d.log
d.a.v <- d.s.n transformation
d.log.id <- d.a.id
d.log.v <- d.s.n transformation
d.log.n <- d.s.n
rows of d.a <- d.a.id filter, d.s.id filter
rows of d.log <- d.a.id filter, d.s.id filter

### returned-is-what-was-inserted | postgres | d.p(id, name) d.c(pid, label) d.s(n)
with i as (insert into d.p (name) select n from d.s returning id, name) insert into d.c select id, name from i
=>
reads: d.s
writes: d.p, d.c
d.p.name <- d.s.n
d.c.pid <-
d.c.label <- d.s.n

### a-change-in-with-that-nothing-reads | postgres | d.a(id) d.b(id)
with x as (delete from d.a where id = 1) select id from d.b
=>
reads: d.a, d.b
writes: d.a
<query>.id <- d.b.id
rows of d.a <- d.a.id filter

### a-change-in-with-under-other-names | postgres | d.a(id, v) d.b(x)
with m (k, w) as (delete from d.a returning id, v) insert into d.b select w from m
=>
reads: d.a
writes: d.a, d.b
d.b.x <- d.a.v

### changes-that-see-each-other | postgres | d.a(id) d.b(id) d.c(id)
with m as (delete from d.a returning id), n as (insert into d.b select id from m returning id) insert into d.c select id from n
=>
reads: d.a
writes: d.a, d.b, d.c
d.b.id <- d.a.id
d.c.id <- d.a.id

### lateral-view-of-a-branch | hive | d.s(id, xs, ys) d.p(x, y) d.q(z)
from d.s insert into table d.p select e.x, f.y lateral view explode(xs) e as x lateral view outer explode(ys) f as y where e.x > 1 insert into table d.q select id
=>
reads: d.s
writes: d.p, d.q
d.p.x <- d.s.xs transformation
d.p.y <- d.s.ys transformation
d.q.z <- d.s.id
rows of d.p <- d.s.xs filter

### lateral-view-of-a-branch-over-a-join | hive | d.s(id, tags) d.u(id, c) d.p(a, b)
from (select s.*, u.c from d.s s join d.u u on s.id = u.id) j insert overwrite table d.p select c, t.tag lateral view explode(tags) t as tag
=>
reads: d.s, d.u
writes: d.p
d.p.a <- d.u.c
d.p.b <- d.s.tags transformation
rows <- d.s.id join, d.u.id join
