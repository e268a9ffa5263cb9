"""Iceberg tables of Tarn's in the hands of PyIceberg and of DuckDB's iceberg extension."""

import json
import pathlib

import pytest


def newest(table):
    hint = (table / "metadata" / "version-hint.text").read_text()
    return table / "metadata" / f"v{hint}.metadata.json"


def metadata(table):
    return json.loads(newest(table).read_text())


def opened(table):
    """The table, read only, as PyIceberg has it."""
    pyiceberg = pytest.importorskip("pyiceberg.table")
    return pyiceberg.StaticTable.from_metadata(f"file://{newest(table)}")


def by_pyiceberg(table, snapshot=None):
    return opened(table).scan(snapshot_id=snapshot).to_arrow()


def branch_by_pyiceberg(table, name):
    return opened(table).scan().use_ref(name).to_arrow()


def lake_catalog(lake, name="tarn", **properties):
    """The lake's own catalog as PyIceberg's SqlCatalog has it."""
    sql = pytest.importorskip("pyiceberg.catalog.sql")
    uri = f"sqlite:///{lake / '.tarn' / 'catalog.db'}"
    return sql.SqlCatalog(name, uri=uri, warehouse=f"file://{lake}", **properties)


def duckdb_with_iceberg():
    duckdb = pytest.importorskip("duckdb")
    avro = pytest.importorskip("duckdb_extension_avro")
    iceberg = pytest.importorskip("duckdb_extension_iceberg")
    connection = duckdb.connect()
    connection.execute("SET TimeZone = 'UTC'")
    for module, name in ((avro, "avro"), (iceberg, "iceberg")):
        (path,) = pathlib.Path(module.__file__).parent.glob(f"extensions/*/{name}.duckdb_extension")
        connection.execute(f"LOAD '{path}'")
    return connection
