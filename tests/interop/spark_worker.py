"""Spark with Delta Lake as a child process: one request per line of standard input, JSON in and out.

{"read": path, "to": folder}   writes the table's rows as Parquet into `folder`
{"sql": statement}             runs a statement
Run with the interpreter of .peers/spark.
"""

import glob
import json
import os
import sys


def session(jars):
    from pyspark.sql import SparkSession

    os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
    settings = {
        "spark.jars": jars,
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
        "spark.sql.extensions": "io.delta.sql.DeltaSparkSessionExtension",
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
    if "read" in request:
        frame = spark.read.format("delta").options(**request.get("options", {})).load(request["read"])
        frame.coalesce(1).write.mode("overwrite").parquet(request["to"])
        return {"ok": True}
    rows = spark.sql(request["sql"]).collect()
    return {"ok": True, "rows": [[str(value) for value in row] for row in rows]}


def main():
    jars = ",".join(
        path for path in glob.glob(sys.argv[1] + "/*.jar") if os.path.basename(path).startswith("delta-")
    )
    spark = session(jars)
    print(json.dumps({"ok": True, "version": spark.version}), flush=True)
    for line in sys.stdin:
        try:
            reply = answer(spark, json.loads(line))
        except Exception as error:  # every failure is an answer
            lines = str(error).strip().splitlines()
            causes = [line for line in lines if line.startswith("Caused by")]
            reply = {"ok": False, "error": " ".join([lines[0], *causes[-1:]])[:800]}
        print(json.dumps(reply), flush=True)


if __name__ == "__main__":
    main()
