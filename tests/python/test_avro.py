"""Avro files against fastavro, value by value: what others wrote, and what Tarn writes."""

import datetime
import decimal
import io
import json
import math
import os
import pathlib
import random
import subprocess
import uuid

import fastavro
import pyarrow as pa
import pytest

from shared_material import ROOT

PRECISE = decimal.Context(prec=60)
CODECS = ["null", "deflate", "snappy", "zstandard"]


@pytest.fixture(scope="session")
def avro_tool():
    program = pathlib.Path(os.environ.get("TARN_BIN", ROOT / "build" / "tarn"))
    tool = program.parent / "avro_tool"
    if not tool.exists():
        tool = program.parent / "tests" / "python" / "avro_tool"
    assert tool.exists(), f"{tool} is built by: ninja avro_tool"

    def run(*words):
        process = subprocess.run([tool, *map(str, words)], capture_output=True, text=True)
        if process.returncode != 0:
            raise RuntimeError(process.stderr.strip())
        return process.stdout

    return run


@pytest.fixture
def read(avro_tool, tmp_path):
    def run(file, *more):
        out = tmp_path / "out.arrow"
        avro_tool("read", file, out, *more)
        with pa.ipc.open_stream(out) as stream:
            return stream.read_all()

    return run


# What Arrow holds, as numbers, texts, lists and dicts.


def plain(scalar):
    if not scalar.is_valid:
        return None
    kind = scalar.type
    if pa.types.is_map(kind):
        return [(plain(entry["key"]), plain(entry["value"])) for entry in scalar.values]
    if pa.types.is_list(kind):
        return [plain(item) for item in scalar.values]
    if pa.types.is_struct(kind):
        return {name: plain(scalar[name]) for name in scalar}
    if pa.types.is_temporal(kind):
        return scalar.value
    return scalar.as_py()


def rows_of(table):
    return [{name: plain(table[name][i]) for name in table.column_names} for i in range(len(table))]


# What fastavro read without its logical types, as the same.


class Raw:
    """fastavro's rows, numbers and bytes as they stand in the file."""

    def __init__(self, source):
        kept = dict(fastavro.read.LOGICAL_READERS)
        fastavro.read.LOGICAL_READERS.clear()
        try:
            reader = fastavro.reader(source)
            self.metadata = reader.metadata
            self.rows = list(reader)
        finally:
            fastavro.read.LOGICAL_READERS.update(kept)
        self.schema = json.loads(self.metadata["avro.schema"])
        self.named = {}

    def expected(self):
        collect(self.schema, "", self.named)
        return [self.value(self.schema, row) for row in self.rows]

    def value(self, schema, value):
        if isinstance(schema, str):
            return self.value(self.named[schema], value) if schema in self.named else value
        if isinstance(schema, list):
            if value is None:
                return None
            branches = [branch for branch in schema if branch != "null"]
            assert len(branches) == 1, "unions of more than one type are tested by themselves"
            return self.value(branches[0], value)
        kind = schema["type"]
        if kind == "record":
            return {
                field.get("iceberg-field-name", field["name"]): self.value(
                    field["type"], value[field["name"]]
                )
                for field in schema["fields"]
            }
        if kind == "map":
            return [(key, self.value(schema["values"], item)) for key, item in value.items()]
        if kind == "array":
            items = [self.value(schema["items"], item) for item in value]
            if schema.get("logicalType") == "map":
                return [(item["key"], item["value"]) for item in items]
            return items
        if schema.get("logicalType") == "decimal":
            unscaled = int.from_bytes(value, "big", signed=True)
            return decimal.Decimal(unscaled).scaleb(-schema.get("scale", 0), PRECISE)
        return value


def collect(schema, space, named):
    if isinstance(schema, list):
        for branch in schema:
            collect(branch, space, named)
    if not isinstance(schema, dict):
        return
    if "name" in schema:
        named[schema["name"]] = schema
    for field in schema.get("fields", []):
        collect(field["type"], space, named)
    for below in ("items", "values", "type"):
        collect(schema.get(below), space, named)


