#!/usr/bin/env bash
# All benchmarks beside their peers, into docs/benchmarks.md. Options are compare.py's.
set -euo pipefail
cd "$(dirname "$0")/.."
exec .venv/bin/python bench/compare.py --out docs/benchmarks.md "$@"
