"""Statements with the lineage that other engines' own tests say they have (../shared/lineage).

Each fact becomes a Fact: a case for `tarn lineage`, and the sources of each output column as the
engine names them. An answer agrees when every output's sources lie between the columns it is made of
(DIRECT) and those plus the ones that decide about it alone (column-scoped INDIRECT): the engines do
not tell the two apart. Outputs are compared by name where the statement names them (CREATE … AS), else
as a bag, because these files do not say the order of a target's columns.
"""

import json
import re
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).parent
DIRECT = ("IDENTITY", "TRANSFORMATION", "AGGREGATION")


@dataclass
class Fact:
    id: str
    dialect: str
    sql: str
    schema: dict
    wanted: list  # (output's own name, frozenset of sources)
    by_name: bool = False
    default_db: str = "default"
    views: dict = field(default_factory=dict)
    without_partitions: bool = False
    predicate: frozenset = None  # columns of PREDICATE edges, where the engine has them

    def case(self):
        case = {"id": self.id, "dialect": self.dialect, "default_db": self.default_db,
                "schema": self.schema, "sql": self.sql}
        if self.views:
            case["views"] = self.views
        return case


def _short(column):
    """Without catalog and database: table.column, or column."""
    return ".".join(column.lower().split(".")[-2:])


def _schemas():
    return json.loads((HERE / "fact_schemas.json").read_text())


def _is_create(sql):
    return re.match(r"\s*(create|alter)\b", sql, re.I) is not None


def hive_posthook(shared):
    rows = json.loads((shared / "hive_posthook.json").read_text())
    known = _schemas()["hive"]
    # What a file's facts say about a table's columns: enough for `*`, though not in their order.
    columns = defaultdict(lambda: defaultdict(dict))
    for row in rows:
        for entry in row["lineage"]:
            for name in [entry["output"], *entry["sources"]]:
                table, _, column = name.lower().rpartition(".")
                columns[row["file"]][table][column] = None
    facts = []
    for number, row in enumerate(rows):
        schema = {t: list(c) for t, c in columns[row["file"]].items() if t and t not in known}
        schema.update(known)
        wanted = defaultdict(set)
        for entry in row["lineage"]:
            wanted[entry["output"].lower()] |= {s.lower() for s in entry["sources"]}
        facts.append(Fact(f"posthook-{number}", "hive", row["sql"], schema,
                          [(o.rpartition(".")[2], frozenset(s)) for o, s in wanted.items()],
                          by_name=_is_create(row["sql"]), without_partitions=True))
    return facts


def hive_lineagelogger(shared):
    rows = json.loads((shared / "hive_lineagelogger.json").read_text())
    schemas = _schemas()
    base = {**schemas["hive"], **schemas["hive_lineagelogger"]}
    columns = defaultdict(dict)
    for row in rows:
        for edge in row["edges"]:
            for name in [*edge["sources"], *edge["targets"]]:
                if name.count(".") == 2:
                    columns[name.lower().split(".")[1]][name.lower().split(".")[2]] = None
    schema = {**{t: list(c) for t, c in columns.items() if t not in base}, **base}
    facts = []
    views = {}
    for number, row in enumerate(rows):
        wanted = []
        predicate = set()
        for edge in row["edges"]:
            sources = frozenset(_short(s) for s in edge["sources"])
            if edge["type"] == "PROJECTION":
                wanted += [(t.rpartition(".")[2], sources) for t in edge["targets"]]
            else:
                predicate |= sources
        facts.append(Fact(f"logger-{number}", "hive", row["sql"],
                          {t: c for t, c in schema.items() if t not in views}, wanted,
                          views=dict(views), predicate=frozenset(predicate)))
        view = re.match(r"\s*(create|alter)\s+view\s+(\w+)\s*(\([^)]*\))?\s*as\s+(.*)", row["sql"],
                        re.I | re.S)
        if view:
            views[view.group(2).lower()] = (
                f"create view v {view.group(3) or ''} as {view.group(4)}")
    return facts


