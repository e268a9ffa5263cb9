"""Branches, tags, rollback and cherry-picking on Iceberg tables: PyIceberg reads the same rows from
every branch and tag, and the metadata says what the specification's "Snapshot References" asks."""

import pytest

from iceberg_peers import branch_by_pyiceberg, by_pyiceberg, lake_catalog, metadata
from tarn_program import Failed


def ids(arrow):
    return sorted(arrow.column("id").to_pylist())


@pytest.fixture
def table(tarn):
    folder = tarn.folder / "t"
    tarn.sql(f"CREATE TABLE '{folder}' (id BIGINT, s STRING) USING iceberg")
    for i in range(3):
        tarn.sql(f"INSERT INTO '{folder}' VALUES ({i}, 's{i}')")
    return folder


def snapshots(table):
    return [snapshot["snapshot-id"] for snapshot in metadata(table)["snapshots"]]


def test_tags(tarn, table):
    first, second, third = snapshots(table)
    tarn.sql(f"ALTER TABLE '{table}' CREATE TAG `end-of-day`")
    tarn.sql(f"ALTER TABLE '{table}' CREATE TAG older AS OF VERSION {second} RETAIN 7 DAYS")
    refs = metadata(table)["refs"]
    assert refs["end-of-day"] == {"snapshot-id": third, "type": "tag"}
    assert refs["older"] == {"snapshot-id": second, "type": "tag", "max-ref-age-ms": 7 * 86400000}
    assert tarn.column(f"SELECT id FROM '{table}' VERSION AS OF 'older' ORDER BY id") == [0, 1]
    assert tarn.column(f"SELECT id FROM '{table}'.tag_older ORDER BY id") == [0, 1]
    assert ids(branch_by_pyiceberg(table, "older")) == [0, 1]
    with pytest.raises(Failed, match="exists already"):
        tarn.sql(f"ALTER TABLE '{table}' CREATE TAG older")
    tarn.sql(f"ALTER TABLE '{table}' CREATE TAG IF NOT EXISTS older AS OF VERSION {first}")
    assert metadata(table)["refs"]["older"]["snapshot-id"] == second
    tarn.sql(f"ALTER TABLE '{table}' REPLACE TAG older AS OF VERSION {first} RETAIN 2 HOURS")
    assert metadata(table)["refs"]["older"] == {"snapshot-id": first, "type": "tag", "max-ref-age-ms": 7200000}
    assert ids(branch_by_pyiceberg(table, "older")) == [0]
    with pytest.raises(Failed, match="there is no tag"):
        tarn.sql(f"ALTER TABLE '{table}' REPLACE TAG nothing")
    tarn.sql(f"ALTER TABLE '{table}' CREATE OR REPLACE TAG fresh")
    with pytest.raises(Failed, match="no branch"):
        tarn.sql(f"ALTER TABLE '{table}' DROP BRANCH fresh")
    tarn.sql(f"ALTER TABLE '{table}' DROP TAG older")
    tarn.sql(f"ALTER TABLE '{table}' DROP TAG IF EXISTS older")
    assert set(metadata(table)["refs"]) == {"main", "end-of-day", "fresh"}
    with pytest.raises(Failed, match="no snapshot"):
        tarn.sql(f"ALTER TABLE '{table}' CREATE TAG lost AS OF VERSION 12345")


