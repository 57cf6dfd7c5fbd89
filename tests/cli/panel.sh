# SPDX-License-Identifier: MIT
# The panel of a report, in Debian's Chromium: see tests/browser/panel.py for what is looked at.
. "$2/tests/support/cli.sh"
export PYTHONPATH="$SOURCE/tests/browser" PYTHONDONTWRITEBYTECODE=1

# report NAME SWEEP ARGUMENTS...: results NAME.h5 and report NAME.
report() {
  local name=$1 sweep=$2
  shift 2
  run 0 run "$sweep" -o "$name.h5" -q "$@"
  run 0 report "$name.h5" -o "$name" --format svg
  [ -s "$name/panel.html" ] || fail "no panel for $name"
}

report main "$SOURCE/experiments/scale-guards.yaml"
report guards "$SOURCE/experiments/guards.yaml"
report learners "$SOURCE/experiments/learners.yaml"

# One corpus, two with a name that is markup, none; guards that are not all there; a mask and many axes.
mkdir -p 'a<b> &'
cp "$SOURCE/corpora/demo.txt" 'a<b> &/<img src=x>&"'"'"'.txt'
echo "The cat saw the mouse." >>'a<b> &/<img src=x>&"'"'"'.txt'
cat >two.yaml <<'EOT'
rowmax: 1
name: two
title: "</script><script>window.pwned = 1</script><!-- & \u2028"
fixed: {sentence: the cat chased the mouse}
grid:
  corpus: ["a<b> &/<img src=x>&\"'.txt", demo]
  guards: all
  seed: [1, 2]
keep: [weights]
EOT
cat >several.yaml <<'EOT'
rowmax: 1
name: several
fixed: {source: gaussian, tokens: 40, position: none}
grid:
  d_k: [4, 64]
  mask: [none, causal]
  input_spread: [0.5, 1, 2]
  norm: [layer, rms]
  guards: [none, init+scale, init+scale+norm]
  seed: [5, 6, 7]
keep:
  matrices: [weights]
  where: {seed: [5, 7]}
EOT
report one small.yaml --set 'keep=[weights]'
report two two.yaml
report few small.yaml --set 'keep=[weights]' --set 'measures=[row_max_mean]'
report several several.yaml

timeout 300 /usr/bin/python3 "$SOURCE/tests/browser/panel.py" main/panel.html main.h5 main/report.md guards/panel.html \
  learners/panel.html one/panel.html two/panel.html few/panel.html several/panel.html >browser.out 2>&1 || {
  tail -5 browser.out | cut -c 1-2000
  fail "the panel in the browser"
}

# The same bytes again, and none where there is nothing to switch or to see.
run 0 report main.h5 -o again --format svg
same main/panel.html again/panel.html
run 0 run small.yaml -o bare.h5 -q
run 0 report bare.h5 -o again --format svg
absent again/panel.html
grep -q '^No panel .* `keep: {matrices: \[weights\], where: {seed: 1}}`' again/report.md || fail "no word on what a panel needs"
exit $FAILED
