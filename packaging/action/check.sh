#!/usr/bin/env bash
# Checks the files of a pull request, or the given paths. Needs PATHS, ARGUMENTS, CHANGED_ONLY, BASE, SARIF, GITHUB_OUTPUT.
# Writes to GITHUB_OUTPUT: found=true or false; report=FILE, the findings as SARIF.
set -euo pipefail
# A glob that matches this file alone: by it binary files are left out as in a tree. The braces keep a space at its end.
glob() {
  local escaped
  escaped=$(printf '%s' "$1" | LC_ALL=C sed 's/[][*?{},!\\]/\\&/g')
  # An argument is text. In a name that is not, ? stands for each byte that is not ASCII.
  printf '%s' "$1" | iconv -f UTF-8 -t UTF-8 >/dev/null 2>&1 || escaped=$(printf '%s' "$escaped" | LC_ALL=C sed 's/[^ -~]/?/g')
  printf '/{%s}' "$escaped"
}

paths=() arguments=()
while IFS= read -r line; do [ -z "$line" ] || paths+=("$line"); done <<<"$PATHS"
while IFS= read -r line; do [ -z "$line" ] || arguments+=("$line"); done <<<"$ARGUMENTS"

if [ "$CHANGED_ONLY" = true ] && [ -n "$BASE" ]; then
  # A shallow clone does not have the commit to compare with.
  git cat-file -e "$BASE^{commit}" 2>/dev/null || git fetch --quiet --depth=1 origin "$BASE"
  changed=()
  while IFS= read -r -d '' file; do
    changed+=(-g "$(glob "$file")")
  done < <(git diff -z --name-only --diff-filter=d "$BASE" HEAD)
  if [ "${#changed[@]}" -eq 0 ]; then
    echo "found=false" >>"$GITHUB_OUTPUT"
    exit 0
  fi
  arguments+=("${changed[@]}")
fi

status=0
placemat check --format sarif ${arguments[@]+"${arguments[@]}"} -- "${paths[@]}" >"$SARIF" || status=$?
[ "$status" -le 1 ] || exit "$status"
echo "report=$SARIF" >>"$GITHUB_OUTPUT"
if [ "$status" -eq 1 ]; then
  echo "found=true" >>"$GITHUB_OUTPUT"
  # The same once more as annotations, which every pull request shows.
  placemat check --format github ${arguments[@]+"${arguments[@]}"} -- "${paths[@]}" || true
else
  echo "found=false" >>"$GITHUB_OUTPUT"
fi
