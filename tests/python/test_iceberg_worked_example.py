"""One small table, overwritten twice, as PyIceberg and (tests/interop, where it is set up) Spark do
it: folders, one snapshot per write, entries, and the counters of the summaries, key by key."""

import decimal

import pyarrow as pa
import pytest

from iceberg_peers import by_pyiceberg, metadata, opened

ROWS = pa.table(
    {
        "id": pa.array([1, 2, 3, 4], pa.int64()),
        "order_id": pa.array([1, 1, 2, 3], pa.int64()),
        "product_id": pa.array([1, 2, 1, 3], pa.int64()),
        "product_price": pa.array([decimal.Decimal(x) for x in ("50.00", "100.50", "50.00", "0.99")], pa.decimal128(7, 2)),
        "product_quantity": pa.array([2, 1, 1, 1], pa.int32()),
        "product_name": pa.array(["table lamp", "skirt", "table lamp", "match"]),
    }
)
VALUES = """(1, 1, 1, 50.00, 2, 'table lamp'), (2, 1, 2, 100.50, 1, 'skirt'),
            (3, 2, 1, 50.00, 1, 'table lamp'), (4, 3, 3, 0.99, 1, 'match')"""


def theirs(folder):
    """PyIceberg's summaries of the two writes. It overwrites in two snapshots, a deletion and an
    append: what the first takes away and the second adds are the counters of one."""
    catalogs = pytest.importorskip("pyiceberg.catalog")
    transforms = pytest.importorskip("pyiceberg.transforms")
    folder.mkdir()
    catalog = catalogs.load_catalog("c", type="sql", uri=f"sqlite:///{folder}/c.db", warehouse=f"file://{folder}")
    catalog.create_namespace("ns")
    table = catalog.create_table("ns.t", schema=ROWS.schema)
    with table.update_spec() as update:
        update.add_field("id", transforms.IdentityTransform(), "id")
    writes = []
    for _ in range(2):
        known = {snapshot.snapshot_id for snapshot in table.metadata.snapshots}
        table.overwrite(ROWS)
        made = {}
        for snapshot in table.metadata.snapshots:
            if snapshot.snapshot_id not in known:
                made |= snapshot.summary.additional_properties
        writes.append(made)
    return writes


def counters(summary):
    """What does not depend on how well a writer compresses."""
    return {
        key: value
        for key, value in summary.items()
        if key.startswith(("added-", "deleted-", "removed-", "total-", "changed-")) and "size" not in key
    }


def test_overwritten_twice(tarn):
    table = tarn.folder / "orders"
    tarn.sql(
        f"CREATE TABLE '{table}' (id BIGINT, order_id BIGINT, product_id BIGINT, product_price DECIMAL(7,2),"
        " product_quantity INT, product_name STRING) USING iceberg PARTITIONED BY (id)"
    )
    for _ in range(2):
        tarn.sql(f"INSERT OVERWRITE '{table}' VALUES {VALUES}")
    assert by_pyiceberg(table).sort_by("id").to_pylist() == ROWS.to_pylist()
    assert sorted(path.name for path in (table / "data").iterdir()) == ["id=1", "id=2", "id=3", "id=4"]
    first, second = metadata(table)["snapshots"]
    assert second["parent-snapshot-id"] == first["snapshot-id"]
    ours = [counters(snapshot["summary"]) for snapshot in (first, second)]
    expected = [counters(summary) for summary in theirs(tarn.folder / "peer")]
    assert ours == expected
    entries = opened(table).inspect.entries().to_pylist()
    by_status = {status: [e for e in entries if e["status"] == status] for status in (0, 1, 2)}
    assert not by_status[0]
    assert sorted(e["data_file"]["partition"]["id"] for e in by_status[1]) == [1, 2, 3, 4]
    assert sorted(e["data_file"]["partition"]["id"] for e in by_status[2]) == [1, 2, 3, 4]
    assert all(e["snapshot_id"] == second["snapshot-id"] for e in entries)
