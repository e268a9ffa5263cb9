"""Row lineage of format version 3 as Spark reads it: what Tarn moves keeps its number, and the
number of its last change unless it is what changed."""

import pytest

from test_iceberg_spark import OnPath

NUMBERS = "SELECT id, _row_id, _last_updated_sequence_number AS changed FROM {}"


@pytest.fixture
def home(tarn, spark):
    return OnPath(tarn, spark)


def numbers(spark, home, name):
    rows = spark.query(NUMBERS.format(home.theirs(name))).to_pylist()
    return {row["id"]: (row["_row_id"], row["changed"]) for row in rows}


@pytest.mark.parametrize("mode", ["copy-on-write", "merge-on-read"])
def test_what_tarn_moves(tarn, spark, home, mode):
    table = home.ours(mode[:4])
    tarn.sql(
        f"CREATE TABLE {table} (id BIGINT, v STRING) USING iceberg TBLPROPERTIES ('format-version' = '3', "
        f"'write.delete.mode' = '{mode}', 'write.update.mode' = '{mode}')"
    )
    tarn.sql(f"INSERT INTO {table} VALUES (1, 'a'), (2, 'b'), (3, 'c')")
    tarn.sql(f"INSERT INTO {table} VALUES (4, 'd'), (5, 'e')")
    assert numbers(spark, home, mode[:4]) == {1: (0, 1), 2: (1, 1), 3: (2, 1), 4: (3, 2), 5: (4, 2)}
    tarn.sql(f"DELETE FROM {table} WHERE id = 1")
    assert numbers(spark, home, mode[:4]) == {2: (1, 1), 3: (2, 1), 4: (3, 2), 5: (4, 2)}
    tarn.sql(f"UPDATE {table} SET v = 'C' WHERE id = 3")
    assert numbers(spark, home, mode[:4]) == {2: (1, 1), 3: (2, 4), 4: (3, 2), 5: (4, 2)}
    tarn.sql(f"UPDATE {table} SET v = 'D' WHERE id = 4")
    assert numbers(spark, home, mode[:4]) == {2: (1, 1), 3: (2, 4), 4: (3, 5), 5: (4, 2)}
    path = str(home.path(mode[:4]))
    tarn.sql(f"CALL system.rewrite_data_files(table => '{path}', min_input_files => 2)")
    assert numbers(spark, home, mode[:4]) == {2: (1, 1), 3: (2, 4), 4: (3, 5), 5: (4, 2)}


def test_what_spark_numbered(tarn, spark, home):
    other, table = home.theirs("s"), home.ours("s")
    spark.sql(f"CREATE TABLE {other} (id BIGINT, v STRING) USING iceberg TBLPROPERTIES ('format-version' = '3')")
    spark.sql(f"INSERT INTO {other} SELECT /*+ COALESCE(1) */ id, 'v' FROM range(1, 5)")
    spark.sql(f"UPDATE {other} SET v = 'w' WHERE id = 2")
    before = numbers(spark, home, "s")
    tarn.sql(f"DELETE FROM {table} WHERE id = 1")
    assert numbers(spark, home, "s") == {id: before[id] for id in (2, 3, 4)}
    tarn.sql(f"CALL system.rewrite_data_files(table => '{home.path('s')}', min_input_files => 1)")
    assert numbers(spark, home, "s") == {id: before[id] for id in (2, 3, 4)}
