# SPDX-License-Identifier: MIT
# The sweeps that README.md and docs/sweeps.md show have every key, plan as they say, and run.
. "$2/tests/support/cli.sh"

# The keys of a sweep, as the help knows them.
every_key() {
  for key in rowmax name title fixed grid zip exclude keep measures saturation; do
    run 0 help "$key" && prints "a key of the sweep file"
    grep -q "^$key:" "$1" || fail "'$1' lacks the key '$key'"
  done
}
awk '/^## /{inside = $0 == "## A sweep at a glance"} inside && sub(/^    /, "")' "$SOURCE/README.md" >short.yaml
every_key short.yaml
run 0 plan short.yaml && prints "288 runs of 384 points" # 2 d_model x 2 d_k x 3 spreads x 32 seeds, less a quarter
for written in 'init+scale  ' '\[64, 128\]' '{from: 1, to: 32}' '{from: 1, to: 16, factor: 4}' 'step: 0.25'; do
  grep -q "$written" short.yaml || fail "README.md does not show '$written'"
done

awk '$0 == "```yaml" {inside = 1; n++; next} /^```/ {inside = 0} inside {print > ("page-" n ".yaml")}' "$SOURCE/docs/sweeps.md"
awk '$0 == "```sh" {inside = 1; next} /^```/ {inside = 0} inside' "$SOURCE/docs/sweeps.md" >page.sh
mv page-1.yaml glance.yaml
every_key glance.yaml
run 0 plan glance.yaml && prints "400 runs of 480 points" # 2 x 5 x 3 x 8 x 2, less 1 x 5 x 1 x 8 x 2
run 0 plan page-2.yaml && prints "6 runs"
run 0 plan page-3.yaml && prints "640 runs" && prints "small" # 2 guards x 5 powers x 32 seeds x 2 zipped
run 0 help include && prints "a key of the sweep file"
run 0 plan page-2.yaml
[ "$(awk '$1 == "scores" {print $2}' out)" = 2 ] || fail "a list of lists of rows is no axis"

# --set with -o leaves results and report alone; without it the runs are added, and the report is theirs.
mkdir bin results
ln -s "$ROWMAX" bin/rowmax
PATH="$WORK/bin:$PATH" sh -e page.sh >out 2>err || fail "the command of docs/sweeps.md fails"
[ -f results/piped.h5 ] || fail "the sweep from standard input gives no results"
[ -f reports/narrow/report.md ] && [ -f results/narrow.h5.timing ] || fail "-o does not name the report"
absent results/glance.h5
run 0 run short.yaml --set 'seed=[1,2]' -q
run 0 run short.yaml --set 'seed=[3,4]' --report && says "18 older runs that the sweep no longer holds are kept"
run 0 run short.yaml --set 'seed=[1,2]' && says "18 reused"
exit $FAILED
