#!/bin/sh
# Sweeps of a million small runs: bench/scale.sh ROWMAX [RUNS]. For two shapes, 4 tokens with d_model = d_k = 4 and
# all measures, and 16 tokens with d_model = d_k = 128 and ten measures: time, peak memory and file size of plan, run,
# a resume with nothing to do, report and show --verify; and what part of the run went into the journal and the
# results file. Needs GNU time and 1 GB of memory.
set -eu
rowmax=$(realpath "$1")
runs=${2:-1000000}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat >all.yaml <<EOT
rowmax: 1
name: all
fixed: {source: gaussian, tokens: 4, d_model: 4, d_k: 4}
grid: {seed: {from: 1, to: $runs}}
EOT
cat >ten.yaml <<EOT
rowmax: 1
name: ten
fixed: {source: gaussian, tokens: 16, d_model: 128, d_k: 128}
grid: {seed: {from: 1, to: $runs}}
measures:
  [score_std, score_row_std, row_max_mean, row_max_median, log_one_minus_row_max_mean, entropy_normalised_mean,
   effective_keys_mean, jacobian_norm_mean, jacobian_trace_mean, saturated_rows]
EOT
measure() {
  what=$1
  shift
  /usr/bin/time -f "$what: %e s, %U s user, %S s system, %M kB" "$@" >/dev/null
}
for sweep in all ten; do
  echo "$sweep.yaml, $runs runs" >&2
  measure plan "$rowmax" plan $sweep.yaml
  measure run "$rowmax" run $sweep.yaml -o $sweep.h5 -q
  "$rowmax" show --timing $sweep.h5 | awk '{ t[$1] = $2 } END {
    printf "journal %.2f s, results file %.2f s of %.2f s of processor time: %.1f %%; file saved in %.2f s\n",
      t["journal_processor"], t["pack_processor"], t["processor_seconds"],
      100 * (t["journal_processor"] + t["pack_processor"]) / t["processor_seconds"], t["pack_seconds"] }' >&2
  measure resume "$rowmax" run $sweep.yaml -o $sweep.h5 -q
  measure report "$rowmax" report $sweep.h5 -o $sweep
  measure verify "$rowmax" show --verify $sweep.h5
  echo "file: $(stat -c %s $sweep.h5) bytes" >&2
done
