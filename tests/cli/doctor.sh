# SPDX-License-Identifier: MIT
# The doctor: all well here, and each thing that is missing named with its remedy.
. "$2/tests/support/cli.sh"

run 0 doctor
for check in disk machine threads blas locks results gnuplot terminals figures; do
  grep -qE "^ok +$check " out || fail "doctor does not say that '$check' is well"
done
grep -qE "^(ok|note) +data " out || fail "doctor does not say what is installed"
[ "$(ls -A | grep -cE 'rowmax-doctor')" = 0 ] || fail "doctor left something behind"

mkdir empty
PATH=$WORK/empty "$ROWMAX" doctor >out 2>err
[ $? = 6 ] || fail "no gnuplot did not give status 6"
grep -q "^FAIL  gnuplot .*apt-get install gnuplot-nox" out || fail "no remedy for gnuplot"

# Without any font gnuplot draws no text and says nothing.
cat >fonts.conf <<'EOT'
<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig></fontconfig>
EOT
FONTCONFIG_FILE=$WORK/fonts.conf "$ROWMAX" doctor >out 2>err
[ $? = 6 ] || fail "no font did not give status 6"
grep -q "^FAIL  figures .*fonts-dejavu-core" out || fail "no remedy for fonts"

# A gnuplot without one of the formats: it is named with what gnuplot says, and the rest goes on.
mkdir fake
cat >fake/gnuplot <<'EOT'
#!/bin/sh
case $3 in *svg*) echo 'unknown or ambiguous terminal type' >&2; exit 1 ;; esac
exec /usr/bin/gnuplot "$@"
EOT
chmod +x fake/gnuplot
PATH=$WORK/fake:$PATH "$ROWMAX" doctor >out 2>err
[ $? = 6 ] || fail "a missing format did not give status 6"
grep -q "^FAIL  terminals  no svg (gnuplot says: unknown or ambiguous terminal type); apt-get install gnuplot-nox" out ||
  fail "no remedy for a missing format"
grep -q "^ok    figures" out || fail "a missing format hides that the others work"

# Fewer processors than the machine has.
if [ "$(nproc --all)" -gt 1 ]; then
  taskset -c 0 "$ROWMAX" doctor >out 2>err || fail "one processor is a fault"
  grep -q "^note  threads .*use -j 1$" out || fail "a share of the processors is not told"
fi

# A folder that cannot be written, and one without locks.
(cd /proc && "$ROWMAX" doctor) >out 2>err
[ $? = 5 ] || fail "a folder that cannot be written did not give status 5"
grep -q "^FAIL  results .*go to one that can" out || fail "no remedy for a folder that cannot be written"
cc -shared -fPIC -o no_locks.so -xc - <<'EOT' || fail "no_locks.so does not build"
#include <errno.h>
int flock(int descriptor, int operation)
{
    errno = descriptor + operation > -9 ? ENOLCK : 0;
    return -1;
}
EOT
ASAN_OPTIONS=verify_asan_link_order=0 LD_PRELOAD=$WORK/no_locks.so "$ROWMAX" doctor >out 2>err
[ $? = 5 ] || fail "no locks did not give status 5"
grep -q "^FAIL  locks .*--no-lock" out || fail "no remedy for a file system without locks"
! grep "^FAIL" out | grep -v ";" || fail "a fault without a remedy"
exit $FAILED
