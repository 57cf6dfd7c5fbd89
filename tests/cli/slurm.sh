# SPDX-License-Identifier: MIT
# A sweep on Slurm, with daemons of its own on this machine: killed, cancelled, on a lost node and at its
# time limit, it becomes the very file of one process.
. "$2/tests/support/cli.sh"
export SLURM_CONF=$WORK/cluster/slurm.conf PATH=$PATH:/usr/sbin:/sbin
HELD=
finish() {
  # Workers that a failed test has left stopped; the number may be another process's by now.
  for process in $HELD; do
    ! grep -qF "$WORK/" "/proc/$process/cmdline" 2>/dev/null || kill -9 "$process"
  done
  bash "$SOURCE/tests/slurm/stop.sh" "$WORK/cluster"
  rm -rf "$WORK"
}
trap finish EXIT

# Waits up to SECONDS until a command is true.
until_true() {
  local end=$((SECONDS + $1))
  shift
  while ! "$@"; do
    [ $SECONDS -lt $end ] || return 1
    sleep 0.2
  done
}
log_says() { grep -qF -- "$2" "$1" 2>/dev/null; }
state() { squeue -h -r -t all -j "$1" -o %T 2>/dev/null; }
state_is() { [ "$(state "$1")" = "$2" ]; }

# catch FOLDER SHARD...: stops the worker of each shard once it has finished a run; PID_SHARD is its id.
catch() {
  local folder=$1 end=$((SECONDS + 30)) shard part process
  shift
  local -a wanted=("$@")
  while [ ${#wanted[@]} -gt 0 ]; do
    [ $SECONDS -lt $end ] || { fail "no worker of shards ${wanted[*]} to stop"; return 1; }
    for place in "${!wanted[@]}"; do
      shard=${wanted[$place]}
      part=$folder/parts/part-0000$shard.h5
      [ -s "$part.journal" ] && read -r process _ <"$part.lock" && kill -STOP "$process" || continue
      eval "PID_$shard=$process"
      HELD="$HELD $process"
      unset "wanted[$place]"
    done 2>/dev/null
    sleep 0.01
  done
}

bash "$SOURCE/tests/slurm/start.sh" "$WORK/cluster" 5 || { fail "Slurm does not start"; exit 1; }
long_sweep
run 0 plan long.yaml --shards 1 --out limit
run 0 plan long.yaml --shards 8 --out night && prints "8 shards"

# The copies are what is run: the original is gone.
run 0 run long.yaml -o one.h5 -q
mv long.yaml elsewhere.yaml

# A minute is the shortest limit that Slurm has; the warning, 60 s ahead, comes with its next look at
# the clock. The worker stands still until then.
run 0 submit limit --engine slurm --allow-local --time 1 && says "10 minutes or more"
catch limit 0
held_at_limit=$PID_0

run 0 submit night --engine slurm --allow-local --time 30
read -r array merge _ <night/slurm/jobs
catch night 0 1 2 3
run 0 status night && prints "0 of 8 shards done" && prints "job ${array}_2 RUNNING n"
grep -qP '^shard 2\trunning\t[1-9]' out || fail "shard 2 does not run"
grep -qP '^shard 7\tmissing\t0 of .*PENDING' out || fail "shard 7 is not pending"
grep -qP "^merge\tjob $merge PENDING" out || fail "the merge is not pending"
run 2 submit night --engine slurm --allow-local && says "was submitted as job $array"
run 0 submit night --engine slurm --allow-local --missing && says "8 shards are with Slurm already"

# Shard 0 is killed. Shard 1 is cancelled.
kill -9 "$PID_0"
scancel "${array}_1"
# The node of shard 2 is lost: Slurm starts the shard elsewhere while the first attempt holds its results.
node=$(squeue -h -j "${array}_2" -o %N)
kill -9 "$(awk -v name="slurmd-$node" '$2 == name { print $1 }' cluster/processes)"
sed -i "/ slurmd-$node\$/d" cluster/processes
scontrol update NodeName="$node" State=DOWN Reason="lost in a test"
kill -CONT "$PID_3"
until_true 40 log_says night/log/shard-2.log "is in use by process $PID_2" || fail "no second attempt of shard 2"
kill -CONT "$PID_2"

# The limit: saved, back in the queue, done by the second start.
until_true 50 log_says limit/log/shard-0.log "the time limit is near" || fail "no warning before the limit"
kill -CONT "$held_at_limit"
until_true 30 test -f limit/sweep.h5 || fail "not merged after the limit"
same limit/sweep.h5 one.h5
for text in "start 0 on n" "ends with status 130" "back to the queue" "start 1 on n"; do
  log_says limit/log/shard-0.log "$text" || fail "the log of the limit lacks '$text'"
done
grep -qE "\([0-9,]+ new, [1-9][0-9,]* reused, 0 failed\)" limit/log/shard-0.log || fail "after the limit all was run anew"

until_true 60 state_is "$merge" FAILED || fail "the merge of an incomplete sweep is '$(state "$merge")'"
log_says night/log/merge.log "are missing; run again --shard I/8 for I = 1" || fail "the merge does not name shard 1"
absent night/sweep.h5
state_is "${array}_1" CANCELLED || fail "what was cancelled came back"
log_says night/log/shard-0.log "ends with status 137" && log_says night/log/shard-0.log "start 1 on n" ||
  fail "the killed shard was not started again"
grep -q "resuming; [1-9]" night/log/shard-0.log || fail "the killed shard began anew"
log_says night/log/shard-2.log "start 2 on n" || fail "shard 2 was not tried again"
run 0 status night && prints "7 of 8 shards done" && prints "no job is left"
grep -qP "^shard 1\tstopped\t[1-9]" out || fail "shard 1 is not stopped"

run 0 submit night --engine slurm --allow-local --missing --wait && says "submitted shards 1 as job"
same night/sweep.h5 one.h5
run 0 status night && prints "8 of 8 shards done" && prints "merged: "
until_true 60 log_says night/log/merge.log "report ends with status 0" || fail "the merge wrote no report"
[ -s night/report/report.md ] || fail "the merge wrote no report"
run 0 submit night --engine slurm --allow-local --missing && says "no shard is to be submitted"

# Cancelled as a whole.
run 0 plan elsewhere.yaml --shards 4 --out ended
run 0 submit ended --engine slurm --allow-local --throttle 1
read -r array merge _ <ended/slurm/jobs
run 0 cancel ended
until_true 20 state_is "$merge" CANCELLED || fail "the merge is '$(state "$merge")' after cancel"
absent ended/sweep.h5
run 0 cancel ended
run 0 merge night -q

if [ $FAILED != 0 ]; then
  tail -n 30 cluster/log/slurmctld.log */log/shard-[0-3].log */log/merge.log
fi
exit $FAILED
