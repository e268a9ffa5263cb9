#!/usr/bin/env bash
# The main job on real data: the 336,776 flights that left New York in 2013, month by month, into a
# Delta table; columns added and renamed, a day corrected, two writers at once, time travel, a join, the
# history. Starts from nothing each time; everything it makes is below demo/out.
set -euo pipefail
cd "$(dirname "$0")/.."
tarn=${TARN_BIN:-$PWD/build/tarn}
out=$PWD/demo/out
lake=$out/lake
rm -rf "$out"
mkdir -p "$out"

say() { printf '\n\033[1m%s\033[0m\n' "$*"; }
run() { printf '\033[2m$ tarn %s\033[0m\n' "$(printf '%q ' "$@" | sed "s|$out/||g")"; "$tarn" "$@"; }
sql() { printf '\033[2m$ tarn sql "%s"\033[0m\n' "$1"; "$tarn" sql --lake "$lake" --yes "$1"; }

say "Twelve files, as they would have arrived"
.venv/bin/python demo/split_flights.py "$out/arrived"

say "1. A lake, and the first six months in it, one load a month"
run init "$lake"
for month in 01 02 03 04 05 06; do
  run ingest --lake "$lake" "$out/arrived/flights-2013-$month.csv" --into flights --partition-by month
done
sql "SELECT month, count(*) AS flights, round(avg(dep_delay), 1) AS average_delay FROM flights GROUP BY month ORDER BY month"

say "2. From July on the files have one more column: the table gets it by itself"
run ingest --lake "$lake" "$out/arrived/flights-2013-*.csv" --into flights
sql "SELECT count(*) AS flights, count(season) AS with_season FROM flights"

say "3. The same command again loads nothing: what is loaded is known from the table"
run ingest --lake "$lake" "$out/arrived/flights-2013-*.csv" --into flights

say "4. A column renamed: no data file is touched"
sql "ALTER TABLE flights RENAME COLUMN dest TO destination"
sql "SELECT destination, count(*) AS flights FROM flights GROUP BY ALL ORDER BY flights DESC LIMIT 3"

say "5. One day corrected: the flights of 2013-02-09, in a snow storm, all left on time after all"
sql "INSERT INTO flights REPLACE WHERE month = 2 AND day = 9 SELECT * REPLACE (0 AS dep_delay) FROM flights WHERE month = 2 AND day = 9"

say "6. Two writers at once, each its own months: both succeed"
"$tarn" sql --lake "$lake" "DELETE FROM flights WHERE month = 3 AND carrier = 'UA'" &
first=$!
"$tarn" sql --lake "$lake" "DELETE FROM flights WHERE month = 4 AND carrier = 'AA'" &
second=$!
wait "$first"
wait "$second"

say "7. Time travel: what the table said after the first load, and says now"
sql "SELECT (SELECT count(*) FROM flights VERSION AS OF 0) AS january, (SELECT count(*) FROM flights) AS now"

say "8. A join with another file loaded as a table"
run ingest --lake "$lake" "$out/arrived/airlines.csv" --into airlines
sql "SELECT a.name, count(*) AS flights, round(avg(f.arr_delay), 1) AS average_delay FROM flights f JOIN airlines a USING (carrier) GROUP BY a.name ORDER BY flights DESC LIMIT 5"

say "9. Who did what, when"
run table history --lake "$lake" flights

say "Done. What to try next"
cat <<TEXT
  build/tarn sql --lake demo/out/lake                       the shell: tables and columns complete with Tab
  build/tarn table show --lake demo/out/lake flights        schema with ids, partitions, files
  build/tarn table diff --lake demo/out/lake flights 0 3    what changed between two versions
  make test                                                 every promise, tested
TEXT
