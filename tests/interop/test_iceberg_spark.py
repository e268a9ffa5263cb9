"""Iceberg tables between Tarn and Spark, both ways, value by value: on paths, in the folders of a
HadoopCatalog, and in the SQL catalog that Spark's JdbcCatalog shares."""

import json
import os
import subprocess
import sys
import time

import pytest

from compare_tables import difference
from test_iceberg_worked_example import VALUES, counters

SECONDS = int(os.environ.get("TARN_INTEROP_SECONDS", "5"))  # `make interop`: 30

COLUMNS = """id BIGINT, flag BOOLEAN, i INT, f FLOAT, d DOUBLE, price DECIMAL(9,2), day DATE, at TIMESTAMP{tz},
             s STRING, b BINARY"""
# The same rows in both dialects: NULLs, both ends of ranges, days before 1970, text beyond the BMP.
ROWS = [
    "(1, true, 2147483647, CAST(1.5 AS FLOAT), CAST(-0.0 AS DOUBLE), CAST(1234567.89 AS DECIMAL(9,2)), "
    "DATE '2026-02-28', TIMESTAMP '2026-03-29 02:30:00.123456', 'a', {bytes})",
    "(2, false, -2147483648, CAST(-1.5 AS FLOAT), CAST(1e300 AS DOUBLE), CAST(-0.01 AS DECIMAL(9,2)), "
    "DATE '1969-12-31', TIMESTAMP '1969-12-31 23:59:59.999999', 'ÄÖ𝄞', {bytes})",
    "(3, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL)",
]


class OnPath:
    """A folder, and nothing else. Spark's SQL names it by the folder above, its reader by the path."""

    def __init__(self, tarn, spark):
        folder = tarn.folder / "tables"
        folder.mkdir()
        spark.iceberg_catalog("paths", type="hadoop", warehouse=str(tarn.folder))
        self.path = lambda name: folder / name
        self.ours = lambda name: f"'{folder / name}'"
        self.theirs = lambda name: f"paths.tables.{name}"


class InFolders:
    """HadoopCatalog."""

    def __init__(self, tarn, spark):
        tarn.run("init", tarn.lake, "--hadoop-catalog")
        tarn.sql("CREATE NAMESPACE ns")
        spark.iceberg_catalog("folders", type="hadoop", warehouse=str(tarn.lake))
        self.ours = lambda name: f"ns.{name}"
        self.theirs = lambda name: f"folders.ns.{name}"


class InSql:
    """JdbcCatalog."""

    def __init__(self, tarn, spark):
        tarn.init()
        tarn.sql("CREATE NAMESPACE ns")
        spark.iceberg_catalog("tarn", **{
            "catalog-impl": "org.apache.iceberg.jdbc.JdbcCatalog", "jdbc.schema-version": "V1",
            "uri": f"jdbc:sqlite:{tarn.lake}/.tarn/catalog.db", "warehouse": str(tarn.lake)})
        self.ours = lambda name: f"ns.{name}"
        self.theirs = lambda name: f"tarn.ns.{name}"


@pytest.fixture(params=[OnPath, InFolders, InSql], ids=lambda home: home.__name__)
def home(request, tarn, spark):
    return request.param(tarn, spark)


def agree(tarn, spark, home, name, clause=""):
    """The rows, when both say the same."""
    ours = tarn.table(f"SELECT * FROM {home.ours(name)}{clause}")
    theirs = spark.query(f"SELECT * FROM {home.theirs(name)}{clause}")
    problem = difference(ours, theirs)
    if problem is None and isinstance(home, OnPath) and not clause:
        problem = difference(ours, spark.read(home.path(name), format="iceberg"))
    assert problem is None, problem
    return ours


def ours(rows):
    return ", ".join(rows).format(bytes="'\\x00\\xFF'::BLOB")


def theirs(rows):
    return ", ".join(rows).format(bytes="X'00FF'").replace("TIMESTAMP '", "TIMESTAMP_NTZ '")


