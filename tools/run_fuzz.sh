#!/usr/bin/env bash
# Runs each fuzz target from its kept corpus. New inputs go to build-fuzz/corpus/<target>; a crash
# ends the run and leaves its input in build-fuzz.
#
# Usage: tools/run_fuzz.sh [target...]    SECONDS_EACH=60 by default
set -euo pipefail

cd "$(dirname "$0")/.."
seconds=${SECONDS_EACH:-60}
cmake --preset fuzz >/dev/null
targets=("$@")
if [ ${#targets[@]} = 0 ]; then
  mapfile -t targets < <(cd tests/fuzz && ls -- *_fuzz.cc | sed 's/[.]cc$//')
fi
cmake --build build-fuzz --parallel "${JOBS:-$(nproc)}" --target "${targets[@]}"

for target in "${targets[@]}"; do
  echo "fuzz: $target for $seconds s"
  found=build-fuzz/corpus/$target
  mkdir -p "$found"
  kept=tests/fuzz/corpus/${target%_fuzz}
  corpus=("$found")
  [ -d "$kept" ] && corpus+=("$kept")
  ASAN_OPTIONS=detect_odr_violation=0 "build-fuzz/fuzz/$target" -max_total_time="$seconds" \
    -rss_limit_mb=4096 -timeout=10 -print_final_stats=1 -artifact_prefix="build-fuzz/$target-" \
    "${corpus[@]}" 2>"build-fuzz/$target.log" || {
    tail -n 40 "build-fuzz/$target.log"
    echo "fuzz: $target found a crash" >&2
    exit 1
  }
  grep -E 'stat::number_of_executed_units|stat::new_units_added' "build-fuzz/$target.log" || true
done
