# SPDX-License-Identifier: MIT
# show --verify: silent when all is well, one line a fault and status 5 when not; nothing is changed.
. "$2/tests/support/cli.sh"

cat >kept.yaml <<'EOT'
rowmax: 1
name: kept
fixed: {sentence: the cat chased the mouse, corpus: demo}
grid: {guards: all, seed: [1, 2]}
keep: [weights]
EOT
run 0 run kept.yaml -o good.h5 -q
run 0 show --verify good.h5
[ ! -s out ] && [ ! -s err ] || fail "a good file is not passed over in silence"
size=$(stat -c %s good.h5)

bad() { # file, fault, and perhaps another
  sha256sum "$1" >sum
  run 5 show --verify "$1" && one_line && says "'$1' is not whole"
  for text in "${@:2}"; do prints "$text"; done
  sha256sum --status -c sum || fail "'$1' was changed"
}
: >empty.h5 && bad empty.h5 "the file is empty"
head -c -1 good.h5 >cut.h5 && bad cut.h5 "truncated file: its last line is cut"
head -c $((size / 2)) good.h5 >half.h5 && bad half.h5 "it has no seal" "cannot read 'half.h5'"
echo "not HDF5, some text" >text.h5 && bad text.h5 "it has no seal"
head -c 8 good.h5 >magic.h5 && bad magic.h5 "it has no seal"
{ cat good.h5; printf 0123456789; } >more.h5
run 0 show --verify more.h5 && one_line && says "more.h5: 10 bytes behind the seal belong to nothing"
[ ! -s out ] || fail "a note is no fault"
export ASAN_OPTIONS=detect_leaks=0 # HDF5 forgets some memory over damage
for part in 1 2 3 4 5 6 7 8 9; do
  cp good.h5 flip.h5
  at=$((size * part / 10))
  /usr/bin/python3 -c 'import sys; f = open("flip.h5", "r+b"); f.seek(int(sys.argv[1])); b = f.read(1)[0]
f.seek(-1, 1); f.write(bytes([b ^ 1]))' $at
  bad flip.h5 "damaged: it does not match its checksum"
done
unset ASAN_OPTIONS
run 5 show --verify none.h5 && one_line
run 5 show --verify . && one_line

# A sweep that was stopped, a file that h5py has written to, a merge of some shards, and a shard.
cp good.h5 other.h5
/usr/bin/python3 -c 'import h5py
with h5py.File("other.h5", "r+") as f:
    f["seed"][0] = 5'
run 5 show --verify other.h5 && prints "row 0: its key"
run 0 run kept.yaml --shard 0/2 -o part.h5 -q
run 0 show --verify part.h5
[ ! -s out ] && [ ! -s err ] || fail "a whole shard is not passed over in silence"
run 0 merge part.h5 -o partial.h5 --partial -q
bad partial.h5 "8 of its 16 runs are missing"
run 0 run kept.yaml -o more.h5 -q --set 'seed=[2, 3]'
run 0 show --verify more.h5 # has runs that its sweep no longer holds
exit $FAILED
