"""What commits say of their lineage: every writing statement and load leaves it, and it is read back from the lake."""

import json

import pytest


def history(tarn, table):
    document = json.loads(tarn.run("table", "history", table, "--lake", tarn.lake, "--lineage", "--json"))
    return {commit["version"]: commit["lineage"] for commit in document["commits"]}


def steps(tarn, *arguments):
    document = json.loads(tarn.run("lineage", "--lake", tarn.lake, "--format", "json", "--table", *arguments))
    return [
        (step["depth"], f"{step['from']['dataset']}.{step['from']['column']}", step["kind"], step["to"]["column"])
        for step in document["steps"]
    ]


@pytest.fixture
def lake(tarn, tmp_path):
    tarn.init()
    (tmp_path / "in.jsonl").write_text(
        '{"userId": 1, "geo": {"lat": 1.5}, "mail": "a@b"}\n{"userId": 2, "geo": {"lat": -3}, "mail": "c@d"}\n'
    )
    (tmp_path / "load.yaml").write_text(
        f"source: {tmp_path / 'in.jsonl'}\n"
        "into: people\n"
        "transforms:\n"
        "  - flatten\n"
        "  - snake_case\n"
        "  - compute: {mail: md5(mail)}\n"
        "  - filter: user_id < 100\n"
    )
    tarn.ingest(tmp_path / "load.yaml")
    return tarn


def test_a_load_and_what_is_made_of_it(lake, tmp_path):
    source = f"path:{tmp_path / 'in.jsonl'}"
    lake.run("sql", "--lake", lake.lake, "CREATE TABLE north AS SELECT user_id, geo_lat FROM people WHERE geo_lat > 0")
    assert steps(lake, "north", "--column", "geo_lat") == [
        (0, "default.people.geo_lat", "IDENTITY", "geo_lat"),
        (1, f"{source}.geo.lat", "IDENTITY", "geo_lat"),
        (1, f"{source}.userId", "FILTER", None),
        (0, "default.people.geo_lat", "FILTER", None),
    ]
    assert steps(lake, "people", "--column", "mail") == [
        (0, f"{source}.mail", "TRANSFORMATION+MASKING", "mail"),
        (0, f"{source}.userId", "FILTER", None),
    ]
    assert steps(lake, "people", "--column", "user_id", "--down") == [
        (0, "default.people.user_id", "IDENTITY", "user_id")
    ]


@pytest.mark.parametrize("format", ["delta", "iceberg"])
def test_every_writing_statement_tells(lake, format):
    def sql(text):
        lake.run("sql", "--lake", lake.lake, text)

    target = "north"
    if format == "iceberg":
        target = f"'{lake.folder}/ice'"
    sql(f"CREATE TABLE {target} USING {format} AS SELECT user_id, geo_lat FROM people")
    sql(f"INSERT INTO {target} SELECT user_id, geo_lat * 2 FROM people")
    sql(f"INSERT OVERWRITE {target} SELECT user_id + 1, geo_lat FROM people VERSION AS OF 0")
    sql(f"UPDATE {target} SET geo_lat = user_id WHERE user_id > 2")
    sql(f"DELETE FROM {target} WHERE geo_lat > 2")
    told = list(history(lake, target.strip("'")).values())[::-1]
    kinds = [sorted(one["flows"]) for one in told if one]
    assert kinds == [
        ["IDENTITY"],
        ["IDENTITY", "TRANSFORMATION"],
        ["IDENTITY", "TRANSFORMATION"],
        ["FILTER", "IDENTITY"],
        ["FILTER"],
    ]
    assert [one.get("replaces", False) for one in told if one] == [True, False, True, False, False]
    assert [len(one["hash"]) for one in told if one] == [16] * 5


def test_equal_work_has_an_equal_hash(lake):
    lake.run("sql", "--lake", lake.lake, "CREATE TABLE ids (id BIGINT)")
    for text in ("SELECT user_id FROM people", "SELECT user_id FROM people", "SELECT user_id + 1 FROM people"):
        lake.run("sql", "--lake", lake.lake, f"INSERT INTO ids {text}")
    told = history(lake, "ids")
    assert told[1]["hash"] == told[2]["hash"] != told[3]["hash"]


def test_a_lineage_too_long_is_absent(lake):
    columns = ", ".join(f"user_id + {number} AS {'c' * 100}{number}" for number in range(400))
    lake.run("sql", "--lake", lake.lake, f"CREATE TABLE wide AS SELECT {columns} FROM people")
    assert history(lake, "wide") == {0: None}
    lake.run("lineage", "--lake", lake.lake, "--table", "wide")
    assert "version 0" in lake.messages


def test_text_for_people(lake):
    lake.run("sql", "--lake", lake.lake, "CREATE TABLE north AS SELECT user_id FROM people")
    text = lake.run("lineage", "--lake", lake.lake, "--table", "north")
    assert text.splitlines()[:2] == ["default.north, version 0", "user_id"]
    assert "  ← default.people.user_id  IDENTITY  create table as select, version 0, " in text
    text = lake.run("table", "history", "north", "--lake", lake.lake, "--lineage")
    assert "    user_id ← default.people.user_id (IDENTITY)\n" in text
    assert "flowchart" in lake.run("lineage", "--lake", lake.lake, "--table", "north", "--format", "mermaid")
