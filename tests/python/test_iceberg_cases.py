"""Field failures by their numbers (S15, S16, …) over Iceberg tables, as PyIceberg and DuckDB see them.
What reads the same for every format is in test_cases.py."""

import json
import logging
import pathlib
import tempfile
import time

import pytest

from case_files import COLUMNS, KINDS, ROWS, expected, lines_of, seconds_to_open, write_lines, write_wide_csv
from iceberg_peers import duckdb_with_iceberg, lake_catalog, opened
from peak_memory import run_measured
from tarn_program import Tarn

expressions = pytest.importorskip("pyiceberg.expressions")
logging.getLogger("pyiceberg").setLevel(logging.ERROR)


@pytest.fixture(scope="module")
def duck():
    return duckdb_with_iceberg()


@pytest.fixture(autouse=True)
def lake(tarn):
    return tarn.init().lake


@pytest.fixture
def quick(tarn):
    """The program with a lake in memory, where a sync takes no time, for cases of many commits."""
    memory = pathlib.Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) as folder:
        yield Tarn(tarn.program, pathlib.Path(folder)).init()


def by_pyiceberg(lake, name):
    return lake_catalog(lake).load_table(f"default.{name}")


def scan_of(lake, name):
    """The table as DuckDB's FROM has it."""
    return f"iceberg_scan('{by_pyiceberg(lake, name).metadata_location}')"


def ids_of(rows):
    return sorted(rows.column("id").to_pylist())


def in_duckdb(duck, lake, name, predicate):
    found = duck.execute(f"SELECT id FROM {scan_of(lake, name)} WHERE {predicate} ORDER BY id").fetchall()
    return [value for (value,) in found]


def test_s15_peers_read_hard_partition_values(tarn, lake, files, duck):
    tarn.ingest(files / "s15_parts.jsonl", "--into", "t", "--partition-by", "p", "--format", "iceberg")
    wanted = {row["id"]: row["p"] for row in map(json.loads, lines_of(files / "s15_parts.jsonl"))}
    table = by_pyiceberg(lake, "t")
    assert {row["id"]: row["p"] for row in table.scan().to_arrow().to_pylist()} == wanted
    assert dict(duck.execute(f"SELECT id, p FROM {scan_of(lake, 't')}").fetchall()) == wanted
    # Of the manifests, not of the files: a value that the manifest has otherwise prunes its row away.
    values = [row["partition"]["p"] for row in table.inspect.files().to_pylist()]
    assert sorted(values) == sorted(wanted.values())
    for number, value in wanted.items():
        found = table.scan(row_filter=expressions.EqualTo("p", value)).to_arrow()
        assert ids_of(found) == [number], value
        literal = value.replace("'", "''")
        assert in_duckdb(duck, lake, "t", f"p = '{literal}'") == [number], value
    tarn.sql("DELETE FROM t WHERE p = 'A/A'")
    assert ids_of(by_pyiceberg(lake, "t").scan().to_arrow()) == [1, *range(3, 19)]


def test_s16_null_empty_and_default_text_stay_apart(tarn, lake, files, duck):
    """Iceberg tells all six rows apart; nothing is refused."""
    tarn.ingest(files / "s16_nulls.jsonl", "--into", "t", "--partition-by", "p", "--format", "iceberg")
    table = by_pyiceberg(lake, "t")
    values = sorted(repr(row["partition"]["p"]) for row in table.inspect.files().to_pylist())
    assert values == sorted(map(repr, [None, "", "__HIVE_DEFAULT_PARTITION__", "null", " "]))
    checked = 0
    for predicate, wanted in expected(files, "s16_expected.json").items():
        if predicate.startswith("count"):
            assert tarn.value(f"SELECT {predicate} FROM t") == wanted
            assert duck.execute(f"SELECT {predicate} FROM {scan_of(lake, 't')}").fetchone() == (wanted,)
            continue
        for option in ([], ["--no-skipping"]):
            assert tarn.column(f"SELECT id FROM t WHERE {predicate} ORDER BY id", *option) == wanted, predicate
        assert in_duckdb(duck, lake, "t", predicate) == wanted, predicate
        text = predicate.replace("<>", "!=")  # as PyIceberg spells it
        filtered = table.scan(row_filter=text).to_arrow()
        assert ids_of(filtered) == wanted, predicate
        checked += 1
    assert checked == 6


