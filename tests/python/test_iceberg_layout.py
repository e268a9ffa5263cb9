"""How Iceberg tables lay out what is written from now on: partition evolution and sort orders. What is
in the files is read by pyarrow, the metadata and the rows by PyIceberg."""

import random

import pyarrow.parquet as pq
import pytest

from compare_tables import difference
from iceberg_peers import by_pyiceberg, metadata, opened
from tarn_program import Failed


@pytest.fixture(params=[1, 2, 3])
def version(request):
    return request.param


@pytest.fixture
def table(tarn, version):
    folder = tarn.folder / "t"
    tarn.sql(
        f"CREATE TABLE '{folder}' (id BIGINT, ts TIMESTAMP, name STRING) USING iceberg PARTITIONED BY (name) "
        f"TBLPROPERTIES ('format-version' = '{version}')"
    )
    tarn.sql(f"INSERT INTO '{folder}' VALUES (1, TIMESTAMP '2026-01-31 23:59:59', 'a'), (2, TIMESTAMP '1969-12-31 01:00:00', 'b'), (3, NULL, NULL)")
    return folder


def specs(table):
    """Spec id → [(name, transform, field id)]"""
    return {
        spec["spec-id"]: [(field["name"], field["transform"], field["field-id"]) for field in spec["fields"]]
        for spec in metadata(table)["partition-specs"]
    }


def default_spec(table):
    return specs(table)[metadata(table)["default-spec-id"]]


def agree(tarn, table):
    ours = tarn.table(f"SELECT * FROM '{table}'")
    problem = difference(ours, by_pyiceberg(table))
    assert problem is None, problem
    return sorted(ours.column("id").to_pylist())


def files(table):
    """Live data files as manifests tell of them."""
    return opened(table).inspect.files().to_pylist()


def rows_of(file):
    return pq.read_table(file["file_path"].removeprefix("file://")).to_pylist()


# --- partition evolution -------------------------------------------------------------------------


def test_fields_come_and_go(tarn, table, version):
    tarn.sql(f"ALTER TABLE '{table}' ADD PARTITION FIELD bucket(4, id)")
    assert default_spec(table) == [("name", "identity", 1000), ("id_bucket_4", "bucket[4]", 1001)]
    tarn.sql(f"INSERT INTO '{table}' VALUES (4, TIMESTAMP '2026-02-01 00:00:00', 'a')")
    tarn.sql(f"ALTER TABLE '{table}' REPLACE PARTITION FIELD name WITH months(ts) AS month")
    void = [("name", "void", 1000)] if version == 1 else []
    fields = default_spec(table)
    assert [field for field in fields if field[1] == "void"] == void
    assert sorted(field for field in fields if field[1] != "void") == [
        ("id_bucket_4", "bucket[4]", 1001), ("month", "month", 1002)]
    tarn.sql(f"INSERT INTO '{table}' VALUES (5, TIMESTAMP '2026-02-28 00:00:00', 'b')")
    assert len(specs(table)) == 3
    assert agree(tarn, table) == [1, 2, 3, 4, 5]
    # Old files are found and pruned by their own spec, new ones by theirs.
    assert tarn.column(f"SELECT id FROM '{table}' WHERE name = 'a' ORDER BY id") == [1, 4]
    assert tarn.column(f"SELECT id FROM '{table}' WHERE ts >= TIMESTAMP '2026-02-01 00:00:00' ORDER BY id") == [4, 5]
    tarn.sql(f"DELETE FROM '{table}' WHERE name = 'a' AND id = 1")
    tarn.sql(f"UPDATE '{table}' SET name = 'c' WHERE id IN (2, 5)")
    assert agree(tarn, table) == [2, 3, 4, 5]
    assert tarn.column(f"SELECT name FROM '{table}' WHERE id IN (2, 5)") == ["c", "c"]


