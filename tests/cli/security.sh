# SPDX-License-Identifier: MIT
# What docs/security.md promises of files from strangers, as far as no other test does: children learn nothing, outputs stay
# where they belong, HDF5 files open no other file, and what is small on the disk is small in memory.
. "$2/tests/support/cli.sh"
PYTHON=/usr/bin/python3

run 0 run small.yaml -o small.h5 -q --set 'keep=[weights]'

# A child gets three descriptors, its arguments and a few names of the environment; what it says is not obeyed.
mkdir spy
cat >spy/gnuplot <<'EOT'
#!/bin/sh
ls /proc/$$/fd >>"$HOME/descriptors"
tr '\0' '\n' </proc/$$/environ | sed 's/=.*//' | sort -u >>"$HOME/names"
tr '\0' '\n' </proc/$$/environ >>"$HOME/values"
exec /usr/bin/gnuplot "$@"
EOT
chmod +x spy/gnuplot
mkdir home
exec 7<small.yaml 8>elsewhere
HOME=$WORK/home PATH=$WORK/spy:$PATH SECRET_TOKEN=abc GNUTERM=x11 GNUPLOT_LIB=/nonexistent LD_PRELOAD= BASH_ENV=/nonexistent LC_ALL=de_DE \
  GDFONTPATH=/nonexistent "$ROWMAX" report small.h5 -o spied >out 2>err || fail "no report with a gnuplot that looks around"
exec 7<&- 8>&-
# The shell reads that script by a descriptor of its own, from 10 on.
[ "$(sort -un home/descriptors | grep -vx '1.' | tr '\n' ' ')" = "0 1 2 " ] || fail "gnuplot has other descriptors: $(sort -un home/descriptors | tr '\n' ' ')"
sort -u home/names >names
unknown=$(grep -vxE 'PATH|HOME|TMPDIR|XDG_CACHE_HOME|FONTCONFIG_FILE|FONTCONFIG_PATH|LD_LIBRARY_PATH|LC_ALL|TZ' names)
[ -z "$unknown" ] || fail "gnuplot is told of $unknown"
grep -qx 'LC_ALL=C.UTF-8' home/values && grep -qx 'TZ=UTC' home/values || fail "gnuplot has another locale or zone"
! grep -q abc home/values || fail "gnuplot is told a secret"

# Files of strangers do not choose what is run: a gnuplot here, or a settings file, is not taken.
printf '#!/bin/sh\ntouch %s/ran\n' "$WORK" >gnuplot
chmod +x gnuplot
echo 'system "touch ran"' >.gnuplot
echo 'system "touch ran"' >home/.gnuplot
HOME=$WORK/home "$ROWMAX" report small.h5 -o plain >out 2>err || fail "no report beside a program called gnuplot"
absent ran
rm gnuplot .gnuplot

# A report goes into its folder, whatever links a stranger has put there.
mkdir trap victim
for name in saturation.png saturation.svg saturation.gp saturation.tsv weights.png report.md panel.html; do
  echo kept >"victim/$name"
  ln -s "../victim/$name" "trap/$name"
  echo kept >"victim/$name.tmp"
  ln -s "../victim/$name.tmp" "trap/$name.tmp"
