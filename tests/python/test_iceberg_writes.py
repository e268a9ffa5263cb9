"""Iceberg tables that Tarn writes, read by PyIceberg and by DuckDB's iceberg extension, value by
value, and their metadata compared with what the specification requires."""

import json
import pathlib

import pyarrow as pa
import pytest

from compare_tables import difference
from iceberg_peers import by_pyiceberg, duckdb_with_iceberg, metadata, newest
from tarn_program import Failed


@pytest.fixture(scope="module")
def duck():
    return duckdb_with_iceberg()


def by_duckdb(duck, table):
    found = duck.execute(f"SELECT * FROM iceberg_scan('{newest(table)}')").arrow()
    return found.read_all() if hasattr(found, "read_all") else found


def agree(tarn, duck, table):
    """The rows, when all three say the same."""
    ours = tarn.table(f"SELECT * FROM '{table}'")
    for name, theirs in (("pyiceberg", by_pyiceberg(table)), ("duckdb", by_duckdb(duck, table))):
        problem = difference(ours, theirs)
        assert problem is None, f"{name}: {problem}\nours {ours.schema}\ntheirs {theirs.schema}"
    return ours


TYPES = """
    SELECT i::INT AS i, i::BIGINT * 3000000000 AS l, (i / 3)::FLOAT AS f, (i / 7)::DOUBLE AS d,
           (i * 1.25)::DECIMAL(9,2) AS dec9, (i * 1.5)::DECIMAL(38,10) AS dec38, (i % 2 = 0) AS flag,
           DATE '1969-12-30' + i::INT AS day, TIME '01:02:03.000004' AS t,
           TIMESTAMP '1969-12-31 23:59:58.999999' + INTERVAL (i) SECOND AS ts,
           TIMESTAMPTZ '2026-01-01 00:00:00+00' + INTERVAL (i) HOUR AS tz,
           CASE WHEN i % 3 = 0 THEN NULL ELSE 'ä' || i END AS s, encode('b' || i) AS b,
           [i, NULL, i + 1] AS list, {'x': i, 'y': 'y' || i} AS st, MAP {'k' || i: i} AS m
    FROM range(10) AS r(i)
"""


@pytest.mark.parametrize("version", ["1", "2"])
def test_every_type(tarn, duck, version):
    table = tarn.folder / f"types{version}"
    tarn.sql(f"CREATE TABLE '{table}' USING iceberg TBLPROPERTIES ('format-version' = '{version}') AS {TYPES}")
    rows = agree(tarn, duck, table)
    assert rows.num_rows == 10
    assert metadata(table)["format-version"] == int(version)


PARTITIONS = [
    "id",
    "bucket(4, id)",
    "bucket(8, s)",
    "truncate(3, s)",
    "truncate(10, id)",
    "years(ts)",
    "months(ts)",
    "days(ts)",
    "hours(ts)",
    "days(day)",
    "s, days(ts)",
]


@pytest.mark.parametrize("spec", PARTITIONS)
def test_hidden_partitions(tarn, duck, spec):
    table = tarn.folder / "parted"
    tarn.sql(
        f"CREATE TABLE '{table}' (id BIGINT, s STRING, ts TIMESTAMP, day DATE) USING iceberg PARTITIONED BY ({spec})"
    )
    tarn.sql(
        f"INSERT INTO '{table}' SELECT i, 'name' || i, TIMESTAMPTZ '1969-12-30 00:30:00+00' + INTERVAL (i * 17) HOUR,"
        " DATE '1969-12-30' + i::INT FROM range(12) AS r(i)"
    )
    tarn.sql(f"INSERT INTO '{table}' VALUES (NULL, NULL, NULL, NULL)")
    rows = agree(tarn, duck, table)
    assert rows.num_rows == 13
    where = "ts >= TIMESTAMPTZ '1970-01-01 00:00:00+00' AND id BETWEEN 3 AND 7 AND s LIKE 'name%'"
    found = tarn.column(f"SELECT id FROM '{table}' WHERE {where} ORDER BY id")
    assert found == [3, 4, 5, 6, 7]


def test_operations(tarn, duck):
    table = tarn.folder / "t"
    tarn.sql(f"CREATE TABLE '{table}' (id BIGINT NOT NULL, part STRING, v INT) USING iceberg PARTITIONED BY (part)")
    tarn.sql(f"INSERT INTO '{table}' SELECT i, 'p' || i % 3, i FROM range(30) AS r(i)")
    assert agree(tarn, duck, table).num_rows == 30
    tarn.sql(f"DELETE FROM '{table}' WHERE part = 'p1'")
    assert metadata(table)["snapshots"][-1]["summary"]["operation"] == "delete"
    assert agree(tarn, duck, table).num_rows == 20
    tarn.sql(f"DELETE FROM '{table}' WHERE id < 10")
    assert agree(tarn, duck, table).num_rows == 13
    tarn.sql(f"UPDATE '{table}' SET v = v + 1000 WHERE id >= 25")
    agree(tarn, duck, table)
    assert tarn.value(f"SELECT sum(v) FROM '{table}'") == sum(i + (1000 if i >= 25 else 0) for i in range(10, 30) if i % 3 != 1)
    tarn.sql(f"INSERT OVERWRITE '{table}' VALUES (100, 'p0', 1)")
    agree(tarn, duck, table)
    summary = metadata(table)["snapshots"][-1]["summary"]
    totals = by_pyiceberg(table)
    assert int(summary["total-records"]) == totals.num_rows


