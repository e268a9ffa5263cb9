"""Column lineage by other tools, in the shape that grading.py takes: (inputs, outputs, {output: sources}).

Each function gets a case (see ../shared/lineage/README.md) and may raise: then the tool has no answer.
Their versions stand in tools/requirements-lineage.txt. sqlglot itself gives the lineage of a SELECT's
columns; which statement writes what, and to which column of the target, is the harness here.
"""

import json
import logging
import re
import signal
import sys

DIALECT = {"hive": "hive", "spark": "spark", "trino": "trino", "postgres": "postgres",
           "duckdb": "duckdb"}


# ---- sqlglot


def _glot_schema(case, depth):
    schema = {}
    for table, columns in case["schema"].items():
        parts = [p.strip("`") for p in re.findall(r"`[^`]*`|[^.]+", table)]
        parts = ["_"] * (depth - len(parts)) + parts
        at = schema
        for part in parts[:-1]:
            at = at.setdefault(part, {})
        at[parts[-1]] = {c: "string" for c in columns}
    return schema


def _glot_name(table, db):
    parts = [p.name for p in table.parts]
    if len(parts) == 1 and db:
        parts.insert(0, db)
    return ".".join(f"`{p}`" if "." in p else p for p in parts).lower()


def sqlglot(case):
    import sqlglot as glot
    from sqlglot import exp
    from sqlglot.lineage import lineage
    from sqlglot.optimizer.qualify import qualify
    from sqlglot.optimizer.scope import traverse_scope

    dialect = DIALECT[case["dialect"]]
    db = case.get("default_db")
    inputs, outputs, columns = set(), set(), {}
    for statement in glot.parse(case["sql"], read=dialect):
        if statement is None:
            continue
        target = statement.find(exp.Table) if isinstance(
            statement, (exp.Insert, exp.Create, exp.Merge, exp.Update, exp.Delete)) else None
        name = None
        if target is not None:
            name = _glot_name(target, db)
            outputs.add(name)
        query = statement if isinstance(statement, exp.Query) else statement.args.get("expression")
        if not isinstance(query, exp.Query):
            continue
        if statement.args.get("with_") and query is not statement:
            query.set("with_", statement.args["with_"].copy())
        depth = max([len(t.split(".")) for t in case["schema"]] or [1])
        schema = _glot_schema(case, depth)
        qualified = qualify(query.copy(), dialect=dialect, schema=schema, db=db,
                            validate_qualify_columns=False, identify=False)
        for scope in traverse_scope(qualified):
            for source in scope.sources.values():
                if isinstance(source, exp.Table):
                    inputs.add(_glot_name(source, db))
        names = None
        if isinstance(target.parent if target else None, exp.Schema):
            names = [c.name for c in target.parent.expressions]
        elif isinstance(statement, exp.Insert):
            names = case["schema"].get(name)
            partition = statement.args.get("partition")
            if names and partition:
                static = {e.this.name for e in partition.expressions if isinstance(e, exp.EQ)}
                names = [n for n in names if n not in static]
        for index, item in enumerate(qualified.selects):
            output = names[index] if names and index < len(names) else item.alias_or_name
            node = lineage(item.alias_or_name, qualified, dialect=dialect, schema=schema)
            sources = set()
            for leaf in node.walk():
                if not leaf.downstream and isinstance(leaf.expression, exp.Table):
                    sources.add(_glot_name(leaf.expression, db) + "." +
                                leaf.name.rpartition(".")[2].strip('"').lower())
            columns.setdefault(f"{name or '<query>'}.{output}".lower(), set()).update(sources)
    return inputs - {"<query>"}, outputs, columns


# ---- sqllineage


