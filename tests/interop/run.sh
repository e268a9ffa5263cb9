#!/usr/bin/env bash
# Every interop test, Spark included: installs the peers (once), then runs them all.
set -euo pipefail
cd "$(dirname "$0")/../.."
tests/interop/setup_spark.sh
TARN_INTEROP_SECONDS=${TARN_INTEROP_SECONDS:-30} .venv/bin/python -m pytest tests/interop -p no:cacheprovider "$@"
