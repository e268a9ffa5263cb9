#!/bin/sh
# usage: planted_bugs.sh BUILD_FOLDER [SEEDS]
#
# Each planted mistake must be caught within SEEDS (500) seeds of the scenario that is made for it,
# and the same seed must pass without the mistake.
set -u
build=$1
seeds=${2:-500}
failed=0

check() {  # number, scenario, what the mistake is
  out=$("$build/tarn_sim_bug$1" --scenario "$2" --seeds "$seeds" --until-caught)
  if [ $? -ne 1 ]; then
    echo "bug $1 ($3): NOT CAUGHT in $seeds seeds of $2"
    failed=1
    return
  fi
  line=$(echo "$out" | grep -m1 '^FAILED')
  seed=$(echo "$line" | sed 's/.*, seed \([0-9]*\):.*/\1/')
  if ! "$build/tarn_sim" --scenario "$2" --seed "$seed" >/dev/null; then
    echo "bug $1 ($3): seed $seed of $2 fails without the mistake too"
    failed=1
    return
  fi
  echo "bug $1 ($3): caught by $2, seed $seed: ${line#*: }"
}

check 1 counters "no conflict check"
check 2 appends "id not compared"
check 3 appends "unknown taken for lost"
check 4 positions "position not compared"
check 5 upkeep "torn checkpoint trusted"
check 6 power "folder not synced"
check 7 skew "retry encodes on the old base"
check 8 overwrites "partition filter ignored in conflicts"
# The same mistakes under the other format. (Number 5 is in Delta's own reader.)
check 1 iceberg_changes "no conflict check"
check 2 iceberg_appends "id not compared"
check 3 iceberg_appends "unknown taken for lost"
check 4 iceberg_changes "position not compared"
check 6 iceberg_power "folder not synced"
check 7 iceberg_changes "retry encodes on the old base"
check 8 iceberg_changes "partition filter ignored in conflicts"
exit $failed
