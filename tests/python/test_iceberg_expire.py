"""Expiry of Iceberg snapshots: which go, which files go with them, what branches and tags keep; every
state that is left is read by PyIceberg afterwards."""

import os
import shutil
import time

import pytest

from iceberg_peers import branch_by_pyiceberg, by_pyiceberg, metadata, opened
from tarn_program import Failed


def snapshots(table):
    return [snapshot["snapshot-id"] for snapshot in metadata(table)["snapshots"]]


def objects(table):
    """What stands in the table's folder, but metadata files and the hint."""
    return {
        str(path.relative_to(table))
        for path in table.rglob("*")
        if path.is_file() and not path.name.endswith((".metadata.json", ".text"))
    }


def reachable(table):
    """What PyIceberg finds from the newest metadata file."""
    found = set()
    peer = opened(table)
    for snapshot in peer.metadata.snapshots:
        found.add(snapshot.manifest_list)
        for manifest in snapshot.manifests(peer.io):
            found.add(manifest.manifest_path)
            for entry in manifest.fetch_manifest_entry(peer.io, discard_deleted=True):
                found.add(entry.data_file.file_path)
    return {os.path.relpath(path.removeprefix("file://"), table) for path in found}


@pytest.fixture
def table(tarn):
    folder = tarn.folder / "t"
    tarn.sql(f"CREATE TABLE '{folder}' (id BIGINT) USING iceberg")
    for i in range(4):
        tarn.sql(f"INSERT INTO '{folder}' VALUES ({i}), ({i + 10})")
    tarn.sql(f"DELETE FROM '{folder}' WHERE id = 0")
    return folder


def test_old_states_go_with_their_files(tarn, table):
    before = objects(table)
    (row,) = tarn.sql(f"CALL system.expire_snapshots('{table}', now())")
    assert row["expired_snapshots_count"] == 4
    assert len(snapshots(table)) == 1
    assert objects(table) == reachable(table), "all that is needed, and nothing else"
    assert row["deleted_files_count"] == len(before - objects(table)) > 0
    assert sorted(by_pyiceberg(table).column("id").to_pylist()) == [1, 2, 3, 10, 11, 12, 13]
    assert tarn.value(f"SELECT count(*) FROM '{table}'") == 7
    assert len(metadata(table)["snapshot-log"]) == 1
    (again,) = tarn.sql(f"CALL system.expire_snapshots('{table}', now())")
    assert again == {"expired_snapshots_count": 0, "deleted_files_count": 0}


def test_young_states_stay(tarn, table):
    (row,) = tarn.sql(f"CALL system.expire_snapshots('{table}')")
    assert row == {"expired_snapshots_count": 0, "deleted_files_count": 0}, "five days, unless said"
    (row,) = tarn.sql(f"CALL system.expire_snapshots(table => '{table}', older_than => now(), retain_last => 3)")
    assert row["expired_snapshots_count"] == 2
    assert len(snapshots(table)) == 3
    assert objects(table) == reachable(table)
    tarn.sql(f"ALTER TABLE '{table}' SET TBLPROPERTIES ('history.expire.max-snapshot-age-ms' = '1', 'history.expire.min-snapshots-to-keep' = '2')")
    (row,) = tarn.sql(f"CALL system.expire_snapshots('{table}')")
    assert row["expired_snapshots_count"] == 1 and len(snapshots(table)) == 2


def test_branches_and_tags_keep_what_they_name(tarn, table):
    ids = snapshots(table)
    tarn.sql(f"ALTER TABLE '{table}' CREATE TAG first AS OF VERSION {ids[0]}")
    tarn.sql(f"ALTER TABLE '{table}' CREATE BRANCH side AS OF VERSION {ids[2]} WITH SNAPSHOT RETENTION 2 SNAPSHOTS 1 MINUTES")
    tarn.sql(f"INSERT INTO '{table}'.branch_side VALUES (77)")
    tarn.sql(f"ALTER TABLE '{table}' CREATE TAG short AS OF VERSION {ids[3]} RETAIN 1 MINUTES")
    side = snapshots(table)[-1]
    tarn.sql(f"CALL system.expire_snapshots('{table}', now())")
    # Main keeps its last; the branch's own retention says a minute, so all of its own line stays.
    assert set(snapshots(table)) >= {ids[0], ids[3], ids[4], side, ids[2]}
    assert objects(table) == reachable(table)
    assert sorted(branch_by_pyiceberg(table, "side").column("id").to_pylist()) == [0, 1, 2, 10, 11, 12, 77]
    assert branch_by_pyiceberg(table, "first").num_rows == 2
    assert tarn.value(f"SELECT count(*) FROM '{table}' VERSION AS OF 'first'") == 2
    with pytest.raises(Failed, match="'first' names it"):
        tarn.sql(f"CALL system.expire_snapshots(table => '{table}', snapshot_ids => [{ids[0]}])")


def test_a_reference_whose_time_is_over_goes(tarn, table):
    ids = snapshots(table)
    tarn.sql(f"ALTER TABLE '{table}' SET TBLPROPERTIES ('history.expire.max-ref-age-ms' = '1')")
    tarn.sql(f"ALTER TABLE '{table}' CREATE TAG first AS OF VERSION {ids[0]}")
    tarn.sql(f"ALTER TABLE '{table}' CREATE TAG second AS OF VERSION {ids[1]} RETAIN 1 DAYS")
    time.sleep(0.01)
    tarn.sql(f"CALL system.expire_snapshots('{table}', now())")
    assert set(metadata(table)["refs"]) == {"main", "second"}
    assert set(snapshots(table)) == {ids[1], ids[4]}
    assert objects(table) == reachable(table)


