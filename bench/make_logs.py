#!/usr/bin/env python3
"""Makes a Delta log of many files without their data: make_logs.py json|checkpoint|million FOLDER

100 partitions p = 0…99; each add has statistics of four columns. `json`: 100 commits of 3,000 files.
`checkpoint`: the same with a checkpoint by delta-rs. `million`: 1,000,000 files in a checkpoint.
"""

import json
import pathlib
import sys

SCHEMA = {
    "type": "struct",
    "fields": [
        {"name": name, "type": kind, "nullable": True, "metadata": {}}
        for name, kind in [("p", "integer"), ("id", "long"), ("at", "timestamp"), ("price", "double"), ("note", "string")]
    ],
}


def add(number):
    low = number * 1000
    stats = {
        "numRecords": 1000,
        "minValues": {"id": low, "at": "2026-01-01T00:00:00.000Z", "price": low / 7, "note": f"n{low:09}"},
        "maxValues": {"id": low + 999, "at": "2026-01-02T00:00:00.000Z", "price": low / 7 + 10, "note": f"n{low + 999:09}"},
        "nullCount": {"id": 0, "at": 0, "price": 3, "note": 0},
    }
    p = number % 100
    return {
        "path": f"p={p}/part-{number:09}-5d3a9f0e-7c1b-4d6e-8a2f-{number:012}.snappy.parquet",
        "partitionValues": {"p": str(p)},
        "size": 1_000_000 + number,
        "modificationTime": 1_760_000_000_000 + number,
        "dataChange": True,
        "stats": json.dumps(stats),
    }


def write(folder, files, per_commit):
    log = folder / "_delta_log"
    log.mkdir(parents=True)
    for version, first in enumerate(range(0, files, per_commit)):
        with open(log / f"{version:020}.json", "w") as out:
            out.write(json.dumps({"commitInfo": {"timestamp": 1_760_000_000_000 + version, "operation": "WRITE"}}) + "\n")
            if version == 0:
                out.write(json.dumps({"protocol": {"minReaderVersion": 1, "minWriterVersion": 2}}) + "\n")
                metadata = {
                    "id": "3f1c1f0a-6f6e-4d0c-9a51-0d3c8f3f1b2e",
                    "format": {"provider": "parquet", "options": {}},
                    "schemaString": json.dumps(SCHEMA),
                    "partitionColumns": ["p"],
                    "configuration": {},
                    "createdTime": 1_760_000_000_000,
                }
                out.write(json.dumps({"metaData": metadata}) + "\n")
            for number in range(first, min(first + per_commit, files)):
                out.write(json.dumps({"add": add(number)}) + "\n")


def main(kind, folder):
    files, per_commit = (1_000_000, 10_000) if kind == "million" else (300_000, 3_000)
    write(folder, files, per_commit)
    if kind != "json":
        import deltalake

        deltalake.DeltaTable(str(folder)).create_checkpoint()


if __name__ == "__main__":
    main(sys.argv[1], pathlib.Path(sys.argv[2]))
