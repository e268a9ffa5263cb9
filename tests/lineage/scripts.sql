### create-then-insert | hive | d.s(a, b)
create table d.r (x int, y int); insert into table d.r select b, a from d.s
=>
reads: d.s
writes: d.r
d.r.x <- d.s.b
d.r.y <- d.s.a

### create-partitioned-then-insert | hive | d.s(a, b)
create table d.r (x int) partitioned by (dt string); insert overwrite table d.r partition (dt) select a, b from d.s
=>
reads: d.s
writes: d.r
d.r.x <- d.s.a
d.r.dt <- d.s.b
partition: d.r.dt dynamic

### intermediate-tables-stay | hive | d.s(a)
create table d.tmp as select a + 1 as n from d.s; create table d.r as select n from d.tmp; drop table d.tmp
=>
reads: d.s, d.tmp
writes: d.tmp, d.r
d.tmp.n <- d.s.a transformation
d.r.n <- d.tmp.n
ddl: DROP_TABLE d.tmp

### build-and-rename | spark | d.s(a)
create table d.new as select a from d.s; alter table d.new rename to d.final
=>
reads: d.s
writes: d.final
d.final.a <- d.s.a
ddl: RENAME_TABLE d.new d.final

### swap | spark | d.s(a) d.t(a)
create table d.t_new as select a * 2 as a from d.s; alter table d.t rename to d.t_old; alter table d.t_new rename to d.t
=>
reads: d.s, d.t
writes: d.t, d.t_old
d.t.a <- d.s.a transformation
d.t_old.a <- d.t.a
ddl: RENAME_TABLE d.t d.t_old, RENAME_TABLE d.t_new d.t

### view-kept | spark | d.s(a, b)
create view d.v as select a + 1 as n from d.s where b > 0; create table d.r as select n from d.v
=>
reads: d.s, d.v
writes: d.v, d.r
d.v.n <- d.s.a transformation
d.r.n <- d.v.n
rows of d.v <- d.s.b filter

### one-bad-statement | hive | d.s(a)
create table d.r as select a from d.s; selec x frm y where; create table d.q as select a from d.r
=>
reads: d.s, d.r
writes: d.r, d.q
d.r.a <- d.s.a
d.q.a <- d.r.a
warns: syntax

### settings-are-nothing | hive | d.s(a) d.r(a)
set hive.exec.dynamic.partition=true; insert overwrite table d.r select a from d.s
=>
reads: d.s
writes: d.r
d.r.a <- d.s.a

### block-of-statements | spark | d.s(a)
begin create table d.r as select a from d.s; insert into d.r select a + 1 from d.s; end
=>
reads: d.s
writes: d.r
d.r.a <- d.s.a transformation

### what-conditions-read | spark | d.s(a) d.r(a) d.c(n, day)
begin
  declare v int default (select max(n) from d.c);
  if (select count(*) from d.c where day = current_date()) > v then
    insert into d.r select a + v from d.s;
  end if;
end
=>
reads: d.c, d.s
writes: d.r
d.r.a <- d.s.a transformation
rows of <query> <- d.c.n filter, d.c.day filter

### loops-read-their-query | spark | d.s(a, b) d.r(x)
begin
  for row as select a from d.s where b = 1 do
    insert into d.r values (row.a);
  end for;
  while exists (select 1 from d.w) do
    delete from d.w where k = 1;
  end while;
end
=>
reads: d.s, d.w
writes: d.r, d.w
d.r.x <- d.s.a
rows of <query> <- d.s.a filter, d.s.b filter
rows of d.w <- d.w.k filter

### a-column-before-a-variable | spark | d.s(a) d.r(a, b)
begin
  declare a int;
  declare v int;
  insert into d.r select a, v from d.s;
end
=>
reads: d.s
writes: d.r
d.r.a <- d.s.a
d.r.b <-

### rows-of-loops-within-each-other | spark | d.s(k) d.t(k, v) d.r(x, y)
begin
  for o as select k from d.s do
    for i as select v + 1 as w from d.t where t.k = o.k do
      insert into d.r select o.k, i.w;
    end for;
  end for;
end
=>
reads: d.s, d.t
writes: d.r
d.r.x <- d.s.k
d.r.y <- d.t.v transformation
rows of <query> <- d.s.k filter, d.t.k filter, d.t.v filter
