"""The columns of TPC-H's and TPC-DS's queries, beside sqlglot's lineage of them (tpc.py)."""

import json

import accuracy
import facts
import pytest
import tpc

STORED = json.loads(tpc.COLUMNS.read_text())
DIFFERENCES = json.loads(tpc.DIFFERENCES.read_text())


def ours(case):
    """[(name, DIRECT sources, all sources)] of the query's columns, in order."""
    return [(column["output"].rpartition(".")[2],
             {s["column"] for s in column["sources"] if s["kind"] in facts.DIRECT},
             {s["column"] for s in column["sources"]})
            for column in accuracy.tarn(case)["columns"]]


def differences(name):
    """{"tpcds/5/2:sales": {"sqlglot": […], "tarn": […]}}: sqlglot's sources must lie between those
    that carry values and those that, as window keys and conditions, decide about the column alone."""
    found = {}
    for case in tpc.cases(name):
        theirs = STORED[case["id"]]
        columns = ours(case)
        assert len(columns) == len(theirs), case["id"]
        for (key, sources), (output, direct, every) in zip(theirs.items(), columns):
            name_there = key.partition(":")[2]  # _col_5: sqlglot's own, of what has no name
            assert name_there in (output, f"_col_{key.partition(':')[0]}"), (case["id"], key, output)
            if not direct <= set(sources) <= every:
                found[f"{case['id']}/{key}"] = {"sqlglot": sources, "tarn": sorted(direct)}
    return found


@pytest.mark.parametrize("name, count", list(tpc.BENCHMARKS.items()))
def test_columns_agree_with_sqlglot(name, count):
    pytest.importorskip(f"duckdb_extension_{name}")
    assert sum(query.startswith(name + "/") for query in STORED) == count
    expected = {key: {side: entry[side] for side in ("sqlglot", "tarn")}
                for key, entry in DIFFERENCES.items() if key.startswith(name + "/")}
    assert differences(name) == expected


def test_every_difference_is_adjudicated():
    for key, entry in DIFFERENCES.items():
        assert entry["right"] in ("tarn", "sqlglot"), key
        assert entry["why"], key


@pytest.mark.parametrize("name", list(tpc.BENCHMARKS))
def test_every_name_is_resolved(name):
    """With the schema at hand nothing is left unknown, ambiguous or guessed."""
    pytest.importorskip(f"duckdb_extension_{name}")
    for case in tpc.cases(name):
        warnings = [w for w in accuracy.tarn(case)["warnings"] if w["code"] != "unused_cte"]
        assert warnings == [], case["id"]
