"""The accuracy of `tarn lineage` beside other tools', as the tables of docs/lineage.md.

    TARN_BIN=build/tarn .venv/bin/python tests/lineage/accuracy.py [--write docs/lineage.md] [--facts N]

Runs every case of ../shared/lineage/cases.json through `tarn lineage`, sqlglot, sqllineage and
openlineage-sql (peer_tools.py installs those on first use); shows what baseline.json says of them; then
does the same with the facts of Hive, Kyuubi and Impala, all of them or N evenly chosen ones of each
file. `--write` replaces what stands between the two markers in the document; without it the tables are
printed. `make lineage` is the first with --write.
"""

import argparse
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
import peer_tools

ROOT = Path(__file__).resolve().parents[2]
SHARED = Path(os.environ.get("TARN_SHARED", ROOT / "../shared")) / "lineage"
TARN = str(Path(os.environ.get("TARN_BIN", ROOT / "build/tarn")).resolve())
BEGIN, END = "<!-- tables: begin -->", "<!-- tables: end -->"
DISAGREEMENTS = Path(__file__).with_name("disagreements.json")


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


def tarn_all(cases):
    with ThreadPoolExecutor(2) as pool:
        return list(pool.map(tarn, cases))


def as_peer(answer):
    """A JSON answer as peers are graded: columns that carry values, and those that decide."""
    columns = {}
    for column in answer["columns"]:
        columns.setdefault(column["output"].lower(), set()).update(
            s["column"].lower() for s in column["sources"])
    return set(answer["inputs"]), set(answer["outputs"]), columns


def of_peer(answer):
    """The same of a peer's answer; none is wrong everywhere."""
    if "error" in answer:
        return set(), set(), {"<none>": {"<none>"}}
    columns = {output: set(sources) for output, sources in answer["columns"].items()}
    return set(answer["inputs"]), set(answer["outputs"]), columns


def verdicts(case, inputs, outputs, columns):
    expected = case["expected"]
    table = grading.table_right(expected, inputs, outputs)
    strict = grading.columns_right(expected, columns)
    return {"table": table, "column_strict": strict,
            "column_lenient": strict or grading.columns_right(expected, columns, by_name=False),
            "right": table and strict}


def case_table(cases, answers, peer_answers):
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
    for name, version in peer_tools.versions().items():
        results = [verdicts(c, *of_peer(a)) for c, a in zip(cases, peer_answers[name])]
        row(name, f"{version}, run here", results)
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


def as_answer(peer_answer):
    """A peer's answer in the shape of ours, every source DIRECT: they know no other."""
    _, _, columns = of_peer(peer_answer)
    return {"columns": [{"output": output, "sources": [{"column": s, "kind": "IDENTITY"}
                                                       for s in sorted(sources)]}
                        for output, sources in columns.items()]}


def direct_only(answer):
    """Ours without the columns that decide about an output: how a tool without kinds would say it."""
    answer = answer.get("expanded", answer) | {"partitions": answer.get("partitions", {})}
    columns = [{**c, "sources": [s for s in c["sources"] if s["kind"] in facts.DIRECT]}
               for c in answer["columns"]]
    return {**answer, "columns": columns}


def fact_table(sample):
    names = list(peer_tools.versions())
    disagreements = json.loads(DISAGREEMENTS.read_text())
    rows = []
    for source, load in facts.ALL.items():
        listed = load(SHARED)
        chosen = listed[::max(1, len(listed) // sample)][:sample] if sample else listed
        cases = [fact.case() for fact in chosen]

        def share(answers):
            count = sum(facts.agrees(f, a) for f, a in zip(chosen, answers))
            return f"{count} ({100 * count / len(chosen):.1f} %)"

        answers = tarn_all(cases)
        unread = sum(any(w["code"] == "syntax" for w in a["warnings"]) for a in answers)
        # Of all: that these are the ones, and no others, is a test (test_lineage_cases.py).
        agreed = len(listed) - sum(map(len, disagreements[source].values()))
        rows.append([source, f"{agreed} of {len(listed)} ({100 * agreed / len(listed):.1f} %)",
                     len(chosen), unread, share(answers), share(map(direct_only, answers)),
                     *(share(map(as_answer, peer_tools.ask(name, cases))) for name in names)])
    return markdown(["facts of", "Tarn, of all", "asked of each", "unread by Tarn", "**Tarn**",
                     "Tarn, DIRECT sources only", *names], rows)


def disagreement_table():
    rows = []
    for source, classes in json.loads(DISAGREEMENTS.read_text()).items():
        rows += [[source, name, len(ids)] for name, ids in classes.items()]
    return markdown(["facts of", "class of disagreement", "statements"], rows)


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
                        help="statements of each file of facts; 0: all")
    options = parser.parse_args()
    cases = json.loads((SHARED / "cases.json").read_text())
    answers = {case["id"]: answer for case, answer in zip(cases, tarn_all(cases))}
    peer_answers = {name: peer_tools.ask(name, cases) for name in peer_tools.versions()}
    text = "\n\n".join([
        case_table(cases, answers, peer_answers),
        "By family, kinds and every-row edges included: " + family_table(cases, answers) + ".",
        fact_table(options.facts),
        disagreement_table()])
    if options.write is None:
        print(text)
        return
    document = options.write.read_text()
    before, _, rest = document.partition(BEGIN)
    _, _, after = rest.partition(END)
    options.write.write_text(f"{before}{BEGIN}\n{text}\n{END}{after}")


if __name__ == "__main__":
    main()