def kyuubi(shared):
    facts = []
    for number, row in enumerate(json.loads((shared / "kyuubi_facts.json").read_text())):
        schema = dict(_schemas()["kyuubi"])
        views = {}
        for ddl in row["ddl"]:
            for name, listed in re.findall(r"create\s+table\s+([\w.$]+)\s*\(([^)]*)\)", ddl, re.I):
                schema[name.lower()] = [c.split()[0].lower() for c in listed.split(",") if c.split()]
            view = re.match(r"\s*create\s+view\s+(\w+)\s+as\s+(select .*)", ddl, re.I | re.S)
            if view and view.group(1).lower() not in row["sql"].lower().split("select")[0]:
                views[view.group(1).lower()] = view.group(2)
        wanted = [(o.split(".")[-1].lower(),
                   frozenset(_short(s) for s in sources if not s.endswith("__count__")))
                  for o, sources in row["columns"].items()]
        facts.append(Fact(f"kyuubi-{number}", "spark", row["sql"], schema, wanted, views=views))
    return facts


def impala(shared):
    schemas = _schemas()
    schema = dict(schemas["impala"])
    for table, others in schemas["impala_like"].items():
        schema.update({other: schema[table] for other in others})
    facts = []
    for number, row in enumerate(json.loads((shared / "impala_facts.json").read_text())):
        wanted = []
        predicate = set()
        for edge in row["edges"]:
            if edge["type"] == "PROJECTION":
                wanted += [(t.lower(), frozenset(_path_column(s) for s in edge["sources"]))
                           for t in edge["targets"]]
            else:
                predicate |= {_path_column(s) for s in edge["sources"]}
        facts.append(Fact(f"impala-{number}", "hive", row["sql"], schema, wanted,
                          views=schemas["impala_views"], predicate=frozenset(predicate)))
    return facts


def _path_column(source):
    """db.table.column.field… → table.column: fields of a nested column are said as the column."""
    parts = source.lower().split(".")
    return ".".join(parts[1:3])


ALL = {"Hive post-execution hooks": hive_posthook, "Hive LineageLogger": hive_lineagelogger,
       "Kyuubi": kyuubi, "Impala": impala}


def _bounds(answer):
    """(name, DIRECT sources, all sources) of each output column."""
    columns = []
    for column in answer["columns"]:
        direct = frozenset(_short(s["column"]) for s in column["sources"] if s["kind"] in DIRECT)
        every = frozenset(_short(s["column"]) for s in column["sources"])
        columns.append((column["output"].rpartition(".")[2].lower(), direct, every))
    return columns


def agrees(fact, answer):
    """Whether `answer` (the JSON of `tarn lineage`) says what `fact` says."""
    # Hive's hooks say nothing of partition columns, whose values are in the names of folders.
    partitions = {c.lower() for listed in answer.get("partitions", {}).values() for c in listed}
    if fact.without_partitions:
        partitions |= {c.strip(" `").lower() for clause in re.findall(
            r"partition(?:ed)?\s*(?:by|on)?\s*\(([^)]*)\)", fact.sql, re.I)
            for c in clause.split(",") if re.fullmatch(r"[\w` ]+", c)}
    if "expanded" in answer:
        answer = answer["expanded"]
    columns = _bounds(answer)
    if fact.without_partitions:
        named = {name for name, _ in fact.wanted}
        columns = [c for c in columns if c[0] not in partitions or c[0] in named]
    if fact.by_name:
        got = {name: (least, most) for name, least, most in columns}
        wanted = dict(fact.wanted)
        return all(name in got and got[name][0] <= sources <= got[name][1]
                   for name, sources in wanted.items()) and all(
            not least for name, (least, _) in got.items() if name not in wanted)
    left = list(columns)
    for _, sources in sorted(fact.wanted, key=lambda w: -len(w[1])):
        fit = next((c for c in left if c[1] <= sources <= c[2]), None)
        if fit is not None:
            left.remove(fit)
        elif sources:
            return False
    return all(not least for _, least, _ in left)