def spelled_out(schema):
    """The schema with names in full, whichever way their namespaces were given."""

    def plain(part):
        if isinstance(part, dict):
            if part.keys() == {"type"}:
                return plain(part["type"])
            return {
                key: plain(value)
                for key, value in part.items()
                if key not in ("namespace", "__fastavro_parsed__", "__named_schemas")
            }
        return [plain(item) for item in part] if isinstance(part, list) else part

    return plain(fastavro.parse_schema(schema))


def same(got, expected):
    if isinstance(expected, float) and isinstance(got, float) and math.isnan(expected):
        return math.isnan(got)
    if isinstance(expected, dict):
        return (
            isinstance(got, dict)
            and got.keys() == expected.keys()
            and all(same(got[key], expected[key]) for key in expected)
        )
    if isinstance(expected, (list, tuple)):
        return len(got) == len(expected) and all(map(same, got, expected))
    return got == expected and type(got) is type(expected)


def check(got, expected):
    assert len(got) == len(expected)
    for number, (mine, theirs) in enumerate(zip(got, expected)):
        assert same(mine, theirs), f"row {number}: expected {theirs}, got {mine}"


def avro_files(folder):
    for file in sorted(folder.rglob("*")):
        if file.is_file() and not file.is_symlink():
            with file.open("rb") as opened:
                if opened.read(4) == b"Obj\x01":
                    yield file


# Files that are no Avro, and why: the specification's long has 64 bits ("Binary Encoding").
REFUSED = {"duckdb-t-equality-delete-extra-column": "expected long, got a number of more than 64 bits"}


def test_every_avro_file_of_the_fixtures(avro_tool, read, shared, tmp_path):
    """Manifests, manifest lists and data files by Spark, PyIceberg, Trino, Impala, Hudi, BigQuery:
    read as fastavro reads them; then written by us and read by fastavro."""
    files = list(avro_files(shared / "fixtures"))
    assert len(files) > 300
    rows = 0
    refused = set()
    for number, file in enumerate(files):
        with file.open("rb") as opened:
            theirs = Raw(opened)
        fixture = file.relative_to(shared / "fixtures" / "iceberg").parts[0] if "iceberg" in file.parts else ""
        expected = theirs.expected()
        try:
            got = rows_of(read(file))
        except RuntimeError as error:
            assert fixture in REFUSED and REFUSED[fixture] in str(error), error
            refused.add(fixture)
            continue
        check(got, expected)
        rows += len(expected)

        ours = tmp_path / "ours.avro"
        avro_tool("rewrite", file, CODECS[number % 4], ours)
        with ours.open("rb") as opened:
            again = Raw(opened)
        assert spelled_out(again.schema) == spelled_out(theirs.schema), file
        assert again.metadata["avro.codec"] == CODECS[number % 4]
        check(again.expected(), expected)
    assert refused == set(REFUSED)
    print(f"{len(files)} files, {rows} rows")


