"""The metadata relations of Iceberg tables (`t.files`, `t.snapshots`, …), each compared value by
value with what PyIceberg's `inspect` says of the same table."""

import datetime

import pyarrow as pa
import pytest

from iceberg_peers import by_pyiceberg, metadata, opened
from tarn_program import Failed


def plain(value):
    """Values that are equal when they mean the same: instants without zone, maps as dictionaries."""
    if isinstance(value, datetime.datetime):
        return value.replace(tzinfo=None)
    if isinstance(value, dict):
        return {key: plain(member) for key, member in value.items()}
    if isinstance(value, list):
        if value and all(isinstance(pair, tuple) and len(pair) == 2 for pair in value):
            return {key: plain(member) for key, member in value}
        return [plain(member) for member in value]
    return value


def without_empty(row):
    """PyIceberg makes an empty map of a missing one, and a `partition` without fields."""
    return {
        key: without_empty(value) if isinstance(value, dict) and key == "data_file" else value
        for key, value in row.items()
        if value not in (None, {}, [])
    }


def rows_of(arrow):
    return [without_empty({name: plain(value) for name, value in row.items()}) for row in arrow.to_pylist()]


def agree(tarn, table, relation, order=None):
    ours = tarn.table(f"SELECT * FROM '{table}'.{relation}")
    theirs = getattr(opened(table).inspect, relation)()
    missing = [name for name in theirs.column_names if name not in ours.column_names]
    empty = [name for name in missing if pa.types.is_struct(theirs.schema.field(name).type)]
    assert [n for n in theirs.column_names if n not in empty] == [
        n for n in ours.column_names if n in theirs.column_names
    ], f"{relation}: {ours.column_names}"
    assert missing == empty
    ours = ours.select([name for name in ours.column_names if name in theirs.column_names])
    left, right = rows_of(ours), rows_of(theirs)
    if order:
        left.sort(key=order), right.sort(key=order)
    assert left == right, relation
    assert right, f"{relation}: nothing was compared"
    return ours


@pytest.fixture(params=["1", "2"])
def table(tarn, request):
    """Two specs, an overwrite, a deletion, a tag: something for every relation."""
    folder = tarn.folder / "t"
    tarn.sql(
        f"CREATE TABLE '{folder}' (id BIGINT, day DATE, s STRING, x DOUBLE, d DECIMAL(9,2)) USING iceberg"
        f" PARTITIONED BY (day, bucket(4, id)) TBLPROPERTIES ('format-version' = '{request.param}')"
    )
    tarn.sql(
        f"INSERT INTO '{folder}' SELECT i, DATE '1969-12-30' + (i % 3)::INT, CASE WHEN i % 2 = 0 THEN 's' || i END,"
        " CASE WHEN i = 3 THEN 'nan'::DOUBLE ELSE i / 2 END, i * 1.25 FROM range(12) AS r(i)"
    )
    tarn.sql(f"INSERT INTO '{folder}' VALUES (100, NULL, 'only', 1, 2)")
    tarn.sql(f"DELETE FROM '{folder}' WHERE day = DATE '1969-12-30'")
    tarn.sql(f"DELETE FROM '{folder}' WHERE id = 4")
    tarn.sql(f"ALTER TABLE '{folder}' CREATE TAG kept RETAIN 3 DAYS")
    return folder


@pytest.mark.parametrize("relation", ["snapshots", "history", "refs", "metadata_log_entries", "manifests"])
def test_what_the_metadata_says(tarn, table, relation):
    agree(tarn, table, relation, order=(lambda row: row["name"]) if relation == "refs" else None)


@pytest.mark.parametrize("relation", ["files", "data_files"])
def test_files(tarn, table, relation):
    ours = agree(tarn, table, relation, order=lambda row: row["file_path"])
    assert sum(ours.column("record_count").to_pylist()) == by_pyiceberg(table).num_rows


def test_entries(tarn, table):
    ours = agree(tarn, table, "entries", order=lambda row: (row["data_file"]["file_path"], row.get("status", 0)))
    assert set(ours.column("status").to_pylist()) >= {1, 2}


def test_partitions(tarn, table):
    agree(tarn, table, "partitions", order=lambda row: repr(sorted(row["partition"].items(), key=repr)))


def test_a_table_without_partitions(tarn):
    folder = tarn.folder / "flat"
    tarn.sql(f"CREATE TABLE '{folder}' (id BIGINT) USING iceberg")
    for relation in ("snapshots", "files", "entries", "manifests", "partitions", "position_deletes"):
        assert tarn.sql(f"SELECT * FROM '{folder}'.{relation}") == [], "no snapshot yet"
    tarn.sql(f"INSERT INTO '{folder}' VALUES (1), (2)")
    for relation in ("files", "entries", "manifests", "partitions", "snapshots", "history"):
        agree(tarn, folder, relation)


def test_an_earlier_state(tarn, table):
    first = metadata(table)["snapshots"][0]["snapshot-id"]
    ours = tarn.column(f"SELECT file_path FROM '{table}'.files VERSION AS OF {first}")
    theirs = opened(table).inspect.files(snapshot_id=first).column("file_path").to_pylist()
    assert sorted(ours) == sorted(theirs)
    assert len(ours) > 1


def test_names_in_a_lake(tarn):
    tarn.init()
    tarn.sql("CREATE TABLE events (id BIGINT) USING iceberg")
    tarn.sql("INSERT INTO events VALUES (1)")
    assert tarn.value("SELECT count(*) FROM events.snapshots") == 1
    assert tarn.value("SELECT count(*) FROM default.events.SNAPSHOTS AS s") == 1
    with pytest.raises(Failed, match="(?s)snapshotz.*snapshots"):
        tarn.sql("SELECT * FROM events.snapshotz")
    tarn.sql("CREATE TABLE other (id BIGINT) USING delta")
    assert tarn.value("SELECT count(*) FROM other.history") == 1
    with pytest.raises(Failed, match="files, history, partitions"):
        tarn.sql("SELECT * FROM other.snapshots")


def test_changes_between_snapshots(tarn):
    table = tarn.folder / "c"
    tarn.sql(f"CREATE TABLE '{table}' (id BIGINT, v STRING) USING iceberg")
    tarn.sql(f"INSERT INTO '{table}' VALUES (1, 'a'), (2, 'b')")
    tarn.sql(f"INSERT INTO '{table}' VALUES (3, 'c')")
    tarn.sql(f"DELETE FROM '{table}' WHERE id = 1")
    ids = [snapshot["snapshot-id"] for snapshot in metadata(table)["snapshots"]]
    before, after = by_pyiceberg(table, ids[0]), by_pyiceberg(table, ids[2])
    rows = tarn.sql(f"SELECT * FROM '{table}'.changes({ids[1]}, {ids[2]})")
    state = {row["id"]: row["v"] for row in before.to_pylist()}
    for version in ids[1:]:
        of_version = [row for row in rows if row["_commit_version"] == version]
        assert of_version
        for row in of_version:
            if row["_change_type"] == "delete":
                assert state.pop(row["id"]) == row["v"]
        for row in of_version:
            if row["_change_type"] == "insert":
                assert row["id"] not in state
                state[row["id"]] = row["v"]
    assert state == {row["id"]: row["v"] for row in after.to_pylist()}
