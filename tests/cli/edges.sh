# SPDX-License-Identifier: MIT
# Inputs at the edge: one word, one word only, a word beside itself, learning that runs away, and texts
# that are long or that other software wrote.
. "$2/tests/support/cli.sh"

# sweep FIXED GRID: runs it into edge.h5 with the status WANTED.
WANTED=0
sweep() {
  printf '%s\n' 'rowmax: 1' 'name: edge' "fixed: {$1}" "grid: {$2}" >edge.yaml
  rm -f edge.h5
  run $WANTED run edge.yaml -o edge.h5 -q
}
# holds CODE: Python over the results file `f`.
holds() { /usr/bin/python3 -c "import h5py, numpy as n; f = h5py.File('edge.h5'); $1" || fail "not: $1"; }

# A text of one word, a thousand times or once. Beside itself and without positions it is the same row
# twice: all scores are equal, so each weight is 1/2 and |diag(p) - p p'| = 1/2. Alone it has weight 1.
/usr/bin/python3 -c 'print("cat " * 1000)' >thousand.txt
printf cat >once.txt
for text in thousand once; do
  sweep "corpus: $text.txt, position: none" 'sentence: [cat, cat cat], guards: all'
  holds 'assert (f["status"][:] == 0).all() and (f["row_max_mean"][:8] == 1).all() and (f["row_max_mean"][8:] == 0.5).all()'
  holds 'assert (f["jacobian_norm_mean"][:8] == 0).all() and abs(f["jacobian_norm_mean"][8:] - 0.5).max() < 1e-15'
  holds 'assert (f["score_std"][:] == 0).all() and n.isfinite(f["gradient_wq"][:]).all()'
  run 0 report edge.h5 -o edge
  # Of both lengths the one that has nothing to attend to is marked, once a setting.
  grep -qF " 8 of them are **degenerate**: their rows have one token" edge/report.md || fail "one token is not called degenerate"
  [ "$(grep -c "^| cat |.*| degenerate |$" edge/report.md)" = 8 ] || fail "not every setting of one token is marked"
  ! grep -q "^| cat cat |.*degenerate\|[^a-z]nan" edge/report.md || fail "a row of two is degenerate, or a number is none"
  holds 'assert all(n.isfinite(f[name][:]).all() for name in ("input_std", "score_std", "score_row_std", "jacobian_norm_mean", "gradient_wq", "gradient_wk"))'
done
sweep "corpus: once.txt, sentence: cat" 'seed: [1, 2]'
run 0 report edge.h5 -o edge
grep -qF "It is **degenerate**: its rows have one token" edge/report.md || fail "one setting of one token is not called degenerate"

# Repeated words are as many tokens; words in no text are named.
sweep 'corpus: demo, sentence: cat the cat cat' 'seed: 1'
holds 'assert f["tokens"][0] == 4 and 0 < f["row_max_mean"][0] <= 1'
WANTED=2
sweep 'corpus: demo' 'sentence: [the zebra, quokka]'
says "'zebra'"
sweep 'corpus: demo, sentence: ""' 'seed: 1'
says "sentence: empty value"

# What no memory holds is refused before it begins: keeping the scores of 20,000 words is 20,000^2 numbers.
/usr/bin/python3 -c 'print("rowmax: 1\nname: words\nfixed: {corpus: demo, sentence: " + "the cat " * 10000 + "}\nkeep: [scores]")' >words.yaml
run 2 run words.yaml -o words.h5 && one_line && says "the matrices to keep take 3.2 GB"
absent words.h5

# Steps far too large: the run whose scores leave the numbers has failed and says so, the other is kept.
WANTED=3
sweep 'corpus: demo, sentence: the cat' 'learner: sgns, learning_rate: 10, epochs: [1, 100]'
says "1 of 2 runs failed"
holds 'assert list(f["status"][:]) == [0, 1] and n.isnan(f["row_max_mean"][1]) and n.isfinite(f["row_max_mean"][0])'
holds 'assert b"scores are not finite" in f["message"][f["message_index"][1]]'
run 0 show edge.h5 && prints "run 1 failed: 4 of 4 scores are not finite"
run 0 report edge.h5 -o diverged
grep -q "not finite" diverged/report.md || fail "the report hides a failed run"

# A mark at the beginning and CR LF are no text; UTF-16 and broken bytes are refused with the place.
WANTED=0
/usr/bin/python3 - <<'EOT'
text = "the cat sat\nthe dog ran\n"
open("plain.txt", "w").write(text)
open("windows.txt", "wb").write(b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode())
open("wide.txt", "wb").write(text.encode("utf-16"))
open("edge.txt", "wb").write(b"a" * 65535 + b"\xc3")
open("split.txt", "wb").write(b"a " * 32767 + b"a\xc3\xa9 cat\n")
EOT
sweep 'corpus: plain.txt' 'sentence: the cat'
/usr/bin/python3 -c 'import h5py; print(list(h5py.File("edge.h5")["score_std"]))' >plain.out
sweep 'corpus: windows.txt' 'sentence: the cat'
/usr/bin/python3 -c 'import h5py; print(list(h5py.File("edge.h5")["score_std"]))' >windows.out
same plain.out windows.out
# The two bytes of an e with an accent lie on both sides of 64 KiB.
sweep 'corpus: split.txt, sentence: aé cat' 'seed: 1'
WANTED=2
sweep 'corpus: wide.txt, sentence: the cat' 'seed: 1'
says "looks like UTF-16"
sweep 'corpus: edge.txt, sentence: the cat' 'seed: 1'
says "is not valid UTF-8 at byte 65535"

# Of many failed runs some are told of, and how many more there are; course data say what they lack.
cat >fails.yaml <<'EOT'
rowmax: 1
name: fails
fixed: {corpus: demo, sentence: the cat chased the mouse, qk_norm: l2, qk_gain: 1e150, score_factor: 1e300, d_model: 32, d_k: 8}
grid: {guards: all, seed: {from: 1, to: 8}}
EOT
run 3 run fails.yaml -o fails.h5 -q && says "64 of 64 runs failed"
run 0 show fails.h5 && prints "... and 44 more failed runs"
[ "$(grep -c '^run .* failed: .*not finite' out)" = 20 ] || fail "not 20 failed runs are told of"
run 0 export fails.h5 --format module -o course && says "64 of 64 combinations failed; their measures are null"

# Long texts are stored whole: a sweep of 72 KB, a row of scores of as much, and 200,000 words.
/usr/bin/python3 - <<'EOT'
row = ", ".join("%d.%05d1" % (i % 7, i) for i in range(9000))
open("edge.yaml", "w").write("rowmax: 1\nname: edge\n" + "# a remark\n" * 6600 + "fixed: {source: scores}\ngrid: {scores: [[%s]]}\n" % row)
with open("many.txt", "w") as file:
    for i in range(200000):
        file.write("w" + "".join(chr(97 + i // 26**k % 26) for k in range(5)) + (".\n" if i % 8 == 7 else " "))
EOT
rm -f edge.h5
run 0 run edge.yaml -o edge.h5 -q
holds 'assert f["sweep"][()].decode() == open("edge.yaml").read() and len(f["sweep"][()]) > 72000'
holds 'assert len(f["scores"][0]) > 65536 and f["tokens"][0] == 9000'
run 0 run edge.yaml -o edge.h5 && says "(0 new, 1 reused, 0 failed)"
WANTED=0
sweep 'corpus: many.txt, sentence: waaaaa wbaaaa, learner: random' 'seed: [1, 2]'
holds 'assert (f["vocabulary"][:] == 200000).all()'
exit $FAILED
