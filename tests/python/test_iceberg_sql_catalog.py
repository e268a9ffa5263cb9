"""One lake opened by Tarn and by PyIceberg's SqlCatalog at once: both keep their Iceberg tables in
the lake's own catalog.db."""

import json
import logging
import os
import pathlib
import sqlite3
import subprocess
import sys
import time

import pyarrow as pa
import pytest

from compare_tables import difference
from tarn_program import Failed

sql_catalog = pytest.importorskip("pyiceberg.catalog.sql")
logging.getLogger("pyiceberg").setLevel(logging.ERROR)


@pytest.fixture(autouse=True)
def lake(tarn):
    return tarn.init().lake


def database(lake):
    return lake / ".tarn" / "catalog.db"


def opened(lake, name="tarn", **properties):
    """The lake's catalog as PyIceberg has it."""
    return sql_catalog.SqlCatalog(
        name, uri=f"sqlite:///{database(lake)}", warehouse=f"file://{lake}", **properties
    )


def rows_in(lake, statement, *values):
    with sqlite3.connect(database(lake)) as connection:
        return connection.execute(statement, values).fetchall()


def pointer(lake, table):
    ((location,),) = rows_in(lake, "SELECT metadata_location FROM iceberg_tables WHERE table_name = ?", table)
    return location


def agree(tarn, catalog, name):
    """The rows, when both say the same."""
    ours = tarn.table(f"SELECT * FROM {name}")
    theirs = catalog.load_table(name).scan().to_arrow()
    problem = difference(ours, theirs)
    assert problem is None, problem
    return ours


def ids(tarn, name):
    return sorted(tarn.column(f"SELECT id FROM {name}"))


def more(*values):
    return pa.table({"id": pa.array(values, pa.int64()), "name": [f"p{v}" for v in values]})


def test_both_write_a_table_of_tarns(tarn, lake):
    tarn.sql("CREATE TABLE events USING iceberg AS SELECT i AS id, 't' || i AS name FROM range(5) AS r(i)")
    catalog = opened(lake)
    assert catalog.list_tables("default") == [("default", "events")]
    assert agree(tarn, catalog, "default.events").num_rows == 5
    assert not list((lake / "default" / "events").rglob("version-hint.text"))
    catalog.load_table("default.events").append(more(10, 11))
    assert agree(tarn, catalog, "default.events").num_rows == 7
    tarn.sql("INSERT INTO events VALUES (20, 'x')")
    tarn.sql("DELETE FROM events WHERE id IN (1, 10)")
    tarn.sql("UPDATE events SET name = 'u' WHERE id = 2")
    agree(tarn, catalog, "default.events")
    catalog.load_table("default.events").append(more(30))
    agree(tarn, catalog, "default.events")
    assert ids(tarn, "events") == [0, 2, 3, 4, 11, 20, 30]
    name = pathlib.Path(pointer(lake, "events")).name
    assert name.startswith("00005-") and name.endswith(".metadata.json"), name
    ((before,),) = rows_in(lake, "SELECT previous_metadata_location FROM iceberg_tables")
    assert pathlib.Path(before).name.startswith("00004-")
    kinds = [kind for (kind,) in rows_in(lake, "SELECT iceberg_type FROM iceberg_tables")]
    assert kinds == ["TABLE"]
    history = tarn.json("table", "history", "events")["commits"]
    assert len(history) == 6
    show = tarn.json("table", "show", "events")
    assert show["format"] == "iceberg" and show["rows"] == 7


