#!/usr/bin/env bash
# The benchmarks still run: all programs find the same numbers, and what is written has its form. No time is looked at.
set -u
cd "$1" || exit 1
build=$2
out=$build/bench/short
FAILED=0
fail() {
  echo "FAILED: $*"
  sed 's/^/  /' "$out/said" | tail -40
  FAILED=1
}
rm -rf "$out"
mkdir -p "$out"
bench/bench.py --build "$build" --short --rounds 1 --without torch,scipy --only a,f >"$out/said" 2>&1 || fail "status $?"
grep -qE '^agree: 3 programs, 48 numbers, largest relative difference [0-9.]+e-1[0-9]$' "$out/said" || fail "no agreement"
grep -qx 'bench: left out: python3-torch, python3-scipy' "$out/said" || fail "what is left out is not said"
table=$out/performance.md
grep -qx '|  | rowmax, a run | numpy | C + OpenBLAS | numpy, one random gradient | C + OpenBLAS, one random gradient |' \
  "$table" || fail "no table of heads"
ratio='\*\*[0-9.,]+\*\* \([0-9.,]+ to [0-9.,]+\)'
for row in 'a\) n 12, d = d_k 16 and 32, each run its own draw' 'a\) eight guard sets a draw' \
  'a\) one sweep of all, the same seeds' 'a\) the same in eight guard sets' 'a\) collapsed draws'; do
  grep -qE "^\| $row \| [0-9.,]+ (µs|ms|s)( \| $ratio){4} \|$" "$table" || fail "no row '$row'"
done
for row in 'each run its own draw' 'eight guard sets a draw'; do
  grep -qE "^\| a\) one drawn upstream, $row \| [0-9.,]+ (µs|ms|s) \|  \| ( \| $ratio){2} \|$" "$table" ||
    fail "no row of a drawn upstream, $row"
done
grep -qE "^\| f\) count pairs, 0\.3[0-9]* MB, [0-9]+ words \|" "$table" || fail "no row on counting"
# Six columns, a ratio within its range; five rows with two programs in two forms, two with them in one, and counting
# beside two.
awk -F '\t' '/^#/ { next } NF != 6 || $4 < $5 || $4 > $6 { bad = 1 } { n++ } END { exit bad || n != 26 }' \
  "$out/ratios.tsv" || fail "the ratios lack their form"
grep -q '</svg>' "$out/performance.svg" && [ -s "$out/performance.png" ] || fail "no figure"

# A program that finds other numbers ends the bench before any time is taken.
mkdir -p "$out/wrong/bench"
printf '#!/bin/sh\nexec "%s" "$@" | sed "s/^measures 3 0/measures 3 1/"\n' "$build/bench/bench_baseline" >"$out/wrong/bench/bench_baseline"
chmod +x "$out/wrong/bench/bench_baseline"
ln -sf "$build/rowmax" "$out/wrong/rowmax"
if bench/bench.py --build "$out/wrong" --short --rounds 1 --without torch,scipy --only a >"$out/said" 2>&1; then
  fail "other numbers were taken for the same"
fi
grep -q 'C + OpenBLAS and numpy differ by .* in jacobian_norm_mean' "$out/said" || fail "the difference is not named"
! grep -q 'part a' "$out/said" || fail "times were taken all the same"
exit $FAILED