def sqllineage(case):
    from sqllineage.core.metadata.dummy import DummyMetaDataProvider
    from sqllineage.runner import LineageRunner

    schema = {t.replace("`", ""): c for t, c in case["schema"].items()}
    runner = LineageRunner(case["sql"], dialect={"spark": "sparksql"}.get(case["dialect"],
                                                                          case["dialect"]),
                           metadata_provider=DummyMetaDataProvider(schema))
    db = case.get("default_db") or "<default>"
    clean = lambda name: str(name).lower().replace("<default>", db)
    columns = {}
    for path in runner.get_column_lineage(exclude_subquery_columns=True):
        columns.setdefault(clean(path[-1]), set()).add(clean(path[0]))
    return ({clean(t) for t in runner.source_tables}, {clean(t) for t in runner.target_tables},
            columns)


# ---- openlineage-sql


def openlineage_sql(case):
    from openlineage_sql import parse

    db = case.get("default_db")
    dialect = {"trino": "ansi", "duckdb": "ansi", "postgres": "postgres"}.get(case["dialect"],
                                                                             case["dialect"])
    meta = parse([case["sql"]], dialect=dialect, default_schema=db)
    if meta is None:
        raise ValueError("no answer")
    clean = lambda name: str(name.qualified_name).lower().replace('"', "")
    columns = {}
    output = next(iter(meta.out_tables), None)
    for column in meta.column_lineage:
        to = column.descendant
        name = clean(to.origin) if to.origin else (clean(output) if output else "<query>")
        columns.setdefault(f"{name}.{to.name}".lower(), set()).update(
            f"{clean(a.origin)}.{a.name}".lower() for a in column.lineage if a.origin)
    return ({clean(t) for t in meta.in_tables}, {clean(t) for t in meta.out_tables}, columns)


def sqlglot_columns(case):
    """Of one plain query: its columns by position, "0:name", each with what it comes from."""
    import sqlglot as glot
    from sqlglot import exp
    from sqlglot.lineage import lineage
    from sqlglot.optimizer.qualify import qualify

    dialect = DIALECT[case["dialect"]]
    schema = {table: dict.fromkeys(columns, "string") for table, columns in case["schema"].items()}
    query = qualify(glot.parse_one(case["sql"], read=dialect), dialect=dialect, schema=schema,
                    identify=False)
    # Lineage is asked by name: of two columns of one name, each gets its own.
    first = query
    while not isinstance(first, exp.Select):
        first = first.this
    names = [item.alias_or_name for item in first.selects]
    first.set("expressions", [exp.alias_(item.unalias(), f"column_{index}")
                              for index, item in enumerate(first.selects)])
    columns = {}
    for index, name in enumerate(names):
        node = lineage(f"column_{index}", query, dialect=dialect, schema=schema)
        columns[f"{index}:{name}".lower()] = {
            f"{leaf.expression.name}.{leaf.name.rpartition('.')[2]}".lower().replace('"', "")
            for leaf in node.walk()
            if not leaf.downstream and isinstance(leaf.expression, exp.Table)}
    return set(), set(), columns


ALL = {"sqlglot": sqlglot, "sqllineage": sqllineage, "openlineage-sql": openlineage_sql,
       "sqlglot-columns": sqlglot_columns}


# ---- as a program, in the environment of the tools (peer_tools.py)

SECONDS_EACH = 20


def _answer(name, case):
    def late(*_):
        raise TimeoutError(f"no answer in {SECONDS_EACH} s")

    signal.signal(signal.SIGALRM, late)
    signal.alarm(SECONDS_EACH)
    try:
        inputs, outputs, columns = ALL[name](case)
    except Exception as problem:  # whatever a tool raises is no answer
        return {"error": f"{type(problem).__name__}: {problem}"[:300]}
    finally:
        signal.alarm(0)
    return {"inputs": sorted(inputs), "outputs": sorted(outputs),
            "columns": {output: sorted(sources) for output, sources in columns.items()}}


def main():
    """peers.py NAME: a case per line of standard input, an answer per line of standard output."""
    logging.disable(logging.CRITICAL)
    # Tools print too; only answers may go to standard output.
    out, sys.stdout = sys.stdout, sys.stderr
    for line in sys.stdin:
        print(json.dumps(_answer(sys.argv[1], json.loads(line))), file=out, flush=True)


if __name__ == "__main__":
    main()
