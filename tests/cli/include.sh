# SPDX-License-Identifier: MIT
# Sweeps that include others: what is said of faults, and that results, planned folders and their runs hold on to
# what was included when the files are gone.
. "$2/tests/support/cli.sh"

mkdir presets
cat >presets/base.yaml <<'EOT'
# A preset.
rowmax: 1
name: base
fixed: {sentence: the cat sat, corpus: text.txt}
grid:
  guards: all
  seed: {from: 1, to: 4}
keep: {matrices: [weights], where: {seed: 1}}
EOT
printf 'the cat sat on the mat\nthe dog saw the cat\n' >presets/text.txt
cat >variant.yaml <<'EOT'
rowmax: 1
include: presets/base.yaml
grid: {seed: [1, 2]}
EOT

# The preset alone; the sweep that changes one axis of it and adds its runs to no file of the preset.
run 0 plan presets/base.yaml && prints "32 runs of 32 points"
run 0 plan variant.yaml && prints "16 runs of 16 points" && prints "nothing is in results/variant.h5 yet"
run 0 run variant.yaml -q
run 0 show results/variant.h5 --verify
run 0 run variant.yaml && says "(0 new, 16 reused"
# Its runs are those of the preset.
run 0 run presets/base.yaml -o results/variant.h5 --set name=variant && says "(16 new, 16 reused"
run 0 run variant.yaml -o one.h5 -q

# What a results file records can be run by itself.
/usr/bin/python3 -c "
import h5py
text = h5py.File('one.h5')['sweep'][()].decode()
assert '# # A preset.' in text and 'presets/text.txt' in text, text
open('recorded.yaml', 'w').write(text)" || fail "the record of the sweep lacks what it includes"
run 0 run recorded.yaml -o two.h5 -q
same one.h5 two.h5

# Shards by themselves, and of a planned folder whose originals are gone, end in the same bytes.
run 0 run variant.yaml --shard 0/2 -o a.h5 -q
run 0 run variant.yaml --shard 1/2 -o b.h5 -q
run 0 merge -o merged.h5 a.h5 b.h5 -q
same merged.h5 one.h5
run 0 plan variant.yaml --shards 2 --out folder
mv presets away
run 0 run folder --shard 0/2 -q
run 0 run folder --shard 1/2 -q
run 0 merge folder -q
same folder/sweep.h5 one.h5
run 0 plan folder && prints "16 are in folder/sweep.h5"
run 2 plan variant.yaml && one_line && says "variant.yaml:2:10: include: cannot open 'presets/base.yaml'"
mv away presets

# A damaged journal: what is kept of the sweep is enough to go on from.
printf 'damage' >>one.h5
run 0 run variant.yaml -o one.h5 --recover three.h5 -q
same two.h5 three.h5

# Faults name the file and who includes it; a --set still holds.
echo 'fixed: {d_q: 8}' >>presets/base.yaml
run 2 plan variant.yaml && says "presets/base.yaml:9:1: duplicate key 'fixed'" && says "(included from variant.yaml:2:10)"
sed -i '$d' presets/base.yaml
run 0 plan variant.yaml --set 'seed=[1, 2, 3]' && prints "24 runs"
printf 'rowmax: 1\ninclude: [presets/base.yaml, variant.yaml]\n' >circle.yaml
sed -i 's/^include.*/include: circle.yaml/' variant.yaml
run 2 run variant.yaml && says "circle.yaml:2:30: include: a sweep cannot include itself: 'variant.yaml' includes 'circle.yaml', which includes"
absent results/circle.h5

# Standard input includes files of the current folder; of a secret nothing is shown.
printf 'rowmax: 1\nname: piped\ninclude: presets/base.yaml\n' | "$ROWMAX" plan - >out 2>err || fail "plan - with include"
prints "nothing is in results/piped.h5 yet"
echo 'password: secret' >shadow
printf 'rowmax: 1\ninclude: shadow\n' >stranger.yaml
run 2 plan stranger.yaml && one_line && says "'shadow' is no sweep"
! grep -q 'secret\|password' err || fail "a file that is no sweep is shown"
exit $FAILED
