"""Column invariants in a table's schema hold for every writer: what Tarn refuses, its peers refuse."""

import json

import pyarrow as pa
import pytest

from tarn_program import Failed


def invariant(sql):
    return {"delta.invariants": json.dumps({"expression": {"expression": sql}})}


@pytest.fixture
def table(tmp_path):
    deltalake = pytest.importorskip("deltalake")
    place = tmp_path / "theirs"
    schema = deltalake.Schema([deltalake.Field("x", "integer", nullable=True, metadata=invariant("x > 3"))])
    deltalake.DeltaTable.create(str(place), schema)
    return place


def test_of_a_column(tarn, table, delta_rs):
    import deltalake

    tarn.init()
    tarn.sql(f"INSERT INTO '{table}' VALUES (4)")
    for bad in ("3", "NULL"):  # what is not true breaks it
        with pytest.raises(Failed) as refused:
            tarn.sql(f"INSERT INTO '{table}' VALUES (5), ({bad})")
        assert refused.value.code == 1 and "x > 3" in refused.value.message, refused.value.message
    with pytest.raises(Failed):
        tarn.sql(f"UPDATE '{table}' SET x = 1")
    tarn.sql(f"UPDATE '{table}' SET x = x + 2")
    with pytest.raises(Exception, match="failed validation"):
        deltalake.write_deltalake(str(table), pa.table({"x": pa.array([3], pa.int32())}), mode="append")
    assert tarn.column(f"SELECT x FROM '{table}'") == [6]
    assert delta_rs.read(table).column("x").to_pylist() == [6]


def test_spark_agrees(tarn, table, spark):
    tarn.init()
    tarn.sql(f"INSERT INTO '{table}' VALUES (4)")
    for bad in ("3", "NULL"):
        with pytest.raises(RuntimeError):
            spark.sql(f"INSERT INTO delta.`{table}` VALUES ({bad})")
    spark.sql(f"INSERT INTO delta.`{table}` VALUES (5)")
    assert tarn.column(f"SELECT x FROM '{table}' ORDER BY x") == [4, 5]


def test_check_constraints_that_are_null(tarn, tmp_path, spark):
    """The protocol asks for rows that make a constraint true, and so does Spark: NULL does not."""
    table = tmp_path / "theirs"
    spark.sql(f"CREATE TABLE delta.`{table}` (n INT) USING delta")
    spark.sql(f"ALTER TABLE delta.`{table}` ADD CONSTRAINT positive CHECK (n > 0)")
    with pytest.raises(RuntimeError):
        spark.sql(f"INSERT INTO delta.`{table}` VALUES (NULL)")
    tarn.init()
    with pytest.raises(Failed) as refused:
        tarn.sql(f"INSERT INTO '{table}' VALUES (NULL)")
    assert "positive" in refused.value.message
    tarn.sql(f"INSERT INTO '{table}' VALUES (1)")
    assert len(spark.read(table)) == 1