def test_both_write_a_table_of_pyicebergs(tarn, lake):
    catalog = opened(lake, "shared")  # the only name in the file, so Tarn takes it for its own
    catalog.create_namespace("Sales")
    table = catalog.create_table("Sales.Orders", more(1, 2).schema)
    table.append(more(1, 2))
    listed = {t["name"]: t for t in tarn.json("ls")["tables"]}
    assert listed["Sales.Orders"]["format"] == "iceberg"
    assert listed["Sales.Orders"]["location"] == str(lake / "Sales" / "Orders")
    assert "Sales" in tarn.json("ls")["namespaces"]
    assert agree(tarn, catalog, "Sales.Orders").num_rows == 2
    tarn.sql("INSERT INTO sales.orders VALUES (3, 'three')")  # names in any case
    tarn.sql("ALTER TABLE sales.orders ADD COLUMN note VARCHAR")
    tarn.sql("UPDATE sales.orders SET note = 'n' WHERE id = 1")
    assert agree(tarn, catalog, "Sales.Orders").column_names == ["id", "name", "note"]
    assert ids(tarn, "sales.orders") == [1, 2, 3]
    # A second table of Tarn's goes to the same catalog, and into the namespace as it is spelled.
    tarn.sql("CREATE TABLE SALES.more (a INT) USING iceberg")
    assert ("Sales", "more") in catalog.list_tables("Sales")


def test_branches_and_upkeep_work_over_the_pointer(tarn, lake):
    tarn.sql("CREATE TABLE t USING iceberg AS SELECT 1::BIGINT AS id, 'a' AS name")
    catalog = opened(lake)
    catalog.load_table("default.t").append(more(2))
    tarn.sql("ALTER TABLE t CREATE BRANCH audit")
    tarn.sql("INSERT INTO t.branch_audit VALUES (3, 'b')")
    assert ids(tarn, "t") == [1, 2]
    assert ids(tarn, "t.branch_audit") == [1, 2, 3]
    assert sorted(catalog.load_table("default.t").scan().use_ref("audit").to_arrow()["id"].to_pylist()) == [1, 2, 3]
    tarn.sql("CALL system.fast_forward('default.t', 'main', 'audit')")
    tarn.sql("CALL system.rewrite_data_files(table => 't', min_input_files => 2)")
    tarn.sql("CALL system.expire_snapshots(table => 't', older_than => now()::TIMESTAMPTZ, retain_last => 1)")
    assert agree(tarn, catalog, "default.t").num_rows == 3
    stand = {str(p.relative_to(lake / "default" / "t")) for p in (lake / "default" / "t").rglob("*") if p.is_file()}
    assert stand == set(tarn.column("SELECT path FROM t.objects WHERE kind <> 'version hint'")) & stand


def test_ingest_makes_a_table_in_the_catalog(tarn, lake):
    source = tarn.folder / "rows.jsonl"
    source.write_text("".join(json.dumps({"id": i, "name": f"n{i}"}) + "\n" for i in range(100)))
    tarn.ingest(source, "--into", "loaded", "--format", "iceberg")
    assert agree(tarn, opened(lake), "default.loaded").num_rows == 100


def test_old_metadata_files_go_if_the_table_says_so(tarn, lake):
    tarn.sql(
        "CREATE TABLE t (id BIGINT) USING iceberg TBLPROPERTIES ("
        "'write.metadata.delete-after-commit.enabled' = 'true', 'write.metadata.previous-versions-max' = '2')"
    )
    for i in range(6):
        tarn.sql(f"INSERT INTO t VALUES ({i})")
    left = sorted(p.name[:5] for p in (lake / "default" / "t" / "metadata").glob("*.metadata.json"))
    assert left == ["00004", "00005", "00006"]
    assert agree(tarn, opened(lake), "default.t").num_rows == 6


def test_rename(tarn, lake):
    tarn.sql("CREATE TABLE a USING iceberg AS SELECT 1::BIGINT AS id")
    tarn.sql("CREATE TABLE d AS SELECT 1 AS id")
    catalog = opened(lake)
    tarn.sql("ALTER TABLE a RENAME TO b")
    assert catalog.list_tables("default") == [("default", "b")]
    catalog.create_namespace("other")
    catalog.rename_table("default.b", "other.c")
    assert ids(tarn, "other.c") == [1]
    tarn.sql("INSERT INTO other.c VALUES (2)")
    assert agree(tarn, catalog, "other.c").num_rows == 2
    # The old name is free, its folder is not.
    with pytest.raises(Failed, match="'other.c' stands at .* LOCATION"):
        tarn.sql("CREATE TABLE a (id INT) USING iceberg")
    tarn.sql(f"CREATE TABLE a (id INT) USING iceberg LOCATION '{tarn.folder}/place'")
    tarn.sql("INSERT INTO a VALUES (7)")
    assert agree(tarn, catalog, "default.a").num_rows == 1
    tarn.sql("CREATE OR REPLACE TABLE a AS SELECT 'x' AS name")
    assert agree(tarn, catalog, "default.a").column_names == ["name"]
    with pytest.raises(Failed, match="exists already"):
        tarn.sql("ALTER TABLE other.c RENAME TO default.D")
    with pytest.raises(Failed, match="exists already"):
        tarn.sql("ALTER TABLE d RENAME TO other.C")
    with pytest.raises(Failed, match="exists already"):
        tarn.sql("CREATE TABLE other.C (id INT)")
    with pytest.raises(Failed, match="exists already"):
        tarn.sql("CREATE TABLE D (id INT) USING iceberg")


