"""Three processes of three engines append unique ids to one table; a fourth reader finds exactly the
rows that were acknowledged."""

import multiprocessing
import os
import time

import pytest

SECONDS = int(os.environ.get("TARN_INTEROP_SECONDS", "5"))  # `make interop`: 30


def append_with_delta_rs(table, until, acknowledged):
    import deltalake
    import pyarrow as pa

    number = 0
    while time.time() < until:
        row = pa.table({"writer": ["delta-rs"], "n": pa.array([number], pa.int64())})
        try:
            deltalake.write_deltalake(table, row, mode="append")
            acknowledged.append(number)
        except Exception:
            pass  # not acknowledged: the row must be absent, so its number is not used again
        number += 1
    os._exit(0)  # delta-rs's threads may abort an ordinary exit


def test_acknowledged_rows_are_there_once(tarn, duckdb, request):
    from peers import Spark

    tarn.init()
    table = str(tarn.lake / "shared")
    tarn.sql(f"CREATE TABLE '{table}' (writer STRING, n BIGINT)")
    until = time.time() + SECONDS
    manager = multiprocessing.Manager()
    acknowledged = manager.list()
    other = multiprocessing.Process(target=append_with_delta_rs, args=(table, until, acknowledged))
    other.start()
    wanted = {"tarn": set(), "spark": set(), "delta-rs": set()}
    spark = request.getfixturevalue("spark") if Spark.installed() else None
    number = 0
    while time.time() < until:
        tarn.sql(f"INSERT INTO '{table}' VALUES ('tarn', {number})")
        wanted["tarn"].add(number)
        if spark is not None and number % 5 == 0:
            spark.sql(f"INSERT INTO delta.`{table}` VALUES ('spark', {number})")
            wanted["spark"].add(number)
        number += 1
    other.join()
    wanted["delta-rs"] = set(acknowledged)
    rows = duckdb.read(table).to_pylist()
    for writer, numbers in wanted.items():
        found = [row["n"] for row in rows if row["writer"] == writer]
        assert sorted(found) == sorted(numbers), writer
    assert wanted["tarn"] and wanted["delta-rs"]
    assert tarn.value(f"SELECT count(*) FROM '{table}'") == len(rows)
