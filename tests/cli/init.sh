# SPDX-License-Identifier: MIT
# A first sweep: it plans and runs as it is, so does each line that can be switched on, and nothing is overwritten.
. "$2/tests/support/cli.sh"

run 0 init && one_line && says "wrote sweep.yaml; next: rowmax run sweep.yaml --report"
[ ! -s out ] || fail "init prints to standard output"
cp sweep.yaml first.yaml
run 0 plan sweep.yaml && prints "192 runs of 192 points" # 3 guard sets x 4 d_k x 16 seeds
run 0 run sweep.yaml --report --format svg && says "192 of 192 runs in results/sweep.h5 (192 new"
[ -s reports/sweep/saturation.svg ] || fail "the report has no figure"
[ "$(awk 'length > 120' sweep.yaml | wc -l)" = 0 ] || fail "lines are too long"

# What it says of fields and keys is their help.
for name in name title tokens sentence; do
  help=$("$ROWMAX" help $name | sed -n 3p)
  help=${help%%;*}
  grep -qF "# ${help%.}" sweep.yaml || fail "the comment of $name is not its help: $help"
done

# Each line under "More keys", and words in place of noise.
for key in zip exclude keep measures; do
  sed "s/^# $key:/$key:/" sweep.yaml >more.yaml
  ! cmp -s sweep.yaml more.yaml || fail "there is no line for $key"
  run 0 plan more.yaml
done
sed -e 's/^# include: base.yaml/include: first.yaml/' -e '/^# /!s/^grid:.*/grid: {}/; /^  guards/d; /^  d_k/d; /^  seed/d; /^fixed/d; /^  [a-z_]*: /d' \
  sweep.yaml >including.yaml
run 0 plan including.yaml && prints "192 runs"
sed '/^  source/d; /^  tokens/d; s/^#   \(corpus\|sentence\)/  \1/' sweep.yaml |
  awk '/^  (corpus|sentence)/ {words = words $0 "\n"; next} {text = text $0 "\n"} END {sub(/\ngrid/, "\n" words "grid", text); printf "%s", text}' >words.yaml
run 0 plan words.yaml && prints "192 runs"

# The schema takes it, by the line that names it.
run 0 schema
cp out sweep.schema.json
head -1 sweep.yaml | grep -qx '# yaml-language-server: $schema=sweep.schema.json' || fail "no line for editors"
/usr/bin/python3 - <<'EOT' || fail "the schema does not take it"
import json
import jsonschema
import yaml
jsonschema.Draft7Validator(json.load(open("sweep.schema.json"))).validate(yaml.safe_load(open("sweep.yaml")))
EOT

# Standard output, another name, a name that is none.
run 0 init - && [ ! -s err ] && same out first.yaml
"$ROWMAX" init - | "$ROWMAX" plan - >out 2>err || fail "init - | plan -"
mkdir "a folder"
run 0 init "a folder/width.yaml" -q && [ ! -s err ] && grep -q '^name: width ' "a folder/width.yaml" || fail "-q, or the name"
run 0 init "wide: [x.yaml" && run 0 plan "wide: [x.yaml" && prints "192 are in results/sweep.h5 already" || fail "a name that YAML would take apart"

# What comes next is a command, whatever the name.
run 0 init 'a $(touch run) it'\''s.yaml' && says "next: rowmax run 'a \$(touch run) it'\\''s.yaml' --report"
eval "$(sed -n 's/^wrote .*; next: rowmax run \(.*\) --report$/"$ROWMAX" plan \1/p' err)" >out 2>err && prints "192 runs" || fail "what comes next is no command"
absent run

# Nothing is overwritten, not even through a link.
run 2 init && one_line && says "'sweep.yaml' is there already and stays as it is; name another file, as in 'rowmax init FILE'"
same sweep.yaml first.yaml
ln -s nowhere link.yaml
run 2 init link.yaml && absent nowhere
run 2 init "a folder" && one_line
run 5 init missing/x.yaml && one_line && says "the folder of 'missing/x.yaml' does not exist; make it with: mkdir -p 'missing'"
run 2 init a.yaml b.yaml && one_line && absent a.yaml
"$ROWMAX" init - >/dev/full 2>err
[ $? = 5 ] || fail "a full standard output is no error"
exit $FAILED
