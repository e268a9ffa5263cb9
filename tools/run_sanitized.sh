#!/usr/bin/env bash
# Builds and runs tests under sanitizers.
#
#   asan  address + undefined behaviour: all unit tests and the simulation
#   tsan  threads: unit tests of base, table and write (Arrow and DuckDB are prebuilt without it,
#         so what is concurrent in Tarn is tested where it is alone)
#
# Usage: tools/run_sanitized.sh asan|tsan
set -euo pipefail

cd "$(dirname "$0")/.."
preset=$1
export TARN_SHARED=${TARN_SHARED:-$PWD/../shared}
export TARN_SIM_SEEDS=${TARN_SIM_SEEDS:-50}  # under a sanitizer each seed costs ten times as much

case $preset in
  asan) select=(-L '^(unit|sim)$') ;;
  tsan) select=(-R '^(base|table|write)_test$') ;;
  *) echo "usage: $0 asan|tsan" >&2; exit 2 ;;
esac

cmake --preset "$preset" >/dev/null
# Only what will run is built: ctest knows the names, and they are the targets'.
targets=$(ctest --test-dir "build-$preset" -N "${select[@]}" | sed -n 's/^ *Test *#[0-9]*: //p')
if [ -z "$targets" ]; then
  echo "no test is selected by ${select[*]}" >&2
  exit 1
fi
# shellcheck disable=SC2086
cmake --build "build-$preset" --parallel "${JOBS:-$(nproc)}" --target $targets
ctest --test-dir "build-$preset" "${select[@]}" --output-on-failure --progress --parallel 2
