# SPDX-License-Identifier: MIT
# The language of sweeps, as the program takes it: what YAML of every kind means, or why it is refused, with its place.
. "$2/tests/support/cli.sh"
HEAD='rowmax: 1\nfixed: {corpus: demo, sentence: the cat}\n'

# refused FORMAT TEXT...: that sweep is refused, each text in one line; taken FORMAT TEXT: it is taken and the plan shows that.
refused() {
  # shellcheck disable=SC2059 # the format is the sweep
  printf "$1" >t.yaml
  shift
  run 2 plan t.yaml
  [ "$(wc -l <err)" = $# ] || fail "not $# lines for $(cat t.yaml)"
  for text in "$@"; do
    says "$text"
  done
}
taken() {
  # shellcheck disable=SC2059
  printf "$1" >t.yaml
  run 0 plan t.yaml
  prints "$2"
}
keys() { "$ROWMAX" plan --list "$1" | tail -n +2; }

# Keys said twice, in a block or in braces.
refused "${HEAD}grid:\n  seed: [1]\n  seed: [2]\n" "t.yaml:5:3: duplicate key 'seed' (first on line 4)"
refused "${HEAD}grid: {d_k: 8, d_k: 16}\n" "t.yaml:3:16: duplicate key 'd_k' (first on line 3)"

# Numbers: every decimal form is one number, and no other text is.
taken "${HEAD}grid: {power: [1, 1., +1.0, 10e-1, 1.0e+0, 0.1E1]}\n" "1 run of 6 points"
taken "${HEAD}grid: {power: [.5, 5e-1, +0.5, 0.50]}\n" "1 run of 4 points"
refused "${HEAD}grid: {d_k: 1e3}\n" "t.yaml:3:13: d_k: '1e3' is not an integer in decimal digits"
refused "${HEAD}grid: {d_k: [08, 010]}\n" "t.yaml:3:14: d_k: '08' has a leading zero; write 8" "t.yaml:3:18: d_k: '010' has a leading zero; write 10"
refused "${HEAD}grid: {d_k: 0x10}\n" "t.yaml:3:13: d_k: '0x10'"
refused "${HEAD}grid: {d_k: 1_000}\n" "t.yaml:3:13: d_k: '1_000'"

# Switches and texts: a word is what its field takes it for.
taken "${HEAD}grid: {guard_norm: [no, off, False]}\n" "1 run of 3 points"
refused "${HEAD}grid: {guard_norm: [\"no\", 0]}\n" "'no' is in quotes and so a text; write on or off" "guard_norm: '0' is not a switch; write on or off"
for word in no null on 010 1e3 '"~"' "'null'"; do
  name=$(echo "$word" | tr -d "\"'")
  cp "$SOURCE/corpora/demo.txt" "./$name"
  taken "rowmax: 1\nfixed: {corpus: $word, sentence: the cat}\n" "1 run of 1 point"
done
refused 'rowmax: 1\nfixed: {corpus: ~, sentence: ""}\n' "t.yaml:2:17: corpus: empty value" "t.yaml:2:30: sentence: empty value"
refused 'rowmax: 1\nfixed: {corpus: "a\\0b.txt", sentence: the cat}\n' "t.yaml:2:17: NUL in a text"

# Tabs, marks at the beginning and ends of lines.
refused 'rowmax: 1\n\tname: x\n' "t.yaml:2:1: tab used for indentation"
taken "${HEAD}grid: {d_k: [8]\t}\t# note\n" "1 run of 1 point"
taken "${HEAD}grid:\t{d_k: [8]}\n" "1 run of 1 point"
printf "${HEAD}grid:\n  d_k: [8, 16]\n" >lines.yaml
keys lines.yaml >lines
[ "$(wc -l <lines)" = 2 ] || fail "no keys to compare"
printf '\357\273\277' | cat - lines.yaml >mark.yaml
sed 's/$/\r/' lines.yaml >windows.yaml
tr '\n' '\r' <lines.yaml >old.yaml
printf %s "$(cat lines.yaml)" >open.yaml
(head -2 lines.yaml && tail -n +3 lines.yaml | sed 's/$/\r/') >mixed.yaml
for file in mark windows old open mixed; do
  keys $file.yaml >$file
  same lines $file
done
printf '\357\273\277%b' "${HEAD}grid: {sede: 1}\n" >mark.yaml
run 2 plan mark.yaml && says "mark.yaml:3:8: unknown field 'sede'"

# Documents: one, of this version of YAML, from wherever text comes.
refused '' "t.yaml:1:1: the file is empty; a sweep begins with 'rowmax: 1'"
refused '# only\n# comments\n' "the file is empty"
refused "${HEAD}--- # another\nrowmax: 1\n" "t.yaml:3:1: "
refused "%%YAML 1.3\n---\n$HEAD" "t.yaml:1:1: unsupported YAML version; write YAML 1.2"
run 2 plan . && one_line && says "'.' is a folder that holds no plan"
mkfifo pipe
(cat lines.yaml >pipe) &
run 0 plan pipe && prints "2 runs of 2 points"
wait
"$ROWMAX" plan - <lines.yaml >out 2>err || fail "standard input is no sweep"
prints "2 runs of 2 points"

# What YAML could build besides maps, lists and words.
refused "${HEAD}<<: *base\n" "t.yaml:3:1: merge keys ('<<') are not supported" "t.yaml:3:5: aliases are not supported ('*base')"
refused "a: &base {seed: 1}\n$HEAD" "t.yaml:1:4: anchors are not supported ('&base'); write the value out"
refused "${HEAD}x: !!python/object:os.system x\n" "t.yaml:3:4: tags are not supported ('tag:yaml.org,2002:python/object:os.system')"
refused "${HEAD}grid: {power: !<tag:yaml.org,2002:float> 1}\n" "t.yaml:3:15: tags are not supported"
refused "${HEAD}? [1, 2]\n: x\n" "t.yaml:3:3: a key must be a single word, not a list or a map"

# Large and deep, in a moment: libyaml alone would take a minute over the brackets.
quick() {
  local begin end
  begin=$(times | tail -1)
  run 2 plan "$1"
  says "$2"
  end=$(times | tail -1)
  /usr/bin/python3 - "$begin" "$end" <<'EOT' || fail "'$1' takes long"
import re, sys
seconds = [sum(60 * float(m) + float(s) for m, s in re.findall(r"(\d+)m([\d.]+)s", times)) for times in sys.argv[1:]]
sys.exit(seconds[1] - seconds[0] > 5)
EOT
}
/usr/bin/python3 - <<'EOT'
open("brackets.yaml", "w").write("[" * 100000)
open("dashes.yaml", "w").write("- " * 5000 + "x")
open("keys.yaml", "w").write("rowmax: 1\n" + "".join(f"k{i}: 1\n" for i in range(200000)))
open("some.yaml", "w").write("rowmax: 1\n" + "".join(f"k{i}: 1\n" for i in range(90000)))
open("long.yaml", "w").write("rowmax: 1 #" + "x" * 5000000)
EOT
quick brackets.yaml "brackets.yaml:1:33: nested too deeply (limit 32)"
quick dashes.yaml "nested too deeply (limit 32)"
quick keys.yaml "more than 200000 values and keys, the limit"
quick some.yaml "some.yaml:2:1: unknown key 'k0'"
quick long.yaml "'long.yaml' is larger than 4194304 bytes, the limit"

# --set takes the same language.
printf "$HEAD" >set.yaml
run 2 plan set.yaml --set 'sentence=a, b' && says "the sentence has 1 word that the corpus does not: 'b'"
run 2 plan set.yaml --set d_k=8,16 && says "--set d_k=8,16: '8,16' is not one value; a list is written [8,16]"
run 0 plan set.yaml --set d_k=[8,16] && prints "2 runs of 2 points"
run 2 plan set.yaml --set d_k= && says "--set d_k=: d_k: empty value"
run 2 plan set.yaml --set nosuch=1 && says "--set nosuch=1: unknown field 'nosuch'; 'rowmax fields' lists them"
run 2 plan set.yaml --set 'saturation={row_max: 0.8}' && says "--set sets fields, name, title, keep, measures, saturation.row_max and"
run 2 plan set.yaml --set d_k.x=1 && says "--set d_k.x=1: unknown field 'd_k.x'; did you mean 'd_k'?"
exit $FAILED
