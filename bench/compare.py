#!/usr/bin/env python3
"""Runs each path a user feels beside its peer, in turns, and writes docs/benchmarks.md.

compare.py [--rounds N] [--only PATH,…] [--out FILE]

Data is made once below bench/data (ignored by git): TPC-H lineitem from the package tpchgen-cli, events from
generate_events.py, logs of many files from make_logs.py. A row is reported only if both sides did the
same work; Tarn syncs files and folders, peers do not.
"""

import argparse
import datetime
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
DATA = ROOT / "bench" / "data"
PROGRAM = ROOT / "build" / "bench_paths"
SQL_PROGRAM = ROOT / "build" / "bench_sql_paths"
PYTHON = sys.executable
PEERS = ROOT / "bench" / "peers.py"
LINEAGE_PEERS = ROOT / "bench" / "lineage_peers.py"
Q1 = (
    "SELECT l_returnflag, l_linestatus, sum(l_quantity), sum(l_extendedprice), "
    "sum(l_extendedprice * (1 - l_discount)), sum(l_extendedprice * (1 - l_discount) * (1 + l_tax)), count(*) "
    "FROM {t} WHERE l_shipdate <= DATE '1998-09-02' GROUP BY ALL ORDER BY ALL"
)
Q6 = (
    "SELECT sum(l_extendedprice * l_discount) FROM {t} WHERE l_shipdate >= DATE '1994-01-01' "
    "AND l_shipdate < DATE '1995-01-01' AND l_discount BETWEEN 0.05 AND 0.07 AND l_quantity < 24"
)


def run(*command):
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(map(str, command))}: {done.stderr.strip()[-800:]}")
    return json.loads(done.stdout.strip().splitlines()[-1])


def ours(*arguments):
    return run(PROGRAM, *arguments)


def theirs(*arguments):
    return run(PYTHON, PEERS, *arguments)


def folder(name):
    path = DATA / "work" / name
    shutil.rmtree(path, ignore_errors=True)
    path.parent.mkdir(parents=True, exist_ok=True)
    return path


def bytes_of(table):
    return sum(path.stat().st_size for path in table.rglob("*.parquet") if "_delta_log" not in path.parts)


def rows_of(table):
    import deltalake

    reader = deltalake.QueryBuilder().register("t", deltalake.DeltaTable(str(table))).execute("SELECT count(*) AS n FROM t")
    import pyarrow as pa

    return pa.table(reader.read_all() if hasattr(reader, "read_all") else reader)["n"][0].as_py()


def lineitem():
    target = DATA / "lineitem.parquet"
    if not target.exists():
        import pyarrow as pa
        import pyarrow.parquet as pq

        DATA.mkdir(parents=True, exist_ok=True)
        tool = pathlib.Path(PYTHON).parent / "tpchgen-cli"
        subprocess.run([tool, "parquet", "-s", "1", "-T", "lineitem", "-o", DATA / "tpch"], check=True, capture_output=True)
        (source,) = (DATA / "tpch").rglob("lineitem*.parquet")
        table = pq.read_table(source)
        fields = [
            pa.field(field.name, pa.string() if pa.types.is_string_view(field.type) else field.type) for field in table.schema
        ]
        table = table.cast(pa.schema(fields))
        month = pa.compute.strftime(table["l_shipdate"], format="%Y-%m")
        pq.write_table(table, target)
        pq.write_table(table.append_column("month", month), DATA / "lineitem_month.parquet")
    return target


def events():
    target = DATA / "events.jsonl"
    if not target.exists():
        DATA.mkdir(parents=True, exist_ok=True)
        subprocess.run([PYTHON, ROOT / "bench" / "generate_events.py", target], check=True)
    return target


def lines_of_csv():
    target = DATA / "lineitem.csv"
    if not target.exists():
        import duckdb

        duckdb.execute(f"COPY (FROM read_parquet('{lineitem()}') LIMIT 2000000) TO '{target}' (HEADER)")
    return target


def logs(kind):
    target = DATA / f"log-{kind}"
    if not target.exists():
        subprocess.run([PYTHON, ROOT / "bench" / "make_logs.py", kind, target], check=True)
    return target