def test_drop(tarn, lake):
    for name in ("kept", "purged", "theirs"):
        tarn.sql(f"CREATE TABLE {name} USING iceberg AS SELECT 1::BIGINT AS id")
    catalog = opened(lake)
    metadata = pathlib.Path(pointer(lake, "kept").removeprefix("file://"))
    tarn.sql("DROP TABLE kept")
    tarn.sql("DROP TABLE purged PURGE")
    catalog.drop_table("default.theirs")
    assert tarn.json("ls")["tables"] == []
    assert catalog.list_tables("default") == []
    assert metadata.exists() and not (lake / "default" / "purged").exists()
    with pytest.raises(Failed, match="no table"):
        tarn.sql("SELECT * FROM kept")
    # A new one may take the place, as with Iceberg's own catalogs.
    tarn.sql("CREATE TABLE kept USING iceberg AS SELECT 'new' AS name")
    assert agree(tarn, catalog, "default.kept").column_names == ["name"]
    tarn.sql("DROP TABLE kept")
    # What was dropped without purge comes back by its metadata file.
    (row,) = tarn.sql(f"CALL system.register_table('default.again', '{metadata}')")
    assert row["total_records_count"] == 1 and row["total_data_files_count"] == 1
    tarn.sql("INSERT INTO again VALUES (2)")
    assert agree(tarn, catalog, "default.again").num_rows == 2
    with pytest.raises(Failed, match="exists already"):
        tarn.sql(f"CALL system.register_table('again', '{metadata}')")
    with pytest.raises(Failed, match="register_table"):
        tarn.sql(f"CREATE TABLE theirs USING iceberg LOCATION '{lake / 'default' / 'theirs'}'")
    for wrong in ("nowhere/metadata/00000-x.metadata.json", "x.metadata.json"):
        with pytest.raises(Failed):
            tarn.sql(f"CALL system.register_table('n', '{lake}/{wrong}')")
    # Two names for one folder: neither takes the other's data away.
    catalog.register_table("default.twin", pointer(lake, "again"))
    with pytest.raises(Failed, match="also holds"):
        tarn.sql("DROP TABLE twin PURGE")


def test_a_path_opens_what_the_catalog_points_to(tarn, lake):
    tarn.sql("CREATE TABLE t USING iceberg AS SELECT 1::BIGINT AS id")
    path = lake / "default" / "t"
    # A file that a lost race left behind is no state of the table.
    stray = path / "metadata" / "00009-ffffffff.metadata.json"
    stray.write_text("not even JSON")
    for lakes in ([], ["--lake", str(lake)]):
        tarn.run("sql", *lakes, f"INSERT INTO '{path}' SELECT max(id) + 1 FROM '{path}'")
    assert agree(tarn, opened(lake), "default.t").num_rows == 3
    assert pathlib.Path(pointer(lake, "t")).name.startswith("00002-")


def test_tables_on_paths_stay_what_they_are(tarn, lake):
    tarn.sql(f"CREATE TABLE '{lake}/old' USING iceberg AS SELECT 1 AS id")
    assert (lake / "old" / "metadata" / "version-hint.text").read_text() == "1"
    tarn.sql("INSERT INTO old VALUES (2)")
    assert (lake / "old" / "metadata" / "version-hint.text").read_text() == "2"
    assert [t["name"] for t in tarn.json("ls")["tables"]] == ["default.old"]
    assert ids(tarn, "old") == [1, 2]


