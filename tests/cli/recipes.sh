# SPDX-License-Identifier: MIT
# docs/results.md: its Python works as printed, and leaves out what a sweep no longer holds.
. "$2/tests/support/cli.sh"

awk '$0 == "```python" {inside = 1; next} /^```/ {inside = 0} inside' "$SOURCE/docs/results.md" >recipes.py
[ "$(grep -c '^import' recipes.py)" = 3 ] || fail "docs/results.md lacks its recipes"

mkdir results
sweep() { run 0 run "$SOURCE/experiments/scale-guards.yaml" -q --set corpus=demo --set 'seed=[1,2]' "$@"; }
recipes() { /usr/bin/python3 recipes.py >"$1" 2>err || fail "the recipes of docs/results.md fail"; }

# A file that holds the sweep alone, and one with 16 runs of an earlier window before it, tell the same.
sweep -o results/scale-guards.h5 --set window=4
recipes fresh
sweep -o results/edited.h5
sweep -o results/edited.h5 --set window=4
run 0 show results/edited.h5 && prints "16 more that the sweep no longer holds"
mv results/edited.h5 results/scale-guards.h5
recipes edited
same fresh edited

# And they tell what is there: eight guard sets of two seeds, eight rows of weights, means by guard.
/usr/bin/python3 - <<'EOT' || fail "the recipes of docs/results.md do not tell what the file holds"
import h5py, numpy as np

printed = open("edited").read()
f = h5py.File("results/scale-guards.h5")
assert len(f["run"]) == 32
now = f["window"][:] == 4
for norm in (0, 1):
    mean = f["row_max_mean"][now & (f["guard_norm"][:] == norm)].mean()
    assert f"{mean:.6f}" in printed, mean
assert "count  16.000000" in printed
assert "[1. 1. 1. 1. 1. 1. 1. 1.]" in printed
EOT

# The checksum by hand.
sum=$(head -c -80 results/scale-guards.h5 | sha256sum)
[ "rowmax sha256 ${sum%% *}" = "$(tail -n 1 results/scale-guards.h5)" ] || fail "the checksum by hand differs"
exit $FAILED