def test_a_field_that_comes_back_has_its_id(tarn, table, version):
    tarn.sql(f"ALTER TABLE '{table}' DROP PARTITION FIELD name")
    tarn.sql(f"INSERT INTO '{table}' VALUES (4, NULL, 'a')")
    tarn.sql(f"ALTER TABLE '{table}' ADD PARTITION FIELD name")
    tarn.sql(f"INSERT INTO '{table}' VALUES (5, NULL, 'a')")
    assert agree(tarn, table) == [1, 2, 3, 4, 5]
    if version == 1:
        assert default_spec(table) == [("name_1000", "void", 1000), ("name", "identity", 1001)]
    else:
        assert metadata(table)["default-spec-id"] == 0
        assert default_spec(table) == [("name", "identity", 1000)]


def test_a_field_that_went_partitions_nothing(tarn, table, version):
    tarn.sql(f"ALTER TABLE '{table}' DROP PARTITION FIELD name")
    with pytest.raises(Failed, match="no partition column"):
        tarn.sql(f"INSERT OVERWRITE '{table}' PARTITION (name) SELECT 9, NULL, 'a'")
    assert agree(tarn, table) == [1, 2, 3]


def test_old_files_are_packed_under_the_new_spec(tarn, table):
    tarn.sql(f"ALTER TABLE '{table}' REPLACE PARTITION FIELD name WITH id")
    tarn.sql(f"INSERT INTO '{table}' VALUES (4, NULL, 'd')")
    overwrite = f"INSERT OVERWRITE '{table}' PARTITION (id) SELECT NULL, 'new', id FROM (VALUES (1), (6)) v(id)"
    # A file of the old spec may hold rows of the partition among others.
    with pytest.raises(Failed, match="another partitioning"):
        tarn.sql(overwrite)
    tarn.sql(f"CALL system.rewrite_data_files(table => '{table}')")
    assert {file["spec_id"] for file in files(table)} == {metadata(table)["default-spec-id"]}
    assert agree(tarn, table) == [1, 2, 3, 4]
    tarn.sql(overwrite)
    assert agree(tarn, table) == [1, 2, 3, 4, 6]
    assert sorted(tarn.column(f"SELECT id FROM '{table}' WHERE name = 'new'")) == [1, 6]


def test_what_people_see_of_it(tarn, table):
    tarn.sql(f"ALTER TABLE '{table}' REPLACE PARTITION FIELD name WITH bucket(8, id) AS shard")
    tarn.sql(f"INSERT INTO '{table}' VALUES (4, NULL, 'a')")
    shown = tarn.json("table", "show", table)
    assert shown["partition_columns"][-1]["name"] == "shard"
    partitions = [tuple(one["partition"].items()) for one in shown["partitions"]]
    assert (("name", "a"),) in partitions and (("name", None),) in partitions
    assert any(dict(one).get("shard") is not None for one in partitions)
    assert "bucket(8, id)" in tarn.run("table", "show", table)
    assert "PARTITIONED BY (bucket(8, id))" in tarn.value(f"SHOW CREATE TABLE '{table}'")
    assert sum(row["record_count"] for row in tarn.sql(f"SELECT * FROM '{table}'.partitions")) == 4


@pytest.mark.parametrize("change, message", [
    ("ADD PARTITION FIELD name", "partitioned so already"),
    ("ADD PARTITION FIELD nam", "did you mean 'name'"),
    ("ADD PARTITION FIELD days(id)", "day does not apply to"),
    ("ADD PARTITION FIELD bucket(4, id) AS ts", "a column is called 'ts'"),
    ("ADD PARTITION FIELD bucket(4, id) AS name", "is called 'name'"),
    ("DROP PARTITION FIELD shard", "no such partition field"),
    ("REPLACE PARTITION FIELD days(ts) WITH hours(ts)", "no such partition field"),
    ("DROP COLUMN name", "partitions"),
])
def test_what_cannot_be(tarn, table, change, message):
    before = metadata(table)
    with pytest.raises(Failed, match=message):
        tarn.sql(f"ALTER TABLE '{table}' {change}")
    assert metadata(table) == before


def test_a_column_of_an_old_spec_stays(tarn, table):
    tarn.sql(f"ALTER TABLE '{table}' DROP PARTITION FIELD name")
    with pytest.raises(Failed, match="partition"):
        tarn.sql(f"ALTER TABLE '{table}' DROP COLUMN name")


