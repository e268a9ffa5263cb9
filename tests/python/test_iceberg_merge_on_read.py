"""Rows deleted without rewriting files (`write.delete.mode` = merge-on-read): position deletes in
format version 2, deletion vectors in version 3. PyIceberg and DuckDB read what is left."""

import json
import pathlib

import pytest

from iceberg_peers import by_pyiceberg, metadata, opened


@pytest.fixture(scope="module")
def duck():
    duckdb = pytest.importorskip("duckdb")
    avro = pytest.importorskip("duckdb_extension_avro")
    iceberg = pytest.importorskip("duckdb_extension_iceberg")
    connection = duckdb.connect()
    for module, name in ((avro, "avro"), (iceberg, "iceberg")):
        (path,) = pathlib.Path(module.__file__).parent.glob(f"extensions/*/{name}.duckdb_extension")
        connection.execute(f"LOAD '{path}'")
    return connection


def make(tarn, version, partitioned=""):
    table = tarn.folder / f"t{version}"
    tarn.sql(
        f"CREATE TABLE '{table}' (id BIGINT, p STRING) USING iceberg {partitioned}"
        f" TBLPROPERTIES ('format-version' = '{version}', 'write.delete.mode' = 'merge-on-read')"
    )
    tarn.sql(f"INSERT INTO '{table}' SELECT i, 'p' || i % 3 FROM range(300) AS r(i)")
    return table


def newest_file(table):
    hint = (table / "metadata" / "version-hint.text").read_text()
    return table / "metadata" / f"v{hint}.metadata.json"


def left(tarn, duck, table):
    """The ids that are left, when all three say the same."""
    ours = tarn.column(f"SELECT id FROM '{table}' ORDER BY id")
    assert sorted(by_pyiceberg(table).column("id").to_pylist()) == ours
    theirs = duck.execute(f"SELECT id FROM iceberg_scan('{newest_file(table)}') ORDER BY id").fetchall()
    assert [row[0] for row in theirs] == ours
    return ours


def deletes(table):
    return opened(table).inspect.delete_files().to_pylist()


@pytest.mark.parametrize("version", ["2", "3"])
@pytest.mark.parametrize("partitioned", ["", "PARTITIONED BY (p)", "PARTITIONED BY (bucket(2, id), p)"])
def test_rows_go_and_files_stay(tarn, duck, version, partitioned):
    table = make(tarn, version, partitioned)
    before = {row["file_path"] for row in opened(table).inspect.data_files().to_pylist()}
    tarn.sql(f"DELETE FROM '{table}' WHERE id % 10 = 0")
    assert {row["file_path"] for row in opened(table).inspect.data_files().to_pylist()} == before
    expected = [i for i in range(300) if i % 10]
    assert left(tarn, duck, table) == expected
    tarn.sql(f"DELETE FROM '{table}' WHERE id % 7 = 0")
    expected = [i for i in expected if i % 7]
    assert left(tarn, duck, table) == expected
    tarn.sql(f"INSERT INTO '{table}' VALUES (1000, 'p0')")
    assert left(tarn, duck, table) == expected + [1000]
    for row in deletes(table):
        assert row["file_format"] == ("PARQUET" if version == "2" else "PUFFIN")
    snapshot = metadata(table)["snapshots"]
    summary = snapshot[1]["summary"]
    assert summary["operation"] == "delete"
    assert summary["added-position-deletes"] == "30"
    assert "deleted-data-files" not in summary
    last = snapshot[-1]["summary"]
    assert int(last["total-position-deletes"]) == sum(row["record_count"] for row in deletes(table))
    assert int(last["total-delete-files"]) == len(deletes(table))
    assert int(last["total-data-files"]) == len(before) + 1
    assert tarn.value(f"SELECT count(*) FROM '{table}'.position_deletes") == 300 - len(expected)


