"""Compares an answer of `tarn lineage --format json` with a case's `expected`.

The rules are those of ../shared/lineage/README.md. `grade_case` judges everything that Tarn must have
right: datasets, columns with their kinds, and what acts on every row. `table_right` and
`columns_right` are the two verdicts that peers get too (their kinds are not graded).
"""

DIRECT = ("IDENTITY", "TRANSFORMATION", "AGGREGATION")


def _sources(entries):
    return {(s["column"].lower(), s["kind"]) for s in entries}


def _direct(entries):
    return {s["column"].lower() for s in entries if s["kind"] in DIRECT}


def _indirect(entries):
    return {s["column"].lower() for s in entries if s["kind"] not in DIRECT}


def _allowed(expected, output):
    allowed = expected.get("allow", {})
    return {c.lower() for c in allowed.get(output, [])}, output in allowed and not allowed[output]


def table_right(expected, inputs, outputs):
    """Inputs and outputs, exact but for what is optional."""
    for key, got in (("inputs", inputs), ("outputs", outputs)):
        optional = {d.lower() for d in expected.get(key + "_optional", [])}
        required = {d.lower() for d in expected.get(key, [])} - optional
        got = {d.lower() for d in got}
        if not required <= got or not got <= required | optional:
            return False
    return True


def columns_right(expected, got, by_name=True):
    """`got`: {output: set of source columns}, kinds unknown. Strict, or ignoring the outputs' names."""
    wanted = []
    for column in expected["columns"]:
        output = column["output"].lower()
        direct = _direct(column["sources"])
        allowed, optional = _allowed(expected, column["output"])
        if optional:
            wanted.append((output, set(), direct | _indirect(column["sources"])))
        else:
            wanted.append((output, direct, direct | _indirect(column["sources"]) | allowed))
    if by_name:
        got = dict(got)
        for output, least, most in wanted:
            sources = got.pop(output, set())
            if not least <= sources <= most:
                return False
        extra = {o.lower() for o in expected.get("extra_ok", [])}
        return all(not sources or output in extra for output, sources in got.items())
    left = [sources for sources in got.values() if sources]
    for _, least, most in sorted(wanted, key=lambda w: -len(w[1])):
        fit = next((s for s in left if least <= s <= most), None)
        if fit is None:
            if least:
                return False
            continue
        left.remove(fit)
    return not left


def _grade_columns(expected, columns):
    problems = []
    got = {}
    for column in columns:
        got.setdefault(column["output"].lower(), []).extend(column["sources"])
    # A plain query may have two columns of one name.
    for column in expected["columns"]:
        output = column["output"].lower()
        sources = got.pop(output, None)
        allowed, optional = _allowed(expected, column["output"])
        if sources is None:
            if column["sources"]:
                problems.append(f"{output}: missing")
            continue
        want, have = _sources(column["sources"]), _sources(sources)
        if optional:
            want = want & have
        missing = want - have
        # A column of a stored struct may be said with its field path, as IDENTITY.
        extra = {s for s in have - want if s[0] not in allowed}
        # coalesce() may be a condition too.
        direct = {c for c, kind in want if kind in DIRECT}
        extra = {s for s in extra if not (s[1] == "CONDITIONAL" and s[0] in direct)}
        if missing or extra:
            problems.append(f"{output}: missing {sorted(missing)}, not expected {sorted(extra)}")
        masking = {s["column"].lower() for s in column["sources"] if s.get("masking")}
        masked = {s["column"].lower() for s in sources if s.get("masking")}
        if masking != masked:
            problems.append(f"{output}: masking {sorted(masked)}, expected {sorted(masking)}")
    extra_ok = {o.lower() for o in expected.get("extra_ok", [])}
    for output, sources in got.items():
        if sources and output not in extra_ok:
            problems.append(f"{output}: not expected, from {sorted(_sources(sources))}")
    return problems


def _grade_effects(expected, answer):
    def entries(listed):
        result = set()
        for entry in listed:
            for output in entry.get("outputs", [None]):
                result.add((entry["column"].lower(), entry["kind"], output))
        return result

    restricted = any("outputs" in e for e in expected["dataset"])
    want = entries(expected["dataset"])
    have = entries(answer["dataset"])
    if not restricted:
        have = {(column, kind, None) for column, kind, _ in have}
    optional = {(c, k, None) for c, k, _ in entries(expected.get("dataset_optional", []))}
    missing = want - have
    extra = {e for e in have - want if (e[0], e[1], None) not in optional}
    if missing or extra:
        return [f"every row: missing {sorted(missing)}, not expected {sorted(extra)}"]
    return []


def grade_case(case, answer):
    """What is wrong with `answer`; empty if it is right."""
    expected = case["expected"]
    problems = []
    if not table_right(expected, answer["inputs"], answer["outputs"]):
        problems.append(f"inputs {answer['inputs']}, outputs {answer['outputs']}; expected "
                        f"{expected['inputs']}, {expected['outputs']}")
    problems += _grade_columns(expected, answer["columns"])
    problems += _grade_effects(expected, answer)
    for key in ("ddl", "partitions", "schema_from", "maintenance", "transient"):
        if key in expected and answer.get(key) != expected[key]:
            problems.append(f"{key}: {answer.get(key)}, expected {expected[key]}")
    return problems
