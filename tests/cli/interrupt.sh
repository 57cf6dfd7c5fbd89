# SPDX-License-Identifier: MIT
# Interrupted and killed: what was finished is kept, the file is whole, and going on gives the bytes of
# an uninterrupted sweep.
. "$2/tests/support/cli.sh"

long_sweep
run 0 run long.yaml -o whole.h5 -q

# stopped SIGNAL STATUS
stopped() {
  rm -f cut.h5 cut.h5.*
  "$ROWMAX" run long.yaml -o cut.h5 -j 2 >out 2>err &
  local process=$!
  wait_for_journal cut.h5 5000 $process || return
  kill -"$1" $process
  wait $process
  local got=$?
  [ "$got" = "$2" ] || fail "SIG$1 gave status $got, wanted $2"
}

for signal in INT:130 USR1:130 TERM:143; do
  stopped ${signal%:*} ${signal#*:}
  says "interrupted"
  absent cut.h5.journal
  "$ROWMAX" show cut.h5 >shown || fail "a stopped sweep cannot be shown"
  grep -q "of $LONG_RUNS runs" shown || fail "show does not say how many were planned"
  ! grep -q "^$LONG_RUNS of $LONG_RUNS" shown || fail "nothing was interrupted"
  run 0 run long.yaml -o cut.h5
  ! grep -q " 0 reused" err || fail "nothing was reused after SIG${signal%:*}"
  same cut.h5 whole.h5
done

for moment in 1 2 3 4 5; do
  stopped KILL 137
  absent cut.h5
  sleep 0.0$moment
  run 0 show cut.h5
  prints " of $(printf '%d' $LONG_RUNS | sed ':a;s/\\B[0-9]\\{3\\}\\>/,&/;ta') runs, 0 failed"
  run 0 run long.yaml -o cut.h5
  says "resuming"
  same cut.h5 whole.h5
  absent cut.h5.lock
done

# Learning word vectors of a large vocabulary says so and can be stopped, too; nothing is left behind.
/usr/bin/python3 - <<'EOT'
import random
random.seed(3)
words = ["w" + "".join(chr(97 + i // 26 ** k % 26) for k in range(4)) for i in range(60000)]
with open("large.txt", "w") as file:
    for i in range(120000):
        file.write(" ".join(random.choice(words) for _ in range(4)) + ".\n")
EOT
cat >large.yaml <<'EOT'
rowmax: 1
name: large
fixed: {corpus: large.txt, sentence: waaaa wbaaa, unknown_words: skip, d_model: 256}
EOT
"$ROWMAX" run large.yaml -o large.h5 >out 2>err &
process=$!
for i in $(seq 1 600); do grep -q learning err && break; sleep 0.1; done
kill -INT $process
begin=$(date +%s)
wait $process
[ $? = 130 ] || fail "SIGINT while learning did not give status 130"
[ $(($(date +%s) - begin)) -le 20 ] || fail "SIGINT while learning was not heard"
says "learning"
absent large.h5

# An interruption while the report is written is one as well; the results are complete.
mkdir slow
printf '#!/bin/sh\ntouch "%s/drawing"\nsleep 2\nexit 1\n' "$WORK" >slow/gnuplot
chmod +x slow/gnuplot
PATH=$WORK/slow:$PATH "$ROWMAX" run small.yaml -o drawn.h5 --report -q >out 2>err &
process=$!
for i in $(seq 1 600); do [ -e drawing ] && break; sleep 0.05; done
kill -INT $process
wait $process
[ $? = 130 ] || fail "SIGINT during the report did not give status 130"
run 0 show drawn.h5

# What nohup had us ignore stays ignored; commands other than run end as any program does.
(trap '' HUP; "$ROWMAX" run long.yaml -o hup.h5 -q >out 2>err; echo $? >status) &
while [ ! -s hup.h5.journal ]; do sleep 0.01; done
kill -HUP "$(cut -d " " -f 1 hup.h5.lock)"
wait
[ "$(cat status)" = 0 ] || fail "a hangup under nohup ended the sweep"
"$ROWMAX" plan - < <(sleep 5) >out 2>err &
process=$!
sleep 0.3
kill -TERM $process
wait $process
[ $? = 143 ] || fail "plan did not end on SIGTERM"

# One writer at a time; the lock of a killed one is free at once.
rm -f cut.h5
"$ROWMAX" run long.yaml -o cut.h5 -q >out 2>err &
process=$!
while [ ! -s cut.h5.journal ]; do sleep 0.01; done
run 5 run long.yaml -o cut.h5 && one_line && says "$process"
ln -s cut.h5 link.h5
run 5 run long.yaml -o link.h5 && one_line
kill -9 $process
wait $process 2>/dev/null
run 0 run long.yaml -o cut.h5
same cut.h5 whole.h5

# A pipe that nothing comes from: the signal ends the wait.
mkfifo pipe.txt
printf '%s\n' 'rowmax: 1' 'fixed: {corpus: pipe.txt, sentence: the cat}' >pipe.yaml
sleep 60 >pipe.txt &
writer=$!
"$ROWMAX" run pipe.yaml -o pipe.h5 >out 2>err &
process=$!
sleep 1
kill -INT $process
wait $process
[ $? = 130 ] || fail "SIGINT while a pipe was read did not give status 130"
one_line && says "interrupted while 'pipe.txt' was read"
kill $writer
exit $FAILED