EVERYTHING = {
    "type": "record",
    "name": "everything",
    "namespace": "tests.avro",
    "fields": [
        {"name": "flag", "type": "boolean"},
        {"name": "small", "type": "int"},
        {"name": "big", "type": ["null", "long"], "default": None},
        {"name": "real", "type": "float"},
        {"name": "double", "type": ["double", "null"]},
        {"name": "text", "type": ["null", "string"]},
        {"name": "bytes", "type": "bytes"},
        {"name": "nothing", "type": "null"},
        {"name": "raw", "type": {"type": "fixed", "name": "five", "size": 5}},
        {"name": "again", "type": ["null", "five"]},
        {"name": "suit", "type": {"type": "enum", "name": "suit", "symbols": ["A", "BB", "CCC"]}},
        {"name": "day", "type": {"type": "int", "logicalType": "date"}},
        {"name": "time_ms", "type": {"type": "int", "logicalType": "time-millis"}},
        {"name": "time_us", "type": {"type": "long", "logicalType": "time-micros"}},
        {"name": "at_ms", "type": {"type": "long", "logicalType": "timestamp-millis"}},
        {"name": "at_us", "type": ["null", {"type": "long", "logicalType": "timestamp-micros"}]},
        {"name": "at_ns", "type": {"type": "long", "logicalType": "timestamp-nanos"}},
        {"name": "local_ms", "type": {"type": "long", "logicalType": "local-timestamp-millis"}},
        {"name": "local_us", "type": {"type": "long", "logicalType": "local-timestamp-micros"}},
        {
            "name": "zoneless",
            "type": {"type": "long", "logicalType": "timestamp-micros", "adjust-to-utc": False},
        },
        {
            "name": "amount",
            "type": {"type": "bytes", "logicalType": "decimal", "precision": 30, "scale": 6},
        },
        {
            "name": "price",
            "type": [
                "null",
                {
                    "type": "fixed",
                    "name": "price",
                    "size": 6,
                    "logicalType": "decimal",
                    "precision": 12,
                    "scale": 2,
                },
            ],
        },
        {"name": "id_text", "type": {"type": "string", "logicalType": "uuid"}},
        {"name": "list", "type": {"type": "array", "items": ["null", "long"]}},
        {
            "name": "nested",
            "type": {"type": "array", "items": {"type": "array", "items": "string"}},
        },
        {"name": "map", "type": ["null", {"type": "map", "values": ["null", "double"]}]},
        {
            "name": "pairs",
            "type": {
                "type": "array",
                "logicalType": "map",
                "items": {
                    "type": "record",
                    "name": "k1_v2",
                    "fields": [
                        {"name": "key", "type": "int", "field-id": 1},
                        {"name": "value", "type": ["null", "bytes"], "field-id": 2},
                    ],
                },
            },
        },
        {
            "name": "inner",
            "type": [
                "null",
                {
                    "type": "record",
                    "name": "inner",
                    "fields": [
                        {"name": "x", "type": "int"},
                        {"name": "s", "type": ["null", "string"]},
                        {"name": "l", "type": {"type": "array", "items": "suit"}},
                    ],
                },
            ],
        },
        {"name": "more", "type": {"type": "array", "items": ["null", "inner"]}},
        {"name": "with_x20space", "type": "int", "iceberg-field-name": "with space"},
    ],
}


