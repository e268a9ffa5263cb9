"""Every Iceberg table that another engine wrote is read as its owner says: rows, values, columns,
earlier snapshots; metadata that breaks the specification is refused with a cause."""

import json
import os
import pathlib
import shutil
import uuid

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from compare_tables import difference
from shared_material import shared_folder
from tarn_program import Failed

# Cases in which a stated expectation and the specification disagree, with the section that decides.
DISAGREEMENTS = json.loads((pathlib.Path(__file__).parent / "iceberg_disagreements.json").read_text())

RESULTS = {}  # case → (kind, what was compared), for the table of docs/format/iceberg.md


def cases(kind):
    folder = shared_folder()
    if folder is None:
        return []
    found = []
    for path in sorted((folder / "fixtures" / "iceberg").glob("*/case.json")):
        case = json.loads(path.read_text())
        if case["kind"] == kind:
            found.append(pytest.param(path.parent, case, id=case["name"]))
    return found


def argued(case):
    return DISAGREEMENTS.get(case["name"], {})


def relocations(folder, case):
    """The prefixes that the metadata names, each with the folder that stands for it."""
    prefixes = {entry["prefix"]: entry["folder"] for entry in case.get("location_map") or []}
    prefixes |= argued(case).get("relocate", {})
    return [f"--relocate={prefix}={folder / target}" for prefix, target in prefixes.items()]


def quoted(path):
    return "'" + str(path).replace("'", "''") + "'"


def read(tarn, folder, case, more=""):
    return tarn.table(f"SELECT * FROM {quoted(folder / case['table'])} {more}", *relocations(folder, case))


def newest(case):
    version = argued(case).get("version")
    return f"VERSION AS OF '{version}'" if version else ""


def without_uuids(kind):
    """The type with text for UUIDs, which is what SQL makes of them."""
    if isinstance(kind, pa.UuidType):
        return pa.string()
    if pa.types.is_struct(kind):
        return pa.struct([field.with_type(without_uuids(field.type)) for field in kind])
    return kind


def as_text(value):
    if isinstance(value, dict):
        return {name: as_text(member) for name, member in value.items()}
    return str(value) if isinstance(value, uuid.UUID) else value


def uuids_as_text(table):
    for i, field in enumerate(table.schema):
        kind = without_uuids(field.type)
        if kind != field.type:
            values = [as_text(value) for value in table.column(i).to_pylist()]
            table = table.set_column(i, field.name, pa.array(values, kind))
    return table


def count(tarn, folder, case, more=""):
    return tarn.value(f"SELECT count(*) FROM {quoted(folder / case['table'])} {more}", *relocations(folder, case))


@pytest.mark.parametrize("folder, case", cases("read"))
def test_rows_and_values(tarn, folder, case):
    expected = case["expected"]
    compared = []
    if argued(case).get("absent"):
        files = json.loads(tarn.run("table", "files", folder / case["table"], "--json", *relocations(folder, case)))
        assert sum(file["records"] for file in files["files"]) == expected["rows"]
        with pytest.raises(Failed, match="(?i)no such file"):
            read(tarn, folder, case)
        RESULTS[case["name"]] = ("planned", ["rows"])
        return
    if argued(case).get("refused"):
        with pytest.raises(Failed, match=argued(case)["refused"]):
            read(tarn, folder, case, newest(case))
        RESULTS[case["name"]] = ("refused", [argued(case)["refused"]])
        return
    got = read(tarn, folder, case, newest(case))
    if expected.get("golden"):
        wanted = pq.ParquetFile(folder / expected["golden"]).read()
        wanted, got = uuids_as_text(wanted), uuids_as_text(got)
        problem = difference(wanted, got)
        assert problem is None, f"{case['name']}: {problem}\nexpected {wanted.schema}\ngot {got.schema}"
        compared.append("values")
    assert got.num_rows == expected["rows"]
    assert count(tarn, folder, case, newest(case)) == expected["rows"]
    compared.append("rows")
    for snapshot, facts in (expected.get("snapshots") or {}).items():
        rows = argued(case).get("snapshots", {}).get(snapshot, facts.get("rows"))
        if rows is None or argued(case).get("version"):
            continue
        assert count(tarn, folder, case, f"VERSION AS OF {snapshot}") == rows, f"snapshot {snapshot}"
        compared.append("snapshot")
    RESULTS[case["name"]] = ("read", compared)


