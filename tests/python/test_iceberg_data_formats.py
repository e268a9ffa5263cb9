"""Iceberg tables whose data files are Avro or ORC (write.format.default): every way of changing rows, each
file read by another library, and tables of several formats at once."""

import datetime
import pathlib

import pytest

from iceberg_peers import by_pyiceberg, opened
from tarn_program import Failed

ROWS = """
    SELECT i::BIGINT AS id, CASE WHEN i % 5 = 0 THEN NULL ELSE 's' || i END AS s, (i * 1.25)::DECIMAL(9,2) AS d,
           [i::INT, NULL] AS l, {{'x': i::INT, 'y': 'y' || i}} AS st, TIMESTAMP '2026-01-01' + INTERVAL (i) HOUR AS ts
    FROM range({0}, {1}) AS r(i)
"""


def expected(numbers, changed=()):
    """What ROWS gives, in Python."""
    start = datetime.datetime(2026, 1, 1)
    return [
        {
            "id": i,
            "s": "new" if i in changed else None if i % 5 == 0 else f"s{i}",
            "d": i * 1.25,
            "l": [i, None],
            "st": {"x": i, "y": f"y{i}"},
            "ts": start + datetime.timedelta(hours=i),
        }
        for i in numbers
    ]


def rows_of(arrow):
    found = [{**row, "d": float(row["d"]), "ts": row["ts"].replace(tzinfo=None)} for row in arrow.to_pylist()]
    return sorted(found, key=lambda row: row["id"])


def create(tarn, name, form, version=2, more=""):
    table = tarn.folder / name
    tarn.sql(
        f"CREATE TABLE '{table}' (id BIGINT, s VARCHAR, d DECIMAL(9,2), l INTEGER[], st STRUCT(x INTEGER, y VARCHAR), "
        f"ts TIMESTAMP) USING iceberg PARTITIONED BY (days(ts)) TBLPROPERTIES ('format-version' = '{version}', "
        f"'write.format.default' = '{form}'{more})"
    )
    return table


@pytest.mark.parametrize("form", ["avro", "orc"])
@pytest.mark.parametrize("version, mode", [(1, "copy-on-write"), (2, "copy-on-write"), (2, "merge-on-read"),
                                           (3, "merge-on-read")])
def test_every_change(tarn, form, version, mode):
    table = create(tarn, "t", form, version, f", 'write.delete.mode' = '{mode}'")
    tarn.sql(f"INSERT INTO '{table}' {ROWS.format(0, 100)}")
    tarn.sql(f"DELETE FROM '{table}' WHERE id % 7 = 3")
    tarn.sql(f"UPDATE '{table}' SET s = 'new' WHERE id IN (5, 50)")
    want = expected([i for i in range(100) if i % 7 != 3], changed={5, 50})
    assert rows_of(tarn.table(f"SELECT * FROM '{table}'")) == want
    formats = tarn.table(f"SELECT DISTINCT file_format FROM '{table}'.files WHERE content = 0").to_pylist()
    assert formats == [{"file_format": form.upper()}]
    tarn.sql(f"INSERT OVERWRITE '{table}' {ROWS.format(0, 9)}")
    assert rows_of(tarn.table(f"SELECT * FROM '{table}'")) == expected(range(9))
    assert {file.suffix for file in (table / "data").rglob("*.*") if "delete" not in file.name} <= {
        f".{form}", ".parquet", ".puffin"}


def test_files_are_what_other_libraries_read(tarn):
    fastavro = pytest.importorskip("fastavro")
    from pyarrow import orc

    for form in ("avro", "orc"):
        table = create(tarn, form, form)
        tarn.sql(f"INSERT INTO '{table}' {ROWS.format(0, 30)}")
        found = []
        for file in sorted((table / "data").rglob(f"*.{form}")):
            if form == "orc":
                found += orc.read_table(file).to_pylist()
                continue
            with file.open("rb") as stream:
                reader = fastavro.reader(stream)
                assert [f["field-id"] for f in reader.writer_schema["fields"]] == [1, 2, 3, 4, 5, 6]
                found += list(reader)
        found = [{**row, "d": float(row["d"]), "ts": row["ts"].replace(tzinfo=None)} for row in found]
        assert sorted(found, key=lambda row: row["id"]) == expected(range(30))


