"""What `tarn sql parse` and `tarn sql fmt` make of SQL that others wrote.

Every statement of the lineage cases is read; of the facts of other projects' tests at most one in two
hundred is not, each named below with its reason; TPC-H's and TPC-DS's queries (from DuckDB's packages)
are read, and all of them have the same tree after they were laid out.
"""

import json
import re

import pytest
import tpc

# (file, number in it): why the statement is no SQL of any engine.
UNREADABLE = {
    ("hive_posthook", 2261): "ends with '#### A masked pattern was here ####', left by the test's log",
}

FACTS = [
    ("hive_posthook", "hive"),
    ("hive_lineagelogger", "hive"),
    ("kyuubi_facts", "spark"),
    ("impala_facts", "hive"),
]


def run(tarn, command, text, dialect):
    """What the command prints for `text`, and its exit code."""
    file = tarn.folder / "text.sql"
    file.write_text(text)
    process = tarn.start("sql", *command, file, "--dialect", dialect)
    out, _ = process.communicate(timeout=300)
    return out.decode(), process.returncode


def trees(tarn, text, dialect):
    """The trees of a script, one text per statement, without where they stood; None for one that
    cannot be read."""
    out, _ = run(tarn, ["parse", "--tree"], text, dialect)
    found = re.split(r"^-- statement \d+ at line \d+, column \d+\n", out, flags=re.M)
    assert found[0] == ""
    return [None if tree.startswith("cannot be read: ") else tree for tree in found[1:]]


def check(tarn, statements, dialect):
    """The numbers of the statements that cannot be read, after those that can went round."""
    unread = []
    scripts = []
    # Statements are tried apart from each other only where one of a script fails.
    for begin in range(0, len(statements), 500):
        part = statements[begin : begin + 500]
        script = ";\n".join(part)
        if None in trees(tarn, script, dialect):
            for number, statement in enumerate(part, begin):
                if None in trees(tarn, statement, dialect):
                    unread.append(number)
                else:
                    scripts.append(statement)
        else:
            scripts.append(script)
    whole = ";\n".join(scripts)
    laid_out, code = run(tarn, ["fmt"], whole, dialect)
    assert code == 0
    assert trees(tarn, laid_out, dialect) == trees(tarn, whole, dialect)
    assert run(tarn, ["fmt"], laid_out, dialect)[0] == laid_out
    return unread


def test_lineage_cases(tarn, shared):
    cases = json.loads((shared / "lineage" / "cases.json").read_text())
    for dialect in sorted({case["dialect"] for case in cases}):
        texts = [case["sql"] for case in cases if case["dialect"] == dialect]
        assert check(tarn, texts, dialect) == []


def test_facts_of_other_projects(tarn, shared):
    total = 0
    unread = {}
    for name, dialect in FACTS:
        texts = [fact["sql"] for fact in json.loads((shared / "lineage" / f"{name}.json").read_text())]
        total += len(texts)
        for number in check(tarn, texts, dialect):
            unread[(name, number)] = texts[number]
    assert set(unread) == set(UNREADABLE)
    assert len(unread) <= 0.005 * total


@pytest.mark.parametrize("name, count", [("tpch", 22), ("tpcds", 99)])
def test_tpc_queries(tarn, name, count):
    pytest.importorskip(f"duckdb_extension_{name}")
    queries = tpc.queries(name)
    assert len(queries) == count
    for dialect in ("duckdb", "generic", "trino", "spark"):
        assert check(tarn, queries, dialect) == []
        assert check(tarn, [f"CREATE TABLE t{i} AS {query}" for i, query in enumerate(queries)], dialect) == []
