# SPDX-License-Identifier: MIT
# Theory: the expectations as text and as JSON, and every way to ask for them wrongly.
. "$2/tests/support/cli.sh"

run 0 theory --tokens 64 --spread 1 --format json
/usr/bin/python3 - <<'EOT' || fail "the JSON is not what it should be"
import json
answer = json.load(open("out"))
expected = {"tokens": 64, "spread": 1, "row_max": 0.107274, "sum_of_squares": 0.038804,
            "jacobian_trace": 0.961196, "jacobian_rms": 0.184609, "entropy": 3.684746}
# The last is from the table of docs/method.md, "Independent scores".
spreads = {"onset": 1.702, "saturated": 4.484, "collapsed": 23.81, "row_max_at_0_9": 16.43}
assert list(answer) == list(expected) + list(spreads), answer
for name, value in expected.items():
    assert abs(answer[name] - value) < 5.1e-7, (name, answer[name])
for name, value in spreads.items():
    assert abs(answer[name] - value) < 0.002 * value, (name, answer[name])
EOT
"$ROWMAX" theory --tokens 64 --spread 1 >text 2>err || fail "text is not the default"
[ ! -s err ] || fail "theory talks"
[ "$(awk '{print $1}' text | tr '\n' ' ')" = "tokens spread row_max sum_of_squares jacobian_trace jacobian_rms entropy onset saturated collapsed row_max_at_0_9 " ] ||
  fail "the lines are not the eleven names"
[ "$(awk '{print index($0, " " $2)}' text | sort -u | wc -l)" = 1 ] || fail "the values are not aligned"
# Both say the same numbers.
[ "$(awk '{print $2}' text)" = "$(tr ',' '\n' <out | grep -oE '[0-9.e-]+[}]?$' | tr -d '}')" ] || fail "text and JSON differ"
run 0 theory --spread 1 --tokens 64 --format text
same out text
# Words say what the names mean; saturated and the trace have two meanings each.
grep -qE '^saturated .* spread at which half the gradient is gone$' text || fail "saturated is not explained"
grep -qE '^row_max_at_0_9 .* mean row-max is 0.9' text || fail "the row-max of reports is not named"
grep -qE '^jacobian_trace .* jacobian_trace_mean has it over 1 - 1/n$' text || fail "two traces are not told apart"

# The thresholds depend on no spread, and need none.
tail -4 text >thresholds
run 0 theory --tokens 64
[ "$(head -1 out | awk '{print $1, $2}')" = "tokens 64" ] || fail "the number of tokens is not first"
tail -n +2 out >rest
same rest thresholds
run 0 theory --tokens 64 --format json
/usr/bin/python3 -c 'import json; assert list(json.load(open("out"))) == ["tokens", "onset", "saturated", "collapsed", "row_max_at_0_9"]' ||
  fail "the JSON without a spread is not the thresholds"

# Limits, exactly.
run 0 theory --tokens 4 --spread 0
prints "row_max         0.25"
prints "jacobian_trace  0.75"
run 0 theory --tokens 1 --spread 5 --format json
prints '"row_max": 1, "sum_of_squares": 1, "jacobian_trace": 0, "jacobian_rms": 0, "entropy": 0, "onset": null, "saturated": null, "collapsed": null, "row_max_at_0_9": null}'
run 0 theory --tokens 1 --spread 5
prints "onset           nan                    none: a single key has the weight 1 at any spread"
run 0 theory --tokens 1048576 --spread 1e300
prints "row_max         1"

run 2 theory && one_line && says "--tokens is missing; usage: rowmax theory --tokens N [options]"
run 2 theory --spread 1 && one_line && says "--tokens is missing"
for tokens in 0 -1 1.5 1048577 many ''; do
  run 2 theory --tokens "$tokens" --spread 1
  one_line
  says "keys of a row, 1 to 1048576"
done
for spread in -1 nan inf 1e301 wide ''; do
  run 2 theory --tokens 8 --spread "$spread"
  one_line
  says "standard deviation of the scores, 0 to 1e300"
done
run 2 theory --tokens 8 --spread 1 extra && one_line && says "one argument too many"
run 2 theory --tokens 8 --spread 1 -j 2 && one_line && says "not an option of this command"

# --format means what the command makes of it.
run 2 theory --tokens 8 --spread 1 --format svg && one_line && says "text or json"
run 2 report --format json x.h5 && one_line && says "svg,png,pdf"
run 0 help theory && prints "--format HOW" && prints "text or json"
run 0 help report && prints "--format LIST"
exit $FAILED
