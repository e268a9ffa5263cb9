"""Kills the real program, at named points and at random, while it ingests; then looks whether a row
is lost or there twice.

usage: crash_test.py [--format delta|iceberg] TARN [KILLS [SEED]]

Every named point (src/tarn/base/crash_point.cc) that the format's commits pass must be hit at least
once; the counts are printed. Delta tables need Python's own library only. Iceberg tables, half of
the kills on a path and half in the lake's catalog, are looked at by PyIceberg after every kill
and after the next run: there are the rows that were acknowledged, or those of the killed commit as
well, all of them.
"""

import argparse
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
SKIPPED = 77  # ctest's SKIP_RETURN_CODE


def crash_points():
    text = (ROOT / "src/tarn/base/crash_point.cc").read_text()
    return re.findall(r'^ +"([a-z_.]+)",', text, re.MULTILINE)


class DeltaOnPath:
    name = "delta on a path"
    place = "lake/events"
    query_from = "'lake/events'"
    arguments = ["--property", "delta.checkpointInterval=3",
                 "--property", "delta.logRetentionDuration=interval 1 days"]
    never = {"commit.between_stages"}  # an append is one object

    def __init__(self, tarn, folder):
        self.folder = folder

    def before_run(self, choice):
        """Sometimes as if days had passed, so that there is a log to clean."""
        if choice < 0.5:
            then = time.time() - 3 * DAY_S
            for name in glob.glob(str(self.folder / "lake/events/_delta_log/*")):
                os.utime(name, (then, then))

    def ids(self):
        return None  # nobody looks but Tarn


class Iceberg:
    """A table whose manifests are merged and whose old metadata goes all the time."""

    arguments = ["--format", "iceberg", "--property", "commit.manifest.min-count-to-merge=3",
                 "--property", "write.metadata.delete-after-commit.enabled=true",
                 "--property", "write.metadata.previous-versions-max=3"]

    def __init__(self, tarn, folder):
        self.folder = folder
        self.read = {}  # path of a data file -> its ids: such a file never changes
        self.seen = None  # the newest snapshot of the last look

    def before_run(self, choice):
        pass

    def ids(self):
        """As PyIceberg plans the newest state; sorted. Every file that it plans is read, once."""
        import pyarrow.parquet

        table = self.newest()
        # Nothing expires here. Were a state taken back, the next run would load its rows again.
        assert self.seen is None or table.snapshot_by_id(self.seen), f"snapshot {self.seen} is gone"
        self.seen = table.current_snapshot().snapshot_id if table else None
        found = []
        for task in (table.scan().plan_files() if table else []):
            path = task.file.file_path.removeprefix("file://")
            if path not in self.read:
                self.read[path] = pyarrow.parquet.read_table(path, columns=["id"])["id"].to_pylist()
            assert len(self.read[path]) == task.file.record_count, path
            found += self.read[path]
        return sorted(found)

    def ids_of_a_whole_scan(self):
        table = self.newest()
        return sorted(table.scan().to_arrow()["id"].to_pylist()) if table else []


class IcebergOnPath(Iceberg):
    name = "iceberg on a path"
    place = "lake/events"
    query_from = "'lake/events'"
    never = set()

    def newest(self):
        """As Iceberg's HadoopTableOperations finds it: from the hint on to the last that exists."""
        from pyiceberg.table import StaticTable

        metadata = self.folder / "lake/events/metadata"
        hint = metadata / "version-hint.text"
        numbers = [int(path.name[1:].split(".")[0]) for path in metadata.glob("v*.metadata.json")]
        version = int(hint.read_text()) if hint.exists() else max(numbers, default=0)
        while version + 1 in numbers:
            version += 1
        if not hint.exists() and version == 0:
            return None
        return StaticTable.from_metadata(f"file://{metadata}/v{version}.metadata.json")


class IcebergInCatalog(Iceberg):
    name = "iceberg in the lake's catalog"
    place = "events"
    query_from = "events"
    never = {"upkeep.between_puts", "disk.before_replace"}  # no hint; all other names are new

    def __init__(self, tarn, folder):
        super().__init__(tarn, folder)
        subprocess.run([tarn, "init", "lake", "--quiet"], cwd=folder, check=True, timeout=120)
        self.arguments = [*Iceberg.arguments, "--lake", "lake"]
        self.catalog = None

    def newest(self):
        from pyiceberg.catalog.sql import SqlCatalog
        from pyiceberg.exceptions import NoSuchTableError

        if self.catalog is None:
            uri = f"sqlite:///{self.folder}/lake/.tarn/catalog.db"
            self.catalog = SqlCatalog("tarn", uri=uri, warehouse=f"file://{self.folder}/lake")
        try:
            return self.catalog.load_table("default.events")
        except NoSuchTableError:
            return None