# The layout of catalogs made before there were views.
V0 = """
CREATE TABLE iceberg_tables (catalog_name VARCHAR(255) NOT NULL, table_namespace VARCHAR(255) NOT NULL,
  table_name VARCHAR(255) NOT NULL, metadata_location VARCHAR(1000), previous_metadata_location VARCHAR(1000),
  PRIMARY KEY (catalog_name, table_namespace, table_name));
CREATE TABLE iceberg_namespace_properties (catalog_name VARCHAR(255) NOT NULL, namespace VARCHAR(255) NOT NULL,
  property_key VARCHAR(255), property_value VARCHAR(1000), PRIMARY KEY (catalog_name, namespace, property_key));
"""


def test_an_old_layout_is_used_and_not_altered(tarn, lake):
    with sqlite3.connect(database(lake)) as connection:
        connection.executescript(V0)
    layout = rows_in(lake, "SELECT sql FROM sqlite_master WHERE name LIKE 'iceberg%' ORDER BY name")
    catalog = opened(lake, "old")
    catalog.create_namespace("ns")
    catalog.create_table("ns.t", more(1).schema).append(more(1))
    tarn.sql("INSERT INTO ns.t VALUES (2, 'b')")
    tarn.sql("CREATE TABLE ns.mine USING iceberg AS SELECT 1 AS id")
    tarn.sql("ALTER TABLE ns.mine RENAME TO ns.yours")
    assert agree(tarn, catalog, "ns.t").num_rows == 2
    assert sorted(catalog.list_tables("ns")) == [("ns", "t"), ("ns", "yours")]
    tarn.sql("DROP TABLE ns.yours")
    assert rows_in(lake, "SELECT sql FROM sqlite_master WHERE name LIKE 'iceberg%' ORDER BY name") == layout


def test_views_and_rows_without_a_type(tarn, lake):
    tarn.sql("CREATE TABLE t USING iceberg AS SELECT 1 AS id")
    with sqlite3.connect(database(lake)) as connection:
        connection.execute("UPDATE iceberg_tables SET iceberg_type = NULL")
        connection.execute(
            "INSERT INTO iceberg_tables VALUES ('tarn', 'default', 'v', 'file:///x/metadata/v.json', NULL, 'VIEW')"
        )
    tarn.sql("INSERT INTO t VALUES (2)")
    assert [t["name"] for t in tarn.json("ls")["tables"]] == ["default.t"]
    with pytest.raises(Failed, match="no table"):
        tarn.sql("SELECT * FROM v")
    with pytest.raises(Failed, match="exists already"):
        tarn.sql("CREATE TABLE v USING iceberg AS SELECT 1 AS id")
    assert rows_in(lake, "SELECT count(*) FROM iceberg_tables WHERE iceberg_type = 'VIEW'") == [(1,)]


def test_whose_rows_are_meant(tarn, lake):
    for name in ("one", "two"):
        catalog = opened(lake, name)
        catalog.create_namespace("default")
        catalog.create_table(f"default.of_{name}", more(1).schema)
    assert tarn.json("ls")["tables"] == []  # neither is "tarn"
    tarn.run("init", lake, "--catalog-name", "two")
    assert [t["name"] for t in tarn.json("ls")["tables"]] == ["default.of_two"]
    tarn.sql("CREATE TABLE mine USING iceberg AS SELECT 1 AS id")
    assert ("default", "mine") in opened(lake, "two").list_tables("default")


