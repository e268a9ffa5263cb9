"""Change data that Tarn writes (cdc actions and files below _change_data) is what its peers read, and what
`t.changes` says; and the other way about."""

import pyarrow as pa
import pytest

STATEMENTS = [
    "INSERT INTO {t} VALUES (1, 'a', 'x'), (2, NULL, 'x'), (3, 'c', 'y'), (4, 'd', NULL)",
    "UPDATE {t} SET s = upper(s) || id, day = 'z' WHERE id IN (1, 2)",  # rows of one file, into another partition
    "UPDATE {t} SET day = 'w' WHERE day = 'y'",  # a whole file
    "UPDATE {t} SET s = 'nobody' WHERE id = 99",  # no commit
    "DELETE FROM {t} WHERE id = 1",  # a row of a file
    "DELETE FROM {t} WHERE day IS NULL",  # a whole file: no change data
]

# version, change, row
CHANGES = sorted(
    [
        (1, "insert", 1, "a", "x"),
        (1, "insert", 2, None, "x"),
        (1, "insert", 3, "c", "y"),
        (1, "insert", 4, "d", None),
        (2, "update_preimage", 1, "a", "x"),
        (2, "update_preimage", 2, None, "x"),
        (2, "update_postimage", 1, "A1", "z"),
        (2, "update_postimage", 2, None, "z"),
        (3, "update_preimage", 3, "c", "y"),
        (3, "update_postimage", 3, "c", "w"),
        (4, "delete", 1, "A1", "z"),
        (5, "delete", 4, "d", None),
    ],
    key=repr,
)

KINDS = {
    "plain": "",
    "by-id": ", 'delta.columnMapping.mode' = 'id'",
    "deletion-vectors": ", 'delta.enableDeletionVectors' = 'true'",
    "lists": ", 'delta.enableInCommitTimestamps' = 'true'",
}


def changes_in(rows):
    names = ["_commit_version", "_change_type", "id", "s", "day"]
    return sorted((tuple(row[name] for name in names) for row in rows), key=repr)


@pytest.fixture(params=KINDS)
def kind(request):
    return request.param


@pytest.fixture
def table(kind, tarn):
    tarn.init()
    tarn.sql(
        "CREATE TABLE t (id INT, s STRING, day STRING) PARTITIONED BY (day) "
        f"TBLPROPERTIES ('delta.enableChangeDataFeed' = 'true'{KINDS[kind]})"
    )
    for statement in STATEMENTS:
        tarn.sql(statement.format(t="t"))
    return tarn.lake / "default" / "t"


def test_changes_of_tarn(tarn, table):
    assert changes_in(tarn.table("SELECT * FROM t.changes(1, 5)").to_pylist()) == CHANGES


def test_delta_rs_reads_them(tarn, table, kind, delta_rs):
    import deltalake

    theirs = deltalake.DeltaTable(str(table))
    if kind == "by-id":
        with pytest.raises(Exception, match="Column mapping is not supported"):
            theirs.load_cdf(starting_version=1)
        return
    assert changes_in(pa.table(theirs.load_cdf(starting_version=1)).to_pylist()) == CHANGES


def test_spark_reads_them(tarn, table, spark):
    rows = spark.read(table, readChangeFeed="true", startingVersion="1")
    assert changes_in(rows.to_pylist()) == CHANGES
    assert sorted(row["id"] for row in spark.read(table).to_pylist()) == [2, 3]


def test_changes_of_spark(tarn, spark, tmp_path):
    table = tmp_path / "theirs"
    spark.sql(
        f"CREATE TABLE delta.`{table}` (id INT, s STRING, day STRING) USING delta PARTITIONED BY (day) "
        "TBLPROPERTIES ('delta.enableChangeDataFeed' = 'true')"
    )
    for statement in STATEMENTS:
        if "nobody" not in statement:
            spark.sql(statement.format(t=f"delta.`{table}`"))
    tarn.init()
    assert changes_in(tarn.table(f"SELECT * FROM '{table}'.changes(1, 5)").to_pylist()) == CHANGES
