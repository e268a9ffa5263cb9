"""Rows of format version 3 keep their `_row_id` when they move to another file, and the number of
their last change unless they are what changed (specification, "Row Lineage")."""

import fastavro
import pyarrow.parquet as pq
import pytest

from iceberg_peers import metadata, opened

ROW_ID = "_row_id"
CHANGED = "_last_updated_sequence_number"


def read_avro(location):
    with open(location.removeprefix("file://"), "rb") as file:
        return list(fastavro.reader(file))


def data_files(table):
    """Live data files with `first_row_id` and sequence number, inherited as the specification says
    ("First Row ID Inheritance", "Sequence Number Inheritance")."""
    document = metadata(table)
    (current,) = [one for one in document["snapshots"] if one["snapshot-id"] == document["current-snapshot-id"]]
    for manifest in read_avro(current["manifest-list"]):
        following = manifest["first_row_id"]
        for entry in read_avro(manifest["manifest_path"]):
            if entry["status"] == 2 or manifest["content"] != 0:
                continue
            file = entry["data_file"]
            first = file["first_row_id"]
            if first is None:
                first, following = following, following + file["record_count"]
            number = entry["sequence_number"]
            yield file["file_path"], first, manifest["sequence_number"] if number is None else number


def lineage(table):
    """id → (row id, sequence number of its last change) of every row in a live file."""
    rows = {}
    for location, first, number in data_files(table):
        for place, row in enumerate(pq.read_table(location.removeprefix("file://")).to_pylist()):
            row_id, changed = row.get(ROW_ID), row.get(CHANGED)
            rows.setdefault(row["id"], []).append(
                (first + place if row_id is None else row_id, number if changed is None else changed)
            )
    return rows


@pytest.fixture
def table(tarn):
    folder = tarn.folder / "t"
    tarn.sql(f"CREATE TABLE '{folder}' (id BIGINT, v STRING) USING iceberg TBLPROPERTIES ('format-version' = '3')")
    tarn.sql(f"INSERT INTO '{folder}' VALUES (1, 'a'), (2, 'b'), (3, 'c')")
    tarn.sql(f"INSERT INTO '{folder}' VALUES (4, 'd'), (5, 'e')")
    assert lineage(folder) == {1: [(0, 1)], 2: [(1, 1)], 3: [(2, 1)], 4: [(3, 2)], 5: [(4, 2)]}
    return folder


def test_delete_moves_what_stays(tarn, table):
    tarn.sql(f"DELETE FROM '{table}' WHERE id = 2")
    assert lineage(table) == {1: [(0, 1)], 3: [(2, 1)], 4: [(3, 2)], 5: [(4, 2)]}


def test_update_changes_what_changed(tarn, table):
    tarn.sql(f"UPDATE '{table}' SET v = 'B' WHERE id = 2")
    assert lineage(table) == {1: [(0, 1)], 2: [(1, 3)], 3: [(2, 1)], 4: [(3, 2)], 5: [(4, 2)]}
    tarn.sql(f"UPDATE '{table}' SET v = 'A' WHERE id = 1")
    assert lineage(table) == {1: [(0, 4)], 2: [(1, 3)], 3: [(2, 1)], 4: [(3, 2)], 5: [(4, 2)]}


def test_rewriting_changes_nothing(tarn, table):
    tarn.sql(f"UPDATE '{table}' SET v = 'B' WHERE id = 2")
    before = lineage(table)
    tarn.sql(f"CALL system.rewrite_data_files(table => '{table}', min_input_files => 2)")
    assert opened(table).inspect.data_files().num_rows == 1
    assert lineage(table) == before


def test_overwriting_in_part_keeps_the_rest(tarn, table):
    tarn.sql(f"INSERT INTO '{table}' REPLACE WHERE id IN (2, 4) VALUES (2, 'new')")
    rows = lineage(table)
    ((row_id, changed),) = rows.pop(2)
    assert row_id >= 5 and changed == 3
    assert rows == {1: [(0, 1)], 3: [(2, 1)], 5: [(4, 2)]}


def test_merge_on_read_update_moves_one_row(tarn, table):
    tarn.sql(f"ALTER TABLE '{table}' SET TBLPROPERTIES ('write.update.mode' = 'merge-on-read')")
    tarn.sql(f"UPDATE '{table}' SET v = 'B' WHERE id = 2")
    assert sorted(lineage(table)[2]) == [(1, 1), (1, 3)], "where it stood it is deleted by a vector"
    assert opened(table).inspect.delete_files().num_rows == 1
    assert tarn.table(f"SELECT id, v FROM '{table}' ORDER BY id").to_pylist() == [
        {"id": 1, "v": "a"},
        {"id": 2, "v": "B"},
        {"id": 3, "v": "c"},
        {"id": 4, "v": "d"},
        {"id": 5, "v": "e"},
    ]
    tarn.sql(f"CALL system.rewrite_data_files(table => '{table}', min_input_files => 2)")
    assert lineage(table) == {1: [(0, 1)], 2: [(1, 3)], 3: [(2, 1)], 4: [(3, 2)], 5: [(4, 2)]}


def test_an_upgraded_table_numbers_rows_from_its_next_commit(tarn):
    folder = tarn.folder / "t"
    tarn.sql(f"CREATE TABLE '{folder}' (id BIGINT, v STRING) USING iceberg")
    tarn.sql(f"INSERT INTO '{folder}' VALUES (1, 'a'), (2, 'b')")
    tarn.sql(f"ALTER TABLE '{folder}' SET TBLPROPERTIES ('format-version' = '3')")
    tarn.sql(f"UPDATE '{folder}' SET v = 'B' WHERE id = 2")
    first = lineage(folder)
    assert sorted(row_id for ((row_id, _),) in first.values()) == [0, 1]
    tarn.sql(f"DELETE FROM '{folder}' WHERE id = 1")
    assert lineage(folder) == {2: first[2]}
