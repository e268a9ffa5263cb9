"""TPC-H's 22 and TPC-DS's 99 queries with their columns' lineage as sqlglot has it.

    .venv/bin/python tests/lineage/tpc.py     asks sqlglot again and writes tpc_columns.json

Queries and schemas come from DuckDB's extensions, out of their packages. tpc_columns.json holds, per
query, each output column with the columns it comes from; tpc_differences.json, written by hand, every
column of which Tarn says something else, and who is right.
"""

import json
import pathlib

import peer_tools

HERE = pathlib.Path(__file__).parent
COLUMNS = HERE / "tpc_columns.json"
DIFFERENCES = HERE / "tpc_differences.json"
BENCHMARKS = {"tpch": 22, "tpcds": 99}


def _connection(name):
    import duckdb

    package = __import__(f"duckdb_extension_{name}")
    (extension,) = pathlib.Path(package.__file__).parent.glob(f"extensions/*/{name}.duckdb_extension")
    connection = duckdb.connect()
    connection.execute(f"LOAD '{extension}'")
    return connection


def queries(name):
    rows = _connection(name).execute(f"SELECT query FROM {name}_queries() ORDER BY query_nr").fetchall()
    return [row[0].strip().rstrip(";") for row in rows]


def schema(name):
    """{table: [columns]}, in order."""
    connection = _connection(name)
    connection.execute(f"CALL {'dbgen' if name == 'tpch' else 'dsdgen'}(sf = 0)")
    tables = {}
    for table, column in connection.execute(
            "SELECT table_name, column_name FROM information_schema.columns "
            "ORDER BY table_name, ordinal_position").fetchall():
        tables.setdefault(table, []).append(column)
    return tables


def cases(name):
    tables = schema(name)
    return [{"id": f"{name}/{number}", "dialect": "duckdb", "schema": tables, "sql": query}
            for number, query in enumerate(queries(name), 1)]


def main():
    listed = [case for name in BENCHMARKS for case in cases(name)]
    answers = peer_tools.ask("sqlglot-columns", listed)
    failed = [(c["id"], a["error"]) for c, a in zip(listed, answers) if "error" in a]
    assert not failed, failed
    lines = ",\n".join(f"  {json.dumps(case['id'])}: {json.dumps(answer['columns'])}"
                       for case, answer in zip(listed, answers))
    version = json.dumps(peer_tools.versions()["sqlglot"])
    COLUMNS.write_text(f'{{\n  "sqlglot": {version},\n{lines}\n}}\n')


if __name__ == "__main__":
    main()
