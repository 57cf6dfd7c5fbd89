# SPDX-License-Identifier: MIT
# Paths: every name works everywhere and runs nothing, and a place where no file can be is told before
# the first run.
. "$2/tests/support/cli.sh"

number=0
for name in 'a b' "it's" 'a"b' '$HOME' '%d%s' '<x' '|x' '`touch P`' '$(touch P)' '-q' 'a;b&c' '*?[x]' '#h' 'ä€' 'a\b'; do
  number=$((number + 1))
  mkdir "./$name"
  cp small.yaml "./$name/$name.yaml"
  # A text of its own: equal texts are one corpus.
  (cat "$SOURCE/corpora/demo.txt" && echo "The cat number $number.") >"./$name/$name.txt"
  cd "./$name" || exit 1
  run 0 run -q -o "./$name.h5" --set "corpus=./$name.txt" --set guards=none -- "$name.yaml"
  [ -s "./$name.h5" ] || fail "no results in '$name.h5'"
  # Pictures of the names that a shell or gnuplot could take for commands.
  if [ "$number" -gt 3 ] && [ "$number" -lt 9 ]; then
    run 0 report -o "./$name" --format svg "./$name.h5"
    [ -s "./$name/saturation.svg" ] || fail "no picture in '$name'"
  fi
  run 0 check "./$name.h5" --against "./$name.h5" --json "./$name.json" --junit "./$name.xml" --history "./$name.jsonl"
  for file in "./$name.json" "./$name.xml" "./$name.jsonl"; do
    [ -s "$file" ] || fail "no '$file'"
  done
  cd "$WORK" || exit 1
done
[ -z "$(find . -name P)" ] || fail "a name was run as a command"

# Nothing can be written there: status 5, one line, and no run was done.
refused() {
  run 5 run small.yaml -o "$1"
  one_line && says "$2"
  ! grep -q "runs" err || fail "runs were done for '$1'"
}
echo text >file
mkdir folder
refused nowhere/out.h5 "mkdir -p 'nowhere'"
refused "that's none/out.h5" "make the folder 'that's none' first"
refused $'new\nline/out.h5' "make the folder 'new?line' first"
refused file/out.h5 "'file' is not a folder; name a file in one"
refused folder "'folder' is a folder"
refused /dev/full "'/dev/full' is not a regular file"
# /proc refuses new files from root as well.
refused /proc/out.h5 "cannot write into the folder '/proc'"
if [ "$(id -u)" != 0 ]; then
  chmod 555 folder
  refused folder/out.h5 "cannot write into the folder"
elif mount -t tmpfs -o ro tmpfs folder 2>/dev/null; then
  refused folder/out.h5 "Read-only file system; name a place that can be written"
  umount folder
fi
# Nor may a name leave no room for those beside it: one that does has no trouble at the end either.
name=$(printf '%0236d' 0)
run 0 run small.yaml -o "$name" -q
[ ! -s err ] || fail "a name that is short enough is complained about"
for length in 237 250 255 300; do
  refused "folder/$(printf "%0${length}d" 0)" "the name of the results file is too long"
done
says "give a shorter one with -o: 'folder/000"
run 5 run small.yaml -o "$name" --recover "$(printf '%0250d' 0)" && one_line && says "the name of the results file is too long"
run 5 merge -o "$(printf '%0250d' 0)" "$name" && one_line && says "the name of the results file is too long"
mkdir folder/out.h5.lock
refused folder/out.h5 "folder/out.h5.lock' is in the way: it is no lock file; move it away"
rmdir folder/out.h5.lock
echo text >results
run 5 run small.yaml && one_line &&
  says "without -o the results go to 'results': 'results' is in the way: it is not a folder; move it away or name another place"
rm results
if [ "$(id -u)" != 0 ]; then
  chmod 555 folder
  (cd folder && "$ROWMAX" run ../small.yaml >../out 2>../err </dev/null)
  chmod 755 folder
  says "cannot make the folder 'results': Permission denied; change the permissions or name another place"
fi
# The folder that results go to by themselves is made whoever names a file in it, and no other.
for name in results/wide.h5 ./results/wide.h5; do
  run 0 run small.yaml -o $name -q
  [ -s results/wide.h5 ] || fail "no '$name'"
  rm -r results
