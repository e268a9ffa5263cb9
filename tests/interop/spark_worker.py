"""Spark with Delta Lake and Iceberg as a child process: one request per line of standard input, JSON
in and out.

{"read": path, "format": "delta", "to": folder}   writes the table's rows as Parquet into `folder`
{"query": statement, "to": folder}                the same with what a query gives
{"sql": statement}                                runs a statement
{"settings": {name: value}}                       goes on in a new session: catalogs are loaded once
Run with the interpreter of .peers/spark.
"""

import glob
import json
import os
import sys


def session(jars, drivers):
    from pyspark.sql import SparkSession

    os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
    settings = {
        "spark.jars": jars,
        "spark.driver.extraClassPath": drivers,  # JDBC's own loader does not look into spark.jars
        "spark.driver.memory": "1g",
        "spark.ui.enabled": "false",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.host": "127.0.0.1",
        "spark.sql.shuffle.partitions": "2",
        "spark.default.parallelism": "2",
        "spark.sql.session.timeZone": "UTC",
        "spark.ui.showConsoleProgress": "false",
        "spark.databricks.delta.snapshotPartitions": "2",
        "spark.sql.sources.parallelPartitionDiscovery.parallelism": "2",
        "spark.sql.parquet.outputTimestampType": "TIMESTAMP_MICROS",
        # The answer is handed over as Parquet: days before 1582 as they are.
        "spark.sql.parquet.datetimeRebaseModeInWrite": "CORRECTED",
        "spark.sql.extensions": "io.delta.sql.DeltaSparkSessionExtension,"
        "org.apache.iceberg.spark.extensions.IcebergSparkSessionExtensions",
        "spark.sql.catalog.spark_catalog": "org.apache.spark.sql.delta.catalog.DeltaCatalog",
        "spark.sql.warehouse.dir": os.path.join(os.getcwd(), "warehouse"),
        "spark.driver.extraJavaOptions": "-XX:+UseSerialGC -Duser.timezone=UTC",
    }
    builder = SparkSession.builder.master("local[2]").appName("interop")
    for key, value in settings.items():
        builder = builder.config(key, value)
    spark = builder.getOrCreate()
    spark.sparkContext.setLogLevel("OFF")
    return spark


def answer(spark, request):
    if "to" in request:
        if "query" in request:
            frame = spark.sql(request["query"])
        else:
            reader = spark.read.format(request.get("format", "delta")).options(**request.get("options", {}))
            frame = reader.load(request["read"])
        frame.coalesce(1).write.mode("overwrite").parquet(request["to"])
        return {"ok": True}
    rows = spark.sql(request["sql"]).collect()
    return {"ok": True, "rows": [[str(value) for value in row] for row in rows]}


def main():
    def found(*names):
        return [path for path in glob.glob(sys.argv[1] + "/*.jar") if os.path.basename(path).startswith(names)]

    spark = session(",".join(found("delta-", "iceberg-")), ":".join(found("sqlite-", "postgresql-")))
    print(json.dumps({"ok": True, "version": spark.version}), flush=True)
    for line in sys.stdin:
        try:
            request = json.loads(line)
            if "settings" in request:
                spark = spark.newSession()
                for key, value in request["settings"].items():
                    spark.conf.set(key, value)
                reply = {"ok": True}
            else:
                reply = answer(spark, request)
        except Exception as error:  # every failure is an answer
            lines = str(error).strip().splitlines()
            causes = [line for line in lines if line.startswith("Caused by")]
            reply = {"ok": False, "error": " ".join([*lines[:2], *causes[-1:]])[:800]}
        print(json.dumps(reply), flush=True)


if __name__ == "__main__":
    main()
