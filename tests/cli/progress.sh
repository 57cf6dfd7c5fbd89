# SPDX-License-Identifier: MIT
# Progress: a bar on a terminal, plain lines elsewhere, nothing under --quiet.
. "$2/tests/support/cli.sh"
write_long 60

run 0 run small.yaml -o a.h5
! grep -q "$(printf '\r\|\033')" err || fail "control characters without a terminal"
run 0 run small.yaml -o a.h5 --fresh -q
[ ! -s err ] || fail "--quiet was not"
# script(1) gives the program a terminal.
TERM=xterm script -qec "$ROWMAX run long.yaml -o b.h5 --set 'seed={from: 1, to: 40}'" typed >/dev/null 2>&1
grep -q '#' typed || fail "no bar on a terminal"
grep -q 'of 80 runs' typed || fail "the bar does not count"
TERM=dumb script -qec "$ROWMAX run small.yaml -o c.h5" dumb >/dev/null 2>&1
! grep -q "$(printf '\033')" dumb || fail "escape sequences on a dumb terminal"
for columns in 5 20 200; do
  TERM=xterm script -qec "stty cols $columns; $ROWMAX run small.yaml --fresh -o d.h5" narrow >/dev/null 2>&1
  grep -q '16 of 16' narrow || fail "no result on a terminal of $columns columns"
done
# A resumed sweep counts what is left only.
TERM=xterm script -qec "$ROWMAX run long.yaml -o b.h5 --set 'seed={from: 1, to: 60}'" typed >/dev/null 2>&1
grep -q 'of 40 runs' typed || fail "the bar of a resumed sweep counts runs that are done"

# Terminals that can do little, or say odd things about themselves: a line and its end.
for terminal in TERM=dumb TERM= "-u TERM"; do
  # shellcheck disable=SC2086 # two words
  env $terminal script -qec "$ROWMAX run small.yaml --fresh -o e.h5" odd >/dev/null 2>&1
  grep -q '^16 of 16 runs in e.h5' odd || fail "no result with $terminal"
  ! grep -q "$(printf '\033\|\r[^\r]')" odd || fail "the line is drawn over with $terminal"
done
for columns in 0 1 20; do
  TERM=xterm NO_COLOR=1 COLUMNS=$columns script -qec "stty cols $columns; $ROWMAX run small.yaml --fresh -o e.h5" odd >/dev/null 2>&1
  grep -q '16 of 16 runs in e.h5' odd || fail "no result with $columns columns"
  ! grep -q "$(printf '\033\[[0-9;]*m')" odd || fail "colours with NO_COLOR"
done
# A terminal that changes its width on the way.
TERM=xterm script -qec "(for c in 5 80 3 120; do stty cols \$c; sleep 0.05; done) & $ROWMAX run long.yaml -o b.h5 --set 'seed={from: 50, to: 70}'; wait" odd >/dev/null 2>&1
grep -q '42 of 42 runs in b.h5' odd || fail "no result on a terminal that changes"

# The end of a run: runs, failures, time, where everything is and what to do next, in a form that a shell takes.
run 0 run small.yaml -o "it's a.h5"
grep -qE "^16 of 16 runs in it's a\.h5 \(16 new, 0 reused, 0 failed\), [0-9.]+ (ms|s)$" err || fail "no summary"
says "next: rowmax report 'it'\''s a.h5'"
eval "$(sed -n "s/^next: rowmax /\"\$ROWMAX\" /p" err)" >out 2>err || fail "what comes next is no command"
prints "reports/it's a/report.md"
run 0 run small.yaml -o f.h5 --report && says "the report is reports/f/report.md; its numbers as a table: rowmax show f.h5"
run 0 run small.yaml -o g.h5 --shard 0/2 && ! grep -q "next:" err || fail "a shard is no end"
printf '%s\n' 'rowmax: 1' 'fixed: {source: scores, score_factor: 1e300}' 'grid: {scores: [[[1e300, 1]], [[1, 2]]]}' >half.yaml
run 3 run half.yaml -o half.h5
says "1 of 2 runs failed; 'rowmax show' says why, --retry-failed runs them again"

# More, less, and both.
run 0 run small.yaml -o h.h5 -v
says "reads 'demo' from $SOURCE/corpora/demo.txt"
says "16 of 16 runs are to be done"
grep -qE "^expected: .* of memory, .* on disk$" err && grep -qE "^processor time: .* for the journal" err || fail "--verbose says little"
run 2 run small.yaml -q -v && one_line && says "--quiet and --verbose exclude each other"
exit $FAILED