class Crasher:
    def __init__(self, tarn, folder, seed, home):
        self.tarn = str(pathlib.Path(tarn).resolve())
        self.folder = folder
        self.home = home(self.tarn, folder)
        self.random = random.Random(seed)
        self.files = 0
        self.rows = 0  # ids are 1 … rows
        self.acknowledged = 0  # of these
        self.hits = collections.Counter()
        self.checks = self.looks = self.unheard = 0
        (folder / "in").mkdir()

    def fail(self, text):
        raise SystemExit(f"FAILED: {self.home.name}: {text}\nkept for a look: {self.folder}")

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
            [self.tarn, "ingest", "in/*.jsonl", "--into", self.home.place, "--partition-by", "day",
             "--quiet", *self.home.arguments],
            cwd=self.folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)

    def ended(self, process, where):
        """Whether it was killed at `where`."""
        output = process.communicate(timeout=120)[0].decode()
        killed = process.returncode == -signal.SIGKILL
        if killed:
            self.hits[where] += 1
            self.look({self.acknowledged, self.rows})
        elif process.returncode != 0:
            self.fail(f"ingest, to be killed {where}: {output}")
        else:
            self.acknowledged = self.rows
        return killed

    def kill_at(self, point, arrival):
        """Whether the program died there."""
        return self.ended(self.start(f"{point}:{arrival}"), point)

    def kill_at_random(self, longest_s):
        process = self.start()
        time.sleep(self.random.uniform(0, longest_s))
        process.kill()
        return self.ended(process, "(at random)")

    def recover(self):
        process = self.start()
        output = process.communicate(timeout=120)[0].decode()
        if process.returncode != 0:
            self.fail(f"ingest after a kill: exit {process.returncode}: {output}")
        self.look({self.rows})

    def look(self, right):
        """What another reader sees: as many rows as one of `right` says. After a kill these are the
        rows acknowledged before, or with them the whole of the commit that was killed."""
        try:
            ids = self.home.ids()
        except Exception as error:  # whatever the reader says of a table it cannot read
            self.fail(f"unreadable: {type(error).__name__}: {error}")
        if ids is None:
            return
        self.looks += 1
        if len(ids) not in right or ids != list(range(1, len(ids) + 1)):
            self.fail(f"expected the ids up to one of {right}, found {len(ids)}: {ids[-20:]}")
        self.unheard += self.acknowledged in right and self.acknowledged < len(ids)
        self.acknowledged = len(ids)

    def check(self):
        """Every id is there, once."""
        self.checks += 1
        query = ("SELECT count(*) || '/' || count(DISTINCT id) || '/' || coalesce(min(id), 0) || '/' "
                 f"|| coalesce(max(id), 0) AS answer FROM {self.home.query_from}")
        lake = [word for word in self.home.arguments if word == "lake"]
        result = subprocess.run([self.tarn, "sql", *(["--lake", "lake"] if lake else []), query],
                                cwd=self.folder, timeout=120,
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        expected = f"{self.rows}/{self.rows}/1/{self.rows}"
        if result.returncode != 0 or expected not in result.stdout:
            self.fail(f"expected {expected}, found:\n{result.stdout}")

    def run(self, kills_wanted):
        points = [point for point in crash_points() if point not in self.home.never]
        begin = time.monotonic()
        self.add_files()
        started = time.monotonic()
        self.recover()
        usual_s = time.monotonic() - started
        self.check()

        kills = turn = named = 0
        arrivals = dict.fromkeys(points, 5)
        while kills < kills_wanted or any(self.hits[point] == 0 for point in points):
            turn += 1
            if turn > 5 * kills_wanted + 100:
                self.fail(f"never reached {[point for point in points if self.hits[point] == 0]}")
            self.home.before_run(self.random.random())
            self.add_files()
            if turn % 3 == 0:
                died = self.kill_at_random(1.2 * usual_s)
            else:
                named += 1
                point = points[named % len(points)]
                # The first arrival is always there to be hit; later ones are in other files, unless
                # one was waited for in vain.
                arrival = 1 if self.hits[point] == 0 else self.random.randint(1, arrivals[point])
                died = self.kill_at(point, arrival)
                if not died and arrival > 1:
                    arrivals[point] = arrival - 1
            kills += died
            # Sometimes the next run is killed as well before one comes through.
            if died and self.random.random() < 0.4:
                continue
            if died:
                started = time.monotonic()
                self.recover()
                usual_s = time.monotonic() - started
            # Looking costs more than loading; what is lost or doubled stays so.
            if self.random.random() < (0.1 if self.looks else 0.25):
                self.check()
                print(f"{kills} kills, {self.rows} rows", file=sys.stderr, flush=True)
        self.recover()
        self.check()
        self.whole_scan()
        self.report(points, kills, time.monotonic() - begin)

    def whole_scan(self):
        if self.looks and self.home.ids_of_a_whole_scan() != list(range(1, self.rows + 1)):
            self.fail("a whole scan finds other rows")

    def report(self, points, kills, seconds):
        print(f"{self.home.name}:")
        for point in points + ["(at random)"]:
            print(f"{self.hits[point]:5} {point}")
        looks = f", {self.looks} looks by PyIceberg ({self.unheard} commits unheard)" if self.looks else ""
        print(f"{kills} kills, {self.checks} checks{looks}, {self.rows} rows from {self.files} files, "
              f"none lost, none twice; {seconds:.0f} s")


HOMES = {"delta": [DeltaOnPath], "iceberg": [IcebergOnPath, IcebergInCatalog]}


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--format", choices=HOMES, default="delta")
    parser.add_argument("tarn")
    parser.add_argument("kills", type=int, nargs="?", default=200)
    parser.add_argument("seed", type=int, nargs="?", default=1)
    wishes = parser.parse_args()
    if wishes.format == "iceberg":
        try:
            import pyiceberg.catalog.sql  # noqa: F401
        except ImportError as error:
            print(f"skipped: {error}")
            raise SystemExit(SKIPPED) from None
    homes = HOMES[wishes.format]
    for home in homes:
        folder = pathlib.Path(tempfile.mkdtemp(prefix="tarn-crash-"))
        Crasher(wishes.tarn, folder, wishes.seed, home).run(wishes.kills // len(homes))
        shutil.rmtree(folder)
    print(f"seed {wishes.seed}")


if __name__ == "__main__":
    main()
