"""The accuracy of `tarn lineage` beside other tools', as the tables of docs/lineage.md.

    TARN_BIN=build/tarn .venv/bin/python tests/lineage/accuracy.py [--write docs/lineage.md] [--facts N]

Runs every case of ../shared/lineage/cases.json through `tarn lineage` and, where they can be
imported, through sqlglot, sqllineage and openlineage-sql (tests/lineage/peers.py); shows what
baseline.json says of them; then does the same with the facts of Hive, Kyuubi and Impala (peers on N
statements of each file, evenly chosen). `--write` replaces what stands between the two markers in the
document. Without arguments the tables are printed.
"""

import argparse
import importlib.util
import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import facts
import grading
import peers

ROOT = Path(__file__).resolve().parents[2]
SHARED = Path(os.environ.get("TARN_SHARED", ROOT / "../shared")) / "lineage"
TARN = str(Path(os.environ.get("TARN_BIN", ROOT / "build/tarn")).resolve())
BEGIN, END = "<!-- tables: begin -->", "<!-- tables: end -->"
MODULES = {"sqlglot": "sqlglot", "sqllineage": "sqllineage", "openlineage-sql": "openlineage_sql"}


def schema_document(case):
    keys = ("schema", "partition_columns", "types", "views")
    return {key: case[key] for key in keys if case.get(key)}


def tarn(case, binary=TARN):
    """The answer of the program itself, started as a stranger would."""
    with tempfile.TemporaryDirectory() as folder:
        schema = Path(folder) / "schema.json"
        schema.write_text(json.dumps(schema_document(case)))
        command = [binary, "lineage", "-", "--format", "json", "--dialect", case["dialect"],
                   "--schema", str(schema)]
        if case.get("default_db"):
            command += ["--default-db", case["default_db"]]
        for name, value in case.get("vars", {}).items():
            command += ["--var", f"{name}={value}"]
        done = subprocess.run(command, input=case["sql"], capture_output=True, text=True, cwd=folder)
        if done.returncode != 0:
            raise RuntimeError(done.stderr.strip())
        return json.loads(done.stdout)


def as_peer(answer):
    """A JSON answer as peers are graded: columns that carry values, and those that decide."""
    columns = {}
    for column in answer["columns"]:
        columns.setdefault(column["output"].lower(), set()).update(
            s["column"].lower() for s in column["sources"])
    return set(answer["inputs"]), set(answer["outputs"]), columns


def verdicts(case, inputs, outputs, columns):
    expected = case["expected"]
    table = grading.table_right(expected, inputs, outputs)
    strict = grading.columns_right(expected, columns)
    return {"table": table, "column_strict": strict,
            "column_lenient": strict or grading.columns_right(expected, columns, by_name=False),
            "right": table and strict}


def installed():
    return [name for name, module in MODULES.items() if importlib.util.find_spec(module)]


def ask_peer(name, case):
    try:
        return peers.ALL[name](case)
    except Exception:  # whatever a tool raises is no answer
        return set(), set(), {"<none>": {"<none>"}}


def case_table(cases, answers, names):
    baseline = json.loads((SHARED / "baseline.json").read_text())
    rows = []

    def row(name, version, results, kinds=None):
        total = len(cases)
        counts = [sum(r[key] for r in results) for key in
                  ("table", "column_lenient", "column_strict", "right")]
        rows.append([name, version, *(f"{c} of {total}" for c in counts),
                     "–" if kinds is None else f"{kinds} of {total}"])

    exact = sum(not grading.grade_case(case, answers[case["id"]]) for case in cases)
    row("**Tarn**", "this tree", [verdicts(c, *as_peer(answers[c["id"]])) for c in cases], exact)
    for name in names:
        row(name, "run here", [verdicts(c, *ask_peer(name, c)) for c in cases])
    for name, version in baseline["versions"].items():
        results = [baseline["cases"][c["id"]][name] for c in cases]
        results = [{**r, "right": r["table"] and r["column_strict"]} for r in results]
        row(name, f"baseline, {version}", results)
    head = ["tool", "version", "datasets", "columns, names ignored", "columns", "right",
            "with kinds and every-row edges"]
    return markdown(head, rows)


def markdown(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return "\n".join(lines + ["| " + " | ".join(map(str, r)) + " |" for r in rows])


def peer_answer(name, case):
    _, _, columns = ask_peer(name, case)
    return {"columns": [{"output": output, "sources": [{"column": s, "kind": "IDENTITY"}
                                                       for s in sources]}
                        for output, sources in columns.items()]}


def fact_table(names, sample):
    rows = []
    for source, load in facts.ALL.items():
        listed = load(SHARED)
        with ThreadPoolExecutor(2) as pool:
            answers = dict(zip([f.id for f in listed], pool.map(lambda f: tarn(f.case()), listed)))
        agreed = sum(facts.agrees(f, answers[f.id]) for f in listed)
        chosen = listed[::max(1, len(listed) // sample)][:sample] if sample else []
        cells = [source, f"{agreed} of {len(listed)} ({100 * agreed / len(listed):.1f} %)"]
        if chosen:
            cells.append(f"{sum(facts.agrees(f, answers[f.id]) for f in chosen)} of {len(chosen)}")
        for name in names if chosen else []:
            count = sum(facts.agrees(f, peer_answer(name, f.case())) for f in chosen)
            cells.append(f"{count} of {len(chosen)}")
        rows.append(cells)
    sampled = ["Tarn, of the sample", *names] if sample else []
    return markdown(["facts of", "Tarn, all", *sampled], rows)


def family_table(cases, answers):
    right, total = Counter(), Counter()
    for case in cases:
        for tag in case["tags"]:
            total[tag] += 1
            right[tag] += not grading.grade_case(case, answers[case["id"]])
    return ", ".join(f"{tag} {right[tag]}/{total[tag]}" for tag in sorted(total))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--write", type=Path)
    parser.add_argument("--facts", type=int, default=400,
                        help="statements of each file that peers are asked (0: none)")
    options = parser.parse_args()
    cases = json.loads((SHARED / "cases.json").read_text())
    answers = {case["id"]: tarn(case) for case in cases}
    names = installed()
    text = "\n\n".join([
        case_table(cases, answers, names),
        "By family, kinds and every-row edges included: " + family_table(cases, answers) + ".",
        fact_table(names, options.facts)])
    if options.write is None:
        print(text)
        return
    document = options.write.read_text()
    before, _, rest = document.partition(BEGIN)
    _, _, after = rest.partition(END)
    options.write.write_text(f"{before}{BEGIN}\n{text}\n{END}{after}")


if __name__ == "__main__":
    main()
