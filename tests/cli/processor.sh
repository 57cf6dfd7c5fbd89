# SPDX-License-Identifier: MIT
# ROWMAX_CPU: one sweep under every level of vector instructions that this machine has, the level in
# the provenance, and levels that are none.
. "$2/tests/support/cli.sh"
unset ROWMAX_CPU

cat >levels.yaml <<'EOT'
rowmax: 1
name: levels
grid:
  - {source: gaussian, tokens: [5, 40], d_model: 48, d_k: [16, 48], weights: [softmax, entmax15], guards: [none, init+scale+norm], seed: [1, 2]}
  - {source: gaussian, tokens: 70, d_model: 20, draw: collapsed, mask: [none, causal], seed: 3}
  - {source: gaussian, tokens: 24, d_model: 16, position: rope, qk_norm: l2, seed: 3}
  - {source: corpus, corpus: demo, sentence: the cat chased the mouse, learner: [count-svd, sgns, glove], d_model: 12}
EOT

# What the kernel says of the processor: the levels it has, the best one last.
levels=plain
flag() { grep -m 1 ^flags /proc/cpuinfo | grep -qw "$1"; }
if [ "$(uname -m)" = x86_64 ] && flag avx2 && flag fma; then
  levels="plain avx2"
  flag avx512f && levels="plain avx2 avx512"
fi
best=${levels##* }

fact() { "$ROWMAX" show "$1" --provenance | sed -n "s/^$2  *//p"; }
wants() { [ "$1" = "$2" ] || fail "'$1', wanted '$2'"; }

run 0 run levels.yaml -o free.h5 -q
wants "$(fact free.h5 cpu_level)" "$best"
wants "$(fact free.h5 cpu_level_from)" processor
run 0 version && prints "processor level $best"
for level in $levels; do
  export ROWMAX_CPU=$level
  run 0 version && prints "processor level $level, forced by ROWMAX_CPU"
  run 0 run levels.yaml -o "$level.h5" -q
  wants "$(fact "$level.h5" cpu_level)" "$level"
  wants "$(fact "$level.h5" cpu_level_from)" ROWMAX_CPU
  run 0 export "$level.h5" --format csv -o "$level.csv" -q
done
unset ROWMAX_CPU

# All levels that fuse a multiplication with an addition give the same bits; plain is within 1e-13, but
# for tiny weights and word vectors that turned by as much.
/usr/bin/python3 - $levels <<'EOT' || fail "levels differ"
import csv, math, sys
def rows(name):
    return list(csv.DictReader(line for line in open(name + ".csv", newline="") if not line.startswith("#")))
levels = sys.argv[1:]
best = rows(levels[-1])
assert len(best) == 38, len(best)
for level in levels:
    numbers = 0
    other = rows(level)
    assert len(other) == len(best)
    for a, b in zip(best, other):
        for name in a:
            if a[name] == b[name]:
                numbers += 1
                continue
            x, y = float(a[name]), float(b[name])
            # A weight of e^-s is off by what its score is off, which is so many roundings of s.
            limit = 0 if level != "plain" else 1e-13 + 4e-15 * float(a["score_abs_max"])
            limit *= 100 if a["source"] == "corpus" else 1
            assert abs(x - y) <= limit * abs(x), (level, name, x, y, a["source"])
    assert numbers > 1000, numbers
EOT

# The level belongs to the machine: another one is another host, the same one by force is none.
run 0 check "$best.h5" --against free.h5 --strict-host
if [ "$best" != plain ]; then
  run 1 check plain.h5 --against free.h5 --strict-host
  grep -q "cpu_level" out err || fail "check does not name the level"
fi

# Bad values, whatever is asked for; empty is none.
for value in avx AVX2 avx512f ' ' $'\e[31m'; do
  ROWMAX_CPU=$value run 2 version && one_line && says "environment variable ROWMAX_CPU" && says "choose among: plain"
  ROWMAX_CPU=$value run 2 run levels.yaml -o bad.h5
  absent bad.h5
done
ROWMAX_CPU='' run 0 version && prints "processor level $best"
for level in avx2 avx512; do
  case " $levels " in
    *" $level "*) ;;
    *) ROWMAX_CPU=$level run 2 version && one_line && says "this processor lacks '$level'" ;;
  esac
done

run 0 doctor
prints "vectors    level $best"
exit $FAILED
