"""The other engines, each behind the same two calls: read a table, run a statement."""

import json
import pathlib
import subprocess

import pyarrow as pa
import pyarrow.parquet as pq

ROOT = pathlib.Path(__file__).resolve().parents[2]


class DeltaRs:
    name = "delta-rs"

    def read(self, table):
        import deltalake

        engine = deltalake.QueryBuilder().register("t", deltalake.DeltaTable(str(table)))
        reader = engine.execute("SELECT * FROM t")
        return pa.table(reader) if not hasattr(reader, "read_all") else pa.table(reader.read_all())


class DuckDb:
    name = "duckdb"

    def __init__(self):
        import duckdb
        import duckdb_extension_delta

        self.connection = duckdb.connect()
        self.connection.execute("SET TimeZone = 'UTC'")
        folder = pathlib.Path(duckdb_extension_delta.__file__).parent
        (extension,) = folder.glob("extensions/*/delta.duckdb_extension")
        self.connection.execute(f"LOAD '{extension}'")

    def read(self, table):
        found = self.connection.execute(f"SELECT * FROM delta_scan('{table}')").arrow()
        return found.read_all() if hasattr(found, "read_all") else found


class Spark:
    name = "spark"

    def __init__(self, folder):
        self.folder = folder
        self.reads = 0
        python = ROOT / ".peers" / "spark" / "bin" / "python"
        self.process = subprocess.Popen(
            [str(python), str(pathlib.Path(__file__).parent / "spark_worker.py"), str(ROOT / ".peers" / "jars")],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=folder,
            text=True,
        )
        self.version = self._reply()["version"]

    @staticmethod
    def installed():
        return (ROOT / ".peers" / "spark.ready").exists()

    def _reply(self):
        for line in self.process.stdout:
            if line.startswith("{"):
                reply = json.loads(line)
                if not reply["ok"]:
                    raise RuntimeError(reply["error"])
                return reply
        raise RuntimeError("Spark ended")

    def ask(self, **request):
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()
        return self._reply()

    def sql(self, statement):
        return self.ask(sql=statement)["rows"]

    def _rows(self, **request):
        self.reads += 1
        folder = pathlib.Path(self.folder) / f"read{self.reads}"
        self.ask(to=str(folder), **request)
        return pq.read_table(folder)

    def read(self, table, format="delta", **options):
        return self._rows(read=str(table), format=format, options=options)

    def query(self, statement):
        return self._rows(query=statement)

    def iceberg_catalog(self, name, **settings):
        """Makes Iceberg's catalog `name` known, and all others unknown."""
        prefix = f"spark.sql.catalog.{name}"
        self.ask(settings={
            prefix: "org.apache.iceberg.spark.SparkCatalog", f"{prefix}.cache-enabled": "false",
            **{f"{prefix}.{key}": value for key, value in settings.items()}})

    def close(self):
        self.process.stdin.close()
        try:
            self.process.wait(30)
        except subprocess.TimeoutExpired:
            self.process.terminate()