@pytest.mark.parametrize("version", [1, 2, 3])
def test_what_tarn_writes_spark_reads_and_writes_on(tarn, spark, home, version):
    name = f"t{version}"
    tarn.sql(
        f"CREATE TABLE {home.ours(name)} ({COLUMNS.format(tz='')}) USING iceberg PARTITIONED BY (days(day)) "
        f"TBLPROPERTIES ('format-version' = '{version}', 'write.delete.mode' = "
        f"'{'copy-on-write' if version == 1 else 'merge-on-read'}')"
    )
    tarn.sql(f"INSERT INTO {home.ours(name)} VALUES {ours(ROWS)}")
    assert agree(tarn, spark, home, name).num_rows == 3
    spark.sql(f"INSERT INTO {home.theirs(name)} VALUES {theirs(ROWS).replace('(1,', '(11,').replace('(2,', '(12,')}")
    assert agree(tarn, spark, home, name).num_rows == 6
    tarn.sql(f"DELETE FROM {home.ours(name)} WHERE id IN (1, 12)")
    assert agree(tarn, spark, home, name).num_rows == 4
    # Spark deletes from files that have deletes of Tarn's, and the other way round.
    spark.sql(f"DELETE FROM {home.theirs(name)} WHERE id = 2")
    assert agree(tarn, spark, home, name).num_rows == 3
    tarn.sql(f"DELETE FROM {home.ours(name)} WHERE id = 11")
    tarn.sql(f"UPDATE {home.ours(name)} SET s = 'changed' WHERE id = 3")
    rows = agree(tarn, spark, home, name)
    assert rows.column("s").to_pylist() == ["changed", "changed"]


def test_schema_and_partitions_evolve(tarn, spark, home):
    table, other = home.ours("t"), home.theirs("t")
    tarn.sql(f"CREATE TABLE {table} (id BIGINT, name STRING, n INT, st STRUCT(x INT)) USING iceberg PARTITIONED BY (name)")
    tarn.sql(f"INSERT INTO {table} VALUES (1, 'a', 1, {{'x': 1}}), (2, 'b', 2, {{'x': 2}})")
    tarn.sql(f"ALTER TABLE {table} ADD COLUMN note STRING")
    tarn.sql(f"ALTER TABLE {table} RENAME COLUMN name TO title")
    tarn.sql(f"ALTER TABLE {table} ALTER COLUMN n TYPE BIGINT")
    agree(tarn, spark, home, "t")
    spark.sql(f"ALTER TABLE {other} ADD COLUMN st.y STRING")
    spark.sql(f"ALTER TABLE {other} DROP COLUMN note")
    spark.sql(f"ALTER TABLE {other} REPLACE PARTITION FIELD title WITH bucket(4, id)")
    spark.sql(f"INSERT INTO {other} VALUES (3, 'c', 3000000000, named_struct('x', 3, 'y', 'why'))")
    agree(tarn, spark, home, "t")
    tarn.sql(f"INSERT INTO {table} VALUES (4, NULL, 4, {{'x': 4, 'y': 'four'}})")
    tarn.sql(f"DELETE FROM {table} WHERE title = 'a'")
    assert sorted(agree(tarn, spark, home, "t").column("id").to_pylist()) == [2, 3, 4]
    tarn.sql(f"INSERT OVERWRITE {table} VALUES (5, 'e', 5, NULL)")
    assert agree(tarn, spark, home, "t").num_rows == 1


def test_branches_tags_and_upkeep(tarn, spark, home):
    table, other = home.ours("t"), home.theirs("t")
    tarn.sql(f"CREATE TABLE {table} (id BIGINT) USING iceberg")
    for i in range(4):
        tarn.sql(f"INSERT INTO {table} VALUES ({i})")
    tarn.sql(f"ALTER TABLE {table} CREATE TAG early")
    spark.sql(f"ALTER TABLE {other} CREATE BRANCH audit")
    spark.sql(f"INSERT INTO {other}.branch_audit VALUES (100)")
    spark.sql(f"INSERT INTO {other} VALUES (4)")
    assert agree(tarn, spark, home, "t", " VERSION AS OF 'early'").num_rows == 4
    assert agree(tarn, spark, home, "t", " VERSION AS OF 'audit'").num_rows == 5
    assert agree(tarn, spark, home, "t").num_rows == 5


def test_tables_of_sparks(tarn, spark, home):
    other, table = home.theirs("s"), home.ours("s")
    spark.sql(
        f"CREATE TABLE {other} ({COLUMNS.format(tz='_NTZ')}) USING iceberg PARTITIONED BY (truncate(1, s), i) "
        "TBLPROPERTIES ('format-version' = '2', 'write.delete.mode' = 'merge-on-read')"
    )
    spark.sql(f"INSERT INTO {other} VALUES {theirs(ROWS)}")
    assert agree(tarn, spark, home, "s").num_rows == 3
    spark.sql(f"DELETE FROM {other} WHERE id = 1")
    tarn.sql(f"INSERT INTO {table} VALUES {ours(ROWS)}")
    assert agree(tarn, spark, home, "s").num_rows == 5
    tarn.sql(f"DELETE FROM {table} WHERE s IS NULL")
    assert sorted(agree(tarn, spark, home, "s").column("id").to_pylist()) == [1, 2, 2]


