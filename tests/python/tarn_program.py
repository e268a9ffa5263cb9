"""Runs the `tarn` program and reads what it prints."""

import io
import json
import os
import subprocess

import pyarrow as pa


class Failed(Exception):
    """The program refused: `code` is its exit code, `message` what it said."""

    def __init__(self, arguments, code, message):
        super().__init__(f"tarn {' '.join(map(str, arguments))} → {code}: {message}")
        self.code = code
        self.message = message


class Tarn:
    """One lake below `folder`. Every call is a process of its own."""

    def __init__(self, program, folder):
        self.program = program
        self.folder = folder
        self.lake = folder / "lake"
        self.environment = {}

    def start(self, *arguments, **options):
        environment = {**os.environ, "TZ": "UTC", **self.environment, **options.pop("env", {})}
        return subprocess.Popen(
            [self.program, *map(str, arguments)],
            stdin=options.pop("stdin", subprocess.DEVNULL),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=options.pop("cwd", self.folder),
            env=environment,
            **options,
        )

    def run(self, *arguments, **options):
        """Standard output as text; Failed for any exit code but 0."""
        return self.run_bytes(*arguments, **options).decode()

    def run_bytes(self, *arguments, **options):
        process = self.start(*arguments, **options)
        out, err = process.communicate(timeout=600)
        if process.returncode != 0:
            raise Failed(arguments, process.returncode, err.decode(errors="replace").strip())
        self.messages = err.decode(errors="replace")
        return out

    def init(self):
        self.run("init", self.lake)
        return self

    def _lake(self):
        return ["--lake", self.lake] if self.lake.exists() else []

    def sql(self, text, *arguments, **options):
        """Rows as dictionaries, through JSON lines."""
        out = self.run("sql", *self._lake(), "--yes", "--format", "jsonl", *arguments, text, **options)
        return [json.loads(line) for line in out.splitlines()]

    def table(self, text, *arguments, **options):
        """Rows as an Arrow table, types and all."""
        out = self.run_bytes("sql", *self._lake(), "--yes", "--format", "arrow", *arguments, text, **options)
        return pa.ipc.open_stream(io.BytesIO(out)).read_all()

    def column(self, text, *arguments):
        """The values of a query's single column."""
        return [next(iter(row.values())) for row in self.sql(text, *arguments)]

    def value(self, text, *arguments):
        """The one value of a query of one row and one column."""
        (value,) = self.column(text, *arguments)
        return value

    def ingest(self, *arguments, **options):
        return self.run("ingest", *self._lake(), *arguments, **options)

    def json(self, *arguments):
        return json.loads(self.run(*arguments, *self._lake(), "--json"))