def test_delta_keeps_its_partitioning(tarn):
    tarn.sql(f"CREATE TABLE '{tarn.folder / 'd'}' (id BIGINT, p STRING) PARTITIONED BY (p)")
    with pytest.raises(Failed, match="keeps the partitioning"):
        tarn.sql(f"ALTER TABLE '{tarn.folder / 'd'}' DROP PARTITION FIELD p")


# --- sort orders ---------------------------------------------------------------------------------


@pytest.fixture(params=["parquet", "avro", "orc"])
def file_format(request):
    return request.param


def sort_order(table):
    document = metadata(table)
    (order,) = [one for one in document["sort-orders"] if one["order-id"] == document["default-sort-order-id"]]
    return [(f["transform"], f["source-id"], f["direction"], f["null-order"]) for f in order["fields"]]


def expect_sorted(table, key):
    """Every file that names the default order is in it; returns how many do."""
    (order_id,) = {metadata(table)["default-sort-order-id"]}
    assert order_id > 0
    found = 0
    for file in files(table):
        if file["sort_order_id"] != order_id:
            continue
        rows = rows_of(file)
        assert rows == sorted(rows, key=key)
        found += 1
    return found


def test_rows_are_written_in_order(tarn, table):
    tarn.sql(f"ALTER TABLE '{table}' WRITE ORDERED BY ts DESC, id")
    assert sort_order(table) == [("identity", 2, "desc", "nulls-last"), ("identity", 1, "asc", "nulls-first")]
    assert metadata(table)["properties"]["write.distribution-mode"] == "range"
    random.seed(1)
    days = [None if i % 17 == 0 else f"TIMESTAMP '2026-01-{1 + random.randrange(28):02} 00:00:00'" for i in range(500)]
    tarn.sql(f"INSERT INTO '{table}' VALUES " + ", ".join(
        f"({1000 + random.randrange(500)}, {day or 'NULL'}, '{'ab'[i % 2]}')" for i, day in enumerate(days)))

    def key(row):
        ts = row["ts"]
        return (ts is None, -ts.timestamp() if ts else 0, row["id"])

    assert expect_sorted(table, key) == 2
    # What moves is ordered again.
    tarn.sql(f"UPDATE '{table}' SET ts = TIMESTAMP '2027-01-01 00:00:00' WHERE id % 7 = 0")
    tarn.sql(f"DELETE FROM '{table}' WHERE id % 11 = 0")
    assert expect_sorted(table, key) >= 2
    agree(tarn, table)


def test_the_order_may_change_and_go(tarn, table):
    ids = lambda: (metadata(table)["default-sort-order-id"], len(metadata(table)["sort-orders"]))
    assert ids() == (0, 1)
    tarn.sql(f"ALTER TABLE '{table}' WRITE ORDERED BY id")
    assert ids() == (1, 2)
    tarn.sql(f"ALTER TABLE '{table}' WRITE LOCALLY ORDERED BY bucket(4, id), name DESC NULLS FIRST")
    assert ids() == (2, 3)
    assert sort_order(table) == [("bucket[4]", 1, "asc", "nulls-first"), ("identity", 3, "desc", "nulls-first")]
    tarn.sql(f"INSERT INTO '{table}' VALUES (9, NULL, 'z'), (8, NULL, 'z')")
    assert {file["sort_order_id"] for file in files(table)} == {None, 2}
    tarn.sql(f"ALTER TABLE '{table}' WRITE ORDERED BY id")
    assert ids() == (1, 3)
    assert "id ASC NULLS FIRST" in tarn.run("table", "show", table)
    assert tarn.json("table", "show", table)["sort_order"] == "id ASC NULLS FIRST"
    tarn.sql(f"ALTER TABLE '{table}' WRITE UNORDERED")
    assert ids() == (0, 3)
    assert metadata(table)["properties"]["write.distribution-mode"] == "none"
    tarn.sql(f"INSERT INTO '{table}' VALUES (7, NULL, 'z')")
    assert agree(tarn, table) == [1, 2, 3, 7, 8, 9]
    # The entries of files that were there are carried on with their order.
    tarn.sql(f"CALL system.rewrite_manifests(table => '{table}')")
    assert sorted((file["sort_order_id"] or 0) for file in files(table)) == [0, 0, 0, 0, 2]


