#!/usr/bin/env bash
# Puts DuckDB with its C++ interface into third_party/duckdb, from two packages of one version:
# the Python wheel holds the library (an extension module that exports all C++ symbols), the source
# archive of the same package holds the headers. Nothing of DuckDB is compiled.
#
# Usage: tools/install_duckdb.sh <python> <target folder>
set -euo pipefail

python=$1
target=$2
here=$(cd "$(dirname "$0")" && pwd)
machine=$(uname -m)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The library's Python version does not matter, since no interpreter is ever started: one is pinned
# so that every machine gets the same bytes.
"$python" -m pip download --quiet --no-deps --require-hashes --dest "$work/wheel" \
  --only-binary=:all: --python-version 311 --implementation cp --abi cp311 \
  --platform "manylinux_2_28_${machine}" --requirement "$here/requirements-duckdb.txt"
"$python" -m pip download --quiet --no-deps --require-hashes --dest "$work/source" \
  --no-binary duckdb --requirement "$here/requirements-duckdb.txt"

mkdir -p "$work/duckdb/lib" "$work/unpacked" "$work/headers"
"$python" -m zipfile -e "$work"/wheel/duckdb-*.whl "$work/unpacked"
tar -xzf "$work"/source/duckdb-*.tar.gz -C "$work/headers" --strip-components=1
duckdb=$work/headers/external/duckdb

cp "$work"/unpacked/_duckdb.*.so "$work/duckdb/lib/libtarn_duckdb.so"
cp -r "$duckdb/src/include" "$work/duckdb/include"
cp -r "$duckdb/extension/parquet/include" "$work/duckdb/include_parquet"
cp -r "$duckdb/extension/core_functions/include" "$work/duckdb/include_core_functions"
cp -r "$duckdb/extension/json/include" "$work/duckdb/include_json"
# Headers that those of the Parquet reader include by bare name. zstd.h and lz4.h must not come along:
# they would hide the system's.
mkdir -p "$work/duckdb/include_third_party"
cp "$duckdb"/third_party/parquet/*.h "$duckdb"/third_party/yyjson/include/*.hpp \
  "$duckdb"/third_party/fastpforlib/*.h "$work/duckdb/include_third_party"
(cd "$duckdb/third_party/thrift" && find . -name '*.h' -o -name '*.tcc' | tar -cf - -T -) |
  tar -xf - -C "$work/duckdb/include_third_party"
# The licences of DuckDB and of what is compiled into it.
(cd "$duckdb" && find LICENSE third_party extension -name LICENSE | tar -cf - -T -) |
  (mkdir -p "$work/duckdb/licenses" && tar -xf - -C "$work/duckdb/licenses")

# Names of Python that the library's own Python half refers to: defined, never called.
nm -D --undefined-only "$work/duckdb/lib/libtarn_duckdb.so" | awk '$2 ~ /^_?Py/ {print $2}' |
  sort -u |
  sed 's/.*/__attribute__((visibility("default"))) char &[1024];/' >"$work/python_stubs.c"
cc -shared -fPIC -O1 -Wl,-soname,libtarn_python_stubs.so -o \
  "$work/duckdb/lib/libtarn_python_stubs.so" "$work/python_stubs.c"

rm -rf "$target"
mkdir -p "$(dirname "$target")"
mv "$work/duckdb" "$target"
