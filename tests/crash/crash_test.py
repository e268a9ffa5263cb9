"""Kills the real program, at named points and at random, while it ingests; then looks whether a row
is lost or there twice.

usage: crash_test.py TARN [KILLS [SEED]]

Every named point (src/tarn/base/crash_point.cc) must be hit at least once; the counts are printed.
Only Python's own library is used.
"""

import collections
import glob
import json
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
DAY_S = 24 * 3600


def crash_points():
    text = (ROOT / "src/tarn/base/crash_point.cc").read_text()
    return re.findall(r'^ +"([a-z_.]+)",', text, re.MULTILINE)


class Crasher:
    def __init__(self, tarn, folder, seed):
        self.tarn = str(pathlib.Path(tarn).resolve())
        self.folder = folder
        self.random = random.Random(seed)
        self.files = 0
        self.rows = 0  # ids are 1 … rows
        self.hits = collections.Counter()
        self.checks = 0
        (folder / "in").mkdir()

    def add_files(self):
        for _ in range(self.random.randint(1, 3)):
            self.files += 1
            lines = []
            for _ in range(self.random.randint(1, 30)):
                self.rows += 1
                day = f"2026-01-{1 + self.rows % 3:02}"
                lines.append(json.dumps({"id": self.rows, "day": day}))
            # Written whole before it gets its name: a source that is still growing is another test.
            half = self.folder / "half"
            half.write_text("\n".join(lines) + "\n")
            half.rename(self.folder / "in" / f"{self.files:05}.jsonl")

    def start(self, point=None):
        environment = dict(os.environ)
        if point:
            environment["TARN_CRASH_POINT"] = point
        return subprocess.Popen(
            [self.tarn, "ingest", "in/*.jsonl", "--into", "lake/events", "--partition-by", "day",
             "--quiet", "--property", "delta.checkpointInterval=3",
             "--property", "delta.logRetentionDuration=interval 1 days"],
            cwd=self.folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)

    def kill_at(self, point, arrival):
        """Whether the program died there."""
        process = self.start(f"{point}:{arrival}")
        output = process.communicate(timeout=120)[0].decode()
        if process.returncode == -signal.SIGKILL:
            self.hits[point] += 1
            return True
        if process.returncode != 0:
            raise SystemExit(f"FAILED: ingest on the way to {point}: {output}")
        return False

    def kill_at_random(self, longest_s):
        process = self.start()
        time.sleep(self.random.uniform(0, longest_s))
        process.kill()
        output = process.communicate(timeout=120)[0].decode()
        if process.returncode == -signal.SIGKILL:
            self.hits["(at random)"] += 1
            return True
        if process.returncode != 0:
            raise SystemExit(f"FAILED: ingest killed at random: {output}")
        return False

    def recover(self):
        process = self.start()
        output = process.communicate(timeout=120)[0].decode()
        if process.returncode != 0:
            raise SystemExit(f"FAILED: ingest after a kill: exit {process.returncode}: {output}")

    def check(self):
        """Every id is there, once."""
        self.checks += 1
        query = ("SELECT count(*) || '/' || count(DISTINCT id) || '/' || coalesce(min(id), 0) || '/' "
                 "|| coalesce(max(id), 0) AS answer FROM 'lake/events'")
        result = subprocess.run([self.tarn, "sql", query], cwd=self.folder, timeout=120,
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        expected = f"{self.rows}/{self.rows}/1/{self.rows}"
        if result.returncode != 0 or expected not in result.stdout:
            raise SystemExit(f"FAILED: expected {expected}, found:\n{result.stdout}\n"
                             f"kept for a look: {self.folder}")

    def age_log(self):
        """As if days had passed, so that there is a log to clean."""
        then = time.time() - 3 * DAY_S
        for name in glob.glob(str(self.folder / "lake/events/_delta_log/*")):
            os.utime(name, (then, then))


def main():
    if len(sys.argv) < 2:
        raise SystemExit(__doc__)
    kills_wanted = int(sys.argv[2]) if len(sys.argv) > 2 else 200
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    folder = pathlib.Path(tempfile.mkdtemp(prefix="tarn-crash-"))
    crasher = Crasher(sys.argv[1], folder, seed)
    points = crash_points()
    begin = time.monotonic()

    crasher.add_files()
    started = time.monotonic()
    crasher.recover()
    usual_s = time.monotonic() - started
    crasher.check()

    kills = turn = named = 0
    while kills < kills_wanted or any(crasher.hits[point] == 0 for point in points):
        turn += 1
        if turn > 20 * kills_wanted:
            never = [point for point in points if crasher.hits[point] == 0]
            raise SystemExit(f"FAILED: never reached {never}")
        if crasher.random.random() < 0.5:
            crasher.age_log()
        crasher.add_files()
        if turn % 3 == 0:
            died = crasher.kill_at_random(1.2 * usual_s)
        else:
            named += 1
            point = points[named % len(points)]
            # The first arrival is always there to be hit; later ones are in other files.
            arrival = 1 if crasher.hits[point] == 0 else crasher.random.randint(1, 5)
            died = crasher.kill_at(point, arrival)
        kills += died
        # Sometimes the next run is killed as well before one comes through.
        if died and crasher.random.random() < 0.4:
            continue
        crasher.recover()
        # Looking costs more than loading; what is lost or doubled stays so.
        if crasher.random.random() < 0.25:
            crasher.check()
            print(f"{kills} kills, {crasher.rows} rows", file=sys.stderr, flush=True)
    crasher.recover()
    crasher.check()

    for point in points + ["(at random)"]:
        print(f"{crasher.hits[point]:5} {point}")
    print(f"{kills} kills, {crasher.checks} checks, {crasher.rows} rows from {crasher.files} files, "
          f"none lost, none twice; seed {seed}; {time.monotonic() - begin:.0f} s")
    shutil.rmtree(folder)


if __name__ == "__main__":
    main()
