#!/usr/bin/env bash
# Runs every test of a build folder: ctest (unit, contract, simulation, crash), then pytest over the
# real program. Ends with one line that counts single tests of both.
#
# Usage: tools/run_tests.sh <build folder>
set -uo pipefail

cd "$(dirname "$0")/.."
build=$1
export TARN_SHARED=${TARN_SHARED:-$PWD/../shared}
export TARN_BIN=${TARN_BIN:-$PWD/$build/tarn}
if [ ! -d "$TARN_SHARED" ]; then
  echo "test: no folder $TARN_SHARED: tests that need the shared cases and fixtures skip themselves"
fi

results=$build/test-results
rm -rf "$results"
mkdir -p "$results"
status=0

ctest --test-dir "$build" --output-on-failure --no-tests=error --progress --parallel 2 || status=1

# tests/python and tests/interop (pytest.ini); peers that are not installed are skipped by name.
# The tests of one file stay together: its fixtures are made once. In the order of their names: files
# of few tests, which come last otherwise, are the slow ones.
.venv/bin/python -m pytest -p no:cacheprovider -rs --numprocesses 2 --dist loadfile \
  --no-loadscope-reorder \
  --junitxml="$results/pytest.xml" || status=1

.venv/bin/python tools/count_tests.py "$results" || status=1
exit $status