def summaries(metadata_folder):
    newest = max(metadata_folder.glob("v*.metadata.json"), key=lambda path: int(path.name[1:].split(".")[0]))
    snapshots = json.loads(newest.read_text())["snapshots"]
    return [counters(snapshot["summary"]) for snapshot in sorted(snapshots, key=lambda s: s["sequence-number"])]


def test_the_worked_example(tarn, spark):
    """One small table overwritten twice: the counters of both writes, key by key."""
    home = OnPath(tarn, spark)
    columns = (
        "id BIGINT, order_id BIGINT, product_id BIGINT, product_price DECIMAL(7,2), product_quantity INT, "
        "product_name STRING"
    )
    tarn.sql(f"CREATE TABLE {home.ours('tarn')} ({columns}) USING iceberg PARTITIONED BY (id)")
    spark.sql("SET spark.sql.sources.partitionOverwriteMode=static")
    spark.sql(f"CREATE TABLE {home.theirs('spark')} ({columns}) USING iceberg PARTITIONED BY (id)")
    for _ in range(2):
        tarn.sql(f"INSERT OVERWRITE {home.ours('tarn')} VALUES {VALUES}")
        spark.sql(f"INSERT OVERWRITE {home.theirs('spark')} VALUES {VALUES}")
    folder = tarn.folder / "tables"
    assert summaries(folder / "tarn" / "metadata") == summaries(folder / "spark" / "metadata")
    assert agree(tarn, spark, home, "tarn").num_rows == agree(tarn, spark, home, "spark").num_rows == 4


APPENDER = """
import sys, time
import pyarrow as pa
from pyiceberg.catalog.sql import SqlCatalog
from pyiceberg.exceptions import CommitFailedException
lake = sys.argv[1]
print("ready", flush=True)
until = float(sys.stdin.readline())
catalog = SqlCatalog("tarn", uri=f"sqlite:///{lake}/.tarn/catalog.db?timeout=60", warehouse=f"file://{lake}")
number = 0
while time.time() < until:
    row = pa.table({"writer": ["pyiceberg"], "n": pa.array([number], pa.int64())})
    try:
        catalog.load_table("ns.shared").append(row)
        print(number, flush=True)
    except CommitFailedException:
        pass
    number += 1
"""


def test_acknowledged_rows_are_there_once(tarn, spark, home):
    """Tarn, Spark and, where there is a catalog it knows, PyIceberg append to one table."""
    table, other = home.ours("shared"), home.theirs("shared")
    tarn.sql(f"CREATE TABLE {table} (writer STRING, n BIGINT) USING iceberg")
    pyiceberg = None
    if isinstance(home, InSql):
        pyiceberg = subprocess.Popen(
            [sys.executable, "-c", APPENDER, str(tarn.lake)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True)
        assert pyiceberg.stdout.readline() == "ready\n"
    until = time.time() + SECONDS
    if pyiceberg is not None:
        pyiceberg.stdin.write(f"{until}\n")
        pyiceberg.stdin.flush()
    wanted = {"tarn": set(), "spark": set(), "pyiceberg": set()}
    number = 0
    while time.time() < until:
        # At the same time: Spark's statement runs while Tarn's does.
        running = tarn.start("sql", "--lake", tarn.lake, f"INSERT INTO {table} VALUES ('tarn', {number})") \
            if tarn.lake.exists() else tarn.start("sql", f"INSERT INTO {table} VALUES ('tarn', {number})")
        try:
            spark.sql(f"INSERT INTO {other} VALUES ('spark', {number})")
            wanted["spark"].add(number)
        except RuntimeError as error:  # Spark gave up: its row must be absent
            assert "Commit" in str(error) or "BUSY" in str(error) or "changed" in str(error), error
        _, err = running.communicate(timeout=120)
        assert running.returncode == 0, err
        wanted["tarn"].add(number)
        number += 1
    if pyiceberg is not None:
        out, err = pyiceberg.communicate(timeout=120)
        assert pyiceberg.returncode == 0, err[-500:]
        wanted["pyiceberg"] = {int(line) for line in out.split()}
        assert wanted["pyiceberg"], "PyIceberg got no turn"
    assert wanted["tarn"] and wanted["spark"]
    rows = spark.query(f"SELECT * FROM {other}").to_pylist()
    print({writer: len(numbers) for writer, numbers in wanted.items()})
    for writer, numbers in wanted.items():
        assert sorted(row["n"] for row in rows if row["writer"] == writer) == sorted(numbers), writer
    assert agree(tarn, spark, home, "shared").num_rows == len(rows)
