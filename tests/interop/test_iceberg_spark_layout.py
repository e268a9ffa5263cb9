"""Partition evolution and sort orders of Iceberg tables that Tarn and Spark share: what either asks for,
the other follows, and each reads what both wrote."""

import pyarrow.parquet as pq
import pytest

from test_iceberg_spark import InFolders, InSql, agree


@pytest.fixture(params=[InFolders, InSql], ids=lambda home: home.__name__)
def home(request, tarn, spark):
    return request.param(tarn, spark)


@pytest.fixture(params=[1, 2, 3])
def table(request, tarn, home):
    tarn.sql(
        f"CREATE TABLE {home.ours('t')} (id BIGINT, ts TIMESTAMP, name STRING) USING iceberg PARTITIONED BY (name) "
        f"TBLPROPERTIES ('format-version' = '{request.param}')"
    )
    tarn.sql(f"INSERT INTO {home.ours('t')} VALUES (1, TIMESTAMP '2026-01-31 23:59:59', 'a'), (2, NULL, 'b'), (3, NULL, NULL)")
    return home


def insert(engine, name, begin, end):
    rows = ", ".join(f"({i}, TIMESTAMP_NTZ '2026-02-{i % 28 + 1:02} 01:02:03', '{'ab'[i % 2]}')" for i in range(begin, end))
    engine(f"INSERT INTO {name} VALUES {rows}")


def by_tarn(tarn):
    return lambda statement: tarn.sql(statement.replace("TIMESTAMP_NTZ", "TIMESTAMP"))


def test_partitions_evolve(tarn, spark, table):
    ours, theirs = table.ours("t"), table.theirs("t")
    tarn.sql(f"ALTER TABLE {ours} ADD PARTITION FIELD bucket(4, id)")
    insert(spark.sql, theirs, 10, 20)
    agree(tarn, spark, table, "t")
    tarn.sql(f"ALTER TABLE {ours} REPLACE PARTITION FIELD name WITH months(ts) AS month")
    insert(spark.sql, theirs, 20, 30)
    insert(by_tarn(tarn), ours, 30, 40)
    agree(tarn, spark, table, "t")
    spark.sql(f"ALTER TABLE {theirs} DROP PARTITION FIELD id_bucket_4")
    tarn.sql(f"ALTER TABLE {ours} DROP PARTITION FIELD month")
    insert(by_tarn(tarn), ours, 40, 50)
    # Java's library takes the field's old id up again, or gives the next: both read on.
    spark.sql(f"ALTER TABLE {theirs} ADD PARTITION FIELD name")
    insert(spark.sql, theirs, 50, 60)
    insert(by_tarn(tarn), ours, 60, 70)
    assert agree(tarn, spark, table, "t").num_rows == 63
    spark.sql(f"DELETE FROM {theirs} WHERE name = 'a' AND id > 30")
    tarn.sql(f"DELETE FROM {ours} WHERE ts < TIMESTAMP '2026-02-10 00:00:00' AND id > 5")
    agree(tarn, spark, table, "t")
    counted = spark.query(f"SELECT sum(record_count) AS n FROM {theirs}.partitions")
    assert counted.column("n").to_pylist() == [agree(tarn, spark, table, "t").num_rows]


def files_by_spark(spark, theirs):
    rows = spark.query(f"SELECT file_path, sort_order_id FROM {theirs}.files")
    return zip(*(rows.column(name).to_pylist() for name in ("file_path", "sort_order_id")), strict=True)


def rows_of(path):
    return pq.read_table(path.removeprefix("file:")).to_pylist()


def test_orders_of_either(tarn, spark, table):
    ours, theirs = table.ours("t"), table.theirs("t")
    spark.sql(f"ALTER TABLE {theirs} WRITE ORDERED BY name DESC NULLS LAST, bucket(4, id), id DESC")
    shown = tarn.json("table", "show", ours)
    assert shown["sort_order"] == "name DESC NULLS LAST, bucket(4, id) ASC NULLS FIRST, id DESC NULLS LAST"
    assert shown["properties"]["write.distribution-mode"] == "range"
    insert(by_tarn(tarn), ours, 10, 60)
    mine = [path for path, order in files_by_spark(spark, theirs) if order == 1]
    assert len(mine) == 2
    # Spark's own sorting of the same rows says the same.
    for path in mine:
        wanted = spark.query(f"SELECT id FROM {theirs} WHERE input_file_name() LIKE '%{path.rsplit('/', 1)[1]}'")
        rows = rows_of(path)
        assert sorted(row["id"] for row in rows) == sorted(wanted.column("id").to_pylist())
        values = ", ".join(f"({row['id']}, {i})" for i, row in enumerate(rows))
        catalog = theirs.split(".")[0]
        ordered = spark.query(f"SELECT id FROM VALUES {values} AS v(id, place) ORDER BY {catalog}.system.bucket(4, id), id DESC")
        assert ordered.column("id").to_pylist() == [row["id"] for row in rows]

    tarn.sql(f"ALTER TABLE {ours} WRITE DISTRIBUTED BY PARTITION LOCALLY ORDERED BY id DESC")
    assert dict(spark.sql(f"SHOW TBLPROPERTIES {theirs}"))["write.distribution-mode"] == "hash"
    before = {path for path, _ in files_by_spark(spark, theirs)}
    insert(spark.sql, theirs, 60, 100)
    new = [path for path, _ in files_by_spark(spark, theirs) if path not in before]
    assert new
    for path in new:
        found = [row["id"] for row in rows_of(path)]
        assert found == sorted(found, reverse=True)
    spark.sql(f"ALTER TABLE {theirs} WRITE UNORDERED")
    assert tarn.json("table", "show", ours)["sort_order"] == ""
    assert agree(tarn, spark, table, "t").num_rows == 93
