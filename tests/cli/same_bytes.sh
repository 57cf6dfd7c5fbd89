# SPDX-License-Identifier: MIT
# A results file depends on the sweep and the machine alone: not on threads, shards, the folder, the
# user, the locale, the clock or what memory held before.
. "$2/tests/support/cli.sh"

cat >many.yaml <<'EOT'
rowmax: 1
name: many
fixed: {sentence: the cat chased the mouse}
grid:
  - {corpus: [demo, harbour], unknown_words: skip, learner: [count-svd, sgns], epochs: 2, d_model: 12, guards: all, seed: [1, 2, 3]}
  - {source: gaussian, tokens: [5, 40], softcap: [0, 2.5], qk_norm: [none, l2], mask: [none, causal], seed: [1, 2]}
keep: {matrices: [scores, weights], where: {seed: 2}}
EOT
sed -i 's/, epochs: 2//; s/learner: \[count-svd, sgns\], //' many.yaml # a list of learners has fields of one only
run 0 run many.yaml -o one.h5 -j 1 -q
run 0 run many.yaml -o two.h5 -j 2 -q
same one.h5 two.h5
run 0 run many.yaml -o one.h5 -j 2 -q --fresh
same one.h5 two.h5

for i in 0 1 2; do run 0 run many.yaml --shard $i/3 -o part-$i.h5 -q; done
run 0 merge -o merged.h5 part-2.h5 part-0.h5 part-1.h5 -q
same one.h5 merged.h5

# A stopped sweep that goes on elsewhere, later.
cp part-1.h5 rest.h5
run 0 run many.yaml -o rest.h5 -q
same one.h5 rest.h5

mkdir -p "another folder/ä"
(cd "another folder/ä" && cp ../../many.yaml . && env -i PATH="$PATH" HOME=/ USER=other LOGNAME=other TZ=Asia/Tokyo \
  ROWMAX_CORPORA="$ROWMAX_CORPORA" COLUMNS=20 "$ROWMAX" run many.yaml -o there.h5 -q) || fail "another folder"
same one.h5 "another folder/ä/there.h5"

for fill in 0 85 255; do
  MALLOC_PERTURB_=$fill run 0 run many.yaml -o perturbed-$fill.h5 -q
  same one.h5 perturbed-$fill.h5
done

# A locale with a decimal comma, made here: the machine need not have it.
if command -v localedef >/dev/null && [ -d /usr/share/i18n/locales ]; then
  localedef -i de_DE -f UTF-8 "$WORK/de_DE.UTF-8" >locale.log 2>&1 || fail "no German locale: $(cat locale.log)"
  # The C library keeps what it reads from LOCPATH, which the leak sanitizer counts.
  export LOCPATH=$WORK ASAN_OPTIONS=detect_leaks=0
  export LC_ALL=de_DE.UTF-8 LANG=de_DE.UTF-8 2>/dev/null # bash itself does not look there
  [ "$(bash -c "printf '%.1f' 1,5")" = 1,5 ] || fail "the locale has no decimal comma"
  run 0 run many.yaml -o german.h5 -q
  same one.h5 german.h5
  run 0 report one.h5 -o german
  run 0 plan many.yaml --list
  mv out german.list
  unset LOCPATH LC_ALL LANG ASAN_OPTIONS
  run 0 report one.h5 -o plain
  diff -r german plain >out || fail "the report differs with the locale"
  run 0 plan many.yaml --list
  same out german.list
else
  fail "localedef is missing; apt-get install locales"
fi

# Another owner and file mask.
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
  mkdir open && chmod 777 open && chmod 755 "$WORK"
  (umask 077 && setpriv --reuid=65534 --regid=65534 --clear-groups "$ROWMAX" run many.yaml -o open/nobody.h5 -q) 2>err ||
    fail "another user cannot run"
  same one.h5 open/nobody.h5
fi
run 0 show --verify one.h5
exit $FAILED