done
refused other/results/wide.h5 "mkdir -p 'other/results'"
refused results/below/wide.h5 "mkdir -p 'results/below'"
absent results
run 0 run small.yaml -o small.h5 -q
run 0 run small.yaml --shard 0/2 -o first.h5 -q
run 0 run small.yaml --shard 1/2 -o second.h5 -q
run 0 merge -o results/merged.h5 first.h5 second.h5
same results/merged.h5 small.h5
run 0 run small.yaml -o small.h5 --recover results/recovered.h5 -q
rm -r results
# The command that is advised means the file that was written, whatever is in its name.
run 0 run small.yaml -o $'new\nline \\\'.h5' && says "next: rowmax report \$'new\\012line \\134\\047.h5'"
next=$(sed -n 's/^next: rowmax report //p' err)
eval "run 0 show $next"
# A folder that is not there is told with the remedy by whatever writes a file.
for option in --json --junit --history; do
  run 5 check small.h5 --against small.h5 $option "no where/x"
  says "the folder of 'no where/x' does not exist; make it with: mkdir -p 'no where'"
done
for name in "no where/x" "that's none/x"; do
  run 5 export small.h5 --format csv -o "$name" && one_line && says "the folder of '$name' does not exist; make "
done
absent "no where"
for place in /proc/report file/report file; do
  run 5 report small.h5 -o "$place" && one_line
done
[ "$(cat file)" = text ] || fail "a file in the way was changed"
# A file that is replaced stays open to whom it was, and one that is write-protected stays, for root too.
run 0 run small.yaml -o modes.h5 -q --set seed=1
run 0 merge -o joined.h5 modes.h5
for mode in 600 664; do
  chmod $mode modes.h5 joined.h5
  run 0 run small.yaml -o modes.h5 -q --set seed=1 --fresh
  run 0 merge -o joined.h5 modes.h5
  [ "$(stat -c %a modes.h5 joined.h5 | uniq)" = $mode ] || fail "permissions $mode are lost"
done
run 0 export modes.h5 --format csv -o modes.csv
run 0 check modes.h5 --against modes.h5 --json modes.json
for file in modes.h5 joined.h5 modes.csv modes.json; do
  chmod a-w $file
  cp $file $file.before
done
ln -s modes.h5 to-modes
run 5 run small.yaml -o modes.h5 -q --set seed=1 --fresh && one_line && says "'modes.h5' is write-protected"
run 5 run small.yaml -o to-modes -q --set seed=2 && one_line && says "'to-modes' is write-protected"
absent modes.h5.journal
run 0 run small.yaml -o modes.h5 -q --set seed=1 # nothing to do
run 5 merge -o joined.h5 modes.h5 && one_line && says "joined.h5' is write-protected"
run 5 export modes.h5 --format csv -o modes.csv && one_line && says "'modes.csv' is write-protected"
run 5 check modes.h5 --against modes.h5 --json modes.json && one_line && says "'modes.json' is write-protected"
run 5 check modes.h5 --against modes.h5 --junit modes.json && one_line && says "'modes.json' is write-protected"
for file in modes.h5 joined.h5 modes.csv modes.json; do
  same $file $file.before
done

# A pipe under a name of our own making is not waited for, whoever put it there.
run 0 run small.yaml -o piped.h5 -q --set seed=1
rm -f piped.h5.timing
mkfifo piped.h5.journal piped.h5.timing pipe.h5
for command in 'show piped.h5' 'report piped.h5' 'check piped.h5 --against piped.h5' 'export piped.h5 --format csv' \
  'plan small.yaml -o piped.h5' 'merge -o all-piped.h5 piped.h5' 'run small.yaml -o piped.h5' 'show --timing piped.h5' 'show --verify pipe.h5'; do
  # shellcheck disable=SC2086 # a command and its operands
  timeout -s KILL 20 "$ROWMAX" $command >out 2>err </dev/null
  got=$?
  [ $got = 2 ] || [ $got = 5 ] || fail "'$command' gave status $got"
  one_line && says "is no regular file"
done
run 0 plan small.yaml --shards 2 --out planned-pipe
rm planned-pipe/plan && mkfifo planned-pipe/plan
timeout -s KILL 20 "$ROWMAX" status planned-pipe >out 2>err </dev/null
[ $? = 2 ] && says "is no regular file" || fail "the plan of a folder is waited for"
exit $FAILED
