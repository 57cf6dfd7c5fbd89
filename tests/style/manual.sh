#!/usr/bin/env bash
# The manual names every command and option of the help, and no others; it is well formed.
set -euo pipefail
cd "$1"
rowmax=$2/rowmax
status=0
differ() { echo "$1"; status=1; }
diff <("$rowmax" help | awk '/^  [a-z]+ /{print $1}' | sort) \
     <(sed -n 's/^\.It Cm \([a-z]*\).*/\1/p' docs/rowmax.1 | sort) || differ "commands differ"
diff <("$rowmax" help | awk '/^  [a-z]+ /{print $1}' | while read -r c; do "$rowmax" help "$c"; done | grep -oE -- '--[a-z-]+' | sort -u) \
     <(grep -oE '^\.It.* Fl Fl [a-z-]+|^\.It Fl Fl [a-z-]+' docs/rowmax.1 | sed 's/.*Fl Fl /--/' | sort -u) || differ "options differ"
# Each with the usage of its help.
usage='s/ Fl Fl / --/g; s/ Fl / -/g; s/ Ar / /g; s/ Oo options Oc/ [options]/; s/ Op options/ [options]/; s/ Op \([A-Z]*\)/ [\1]/; s/ \.\.\./.../'
diff <("$rowmax" help | awk '/^  [a-z]+ /{print $1}' | while read -r c; do "$rowmax" help "$c" | sed -n 's/^usage: rowmax //p'; done | sort) \
     <(sed -n 's/^\.It Cm //p' docs/rowmax.1 | sed "s/ Op Ar / Op /; $usage" | sort) || differ "usages differ"
for code in 0 1 2 3 4 5 6 70 130 143; do
  grep -qE "^\.It .*\b$code\b" docs/rowmax.1 || differ "the manual lacks exit status $code"
  grep -qE "\b$code\b" README.md || differ "the README lacks exit status $code"
done
mandoc -T lint -W warning docs/rowmax.1 || differ "the manual is not well formed"
exit $status