class Row:
    """One path: the medians of both sides, the bound, and whether it holds."""

    def __init__(self, path, work, peer, bound):
        self.path, self.work, self.peer, self.bound = path, work, peer, bound
        self.ours, self.theirs, self.notes, self.limits = [], [], [], []

    def add(self, mine, other):
        self.ours.append(mine)
        self.theirs.append(other)

    def limit(self, text, value, most):
        """A bound of its own, beside the ratio: memory, bytes, growth."""
        self.limits.append((text, value, most))

    @property
    def ratio(self):
        return statistics.median(self.ours) / statistics.median(self.theirs)

    def cells(self):
        def spread(values, scale=1.0):
            return f"{statistics.median(values) * scale:.3f} ({min(values) * scale:.3f}–{max(values) * scale:.3f})"

        held = self.ratio <= self.bound and all(value <= most for _, value, most in self.limits)
        more = "; ".join([f"{text} {value:.3g} ≤ {most:.3g}{'' if value <= most else ' **missed**'}" for text, value, most in self.limits] + self.notes)
        verdict = "yes" if held else "**no**"
        return [self.path, self.work, spread(self.ours), f"{self.peer} {spread(self.theirs)}", f"{self.ratio:.2f}", f"≤ {self.bound}", verdict, more]


def append_row(rounds, name, rows, partition, bound):
    row = Row(name, f"6,001,215 rows of lineitem{' in 84 months' if partition else ''}", "delta-rs", bound)
    above, sizes = [], []
    for _ in range(rounds):
        mine, other = folder("mine"), folder("other")
        facts = ours("append", rows, mine, *partition)
        peer = theirs("append", rows, other, *partition)
        row.add(facts["seconds"], peer["seconds"])
        above.append(facts["bytes_above_input"] / 1e6)
        sizes.append(bytes_of(mine) / bytes_of(other))
        assert rows_of(mine) == rows_of(other) == 6_001_215
    row.limit("MB above input", max(above), 600)
    row.limit("bytes × peer", statistics.median(sizes), 1.05)
    return row


def iceberg_row(rounds):
    """The same append beside a peer of another format, whose files are compressed by zstd."""
    row = Row("append", "the same rows", "PyIceberg", 0.95)
    sizes = []
    for _ in range(rounds):
        mine, other = folder("mine"), folder("other")
        facts = ours("append", lineitem(), mine)
        peer = theirs("append_iceberg", lineitem(), other)
        row.add(facts["seconds"], peer["seconds"])
        sizes.append(bytes_of(mine) / bytes_of(other))
        assert rows_of(mine) == peer["rows"] == 6_001_215
    row.limit("bytes × peer", statistics.median(sizes), 1.05)
    return row


def path_append(rounds):
    return [append_row(rounds, "append", lineitem(), [], 0.6), iceberg_row(rounds)]


def path_partitioned(rounds):
    lineitem()
    return [append_row(rounds, "partitioned append", DATA / "lineitem_month.parquet", ["month"], 0.6)]


# What a pipeline of clicks does before it stores them; the peer loads the bare lines.
CHAIN = """transforms:
  - flatten
  - snake_case
  - cast: {price: "decimal(12,2)"}
  - compute:
      event_ms: epoch_ms(event_time)
      phone: "'+' || regexp_replace(phone, '[^0-9]', '', 'g')"
      user_hash: md5(CAST(user_id AS VARCHAR))
  - filter: event <> 'pay' OR price > 0
"""


def text_row(rounds, name, work, bound, reader, source, transforms=""):
    row = Row(name, work, f"DuckDB {reader} → Parquet", bound)
    for _ in range(rounds):
        mine, target = folder("mine"), folder("other.parquet")
        target.unlink(missing_ok=True)
        pipeline = DATA / "work" / "pipeline.yaml"
        pipeline.write_text(f"source: {source}\ninto: {mine}\n{transforms}")
        facts = ours("ingest", pipeline)
        peer = theirs("text_to_parquet", reader, source, target)
        assert facts["rows"] == peer["rows"] == rows_of(mine)
        row.add(facts["seconds"], peer["seconds"])
        target.unlink()
    return row


def path_json(rounds):
    work = "1,000,000 events, 316 MB"
    return [
        text_row(rounds, "JSON lines → table", work, 0.8, "read_json", events()),
        text_row(rounds, "JSON lines, transformed", f"{work}: flatten, snake_case, cast, millis, phone, hash, filter", 2.0, "read_json", events(), CHAIN),
    ]


