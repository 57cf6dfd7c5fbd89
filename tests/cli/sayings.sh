# SPDX-License-Identifier: MIT
# What is said in cases that no other script meets: wrong words, shards in one file, parts that differ, journals.
. "$2/tests/support/cli.sh"

run 2 xyzzyqqq && one_line && says "unknown command 'xyzzyqqq'; see 'rowmax help'"
run 2 run small.yaml -o '' && one_line && says "--output '': name a file or a folder"
run 2 plan small.yaml --shards 2 --out cluster --set $'sentence=the cat\nchased the mouse' && one_line && says "one line is wanted"
run 2 plan small.yaml --shards 2 --out '' && one_line && says "--out '': not a value it takes"
run 2 init '' && one_line && says "'' is no name; name a file"
absent cluster
run 0 run small.yaml --fail-fast --force -q -o forced.h5

# Of 16 runs each shard has 8; both may go into one file.
run 0 plan small.yaml --shard 0/2 && prints "shard 0/2: 8 of them"
run 0 plan small.yaml --why --shard 0/2 -o none.h5
[ "$(grep -c '	new$' out)" = 8 ] || fail "plan --why does not list the runs of the shard"
run 0 run small.yaml --shard 0/2 -o both.h5 -q
run 0 run small.yaml --shard 1/2 -o both.h5 && says "both.h5: 8 runs of other shards are kept"

# Of one the singular is used.
run 0 run small.yaml -o shrunk.h5 -q --set 'seed=[1,2]' --set 'guards=[none]'
run 0 run small.yaml -o shrunk.h5 --set 'seed=[1]' --set 'guards=[none]' &&
  says "shrunk.h5: 1 older run that the sweep no longer holds is kept, outside the report"
run 0 export shrunk.h5 --format csv -o shrunk.csv && says "1 row that the sweep no longer holds is left out"
run 0 run small.yaml -o single.h5 -q --set 'seed=[1]' --set 'guards=[none]'
run 0 merge -o joined.h5 single.h5 && says "joined.h5 (1 part, 0 failed)"
cp single.h5 again.h5
run 0 merge -o joined.h5 single.h5 again.h5 && says "1 run is in two parts, with equal values" && says "joined.h5 (2 parts, 0 failed)"
run 0 merge -o joined.h5 shrunk.h5 && says "1 older run that the sweep no longer holds is left in the parts"
run 0 run small.yaml -o single.h5 --shard 0/2 -q --set 'seed=[1,2]' --set 'guards=[none]' --fresh
run 0 run small.yaml -o single.h5 --shard 1/2 --set 'seed=[1,2]' --set 'guards=[none]' && says "1 run of other shards is kept"

# Parts of machines that differ are joined, and that is said; an output that is something else stays.
ROWMAX_CPU=plain run 0 run small.yaml --shard 0/2 -o plain.h5 -q
run 0 run small.yaml --shard 1/2 -o best.h5 -q
run 0 merge -o merged.h5 plain.h5 best.h5
says "the parts were not made alike: they differ in cpu_level"
echo no results >other.h5
run 5 merge -o other.h5 plain.h5 best.h5 && one_line && says "'other.h5' is there and is no results file"
[ "$(cat other.h5)" = "no results" ] || fail "merge replaced a file of something else"
head -c 2000 forced.h5 >cut.h5
cp cut.h5 before.h5
run 5 merge -o cut.h5 plain.h5 best.h5 && one_line && says "move the output away or name another"
same cut.h5 before.h5

# Too few runs for a verdict, as a workflow sees it.
run 4 check forced.h5 --against both.h5 --min-compared 17 --github
prints "::error title=rowmax check::too few runs were compared"

# A planned folder, with a slash behind its name, all of whose shards are there.
run 0 plan small.yaml --shards 2 --out cluster/
run 0 run cluster/ --shard 0/2 -q
run 0 run cluster/ --shard 1/2 -q
run 0 status cluster/ && prints "all shards are there, not merged: rowmax merge cluster"
echo no results >cluster/sweep.h5
run 0 status cluster && prints "cannot be read"

# A journal whose last record is cut, behind a file that is there: show tells of it, run drops the record.
long_sweep
run 0 run long.yaml -o journal.h5 -q --set seed=1
kill_run journal.h5 5000 long.yaml
run 0 show --verify journal.h5 && says "more runs are in its journal; 'rowmax run' takes them over"
truncate -s -3 journal.h5.journal
run 0 run long.yaml -o journal.h5 && says "its last record was cut short by a crash"
absent journal.h5.journal
exit $FAILED
