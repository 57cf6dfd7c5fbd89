# SPDX-License-Identifier: MIT
# Planned folders, and what submit, status and cancel ask of Slurm and make of its answers. Slurm is
# played by scripts here; slurm.sh has the real one.
. "$2/tests/support/cli.sh"
mkdir bin
export PATH=$WORK/bin:$PATH CALLS=$WORK/calls ANSWERS=$WORK/answers
mkdir answers

# program NAME: notes its arguments, one a line, and says what answers/NAME holds; its status is that
# of answers/NAME.status.
program() {
  cat >"bin/$1" <<'EOT'
#!/bin/bash
name=${0##*/}
{ echo "$name"; printf '  <%s>\n' "$@"; } >>"$CALLS"
[ "$name" != sbatch ] || [ ! -s "$ANSWERS/ids" ] || { sed -n 1p "$ANSWERS/ids"; sed -i 1d "$ANSWERS/ids"; exit 0; }
cat "$ANSWERS/$name" 2>/dev/null
exit "$(cat "$ANSWERS/$name.status" 2>/dev/null || echo 0)"
EOT
  chmod +x "bin/$1"
}
for name in sbatch squeue sacct scontrol scancel; do program $name; done
called() { grep -qF -- "$1" calls || fail "no call with '$1': $(cat calls)"; }
has() { grep -qF -- "$2" "$1" || fail "'$1' lacks '$2'"; }

# A planned folder: copies of the sweep and of its corpus, which are all that is read from then on.
mkdir texts
cp "$SOURCE/corpora/demo.txt" texts/own.txt
cat >own.yaml <<'EOT'
rowmax: 1
fixed: {sentence: the cat chased the mouse}
grid:
  corpus: [demo, texts/own.txt]
  seed: {from: 1, to: 8}
exclude:
  - {corpus: demo, seed: 1}
  - {corpus: texts/own.txt, seed: [2, 3, 4, 5, 6, 7, 8]}
EOT
echo "One more cat sleeps." >>texts/own.txt
run 0 plan own.yaml --shards 3 && prints "3 shards of 2 to 3 runs, estimated" && absent own
run 0 plan small.yaml --shards 2 && prints "2 shards of 8 runs each, estimated"
run 0 plan small.yaml --shards 16 && prints "16 shards of 1 run each, estimated"
run 0 plan small.yaml --shards 1 && prints "1 shard of 16 runs, estimated"
run 0 plan own.yaml --shards 3 --out own && prints "planned in own; next: rowmax submit own --engine slurm" &&
  prints "without Slurm: rowmax run own --shard I/3 for I = 0 to 2, then rowmax merge own"
run 0 plan own.yaml --shards 3 --out 'an $(own)' && prints "next: rowmax submit 'an \$(own)' --engine slurm" &&
  prints "without Slurm: rowmax run 'an \$(own)' --shard I/3" && prints "then rowmax merge 'an \$(own)'"
run 0 status 'an $(own)' && prints "not submitted: rowmax submit 'an \$(own)' --engine slurm"
cmp -s own.yaml own/sweep.yaml || fail "the sweep is not copied as it is"
run 0 run own.yaml -o own.h5 -q
cp own.yaml copy.yaml
cp -r own before
run 0 plan own.yaml --shards 3 --out own/
diff -r own before || fail "planning again changed the folder"
echo "Two more cats sleep." >>texts/own.txt
run 2 plan own.yaml --shards 3 --out own && one_line && says "'own' holds another plan"
run 2 plan copy.yaml --shards 2 --out own && one_line && says "another plan"
diff -r own before || fail "a refused plan changed the folder"
rm -r texts own.yaml
export ROWMAX_CORPORA=$WORK/nowhere
for i in 0 1 2; do run 0 run own --shard $i/3 -j 1 && says "runs of shard $i/3 in own/parts/part-0000$i.h5"; done
absent results
run 0 merge own && says "own/sweep.h5 (3 parts, 0 failed)"
same own/sweep.h5 own.h5
run 0 run own -o whole.h5 -q
same whole.h5 own.h5
export ROWMAX_CORPORA=$SOURCE/corpora
# Settings are planned as well; the name is that of the sweep's file.
run 0 plan small.yaml --shards 4 --out "set it" --set 'd_model=[8, 32]' --set 'title=It'"'"'s "two"'
run 0 run small.yaml -o set.h5 -q --set 'd_model=[8, 32]' --set 'title=It'"'"'s "two"'
for i in 0 1 2 3; do run 0 run "set it" --shard $i/4 -q; done
run 0 merge "set it" -q
same "set it/sweep.h5" set.h5

# Arrays, one file of two names and a dataset with a colon.
/usr/bin/python3 - <<'EOT' || fail "no arrays"
import h5py
import numpy
rng = numpy.random.default_rng(1)
numpy.save("x.npy", rng.standard_normal((5, 8)))
with h5py.File("w.h5", "w") as file:
    file["a:q"] = rng.standard_normal((8, 4))
    file["k"] = rng.standard_normal((8, 4))
EOT
cat >arrays.yaml <<'EOT'
rowmax: 1
fixed: {source: arrays, x: x.npy, w_q: "w.h5:a:q", w_k: "w.h5:k", position: none}
grid: {guard_scale: [on, off], guard_norm: [on, off]}
EOT
run 0 plan arrays.yaml --shards 2 --out arrays
run 0 run arrays.yaml -o arrays.h5 -q
[ "$(ls arrays/inputs | wc -l)" = 2 ] || fail "two files are copied as $(ls arrays/inputs | wc -l)"
rm x.npy w.h5
for i in 0 1; do run 0 run arrays --shard $i/2 -q; done
run 0 merge arrays -q
same arrays/sweep.h5 arrays.h5

# What a plan refuses.
run 0 plan small.yaml --shards 8 --out exp
run 2 plan small.yaml --shards 17 --out big && one_line && says "there are 16 runs only" && absent big
run 2 plan small.yaml --out big && one_line && says "--out needs --shards"
run 2 plan small.yaml --shards 4 --shard 0/4 && one_line && says "excludes --shard"
run 2 plan small.yaml --shards 4 --out . && one_line && says "is not empty and holds no plan"
run 2 run exp --shard 0/4 && one_line && says "is planned in 8 shards, not 4"
run 2 run exp --set seed=1 && one_line && says "is planned already"
for command in run merge status cancel "submit --engine slurm"; do
  run 2 $command bin && one_line && says "'bin' is a folder that holds no plan"
done
run 2 status nosuch && one_line && says "there is no folder 'nosuch'"
run 2 merge exp && one_line && says "has no part yet"
for damage in 's/^rowmax plan 1/rowmax plan 2/' '$d' 's/^shard 3 /shard 4 /' 's/^runs 16/runs 15/' 's/^shards 8/shards 0/' \
  's/^\(shard 1 .* 2 \)[0-9]*/\10/' 's/^set.*/nonsense/'; do
  cp -r exp damaged
  sed -i "$damage" damaged/plan
  run 2 status damaged && one_line && says "'damaged/plan' is damaged"
  rm -r damaged
done
cp -r exp other
sed -i 's/^version .*/version 0.0.1/' other/plan
run 2 run other --shard 0/8 && one_line && says "planned by rowmax 0.0.1"
cp exp/plan other/plan
echo "A cat." >>other/inputs/"$(ls other/inputs)"
run 2 run other --shard 0/8 && one_line && says "are not those of its plan"
# Parts of another plan are no parts of this one.
cp own/parts/*.h5 exp/parts
run 2 merge exp && one_line && says "the parts are of another plan"
run 0 status exp && prints "0 of 8 shards done, 0 of 16 runs"
rm exp/parts/*

# What is submitted: two scripts, the second after the first whatever becomes of it.
run 2 submit exp && one_line && says "the batch system, --engine slurm, is missing; usage: rowmax submit --engine NAME"
run 2 submit exp --engine pbs && one_line && says "slurm"
run 2 submit exp --engine slurm && one_line && says "is in /tmp, which every node has for itself"
[ ! -e calls ] || fail "Slurm was called before all was checked"
printf 'Configuration data\nMaxArraySize            = 1001\n' >answers/scontrol
printf '4711\n4712;cluster\n' >answers/ids
run 0 submit exp --engine slurm --allow-local --partition short --time 60 --throttle 3 --account "group_1" --mem 2G \
  --constraint 'haswell&fast' --sbatch-arg=--nice=100 --sbatch-arg '--comment="two words"'
says "submitted shards 0-7 as job 4711 and their merge as job 4712"
cat >expected <<EOT
scontrol
  <show>
  <config>
sbatch
  <--parsable>
  <--chdir=$WORK/exp>
  <--array=0-7%3>
  <$WORK/exp/slurm/shards.sbatch>
sbatch
  <--parsable>
  <--chdir=$WORK/exp>
  <--dependency=afterany:4711>
  <$WORK/exp/slurm/merge.sbatch>
EOT
diff calls expected || fail "other calls"
[ "$(cat exp/slurm/jobs)" = "4711 4712 0-7" ] || fail "jobs are '$(cat exp/slurm/jobs)'"
for script in shards merge; do
  for line in --partition=short --time=60 --account=group_1 --mem=2G '--constraint=haswell&fast' --nice=100 \
    '--comment="two words"' --open-mode=append; do
    has exp/slurm/$script.sbatch "#SBATCH $line"
  done
  bash -n exp/slurm/$script.sbatch || fail "$script.sbatch is no script"
done
has exp/slurm/shards.sbatch "#SBATCH --signal=B:USR1@60"
has exp/slurm/shards.sbatch "#SBATCH --requeue"
! grep -q "requeue\|signal" exp/slurm/merge.sbatch || fail "the merge has options of shards"
run 2 submit exp --engine slurm --allow-local && one_line && says "was submitted as job 4711; --missing"

# status, with and without Slurm's word.
run 0 run exp --shard 2/8 -q
printf '%s\n' '4711_2|COMPLETED|n1' '4711_3|RUNNING|n2' '4711_4|PENDING|(Resources)' '4712|PENDING|(Dependency)' \
  '99_5|RUNNING|n9' 'squeue: a warning' >answers/squeue
run 0 status exp
prints "exp: 1 of 8 shards done, 2 of 16 runs, 0 failed"
prints "shard 3	missing	0 of 2 runs	job 4711_3 RUNNING n2"
prints "shard 4	missing	0 of 2 runs	job 4711_4 PENDING (Resources)"
prints "merge	job 4712 PENDING (Dependency)"
! grep -q "shard 2	\|99_5" out || fail "a shard that is done is listed, or another's job"
echo "slurm_load_jobs error: Unable to contact slurm controller" >answers/squeue
echo 1 >answers/squeue.status
run 0 status exp && prints "squeue says nothing about the jobs" && prints "shard 3	missing	0 of 2 runs"
# Accounting remembers what squeue has forgotten, and nothing is asked of it but that.
printf '%s\n' '4711_3|TIMEOUT|n2' '4711_4|CANCELLED by 1000|n1' '4712|FAILED|n1' >answers/sacct
run 0 status exp && prints "shard 3	missing	0 of 2 runs	job 4711_3 TIMEOUT n2"
prints "shard 4	missing	0 of 2 runs	job 4711_4 CANCELLED n1"
prints "no job is left: rowmax submit exp --engine slurm --missing"
echo "Slurm accounting storage is disabled" >answers/sacct
echo 1 >answers/sacct.status
run 0 status exp && prints "squeue says nothing about the jobs"
rm bin/squeue bin/sacct
PATH=$WORK/bin run 0 status exp && prints "1 of 8 shards done"
program squeue
program sacct

# --missing: what is neither done nor with Slurm, under the numbers of the plan.
rm answers/squeue.status calls
printf '%s\n' '4711_3|RUNNING|n2' '4711_4|CANCELLED|n1' '4711_5|COMPLETING|n1' >answers/squeue
printf '5000\n5001\n' >answers/ids
run 0 submit exp --engine slurm --allow-local --missing && says "submitted shards 0-1,4,6-7 as job 5000"
says "2 shards are with Slurm already"
called "<--array=0-1,4,6-7>"
[ "$(tail -n 1 exp/slurm/jobs)" = "5000 5001 0-1,4,6-7" ] || fail "jobs are '$(cat exp/slurm/jobs)'"
has exp/slurm/shards.sbatch "shards=8"

# cancel ends the noted jobs and no others, the merge before what it waits for.
rm calls
echo "scancel: error: Kill job error on job id 4711: Invalid job id specified" >answers/scancel
echo 1 >answers/scancel.status
run 0 cancel exp && says "finished runs are kept"
[ "$(tr -d '\n' <calls)" = "scancel  <4712>scancel  <4711>scancel  <5001>scancel  <5000>" ] || fail "calls: $(cat calls)"
echo "scancel: error: Access denied" >answers/scancel
rm answers/scancel.status
echo '4711 4712 0-2' >'an $(own)/slurm/jobs'
run 0 cancel 'an $(own)' && says "to go on: rowmax submit 'an \$(own)' --engine slurm --missing"
rm 'an $(own)/slurm/jobs'
echo COMPLETED >answers/squeue
printf '%s\n' 6000 6001 >answers/ids
run 5 submit 'an $(own)' --engine slurm --allow-local --wait && says "as job 6000 and their merge as job 6001; see: rowmax status 'an \$(own)'"
says "not merged; 'an \$(own)/log/merge.log' says why, and what is there: rowmax status 'an \$(own)'"
echo 1 >answers/scancel.status
run 5 cancel exp && one_line && says "cannot end job 4712: scancel: error: Access denied"
run 2 cancel own && one_line && says "was not submitted"

# Slurm says no, or nonsense, or is not there.
cp -r own new
rm -r new/parts/*
echo "sbatch: error: Batch job submission failed: Invalid account" >answers/sbatch
echo 1 >answers/sbatch.status
run 5 submit new --engine slurm --allow-local && one_line && says "sbatch refused shards.sbatch: sbatch: error: Batch job"
absent new/slurm/jobs
rm answers/sbatch.status
echo "Submitted?" >answers/sbatch
run 5 submit new --engine slurm --allow-local && one_line && says "sbatch gave no job id but 'Submitted?"
absent new/slurm/jobs
echo 7000 >answers/ids
cat >bin/sbatch <<'EOT'
#!/bin/bash
[[ "$*" != *afterany* ]] || { echo "sbatch: error: no"; exit 1; }
echo "sbatch: a word of warning" >&2
echo 7000
EOT
run 5 submit new --engine slurm --allow-local && one_line && says "the shards are job 7000, their merge is left to rowmax merge new: "
[ "$(cat new/slurm/jobs)" = "7000 - 0-2" ] || fail "an array was submitted and not noted"
printf 'MaxArraySize = 2\n' >answers/scontrol
rm new/slurm/jobs
run 2 submit new --engine slurm --allow-local && one_line && says "arrays of at most 2 (MaxArraySize); plan anew with --shards 2"
rm bin/*
PATH=$WORK/bin run 5 submit new --engine slurm --allow-local && one_line && says "cannot start 'sbatch'"
mkdir 'per%cent'
rmdir 'per%cent'
mv new 'per%cent'
run 2 submit 'per%cent' --engine slurm --allow-local && one_line && says "plan in another folder"
for bad in "--partition=a b" "--partition=" "--account=x'y" "--mem=1\$G" "--time=0" "--time=1:00" "--throttle=-1" "--sbatch-arg=nice" \
  "--shards=2"; do
  run 2 submit exp --engine slurm "$bad" && one_line
done

# The script of a shard, by hand: what it makes of each end of the worker.
cp -r own 'it'"'"'s'
cd "it's" || exit 1
rm -r parts/*
printf '%s\n' 4711 4712 >"$ANSWERS/ids"
cd ..
program sbatch
program scontrol
rm answers/scontrol
run 0 submit "it's" --engine slurm --allow-local -q
printf '#!/bin/bash\n' >bin/sleep
chmod +x bin/sleep
# task START STATUS COMMANDS: the script with a worker of those commands; scontrol is noted in calls.
task() {
  sed "s|^rowmax=.*|rowmax='$WORK/bin/worker'|" "it's/slurm/shards.sbatch" >shard.sh
  printf '#!/bin/bash\n%s\n' "$3" >bin/worker
  chmod +x bin/worker
  : >calls
  (cd / && SLURM_ARRAY_TASK_ID=1 SLURM_ARRAY_JOB_ID=4711 SLURM_JOB_ID=4711 SLURM_RESTART_COUNT=$1 bash "$WORK/shard.sh" >"$WORK/log" 2>&1)
  local got=$?
  [ $got = "$2" ] || fail "the script ends with $got, wanted $2: $(cat log)"
}
requeued() { grep -qF '<4711_1>' calls || fail "not requeued: $(cat log)"; }
left() { [ ! -s calls ] || fail "requeued: $(cat log)"; }
task 0 0 'echo "$@"' && left && has log "run $WORK/it's --shard 1/3 -j 1"
task 0 3 'exit 3' && left
task 0 2 'exit 2' && left
task 0 143 'trap "exit 143" TERM; kill -TERM $PPID; while :; do :; done' && left && has log "told to end"
task 0 130 'trap "echo x >>parts/part-00001.h5.journal; exit 130" USR1; kill -USR1 $PPID; while :; do :; done' && requeued
has log "the time limit is near"
[ "$(cat "it's/slurm/tries-1")" = 0 ] || fail "an attempt that got on counts"
# Killed, in use or without a run done: five times, then no more.
task 0 137 'kill -9 $$' && requeued
task 1 5 'exit 5' && requeued
task 2 130 'trap "exit 130" USR1; kill -USR1 $PPID; while :; do :; done' && requeued
task 3 137 'kill -9 $$' && requeued
task 4 137 'kill -9 $$' && requeued
task 5 137 'kill -9 $$' && left && has log "given up after 5 tries"
task 6 130 'trap "echo x >>parts/part-00001.h5.journal; exit 130" USR1; kill -USR1 $PPID; while :; do :; done' && requeued
task 0 137 'kill -9 $$' && requeued

# The script of the merge, by hand: a report behind it, though some runs have failed, and the worse status.
merges() {
  printf '#!/bin/bash\necho "$@" >>"$CALLS"\n[ "$1" = merge ] || exit %s\nexit %s\n' "$3" "$2" >bin/worker
  sed "s|^rowmax=.*|rowmax='$WORK/bin/worker'|" "it's/slurm/merge.sbatch" >merge.sh
  : >calls
  (cd / && bash "$WORK/merge.sh" >"$WORK/log" 2>&1)
  local got=$?
  [ $got = "$1" ] || fail "the merge ends with $got, wanted $1: $(cat log)"
}
reports() { grep -qxF "report $WORK/it's/sweep.h5 -o $WORK/it's/report" calls || fail "no report: $(cat calls)"; }
merges 0 0 0 && reports
merges 3 3 0 && reports
merges 6 0 6 && reports
merges 2 2 0
! grep -q report calls || fail "a report of what is not merged"
printf '%s\n' 4713 4714 >answers/ids
rm "it's/slurm/jobs"
run 0 submit "it's" --engine slurm --allow-local --no-report -q
merges 0 0 0
! grep -q report calls || fail "a report with --no-report"
exit $FAILED
