# SPDX-License-Identifier: MIT
# Why runs would run, and damaged results: they stay as they are, and what can be verified goes on in a
# new file.
. "$2/tests/support/cli.sh"

# plan --why: new, done, failed, other content, matrices.
run 0 plan small.yaml -o s.h5 --why && prints "16 to run: new"
[ "$(grep -c "	run	new$" out)" = 16 ] || fail "plan --why has not a line a run"
absent s.h5
run 0 run small.yaml -o s.h5 -q
run 0 plan small.yaml -o s.h5 --why && prints "16 not run: done"
run 0 plan small.yaml -o s.h5 --why --set 'seed=[2, 3]' && prints "8 to run: new" && prints "8 not run: done"
run 0 plan small.yaml -o s.h5 --why --set 'keep=[scores]' && prints "16 to run: matrices to keep are not there"
mkdir corpora
cp "$SOURCE/corpora/demo.txt" corpora/copy.txt
run 0 run small.yaml -o copy.h5 -q --set corpus=corpora/copy.txt
echo "One more sentence with a cat." >>corpora/copy.txt
touch -r "$SOURCE/corpora/demo.txt" corpora/copy.txt
run 0 plan small.yaml -o copy.h5 --why --set corpus=corpora/copy.txt
prints "16 to run: a file it reads has other content"
run 3 run small.yaml -o failed.h5 -q --run-timeout 1e-12
run 0 plan small.yaml -o failed.h5 --why && prints "16 not run: failed, not run again without --retry-failed"
run 0 plan small.yaml -o failed.h5 --why --retry-failed && prints "16 to run: failed before"
run 0 run small.yaml -o failed.h5 --retry-failed
same failed.h5 s.h5
# A new run is told what the nearest one at hand has in other fields.
near=$("$ROWMAX" plan small.yaml --list | awk -F '\t' '$1 == 1 { print $2 }')
run 0 plan small.yaml -o s.h5 --why --set 'seed=3' --set 'guards=none'
prints "	run	new; the nearest in the file,"
grep -qE "has seed [12]$" out || fail "not the nearest run"
run 0 plan small.yaml -o s.h5 --why --set 'seed=2' --set 'guards=none' --set 'd_model=32' --set 'd_k=16' && prints "the nearest in the file, $near, has d_model 64, d_k 64"
run 0 plan small.yaml -o s.h5 --why --set 'sentence=the dog' --set 'seed=7' --set 'd_model=[32]' --set 'd_k=16' --set window=3
! grep -q nearest out || fail "a run that is like none has a nearest one"
run 0 plan small.yaml -o s.h5 --why --set 'seed={from: 1, to: 200}'
[ "$(grep -c "	run	new; the nearest" out)" = 20 ] || fail "a large plan is listed whole"
prints "1,584 to run: new"
prints "16 not run: done"
for bad in 0 -1 nan x ""; do
  run 2 run small.yaml -o bad.h5 --run-timeout "$bad" && one_line
done

# Damaged files: refused and left alone; --recover NEW goes on from what holds.
cp s.h5 good.h5
damage() {
  case $1 in
  empty) : >d.h5 ;;
  half) head -c $(($(stat -c %s good.h5) / 2)) good.h5 >d.h5 ;;
  last) head -c -1 good.h5 >d.h5 ;;
  text) echo text >d.h5 ;;
  magic) head -c 8 good.h5 >d.h5 ;;
  flip) cp good.h5 d.h5 && printf 'X' | dd of=d.h5 bs=1 seek=20000 conv=notrunc 2>/dev/null ;;
  esac
}
for kind in empty half last text magic flip; do
  damage $kind
  rm -f new.h5
  sha256sum d.h5 >d.sha
  run 2 show d.h5 && one_line && says "d.h5"
  run 5 run small.yaml -o d.h5 && one_line
  [ $kind = text ] || says "--recover NEW"
  sha256sum --quiet -c d.sha || fail "a $kind file was changed"
  run 0 run small.yaml -o d.h5 --recover new.h5 && says "verified runs of d.h5"
  sha256sum --quiet -c d.sha || fail "a $kind file was changed by --recover"
  same new.h5 good.h5
  absent d.h5.lock
done
damage last
rm new.h5
run 0 run small.yaml -o d.h5 --recover new.h5 && says "16 verified runs of d.h5" && says "(0 new, 16 reused"
damage half
rm new.h5
run 0 run small.yaml -o d.h5 --recover new.h5 && says "d.h5: its runs are lost" && says "(16 new, 0 reused"

# Bytes behind the end cost nothing.
cp good.h5 d.h5
printf 'ten bytes.' >>d.h5
run 0 show d.h5 && prints "16 of 16 runs, 0 failed"
run 0 run small.yaml -o d.h5 && says "(0 new, 16 reused, 0 failed)"

# A journal damaged in its middle.
long_sweep
run 0 run long.yaml -o long.h5 -q
kill_run j.h5 12000 long.yaml
printf 'XXXX' | dd of=j.h5.journal bs=1 seek=8000 conv=notrunc 2>/dev/null
sha256sum j.h5.journal >j.sha
run 5 run long.yaml -o j.h5 && one_line && says "is damaged at byte" && says "--recover NEW"
run 0 run long.yaml -o j.h5 --recover j-new.h5
says "j.h5.journal: the runs in"
says "verified runs of j.h5"
! grep -q " 0 reused" err || fail "nothing was recovered of a journal damaged in one place"
same j-new.h5 long.h5
absent j.h5
sha256sum --quiet -c j.sha || fail "--recover changed the journal"

# The new file is new, and there is something to recover.
run 5 run long.yaml -o j.h5 --recover j-new.h5 && one_line && says "there is such a file"
run 5 run long.yaml -o nosuch.h5 --recover nosuch-new.h5 && one_line && says "there is no file 'nosuch.h5'"
absent nosuch-new.h5
run 2 run long.yaml -o j.h5 --fresh --recover x.h5 && one_line
run 2 run long.yaml -o j.h5 --recover "" && one_line
exit $FAILED
