#!/usr/bin/env python3
"""SQL texts for the benchmarks of parser and lineage: make_statements.py FOLDER

    tpcds.sql, tpcds_schema.json   the 99 TPC-DS queries as CREATE TABLE … AS
    mixed.sql                      100,000 statements: from one line to those of TPC-DS
    script.sql                     10 MB of the same kinds as one script

In the first three each statement is closed by a line that holds only a semicolon. Always the same.
"""

import json
import pathlib
import random
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests" / "lineage"))
import tpc  # noqa: E402

SEED = 20261130


def small(dice):
    n = dice.randrange(1000)
    return f"INSERT INTO mart.daily_{n} SELECT id, amount * {n} AS amount, upper(name) AS name FROM raw.src_{n} WHERE day = '2026-01-{n % 28 + 1:02}'"


def medium(dice):
    n = dice.randrange(1000)
    columns = ",\n  ".join(
        dice.choice(
            [
                f"a.c{i} AS c{i}",
                f"coalesce(a.c{i}, b.c{i}, 0) AS c{i}",
                f"sum(CASE WHEN b.kind = '{i}' THEN b.value ELSE 0 END) AS c{i}",
                f"rank() OVER (PARTITION BY a.g{i} ORDER BY b.value DESC) AS c{i}",
                f"concat(a.first_{i}, '-', CAST(b.c{i} AS VARCHAR)) AS c{i}",
            ]
        )
        for i in range(dice.randrange(5, 30))
    )
    return (
        f"INSERT INTO mart.wide_{n}\nWITH recent AS (\n  SELECT * FROM raw.facts_{n} WHERE day >= '2026-01-01' AND state IN ('new', 'paid')\n)\n"
        f"SELECT\n  {columns}\nFROM recent a\nJOIN dim.users_{n} b ON a.user_id = b.user_id AND b.valid_to IS NULL\n"
        f"LEFT JOIN dim.regions c ON b.region_id = c.region_id\nWHERE c.name LIKE 'N%'\nGROUP BY ALL"
    )


def large(dice):
    head, body = "INSERT INTO mart.all_parts\n", []
    for _ in range(dice.randrange(3, 8)):
        body.append("SELECT * FROM (\n" + medium(dice).partition("\n")[2] + "\n) part")
    return head + "\nUNION ALL\n".join(body)


def statements(dice, queries):
    """Without end: 60 % small, 25 % medium, 10 % large, 5 % of TPC-DS."""
    while True:
        kind = dice.random()
        if kind < 0.6:
            yield small(dice)
        elif kind < 0.85:
            yield medium(dice)
        elif kind < 0.95:
            yield large(dice)
        else:
            yield dice.choice(queries)


def main():
    folder = pathlib.Path(sys.argv[1])
    queries = [f"CREATE TABLE result_{n} AS\n{query}" for n, query in enumerate(tpc.queries("tpcds"), 1)]
    (folder / "tpcds.sql").write_text("".join(query + "\n;\n" for query in queries))
    (folder / "tpcds_schema.json").write_text(json.dumps(tpc.schema("tpcds")))
    source = statements(random.Random(SEED), queries)
    (folder / "mixed.sql").write_text("".join(next(source) + "\n;\n" for _ in range(100_000)))
    text, size = [], 0
    while size < 10_000_000:
        text.append(next(source) + ";\n")
        size += len(text[-1])
    (folder / "script.sql").write_text("".join(text))


if __name__ == "__main__":
    main()