def test_certain_states(tarn, table):
    ids = snapshots(table)
    (row,) = tarn.sql(f"CALL system.expire_snapshots(table => '{table}', snapshot_ids => [{ids[1]}, {ids[2]}])")
    assert row["expired_snapshots_count"] == 2
    assert snapshots(table) == [ids[0], ids[3], ids[4]]
    assert objects(table) == reachable(table)
    assert by_pyiceberg(table, ids[3]).num_rows == 8
    with pytest.raises(Failed, match="'main' names it"):
        tarn.sql(f"CALL system.expire_snapshots(table => '{table}', snapshot_ids => [{ids[4]}])")


@pytest.mark.parametrize("left", [0, 1, 2, 3])
def test_an_interrupted_expiry_is_finished_by_the_next(tarn, table, left):
    """The commit landed and the program died: after no removal, after some, after most."""
    kept = tarn.folder / "kept"

    shutil.copytree(table, kept)
    tarn.sql(f"CALL system.expire_snapshots('{table}', now())")
    gone = sorted(objects(kept) - objects(table), key=lambda name: (not name.startswith("data"), "snap-" in name, name))
    assert len(gone) > 4
    # As after a death: what the removal had not come to yet stands again, in its own order.
    for name in gone[len(gone) * left // 4 :]:
        (table / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(kept / name, table / name)
    assert objects(table) != reachable(table)
    (row,) = tarn.sql(f"CALL system.expire_snapshots('{table}', now())")
    assert row["expired_snapshots_count"] == 0
    assert row["deleted_files_count"] == len(gone) - len(gone) * left // 4
    assert objects(table) == reachable(table)


def test_a_table_whose_files_may_be_others_is_left_alone(tarn, table):
    tarn.sql(f"ALTER TABLE '{table}' SET TBLPROPERTIES ('gc.enabled' = 'false')")
    before = objects(table)
    with pytest.raises(Failed, match="gc.enabled"):
        tarn.sql(f"CALL system.expire_snapshots('{table}', now())")
    assert objects(table) == before


def test_writing_goes_on_after_an_expiry(tarn, table):
    tarn.sql(f"CALL system.expire_snapshots('{table}', now())")
    tarn.sql(f"INSERT INTO '{table}' VALUES (99)")
    tarn.sql(f"DELETE FROM '{table}' WHERE id = 1")
    assert sorted(by_pyiceberg(table).column("id").to_pylist()) == [2, 3, 10, 11, 12, 13, 99]
    with pytest.raises(Failed, match="(?i)retain|at least one"):
        tarn.sql(f"CALL system.expire_snapshots(table => '{table}', retain_last => 0)")


def test_orphans_are_listed_and_removed_when_asked(tarn, table):
    tarn.sql(f"ALTER TABLE '{table}' CREATE TAG first AS OF VERSION {snapshots(table)[0]}")
    everything = {path for path in table.rglob("*") if path.is_file()}
    old, young = table / "data" / "lost.parquet", table / "data" / "just-written.parquet"
    list_of_none = table / "metadata" / "snap-1-1-lost.avro"
    # What other programs keep beside files, and a partition that begins the same way.
    checksum, marker = table / "data" / ".lost.parquet.crc", table / "_temporary" / "0" / "x.parquet"
    partition = table / "data" / "_p=1" / "lost.parquet"
    hidden = {checksum, marker}
    for path in (old, young, list_of_none, partition, *hidden):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"x")
    week_ago = time.time() - 7 * 86400
    for path in everything | {old, list_of_none, partition} | hidden:
        os.utime(path, (week_ago, week_ago))
    listed = tarn.column(f"CALL system.remove_orphan_files('{table}')")
    assert sorted(listed) == sorted(f"file://{path}" for path in (old, list_of_none, partition))
    assert old.exists(), "a dry run unless said"
    assert tarn.column(f"CALL system.remove_orphan_files(table => '{table}', dry_run => false)") == listed
    assert {path for path in table.rglob("*") if path.is_file()} == everything | {young} | hidden
    assert by_pyiceberg(table).num_rows == 7 and branch_by_pyiceberg(table, "first").num_rows == 2
    with pytest.raises(Failed, match="less than a day"):
        tarn.sql(f"CALL system.remove_orphan_files('{table}', now())")


@pytest.mark.parametrize("version", ["1", "2", "3"])
def test_manifests_are_packed(tarn, version):
    folder = tarn.folder / "m"
    tarn.sql(
        f"CREATE TABLE '{folder}' (id BIGINT, p STRING) USING iceberg PARTITIONED BY (p)"
        f" TBLPROPERTIES ('format-version' = '{version}', 'commit.manifest-merge.enabled' = 'false')"
    )
    for i in range(5):
        tarn.sql(f"INSERT INTO '{folder}' VALUES ({i}, 'p{i % 2}')")
    tarn.sql(f"DELETE FROM '{folder}' WHERE id = 2")
    before = by_pyiceberg(folder).sort_by("id").to_pylist()
    assert opened(folder).inspect.manifests().num_rows >= 5
    tarn.sql(f"CALL system.rewrite_manifests('{folder}')")
    manifests = opened(folder).inspect.manifests().to_pylist()
    assert [(m["existing_data_files_count"], m["added_data_files_count"]) for m in manifests] == [(4, 0)]
    assert by_pyiceberg(folder).sort_by("id").to_pylist() == before
    last, former = metadata(folder)["snapshots"][-1], metadata(folder)["snapshots"][-2]
    assert last["summary"]["operation"] == "replace"
    for key in ("total-records", "total-data-files", "total-files-size"):
        assert last["summary"][key] == former["summary"][key]
    tarn.sql(f"INSERT INTO '{folder}' VALUES (9, 'p0')")
    assert by_pyiceberg(folder).num_rows == 5
    assert tarn.value(f"SELECT count(*) FROM '{folder}'") == 5
