# SPDX-License-Identifier: MIT
# The shipped experiments: every one plans and begins with a comment; those on words show what they claim.
. "$2/tests/support/cli.sh"
export PYTHONPATH="$SOURCE/tests/support" PYTHONDONTWRITEBYTECODE=1

for sweep in "$SOURCE"/experiments/*.yaml; do
  run 0 plan "$sweep"
  head -1 "$sweep" | grep -q '^# ' || fail "$sweep does not begin with a comment"
  grep -q '^title: ' "$sweep" || fail "$sweep has no title"
  grep -q "experiments/$(basename "$sweep")" "$SOURCE/README.md" || fail "README.md does not list $sweep"
done

# Every alternative of every stage is in some experiment; the first of a field is its default. Of the gradients experiments
# show the expected ones alone, which do not scatter.
run 0 fields
while IFS=$'\t' read -r field _ type choices _; do
  case "$type:$field" in choice:unknown_words | choice:rope_pairs | choice:upstream) continue ;; choice:*) ;; *) continue ;; esac
  for choice in ${choices#*|}; do
    grep -qE "^[^#]*\b$field:[^#]*\b$choice\b" "$SOURCE"/experiments/*.yaml || fail "no experiment has $field: $choice"
  done
done < <(tr '|' ' ' <out | sed 's/\(choice\t[a-z0-9_-]*\) /\1|/')
for name in scale-guards dimension learners; do
  run 0 run "$SOURCE/experiments/$name.yaml" -o $name.h5 -q
done
/usr/bin/python3 - <<'EOT' || fail "the experiments do not show what they claim"
import numpy as np

from results import Results, check_mean

# The course's recipe: saturation climbs with the corpus, and the norm guard ends it.
f = Results("scale-guards.h5", 768)
corpora = ("demo", "kitchen", "harbour")
def mean(name, corpus, init, scale, norm):
    return f.values(name, 32, corpus=corpus, guard_init=init, guard_scale=scale, guard_norm=norm).mean()
climb = [mean("row_max_mean", c, 1, 1, 0) for c in corpora]
guarded = [mean("row_max_mean", c, 1, 1, 1) for c in corpora]
assert climb[0] < 0.5 and climb[0] + 0.1 < climb[1] < climb[2] - 0.1 and climb[2] >= 0.8, climb
assert max(guarded) < 0.4, guarded
spread = [mean("input_std", c, 1, 1, 0) for c in corpora]
assert spread[0] < spread[1] < spread[2], spread
assert mean("jacobian_norm_mean", "harbour", 1, 1, 0) < mean("jacobian_norm_mean", "harbour", 1, 1, 1)

# Which learners reproduce it. What is known: matrices of counts grow with the text, their logarithms
# slower, mutual information not by repetition; learners by steps start from vectors far smaller than the
# positions, whose spread for 8 tokens and 64 columns is 0.515; random vectors see no text.
f = Results("learners.h5", 1920)
limits = (8, 32, 128, 512, 3008)
def climb(learner, norm, name="row_max_mean"):
    return [f.values(name, 32, learner=learner, guard_norm=norm, sentence_limit=n).mean() for n in limits]
counts, logarithms, ppmi = (climb(l, 0) for l in ("count-svd", "log-count-svd", "ppmi-svd"))
assert counts == sorted(counts) and counts[0] < 0.5 and counts[-1] >= 0.8, counts
assert logarithms == sorted(logarithms) and logarithms[-1] > logarithms[0] + 0.2, logarithms
assert all(l < c for l, c in zip(logarithms, counts)) and logarithms[-1] < 0.8, logarithms
assert ppmi[-1] < logarithms[-1] and max(ppmi) < 0.5, ppmi
for learner in ("sgns", "glove"):
    assert max(climb(learner, 0)) <= 0.24, (learner, climb(learner, 0))
    assert abs(climb(learner, 0, "input_std")[0] - 0.515) < 0.01, learner
assert len(set(climb("random", 0))) == 1 and climb("random", 0)[0] < 0.2, climb("random", 0)
guarded = [m for l in ("count-svd", "log-count-svd", "ppmi-svd", "sgns", "glove", "random") for m in climb(l, 1)]
assert 0.14 <= min(guarded) and max(guarded) <= 0.31, guarded

f = Results("dimension.h5", 1408)
for k in (1, 4, 16, 64, 256, 1024):
    for on in (0, 1):
        # The mean of a spread lies a little below the root of its mean square at small d_k.
        check_mean(f.values("score_std", 64, d_k=k, guard_scale=on), 1 if on else np.sqrt(k), 0.05, (k, on))
# Finite-n quadrature for 16 independent keys at d_k = 64: 0.84403 without and 0.24581 with the guard.
check_mean(f.values("row_max_mean", 64, d_k=64, guard_scale=0), 0.84403, 0, "unscaled")
EOT
exit $FAILED
