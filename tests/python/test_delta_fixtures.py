"""Every Delta table that another engine wrote is read as its owner says: rows, values, columns,
earlier versions; what must be refused is refused with a cause."""

import json
import os
import pathlib
import shutil
import urllib.parse

import pyarrow.parquet as pq
import pytest

from compare_tables import difference
from shared_material import shared_folder
from tarn_program import Failed

# Cases in which a stated expectation and the specification disagree: in which columns, or how many
# files are active, and the section that decides. The count is printed.
DISAGREEMENTS = json.loads((pathlib.Path(__file__).parent / "delta_disagreements.json").read_text())


def cases(kind):
    folder = shared_folder()
    if folder is None:
        return []
    found = []
    for path in sorted((folder / "fixtures" / "delta").glob("*/case.json")):
        case = json.loads(path.read_text())
        if case["kind"] == kind:
            found.append(pytest.param(path.parent, case, id=case["name"]))
    return found


# A log that never states a metaData action at all; the other logs "without a usable metaData" have one
# without a schema, which means no columns.
NO_METADATA = {"golden-data-reader-absolute-paths-escaped-chars"}

PLACEHOLDER = "{{FOLDER_WITH_SPECIAL_CHAR}}"


def table_of(folder, case, tmp_path):
    """The table's folder; copied first where its owner fills in a placeholder."""
    table = folder / case["table"]
    logs = [log for log in table.glob("_delta_log/*.json") if PLACEHOLDER.encode() in log.read_bytes()]
    if not logs:
        return table
    copy = tmp_path / "table with special"
    shutil.copytree(table, copy)
    os.chmod(copy, 0o755)
    for log in logs:
        target = copy / log.relative_to(table)
        os.chmod(target.parent, 0o755)
        os.chmod(target, 0o644)
        special = urllib.parse.quote(f"{copy}/folder&with%special char")
        target.write_text(target.read_text().replace(PLACEHOLDER, special))
    return copy


def read(tarn, table, more=""):
    quoted = str(table).replace("'", "''")
    return tarn.table(f"SELECT * FROM '{quoted}' {more}")


def count(tarn, table, more=""):
    quoted = str(table).replace("'", "''")
    return tarn.value(f"SELECT count(*) FROM '{quoted}' {more}")


@pytest.mark.parametrize("folder, case", cases("read"))
def test_rows_and_values(tarn, tmp_path, folder, case):
    expected = case["expected"]
    table = table_of(folder, case, tmp_path)
    facts = json.loads(tarn.run("table", "show", table, "--json"))
    if expected.get("latest_version") is not None:
        assert str(facts["version"]) == str(expected["latest_version"])
    disagreement = DISAGREEMENTS.get(case["name"], {})
    if (case["log_facts"].get("replay") or {}).get("active_files_absent_here"):
        assert count(tarn, table) == expected["rows"]  # known from the log alone
        return
    got = read(tarn, table)
    if expected.get("golden"):
        wanted = pq.ParquetFile(folder / expected["golden"]).read()
        argued = disagreement.get("columns", [])
        problem = difference(wanted.drop_columns(argued), got.drop_columns(argued))
        assert problem is None, f"{case['name']}: {problem}\nexpected {wanted.schema}\ngot {got.schema}"
    if expected.get("rows") is not None:
        assert got.num_rows == expected["rows"]
        assert count(tarn, table) == expected["rows"]
    for version, facts in (expected.get("versions") or {}).items():
        if facts.get("rows") is not None:
            assert count(tarn, table, f"VERSION AS OF {version}") == facts["rows"], f"version {version}"
        if facts.get("golden"):
            wanted = pq.ParquetFile(folder / facts["golden"]).read()
            problem = difference(wanted, read(tarn, table, f"VERSION AS OF {version}"))
            assert problem is None, f"{case['name']} at {version}: {problem}"


@pytest.mark.parametrize("folder, case", cases("log-only"))
def test_log_facts(tarn, tmp_path, folder, case):
    table = table_of(folder, case, tmp_path)
    facts = case["log_facts"]
    if "geospatial" in facts.get("readerFeatures", []):
        with pytest.raises(Failed, match="geospatial"):
            tarn.run("table", "show", table, "--json")
        return
    disagreement = DISAGREEMENTS.get(case["name"], {})
    if case["name"] in NO_METADATA:
        with pytest.raises(Failed, match="metaData"):
            tarn.run("table", "show", table, "--json")
        return
    show = json.loads(tarn.run("table", "show", table, "--json"))
    if case["expected"].get("latest_version") is not None:
        assert str(show["version"]) == str(case["expected"]["latest_version"])
    assert [column["name"] for column in show["partition_columns"]] == facts.get("partition_columns", [])
    replay = facts.get("replay") or {}
    if replay.get("active_files") is not None:
        files = json.loads(tarn.run("table", "files", table, "--json"))
        assert len(files["files"]) == disagreement.get("active_files", replay["active_files"])
        if replay.get("rows_by_stats") is not None:
            assert sum(file["records"] - file.get("deleted_rows", 0) for file in files["files"]) == replay["rows_by_stats"]


@pytest.mark.parametrize("folder, case", cases("error"))
def test_refused(tarn, tmp_path, folder, case):
    table = folder / case["table"]
    with pytest.raises(Failed) as refused:
        read(tarn, table)
    assert refused.value.code == 1, refused.value
    # One line that says what is wrong, not only that something is.
    lines = [line for line in refused.value.message.splitlines() if line.startswith("error:")]
    assert len(lines) == 1 and len(lines[0]) > 30, refused.value.message


def test_disagreements_are_few_and_argued(capsys):
    for name, entry in DISAGREEMENTS.items():
        assert entry["section"], f"{name} names no section of the specification"
    with capsys.disabled():
        print(f"\nstated expectations that the specification overrules: {len(DISAGREEMENTS)}")
