#!/usr/bin/env bash
# Builds and runs tests under sanitizers.
#
#   asan  address + undefined behaviour: unit tests and the simulation. Avro, ORC, Iceberg, the
#         parser of whole scripts and lineage are being built; they join when they have been gone
#         through once (docs/changes says so too)
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
  asan)
    rooms=(base model storage datafile table delta catalog scan duck write query ingest
           engine cli)
    options=(-DTARN_SIM_SEEDS=50) targets=("${rooms[@]/%/_test}" tests_sim)
    select=(-R "^(sim_.*|($(IFS='|'; echo "${rooms[*]}"))_test)\$")
    export GTEST_FILTER=-Avro*:Orc*:*Lineage*:SqlReport*:SqlText*:CatalogSchema*
    ;;
  tsan) options=() targets=(base_test table_test write_test) select=(-R '^(base|table|write)_test$') ;;
  *) echo "usage: $0 asan|tsan" >&2; exit 2 ;;
esac

cmake --preset "$preset" "${options[@]}" >/dev/null
cmake --build "build-$preset" --parallel "${JOBS:-$(nproc)}" --target "${targets[@]}"
ctest --test-dir "build-$preset" "${select[@]}" --no-tests=error --output-on-failure --progress \
  --parallel 2
