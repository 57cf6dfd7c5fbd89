# SPDX-License-Identifier: MIT
# Bad input: one line with place and remedy, the right status, and nothing created.
. "$2/tests/support/cli.sh"

# bad STATUS TEXT ARGUMENTS...: the run fails so, says so in one line, and leaves no file.
bad() {
  local status=$1 text=$2
  shift 2
  run "$status" run -o bad.h5 "$@"
  one_line
  says "$text"
  absent bad.h5
  absent bad.h5.journal
  absent bad.h5.lock
}
sweep() { printf '%s\n' 'rowmax: 1' 'fixed: {corpus: demo, sentence: the cat}' "$@" >bad.yaml; }

sweep 'grid: {d_modle: 64, seed: 1}'
bad 2 "bad.yaml:3:8: unknown field 'd_modle'; did you mean 'd_model'?" bad.yaml
sweep 'grid: {seed: 1, seed: 2}'
bad 2 "bad.yaml:3:17: duplicate key 'seed' (first on line 3)" bad.yaml
sweep 'grid: {d_model: wide}'
bad 2 "'wide' is not a decimal integer" bad.yaml
sweep 'grid: {seed: []}'
bad 2 "bad.yaml:3:" bad.yaml
sweep 'zip:' '  - {d_model: [64, 128], d_k: [8]}'
bad 2 "bad.yaml:4:" bad.yaml
sweep 'grid: {seed: {from: 1, to: 100000}, d_k: {from: 1, to: 1000}, d_model: {from: 1, to: 1000}}'
bad 2 "100,000,000,000" bad.yaml
sweep 'grid: {corpus: nosuch}'
bad 2 "corpus" bad.yaml
printf '%s\n' 'rowmax: 1' 'fixed: {corpus: nosuch, sentence: the cat}' >bad.yaml
bad 2 "no corpus 'nosuch' (known: demo, harbour, kitchen)" bad.yaml
printf '%s\n' 'rowmax: 1' 'fixed: {corpus: demo, sentence: the zebra and the quokka}' >bad.yaml
bad 2 "'zebra', 'quokka'" bad.yaml
printf '%s\n' 'rowmax: 1' 'fixed: {corpus: demo, sentence: the cat, min_count: 1000}' >bad.yaml
bad 2 "min_count" bad.yaml
printf 'The cat sat.\nA \377 broke it.\n' >broken.txt
printf '%s\n' 'rowmax: 1' 'fixed: {corpus: broken.txt, sentence: the cat}' >bad.yaml
bad 2 "15" bad.yaml
says "UTF-8"
{ gzip -c "$SOURCE/corpora/demo.txt"; echo more; } >tail.txt.gz
printf '%s\n' 'rowmax: 1' 'fixed: {corpus: tail.txt.gz, sentence: the cat}' >bad.yaml
bad 2 "'tail.txt.gz' is a gzip file with other bytes behind its end; copy or download it again" bad.yaml
printf '' >empty.txt
printf '%s\n' 'rowmax: 1' 'fixed: {corpus: empty.txt, sentence: the cat}' >bad.yaml
bad 2 "empty.txt" bad.yaml
bad 2 "missing.yaml" missing.yaml
bad 2 "is a folder" "$SOURCE"
printf 'rowmax: 1\n\tname: x\n' >bad.yaml
bad 2 "bad.yaml:2:1: tab" bad.yaml
printf '[%.0s' $(seq 1 5000) >bad.yaml
bad 2 "32" bad.yaml
printf 'a: &a 1\n' >bad.yaml
bad 2 "bad.yaml:1:4: anchors are not supported" bad.yaml
bad 2 "--set" small.yaml --set nosuch=1
bad 2 "--set" small.yaml --set d_model=
bad 2 "100 runs, the limit is 10" small.yaml --max-runs 10 --set 'seed={from: 1, to: 100}' --set guards=none

