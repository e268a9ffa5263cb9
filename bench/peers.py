"""The peers' side of each benchmark, each run as a process of its own: peers.py PATH ARGUMENTS…
Prints one JSON line like bench_paths does."""

import builtins
import glob
import json
import sys
import time


def peak_bytes():
    """The high-water mark of this process: ru_maxrss would begin with that of whoever started it."""
    with builtins.open("/proc/self/status") as status:
        return next(int(line.split()[1]) * 1024 for line in status if line.startswith("VmHWM:"))


def report(**facts):
    facts["peak_bytes"] = peak_bytes()
    print(json.dumps(facts), flush=True)


def append(rows, table, *partition):
    import deltalake
    import pyarrow.parquet as pq

    data = pq.read_table(rows)
    before = peak_bytes()
    begin = time.perf_counter()
    deltalake.write_deltalake(table, data, partition_by=list(partition) or None)
    seconds = time.perf_counter() - begin
    report(seconds=seconds, bytes_above_input=peak_bytes() - before)


def iceberg_catalog(warehouse):
    import pathlib

    from pyiceberg.catalog.sql import SqlCatalog

    pathlib.Path(warehouse).mkdir(parents=True)
    catalog = SqlCatalog("bench", uri=f"sqlite:///{warehouse}/catalog.db", warehouse=f"file://{warehouse}")
    catalog.create_namespace("ns")
    return catalog


def append_iceberg(rows, warehouse, *partition):
    import pyarrow.parquet as pq

    data = pq.read_table(rows)
    before = peak_bytes()
    catalog = iceberg_catalog(warehouse)
    table = catalog.create_table("ns.rows", schema=data.schema)
    if partition:
        with table.update_spec() as spec:
            for column in partition:
                spec.add_identity(column)
    begin = time.perf_counter()
    table.append(data)
    seconds = time.perf_counter() - begin
    report(
        seconds=seconds,
        bytes_above_input=peak_bytes() - before,
        rows=catalog.load_table("ns.rows").scan().count(),
    )


def commits_iceberg(warehouse, count, *metadata):
    """Into a new table that merges manifests, or one that stands there: its metadata file."""
    import pyarrow as pa

    catalog = iceberg_catalog(warehouse)
    row = pa.table({"id": [0], "s": ["row"]})
    if metadata:
        table = catalog.register_table("ns.rows", *metadata)
        partition = {"p": pa.array([None], pa.int32())}  # Tarn does without
    else:
        partition = {}
        table = catalog.create_table("ns.rows", schema=row.schema, properties={"commit.manifest-merge.enabled": "true"})
    each = []
    begin = time.perf_counter()
    for i in range(int(count)):
        one = time.perf_counter()
        table.append(pa.table({**partition, "id": [i], "s": ["row"]}))
        each.append((time.perf_counter() - one) * 1000)
    seconds = time.perf_counter() - begin
    report(seconds=seconds, commit_ms=each, metadata=table.metadata_location.removeprefix("file://"))


def commits(table, count):
    import deltalake
    import pyarrow as pa

    each = []
    begin = time.perf_counter()
    for i in range(int(count)):
        one = time.perf_counter()
        deltalake.write_deltalake(table, pa.table({"id": [i], "s": ["row"]}), mode="append")
        each.append((time.perf_counter() - one) * 1000)
    report(seconds=time.perf_counter() - begin, commit_ms=each)


def open(table, column, value):
    import deltalake

    begin = time.perf_counter()
    opened = deltalake.DeltaTable(table)
    files = opened.file_uris(partition_filters=[(column, "=", value)])
    report(seconds=time.perf_counter() - begin, files_kept=len(files))


def open_iceberg(metadata, column, value):
    import os

    # A manifest at a time and core: the entries of each are Python objects, all at once.
    os.environ["PYICEBERG_MAX_WORKERS"] = str(os.cpu_count())
    from pyiceberg.expressions import EqualTo
    from pyiceberg.table import StaticTable

    begin = time.perf_counter()
    table = StaticTable.from_metadata(f"file://{metadata}")
    files = list(table.scan(row_filter=EqualTo(column, int(value))).plan_files())
    report(seconds=time.perf_counter() - begin, files_kept=len(files))


def sql(table, query, rounds):
    import duckdb

    connection = duckdb.connect()
    connection.execute("SET threads = 2")
    files = sorted(glob.glob(table + "/**/*.parquet", recursive=True))
    query = query.replace("{t}", f"read_parquet({files})")
    seconds = []
    for _ in range(int(rounds)):
        begin = time.perf_counter()
        rows = connection.execute(query).fetchall()
        seconds.append(time.perf_counter() - begin)
    report(rounds=seconds, result="".join("".join(f"{value}|" for value in row) + ";" for row in rows))


def answer(table, query):
    """The answer alone, to compare with: not timed."""
    import duckdb

    files = sorted(glob.glob(table + "/**/*.parquet", recursive=True))
    rows = duckdb.connect().execute(query.replace("{t}", f"read_parquet({files})")).fetchall()
    report(result="".join("".join(f"{value}|" for value in row) + ";" for row in rows))


def text_to_parquet(reader, source, target):
    """read_json of JSON lines, or read_csv of CSV with a header."""
    import duckdb

    connection = duckdb.connect()
    connection.execute("SET threads = 2")
    options = {"read_json": ", format = 'newline_delimited'", "read_csv": ""}[reader]
    begin = time.perf_counter()
    connection.execute(f"COPY (SELECT * FROM {reader}('{source}'{options})) TO '{target}' (FORMAT parquet)")
    seconds = time.perf_counter() - begin
    rows = connection.execute(f"SELECT count(*) FROM read_parquet('{target}')").fetchone()[0]
    report(seconds=seconds, rows=rows)


if __name__ == "__main__":
    globals()[sys.argv[1]](*sys.argv[2:])