def path_csv(rounds):
    return [text_row(rounds, "CSV → table", "2,000,000 rows of lineitem", 1.0, "read_csv", lines_of_csv())]


def path_commits(rounds):
    row = Row("200 small commits", "one row each, one process, durable", "delta-rs", 0.25)
    for _ in range(rounds):
        mine, other = folder("mine"), folder("other")
        facts = ours("commits", mine, 200)
        peer = theirs("commits", other, 200)
        assert rows_of(mine) == rows_of(other) == 200
        row.add(facts["seconds"], peer["seconds"])
    return [row]


def path_ten_thousand(rounds):
    row = Row("10,000th commit", "against the 10th to 110th of the same run", "own start (ms)", 1.2)
    mine = folder("mine")
    each = ours("commits", mine, 10_000)["commit_ms"]
    row.add(statistics.median(each[-100:]), statistics.median(each[10:110]))
    assert rows_of(mine) == 10_000
    row.notes.append("medians of 100 commits, ms")
    return [row]


def open_row(rounds, name, kind, bound, files, kept, megabytes):
    table = logs(kind)
    row = Row(name, f"{files:,} files, one partition of 100", "delta-rs", bound)
    peaks = []
    for _ in range(rounds):
        facts = ours("open", table, "p", "7")
        peer = theirs("open", table, "p", "7")
        assert facts["files_kept"] == peer["files_kept"] == kept, (facts, peer)
        row.add(facts["seconds"], peer["seconds"])
        peaks.append(facts["peak_bytes"] / 1e6)
    row.limit("peak MB", max(peaks), megabytes)
    return row


def path_open(rounds):
    rows = [
        open_row(rounds, "open + prune, JSON log", "json", 0.35, 300_000, 3_000, 200),
        open_row(rounds, "open + prune, checkpoint", "checkpoint", 0.3, 300_000, 3_000, 200),
    ]
    million = open_row(rounds, "open + prune, 1,000,000 files", "million", 1.0, 1_000_000, 10_000, 500)
    million.limit("seconds", statistics.median(million.ours), 1.0)
    return [*rows, million]


# One row in a hundred, spread over all files.
DELETED = "l_partkey % 100 = 0"


def without_deleted(query):
    return query.replace("WHERE", f"WHERE NOT {DELETED} AND")


def scan_row(rounds, name, table, query, answer=None, bare=None):
    """`answer`: what must come out, where it is not the peer's answer over all rows. `bare`: the folder of
    the peer's files, where the table's has others too."""
    row = Row(name, "TPC-H over the appended table", "DuckDB on the bare files", 1.1)
    for _ in range(rounds):
        facts = ours("sql", table, query, 5)
        peer = theirs("sql", bare or table, query, 5)
        assert facts["result"] == (answer or peer["result"]), (facts["result"], answer or peer["result"])
        row.add(statistics.median(facts["rounds"][1:]), statistics.median(peer["rounds"][1:]))
    return row


def path_scan(rounds):
    table = folder("mine")
    ours("append", lineitem(), table)
    rows = [scan_row(rounds, "scan Q1", table, Q1), scan_row(rounds, "scan Q6", table, Q6)]
    answers = [theirs("answer", table, without_deleted(query))["result"] for query in (Q1, Q6)]
    ours("sql", table, "ALTER TABLE {t} SET TBLPROPERTIES ('delta.enableDeletionVectors' = 'true')", 1)
    ours("sql", table, f"DELETE FROM {{t}} WHERE {DELETED}", 1)
    for name, query, answer in zip(("Q1", "Q6"), (Q1, Q6), answers):
        rows.append(scan_row(rounds, f"scan {name}, 1 % deleted", table, query, answer))
    return rows


def iceberg_state(table):
    """The newest metadata of an Iceberg table that stands on a path, and its file."""
    hint = (table / "metadata" / "version-hint.text").read_text()
    file = table / "metadata" / f"v{hint}.metadata.json"
    return json.loads(file.read_text()), file


def iceberg_rows(table):
    from pyiceberg.table import StaticTable

    return StaticTable.from_metadata(f"file://{iceberg_state(table)[1]}").scan().count()


