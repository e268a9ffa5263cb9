"""Tables that peers made: Tarn reads them, appends to them, and the peer reads the whole."""

import pyarrow as pa
import pytest

from compare_tables import difference


def same(peer, tarn, table):
    problem = difference(tarn.table(f"SELECT * FROM '{table}'"), peer.read(table))
    assert problem is None, problem


ROWS = pa.table({"id": pa.array([1, 2, 3], pa.int32()), "s": ["a", None, "c"], "day": ["x", "y", None]})


@pytest.mark.parametrize("partitioned", [False, True])
@pytest.mark.parametrize("checkpoint", [False, True])
def test_table_of_delta_rs(tarn, delta_rs, duckdb, tmp_path, partitioned, checkpoint):
    import deltalake

    table = tmp_path / "theirs"
    deltalake.write_deltalake(str(table), ROWS, partition_by=["day"] if partitioned else None)
    if checkpoint:
        deltalake.DeltaTable(str(table)).create_checkpoint()
    tarn.init()
    same(delta_rs, tarn, table)
    tarn.sql(f"INSERT INTO '{table}' SELECT 4, 'd', 'z'")
    tarn.sql(f"DELETE FROM '{table}' WHERE id = 1")
    assert tarn.column(f"SELECT id FROM '{table}' ORDER BY id") == [2, 3, 4]
    same(delta_rs, tarn, table)
    same(duckdb, tarn, table)
    deltalake.write_deltalake(str(table), ROWS, mode="append")
    assert tarn.value(f"SELECT count(*) FROM '{table}'") == 6
    same(delta_rs, tarn, table)


SPARK_TABLES = {
    "plain": "",
    "dv": "TBLPROPERTIES ('delta.enableDeletionVectors' = 'true')",
    "mapping": "TBLPROPERTIES ('delta.columnMapping.mode' = 'name', 'delta.minReaderVersion' = '2', "
    "'delta.minWriterVersion' = '5')",
    "v2checkpoint": "TBLPROPERTIES ('delta.checkpointPolicy' = 'v2')",
    "ict": "TBLPROPERTIES ('delta.enableInCommitTimestamps' = 'true')",
    "cdf": "TBLPROPERTIES ('delta.enableChangeDataFeed' = 'true')",
}


@pytest.mark.parametrize("kind", SPARK_TABLES)
def test_table_of_spark(tarn, spark, tmp_path, kind):
    table = tmp_path / "theirs"
    name = f"delta.`{table}`"
    spark.sql(f"CREATE TABLE {name} (id INT, s STRING, day STRING) USING delta PARTITIONED BY (day) {SPARK_TABLES[kind]}")
    spark.sql(f"INSERT INTO {name} VALUES (1, 'a', 'x'), (2, NULL, 'y'), (3, 'c', NULL)")
    spark.sql(f"DELETE FROM {name} WHERE id = 3")
    tarn.init()
    same(spark, tarn, table)
    tarn.sql(f"INSERT INTO '{table}' SELECT 4, 'd', 'z'")
    same(spark, tarn, table)
    tarn.sql(f"DELETE FROM '{table}' WHERE id = 1")
    same(spark, tarn, table)
    spark.sql(f"INSERT INTO {name} VALUES (5, 'e', 'x')")
    same(spark, tarn, table)
    assert tarn.column(f"SELECT id FROM '{table}' ORDER BY id") == [2, 4, 5]


@pytest.mark.parametrize("statement", ["CREATE OR REPLACE TABLE", "RESTORE"])
def test_ids_after_a_peer_replaced_the_schema(tarn, spark, tmp_path, statement):
    """tarn.schemaIds goes stale when a peer changes the schema: no id is used for two columns."""
    tarn.init()
    table = tarn.lake / "ids"
    name = f"delta.`{table}`"
    tarn.sql(f"CREATE TABLE '{table}' (id INT, s STRING); INSERT INTO '{table}' VALUES (1, 'a')")
    if statement == "RESTORE":
        spark.sql(f"ALTER TABLE {name} ADD COLUMNS (extra INT)")
        spark.sql(f"RESTORE TABLE {name} TO VERSION AS OF 1")
    else:
        spark.sql(f"CREATE TABLE ids USING delta LOCATION '{table}'")
        spark.sql(f"CREATE OR REPLACE TABLE ids (id INT, other STRING) USING delta LOCATION '{table}'")
        spark.sql(f"INSERT INTO {name} VALUES (1, 'b')")
    same(spark, tarn, table)
    ids = [column["id"] for column in tarn.json("table", "schema", table)["columns"]]
    assert len(ids) == len(set(ids)) and all(ids)
    tarn.sql(f"INSERT INTO '{table}' VALUES (2, 'c')")
    same(spark, tarn, table)
