# SPDX-License-Identifier: MIT
# A system that misbehaves: locks that are not there, switched off or held under another name, and clocks
# that go backwards.
. "$2/tests/support/cli.sh"

# preload NAME: builds NAME.so of standard input; with NAME COMMAND...: runs the command with it.
preload() { cc -shared -fPIC -O1 -o "$1.so" -xc - || fail "$1.so does not build"; }
with() {
  local library=$1
  shift
  ASAN_OPTIONS=verify_asan_link_order=0 LD_PRELOAD=$WORK/$library.so "$@"
}

# A file system without locks: said, and nothing is written without one.
preload no_locks <<'EOT'
#include <errno.h>
#include <sys/file.h>
int flock(int descriptor, int operation)
{
    (void)descriptor;
    (void)operation;
    errno = ENOLCK;
    return -1;
}
EOT
with no_locks "$ROWMAX" run small.yaml -o unlocked.h5 >out 2>err
[ $? = 5 ] || fail "a missing lock did not give status 5"
one_line && says "cannot lock 'unlocked.h5'; name a file on a local disk, or add --no-lock if nothing else writes it: No locks available"
absent unlocked.h5
absent unlocked.h5.journal
# With --no-lock it goes on, and so does all that reads.
run 0 run small.yaml -o locked.h5 -q
with no_locks "$ROWMAX" run small.yaml -o unlocked.h5 -q --no-lock || fail "--no-lock does not go on"
same unlocked.h5 locked.h5
with no_locks "$ROWMAX" run small.yaml -o unlocked.h5 --no-lock 2>err || fail "no resume without locks"
says "(0 new, 16 reused, 0 failed)"
absent unlocked.h5.lock
with no_locks "$ROWMAX" show unlocked.h5 >out || fail "nothing is shown without locks"
with no_locks "$ROWMAX" check unlocked.h5 --against locked.h5 >out || fail "nothing is checked without locks"
with no_locks "$ROWMAX" merge -o merged.h5 unlocked.h5 2>err
[ $? = 5 ] || fail "merge needs no lock"
says "add --no-lock"
with no_locks "$ROWMAX" merge -o merged.h5 unlocked.h5 --no-lock -q || fail "merge --no-lock does not go on"
same merged.h5 locked.h5

# A clock that goes back an hour with every look at it. Time that passed is measured by another.
preload backwards <<'EOT'
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
#ifndef START
#define START 1900000000
#endif
static long looks;
int clock_gettime(clockid_t id, struct timespec *out)
{
    long status = syscall(SYS_clock_gettime, id, out);
    if (id == CLOCK_REALTIME || id == CLOCK_REALTIME_COARSE) {
        out->tv_sec = START - 3600 * looks++;
    }
    return (int)status;
}
time_t time(time_t *out)
{
    time_t now = START - 3600 * looks++;
    if (out != NULL) {
        *out = now;
    }
    return now;
}
int gettimeofday(struct timeval *restrict out, void *restrict zone)
{
    (void)zone;
    *out = (struct timeval){.tv_sec = START - 3600 * looks++};
    return 0;
}
EOT
write_long 12
run 0 run long.yaml -o long.h5 -q
with backwards "$ROWMAX" run long.yaml -o backwards.h5 -j 2 >out 2>err || fail "a clock that goes back stopped the sweep"
grep -qE "^24 of 24 runs in backwards.h5 .*, [0-9.]+ (ms|s)$" err || fail "no time, or one before the beginning"
! grep -qE -- "-[0-9]|nan|inf" err || fail "time before the beginning"
same backwards.h5 long.h5
with backwards "$ROWMAX" run long.yaml -o backwards.h5 --run-timeout 100 --fresh -q || fail "a clock that goes back ran out of time"
same backwards.h5 long.h5
# Nights are dated by the clock, whatever it says.
run 0 run small.yaml -o small.h5 -q
with backwards "$ROWMAX" check small.h5 --against small.h5 --history nights.jsonl >out 2>err || fail "check needs a good clock"
grep -qE '"date": "2030-03-1[67]"' nights.jsonl || fail "the night has not the date of the clock"
for year in 1970:0 2040:2208988800; do
  printf '#include <time.h>\ntime_t time(time_t *out) { if (out) { *out = %s; } return %s; }\n' ${year#*:} ${year#*:} |
    preload "at_${year%:*}"
  with "at_${year%:*}" "$ROWMAX" check small.h5 --against small.h5 --history nights.jsonl >out 2>err || fail "check needs our year"
  tail -1 nights.jsonl | grep -q "\"date\": \"${year%:*}-01-01\"" || fail "a night of ${year%:*} has another date"
  with "at_${year%:*}" "$ROWMAX" run small.yaml --fresh -o dated.h5 -q || fail "run needs our year"
  same dated.h5 small.h5
done

# A second process is refused under every name of the file, and HDF5's own switch changes nothing.
long_sweep
run 0 run long.yaml -o whole.h5 -q
mkdir -p a/b
ln -s "$WORK/held.h5" a/b/link.h5
"$ROWMAX" run long.yaml -o held.h5 -q 2>first &
process=$!
while [ ! -s held.h5.journal ]; do
  kill -0 $process 2>/dev/null || { fail "over before the second began"; break; }
  sleep 0.01
done
# Stopped, it holds its lock for as long as the others need.
kill -STOP $process
for name in held.h5 ./a/../held.h5 "$WORK/held.h5" a/b/link.h5; do
  for lock in TRUE FALSE; do
    HDF5_USE_FILE_LOCKING=$lock "$ROWMAX" run small.yaml -o "$name" --fresh -q >out 2>err
    [ $? = 5 ] || fail "a second process wrote to '$name' with HDF5's locks $lock"
    one_line && says "is in use by process $process on '$(hostname)' since $(date -u +%Y-)"
  done
done
# A lock that is held is one, whatever is asked for.
run 5 run small.yaml -o held.h5 --no-lock && says "rowmax run: '" && says "in use by process $process"
(cd a/b && "$ROWMAX" run ../../small.yaml -o ../../held.h5 >"$WORK/out" 2>"$WORK/err")
[ $? = 5 ] || fail "a second process wrote from another folder"
says "in use by process $process"
kill -CONT $process
wait $process || fail "the first process was disturbed"
same held.h5 whole.h5

# Two at once, without HDF5's locks: one is refused or comes second; the file is whole.
rm held.h5
HDF5_USE_FILE_LOCKING=FALSE "$ROWMAX" run small.yaml -o held.h5 -q 2>/dev/null &
first=$!
HDF5_USE_FILE_LOCKING=FALSE "$ROWMAX" run small.yaml -o held.h5 -q 2>/dev/null &
second=$!
wait $first
one=$?
wait $second
two=$?
case "$one $two" in
"0 0" | "0 5" | "5 0") ;;
*) fail "two at once gave status $one and $two" ;;
esac
same held.h5 small.h5

