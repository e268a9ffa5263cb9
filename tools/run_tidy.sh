#!/usr/bin/env bash
# House rules over the whole tree (tidy.py), layout (clang-format) and clang-tidy over what changed.
#
# Changed means: since the branch left main, or, on main itself, since the commit TIDY_BASE (default:
# the last 20 commits). In CI the layout of all files is checked.
set -uo pipefail

cd "$(dirname "$0")/.."
build=build/tidy
status=0

changed_files() {
  local base=${TIDY_BASE:-}
  if [ -z "$base" ]; then
    base=$(git merge-base HEAD main 2>/dev/null)
    if [ -z "$base" ] || [ "$base" = "$(git rev-parse HEAD)" ]; then
      base=$(git rev-list --max-count=21 HEAD | tail -n 1)
    fi
  fi
  { git diff --name-only --diff-filter=d "$base"; git ls-files --others --exclude-standard; } |
    sort -u
}

python3 tools/tidy.py || status=1

if [ "${CI:-}" = true ]; then
  mapfile -t layout < <(git ls-files | grep -E '^(src|tests|bench)/.*\.(h|cc)$')
else
  mapfile -t layout < <(changed_files | grep -E '^(src|tests|bench)/.*\.(h|cc)$')
fi
if [ ${#layout[@]} -gt 0 ]; then
  echo "tidy: clang-format on ${#layout[@]} files"
  printf '%s\n' "${layout[@]}" | xargs -P "$(nproc)" -n 16 clang-format --dry-run -Werror ||
    { echo "tidy: run 'make format'" >&2; status=1; }
fi

# A changed header is looked at through the sources that were changed with it. Files that need
# DuckDB's headers come last: they take longest.
mapfile -t sources < <(changed_files | grep -E '^src/.*\.cc$' | head -n "${TIDY_FILES_MAX:-24}")
if [ ${#sources[@]} -gt 0 ]; then
  echo "tidy: clang-tidy on ${#sources[@]} files"
  # A tree of its own, where each file stands alone and the options are clang's.
  cmake -S . -B $build -G Ninja -DCMAKE_C_COMPILER=clang -DCMAKE_CXX_COMPILER=clang++ \
    -DCMAKE_BUILD_TYPE=Release -DTARN_UNITY=OFF -DTARN_TESTS=OFF >/dev/null || exit 1
  printf '%s\n' "${sources[@]}" | xargs -P "$(nproc)" -n 1 clang-tidy --quiet -p $build \
    2> >(grep -vE '^[0-9]+ warnings? (generated|treated)|Suppressed|Use -header-filter' >&2) || status=1
fi

[ $status = 0 ] && echo "tidy: clean"
exit $status
