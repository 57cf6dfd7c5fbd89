#!/usr/bin/env bash
# No source file above 500 lines and no file name twice; only arena.c asks the system for memory; only cli/ prints or exits.
set -euo pipefail
cd "$1"
status=0
while read -r lines file; do
  [ "$file" = total ] || [ "$lines" -le 500 ] || { echo "$file: $lines lines, the limit is 500"; status=1; }
done < <(wc -l src/*/*.[ch] bench/*.c tests/unit/*/*.c)
if grep -nE '\b(malloc|calloc|realloc|reallocarray)\(' src/*/*.c | grep -v '^src/base/arena.c'; then
  echo "memory comes from an arena"; status=1
fi
if grep -nE '\b(printf|puts|putchar|exit|abort)\(|\bstderr\b' src/*/*.c | grep -vE '^src/cli/'; then
  echo "only cli/ prints or exits"; status=1
fi
if grep -rnE '\bsetlocale\(|-ffast-math|-march=native' src cmake CMakeLists.txt | grep -vE 'never calls|/\*|^\S+:\s*\*'; then
  echo "the locale and floating point stay as they are"; status=1
fi
twice=$(find src -name '*.c' -printf '%f\n' | sort | uniq -d)
[ -z "$twice" ] || { echo "two files have the name $twice"; status=1; }
exit $status
