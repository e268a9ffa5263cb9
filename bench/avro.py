"""Decoding Avro: Tarn's reader against fastavro and polars, each on one thread and all columns.

    bench/avro.py [ROWS]        needs: ninja avro_tool; polars is left out where it is not installed

Prints a table of rows a second for a file of plain columns and a file shaped like an Iceberg
manifest, for each codec; the best of three runs each, the file in memory's cache.
"""

import io
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import time

import fastavro

ROOT = pathlib.Path(__file__).resolve().parents[1]

PLAIN = {
    "type": "record",
    "name": "event",
    "fields": [
        {"name": "id", "type": "long"},
        {"name": "user", "type": ["null", "int"]},
        {"name": "at", "type": {"type": "long", "logicalType": "timestamp-micros"}},
        {"name": "amount", "type": ["null", "double"]},
        {"name": "kind", "type": "string"},
        {"name": "text", "type": ["null", "string"]},
        {"name": "ok", "type": "boolean"},
        {"name": "score", "type": "float"},
    ],
}


def pairs(name, value):
    entry = {
        "type": "record",
        "name": f"kv_{name}",
        "fields": [{"name": "key", "type": "int"}, {"name": "value", "type": value}],
    }
    return {"name": name, "type": ["null", {"type": "array", "items": entry, "logicalType": "map"}]}


MANIFEST = {
    "type": "record",
    "name": "manifest_entry",
    "fields": [
        {"name": "status", "type": "int"},
        {"name": "snapshot_id", "type": ["null", "long"]},
        {"name": "file_path", "type": "string"},
        {"name": "record_count", "type": "long"},
        {"name": "file_size_in_bytes", "type": "long"},
        pairs("column_sizes", "long"),
        pairs("value_counts", "long"),
        pairs("null_value_counts", "long"),
        pairs("lower_bounds", "bytes"),
        pairs("upper_bounds", "bytes"),
    ],
}


def plain_rows(count, rng):
    for i in range(count):
        yield {
            "id": i,
            "user": rng.randrange(100_000) if i % 10 else None,
            "at": 1_700_000_000_000_000 + i * 1000,
            "amount": rng.random() * 1000 if i % 7 else None,
            "kind": rng.choice(["view", "click", "purchase", "refund"]),
            "text": "some text of row %d" % i if i % 3 else None,
            "ok": i % 2 == 0,
            "score": rng.random(),
        }


def manifest_rows(count, rng):
    columns = range(1, 11)
    for i in range(count):
        yield {
            "status": 1,
            "snapshot_id": 4_242_424_242_424_242,
            "file_path": f"s3://bucket/warehouse/db/table/data/part={i % 100}/{i:032x}.parquet",
            "record_count": rng.randrange(1_000_000),
            "file_size_in_bytes": rng.randrange(500_000_000),
            "column_sizes": [{"key": c, "value": rng.randrange(1 << 20)} for c in columns],
            "value_counts": [{"key": c, "value": 1000} for c in columns],
            "null_value_counts": [{"key": c, "value": 0} for c in columns],
            "lower_bounds": [{"key": c, "value": rng.randbytes(8)} for c in columns],
            "upper_bounds": [{"key": c, "value": rng.randbytes(8)} for c in columns],
        }


def best(work):
    times = []
    for _ in range(3):
        begin = time.perf_counter()
        work()
        times.append(time.perf_counter() - begin)
    return min(times)


def tarn(tool, file, threads, *columns):
    def once():
        process = subprocess.run(
            [tool, "time", file, *columns],
            env={**os.environ, "AVRO_TOOL_THREADS": str(threads)},
            capture_output=True,
            text=True,
            check=True,
        )
        return float(process.stdout.split()[0])

    return min(once() for _ in range(3))


def by_fastavro(file):
    def once():
        with open(file, "rb") as opened:
            for _ in fastavro.reader(opened):
                pass

    return best(once)


def by_polars(file):
    try:
        import polars
    except ImportError:
        return None
    try:
        return best(lambda: polars.read_avro(file))
    except Exception:  # polars refuses what it does not know by exceptions of many kinds
        return None


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 300_000
    program = pathlib.Path(os.environ.get("TARN_BIN", ROOT / "build" / "tarn"))
    tool = program.parent / "tests" / "python" / "avro_tool"
    cases = [
        ("plain", PLAIN, plain_rows, count, ["id"]),
        ("manifest", MANIFEST, manifest_rows, count // 10, ["file_path"]),
    ]
    print(f"{'file':9} {'codec':9} {'MB':>6} {'tarn':>12} {'2 threads':>12} {'1 column':>12} "
          f"{'fastavro':>12} {'polars':>12}   rows a second")
    with tempfile.TemporaryDirectory() as folder:
        for name, schema, make, rows, one in cases:
            data = list(make(rows, random.Random(1)))
            for codec in ("null", "deflate", "snappy", "zstandard"):
                file = pathlib.Path(folder) / f"{name}_{codec}.avro"
                out = io.BytesIO()
                fastavro.writer(out, schema, data, codec=codec, sync_interval=64_000)
                file.write_bytes(out.getvalue())
                seconds = [
                    tarn(tool, file, 1),
                    tarn(tool, file, 2),
                    tarn(tool, file, 1, *one),
                    by_fastavro(file),
                    by_polars(file),
                ]
                cells = [f"{rows / s:12,.0f}" if s else f"{'-':>12}" for s in seconds]
                print(f"{name:9} {codec:9} {file.stat().st_size / 1e6:6.1f} " + " ".join(cells))


if __name__ == "__main__":
    main()
