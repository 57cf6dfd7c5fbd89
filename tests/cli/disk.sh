# SPDX-License-Identifier: MIT
# Full disks and folders that cannot be written: status 5, the old file as it was.
. "$2/tests/support/cli.sh"

run 0 run small.yaml -o old.h5 -q
cp old.h5 before.h5
(ulimit -f 8; "$ROWMAX" run small.yaml -o old.h5 -q --set 'seed={from: 1, to: 40}' --set 'keep=[scores]' >out 2>err)
[ $? = 5 ] || fail "a full disk did not give status 5"
one_line
says "File too large"
same old.h5 before.h5
run 0 run small.yaml -o old.h5 -q --set 'seed={from: 1, to: 40}'
! ls | grep -q '\.tmp' || fail "a temporary file was left"

# A small file system of our own, where the system lets us mount one.
if [ "$(id -u)" = 0 ] && mkdir tiny && mount -t tmpfs -o size=64k tmpfs tiny 2>/dev/null; then
  for seeds in 10 40 80; do
    "$ROWMAX" run small.yaml -o tiny/out.h5 -q --set "seed={from: 1, to: $seeds}" --set 'keep=[scores]' >out 2>err
    status=$?
    [ $status = 0 ] || [ $status = 5 ] || fail "a full tmpfs gave status $status"
    [ ! -e tiny/out.h5 ] || "$ROWMAX" show tiny/out.h5 >/dev/null || fail "a damaged file was left"
  done
  [ $status = 5 ] || fail "the tmpfs never filled"
  umount tiny
fi

# Every other output: a device that is always full, a limit on files, and a small file system.
run 0 run small.yaml -o small.h5 -q
full() {
  "$ROWMAX" "$@" >/dev/full 2>err
  [ $? = 5 ] || fail "'rowmax $*' took a full standard output for success"
  one_line && says "cannot write standard output"
}
full show small.h5
full plan small.yaml --list
full plan small.yaml -o small.h5 --why
full report small.h5 -o told
full check small.h5 --against small.h5
full help
for option in --json --junit; do
  run 5 check small.h5 --against small.h5 $option /dev/full
  one_line && says "cannot write '/dev/full': No space left on device"
done
# no_empty_files FOLDER
no_empty_files() { [ -z "$(find "$1" -type f -size 0)" ] || fail "empty files in $1: $(find "$1" -type f -size 0)"; }
for blocks in 1 8 16; do
  (ulimit -f $blocks; trap '' XFSZ; "$ROWMAX" report small.h5 -o "limited-$blocks" >out 2>err)
  status=$?
  [ $status = 5 ] || [ $status = 6 ] || fail "a report with files of $blocks KB gave status $status"
  one_line
  no_empty_files "limited-$blocks"
done
if [ "$(id -u)" = 0 ] && mount -t tmpfs -o size=64k tmpfs tiny 2>/dev/null; then
  "$ROWMAX" report small.h5 -o tiny/report >out 2>err
  status=$?
  [ $status = 5 ] || [ $status = 6 ] || fail "a report on a full disk gave status $status"
  one_line && says "tiny/report"
  no_empty_files tiny/report
  umount tiny
fi
exit $FAILED
