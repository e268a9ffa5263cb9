"""`--memory-limit` holds for the whole process: peak RSS stays within 1.1 × the limit, whatever the size of the input.

The ordinary run takes a few hundred megabytes; `make memory-test` takes 4 GB at 512 MB (TARN_MEMORY_INPUT, TARN_MEMORY_LIMIT).
"""

import os
import random
import shutil

import pytest

from peak_memory import run_measured

MEGABYTE = 1_000_000
INPUT = int(os.environ.get("TARN_MEMORY_INPUT", "300")) * MEGABYTE
LIMIT = int(os.environ.get("TARN_MEMORY_LIMIT", "256")) * MEGABYTE
SLACK = 1.1


def block(seed):
    """Some 4 MB of JSON lines: numbers, texts that repeat and texts that do not, a list, an object, a day of thirty."""
    rng = random.Random(seed)
    lines = []
    for number in range(15_000):
        lines.append(
            f'{{"id":{seed * 15_000 + number},"day":"2026-11-{rng.randrange(1, 31):02d}",'
            f'"at":"2026-11-30T{rng.randrange(24):02d}:{rng.randrange(60):02d}:00.{rng.randrange(10**6):06d}Z",'
            f'"user":"user-{rng.randrange(50_000)}","token":"{rng.getrandbits(256):064x}",'
            f'"price":{rng.random() * 1000:.4f},"tags":["t{rng.randrange(100)}","t{rng.randrange(100)}"],'
            f'"where":{{"lat":{rng.random() * 90:.6f},"lon":{rng.random() * 90:.6f}}}}}\n'
        )
    return "".join(lines).encode()


@pytest.fixture(scope="module")
def events(tmp_path_factory):
    """Files of at most 512 MB that hold INPUT bytes between them, out of sixteen blocks in turn."""
    folder = tmp_path_factory.mktemp("events")
    if shutil.disk_usage(folder).free < 3 * INPUT:
        pytest.skip(f"less than {3 * INPUT // MEGABYTE} MB free in {folder}")
    blocks = [block(seed) for seed in range(16)]
    rows = written = turn = 0
    while written < INPUT:
        with open(folder / f"events{turn:05d}.jsonl", "wb", buffering=0) as file:
            size = 0
            while size < 512 * MEGABYTE and written < INPUT:
                size += file.write(blocks[turn % len(blocks)])
                written += len(blocks[turn % len(blocks)])
                rows += 15_000
                turn += 1
    yield folder / "*.jsonl", rows
    shutil.rmtree(folder)


def run(tarn, *arguments):
    """One run within the limit."""
    facts = run_measured(tarn, *arguments, f"--memory-limit={LIMIT // MEGABYTE}MB")
    peak = facts["peak_bytes"]
    print(
        f"{' '.join(map(str, arguments))[:70]}: peak {peak / MEGABYTE:.0f} MB of {LIMIT / MEGABYTE:.0f} MB, "
        f"{facts['seconds']:.1f} s"
    )
    assert peak <= SLACK * LIMIT, f"peak {peak / MEGABYTE:.0f} MB is more than {SLACK} × {LIMIT / MEGABYTE:.0f} MB"


@pytest.mark.parametrize("partitioned", [False, True], ids=["plain", "partitioned"])
def test_ingest_and_statements(tarn, events, partitioned):
    pattern, rows = events
    tarn.init()
    run(tarn, "ingest", pattern, "--into", "t", *(["--partition-by", "day"] if partitioned else []))
    assert tarn.value("SELECT count(*) FROM t") == rows
    assert tarn.value("SELECT count(DISTINCT id) FROM t") == min(rows, 16 * 15_000)
    if INPUT > 1000 * MEGABYTE:
        return
    run(tarn, "sql", "CREATE TABLE copy AS SELECT * FROM t")
    run(tarn, "sql", "INSERT INTO copy SELECT * FROM t WHERE id % 2 = 0")
    run(tarn, "sql", "UPDATE t SET price = price * 2 WHERE id % 3 = 0")
    run(tarn, "sql", "DELETE FROM t WHERE id % 3 = 1")
    assert tarn.value("SELECT count(*) FROM t WHERE id % 3 = 1") == 0