# Open in another program: read there, nothing changes; written there, it is neither damaged nor replaced.
open_in() {
  /usr/bin/python3 - "$1" <<'EOT' &
import h5py, os, sys, time
f = h5py.File("viewed.h5", sys.argv[1])
open("opened", "w").close()
while os.path.exists("opened"):
    time.sleep(0.02)
EOT
  viewer=$!
  while [ ! -e opened ]; do sleep 0.02; done
}
cp small.h5 viewed.h5
open_in r
run 0 show viewed.h5
run 0 run small.yaml -o viewed.h5 && says "(0 new, 16 reused, 0 failed)"
run 0 run small.yaml -o viewed.h5 -q --set 'seed=[1, 2, 3]'
rm opened
wait $viewer
cp small.h5 viewed.h5
open_in r+
run 2 show viewed.h5 && one_line && says "'viewed.h5' is open for writing in another program; close it there"
for how in "" --fresh "--recover recovered.h5"; do
  run 5 run small.yaml -o viewed.h5 $how && one_line
  [ "$(cat err)" = "rowmax run: 'viewed.h5' is open for writing in another program; close it there" ] ||
    fail "something else is said of a file that is in use"
done
absent recovered.h5
rm opened
wait $viewer
run 0 run small.yaml -o viewed.h5 && says "(0 new, 16 reused, 0 failed)"

# A second signal ends even a run that has begun, and leaves a file or none. One that all threads do together, as it
# takes long, ends with the first.
printf '%s\n' 'rowmax: 1' 'name: heavy' 'fixed: {source: gaussian, tokens: 60000}' 'grid: {seed: [1, 2]}' >heavy.yaml
for signals in INT:INT:130 TERM:TERM:143 HUP:INT:130; do
  rm -f heavy.h5.lock
  "$ROWMAX" run heavy.yaml -o heavy.h5 -q -j 1 2>err &
  process=$!
  while [ ! -s heavy.h5.lock ]; do sleep 0.01; done
  sleep 0.2
  IFS=: read -r one two status <<<"$signals"
  kill -"$one" $process
  sleep 0.2
  kill -0 $process 2>/dev/null || fail "a run that had begun did not go on after one SIG$one"
  kill -"$two" $process
  wait $process
  [ $? = "$status" ] || fail "SIG$one and SIG$two did not give status $status"
  absent heavy.h5
done
rm -f heavy.h5.lock
"$ROWMAX" run heavy.yaml -o heavy.h5 -q -j 2 2>err &
process=$!
while [ ! -s heavy.h5.lock ]; do sleep 0.01; done
sleep 0.2
kill -INT $process
wait $process
[ $? = 130 ] || fail "a run of all threads did not end with the first signal"
says "interrupted; what was finished is kept, 'rowmax run' goes on"
absent heavy.h5
exit $FAILED
