"""`tarn lineage` on the example projects of docs/examples/lineage, as somebody new to it would.

Each *.sql and *.hql has its answers beside it: NAME.tree and NAME.mermaid. To write them anew after a
change, look at the differences and run this file as a program.
"""

import json
import pathlib
import re
import subprocess

import accuracy
import pytest

EXAMPLES = pathlib.Path(__file__).parents[2] / "docs/examples/lineage"
DIALECTS = {"dbt": "duckdb", "hive": "hive", "trino": "trino"}
OPTIONS = {"hive/daily_events.hql": ["--var", "day=2026-11-30", "--var", "env=dw"]}
SCRIPTS = sorted(path for ending in ("sql", "hql") for path in EXAMPLES.rglob(f"*.{ending}"))


def command(script, form):
    project = script.relative_to(EXAMPLES).parts[0]
    name = script.relative_to(EXAMPLES).as_posix()
    return [accuracy.TARN, "lineage", name, "--dialect", DIALECTS[project], "--schema",
            f"{project}/schema.json", "--format", form, *OPTIONS.get(name, [])]


def answer(script, form):
    done = subprocess.run(command(script, form), capture_output=True, text=True, cwd=EXAMPLES)
    assert done.returncode == 0, done.stderr
    return done.stdout


def check_mermaid(text):
    """Whether `text` is a flowchart by Mermaid's grammar, of the part of it that we write: every line
    is one of those forms, labels are quoted and hold nothing that would end them or be taken for HTML
    or Markdown, arrows join nodes that are there, and subgraphs are closed."""
    label = r'"(?:[^"#<>&`\\]|#\d+;)*"'
    lines = text.splitlines()
    assert lines[0] == "flowchart LR"
    nodes, opened = set(), None
    for line in lines[1:]:
        if subgraph := re.fullmatch(rf"  subgraph (d\d+)\[{label}\]", line):
            assert opened is None
            opened = subgraph.group(1)
        elif line == "  end":
            assert opened is not None
            opened = None
        elif node := re.fullmatch(rf"    ((d\d+)c\d+)(\[{label}\]|\(\[every row\]\))", line):
            assert node.group(2) == opened, line
            nodes.add(node.group(1))
        else:
            arrow = re.fullmatch(r"  (d\d+c\d+) -\.?->(?:\|[a-z ]+\|)? (d\d+c\d+)", line)
            assert arrow and opened is None and {arrow.group(1), arrow.group(2)} <= nodes, line
    assert opened is None


def test_a_folder_is_a_project():
    """Models are known to one another; what each is made of is what it says alone."""
    options = ["lineage", "dbt", "--dialect", "duckdb", "--schema", "dbt/schema.json"]

    def ask(form):
        done = subprocess.run([accuracy.TARN, *options, "--format", form], capture_output=True, text=True,
                              cwd=EXAMPLES, check=True)
        return done.stdout

    models = {pathlib.Path(one["file"]).stem: one for one in json.loads(ask("json"))}
    assert set(models) == {"customers", "fct_orders", "stg_customers", "stg_orders"}
    for name, model in models.items():
        assert model["outputs"] == [name]
        assert {warning["message"].split("'")[1] for warning in model["warnings"]} <= {"{{ this }}"}
    top = next(c for c in models["customers"]["columns"] if c["output"] == "customers.top_value")
    assert {(s["column"], s["kind"]) for s in top["sources"]} == {
        ("fct_orders.amount", "AGGREGATION"), ("fct_orders.amount", "CONDITIONAL")}
    assert "fct_orders" in models["fct_orders"]["inputs"]  # {{ this }}
    check_mermaid(ask("mermaid"))


def test_there_are_examples():
    assert {path.suffix for path in SCRIPTS} == {".sql", ".hql"}
    assert {path.relative_to(EXAMPLES).parts[0] for path in SCRIPTS} == set(DIALECTS)


@pytest.mark.parametrize("script", SCRIPTS, ids=[path.stem for path in SCRIPTS])
@pytest.mark.parametrize("form", ["tree", "mermaid"])
def test_example(script, form):
    found = answer(script, form)
    assert found == script.with_suffix(f".{form}").read_text()
    if form == "mermaid":
        check_mermaid(found)


@pytest.mark.parametrize("text", [
    'create table r as select "a#1;" as "<b>", c as "`d`" from "x ""y"" & z"',
    'select "end", "subgraph" from "a\\b"', "select 1", "drop table t", ""])
def test_names_that_mean_something_to_mermaid(text, tmp_path):
    done = subprocess.run([accuracy.TARN, "lineage", "-", "--format", "mermaid"], input=text,
                          capture_output=True, text=True, cwd=tmp_path)
    check_mermaid(done.stdout)


if __name__ == "__main__":
    for path in SCRIPTS:
        for kind in ("tree", "mermaid"):
            path.with_suffix(f".{kind}").write_text(answer(path, kind))