def test_a_branch_is_written_and_main_is_not(tarn, table):
    tarn.sql(
        f"ALTER TABLE '{table}' CREATE BRANCH audit RETAIN 10 DAYS WITH SNAPSHOT RETENTION 3 SNAPSHOTS 2 DAYS"
    )
    assert metadata(table)["refs"]["audit"] == {
        "snapshot-id": snapshots(table)[-1],
        "type": "branch",
        "max-ref-age-ms": 10 * 86400000,
        "min-snapshots-to-keep": 3,
        "max-snapshot-age-ms": 2 * 86400000,
    }
    tarn.sql(f"INSERT INTO '{table}'.branch_audit VALUES (100, 'b')")
    tarn.sql(f"DELETE FROM '{table}'.branch_audit WHERE id = 0")
    tarn.sql(f"UPDATE '{table}'.branch_audit SET s = 'changed' WHERE id = 1")
    tarn.sql(f"INSERT INTO '{table}' VALUES (3, 's3')")
    assert ids(branch_by_pyiceberg(table, "audit")) == [1, 2, 100]
    assert ids(by_pyiceberg(table)) == [0, 1, 2, 3]
    assert tarn.sql(f"SELECT * FROM '{table}'.branch_audit ORDER BY id") == [
        {"id": 1, "s": "changed"},
        {"id": 2, "s": "s2"},
        {"id": 100, "s": "b"},
    ]
    assert tarn.column(f"SELECT id FROM '{table}' VERSION AS OF 'audit' ORDER BY id") == [1, 2, 100]
    assert tarn.column(f"SELECT id FROM '{table}' ORDER BY id") == [0, 1, 2, 3]
    # The two lines have the same parent; the branch keeps its retention.
    by_id = {snapshot["snapshot-id"]: snapshot for snapshot in metadata(table)["snapshots"]}
    refs = metadata(table)["refs"]
    assert refs["audit"]["min-snapshots-to-keep"] == 3
    assert by_id[refs["main"]["snapshot-id"]]["parent-snapshot-id"] == snapshots(table)[2]
    assert metadata(table)["current-snapshot-id"] == refs["main"]["snapshot-id"]
    assert len(metadata(table)["snapshot-log"]) == 4, "the log is main's"
    assert int(by_id[refs["audit"]["snapshot-id"]]["summary"]["total-records"]) == 3
    files = tarn.column(f"SELECT file_path FROM '{table}'.branch_audit.files")
    assert len(files) == len(set(files)) and len(files) >= 2
    with pytest.raises(Failed, match="no branch 'other'"):
        tarn.sql(f"INSERT INTO '{table}'.branch_other VALUES (1, 'x')")
    tarn.sql(f"ALTER TABLE '{table}' DROP BRANCH audit")
    assert "audit" not in metadata(table)["refs"]
    with pytest.raises(Failed, match="main"):
        tarn.sql(f"ALTER TABLE '{table}' DROP BRANCH main")


def test_branches_by_name_in_a_lake(tarn):
    tarn.init()
    tarn.sql("CREATE TABLE ev (id BIGINT) USING iceberg")
    with pytest.raises(Failed, match="no snapshot"):
        tarn.sql("ALTER TABLE ev CREATE BRANCH b")
    tarn.sql("INSERT INTO ev VALUES (1)")
    tarn.sql("ALTER TABLE ev CREATE BRANCH b")
    tarn.sql("INSERT INTO ev.branch_b SELECT id + 1 FROM ev.branch_b")
    assert tarn.column("SELECT id FROM default.ev.branch_b ORDER BY id") == [1, 2]
    assert tarn.column("SELECT id FROM ev") == [1]
    tarn.sql("CREATE TABLE d (id BIGINT) USING delta")
    with pytest.raises(Failed, match="no branches"):
        tarn.sql("ALTER TABLE d CREATE BRANCH b")
    with pytest.raises(Failed, match="no branches"):
        tarn.sql("SELECT * FROM d.branch_b")


def test_rollback(tarn, table):
    first, second, third = snapshots(table)
    (row,) = tarn.sql(f"CALL system.rollback_to_snapshot('{table}', {first})")
    assert row == {"previous_snapshot_id": third, "current_snapshot_id": first}
    assert ids(by_pyiceberg(table)) == [0]
    assert metadata(table)["current-snapshot-id"] == metadata(table)["refs"]["main"]["snapshot-id"] == first
    assert metadata(table)["snapshot-log"][-1]["snapshot-id"] == first
    with pytest.raises(Failed, match="no earlier state"):
        tarn.sql(f"CALL system.rollback_to_snapshot('{table}', {third})")
    tarn.sql(f"INSERT INTO '{table}' VALUES (50, 'after')")
    assert ids(by_pyiceberg(table)) == [0, 50]
    assert tarn.column(f"SELECT id FROM '{table}' ORDER BY id") == [0, 50]
    tarn.sql(f"CALL system.set_current_snapshot(table => '{table}', snapshot_id => {third})")
    assert ids(by_pyiceberg(table)) == [0, 1, 2]
    history = tarn.sql(f"SELECT snapshot_id, is_current_ancestor AS a FROM '{table}'.history ORDER BY made_current_at")
    assert [row["snapshot_id"] for row in history[:4]] == [first, second, third, first]
    assert [row["a"] for row in history] == [True, True, True, True, False, True]