def test_snapshots_stay_readable(tarn):
    table = tarn.folder / "t"
    tarn.sql(f"CREATE TABLE '{table}' (id BIGINT) USING iceberg")
    for i in range(3):
        tarn.sql(f"INSERT INTO '{table}' VALUES ({i})")
    for count, snapshot in enumerate(metadata(table)["snapshots"], 1):
        name = snapshot["snapshot-id"]
        assert tarn.value(f"SELECT count(*) FROM '{table}' VERSION AS OF {name}") == count
        assert by_pyiceberg(table, name).num_rows == count
    history = tarn.sql(f"DESCRIBE HISTORY '{table}'")
    assert [row["operation"] for row in history] == ["append"] * 3
    assert [row["version"] for row in history] == [s["snapshot-id"] for s in reversed(metadata(table)["snapshots"])]


def test_evolution(tarn, duck):
    table = tarn.folder / "t"
    tarn.sql(f"CREATE TABLE '{table}' (a INT, b STRING, c STRUCT<x: INT>) USING iceberg")
    tarn.sql(f"INSERT INTO '{table}' VALUES (1, 'one', {{'x': 10}})")
    tarn.sql(f"ALTER TABLE '{table}' ADD COLUMN d DOUBLE")
    tarn.sql(f"ALTER TABLE '{table}' RENAME COLUMN b TO name")
    tarn.sql(f"ALTER TABLE '{table}' ALTER COLUMN a TYPE BIGINT")
    tarn.sql(f"INSERT INTO '{table}' (a, name, c, d) VALUES (5000000000, 'two', {{'x': 20}}, 0.5)")
    rows = agree(tarn, duck, table)
    assert rows.column_names == ["a", "name", "c", "d"]
    assert sorted(rows.column("a").to_pylist()) == [1, 5000000000]
    tarn.sql(f"ALTER TABLE '{table}' DROP COLUMN name")
    tarn.sql(f"ALTER TABLE '{table}' ADD COLUMN name STRING")
    assert agree(tarn, duck, table).column("name").to_pylist() == [None, None], "an id is never used twice"
    assert len(metadata(table)["schemas"]) == 6


def test_ingest(tarn, duck):
    source = tarn.folder / "in.jsonl"
    source.write_text("".join(json.dumps({"id": i, "day": f"2026-01-0{i % 3 + 1}"}) + "\n" for i in range(9)))
    table = tarn.folder / "events"
    tarn.ingest(source, "--into", table, "--format", "iceberg", "--partition-by", "day")
    assert agree(tarn, duck, table).num_rows == 9
    tarn.ingest(source, "--into", table)
    assert agree(tarn, duck, table).num_rows == 9, "each file once: its position is in the table"
    more = tarn.folder / "more.jsonl"
    more.write_text(json.dumps({"id": 100, "day": "2026-01-01", "extra": 1.5}) + "\n")
    tarn.ingest(more, "--into", table)
    assert agree(tarn, duck, table).num_rows == 10


def test_many_commits_merge_their_manifests(tarn, duck):
    table = tarn.folder / "t"
    tarn.sql(f"CREATE TABLE '{table}' (id BIGINT) USING iceberg TBLPROPERTIES ('commit.manifest.min-count-to-merge' = '4')")
    for i in range(9):
        tarn.sql(f"INSERT INTO '{table}' VALUES ({i})")
    assert agree(tarn, duck, table).num_rows == 9


def test_peers_append_and_tarn_goes_on(tarn, duck):
    """PyIceberg's own table, moved to a path table's names, is written on."""
    catalogs = pytest.importorskip("pyiceberg.catalog")
    warehouse = tarn.folder / "warehouse"
    warehouse.mkdir()
    catalog = catalogs.load_catalog(
        "c", type="sql", uri=f"sqlite:///{warehouse}/catalog.db", warehouse=f"file://{warehouse}"
    )
    catalog.create_namespace("ns")
    data = pa.table({"id": pa.array([1, 2, 3], pa.int64()), "s": ["a", None, "c"]})
    theirs = catalog.create_table("ns.t", schema=data.schema)
    theirs.append(data)
    theirs.append(data)
    table = pathlib.Path(theirs.location().removeprefix("file://"))
    assert tarn.table(f"SELECT * FROM '{table}'").num_rows == 6
    with pytest.raises(Failed, match="catalog"):
        tarn.sql(f"INSERT INTO '{table}' VALUES (4, 'd')")
    last = pathlib.Path(theirs.metadata_location.removeprefix("file://"))
    (table / "metadata" / "v1.metadata.json").write_bytes(last.read_bytes())
    for old in table.glob("metadata/0*.metadata.json"):
        old.unlink()
    tarn.sql(f"INSERT INTO '{table}' VALUES (4, 'd')")
    tarn.sql(f"DELETE FROM '{table}' WHERE id = 2")
    rows = agree(tarn, duck, table)
    assert sorted(rows.column("id").to_pylist()) == [1, 1, 3, 3, 4]


def test_what_is_not_written_is_refused_first(tarn):
    table = tarn.folder / "t"
    with pytest.raises(Failed, match="format version 3"):
        tarn.sql(f"CREATE TABLE '{table}' (t TIMESTAMP_NS) USING iceberg")
    with pytest.raises(Failed, match="write.format.default"):
        tarn.sql(f"CREATE TABLE '{table}' (t INT) USING iceberg TBLPROPERTIES ('write.format.default' = 'csv')")
    assert not (table / "metadata").exists()
