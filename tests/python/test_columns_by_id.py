"""Columns are known by their ids for life: dropped ones come back with their data, also inside structs."""

import pytest

from tarn_program import Failed

MODES = {"when-first-needed": "", "by-id": " TBLPROPERTIES ('delta.columnMapping.mode' = 'id')"}


def ids_of(tarn, table):
    """Every column's id by its path."""
    found = {}

    def visit(columns, prefix):
        for column in columns:
            found[prefix + column["name"]] = column["id"]
            visit(column.get("fields", []), f"{prefix}{column['name']}.")

    visit(tarn.json("table", "schema", table)["columns"], "")
    return found


@pytest.fixture(params=MODES)
def table(request, tarn):
    tarn.init()
    tarn.sql(f"CREATE TABLE t (id INT, s STRUCT<a: INT, b: STRING>, tag STRING){MODES[request.param]}")
    tarn.sql("INSERT INTO t VALUES (1, {'a': 10, 'b': 'x'}, 'one')")
    return "t"


class TestUndrop:
    def test_a_column_comes_back_under_its_id(self, tarn, table):
        before = ids_of(tarn, table)
        tarn.sql("ALTER TABLE t DROP COLUMN tag")
        assert "tag" not in ids_of(tarn, table)
        tarn.sql("INSERT INTO t VALUES (2, NULL)")
        tarn.sql("ALTER TABLE t UNDROP COLUMN tag")
        assert ids_of(tarn, table) == before
        assert tarn.sql("SELECT id, tag FROM t ORDER BY id") == [{"id": 1, "tag": "one"}, {"id": 2, "tag": None}]
        tarn.sql("UPDATE t SET tag = 'two' WHERE id = 2")
        assert tarn.column("SELECT tag FROM t ORDER BY id") == ["one", "two"]
        with pytest.raises(Failed) as refused:
            tarn.sql("ALTER TABLE t UNDROP COLUMN tag")
        assert refused.value.code == 1 and "'tag'" in refused.value.message

    def test_a_member_of_a_struct_too(self, tarn, table):
        before = ids_of(tarn, table)
        tarn.sql("ALTER TABLE t DROP COLUMN s.b")
        assert tarn.value("SELECT s FROM t") == {"a": 10}
        tarn.sql("ALTER TABLE t UNDROP COLUMN s.b")
        assert ids_of(tarn, table) == before
        assert tarn.value("SELECT s FROM t") == {"a": 10, "b": "x"}

    def test_a_whole_struct_too(self, tarn, table):
        before = ids_of(tarn, table)
        tarn.sql("ALTER TABLE t DROP COLUMN s")
        tarn.sql("ALTER TABLE t UNDROP COLUMN s")
        assert ids_of(tarn, table) == before
        assert tarn.value("SELECT s FROM t") == {"a": 10, "b": "x"}

    def test_beside_a_new_column_of_its_name(self, tarn, table):
        before = ids_of(tarn, table)
        tarn.sql("ALTER TABLE t DROP COLUMN tag")
        tarn.sql("ALTER TABLE t ADD COLUMN tag STRING")
        assert tarn.column("SELECT tag FROM t") == [None]
        assert ids_of(tarn, table)["tag"] > max(before.values())
        with pytest.raises(Failed) as refused:
            tarn.sql("ALTER TABLE t UNDROP COLUMN tag")
        assert "AS" in refused.value.message
        tarn.sql("ALTER TABLE t UNDROP COLUMN tag AS old_tag")
        assert ids_of(tarn, table)["old_tag"] == before["tag"]
        assert tarn.sql("SELECT tag, old_tag FROM t") == [{"tag": None, "old_tag": "one"}]


def test_the_first_drop_asks(tarn):
    tarn.init()
    tarn.sql("CREATE TABLE t (id INT, tag STRING)")
    tarn.sql("INSERT INTO t VALUES (1, 'one')")
    with pytest.raises(Failed) as refused:  # no terminal to ask at, and no --yes
        tarn.run("sql", "--lake", tarn.lake, "ALTER TABLE t DROP COLUMN tag")
    assert refused.value.code == 1
    assert "--yes" in refused.value.message and "delta-rs" in refused.value.message
    assert tarn.sql("SELECT * FROM t") == [{"id": 1, "tag": "one"}]
    assert len(tarn.json("table", "history", "t")["commits"]) == 2