def iceberg_like(name, rows, partition=(), properties=""):
    """An Iceberg table of Tarn's with the columns of a Parquet file and no rows, empty folder before."""
    table = folder(name)
    clauses = f"PARTITIONED BY ({', '.join(partition)}) " if partition else ""
    clauses += f"TBLPROPERTIES ({properties}) " if properties else ""
    ours("sql", table, f"CREATE TABLE {{t}} USING iceberg {clauses}AS SELECT * FROM read_parquet('{rows}') LIMIT 0", 1)
    return table


def iceberg_append_row(rounds, name, rows, partition, bound):
    row = Row(name, f"6,001,215 rows of lineitem{' in 84 months' if partition else ''}", "PyIceberg", bound)
    above, sizes = [], []
    for _ in range(rounds):
        mine, other = iceberg_like("mine", rows, partition), folder("other")
        facts = ours("append", rows, mine)
        peer = theirs("append_iceberg", rows, other, *partition)
        row.add(facts["seconds"], peer["seconds"])
        above.append(facts["bytes_above_input"] / 1e6)
        sizes.append(bytes_of(mine) / bytes_of(other))
        assert iceberg_rows(mine) == peer["rows"] == 6_001_215
    row.limit("MB above input", max(above), 600)
    row.limit("bytes × peer", statistics.median(sizes), 1.05)
    return row


def path_iceberg_append(rounds):
    return [iceberg_append_row(rounds, "Iceberg append", lineitem(), [], 0.95)]


def path_iceberg_partitioned(rounds):
    lineitem()
    return [iceberg_append_row(rounds, "Iceberg partitioned append", DATA / "lineitem_month.parquet", ["month"], 0.95)]


def iceberg_commits(count):
    """Tarn's seconds for `count` appends of one row to a new table that merges manifests."""
    mine = folder("mine")
    ours("sql", mine, "CREATE TABLE {t} (id BIGINT, s STRING) USING iceberg", 1)
    seconds = ours("commits", mine, count)["seconds"]
    assert iceberg_rows(mine) == count
    return seconds


def path_iceberg_commits(rounds):
    row = Row("Iceberg, 200 small commits", "one row each, manifests merged, one process, durable", "PyIceberg", 0.1)
    for _ in range(rounds):
        peer = theirs("commits_iceberg", folder("other"), 200)
        state = json.loads(pathlib.Path(peer["metadata"]).read_text())
        assert state["snapshots"][-1]["summary"]["total-records"] == "200"
        row.add(iceberg_commits(200), peer["seconds"])
    return [row]


def made_iceberg(snapshots, files):
    """A copy of a table of make_iceberg.py, at the place its metadata names."""
    target, place = DATA / f"iceberg-{snapshots}-{files}", folder("table")
    if not target.exists():
        subprocess.run(
            [PYTHON, ROOT / "bench" / "make_iceberg.py", str(snapshots), str(files), target, f"file://{place}"], check=True
        )
    shutil.copytree(target, place)
    os.sync()  # or the copy is still being written while the commits are timed
    return place


def small_commit_row(rounds, snapshots, files):
    """How one commit's cost grows with a table, and what of the table is read and written whole by each."""
    work = f"one row, {snapshots:,} snapshot{'s' * (snapshots > 1)}, {files:,} file{'s' * (files > 1)}"
    row = Row("Iceberg small commit", work, "PyIceberg (ms)", 0.1)
    for _ in range(rounds):
        mine = made_iceberg(snapshots, files)
        facts = ours("commits", mine, 10)
        state, file = iceberg_state(mine)
        listed = mine / "metadata" / pathlib.Path(state["snapshots"][-1]["manifest-list"]).name
        weights = [file.stat().st_size, listed.stat().st_size]
        peer = theirs("commits_iceberg", folder("other"), 3, made_iceberg(snapshots, files) / "metadata" / "v1.metadata.json")
        same = json.loads(pathlib.Path(peer["metadata"]).read_text())
        for table, count in ((state, 10), (same, 3)):
            assert len(table["snapshots"]) == snapshots + count
            assert table["snapshots"][-1]["summary"]["total-records"] == str(files * 1000 + count)
        row.add(statistics.median(facts["commit_ms"]), statistics.median(peer["commit_ms"]))
    row.notes.append(f"metadata.json {weights[0]:,} bytes, manifest list {weights[1]:,}")
    return row, sum(weights) / 1e6


