"""Iceberg tables of Tarn's in the hands of PyIceberg."""

import json

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
