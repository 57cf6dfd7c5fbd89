# SPDX-License-Identifier: MIT
# What the command-line tests share. Sourced with the program and the source folder as arguments.
set -u
ROWMAX=$1
SOURCE=$2
WORK=$(mktemp -d)
trap 'chmod -R u+w "$WORK" 2>/dev/null; rm -rf "$WORK"' EXIT
cd "$WORK" || exit 1
FAILED=0
export ROWMAX_CORPORA="$SOURCE/corpora"

fail() {
  echo "FAILED: $*"
  [ ! -s out ] || sed 's/^/  stdout: /' out | head -20
  [ ! -s err ] || sed 's/^/  stderr: /' err | head -20
  FAILED=1
}

# run STATUS ARGUMENTS...: runs the program, keeps stdout in out and stderr in err, wants that status.
run() {
  local wanted=$1
  shift
  "$ROWMAX" "$@" >out 2>err </dev/null
  local got=$?
  [ "$got" = "$wanted" ] || fail "'rowmax $*' gave status $got, wanted $wanted"
}

# says TEXT: stderr holds it; prints TEXT: stdout does.
says() { grep -qF -- "$1" err || fail "stderr lacks '$1'"; }
prints() { grep -qF -- "$1" out || fail "stdout lacks '$1'"; }
# one_line: stderr is one line.
one_line() { [ "$(wc -l <err)" = 1 ] || fail "stderr is not one line"; }
absent() { [ ! -e "$1" ] || fail "'$1' should not be there"; }
same() { cmp -s "$1" "$2" || fail "'$1' and '$2' differ"; }

# wait_for_journal FILE BYTES PROCESS: until a run has so much in its journal; false if it is over before.
wait_for_journal() {
  while [ ! -s "$1.journal" ] || [ "$(stat -c %s "$1.journal")" -lt "$2" ]; do
    kill -0 "$3" 2>/dev/null || { fail "over before a signal could be sent"; return 1; }
    sleep 0.01
  done
}

# kill_run FILE BYTES ARGUMENTS...: a run with that output is killed when so much is in its journal.
kill_run() {
  local file=$1 bytes=$2
  shift 2
  "$ROWMAX" run "$@" -o "$file" -q &
  local process=$!
  wait_for_journal "$file" "$bytes" $process
  kill -KILL $process
  wait $process 2>/dev/null
}

# A small sweep: small.yaml, 16 runs.
cat >small.yaml <<'EOT'
rowmax: 1
name: small
fixed: {sentence: the cat chased the mouse, corpus: demo}
grid:
  guards: all
  seed: [1, 2]
EOT

# A sweep that takes about two seconds on this machine with this build: long.yaml of $LONG_RUNS runs,
# written by long_sweep.
long_sweep() {
  local begin end seeds
  write_long 10
  begin=$(date +%s%N)
  "$ROWMAX" run long.yaml -o probe.h5 -q || fail "the probe sweep failed"
  end=$(date +%s%N)
  rm probe.h5
  seeds=$((10 * 2000000000 / (end - begin)))
  [ $seeds -ge 30 ] || seeds=30
  [ $seeds -le 1000 ] || seeds=1000
  write_long $seeds
  LONG_RUNS=$((2 * seeds))
}
write_long() {
  cat >long.yaml <<EOT
rowmax: 1
name: long
fixed: {source: gaussian, tokens: 96, d_model: 256, d_k: 256, position: none}
grid:
  guards: [init+scale, none]
  seed: {from: 1, to: $1}
EOT
}