def path_iceberg_small(rounds):
    """A commit may cost a fifth more than with one snapshot and one file, and 20 ms for each MB of
    metadata.json and manifest list."""
    made = [small_commit_row(rounds, *size) for size in ((1, 1), (100, 1), (10_000, 1), (1, 1_000_000))]
    first, light = made[0]
    for row, megabytes in made[1:]:
        most = 1.2 * statistics.median(first.ours) + 20 * (megabytes - light)
        row.limit("ms by weight", statistics.median(row.ours), most)
    return [row for row, _ in made]


def path_iceberg_open(rounds):
    """The peer once: it takes minutes."""
    table = made_iceberg(1, 1_000_000)
    row = Row("Iceberg plan, 1,000,000 files", "one partition of 100, in each of 10 manifests", "PyIceberg", 0.3)
    peer = theirs("open_iceberg", iceberg_state(table)[1], "p", "7")
    peaks = []
    for _ in range(rounds):
        facts = ours("open", table, "p", "7")
        assert facts["files_kept"] == peer["files_kept"] == 10_000, (facts, peer)
        row.add(facts["seconds"], peer["seconds"])
        peaks.append(facts["peak_bytes"] / 1e6)
    row.limit("peak MB", max(peaks), 500)
    row.limit("seconds", statistics.median(row.ours), 1.0)
    row.notes.append(f"peer's peak {peer['peak_bytes'] / 1e6:,.0f} MB")
    return [row]


def iceberg_deleted(name):
    """lineitem in a table of Tarn's with one row in a hundred deleted by position deletes, and a folder of its
    data files alone."""
    table, bare = iceberg_like(name, lineitem(), (), "'write.delete.mode' = 'merge-on-read'"), folder("bare")
    ours("append", lineitem(), table)
    bare.mkdir()
    for file in table.rglob("*.parquet"):
        os.link(file, bare / file.name)
    ours("sql", table, f"DELETE FROM {{t}} WHERE {DELETED}", 1)
    summary = iceberg_state(table)[0]["snapshots"][-1]["summary"]
    assert int(summary["added-position-deletes"]) > 0, summary
    return table, bare


def path_iceberg_scan(rounds):
    table, bare = iceberg_deleted("mine")
    rows = []
    for name, query in (("Q1", Q1), ("Q6", Q6)):
        answer = theirs("answer", bare, without_deleted(query))["result"]
        rows.append(scan_row(rounds, f"Iceberg scan {name}, 1 % deleted", table, query, answer, bare))
    return rows


