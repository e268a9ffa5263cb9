"""Three processes of three engines append unique ids to one table; a fourth reader finds exactly the
rows that were acknowledged."""

import os
import pathlib
import subprocess
import sys
import time


from peers import Spark

SECONDS = int(os.environ.get("TARN_INTEROP_SECONDS", "5"))  # `make interop`: 30
WORKER = pathlib.Path(__file__).parent / "append_worker.py"


def append(run, writer, table, number, acknowledged):
    run(f"INSERT INTO {table} VALUES ('{writer}', {number})")
    acknowledged.add(number)


def test_acknowledged_rows_are_there_once(tarn, delta_rs, duckdb, request):
    tarn.init()
    table = str(tarn.lake / "shared")
    tarn.sql(f"CREATE TABLE '{table}' (writer STRING, n BIGINT)")
    spark = request.getfixturevalue("spark") if Spark.installed() else None
    until = time.time() + SECONDS
    command = [sys.executable, str(WORKER), table, str(until)]
    other = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    wanted = {"tarn": set(), "spark": set(), "delta-rs": set()}
    number = 0
    while time.time() < until:
        append(tarn.sql, "tarn", f"'{table}'", number, wanted["tarn"])
        if spark is not None and number % 5 == 0:
            append(spark.sql, "spark", f"delta.`{table}`", number, wanted["spark"])
        number += 1
    out, err = other.communicate(timeout=120)
    wanted["delta-rs"] = {int(line) for line in out.split()}
    rows = duckdb.read(table).to_pylist()
    for writer, numbers in wanted.items():
        found = [row["n"] for row in rows if row["writer"] == writer]
        assert sorted(found) == sorted(numbers), writer
    assert wanted["tarn"] and wanted["delta-rs"], err[-500:]
    assert tarn.value(f"SELECT count(*) FROM '{table}'") == len(rows)