def test_one_vector_per_file_at_most(tarn, duck):
    table = make(tarn, "3", "PARTITIONED BY (p)")
    for i in range(4):
        tarn.sql(f"DELETE FROM '{table}' WHERE id IN ({3 * i}, {3 * i + 1})")
    vectors = tarn.sql(f"SELECT referenced_data_file, record_count FROM '{table}'.delete_files")
    names = [row["referenced_data_file"] for row in vectors]
    assert len(names) == len(set(names)) == 2
    assert sum(row["record_count"] for row in vectors) == 8
    summary = metadata(table)["snapshots"][-1]["summary"]
    assert (summary["added-dvs"], summary["removed-dvs"]) == ("2", "2")
    assert (summary["total-delete-files"], summary["total-position-deletes"]) == ("2", "8")
    assert len(left(tarn, duck, table)) == 292


def test_what_version_two_left_is_merged_in_version_three(tarn, duck):
    table = make(tarn, "2")
    tarn.sql(f"DELETE FROM '{table}' WHERE id < 5")
    tarn.sql(f"ALTER TABLE '{table}' SET TBLPROPERTIES ('format-version' = '3')")
    tarn.sql(f"DELETE FROM '{table}' WHERE id BETWEEN 5 AND 9")
    assert left(tarn, duck, table) == list(range(10, 300))
    (vector,) = tarn.sql(f"SELECT record_count FROM '{table}'.delete_files WHERE file_format = 'PUFFIN'")
    assert vector["record_count"] == 10


@pytest.mark.parametrize("version", ["2", "3"])
def test_other_writes_on_files_with_deletes(tarn, duck, version):
    table = make(tarn, version, "PARTITIONED BY (p)")
    tarn.sql(f"DELETE FROM '{table}' WHERE id < 30")
    tarn.sql(f"UPDATE '{table}' SET id = id + 1000 WHERE p = 'p0' AND id < 60")
    expected = sorted([i + 1000 if i % 3 == 0 and i < 60 else i for i in range(30, 300)])
    assert left(tarn, duck, table) == expected
    tarn.sql(f"DELETE FROM '{table}' WHERE p = 'p1'")
    expected = sorted(i for i in expected if (i - 1000 if i >= 1000 else i) % 3 != 1)
    assert left(tarn, duck, table) == expected
    facts = json.loads(tarn.run("table", "show", table, "--json"))
    assert facts["rows"] == len(expected)
    assert tarn.value(f"SELECT count(*) FROM '{table}'") == len(expected)


@pytest.mark.parametrize("version", ["2", "3"])
def test_changes_tell_the_rows_that_went(tarn, version):
    table = make(tarn, version)
    tarn.sql(f"DELETE FROM '{table}' WHERE id IN (1, 2)")
    tarn.sql(f"DELETE FROM '{table}' WHERE id IN (3)")
    ids = [snapshot["snapshot-id"] for snapshot in metadata(table)["snapshots"]]
    rows = tarn.sql(f"SELECT id, _change_type, _commit_version FROM '{table}'.changes({ids[1]}, {ids[2]}) ORDER BY id")
    assert rows == [
        {"id": 1, "_change_type": "delete", "_commit_version": ids[1]},
        {"id": 2, "_change_type": "delete", "_commit_version": ids[1]},
        {"id": 3, "_change_type": "delete", "_commit_version": ids[2]},
    ]


def test_version_one_rewrites(tarn, duck):
    table = make(tarn, "1")
    tarn.sql(f"DELETE FROM '{table}' WHERE id < 5")
    assert left(tarn, duck, table) == list(range(5, 300))
    assert deletes(table) == []


@pytest.mark.parametrize("version", ["2", "3"])
def test_rewriting_data_files_takes_the_deletes_along(tarn, duck, version):
    table = make(tarn, version)
    for i in range(4):
        tarn.sql(f"INSERT INTO '{table}' VALUES ({1000 + i}, 'x')")
    tarn.sql(f"DELETE FROM '{table}' WHERE id < 200 OR id = 1002")
    before = left(tarn, duck, table)
    (row,) = tarn.sql(f"CALL system.rewrite_data_files('{table}')")
    assert row["rewritten_data_files_count"] == 4 and row["added_data_files_count"] == 1
    assert left(tarn, duck, table) == before
    last = metadata(table)["snapshots"][-1]["summary"]
    assert last["operation"] == "replace"
    assert int(last["total-data-files"]) == 1
    if version == "3":
        assert deletes(table) == []
