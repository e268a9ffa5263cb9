### rename | hive | d.a(x, y)
alter table d.a rename to d.b
=>
reads: d.a
writes: d.b
d.b.x <- d.a.x
d.b.y <- d.a.y
ddl: RENAME_TABLE d.a d.b

### rename-within-the-database | spark | d.a(x)
alter table d.a rename to b
=>
reads: d.a
writes: d.b
d.b.x <- d.a.x
ddl: RENAME_TABLE d.a d.b

### rename-a-view | spark | d.v(x)
alter view d.v rename to d.w
=>
reads: d.v
writes: d.w
d.w.x <- d.v.x
ddl: RENAME_VIEW d.v d.w

### drop | trino | d.a(x)
drop table if exists d.a; drop view d.v
=>
reads:
writes:
ddl: DROP_TABLE d.a, DROP_VIEW d.v

### drop-unqualified | spark | default.a(x)
drop table a
=>
reads:
writes:
ddl: DROP_TABLE default.a

### truncate | hive | d.a(x)
truncate table d.a
=>
reads:
writes: d.a
ddl: TRUNCATE d.a

### create-like | spark | d.a(x, y)
create table d.b like d.a using parquet
=>
reads:
writes: d.b
like: d.a

### create-like-then-insert | hive | d.a(x, y) d.s(p, q)
create table d.b like d.a; insert into table d.b select q, p from d.s
=>
reads: d.s
writes: d.b
d.b.x <- d.s.q
d.b.y <- d.s.p
like: d.a

### create-like-of-trino | trino | d.a(x)
create table d.b (like d.a including properties)
=>
reads:
writes: d.b
like: d.a

### clone | spark | d.a(x, y)
create or replace table d.b deep clone d.a
=>
reads: d.a
writes: d.b
d.b.x <- d.a.x
d.b.y <- d.a.y

### exchange-partition | hive | d.a(x, dt) d.b(x, dt)
alter table d.a exchange partition (dt = '1') with table d.b
=>
reads: d.b
writes: d.a
d.a.x <- d.b.x
d.a.dt <- d.b.dt
ddl: EXCHANGE_PARTITION d.a d.b d.a

### add-columns-then-insert | hive | d.t(a) d.s(x, y)
alter table d.t add columns (b int, c string); insert into table d.t select x, y, 1 from d.s
=>
reads: d.s
writes: d.t
d.t.a <- d.s.x
d.t.b <- d.s.y
d.t.c <-
ddl: ADD_COLUMNS d.t b c

### change-column-then-insert | hive | d.t(a, b) d.s(x, y)
alter table d.t change a aa bigint; insert into table d.t select x, y from d.s
=>
reads: d.s
writes: d.t
d.t.aa <- d.s.x
d.t.b <- d.s.y
ddl: RENAME_COLUMN d.t a aa

### replace-columns-then-insert | hive | d.t(a, b) d.s(x)
alter table d.t replace columns (z int); insert into table d.t select x from d.s
=>
reads: d.s
writes: d.t
d.t.z <- d.s.x
ddl: REPLACE_COLUMNS d.t z

### add-and-drop-partitions | hive | d.t(a, dt)
alter table d.t add partition (dt = '1') location '/x'; alter table d.t drop partition (dt = '0')
=>
reads:
writes:
ddl: ADD_PARTITION d.t, DROP_PARTITION d.t

### maintenance | spark | d.t(a)
optimize d.t zorder by (a); vacuum d.t retain 100 hours
=>
reads:
writes:
maintains: d.t

### analyze | hive | d.t(a)
analyze table d.t compute statistics for columns
=>
reads:
writes:
maintains: d.t

### call-a-procedure | spark | d.t(a)
call cat.system.rewrite_data_files(table => 'd.t', strategy => 'sort')
=>
reads:
writes:
maintains: d.t