# DuckDB's extension leaves files out by bounds alone, and bounds know no NaN: it misses id 2 here.
NAN_ABOVE_THE_BOUNDS = {"x>2", "x>=1e300"}


def test_s17_bounds_and_rows(tarn, lake, files, duck):
    schema = ["--schema", "id int, g string, x double", "--format", "iceberg"]
    for number in range(1, 6):
        tarn.ingest(files / f"s17_f{number}.csv", "--into", "t", *schema)
    tarn.ingest(files / "s17_ts.csv", "--into", "ts", "--schema", "id int, ts timestamp", "--format", "iceberg")
    for name in ("t", "ts"):
        duck.register("read", by_pyiceberg(lake, name).scan().to_arrow())
        duck.execute(f"CREATE OR REPLACE TEMP TABLE {name} AS SELECT * FROM read")
    checked = skipped = 0
    for predicate, wanted in expected(files, "s17_expected.json").items():
        if not isinstance(wanted, list):
            continue
        name = "ts" if predicate.startswith("ts") else "t"
        found = duck.execute(f"SELECT id FROM {name} WHERE {predicate} ORDER BY id").fetchall()
        assert [value for (value,) in found] == wanted, predicate
        checked += 1
        if predicate not in NAN_ABOVE_THE_BOUNDS:
            assert in_duckdb(duck, lake, name, predicate) == wanted, predicate
            skipped += 1
    assert (checked, skipped) == (10, 8)
    # The format's rule: NaN is counted and never a bound, -0.0 is below 0.0.
    by_ids = {}
    for file in by_pyiceberg(lake, "t").inspect.files().to_pylist():
        x = file["readable_metrics"]["x"]
        ids = (file["readable_metrics"]["id"]["lower_bound"], file["readable_metrics"]["id"]["upper_bound"])
        by_ids[ids] = (x["nan_value_count"], x["null_value_count"], str(x["lower_bound"]), str(x["upper_bound"]))
    assert by_ids == {
        (1, 2): (1, 0, "1.0", "1.0"),
        (3, 4): (0, 0, "-0.0", "5.0"),
        (5, 6): (2, 0, "None", "None"),
        (7, 8): (0, 0, "-inf", "inf"),
        (9, 10): (0, 2, "None", "None"),
    }
    (times,) = by_pyiceberg(lake, "ts").inspect.files().to_pylist()
    assert times["readable_metrics"]["ts"]["upper_bound"].microsecond == 80758


def test_s18_string_bounds(tarn, lake, files, tmp_path, duck):
    lines = lines_of(files / "s18_strings.jsonl")
    for number, line in enumerate(lines, start=1):
        one = write_lines(tmp_path / f"{number}.jsonl", [line])
        tarn.ingest(
            one, "--into", "t", "--format", "iceberg", "--property", "write.metadata.metrics.default=truncate(16)"
        )
    table = by_pyiceberg(lake, "t")
    field = table.schema().find_field("s").field_id

    def points(file, kind):
        """Code points of a bound as the manifest has it; bytes that are not UTF-8 raise."""
        bound = dict(file[kind]).get(field)
        return None if bound is None else [hex(ord(c)) for c in bound.decode("utf-8")]

    got = {}
    for file in table.inspect.files().to_pylist():
        number = file["readable_metrics"]["id"]["lower_bound"]
        got[str(number)] = {"lower": points(file, "lower_bounds"), "upper": points(file, "upper_bounds")}
    assert got == expected(files, "s18_expected.json")
    for row in map(json.loads, lines):
        for option in ([], ["--no-skipping"]):
            assert tarn.column(f"SELECT id FROM t WHERE s = '{row['s']}'", *option) == [row["id"]], row
        assert ids_of(table.scan(row_filter=expressions.EqualTo("s", row["s"])).to_arrow()) == [row["id"]], row