done
run 0 report small.h5 -o trap
for file in victim/*; do
  [ "$(cat "$file")" = kept ] || fail "a report was written through a link to '$file'"
done
[ -f trap/report.md ] && [ ! -L trap/report.md ] && [ ! -L trap/saturation.png ] || fail "links stand where the report should"

# So does an export of many files; a link that the user names is followed.
mkdir course
ln -s ../victim course/demo
run 5 export small.h5 --format module -o course && one_line && says "'course/demo' is a symbolic link, which an export does not follow; remove it"
[ "$(ls victim | wc -l)" = 14 ] || fail "an export was written through a link"
ln -s victim/table.csv table.csv
run 0 export small.h5 --format csv -o table.csv
[ -L table.csv ] && [ -s victim/table.csv ] || fail "an output that is a link was replaced"
ln -s victim/check.json check.json
for again in 1 2; do
  run 0 check small.h5 --against small.h5 --json check.json
  [ -L check.json ] && [ -s victim/check.json ] || fail "a verdict that is a link was replaced"
done
ln -s loop1 loop2
ln -s loop2 loop1
run 5 export small.h5 --format csv -o loop1 && one_line && says "'loop1' is a loop of symbolic links"

# Names of files come from the name of the sweep, which is no path.
for name in ../up a/b '.' '..' '-x' ''; do
  printf '%s\n' 'rowmax: 1' "name: '$name'" 'fixed: {source: scores, scores: [1, 2]}' >named.yaml
  run 2 run named.yaml && one_line
done
[ ! -e ../up.h5 ] && [ ! -e results ] || fail "a name led elsewhere"

# limited MEGABYTES COMMAND...: in so much memory; the sanitizers reserve far more than they use.
is_sanitized() { nm -D "$ROWMAX" 2>/dev/null | grep -qE '__(asan|tsan)_'; }
limited() {
  local megabytes=$1
  shift
  if is_sanitized; then
    "$@"
  else
    (ulimit -v $((megabytes * 1024)) && OPENBLAS_NUM_THREADS=1 "$@")
  fi
}

# Two gigabytes of blanks in two megabytes of gzip, and a name said a million times.
$PYTHON -c 'import gzip; open("bomb.txt.gz", "wb").write(gzip.compress(b" " * 1000000) * 2200)'
printf '%s\n' 'rowmax: 1' 'fixed: {corpus: bomb.txt.gz, sentence: the cat}' >bomb.yaml
limited 3000 "$ROWMAX" plan bomb.yaml >out 2>err
[ $? = 2 ] && one_line || fail "a bomb of gzip is not refused with status 2"
says "bytes of text, the limit"
$PYTHON -c 'print("rowmax: 1\na: &a [x,x,x,x,x,x,x,x,x]"); [print(f"b{i}: &b{i} [" + ",".join([f"*b{i-1}" if i else "*a"] * 9) + "]") for i in range(9)]' >alias.yaml
limited 500 "$ROWMAX" plan alias.yaml >out 2>err
[ $? = 2 ] || fail "a bomb of aliases is not refused with status 2"
says "alias.yaml:2:4: anchors are not supported"

# HDF5 from strangers: values that lie in other files, filters from elsewhere, sizes of nothing.
echo "a secret of 32 bytes, to be kept" >secret
cat >make.py <<'EOT'
import zlib, h5py, numpy as n
four = n.eye(4)
with h5py.File("other.h5", "w") as f:
    f["x"] = four
with h5py.File("links.h5", "w") as f:
    f["external"] = h5py.ExternalLink("other.h5", "/x")
    f["absolute"] = h5py.ExternalLink("/proc/self/environ", "/x")
    f["loop"] = h5py.SoftLink("/loop")
    f.create_dataset("raw", (2, 2), "f8", external=[("secret", 0, 32)])
    layout = h5py.VirtualLayout((4, 4), "f8")
    layout[:] = h5py.VirtualSource("other.h5", "x", (4, 4))
    f.create_virtual_dataset("virtual", layout)
    # 2^60 numbers of which none is stored, and 4 GB of zeros in a few of megabytes
    f.create_dataset("huge", (1 << 30, 1 << 30), "f8", chunks=(1024, 1024))
    f.create_dataset("zeros", (8192, 65536), "f8", chunks=(8192, 1024), compression="gzip")
    packed = zlib.compress(bytes(8192 * 1024 * 8), 1)
    for i in range(64):
        f["zeros"].id.write_direct_chunk((0, 1024 * i), packed)
    # one chunk of a megabyte by its sizes that unpacks to two gigabytes
    pack = zlib.compressobj(1)
    packed = b"".join(pack.compress(bytes(1 << 24)) for i in range(128)) + pack.flush()
    f.create_dataset("liar", (256, 512), "f8", chunks=(256, 512), compression="gzip")
    f["liar"].id.write_direct_chunk((0, 0), packed)
    f.create_dataset("many", (4,) * 16, "f8")
EOT
$PYTHON make.py 2>trouble || fail "the files of strangers are not made: $(tail -1 trouble)"
refuses() {
  printf '%s\n' 'rowmax: 1' "fixed: {source: arrays, x: 'links.h5:$1'}" >array.yaml
  limited 1500 "$ROWMAX" plan array.yaml >out 2>err
  [ $? = 2 ] && one_line || fail "the dataset '$1' is not refused with status 2"
  says "$2"
}
refuses external "'links.h5:external' is a link to another file; name that file instead"
refuses absolute "is a link to another file"
refuses loop "no dataset 'loop'"
refuses raw "'links.h5:raw' takes its values from other files"
refuses virtual "'links.h5:virtual' takes its values from other files"
refuses huge "links.h5:huge"
# What keeps this one small is a limit on address space, which the sanitizers need for themselves.
is_sanitized || refuses liar "links.h5:liar"
refuses zeros "links.h5:zeros"
refuses many "links.h5:many"

# The same in place of a results file: its own columns replaced by such things.
cat >spoil.py <<'EOT'
import shutil, h5py
makers = {
    "link": lambda f, name, count, kind: f.__setitem__(name, h5py.ExternalLink("other.h5", "/x")),
    "soft": lambda f, name, count, kind: f.__setitem__(name, h5py.SoftLink("/" + name)),
    "raw": lambda f, name, count, kind: f.create_dataset(name, (count,), kind, external=[("secret", 0, count * kind.itemsize)]),
    "huge": lambda f, name, count, kind: f.create_dataset(name, (1 << 60,), kind, chunks=(1 << 20,)),
    "texts": lambda f, name, count, kind: f.create_dataset(name, (count,), h5py.string_dtype()),
    "group": lambda f, name, count, kind: f.create_group(name),
}
for name in "run", "row_max_mean", "message_index", "weights", "message":
    for what, make in makers.items():
        spoilt = f"spoilt-{name}-{what}.h5"
        shutil.copy("small.h5", spoilt)
        with h5py.File(spoilt, "r+") as f:
            count, kind = f[name].shape[0], f[name].dtype
            del f[name]
            # a message of its own kind is no fault, and texts cannot lie elsewhere
            if name != "message" or what not in ("raw", "huge", "texts"):
                make(f, name, count, kind)
EOT
$PYTHON spoil.py 2>trouble || fail "no spoilt files: $(tail -1 trouble)"
for file in spoilt-*.h5; do
  limited 1500 "$ROWMAX" show $file >out 2>err
  [ $? = 2 ] || fail "'$file' is not refused with status 2"
  one_line
  ! grep -q "secret of" out err || fail "'$file' shows another file"
done
run 2 report spoilt-run-raw.h5 -o spoilt
absent spoilt

# Texts of strangers reach a terminal, a report and its page as texts.
escape=$(printf '\033]0;owned\007\033[2J')
cp "$SOURCE/corpora/demo.txt" "x$escape.txt"
$PYTHON - <<'EOT'
import json
escape = "\x1b]0;owned\x07\x1b[2J"
hostile = "<script>alert(1)</script> </script><img src=x onerror=alert(1)> [a](javascript:b) \u202e"
open("escape.yaml", "w").write("# ```\n# ````````\n\n# <script>alert(2)</script>\n# <h1>owned</h1>\nrowmax: 1\nname: escape\ntitle: " + json.dumps(hostile) + "\nkeep: [weights]\n"
    "fixed: {sentence: the cat, corpus: " + json.dumps("x" + escape + ".txt") + "}\ngrid: {seed: [1, 2], guards: all}\n")
EOT
for command in "plan escape.yaml" "plan --list escape.yaml" "run escape.yaml -o escape.h5" "show escape.h5" "show --provenance escape.h5" "report escape.h5 -o escape"; do
  # shellcheck disable=SC2086 # words
  run 0 $command
  ! LC_ALL=C grep -q "$(printf '[\033\007\x9b]')" out err || fail "'rowmax $command' sends control characters"
done
! LC_ALL=C grep -qr "$(printf '[\033\007]')" escape/*.md escape/*.html escape/*.svg escape/*.gp || fail "control characters in a report"
# Nothing of it is markup, also where raw HTML is let through and the sweep itself ends a block of code.
cmark-gfm --unsafe -e table escape/report.md >escape/report.html || fail "the report is no Markdown"
for file in escape/report.html escape/*.svg; do
  ! grep -qiE '<script|<img src=.?x|href=.?javascript|<h1>owned' "$file" || fail "a text of the sweep is markup in $file"
done
# The page has one script of data and ours, and its policy allows no other.
[ "$(grep -oE '<script' escape/panel.html | wc -l)" = "$(grep -oE '<script' plain/panel.html | wc -l)" ] || fail "a title adds a script to the panel"
! grep -q '<img src=x' escape/panel.html || fail "a title is markup in the panel"
exit $FAILED