def path_iceberg_spark(_):
    """Beside one session of Spark, warmed up, each side once: Spark reads its rows from Parquet."""
    sys.path.insert(0, str(ROOT / "tests" / "interop"))
    from peers import Spark

    if not Spark.installed():
        print("bench: Spark is not installed; `make interop` installs it", file=sys.stderr)
        return []
    month, home = DATA / "lineitem_month.parquet", folder("spark")
    lineitem()
    home.mkdir()
    spark = Spark(home)
    spark.iceberg_catalog("bench", type="hadoop", warehouse=str(DATA / "work"))
    rows = []

    def add(name, work, bound, mine, statements):
        begin = time.perf_counter()
        for statement in statements:
            answer = spark.sql(statement)
        rows.append(Row(name, work, "Spark", bound))
        rows[-1].add(mine, time.perf_counter() - begin)
        return answer

    def count(table):
        return int(spark.sql(f"SELECT count(*) FROM {table}")[0][0])

    spark.sql(f"CREATE TABLE bench.spark.warm USING iceberg AS SELECT * FROM parquet.`{lineitem()}` LIMIT 100000")
    spark.sql(Q1.format(t="bench.spark.warm"))
    for name, source, partition in (("append", lineitem(), []), ("partitioned append", month, ["month"])):
        mine = iceberg_like("tarn/mine", source, partition)
        facts = ours("append", source, mine)
        clause = f"PARTITIONED BY ({partition[0]})" if partition else ""
        spark.sql(f"CREATE TABLE bench.spark.rows USING iceberg {clause} AS SELECT * FROM parquet.`{source}` LIMIT 0")
        add(f"Iceberg {name}", "the same rows", 0.6, facts["seconds"], [f"INSERT INTO bench.spark.rows SELECT * FROM parquet.`{source}`"])
        assert count("bench.tarn.mine") == count("bench.spark.rows") == 6_001_215
        spark.sql("DROP TABLE bench.spark.rows PURGE")
    spark.sql("CREATE TABLE bench.spark.rows (id BIGINT, s STRING) USING iceberg")
    inserts = [f"INSERT INTO bench.spark.rows VALUES ({i}, 'row')" for i in range(200)]
    add("Iceberg, 200 small commits", "one row each, manifests merged", 0.1, iceberg_commits(200), inserts)
    assert count("bench.spark.rows") == 200
    table, _ = iceberg_deleted("tarn/mine")
    for name, query in (("Q1", Q1), ("Q6", Q6)):
        facts = ours("sql", table, query, 5)
        statement = query.format(t="bench.tarn.mine")
        spark.sql(statement)
        answer = add(f"Iceberg scan {name}, 1 % deleted", "the same table", 0.6, statistics.median(facts["rounds"][1:]), [statement])
        assert facts["result"] == "".join("".join(f"{value}|" for value in line) + ";" for line in answer), answer
    million = made_iceberg(1, 1_000_000)
    facts = ours("open", million, "p", "7")
    shutil.copytree(million, folder("tarn/million"))
    answer = add("Iceberg plan, 1,000,000 files", "the same table", 0.6, facts["seconds"], ["SELECT count(*) FROM bench.tarn.million WHERE p = 7"])
    assert int(answer[0][0]) == facts["files_kept"] * 1000
    spark.close()
    return rows


def sql_files():
    """The 99 TPC-DS queries as CREATE TABLE … AS, their schema, and the texts of make_statements.py."""
    target = DATA / "sql"
    if not (target / "done").exists():
        target.mkdir(parents=True, exist_ok=True)
        subprocess.run([PYTHON, ROOT / "bench" / "make_statements.py", target], check=True)
        (target / "done").touch()
    return target


def lineage_of(statements, schema):
    """Of each statement, per column in order: what it is made of, and that with what decides about it."""
    sys.path.insert(0, str(ROOT / "tests" / "lineage"))
    import accuracy
    import facts

    answers = accuracy.tarn_all({"dialect": "duckdb", "schema": schema, "sql": text} for text in statements)
    bounds = []
    for answer in answers:
        assert not [w for w in answer["warnings"] if w["code"] != "unused_cte"], answer["warnings"]
        bounds.append(
            [
                (
                    column["output"].rpartition(".")[2],
                    {s["column"] for s in column["sources"] if s["kind"] in facts.DIRECT},
                    {s["column"] for s in column["sources"]},
                )
                for column in answer["columns"]
            ]
        )
    return bounds


def agrees(columns, answer):
    """Whether a peer says of every column, by its name, what Tarn says."""
    return answer is not None and all(
        direct <= set(answer.get(name, [])) <= every for name, direct, every in columns
    )


