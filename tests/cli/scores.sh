# SPDX-License-Identifier: MIT
# Scores given in a sweep: rows, masked keys, a factor, an axis of them, measured to what numpy computes.
. "$2/tests/support/cli.sh"

cat >scores.yaml <<'EOT'
rowmax: 1
name: scores
fixed:
  source: scores
grid:
  scores:
    - [[2, 1, 0.1]]
    - [[1002, 1000, 997]]
    - [[3, 1, -.inf], [0.5, -.INF, 2], [-1, -2, -3], [4, -.inf, -inf]]
  score_factor: [1, 0.25, -3]
keep: [scores, weights]
EOT
run 0 run scores.yaml -o scores.h5
/usr/bin/python3 - <<'EOT' || fail "numpy disagrees"
import h5py, numpy as np

inf = np.inf
given = [[[2, 1, 0.1]], [[1002, 1000, 997]], [[3, 1, -inf], [0.5, -inf, 2], [-1, -2, -3], [4, -inf, -inf]]]
f = h5py.File("scores.h5")
assert len(f["run"]) == 9 and (f["status"][:] == 0).all() and (f["nonfinite"][:] == 0).all()
for i in range(9):
    rows = np.array(given[i // 3], float)
    seen = np.isfinite(rows)
    s = np.where(seen, rows * (1, 0.25, -3)[i % 3], -inf)
    p = np.exp(s - s.max(1, keepdims=True))
    p /= p.sum(1, keepdims=True)
    n = seen.sum(1)
    assert f["queries"][i] == len(rows) and f["tokens"][i] == 3
    height, width = f["kept_weights"].shape[1:]
    assert (height, width) == (4, 3)
    assert np.allclose(f["kept_weights"][i, :len(rows)], p, rtol=1e-12, atol=0)
    assert np.isnan(f["kept_weights"][i, len(rows):]).all()
    assert np.array_equal(f["kept_scores"][i, :len(rows)], s)
    # A row that sees one key has nothing to choose and is in no mean over rows.
    some = n > 1
    entropy = -np.where(p > 0, p * np.log(np.where(p > 0, p, 1)), 0).sum(1)
    expected = {"row_max_mean": p.max(1)[some].mean(), "row_max_median": np.median(p.max(1)[some]),
                "entropy_mean": entropy[some].mean(), "entropy_normalised_mean": (entropy[some] / np.log(n[some])).mean(),
                "score_std": s[seen].std(), "max_logit": s[seen].max(), "score_abs_max": abs(s[seen]).max()}
    for name, value in expected.items():
        assert np.isclose(f[name][i], value, rtol=1e-12, atol=1e-15), (i, name, f[name][i], value)
    for name in ("q_norm", "k_norm", "input_std", "gradient_wq", "gradient_wk", "predicted_score_std"):
        assert np.isnan(f[name][i]), name
# The page's softmax of 2, 1, 0.1.
assert np.allclose(f["kept_weights"][0, 0], [0.659001138881, 0.242432970704, 0.098565890415], atol=1e-12)
EOT

# One list is one value, whatever its form; other words for it are the same run.
one() { printf '%s\n' 'rowmax: 1' 'name: one' "fixed: {source: scores, scores: $1}" >one.yaml; }
one '[2, 1, 0.1]'
run 0 run one.yaml -o one.h5
for same in '[[2, 1, 0.1]]' '"2,1,0.1"' '[2.0, 1e0, .1]'; do
  one "$same"
  run 0 run one.yaml -o one.h5
  says "0 new, 1 reused"
done
run 0 run one.yaml -o one.h5 --set scores=2,1,0.1 && says "0 new, 1 reused"
run 0 run one.yaml -o one.h5 --set 'scores=[2, 1, -.inf]' && says "1 new"
run 0 run one.yaml -o many.h5 --set 'scores=[[[1, 2]], [[3, 4]]]' --set weights='[softmax, sum, argmax]' && says "6 new"

# A plan tells the rows of one value from as many values, and names no vectors where none are learned.
printf '%s\n' 'rowmax: 1' 'name: rows' 'fixed: {source: scores}' 'grid: {scores: [[3, 1, 0.2], [1, 2, 3]]}' >rows.yaml
run 0 plan rows.yaml
prints "scores               1 value of 2 rows (for as many values give each row one more bracket)"
grep -q "word vectors" out && fail "the plan speaks of word vectors"
run 0 plan rows.yaml --set 'scores=[[[3, 1, 0.2]], [[1, 2, 3]]]'
grep -qE "^  scores +2 values$" out || fail "two values are not two values"
run 0 plan small.yaml && prints "of it learning word vectors"
run 0 plan small.yaml --set learner=random
grep -q "word vectors" out && fail "the plan speaks of word vectors that nobody learns"

# Rows without any key are counted, not hidden.
one '[[1, 2], [-.inf, -.inf]]'
run 0 run one.yaml -o none.h5
/usr/bin/python3 -c 'import h5py; f = h5py.File("none.h5"); assert f["undefined_rows"][0] == 1, f["undefined_rows"][0]' ||
  fail "the row without keys is not counted"

# refused SCORES TEXT: one line that says so, at the place.
refused() {
  one "$1"
  run 2 run one.yaml -o bad.h5
  one_line
  says "one.yaml:3:$2"
  absent bad.h5
}
refused '[2, x, 1]' "37: scores: 'x' is no score; write finite decimal numbers, or -.inf for a masked key"
refused '[2, .inf]' "37: scores: '.inf' is no score"
refused '[2, .nan]' "37: scores: '.nan' is no score"
refused '[[1, 2], [3]]' "33: scores: rows of scores differ in length: 2 numbers, then 1; fill up with -.inf"
refused '[[1, 2], 3]' "42: scores: a row wanted, such as [2, 1, 0.1], as the first is one"
refused '[1, [2, 3]]' "37: scores: one value wanted, found a list"
refused '[["1", 2]]' "35: scores: a number in quotes is a text; write it without quotes"
refused '["2,1", 3]' "34: scores: a number in quotes is a text"
refused '[[]]' "34: scores: a row of scores is empty"
refused '[]' "33: scores: a row of scores is empty"
refused '{from: 1, to: 3}' "33: scores: one value wanted"
refused '"2,,1"' "33: scores: a number is missing beside a comma"
refused '[[[1]], [[2]]]' "33: scores: one value wanted, a row or a list of rows; several make an axis"
refused '[1, 2], guards: init+scale' "41: 'guards' has no effect with source scores"
refused '[1, 2], guard_norm: on' "41: 'guard_norm' has no effect with source scores"
refused '[1, 2], d_k: 4' "41: 'd_k' has no effect with source scores"
printf '%s\n' 'rowmax: 1' 'fixed: {source: scores}' >one.yaml
run 2 run one.yaml -o bad.h5 && one_line && says "one.yaml:2:9: 'scores' is missing; source scores needs it"
exit $FAILED