@pytest.mark.parametrize("form", ["orc"])
def test_pyiceberg_reads(tarn, form):
    table = create(tarn, "t", form)
    tarn.sql(f"INSERT INTO '{table}' {ROWS.format(0, 50)}")
    tarn.sql(f"DELETE FROM '{table}' WHERE id = 7")
    assert rows_of(by_pyiceberg(table)) == expected(i for i in range(50) if i != 7)


def rows_in(file):
    """Of one data file, by a library that is not Tarn."""
    if file.suffix == ".avro":
        with file.open("rb") as stream:
            return list(pytest.importorskip("fastavro").reader(stream))
    from pyarrow import orc, parquet

    return (orc if file.suffix == ".orc" else parquet).read_table(file).to_pylist()


@pytest.mark.parametrize("form", ["avro", "orc", "parquet"])
def test_counts_and_bounds(tarn, form):
    """What the entry of each file says, as PyIceberg decodes it, against the rows in the file."""
    table = create(tarn, "t", form)
    tarn.sql(f"INSERT INTO '{table}' {ROWS.format(0, 100)}")
    conversions = pytest.importorskip("pyiceberg.conversions")
    schema = opened(table).schema()
    entries = opened(table).inspect.files().to_pylist()
    assert len(entries) == 5  # days
    for entry in entries:
        rows = rows_in(pathlib.Path(entry["file_path"].removeprefix("file://")))
        assert entry["record_count"] == len(rows) > 3
        said = {key: dict(entry[key]) for key in ("value_counts", "null_value_counts", "lower_bounds", "upper_bounds")}
        values = {name: [row[name] for row in rows] for name in ("id", "s", "d", "ts")}
        values["st.x"] = [row["st"]["x"] for row in rows]
        for name, column in values.items():
            field = schema.find_field(name)
            there = [value for value in column if value is not None]
            assert said["value_counts"][field.field_id] == len(column), name
            assert said["null_value_counts"][field.field_id] == len(column) - len(there), name
            lower, upper = (
                conversions.from_bytes(field.field_type, said[key][field.field_id])
                for key in ("lower_bounds", "upper_bounds")
            )
            if name == "ts":  # microseconds
                there = [round(value.replace(tzinfo=datetime.timezone.utc).timestamp()) * 1_000_000 for value in there]
            assert (lower, upper) == (min(there), max(there)), name
        assert schema.find_field("l.element").field_id not in said["lower_bounds"]


def test_formats_mix(tarn):
    table = create(tarn, "t", "avro")
    tarn.sql(f"INSERT INTO '{table}' {ROWS.format(0, 10)}")
    tarn.sql(f"ALTER TABLE '{table}' SET TBLPROPERTIES ('write.format.default' = 'orc')")
    tarn.sql(f"INSERT INTO '{table}' {ROWS.format(10, 20)}")
    tarn.sql(f"ALTER TABLE '{table}' SET TBLPROPERTIES ('write.format.default' = 'parquet')")
    tarn.sql(f"INSERT INTO '{table}' {ROWS.format(20, 24)}")
    # Rows of all three files, in one statement: what is left is written as Parquet.
    tarn.sql(f"DELETE FROM '{table}' WHERE id IN (1, 11, 21)")
    assert rows_of(tarn.table(f"SELECT * FROM '{table}'")) == expected(
        i for i in range(24) if i not in (1, 11, 21))
    tarn.sql(f"UPDATE '{table}' SET s = 'new' WHERE id IN (2, 12, 22)")
    assert rows_of(tarn.table(f"SELECT * FROM '{table}'")) == expected(
        [i for i in range(24) if i not in (1, 11, 21)], changed={2, 12, 22})


def test_what_is_not_written_is_refused_by_name(tarn):
    with pytest.raises(Failed, match="parquet, avro or orc"):
        create(tarn, "t", "csv")
    with pytest.raises(Failed, match="'write.avro.compression-codec' is 'lz4'; Tarn writes gzip"):
        create(tarn, "t", "avro", more=", 'write.avro.compression-codec' = 'lz4'")
    assert not (tarn.folder / "t").exists()