def test_files_of_every_format(tarn, file_format):
    table = tarn.folder / "f"
    tarn.sql(f"CREATE TABLE '{table}' (id BIGINT, s STRING) USING iceberg TBLPROPERTIES ('write.format.default' = '{file_format}')")
    tarn.sql(f"ALTER TABLE '{table}' WRITE ORDERED BY s DESC, id")
    tarn.sql(f"INSERT INTO '{table}' SELECT range * 7919 % 1000, 's' || (range % 13) FROM range(1000)")
    (file,) = opened(table).inspect.files().to_pylist()
    assert file["sort_order_id"] == 1
    rows = tarn.sql(f"SELECT s, id FROM '{table}'")  # one file, read in its order
    assert rows == sorted(rows, key=lambda row: ([-ord(c) for c in row["s"]] + [0], row["id"]))


def test_packing_sorts(tarn, table):
    for i in (5, 4):
        tarn.sql(f"INSERT INTO '{table}' VALUES ({i}, NULL, 'a')")
    with pytest.raises(Failed, match="no sort order"):
        tarn.sql(f"CALL system.rewrite_data_files(table => '{table}', strategy => 'sort')")
    with pytest.raises(Failed, match="sort_order"):
        tarn.sql(f"CALL system.rewrite_data_files(table => '{table}', sort_order => 'nam')")
    tarn.sql(f"CALL system.rewrite_data_files(table => '{table}', strategy => 'sort', "
             "sort_order => 'id DESC', rewrite_all => true)")
    (packed,) = [file for file in files(table) if file["record_count"] == 3]
    assert [row["id"] for row in rows_of(packed)] == [5, 4, 1]
    assert packed["sort_order_id"] is None  # an order that the table does not have
    tarn.sql(f"ALTER TABLE '{table}' WRITE ORDERED BY id")
    tarn.sql(f"CALL system.rewrite_data_files(table => '{table}', strategy => 'sort', rewrite_all => true)")
    assert {file["sort_order_id"] for file in files(table)} == {1}
    assert agree(tarn, table) == [1, 2, 3, 4, 5]


def test_an_order_that_cannot_be(tarn, table):
    for clause, message in [("ORDERED BY nope", "no column"), ("ORDERED BY days(id)", "does not apply")]:
        with pytest.raises(Failed, match=message):
            tarn.sql(f"ALTER TABLE '{table}' WRITE {clause}")
    tarn.sql(f"ALTER TABLE '{table}' WRITE ORDERED BY ts")
    with pytest.raises(Failed, match="ordered by 'ts'"):
        tarn.sql(f"ALTER TABLE '{table}' DROP COLUMN ts")
    tarn.sql(f"CREATE TABLE '{tarn.folder / 'd'}' (id BIGINT)")
    with pytest.raises(Failed, match="keeps no order"):
        tarn.sql(f"ALTER TABLE '{tarn.folder / 'd'}' WRITE ORDERED BY id")


def test_an_order_by_pyiceberg(tarn):
    """PyIceberg makes a table with an order; Tarn follows it, and leaves one that it does not know."""
    from iceberg_peers import lake_catalog
    from pyiceberg.schema import Schema
    from pyiceberg.table.sorting import NullOrder, SortDirection, SortField, SortOrder
    from pyiceberg.transforms import BucketTransform, IdentityTransform
    from pyiceberg.types import LongType, NestedField, StringType

    tarn.init()
    catalog = lake_catalog(tarn.lake)
    catalog.create_namespace_if_not_exists("ns")
    schema = Schema(NestedField(1, "id", LongType(), required=False), NestedField(2, "s", StringType(), required=False))
    catalog.create_table("ns.t", schema, sort_order=SortOrder(
        SortField(2, transform=IdentityTransform(), direction=SortDirection.DESC, null_order=NullOrder.NULLS_LAST),
        SortField(1, transform=BucketTransform(4), direction=SortDirection.ASC, null_order=NullOrder.NULLS_FIRST)))
    tarn.sql("INSERT INTO ns.t VALUES (1, 'a'), (2, 'c'), (3, NULL), (4, 'b')")
    (file,) = catalog.load_table("ns.t").inspect.files().to_pylist()
    assert file["sort_order_id"] == 1
    assert [row["s"] for row in rows_of(file)] == ["c", "b", "a", None]
