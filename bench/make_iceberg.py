#!/usr/bin/env python3
"""Makes an Iceberg table (v2) without its data: make_iceberg.py SNAPSHOTS FILES FOLDER LOCATION

Partitioned by p = 0…99, which every manifest holds all of; each entry has counts and bounds of four columns.
Manifests have 100,000 entries (about the 8 MB that writers aim at); all snapshots share one manifest list.
LOCATION: where the table will be copied to before it is opened.
"""

import json
import pathlib
import struct
import sys

import fastavro
from pyiceberg.io.pyarrow import PyArrowFileIO
from pyiceberg.manifest import (
    ManifestContent,
    ManifestFile,
    PartitionFieldSummary,
    data_file_with_partition,
    manifest_entry_schema_with_data_file,
    write_manifest_list,
)
from pyiceberg.partitioning import PartitionField, PartitionSpec
from pyiceberg.schema import Schema
from pyiceberg.table.metadata import new_table_metadata
from pyiceberg.table.sorting import UNSORTED_SORT_ORDER
from pyiceberg.transforms import IdentityTransform
from pyiceberg.types import DoubleType, IntegerType, LongType, NestedField, StringType, TimestamptzType
from pyiceberg.utils.schema_conversion import AvroSchemaConversion

SCHEMA = Schema(
    *(
        NestedField(number, name, kind, required=False)
        for number, (name, kind) in enumerate(
            [("p", IntegerType()), ("id", LongType()), ("at", TimestamptzType()), ("price", DoubleType()), ("s", StringType())],
            start=1,
        )
    )
)
SPEC = PartitionSpec(PartitionField(source_id=1, field_id=1000, transform=IdentityTransform(), name="p"))
ROWS = 1000
PER_MANIFEST = 100_000
FIRST_ID = 3_051_729_675_574_597_004
FIRST_MS = 1_760_000_000_000


def pairs(*values):
    return [{"key": key, "value": value} for key, value in zip((2, 3, 4, 5), values)]


def entry(number, location):
    low = number * ROWS
    at = (FIRST_MS + number * 60_000) * 1000
    data_file = {
        "content": 0,
        "file_path": f"{location}/data/p={number % 100}/{number:09}-5d3a9f0e-7c1b-4d6e-8a2f-{number:012}.parquet",
        "file_format": "PARQUET",
        "partition": {"p": number % 100},
        "record_count": ROWS,
        "file_size_in_bytes": 1_000_000 + number,
        "column_sizes": pairs(4000 + number % 97, 3000 + number % 89, 7000 + number % 83, 9000 + number % 79),
        "value_counts": pairs(ROWS, ROWS, ROWS, ROWS),
        "null_value_counts": pairs(0, 0, 3, 0),
        "lower_bounds": pairs(struct.pack("<q", low), struct.pack("<q", at), struct.pack("<d", low / 7), f"n{low:09}".encode()),
        "upper_bounds": pairs(
            struct.pack("<q", low + ROWS - 1),
            struct.pack("<q", at + 59_999_999),
            struct.pack("<d", low / 7 + 10),
            f"n{low + ROWS - 1:09}".encode(),
        ),
    }
    return {"status": 1, "snapshot_id": FIRST_ID, "data_file": data_file}


def manifest(name, numbers, folder, location):
    data_file = data_file_with_partition(SPEC.partition_type(SCHEMA), format_version=2)
    columns = manifest_entry_schema_with_data_file(format_version=2, data_file=data_file)
    schema = AvroSchemaConversion().iceberg_to_avro(columns, "manifest_entry")
    described = {
        "schema": SCHEMA.model_dump_json(),
        "partition-spec": json.dumps([field.model_dump(by_alias=True, mode="json") for field in SPEC.fields]),
        "partition-spec-id": "0",
        "format-version": "2",
        "content": "data",
    }
    with open(folder / "metadata" / name, "wb") as out:
        entries = (entry(number, location) for number in numbers)
        fastavro.writer(out, schema, entries, codec="deflate", metadata=described)
    return ManifestFile.from_args(
        manifest_path=f"{location}/metadata/{name}",
        manifest_length=(folder / "metadata" / name).stat().st_size,
        partition_spec_id=0,
        content=ManifestContent.DATA,
        sequence_number=1,
        min_sequence_number=1,
        added_snapshot_id=FIRST_ID,
        added_files_count=len(numbers),
        existing_files_count=0,
        deleted_files_count=0,
        added_rows_count=len(numbers) * ROWS,
        existing_rows_count=0,
        deleted_rows_count=0,
        partitions=[
            PartitionFieldSummary(False, False, struct.pack("<i", numbers[0] % 100), struct.pack("<i", min(numbers[-1], 99)))
        ],
    )


def snapshot(number, files, location):
    made = {
        "snapshot-id": FIRST_ID + number * 7_919_000_003,
        "sequence-number": number + 1,
        "timestamp-ms": FIRST_MS + number * 1000,
        "manifest-list": f"{location}/metadata/snap-{FIRST_ID}.avro",
        "summary": {
            "operation": "append",
            "added-data-files": str(files),
            "added-records": str(files * ROWS),
            "added-files-size": str(files * 1_000_000),
            "changed-partition-count": "100",
            "total-data-files": str(files),
            "total-delete-files": "0",
            "total-records": str(files * ROWS),
            "total-files-size": str(files * 1_000_000),
            "total-position-deletes": "0",
            "total-equality-deletes": "0",
        },
        "schema-id": 0,
    }
    if number > 0:
        made["parent-snapshot-id"] = FIRST_ID + (number - 1) * 7_919_000_003
    return made


def main(snapshots, files, folder, location):
    (folder / "metadata").mkdir(parents=True)
    manifests = [
        manifest(f"m{first // PER_MANIFEST}.avro", range(first, min(first + PER_MANIFEST, files)), folder, location)
        for first in range(0, files, PER_MANIFEST)
    ]
    listed = PyArrowFileIO().new_output(str(folder / "metadata" / f"snap-{FIRST_ID}.avro"))
    with write_manifest_list(2, listed, FIRST_ID, None, 1, "deflate") as out:
        out.add_manifests(manifests)
    made = [snapshot(number, files, location) for number in range(snapshots)]
    metadata = new_table_metadata(SCHEMA, SPEC, UNSORTED_SORT_ORDER, location, {"format-version": "2"})
    state = {
        **json.loads(metadata.model_dump_json()),
        "last-sequence-number": snapshots,
        "last-updated-ms": made[-1]["timestamp-ms"],
        "current-snapshot-id": made[-1]["snapshot-id"],
        "refs": {"main": {"snapshot-id": made[-1]["snapshot-id"], "type": "branch"}},
        "snapshots": made,
        "snapshot-log": [{key: one[key] for key in ("snapshot-id", "timestamp-ms")} for one in made],
    }
    (folder / "metadata" / "v1.metadata.json").write_text(json.dumps(state))
    (folder / "metadata" / "version-hint.text").write_text("1")


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), pathlib.Path(sys.argv[3]), sys.argv[4])
