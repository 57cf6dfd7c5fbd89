# SPDX-License-Identifier: MIT
# The commands whose calls to the system are to fail in turn: scenes of faults.sh. tried is called when one is set.
cat >sweep.yaml <<'EOT'
rowmax: 1
name: small
fixed: {sentence: the cat chased the mouse, corpus: demo, d_model: 16, d_k: 8}
grid: {guards: [none, init+scale], seed: [1, 2]}
keep: [weights]
EOT
begin() {
  mkdir -p "$1/begin"
  cp sweep.yaml "$1/begin"
  [ $# = 1 ] || cp "${@:2}" "$1/begin"
}
results() { "$ROWMAX" run sweep.yaml -q -o "$@" || fail "the sweep does not run"; }
results now.h5
results less.h5 --set seed=1
results p0.h5 --shard 0/2
results p1.h5 --shard 1/2

# A first run, and one that adds to a file.
begin first
scene first run sweep.yaml -o r.h5 -j 2 -q
tried
begin more less.h5
scene more run sweep.yaml -o less.h5 -q
tried

# A run that was stopped when all but the saving was done.
begin resume less.h5
SCENE=resume
cp -r resume/begin resume/whole
in_folder whole disk:0 run sweep.yaml -o less.h5 -q
k=$(cat count)
while rm -f resume/begin/less.h5.* && [ "$k" -gt 0 ]; do
  in_folder begin disk:$k run sweep.yaml -o less.h5 -q
  [ $GOT != 5 ] || [ ! -s resume/begin/less.h5.journal ] || break
  cp less.h5 resume/begin
  k=$((k - 1))
done
[ -s resume/begin/less.h5.journal ] || fail "no journal was left"
scene resume run sweep.yaml -o less.h5 -q
tried

# Parts to one file; tables; course data; a verdict with its documents; a report; the scripts of a cluster.
begin merge p0.h5 p1.h5
scene merge merge -o r.h5 p0.h5 p1.h5 -q
tried
begin csv now.h5
echo old >csv/begin/t.csv
scene csv export now.h5 --format csv -o t.csv
tried
begin json now.h5
scene json export now.h5 --format json
tried
cat >course.yaml <<'EOT'
rowmax: 1
name: course
fixed: {sentence: the cat chased the mouse, corpus: demo, d_model: 8, d_k: 4}
grid: {guards: all, seed: 1}
keep: [weights]
EOT
"$ROWMAX" run course.yaml -q -o course.h5 || fail "the course does not run"
begin module course.h5
scene module export course.h5 --format module -o course
tried
begin check now.h5 less.h5
scene check check now.h5 --against less.h5 --json v.json --junit v.xml --history h.jsonl --date 2026-11-30
tried
begin report now.h5
STATUS=6 SEARCH=/nowhere scene report report now.h5 -o r
STATUS=6 SEARCH=/nowhere tried
begin shards
LOOSE=yes
scene shards plan sweep.yaml --shards 2 --out cluster
tried
begin why now.h5
scene why plan sweep.yaml --why -o now.h5
tried
LOOSE=
begin show now.h5
scene show show now.h5
tried
