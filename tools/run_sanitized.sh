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
case $preset in
  # Under a sanitizer each seed of the simulation costs ten times as much.
  asan) options=(-DTARN_SIM_SEEDS=12) targets=(tests_unit tests_sim) select=(-L '^(unit|sim)$') ;;
  tsan) options=() targets=(base_test table_test write_test) select=(-R '^(base|table|write)_test$') ;;
  *) echo "usage: $0 asan|tsan" >&2; exit 2 ;;
esac

# Frames of unoptimised, watched code are ten times as large: trees of 1,000 levels need more than
# the usual 8 MB of stack.
ulimit -S -s 131072

cmake --preset "$preset" "${options[@]}" >/dev/null
cmake --build "build-$preset" --parallel "${JOBS:-$(nproc)}" --target "${targets[@]}"
ctest --test-dir "build-$preset" "${select[@]}" --no-tests=error --output-on-failure --progress \
  --parallel 2