def everything(count, seed):
    """Rows of EVERYTHING as fastavro takes them when logical types are off."""
    rng = random.Random(seed)

    def maybe(value):
        return value if rng.random() < 0.7 else None

    def text():
        return "".join(rng.choice("aZ 0é語😀") for _ in range(rng.randrange(0, 30)))

    def number(digits):
        return rng.randrange(-(10**digits) + 1, 10**digits)

    def shortest(value):
        return value.to_bytes(max(1, (value.bit_length() + 8) // 8), "big", signed=True)

    def inner():
        return {
            "x": number(9),
            "s": maybe(text()),
            "l": [rng.choice(["A", "BB", "CCC"]) for _ in range(rng.randrange(0, 4))],
        }

    for _ in range(count):
        yield {
            "flag": rng.random() < 0.5,
            "small": rng.choice([0, -1, 2**31 - 1, -(2**31), number(5)]),
            "big": maybe(rng.choice([0, 2**63 - 1, -(2**63), number(18)])),
            "real": rng.choice([0.5, -1.25, float("inf"), float("nan"), 1e20]),
            "double": maybe(rng.choice([rng.random(), float("nan"), -0.0, 1e300])),
            "text": maybe(text()),
            "bytes": rng.randbytes(rng.randrange(0, 40)),
            "nothing": None,
            "raw": rng.randbytes(5),
            "again": maybe(rng.randbytes(5)),
            "suit": rng.choice(["A", "BB", "CCC"]),
            "day": number(5),
            "time_ms": rng.randrange(86_400_000),
            "time_us": rng.randrange(86_400_000_000),
            "at_ms": number(12),
            "at_us": maybe(number(15)),
            "at_ns": number(18),
            "local_ms": number(12),
            "local_us": number(15),
            "zoneless": number(15),
            "amount": shortest(number(rng.randrange(1, 31))),
            "price": maybe(number(12).to_bytes(6, "big", signed=True)),
            "id_text": str(uuid.UUID(int=rng.getrandbits(128))),
            "list": [maybe(number(18)) for _ in range(rng.randrange(0, 6))],
            "nested": [[text() for _ in range(rng.randrange(0, 3))] for _ in range(rng.randrange(3))],
            "map": maybe({text(): maybe(rng.random()) for _ in range(rng.randrange(0, 4))}),
            "pairs": [
                {"key": i, "value": maybe(rng.randbytes(3))} for i in range(rng.randrange(0, 4))
            ],
            "inner": maybe(inner()),
            "more": [maybe(inner()) for _ in range(rng.randrange(0, 3))],
            "with_x20space": number(3),
        }


def write_raw(schema, rows, codec="null", **options):
    """A file by fastavro, of numbers and bytes as given."""
    kept = dict(fastavro.write.LOGICAL_WRITERS)
    fastavro.write.LOGICAL_WRITERS.clear()
    try:
        out = io.BytesIO()
        fastavro.writer(out, fastavro.parse_schema(schema), rows, codec=codec, **options)
        return out.getvalue()
    finally:
        fastavro.write.LOGICAL_WRITERS.update(kept)


@pytest.mark.parametrize("codec", CODECS)
def test_every_type_in_many_blocks(avro_tool, read, tmp_path, codec):
    file = tmp_path / "in.avro"
    file.write_bytes(
        write_raw(EVERYTHING, everything(3000, seed=5), codec, sync_interval=4000)
    )
    theirs = Raw(io.BytesIO(file.read_bytes()))
    expected = theirs.expected()
    table = read(file)
    check(rows_of(table), expected)

    # And back through the writer, in blocks of its own.
    arrow, schema, out = tmp_path / "in.arrow", tmp_path / "schema.json", tmp_path / "out.avro"
    with pa.ipc.new_stream(arrow, table.schema) as stream:
        stream.write_table(table, max_chunksize=700)
    schema.write_text(theirs.metadata["avro.schema"])
    avro_tool("write", arrow, schema, codec, 5000, out)
    with out.open("rb") as opened:
        ours = Raw(opened)
    assert list(ours.metadata) == ["written-by", "avro.codec", "avro.schema"]
    assert ours.metadata["avro.schema"] == theirs.metadata["avro.schema"]
    check(ours.expected(), expected)


def test_values_with_their_logical_types(read, tmp_path):
    """The same through Python's own values: what fastavro calls a day is Arrow's day."""
    schema = {
        "type": "record",
        "name": "r",
        "fields": [
            {"name": "d", "type": {"type": "int", "logicalType": "date"}},
            {"name": "t", "type": {"type": "long", "logicalType": "time-micros"}},
            {"name": "at", "type": {"type": "long", "logicalType": "timestamp-micros"}},
            {"name": "local", "type": {"type": "long", "logicalType": "local-timestamp-millis"}},
            {
                "name": "n",
                "type": {"type": "bytes", "logicalType": "decimal", "precision": 7, "scale": 2},
            },
            {"name": "u", "type": {"type": "string", "logicalType": "uuid"}},
        ],
    }
    rows = [
        {
            "d": datetime.date(1969, 12, 31),
            "t": datetime.time(23, 59, 59, 999_999),
            "at": datetime.datetime(1960, 1, 2, 3, 4, 5, 6, tzinfo=datetime.timezone.utc),
            "local": datetime.datetime(2024, 2, 29, 1, 2, 3, 4000),
            "n": decimal.Decimal("-12345.67"),
            "u": uuid.UUID("12345678-1234-5678-1234-567812345678"),
        }
    ]
    file = tmp_path / "in.avro"
    with file.open("wb") as out:
        fastavro.writer(out, schema, rows)
    got = read(file).to_pylist()
    got[0]["u"] = uuid.UUID(got[0]["u"])
    assert got == rows


def test_unions_of_several_types(avro_tool, read, tmp_path):
    schema = {
        "type": "record",
        "name": "r",
        "fields": [
            {"name": "u", "type": ["string", "null", "int", {"type": "array", "items": "long"}]},
            {"name": "n", "type": ["int", "null", "long"]},
            {"name": "f", "type": ["float", "double"]},
            {"name": "only", "type": ["long"]},
        ],
    }
    rows = [
        {"u": "x", "n": 1, "f": 0.5, "only": 1},
        {"u": None, "n": None, "f": 0.25, "only": 2},
        {"u": 7, "n": 2**40, "f": 1e300, "only": 3},
        {"u": [1, 2], "n": -1, "f": 0.0, "only": 4},
    ]
    file, out = tmp_path / "in.avro", tmp_path / "out.avro"
    file.write_bytes(write_raw(schema, rows))
    none = {"member0": None, "member1": None, "member2": None}
    assert read(file).to_pylist() == [
        {"u": {**none, "member0": "x"}, "n": 1, "f": 0.5, "only": 1},
        {"u": None, "n": None, "f": 0.25, "only": 2},
        {"u": {**none, "member1": 7}, "n": 2**40, "f": 1e300, "only": 3},
        {"u": {**none, "member2": [1, 2]}, "n": -1, "f": 0.0, "only": 4},
    ]
    avro_tool("rewrite", file, "null", out)
    with out.open("rb") as opened:
        assert list(fastavro.reader(opened)) == rows


WRITER = {
    "type": "record",
    "name": "old",
    "fields": [
        {"name": "a", "type": "int"},
        {"name": "b", "type": ["null", "int"]},
        {"name": "c", "type": "float"},
        {"name": "s", "type": "string"},
        {"name": "skip", "type": {"type": "array", "items": {"type": "map", "values": "string"}}},
        {"name": "e", "type": {"type": "enum", "name": "e", "symbols": ["X", "Y", "Z"]}},
        {
            "name": "r",
            "type": {
                "type": "record",
                "name": "inner",
                "fields": [{"name": "x", "type": "int"}, {"name": "gone", "type": "bytes"}],
            },
        },
        {"name": "skip2", "type": ["null", "string", {"type": "array", "items": "double"}]},
        {"name": "l", "type": {"type": "array", "items": "int"}},
    ],
}
READER = {
    "type": "record",
    "name": "new",
    "aliases": ["old"],
    "fields": [
        {"name": "l", "type": {"type": "array", "items": "double"}},
        {"name": "renamed", "aliases": ["a"], "type": "long"},
        {"name": "b", "type": ["null", "double"]},
        {"name": "c", "type": ["double", "null"]},
        {"name": "s", "type": "bytes"},
        {
            "name": "e",
            "type": {"type": "enum", "name": "e", "symbols": ["Y", "X", "other"], "default": "other"},
        },
        {
            "name": "r",
            "type": {
                "type": "record",
                "name": "inner",
                "fields": [
                    {"name": "new", "type": "string", "default": "né"},
                    {"name": "x", "type": "float"},
                ],
            },
        },
        {"name": "fresh", "type": ["null", "int"], "default": None},
        {"name": "list", "type": {"type": "array", "items": "int"}, "default": [1, 2]},
        {"name": "map", "type": {"type": "map", "values": "long"}, "default": {"k": 5}},
    ],
}


def test_schema_resolution_as_fastavro_does_it(read, tmp_path):
    rng = random.Random(3)
    rows = [
        {
            "a": rng.randrange(-(2**31), 2**31),
            "b": rng.choice([None, 5, -7]),
            "c": 0.5 * i,
            "s": f"text {i}",
            "skip": [{"k": "v" * i}, {}],
            "e": rng.choice("XYZ"),
            "r": {"x": i, "gone": b"\0" * (i % 5)},
            "skip2": rng.choice([None, "t", [1.0, 2.0]]),
            "l": list(range(i % 4)),
        }
        for i in range(500)
    ]
    file, reader = tmp_path / "in.avro", tmp_path / "reader.json"
    file.write_bytes(write_raw(WRITER, rows, "deflate", sync_interval=2000))
    reader.write_text(json.dumps(READER))
    with file.open("rb") as opened:
        expected = list(fastavro.reader(opened, reader_schema=READER))
    got = read(file, reader).to_pylist()
    for row in got:
        row["map"] = dict(row["map"])
    assert got == expected


def test_what_cannot_be_resolved_says_why(read, tmp_path):
    file, reader = tmp_path / "in.avro", tmp_path / "reader.json"
    schema = {"type": "record", "name": "r", "fields": [
        {"name": "a", "type": ["null", "string"]}, {"name": "n", "type": "long"}]}
    file.write_bytes(write_raw(schema, [{"a": "x", "n": 1}]))

    def refused(*fields):
        reader.write_text(json.dumps({"type": "record", "name": "r", "fields": list(fields)}))
        with pytest.raises(RuntimeError) as refusal:
            read(file, reader)
        return str(refusal.value).replace(str(file), "FILE")

    assert refused({"name": "a", "type": ["null", "int"]}) == (
        "invalid: avro: FILE: field 'a': expected int, got string")
    assert refused({"name": "n", "type": "int"}) == (
        "invalid: avro: FILE: field 'n': expected int, got long")
    assert refused({"name": "x", "type": "int"}) == (
        "invalid: avro: FILE: field 'x': the file's record lacks it, and it has no default")
    # A union's branch is at fault only where a row has it.
    reader.write_text(json.dumps({"type": "record", "name": "r", "fields": [
        {"name": "a", "type": "string"}]}))
    assert read(file, reader).to_pylist() == [{"a": "x"}]
    file.write_bytes(write_raw(schema, [{"a": "x", "n": 1}, {"a": None, "n": 1}]))
    assert "field 'a': expected string, got null" in refused({"name": "a", "type": "string"})


def test_damage_is_named(read, tmp_path):
    file = tmp_path / "in.avro"
    schema = {"type": "record", "name": "r", "fields": [
        {"name": "id", "type": "long"}, {"name": "text", "type": "string"}]}
    whole = write_raw(schema, [{"id": i, "text": "t" * 20} for i in range(1000)],
                      sync_interval=1000)
    for cut in (3, 20, len(whole) - 1, len(whole) - 17, len(whole) // 2):
        file.write_bytes(whole[:cut])
        with pytest.raises(RuntimeError, match="^corrupt: avro: .*in.avro: "):
            read(file)
    broken = bytearray(whole)
    broken[-1] ^= 1
    file.write_bytes(broken)
    with pytest.raises(RuntimeError, match=r"block \d+ at \d+: the sync marker behind it, at \d+, "
                                           "is not the header's"):
        read(file)


def test_ingest_loads_avro(tarn, tmp_path):
    schema = {"type": "record", "name": "r", "fields": [
        {"name": "id", "type": "long"},
        {"name": "day", "type": {"type": "int", "logicalType": "date"}},
        {"name": "tags", "type": {"type": "array", "items": ["null", "string"]}},
        {"name": "inner", "type": ["null", {"type": "record", "name": "s", "fields": [
            {"name": "x", "type": "double"}]}]}]}
    for number in range(2):
        rows = [{"id": number * 10 + i, "day": 19_000 + i, "tags": ["a", None],
                 "inner": {"x": 0.5} if i else None} for i in range(3)]
        (tmp_path / f"{number}.avro").write_bytes(write_raw(schema, rows, "zstandard"))
    tarn.init()
    tarn.ingest(tmp_path / "*.avro", "--into", "t")
    got = tarn.table("SELECT id, day, tags, \"inner\".x AS x FROM t ORDER BY id")
    assert got.to_pylist() == [
        {"id": number * 10 + i, "day": datetime.date(1970, 1, 1) + datetime.timedelta(19_000 + i),
         "tags": ["a", None], "x": 0.5 if i else None}
        for number in range(2) for i in range(3)]
