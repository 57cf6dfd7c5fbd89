# SPDX-License-Identifier: MIT
# The doctor: all well here, and each thing that is missing named with its remedy.
. "$2/tests/support/cli.sh"

run 0 doctor
for check in disk machine blas results gnuplot figures; do
  grep -qE "^ok +$check " out || fail "doctor does not say that '$check' is well"
done
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
exit $FAILED