def test_rollback_to_a_time(tarn, table):
    made = metadata(table)["snapshots"][1]["timestamp-ms"]
    tarn.sql(f"CALL system.rollback_to_timestamp('{table}', make_timestamptz({made}000))")
    assert ids(by_pyiceberg(table)) == [0, 1]


def test_cherry_pick_and_fast_forward(tarn, table):
    tarn.sql(f"ALTER TABLE '{table}' CREATE BRANCH work")
    tarn.sql(f"INSERT INTO '{table}'.branch_work VALUES (10, 'x')")
    tarn.sql(f"INSERT INTO '{table}'.branch_work VALUES (11, 'y')")
    one, two = snapshots(table)[-2:]
    tarn.sql(f"CALL system.cherrypick_snapshot('{table}', {one})")
    assert metadata(table)["current-snapshot-id"] == one, "what comes next is only moved to"
    tarn.sql(f"INSERT INTO '{table}' VALUES (20, 'main')")
    tarn.sql(f"CALL system.cherrypick_snapshot('{table}', {two})")
    assert ids(by_pyiceberg(table)) == [0, 1, 2, 10, 11, 20]
    picked = metadata(table)["snapshots"][-1]
    assert picked["summary"]["source-snapshot-id"] == str(two)
    assert picked["summary"]["added-records"] == "1" and picked["summary"]["operation"] == "append"
    with pytest.raises(Failed, match="already"):
        tarn.sql(f"CALL system.cherrypick_snapshot('{table}', {two})")
    tarn.sql(f"DELETE FROM '{table}'.branch_work WHERE id = 1")
    with pytest.raises(Failed, match="takes rows away"):
        tarn.sql(f"CALL system.cherrypick_snapshot('{table}', {snapshots(table)[-1]})")
    with pytest.raises(Failed, match="cannot be moved forward"):
        tarn.sql(f"CALL system.fast_forward('{table}', 'main', 'work')")
    tarn.sql(f"ALTER TABLE '{table}' CREATE BRANCH ahead")
    tarn.sql(f"INSERT INTO '{table}'.branch_ahead VALUES (30, 'z')")
    tarn.sql(f"CALL system.fast_forward(table => '{table}', branch => 'main', to => 'ahead')")
    assert ids(by_pyiceberg(table)) == [0, 1, 2, 10, 11, 20, 30]


def test_what_is_staged_under_an_id_is_published_once(tarn):
    """Spark's write-audit-publish: `wap.id` of what is staged, `published-wap-id` of what is picked."""
    tarn.init()
    tarn.sql("CREATE TABLE t (id BIGINT) USING iceberg")
    tarn.sql("INSERT INTO t VALUES (1)")
    tarn.sql("ALTER TABLE t CREATE BRANCH work")
    catalog = lake_catalog(tarn.lake)
    staged = []
    for row in (10, 11):
        table = catalog.load_table("default.t")
        rows = table.scan().to_arrow().schema.empty_table().from_pylist([{"id": row}])
        table.append(rows, snapshot_properties={"wap.id": "audit"}, branch="work")
        staged.append(table.metadata.snapshots[-1].snapshot_id)
    tarn.sql("INSERT INTO t VALUES (20)")
    tarn.sql(f"CALL system.cherrypick_snapshot('t', {staged[0]})")
    table = catalog.load_table("default.t")
    assert table.current_snapshot().summary.additional_properties["published-wap-id"] == "audit"
    with pytest.raises(Failed, match="duplicate.*'audit'"):
        tarn.sql(f"CALL system.cherrypick_snapshot('t', {staged[1]})")
    assert ids(catalog.load_table("default.t").scan().to_arrow()) == [1, 10, 20]


def test_calls_that_are_none(tarn, table):
    with pytest.raises(Failed, match="rollback_to_snapshot"):
        tarn.sql(f"CALL system.rollback_to_snapshots('{table}', 1)")
    with pytest.raises(Failed, match="no parameter 'snapshot'.*snapshot_id"):
        tarn.sql(f"CALL system.rollback_to_snapshot(table => '{table}', snapshot => 1)")
    with pytest.raises(Failed, match="'snapshot_id' is missing"):
        tarn.sql(f"CALL system.rollback_to_snapshot('{table}')")
    assert tarn.sql("CALL pragma_version()"), "DuckDB's own calls are its own"