@pytest.mark.parametrize("home", ["catalog", "path"])
def test_s19_sixteen_writers(tarn, lake, home):
    name = "t" if home == "catalog" else f"'{tarn.folder / 't'}'"
    tarn.sql(f"CREATE TABLE {name} (writer INT, n INT) USING iceberg")
    processes = []
    for writer in range(16):
        script = "".join(f"INSERT INTO {name} VALUES ({writer}, {n});" for n in range(20))
        processes.append(tarn.start("sql", "--lake", lake, "--yes", "--quiet", script))
    for process in processes:
        _, err = process.communicate(timeout=600)
        assert process.returncode == 0, err.decode()
    table = by_pyiceberg(lake, "t") if home == "catalog" else opened(tarn.folder / "t")
    rows = [(row["writer"], row["n"]) for row in table.scan().to_arrow().to_pylist()]
    assert sorted(rows) == [(writer, n) for writer in range(16) for n in range(20)]
    # A commit each: none lost, none there twice, none merged with another.
    assert len(table.snapshots()) == 320
    assert {snapshot.summary["added-records"] for snapshot in table.snapshots()} == {"1"}
    assert tarn.value(f"SELECT count(*) FROM {name}") == 320
    assert len(tarn.sql(f"DESCRIBE HISTORY {name}")) == 320


def test_s26_overwrites_as_peers_see_them(tarn, lake, files):
    tarn.ingest(files / "s21_base.jsonl", "--into", "t", "--partition-by", "dt", "--format", "iceberg")
    base = [json.loads(line) for line in lines_of(files / "s21_base.jsonl")]

    def by_peer(snapshot=None):
        rows = by_pyiceberg(lake, "t").scan(snapshot_id=snapshot).to_arrow().to_pylist()
        return sorted((str(row["dt"]), row["id"], row["v"]) for row in rows)

    def wanted(change):
        return sorted((row["dt"], row["id"], v) for row in base for v in change(row))

    tarn.sql("INSERT OVERWRITE t PARTITION (dt = '2026-01-01') SELECT id, v FROM t WHERE false")
    assert by_peer() == wanted(lambda row: [] if row["dt"] == "2026-01-01" else [row["v"]])
    before = by_pyiceberg(lake, "t").inspect.files().to_pylist()
    tarn.sql("INSERT OVERWRITE t PARTITION (dt) SELECT id, v + 1 AS v, dt FROM t WHERE dt = '2026-01-02'")
    assert by_peer() == wanted(
        lambda row: {"2026-01-01": [], "2026-01-02": [row["v"] + 1], "2026-01-03": [row["v"]]}[row["dt"]]
    )
    # The other partition was not even rewritten.
    after = by_pyiceberg(lake, "t").inspect.files().to_pylist()
    kept = {file["file_path"] for file in before} & {file["file_path"] for file in after}
    assert len(kept) == 1 and "dt=2026-01-03" in kept.pop()
    first = by_pyiceberg(lake, "t").snapshots()[0].snapshot_id
    assert by_peer(first) == wanted(lambda row: [row["v"]])


def test_s28_thousand_commits(quick):
    """With the upkeep that the table asks for."""
    quick.sql("CREATE TABLE one USING iceberg AS SELECT 1 AS n")
    asked = {
        "tarn.upkeep.commits": 16,
        "history.expire.max-snapshot-age-ms": 1,
        "history.expire.min-snapshots-to-keep": 20,
        "write.metadata.delete-after-commit.enabled": "true",
    }
    properties = ", ".join(f"'{key}' = '{value}'" for key, value in asked.items())
    quick.sql(f"CREATE TABLE t (n INT) USING iceberg TBLPROPERTIES ({properties})")
    weights = []
    for hundred in range(10):
        first = 100 * hundred
        quick.sql("".join(f"INSERT INTO t VALUES ({n});" for n in range(first, first + 100)))
        table = by_pyiceberg(quick.lake, "t")
        assert table.inspect.files().num_rows <= 20
        assert table.inspect.manifests().num_rows + 1 <= 20
        weights.append(location_size(table))
    assert sorted(table.scan().to_arrow().column("n").to_pylist()) == list(range(1000))
    assert max(weights) <= 2 * min(weights[1:]), weights
    metadata = quick.lake / "default" / "t" / "metadata"
    heads = list(metadata.glob("*.metadata.json"))
    assert len(heads) <= 101 and max(head.stat().st_size for head in heads) < 100_000
    assert seconds_to_open(quick, "t") <= 3 * seconds_to_open(quick, "one")
    appends = [s.snapshot_id for s in table.snapshots() if s.summary.operation.value == "append"]
    assert len(appends) >= 10
    for back, snapshot in enumerate(reversed(appends[-10:])):
        assert table.scan(snapshot_id=snapshot).to_arrow().num_rows == 1000 - back
        assert quick.value(f"SELECT count(*) FROM t VERSION AS OF {snapshot}") == 1000 - back


