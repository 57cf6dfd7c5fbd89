#!/bin/sh
# A sweep of a million small runs: bench/scale.sh ROWMAX [RUNS]. Time, peak memory and file size of plan, run, a
# resume with nothing to do, and show --verify. Needs GNU time and some 4 GB of memory.
set -eu
rowmax=$(realpath "$1")
runs=${2:-1000000}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat >million.yaml <<EOT
rowmax: 1
name: million
fixed: {source: gaussian, tokens: 4, d_model: 4, d_k: 4}
grid: {seed: {from: 1, to: $runs}}
EOT
measure() {
  what=$1
  shift
  /usr/bin/time -f "$what: %e s, %U s user, %S s system, %M kB" "$@" >/dev/null
}
measure plan "$rowmax" plan million.yaml
measure run "$rowmax" run million.yaml -o million.h5 -q
measure resume "$rowmax" run million.yaml -o million.h5 -q
measure verify "$rowmax" show --verify million.h5
echo "file: $(stat -c %s million.h5) bytes"
