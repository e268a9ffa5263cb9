"""`tarn lineage` on the shared cases and facts, as a stranger would call it."""

import json
import os
import re
import subprocess
from pathlib import Path

import accuracy
import facts
import grading
import pytest

SHARED = Path(os.environ.get("TARN_SHARED", Path(__file__).parents[3] / "shared"))
LINEAGE = SHARED / "lineage"
if not LINEAGE.exists():
    pytest.skip("no shared cases here", allow_module_level=True)

CASES = json.loads((LINEAGE / "cases.json").read_text())

# The facts that we do not agree with, by class; docs/lineage.md explains each class.
DISAGREEMENTS = json.loads(accuracy.DISAGREEMENTS.read_text())


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_case(case):
    assert grading.grade_case(case, accuracy.tarn(case)) == []


@pytest.mark.parametrize("source", list(facts.ALL))
def test_facts(source):
    listed = facts.ALL[source](LINEAGE)
    answers = accuracy.tarn_all(fact.case() for fact in listed)
    disagree = {fact.id for fact, answer in zip(listed, answers)
                if not facts.agrees(fact, answer)}
    assert disagree == {fact for ids in DISAGREEMENTS[source].values() for fact in ids}
    unread = [fact.sql for fact, answer in zip(listed, answers)
              if any(w["code"] == "syntax" for w in answer["warnings"])]
    assert len(unread) <= 0.005 * len(listed), unread


def test_field_failure_s30():
    """Star through a CTE, swapped column lists, direct and indirect edges kept apart."""
    files = SHARED / "cases/files"
    expected = json.loads((files / "s30_expected.json").read_text())
    text = (files / "s30_lineage.sql").read_text()
    before = text[: text.index("-- s3b")]
    answer = accuracy.tarn({"dialect": "postgres", "schema": expected["tables"], "sql": before})
    direct = [[s["column"], c["output"]] for c in answer["columns"] for s in c["sources"]
              if s["type"] == "DIRECT"]
    assert sorted(direct) == sorted(expected["direct"])
    indirect = [[e["column"], output, e["kind"].lower()] for e in answer["dataset"]
                for output in e.get("outputs", answer["outputs"])]
    assert sorted(indirect) == sorted(expected["indirect"])

    replaced = accuracy.tarn({"dialect": "postgres", "schema": expected["tables"],
                              "sql": text[text.index("-- s3b"):]})
    assert [[s["column"], c["output"]] for c in replaced["columns"]
            for s in c["sources"]] == expected["after_s3b_current_into_mart.v"]
    assert replaced["dataset"] == []


@pytest.mark.parametrize("form, start", [("tree", "line 1: create table as select"),
                                         ("dot", "digraph lineage {"), ("mermaid", "flowchart LR"),
                                         ("openlineage", "["), ("json", "{")])
def test_formats(form, start, tmp_path):
    script = tmp_path / "job.sql"
    script.write_text("create table d.r as select a, b + 1 as c from d.s where e = 1")
    done = subprocess.run([accuracy.TARN, "lineage", str(script), "--format", form, "--dialect",
                           "spark"], capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(start)


def test_refusals(tmp_path):
    def code(*arguments):
        return subprocess.run([accuracy.TARN, "lineage", *arguments], capture_output=True,
                              cwd=tmp_path).returncode

    assert code("none.sql") == 1
    (tmp_path / "bad.json").write_text("{")
    (tmp_path / "a.sql").write_text("select 1")
    assert code("a.sql", "--schema", "bad.json") == 1
    assert code("a.sql", "--dialect", "klingon") == 2
    assert code() == 2
    # A statement that cannot be read is a warning: the others still have their lineage.
    (tmp_path / "b.sql").write_text("selec x; select a from t")
    assert code("b.sql") == 0


def test_the_document_shows_the_tables():
    document = (Path(__file__).parents[2] / "docs/lineage.md").read_text()
    for source, classes in DISAGREEMENTS.items():
        for name in classes:
            assert f"| {source} | {name} |" in document, name
    assert re.search(r"\*\*Tarn\*\* \| this tree .*77 of 77 \|$", document, re.M)
