# SPDX-License-Identifier: MIT
# Usage: help, version, fields, and every way to get a command wrong.
. "$2/tests/support/cli.sh"

run 0 help && prints "usage: rowmax COMMAND"
run 0 --help && prints "usage: rowmax COMMAND"
run 0 version && prints "rowmax 0."
run 0 --version && prints "rowmax 0."
for command in $("$ROWMAX" help | awk '/^  [a-z]+ /{print $1}'); do
  run 0 help "$command"
  prints "usage: rowmax $command"
done
for topic in rowmax name title include fixed grid zip exclude guards saturation keep; do
  run 0 help "$topic"
  prints "$topic (a key of the sweep file)"
done
for topic in onset saturated collapsed row_max_at_0_9; do
  run 0 help "$topic"
  prints "$topic (a spread that 'rowmax theory' prints)"
done
run 0 help saturated && prints "half the gradient is gone" && prints "its row-max has"
run 0 help temperature && prints "score_factor: 0.5 for a temperature of 2"
run 0 help jacobian_norm_mean
prints "|J|, the Frobenius norm" && prints "in reports: gradient magnitude" && prints "range: 0 to 1/2"
prints 'more: docs/method.md, "A row"'
run 0 help tokens_requested && prints "the field tokens as the sweep asks for it" && prints "tokens (a field of the sweep)"
run 2 help power_requested && one_line
for measure in $("$ROWMAX" fields | awk -F'\t' '$2 == "measured"{print $1}'); do
  run 0 help "$measure"
  prints "$measure (a measure)" && prints "range: " && prints "more: docs/method.md"
done
# A name of both.
run 0 help tokens && prints "tokens (a field of the sweep)"
run 0 show --help && prints "usage: rowmax show [options] RESULTS"
run 0 show none.h5 --verify --help && prints "usage: rowmax show [options] RESULTS" # anywhere
run 2 show -- --help && says "--help" # but behind this it is a name
# -o is another thing to each command that has it.
while read -r command words; do
  run 0 help "$command" && prints "  -o, --output PATH            $words"
  for shell in zsh fish; do
    run 0 completion $shell && prints "$words"
  done
done <<'EOT'
plan the results file to compare with
run the results file; results/NAME.h5 by default
merge the results file to write
report the folder to write; reports/NAME by default
export the file of a table, or the folder of course data
EOT
run 0 run -h && prints "--jobs N"
run 0 help window && prints "range: 1 to 1000"
"$ROWMAX" fields 2>err | head -1 >out
[ ! -s err ] || fail "a reader that has gone is no fault of ours"
"$ROWMAX" schema 2>err | head -1 >out # more than a pipe holds
[ ! -s err ] || fail "a reader that has gone is no fault of ours: $(cat err)"
run 0 help d_model && prints "default: 64"
run 0 help row_max_mean && prints "a measure"
run 0 fields && prints "guard_norm	set	on/off	on|off	off"
[ "$(awk -F'\t' 'NF != 7' out | wc -l)" = 0 ] || fail "a line of 'fields' has not seven columns"

run 2 && one_line && says "a command is needed"
run 2 rum && one_line && says "did you mean 'run'?"
run 2 help nothing && one_line && says "no help on 'nothing'; see 'rowmax help'"
# A field, a measure, a command, a key and a word of the reports that are nearly right.
while read -r wrong right; do
  run 2 help "$wrong" && one_line && says "no help on '$wrong'; did you mean '$right'?"
done <<'EOT'
score_stdd score_std
d_modell d_model
entorpy_mean entropy_mean
chek check
exclud exclude
temprature temperature
EOT
run 2 run && one_line && says "SWEEP is missing; usage: rowmax run [options] SWEEP"
# Options that cannot be left out are in the usage.
run 2 check && one_line && says "RESULTS is missing; usage: rowmax check --against BASELINE [options] RESULTS"
run 2 check small.h5 && one_line && says "--against is missing; usage: rowmax check --against BASELINE [options] RESULTS"
run 2 merge small.h5 && one_line && says "the output, -o PATH, is missing; usage: rowmax merge [options] PART..."
run 2 submit folder && one_line && says "the batch system, --engine slurm, is missing; usage: rowmax submit --engine NAME [options] FOLDER"
run 2 export small.h5 && one_line && says "--format csv, json, jsonl or module is missing; usage: rowmax export --format HOW [options] RESULTS"
run 2 submit && one_line && says "usage: rowmax submit --engine NAME [options] FOLDER"
run 2 export && one_line && says "usage: rowmax export --format HOW [options] RESULTS"
run 2 run small.yaml extra && one_line && says "'extra' is one argument too many"
run 2 run --nosuch small.yaml && one_line && says "'--nosuch' is not an option"
run 2 run -xq small.yaml && one_line && says "'-x' is not an option"
run 2 run -j && one_line && says "needs a value"
run 2 run -j 0 small.yaml && one_line && says "--jobs 0"
run 2 run -j two small.yaml && one_line
run 2 run --progress loud small.yaml && one_line
run 2 report --format gif x.h5 && one_line && says "--format gif"
run 2 version extra && one_line

# Options stand where they like, whatever the environment asks of getopt.
(export POSIXLY_CORRECT=1; run 0 plan small.yaml --set seed=1; exit $FAILED) || FAILED=1

# A full disk behind stdout is an error, not silence.
"$ROWMAX" fields >/dev/full 2>err
[ $? = 5 ] || fail "a full stdout passed for success"
says "standard output"
exit $FAILED
