# SPDX-License-Identifier: MIT
# docs/exports.md and docs/course-data.md: what they print works as printed, and tells the same in every way.
. "$2/tests/support/cli.sh"

ln -s "$SOURCE/experiments" experiments
mkdir bin
ln -s "$ROWMAX" bin/rowmax
export PATH="$WORK/bin:$PATH"

# blocks PAGE LANGUAGE: each block of that language becomes PAGE-N.LANGUAGE, from 1.
blocks() {
  awk -v fence="\`\`\`$2" -v page="$1" -v language="$2" \
    '$0 == fence {inside = 1; n++; next} /^```/ {inside = 0} inside {print > (page "-" n "." language)}' "$SOURCE/docs/$1.md"
}
blocks exports sh
blocks exports python
sh -e exports-1.sh >out 2>err || fail "the commands of docs/exports.md fail"
[ -s exports-6.python ] && [ ! -e exports-7.python ] || fail "docs/exports.md has not six examples"
for i in 1 2 3 4 5 6; do
  /usr/bin/python3 -W error::DeprecationWarning:__main__ "exports-$i.python" >"printed-$i" 2>err || fail "example $i of docs/exports.md fails"
done

# Each prints the eight means: those of the file, in the order of the switches.
/usr/bin/python3 - <<'EOT2' || fail "the examples of docs/exports.md do not tell what the file holds"
import h5py, re
f = h5py.File("results/scale-guards.h5")
assert len(f["run"]) == 768
harbour = list(f["corpus"].asstr()[:]).index("harbour")
want = []
for mask in [(i, s, n) for i in (0, 1) for s in (0, 1) for n in (0, 1)]:
    rows = f["corpus_index"][:] == harbour
    for name, on in zip(("guard_init", "guard_scale", "guard_norm"), mask):
        rows &= f[name][:] == on
    assert rows.sum() == 32
    want.append(f["row_max_mean"][rows].mean())
for i in range(1, 7):
    text = open(f"printed-{i}").read()
    got = [float(x) for x in re.findall(r"\b[01]\.\d+", text)][:8]
    assert all(abs(a - b) < 1e-6 for a, b in zip(got, want)) and len(got) == 8, (i, got, want)
assert "(8, 8) 1.0" in open("printed-5").read() or "(8, 8) 0.99999" in open("printed-5").read()
assert "one-hot | nats" in open("printed-4").read()
EOT2

blocks course-data sh
sh -e course-data-1.sh >out 2>err || fail "the first commands of docs/course-data.md fail"
! grep -q "combinations" err || fail "the course data of docs/course-data.md is not complete"
cp -r course first
sh -e course-data-2.sh >out 2>err || fail "the commands of docs/course-data.md fail"
diff -r first course >diff.log || fail "following docs/course-data.md changes its data"
! grep -q "removed" err || fail "following docs/course-data.md removes data"
prints "nothing moved"
prints "$(printf 'setting\t-\t-\t-\twindow\t5\t4\t-\t-')"
grep -q "$(printf '^moved\tdemo\t1\tnone\tinput_std\t2.29315169')" out || fail "no such number moved"
[ "$(grep -c '^change' out)" = 1 ] && [ "$(grep -c "^measure	moved	of	largest	corpus" out)" = 2 ] ||
  fail "the last two commands do not print changes and summary"
grep -q "$(printf '^input_std\t768\t768\t47.5')" out || fail "the summary is another"

# Every key that the page lists is in the data, and the other way round.
/usr/bin/python3 - "$SOURCE/docs/course-data.md" <<'EOT2' || fail "docs/course-data.md does not list the keys of the data"
import json, re, sys
page = open(sys.argv[1]).read()
index, pair = page.split("`index.json`\n")[1].split("`CORPUS/SEED.json`\n")
def listed(table):
    rows = re.findall(r"^\| (`.*?) \|", table, re.M)
    return [name for row in rows for name in re.findall(r"`([^`]+)`", row)]
assert set(listed(index)) == set(json.load(open("course/index.json")))
data = json.load(open("course/demo/1.json"))
keys = listed(pair.split("A page should")[0])
assert {k for k in keys if k[0] != "."} | {"rowmax_module", "note"} == set(data), keys
assert {k[1:] for k in keys if k[0] == "."} == set(data["combinations"][0]), keys
EOT2
exit $FAILED
