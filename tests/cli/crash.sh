# SPDX-License-Identifier: MIT
# Killed at random moments: SIGKILL to run, to its last write, and to merge. Whatever the moment, what was
# finished stays, and going on gives the bytes of an uninterrupted sweep.
# ROWMAX_KILLS is the number of kills (30; before a release 200), ROWMAX_SEED draws their moments (1).
. "$2/tests/support/cli.sh"

KILLS=${ROWMAX_KILLS:-30}
RANDOM=${ROWMAX_SEED:-1}

# Small runs and many of them: much of the time goes into the file that is written at the end.
write_many() {
  cat >many.yaml <<EOT
rowmax: 1
name: many
fixed: {source: gaussian, tokens: 32, d_model: 48, d_k: 48}
grid:
  guards: [none, init+scale]
  seed: {from: 1, to: $1}
EOT
}

# took COMMAND...: the milliseconds that it takes, in TOOK.
took() {
  local begin
  begin=$(date +%s%N)
  "$@" >out 2>err || fail "'$*' failed"
  TOOK=$((($(date +%s%N) - begin) / 1000000))
}

# kill_within MS COMMAND...: starts it and kills it at a random moment of that time.
kill_within() {
  local moment=$(((RANDOM * 32768 + RANDOM) % $1))
  shift
  "$@" >out 2>err </dev/null &
  local process=$!
  sleep "$((moment / 1000)).$(printf %03d $((moment % 1000)))"
  kill -9 $process 2>/dev/null
  wait $process 2>/dev/null
  MOMENT="killed after $moment ms"
}

# finished FILE: how many runs it holds, in FINISHED; 0 where there is no file yet.
finished() {
  FINISHED=0
  if [ -e "$1" ] || [ -e "$1.journal" ]; then
    "$ROWMAX" show "$1" >out 2>err || fail "'$1' cannot be shown, $MOMENT"
    FINISHED=$(sed -n 's/^\([0-9,]*\) of [0-9,]* runs.*/\1/p' out | tr -d ,)
  fi
}

# As many as this machine with this build does in about 0.8 s.
write_many 200
took "$ROWMAX" run many.yaml -o probe.h5 -q
seeds=$((200 * 800 / (TOOK + 1)))
[ $seeds -ge 100 ] || seeds=100
[ $seeds -le 4000 ] || seeds=4000
write_many $seeds

took "$ROWMAX" run many.yaml -o whole.h5 -q
RUN_TIME=$TOOK
inside=0
for i in $(seq $((KILLS * 2 / 3))); do
  # One in four goes on with what the kill before left; the others start anew.
  before=0
  if [ $((i % 4)) = 0 ]; then
    finished cut.h5 && before=$FINISHED
  else
    rm -f cut.h5 cut.h5.*
  fi
  kill_within $RUN_TIME "$ROWMAX" run many.yaml -o cut.h5 -q
  finished cut.h5
  [ "$FINISHED" -ge $before ] || fail "$before runs were finished and $FINISHED are left, $MOMENT"
  [ "$FINISHED" = 0 ] || [ "$FINISHED" = $((2 * seeds)) ] || inside=$((inside + 1))
  [ $((i % 4)) != 3 ] || continue
  run 0 run many.yaml -o cut.h5 -q
  cmp -s cut.h5 whole.h5 || fail "the resumed file is another, $MOMENT"
  absent cut.h5.journal
  absent cut.h5.unfinished
done
[ $inside -ge $((KILLS / 10)) ] || fail "only $inside kills fell into a sweep"

for i in 0 1 2; do
  run 0 run many.yaml --shard $i/3 -o part-$i.h5 -q
done
cat part-?.h5 | sha256sum >parts.sha
took "$ROWMAX" merge -o merged.h5 part-0.h5 part-1.h5 part-2.h5
same merged.h5 whole.h5
run 0 merge -o old.h5 part-1.h5 --partial -q
for i in $(seq $((KILLS / 3))); do
  cp old.h5 merged.h5
  kill_within $TOOK "$ROWMAX" merge -o merged.h5 part-0.h5 part-1.h5 part-2.h5
  cmp -s merged.h5 old.h5 || cmp -s merged.h5 whole.h5 || fail "neither the old file nor the new one, $MOMENT"
  run 0 merge -o merged.h5 part-2.h5 part-0.h5 part-1.h5 -q
  cmp -s merged.h5 whole.h5 || fail "the merged file is another, $MOMENT"
  absent merged.h5.unfinished
done
[ "$(cat part-?.h5 | sha256sum)" = "$(cat parts.sha)" ] || fail "a killed merge changed a part"
exit $FAILED
