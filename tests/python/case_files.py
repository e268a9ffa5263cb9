"""Inputs and answers of the field failures (test_cases.py, test_iceberg_cases.py)."""

import json
import time

import pyarrow as pa
from pyarrow import csv


def expected(files, name):
    return json.loads((files / name).read_text())


def lines_of(path):
    return path.read_text().splitlines()


def write_lines(path, lines):
    path.write_text("".join(line + "\n" for line in lines))
    return path


# S29: integers, floats and texts by turn.
COLUMNS = 3000
ROWS = 1000
KINDS = ["bigint", "double", "string"]


def write_wide_csv(path, commit):
    """The `commit`-th thousand rows; every value says where it stands."""
    first = commit * ROWS
    names, columns = [], []
    for i in range(COLUMNS):
        names.append(f"c{i}")
        if i % 3 == 0:
            columns.append(pa.array([row + i for row in range(first, first + ROWS)], pa.int64()))
        elif i % 3 == 1:
            columns.append(pa.array([row / 8 + i for row in range(first, first + ROWS)], pa.float64()))
        else:
            columns.append(pa.array([f"s{row % 50}" for row in range(first, first + ROWS)]))
    csv.write_csv(pa.table(columns, names), path, csv.WriteOptions(quoting_style="none"))


def seconds_to_open(tarn, table):
    """The best of five: what the machine does beside this only adds."""
    took = []
    for _ in range(5):
        began = time.monotonic()
        tarn.json("table", "schema", table)
        took.append(time.monotonic() - began)
    return min(took)