def path_lineage(rounds):
    sys.path.insert(0, str(ROOT / "tests" / "lineage"))
    import peer_tools
    import tpc

    files = sql_files()
    queries, schema = files / "tpcds.sql", files / "tpcds_schema.json"
    statements = queries.read_text().split("\n;\n")[:-1]
    # Ours are right: test_tpc_columns.py holds every column against sqlglot's, differences judged one by one.
    judged = json.loads(tpc.DIFFERENCES.read_text()).values()
    assert all(entry["right"] == "tarn" for entry in judged)
    bounds = lineage_of(statements, json.loads(schema.read_text()))

    def mine(what, file, repeats):
        facts = run(SQL_PROGRAM, what, file, "duckdb", repeats, schema)
        assert facts["errors"] == 0, facts
        return facts

    def peer(tool, file, repeats, compiled=False):
        return run(peer_tools.python(compiled), LINEAGE_PEERS, tool, file, schema, repeats)

    work = "99 TPC-DS queries as CTAS with schema, all columns"
    fast = Row("lineage", work, "openlineage-sql", 1.0)
    parse = Row("parse", "the same, parsed only", "openlineage-sql, lineage", 0.2)
    mixed = Row("lineage, 100,000 statements", "of mixed size", "openlineage-sql", 1.0)
    script = Row("lineage, one script", "10 MB", "own rate on the 99, s", 1.5)
    slow = [
        (Row("lineage", work, "sqlglot, compiled", 0.05), "sqlglot", True),
        (Row("lineage", work, "sqlglot", 0.05), "sqlglot", False),
        (Row("lineage", work, "sqllineage", 0.05), "sqllineage", False),
    ]
    for index in range(rounds):
        ours_now, theirs_now = mine("lineage", queries, 20), peer("openlineage-sql", queries, 5)
        fast.add(ours_now["seconds"], theirs_now["seconds"])
        parse.add(mine("parse", queries, 20)["seconds"], theirs_now["seconds"])
        every = mine("lineage", files / "mixed.sql", 1)
        mixed.add(every["seconds"], peer("openlineage-sql", files / "mixed.sql", 1)["seconds"])
        long = mine("lineage-script", files / "script.sql", 1)
        script.add(long["seconds"], long["bytes"] / 1e6 / ours_now["megabytes_per_second"])
        for row, tool, compiled in slow if index == 0 else ():
            answer = peer(tool, queries, 1, compiled)
            row.add(ours_now["seconds"], answer["seconds"])
            row.notes.append(f"{len(statements) / answer['seconds']:.3g} statements/s")
            row.notes.append(f"agrees on {sum(map(agrees, bounds, answer['answers']))} of 99")
    fast.notes.append(f"{len(statements) / statistics.median(fast.ours):,.0f} statements/s")
    fast.notes.append(f"peer {len(statements) / statistics.median(fast.theirs):,.0f}, agrees on {sum(map(agrees, bounds, theirs_now['answers']))} of 99")
    parse.notes.append(f"{len(statements) / statistics.median(parse.ours):,.0f} statements/s")
    mixed.notes.append(f"{every['statements'] / statistics.median(mixed.ours):,.0f} statements/s")
    script.limit("peak MB", long["peak_bytes"] / 1e6, 1000)
    script.notes.append(f"{long['bytes'] / 1e6 / statistics.median(script.ours):.1f} MB/s")
    return [fast, parse, *(row for row, _, _ in slow), mixed, script]


PATHS = {
    "append": path_append,
    "partitioned": path_partitioned,
    "json": path_json,
    "csv": path_csv,
    "commits": path_commits,
    "ten-thousand": path_ten_thousand,
    "open": path_open,
    "scan": path_scan,
    "iceberg-append": path_iceberg_append,
    "iceberg-partitioned": path_iceberg_partitioned,
    "iceberg-commits": path_iceberg_commits,
    "iceberg-small": path_iceberg_small,
    "iceberg-open": path_iceberg_open,
    "iceberg-scan": path_iceberg_scan,
    "iceberg-spark": path_iceberg_spark,
    "lineage": path_lineage,
}

HEAD = """# Benchmarks

Each path beside its peer in one run (`make bench`), seconds: median (least–most) of {rounds} rounds in turns;
ratio is ours by the peer's. Results were compared first: equal rows, equal answers. Tarn syncs files and
folders; the peers do not. Machine: {cpus} cores; {when}.

| path | work | Tarn | peer | ratio | bound | held | further bounds |
|---|---|---|---|---|---|---|---|
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", default="")
    parser.add_argument("--out", default="")
    arguments = parser.parse_args()
    wanted = [name for name in arguments.only.split(",") if name] or list(PATHS)
    lines = []
    for name in wanted:
        print(f"bench: {name} …", file=sys.stderr, flush=True)
        for row in PATHS[name](arguments.rounds):
            lines.append("| " + " | ".join(row.cells()) + " |")
            print(lines[-1], flush=True)
    shutil.rmtree(DATA / "work", ignore_errors=True)
    if arguments.out:
        when = datetime.date.today().isoformat()
        head = HEAD.format(rounds=arguments.rounds, cpus=os.cpu_count(), when=when)
        tail = pathlib.Path(arguments.out).with_suffix(".notes.md")
        text = head + "\n".join(lines) + "\n"
        if tail.exists():
            text += "\n" + tail.read_text()
        pathlib.Path(arguments.out).write_text(text)


if __name__ == "__main__":
    main()
