"""Ctrl-C in the middle of a load: exit code 130, one line, and nothing half done."""

import json
import signal
import time

from tarn_program import Failed


def data_files(tarn):
    folder = tarn.lake / "default" / "t"
    return [path for path in folder.rglob("*") if path.is_file()]


def test_interrupted_ingest_leaves_nothing(tarn):
    tarn.init()
    rows = 600_000
    events = tarn.folder / "events.jsonl"
    block = "".join(json.dumps({"id": n, "day": f"2026-11-{n % 9 + 1:02d}", "text": "x" * 150}) + "\n" for n in range(10_000))
    with open(events, "w") as file:
        for _ in range(rows // 10_000):
            file.write(block)
    # Held just before the commit would be revealed: all files are written, none is the table's.
    gate = tarn.folder / "gate"
    process = tarn.start(
        "ingest", "--lake", tarn.lake, events, "--into", "t", "--partition-by", "day",
        env={"TARN_HOLD_POINT": f"commit.before_reveal:{gate}"},
    )
    deadline = time.monotonic() + 300
    while not data_files(tarn) and time.monotonic() < deadline:
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    gate.write_text("")
    out, err = process.communicate(timeout=300)
    assert process.returncode == 130, (process.returncode, err)
    assert out == b"" and err.decode() == "error: interrupted\n"
    assert data_files(tarn) == []
    try:
        tarn.sql("SELECT * FROM t")
        raise AssertionError("the table is there")
    except Failed as absent:
        assert absent.code == 1
    tarn.ingest(events, "--into", "t", "--partition-by", "day")
    assert tarn.value("SELECT count(*) FROM t") == rows