# A value that a field cannot have: the place, the field and what it may be.
field() {
  sweep "grid: {learner: sgns, $1}"
  bad 2 "bad.yaml:3:$2" bad.yaml
}
field 'negative: 0' "33: negative: '0' is out of range; allowed is 1 to 1000"
field 'subsample: -1' "34: subsample: '-1' is out of range; allowed is 0 to 1"
field 'epochs: 1.5' "31: epochs: '1.5' is not an integer in decimal digits"
field 'learning_rate: fast' "38: learning_rate: 'fast' is not a finite decimal number"
field 'learner_seed: -1' "37: learner_seed: '-1' is out of range"
head_field() {
  printf '%s\n' 'rowmax: 1' 'fixed: {source: gaussian, tokens: 4}' "grid: {$1}" >bad.yaml
  bad 2 "bad.yaml:3:$2" bad.yaml
}
head_field 'orthogonal: 2' "20: orthogonal: '2' is not a switch; write on or off"
head_field 'score_factor: .inf' "22: score_factor: '.inf' is not a finite decimal number"
head_field 'position: rope, rope_base: 0' "35: rope_base: '0' is out of range; allowed is 1 to 1000000000000"
head_field 'position: rope, rope_pairs: both' "36: rope_pairs: 'both' is not one of: halves, adjacent"
head_field 'qk_norm: [l2, max]' "22: qk_norm: 'max' is not one of: none, l2, layer, rms"
head_field 'qk_norm: l2, qk_gain: -2' "30: qk_gain: '-2' is out of range"
head_field 'guard_scale: on, score_scale: log' "38: score_scale: 'log' is not one of: sqrt, linear, log_n"
head_field 'softcap: -50' "17: softcap: '-50' is out of range"
head_field 'mask: casual' "14: mask: 'casual' is not one of: none, causal"
head_field 'weights: relu' "17: weights: 'relu' is not one of: softmax, softmax_plus_one, sigmoid"
head_field 'precision: fp12' "19: precision: 'fp12' is not one of: fp64, fp32, fp16, bf16, fp8_e4m3, fp8_e5m2"
head_field 'stabilise: never' "19: stabilise: 'never' is not a switch; write on or off"

# Values that each are good and together make no head.
together() {
  printf '%s\n' 'rowmax: 1' 'fixed: {source: gaussian, tokens: 4}' "grid: {$1}" >bad.yaml
  bad 2 "$2" bad.yaml
}
together 'orthogonal: on, d_model: [4, 3]' "orthogonal: 4 rows cannot be orthogonal in d_model 3 dimensions; take as many tokens or fewer"
together 'position: rope, d_k: [8, 7]' "position rope turns pairs of columns, so d_k must be even, not 7"
together 'draw: collapsed, position: [none, rope]' "draw collapsed makes no entries of queries and keys, only their products, and position rope turns entries; set draw to weights, or another position"
together 'draw: collapsed, qk_norm: [none, l2]' "and qk_norm l2 divides entries; set draw to weights, or qk_norm to none"
together 'draw: collapsed, upstream: [expected, drawn]' "and upstream drawn needs entries; set draw to weights, or upstream to expected"
together 'draw: [weights, gram]' "bad.yaml:3:24: draw: 'gram' is not one of: weights, collapsed"
together 'score_scale: [sqrt, linear]' "bad.yaml:3:8: 'score_scale' has no effect: guard_scale is off in every run"
together 'qk_gain: [1, 2]' "bad.yaml:3:8: 'qk_gain' has no effect: qk_norm is none in every run"

# Other notations, and what was meant.
head_field 'seed: 1..20' "14: seed: '1..20' is not a decimal integer; a range is written {from: 1, to: 20}"
head_field 'weights: sparsmax' "17: weights: 'sparsmax' is not one of: softmax, softmax_plus_one, sigmoid, sparsemax, entmax15, softplus, square, sum, argmax; did you mean 'sparsemax'?"
head_field 'temperature: [1, 2]' "8: unknown field 'temperature'; set score_factor to 1/temperature"
head_field 'weights: softmax, sparsemax' "26: unknown field 'sparsemax'; a list has brackets, such as weights: [softmax, sparsemax]"
bad 2 "a range is written {from: 1, to: 20}" small.yaml --set seed=1..20
bad 2 "set score_factor to 1/temperature" small.yaml --set temperature=2
printf '%s\n' 'rowmax: 1' 'grid: {scores: [3, 1, 0.2]}' >bad.yaml
bad 2 "bad.yaml:2:8: 'scores' needs source: scores (the source is corpus, the default)" bad.yaml

# Without a folder of corpora the places are named. An installed rowmax has one of its own.
mkdir lonely
printf '%s\n' 'rowmax: 1' 'fixed: {corpus: nosuch, sentence: the cat}' >lonely/bad.yaml
ROWMAX_CORPORA= run 2 plan lonely/bad.yaml
one_line
grep -qE "no corpus 'nosuch'( \(known|: no folder corpora/ with texts beside the sweep, above it or here; set ROWMAX_CORPORA)" err ||
  fail "the folders of corpora are not named"