@pytest.mark.parametrize("folder, case", cases("read"))
def test_a_copied_folder_opens_by_itself(tarn, tmp_path, folder, case):
    """Without --relocate: what the metadata calls the table's location lies where the folder lies."""
    if any(entry["folder"] != case["table"] for entry in case.get("location_map") or []):
        pytest.skip("its data lies outside its folder")
    if any(key in argued(case) for key in ("absent", "relocate", "refused")):
        pytest.skip("its data lies elsewhere")
    copy = tmp_path / "moved here"
    shutil.copytree(folder / case["table"], copy)
    got = tarn.table(f"SELECT * FROM {quoted(copy)} {newest(case)}")
    assert got.num_rows == case["expected"]["rows"]


@pytest.mark.parametrize("folder, case", cases("metadata-only"))
def test_planning(tarn, folder, case):
    # Its data files are nowhere: they are only counted.
    places = [*relocations(folder, case), f"--relocate=s3://fake-bucket={folder / 'nowhere'}"]
    files = json.loads(tarn.run("table", "files", folder / case["table"], "--json", *places))
    assert sum(file["records"] for file in files["files"]) == case["expected"]["rows"]
    plan = tarn.sql(
        f"EXPLAIN SELECT count(*) FROM {quoted(folder / case['table'])} WHERE block_number BETWEEN 5000000 AND 5000100",
        *places,
    )
    assert f"0 of {len(files['files'])}" in str(plan)
    RESULTS[case["name"]] = ("planned", ["files", "pruning"])


@pytest.mark.parametrize("folder, case", cases("metadata-json"))
def test_metadata(tarn, tmp_path, folder, case):
    (metadata,) = [path for path in folder.glob("*.json") if path.name != "case.json"]
    target = tmp_path / "t" / "metadata" / "v1.metadata.json"
    target.parent.mkdir(parents=True)
    shutil.copy(metadata, target)
    os.chmod(target, 0o644)
    if case["expected"]["parse"] == "accepts":
        # The history is told by the metadata alone: manifests are not among the files of these cases.
        snapshots = json.loads(metadata.read_text()).get("snapshots") or []
        told = json.loads(tarn.run("table", "history", tmp_path / "t", "--json"))
        assert len(told["commits"]) == max(1, len(snapshots))
        RESULTS[case["name"]] = ("accepted", ["metadata"])
        return
    with pytest.raises(Failed) as refused:
        tarn.run("table", "show", tmp_path / "t", "--json")
    assert refused.value.code == 1, refused.value
    lines = [line for line in refused.value.message.splitlines() if line.startswith("error:")]
    assert len(lines) == 1 and len(lines[0]) > 30, refused.value.message
    RESULTS[case["name"]] = ("refused", [lines[0].split(": ", 1)[1][-80:]])


def test_disagreements_are_few_and_argued(capsys):
    for name, entry in DISAGREEMENTS.items():
        assert entry["section"], f"{name} names no section of the specification"
    with capsys.disabled():
        print(f"\nstated expectations that the specification overrules: {len(DISAGREEMENTS)}")


def test_the_table_of_results(capsys):
    """Last: prints what docs/format/iceberg.md shows."""
    with capsys.disabled():
        print("\n| case | outcome | compared |\n|---|---|---|")
        for name, (outcome, compared) in sorted(RESULTS.items()):
            kinds = [f"{kind} × {compared.count(kind)}" if compared.count(kind) > 1 else kind for kind in dict.fromkeys(compared)]
            print(f"| {name} | {outcome} | {', '.join(kinds)} |")
    if not RESULTS:
        pytest.skip("no case was run")
