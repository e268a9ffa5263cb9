#!/usr/bin/env bash
# Spark 3.5.9 with Delta Lake 3.3.3 and Iceberg 1.12.0 for the interop tests, below .peers/ (ignored by
# git): a virtual environment with PySpark, and jars fetched by Maven. Does nothing when it is there
# already.
set -euo pipefail
cd "$(dirname "$0")/../.."
peers=.peers
made_from=$(sha256sum <tests/interop/pom.xml)
if [ "$(cat "$peers/spark.ready" 2>/dev/null)" = "$made_from" ]; then exit 0; fi
command -v java >/dev/null || { echo "interop: Spark needs Java 17 (openjdk-17-jre-headless)" >&2; exit 1; }
command -v mvn >/dev/null || { echo "interop: jars are fetched by Maven (package maven)" >&2; exit 1; }
mkdir -p "$peers"
echo "interop: installing PySpark 3.5.9 (318 MB, once) …"
[ -x "$peers/spark/bin/python" ] || python3 -m venv "$peers/spark"
"$peers/spark/bin/pip" install --quiet pyspark==3.5.9 setuptools==80.9.0 pyarrow==26.0.1 pandas==2.3.3
mvn -B -q -f tests/interop/pom.xml dependency:copy-dependencies \
  -DoutputDirectory="$PWD/$peers/jars" -DincludeScope=runtime
echo "$made_from" >"$peers/spark.ready"