# Matrices that no file will hold are refused before the first run.
printf '%s\n' 'rowmax: 1' 'fixed: {source: gaussian, tokens: 2000}' 'grid: {seed: {from: 1, to: 40}}' 'keep: [scores, weights]' >bad.yaml
bad 2 "the matrices to keep take 2.6 GB, the limit is 2.1 GB" bad.yaml
run 2 plan bad.yaml

# Every fault at once, in the order of the file.
printf '%s\n' 'rowmax: 1' 'fixed: {corpus: demo, sentence: the cat}' 'grid: {d_modle: 1, power: x, sede: 3}' >bad.yaml
run 2 run bad.yaml -o bad.h5
[ "$(wc -l <err)" = 3 ] || fail "three faults are not three lines"
absent bad.h5

# A misspelt section is one fault, not one for every field it hides.
printf '%s\n' 'rowmax: 1' 'fixd: {corpus: demo, sentence: the cat}' >bad.yaml
bad 2 "bad.yaml:2:1: unknown key 'fixd'; did you mean 'fixed'?" bad.yaml

# Arrays whose scores are not finite fail, run by run, and say so.
/usr/bin/python3 -c 'import numpy as n; n.save("x.npy", n.array([[1.0, n.nan], [2, 3]]))'
printf '%s\n' 'rowmax: 1' 'name: nan' 'fixed: {source: arrays, x: x.npy}' 'grid: {seed: [1, 2]}' >nan.yaml
run 3 run nan.yaml -o nan.h5
says "2 of 2 runs failed"
run 0 show nan.h5
prints "run 0 failed: 3 of 4 scores are not finite"

# Outputs that cannot be written are found before the first run.
run 5 run small.yaml -o nowhere/out.h5 && one_line && says "nowhere"
mkdir folder.h5
run 5 run small.yaml -o folder.h5 && one_line && says "folder.h5"
echo "not HDF5" >text.h5
cp text.h5 text.before
run 5 run small.yaml -o text.h5 && one_line && says "text.h5"
same text.h5 text.before

# What is no results file is not replaced, --fresh or not.
cp small.yaml self.yaml
run 5 run self.yaml -o self.yaml --fresh && one_line && says "is no results file"
same self.yaml small.yaml

# A name with a line feed stays on its line.
run 2 run "$(printf 'a\nb:3:4: x')" && one_line
run 5 run small.yaml -o "$(printf 'a\nb/c.h5')" && one_line

# A single token is measured: its row-max is exactly 1.
run 0 run small.yaml -o one.h5 --set sentence=cat
run 0 show one.h5
awk '/^init\+scale/ && $5 == 1 {found = 1} END {exit !found}' out || prints "1 ±"

# Files that are no results.
run 2 show text.h5 && one_line && says "text.h5"
run 2 report missing.h5 && one_line && says "missing.h5"
absent reports
cp small.yaml small.yml
for name in small.yaml small.yml; do
  run 2 show $name && one_line && says "'$name' is no results file; 'rowmax run' reads sweeps"
  run 2 report $name && one_line && says "'rowmax run' reads sweeps"
done
run 2 check one.h5 --against small.yaml && one_line && says "'rowmax run' reads sweeps"
run 2 show missing.yaml && one_line && says "there is no file 'missing.yaml'"

# A name without its folder and ending, a folder in place of the file in it, and results in place of a sweep.
mkdir results
run 0 run small.yaml -q -o results/meant.h5
run 2 show meant && one_line && says "there is no file 'meant'; did you mean 'results/meant.h5'?"
run 2 show meant.h5 && one_line && says "there is no file 'meant.h5'; did you mean 'results/meant.h5'?"
run 2 show results/meant && one_line && says "did you mean 'results/meant.h5'?"
mkdir planned
cp results/meant.h5 planned/sweep.h5
run 2 report planned && one_line && says "'planned' is no results file; did you mean 'planned/sweep.h5'?"
run 2 run results/meant.h5 && one_line && says "an HDF5 file, no YAML; 'rowmax report' and 'rowmax show' read results"
run 2 run small && one_line && says "there is no file 'small'; did you mean 'small.yaml'?"
exit $FAILED
