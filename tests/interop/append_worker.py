"""Appends rows ('delta-rs', n) with delta-rs to a table until a time; prints each n that was acknowledged:
append_worker.py TABLE UNTIL"""

import os
import sys
import time

import deltalake
import pyarrow as pa


def main(table, until):
    number = 0
    while time.time() < until:
        row = pa.table({"writer": ["delta-rs"], "n": pa.array([number], pa.int64())})
        try:
            deltalake.write_deltalake(table, row, mode="append")
            print(number, flush=True)
        except Exception as error:
            # Not acknowledged: the row must be absent, so its number is not used again.
            print(f"{number}: {error}", file=sys.stderr, flush=True)
        number += 1
    os._exit(0)  # delta-rs's threads may abort an ordinary exit


if __name__ == "__main__":
    main(sys.argv[1], float(sys.argv[2]))