def test_namespaces(tarn, lake):
    tarn.sql("CREATE NAMESPACE before")
    tarn.sql("CREATE TABLE t USING iceberg AS SELECT 1 AS id")
    tarn.sql("CREATE NAMESPACE after")
    catalog = opened(lake)
    assert sorted(catalog.list_namespaces()) == [("after",), ("before",), ("default",)]
    catalog.create_namespace("deep.er")
    assert set(tarn.json("ls")["namespaces"]) == {"after", "before", "deep", "deep.er", "default"}
    with pytest.raises(Failed, match="exists already"):
        tarn.sql("CREATE NAMESPACE Deep")
    tarn.sql("CREATE TABLE deep.er.d AS SELECT 1 AS id")
    with pytest.raises(Failed, match="not empty"):
        tarn.sql("DROP NAMESPACE deep.er")
    tarn.sql("DROP NAMESPACE after")
    assert sorted(catalog.list_namespaces()) == [("before",), ("deep",), ("default",)]


APPENDER = """
import sys, time
import pyarrow as pa
from pyiceberg.catalog.sql import SqlCatalog
from pyiceberg.exceptions import CommitFailedException
from sqlalchemy.exc import OperationalError
lake, first, until = sys.argv[1], int(sys.argv[2]), time.time() + float(sys.argv[3])
catalog = SqlCatalog("tarn", uri=f"sqlite:///{lake}/.tarn/catalog.db?timeout=60", warehouse=f"file://{lake}")
done = 0
while time.time() < until or (done < 3 and time.time() < until + 60):  # it loses most races to faster ones
    try:
        catalog.load_table("default.t").append(pa.table({"id": pa.array([first], pa.int64())}))
    except CommitFailedException:
        continue  # lost the race: surely not there
    print(first, flush=True)
    first += 1
    done += 1
"""