def test_s28_upkeep_after_ingestion(quick, tmp_path):
    quick.sql("CREATE TABLE t (n INT) USING iceberg TBLPROPERTIES ('tarn.upkeep.commits' = '8')")
    for n in range(17):
        (tmp_path / f"{n:02}.csv").write_text(f"n\n{n}\n")
        quick.ingest(tmp_path / f"{n:02}.csv", "--into", "t")
    table = by_pyiceberg(quick.lake, "t")
    assert table.inspect.files().num_rows <= 9
    assert sorted(table.scan().to_arrow().column("n").to_pylist()) == list(range(17))


def location_size(table):
    return pathlib.Path(table.metadata_location.removeprefix("file://")).stat().st_size


def test_s29_wide_table(tarn, lake, tmp_path, duck):
    schema = ", ".join(f"c{i} {KINDS[i % 3]}" for i in range(COLUMNS))
    # Columns far behind the first hundred, which have statistics otherwise, are named.
    named = {"write.metadata.metrics.default": "none"}
    named |= {f"write.metadata.metrics.column.{name}": "full" for name in ("c2997", "c2999")}
    properties = ", ".join(f"'{key}' = '{value}'" for key, value in named.items())
    tarn.sql(f"CREATE TABLE t ({schema}) USING iceberg TBLPROPERTIES ({properties})")
    tarn.sql(f"CREATE TABLE by_default ({schema}) USING iceberg")
    paths = [tmp_path / f"wide{commit}.csv" for commit in range(10)]
    for commit, path in enumerate(paths):
        write_wide_csv(path, commit)
    for name in ("t", "by_default"):
        folder = lake / "default" / name / "metadata"
        seconds = 0.0
        for path in paths:
            before = set(folder.iterdir())
            run = run_measured(tarn, "ingest", path, "--into", name, "--threads", 2)
            assert run["peak_bytes"] < 1 << 30, run
            seconds += run["cpu_seconds"] / 2  # of two cores: what else the machine does is no fault
            weight = sum(file.stat().st_size for file in set(folder.iterdir()) - before)
            assert weight < 1 << 20, f"{name}: a commit of {weight} bytes"
        assert seconds < 10, f"{name}: ten commits took {seconds:.1f} s of two cores"
        rows = by_pyiceberg(lake, name).scan(selected_fields=("c0", "c2997", "c2999")).to_arrow()
        assert sorted(rows.column("c2997").to_pylist()) == [n + 2997 for n in range(10 * ROWS)]
        assert sorted(rows.column("c2999").to_pylist()) == sorted(f"s{n % 50}" for n in range(10 * ROWS))
        found = duck.execute(f"SELECT c0 FROM {scan_of(lake, name)} WHERE c2997 = 2997 + 2500").fetchall()
        assert found == [(2500,)]
        assert tarn.column(f"SELECT c0 FROM {name} WHERE c2997 = 2997 + 2500") == [2500]
    # The named columns, and only those, have bounds: by them nine files of ten are left out.
    table = by_pyiceberg(lake, "t")
    ids = {table.schema().find_field(name).field_id for name in ("c2997", "c2999")}
    for file in table.inspect.files().to_pylist():
        assert {key for key, _ in file["lower_bounds"]} == ids
    plan = tarn.run("sql", "--lake", lake, "EXPLAIN SELECT c0 FROM t WHERE c2997 = 2997 + 2500")
    assert "1 of 10" in plan, plan
