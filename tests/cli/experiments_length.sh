# SPDX-License-Identifier: MIT
# Length against the theory of independent normal scores.
. "$2/tests/support/cli.sh"
export PYTHONPATH="$SOURCE/tests/support" PYTHONDONTWRITEBYTECODE=1

run 0 run "$SOURCE/experiments/length.yaml" -o length.h5 -q
/usr/bin/python3 - "$ROWMAX" <<'EOT' || fail "the experiments do not show what they claim"
import sys
from math import log

from results import Results, check_mean, theory

# Independent normal scores of spread 1 by quadrature. Those of a head spread by |W_K q| / sqrt(d_k), three
# factors of chi with 256 degrees: 0.3 % lower on average, give or take 8 %.
f = Results("length.h5", 310)
for n, wanted in ((8, .361200), (64, .107274), (512, .026604)):
    check_mean(f.values("row_max_mean", tokens=n, score_scale="sqrt"), wanted, 1.5e-3, n)
    wanted = theory(sys.argv[1], n, log(n))["row_max"]
    check_mean(f.values("row_max_mean", tokens=n, score_scale="log_n"), wanted, 5e-3, n)
lengths = [2**k for k in range(3, 11)]
blurred = [f.values("row_max_mean", tokens=n, score_scale="sqrt").mean() for n in lengths]
sharp = [f.values("row_max_mean", tokens=n, score_scale="log_n").mean() for n in lengths]
assert blurred == sorted(blurred, reverse=True) and abs(blurred[-1] - .016) < .001, blurred
assert .5 < min(sharp) and max(sharp) < .7, sharp
EOT
exit $FAILED