def test_three_writers_of_one_table(tarn, lake):
    tarn.sql("CREATE TABLE t (id BIGINT) USING iceberg")
    seconds = float(os.environ.get("TARN_RACE_SECONDS", "6"))
    theirs = subprocess.Popen(
        [sys.executable, "-c", APPENDER, str(lake), "3000000", str(seconds)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    acknowledged = []
    until = time.time() + seconds
    next_id = {1: 1_000_000, 2: 2_000_000}
    running = {}
    while time.time() < until or running:
        for writer, process in list(running.items()):
            if process.poll() is None:
                continue
            assert process.returncode == 0, process.stderr.read()
            acknowledged.append(next_id[writer])
            next_id[writer] += 1
            process.communicate()
            del running[writer]
        for writer in next_id:
            if writer not in running and time.time() < until:
                running[writer] = tarn.start("sql", "--lake", lake, f"INSERT INTO t VALUES ({next_id[writer]})")
        time.sleep(0.01)
    out, err = theirs.communicate(timeout=120)
    assert theirs.returncode == 0, err
    by_pyiceberg = [int(line) for line in out.split()]
    assert len(acknowledged) > 5 and len(by_pyiceberg) > 1
    print(f"acknowledged: {len(acknowledged)} by tarn, {len(by_pyiceberg)} by pyiceberg")
    assert ids(tarn, "t") == sorted(acknowledged + by_pyiceberg)
    assert agree(tarn, opened(lake), "default.t").num_rows == len(acknowledged) + len(by_pyiceberg)


def test_one_of_many_creates(tarn, lake):
    processes = [
        tarn.start("sql", "--lake", lake, f"CREATE TABLE c USING iceberg AS SELECT {i} AS id") for i in range(4)
    ]
    codes = []
    for process in processes:
        _, err = process.communicate(timeout=120)
        codes.append(process.returncode)
        assert process.returncode == 0 or b"exists" in err or b"stands" in err, err
    assert codes.count(0) == 1, codes
    assert agree(tarn, opened(lake), "default.c").num_rows == 1


def test_a_warehouse_of_folders(tarn, lake):
    """The tree of Iceberg's HadoopCatalog: a folder is a name."""
    tarn.sql(f"CREATE TABLE '{tarn.folder}/made' USING iceberg AS SELECT 1::BIGINT AS id")
    (lake / "ns").mkdir()
    (tarn.folder / "made").rename(lake / "ns" / "t")
    assert tarn.json("ls")["tables"] == []
    tarn.run("init", lake, "--hadoop-catalog")
    (listed,) = tarn.json("ls")["tables"]
    assert listed == {"name": "ns.t", "format": "iceberg", "location": str(lake / "ns" / "t")}
    assert "ns" in tarn.json("ls")["namespaces"]
    assert [t["name"] for t in tarn.json("ls", "ns")["tables"]] == ["ns.t"]
    tarn.sql("INSERT INTO ns.t VALUES (2)")
    assert ids(tarn, "ns.t") == [1, 2]
    assert (lake / "ns" / "t" / "metadata" / "version-hint.text").read_text() == "2"
    # New tables are folders, too, and nothing of them is in the catalog.
    tarn.sql("CREATE TABLE ns.u USING iceberg AS SELECT 5 AS id")
    assert (lake / "ns" / "u" / "metadata" / "v1.metadata.json").exists()
    assert rows_in(lake, "SELECT count(*) FROM tarn_tables") == [(0,)]
    with pytest.raises(Failed, match="exists already|holds a table"):
        tarn.sql("CREATE TABLE ns.u USING iceberg AS SELECT 5 AS id")
    with pytest.raises(Failed, match="cannot be renamed"):
        tarn.sql("ALTER TABLE ns.u RENAME TO ns.w")
    with pytest.raises(Failed, match="PURGE"):
        tarn.sql("DROP TABLE ns.u")
    tarn.sql("DROP TABLE ns.u PURGE")
    assert [t["name"] for t in tarn.json("ls")["tables"]] == ["ns.t"]
    # Tables with pointers and Delta tables live beside them.
    opened(lake).create_namespace("sql")
    opened(lake).create_table("sql.p", more(1).schema).append(more(1))
    tarn.sql("CREATE TABLE d AS SELECT 1 AS id")
    tarn.sql("INSERT INTO sql.p VALUES (2, 'b')")
    assert [t["name"] for t in tarn.json("ls")["tables"]] == ["default.d", "ns.t", "sql.p"]
    assert agree(tarn, opened(lake), "sql.p").num_rows == 2


def test_a_lost_race_is_run_again(tarn, lake):
    tarn.sql("CREATE TABLE t USING iceberg AS SELECT 1::BIGINT AS id, 'a' AS name")
    go = tarn.folder / "go"
    held = {"TARN_HOLD_POINT": f"commit.before_reveal:{go}"}
    append = tarn.start("sql", "--lake", lake, "INSERT INTO t VALUES (2, 'b')", env=held)
    metadata = lake / "default" / "t" / "metadata"
    until = time.time() + 60
    while not list(metadata.glob("00001-*")) and time.time() < until:
        time.sleep(0.01)
    opened(lake).load_table("default.t").append(more(3))
    go.touch()
    _, err = append.communicate(timeout=60)
    assert append.returncode == 0, err
    assert ids(tarn, "t") == [1, 2, 3]
    assert agree(tarn, opened(lake), "default.t").num_rows == 3
    # The file of the lost attempt is gone; one file per state is left.
    assert sorted(p.name[:5] for p in metadata.glob("*.metadata.json")) == ["00000", "00001", "00002"]


@pytest.mark.parametrize("point", ["commit.before_stage", "commit.staged", "commit.before_reveal", "commit.revealed"])
def test_killed_in_a_commit(tarn, lake, point):
    tarn.sql("CREATE TABLE t USING iceberg AS SELECT 1::BIGINT AS id, 'a' AS name")
    for statement in ("INSERT INTO t VALUES (2, 'b')", "CREATE TABLE u USING iceberg AS SELECT 1 AS id"):
        killed = tarn.start("sql", "--lake", lake, statement, env={"TARN_CRASH_POINT": point})
        killed.communicate(timeout=60)
        assert killed.returncode == -9
    landed = point == "commit.revealed"
    assert ids(tarn, "t") == ([1, 2] if landed else [1])
    assert [t["name"] for t in tarn.json("ls")["tables"]] == ["default.t"] + ["default.u"] * landed
    tarn.sql("INSERT INTO t VALUES (3, 'c')")
    assert agree(tarn, opened(lake), "default.t").num_rows == 2 + landed
    if not landed:
        tarn.sql("CREATE TABLE u USING iceberg AS SELECT 7 AS id")
        assert agree(tarn, opened(lake), "default.u")["id"].to_pylist() == [7]
