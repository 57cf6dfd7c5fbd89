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
exit $FAILED
