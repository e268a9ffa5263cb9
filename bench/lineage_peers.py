"""Other tools' column lineage, timed: lineage_peers.py TOOL FILE SCHEMA ROUNDS

Runs in the environment of tests/lineage/peer_tools.py. FILE holds statements, each closed by a line
with only a semicolon. Prints one JSON line: seconds of the best round, and what was found of each
statement's columns, {name: [sources]}, or null. Each tool is used as its
documentation has it, with whatever can be prepared once (the schema, a query's scope) outside of or
shared within the loop.
"""

import json
import logging
import sys
import time


def sqlglot(schema):
    import sqlglot as glot
    from sqlglot import exp
    from sqlglot.lineage import lineage
    from sqlglot.optimizer.qualify import qualify
    from sqlglot.optimizer.scope import build_scope
    from sqlglot.schema import MappingSchema

    known = MappingSchema({t: dict.fromkeys(c, "string") for t, c in schema.items()}, dialect="duckdb")

    def answer(statement):
        query = qualify(glot.parse_one(statement, read="duckdb").expression, dialect="duckdb",
                        schema=known, identify=False)
        nodes = lineage(None, query, known, dialect="duckdb", scope=build_scope(query))
        return {name: [leaf for leaf in node.walk()
                       if not leaf.downstream and isinstance(leaf.expression, exp.Table)]
                for name, node in nodes.items()}

    def plain(columns):
        return {name.lower(): sorted({f"{leaf.expression.name}.{leaf.name.rpartition('.')[2]}".lower()
                                      for leaf in leaves}) for name, leaves in columns.items()}

    return answer, plain


def sqllineage(schema):
    from sqllineage.config import SQLLineageConfig
    from sqllineage.core.metadata.dummy import DummyMetaDataProvider
    from sqllineage.runner import LineageRunner

    provider = DummyMetaDataProvider({f"main.{t}": c for t, c in schema.items()})

    def answer(statement):
        with SQLLineageConfig(DEFAULT_SCHEMA="main"):
            runner = LineageRunner(statement, dialect="duckdb", metadata_provider=provider)
            return runner.get_column_lineage(exclude_subquery_columns=True)

    def plain(paths):
        columns = {}
        for path in paths:
            columns.setdefault(str(path[-1]).rpartition(".")[2].lower(), set()).add(
                str(path[0]).lower().replace("main.", ""))
        return {name: sorted(sources) for name, sources in columns.items()}

    return answer, plain


def openlineage_sql(_):
    from openlineage_sql import parse

    def answer(statement):
        return parse([statement], dialect="duckdb")

    def plain(meta):
        return {column.descendant.name.lower(): sorted(
            f"{source.origin.qualified_name}.{source.name}".lower()
            for source in column.lineage if source.origin) for column in meta.column_lineage}

    return answer, plain


TOOLS = {"sqlglot": sqlglot, "sqllineage": sqllineage, "openlineage-sql": openlineage_sql}


def main():
    logging.disable(logging.CRITICAL)
    tool, file, schema, rounds = sys.argv[1:]
    with open(file) as text, open(schema) as tables:
        statements = [s for s in text.read().split("\n;\n") if s.strip()]
        answer, plain = TOOLS[tool](json.load(tables))
    best = None
    for _ in range(int(rounds)):
        answers = []
        begin = time.perf_counter()
        for statement in statements:
            try:
                answers.append(answer(statement))
            except Exception:  # whatever a tool raises is no answer
                answers.append(None)
        seconds = time.perf_counter() - begin
        best = seconds if best is None else min(best, seconds)
    found = [None if a is None else plain(a) for a in answers]
    print(json.dumps({"seconds": best, "answers": found}))


if __name__ == "__main__":
    main()
