# SPDX-License-Identifier: MIT
# Figures: the same bytes wherever and whenever, a note of their origin in each, and what is said when they fail.
. "$2/tests/support/cli.sh"

run 0 run small.yaml -o small.h5 -q --set 'keep=[weights]'
run 0 report small.h5 -o first --format svg,png,pdf

# T67: two seconds later, in another folder, for another user, with a .gnuplot at home and settings around.
sleep 2
mkdir -p far/away home
echo 'set title "from home"; set terminal dumb' >home/.gnuplot
cp small.h5 far/away/moved.h5
chmod -R a+rwX . far
as_other=()
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null && setpriv --reuid=65534 --regid=65534 --clear-groups "$ROWMAX" version >/dev/null 2>&1; then
  as_other=(setpriv --reuid=65534 --regid=65534 --clear-groups)
fi
chmod 755 "$WORK"
(cd far/away && HOME=$WORK/home GNUTERM=dumb GNUPLOT_LIB=/nonexistent GDFONTPATH=/nonexistent SOURCE_DATE_EPOCH=1 \
  "${as_other[@]}" "$ROWMAX" report moved.h5 -o again --format pdf,svg,png) >out 2>err || fail "the report of another user failed"
[ "$(ls first)" = "$(ls far/away/again)" ] || fail "other files: $(ls far/away/again)"
for file in first/*; do
  same "$file" "far/away/again/$(basename "$file")"
done
# T69: next to nothing in the environment, and no corpora.
(cd / && env -i PATH="$PATH" "$ROWMAX" report "$WORK/small.h5" -o "$WORK/bare" --format svg,png,pdf) >out 2>err || fail "the report without an environment failed"
for file in first/*; do
  same "$file" "bare/$(basename "$file")"
done

# A note in each: version, sweep, its hash; read by a PNG reader of ten lines and an XML parser, and found in the PDF.
hash=$(sed -n 's/^| sweep.*sha256 | \([0-9a-f]*\) |$/\1/p' first/report.md)
[ ${#hash} = 64 ] || fail "the report has no hash of its sweep"
for png in first/*.png; do
  /usr/bin/python3 - "$png" "$hash" <<'EOT' || fail "$png has no note"
import struct, sys, zlib
import xml.dom.minidom
data, chunks, at = open(sys.argv[1], "rb").read(), {}, 8
while at < len(data):
    size, kind = struct.unpack(">I4s", data[at:at + 8])
    body = data[at + 8:at + 8 + size]
    assert zlib.crc32(kind + body) == struct.unpack(">I", data[at + 8 + size:at + 12 + size])[0], kind
    if kind == b"tEXt":
        key, value = body.split(b"\0")
        chunks[key.decode()] = value.decode()
    at += 12 + size
assert kind == b"IEND" and chunks["Title"] and chunks["Software"].startswith("rowmax "), chunks
wanted = chunks["Software"] + ", sweep small, SHA-256 of the sweep " + sys.argv[2]
assert chunks["Description"] == wanted, chunks
svg = xml.dom.minidom.parse(sys.argv[1][:-3] + "svg")
text = lambda name: svg.getElementsByTagName(name)[0].firstChild.data
assert text("title") == chunks["Title"] and text("desc").startswith(wanted), text("desc")
pdf = open(sys.argv[1][:-3] + "pdf", "rb").read()
assert b"/Subject (" + wanted.encode() + b")" in pdf and b"/Creator (rowmax " in pdf
# the last table points to the object that holds it
table = int(pdf.rsplit(b"startxref", 1)[1].split()[0])
head, number, place = pdf[table:].split()[:1], pdf[table:].split()[1], int(pdf[table:].split()[3])
assert head == [b"xref"] and pdf[place:].startswith(number + b" 0 obj"), (head, place)
EOT
done
grep -q "^# rowmax .*$hash" first/saturation.gp || fail "the script does not say where it comes from"

# T66: gnuplots that fail in their ways. Text, scripts and data are complete, and standard output is ours.
mkdir fake
for body in 'exit 1' 'echo "terminal pngcairo: unknown" >&2; exit 1' 'echo trouble; echo trouble >&2' 'echo chatter; exit 0' \
  'head -c 100 /dev/urandom; exit 0' 'kill -SEGV $$' 'eval "$3"; : >"$OUT"' 'eval "$3"; head -c 5000 /dev/zero >"$OUT"'; do
  printf '#!/bin/sh\n%s\n' "$body" >fake/gnuplot
  chmod +x fake/gnuplot
  PATH=$WORK/fake:$PATH "$ROWMAX" report small.h5 -o faked --format svg,png,pdf >out 2>err
  [ $? = 6 ] || fail "a gnuplot that does '$body' did not give status 6"
  [ "$(cat out)" = faked/report.md ] || fail "standard output holds more than the report's name"
  one_line && says "are complete"
  grep -q "could not be rendered" faked/report.md || fail "the report does not say that figures are missing"
  for file in saturation.gp saturation.tsv theory.gp theory.tsv weights.gp weights.tsv; do
    same first/$file faked/$file
  done
  [ -z "$(ls faked | grep -vE '^(report\.md|panel\.html|[a-z]*\.(gp|tsv))$')" ] || fail "'$body' left $(ls faked)"
done
# All of gnuplot's own, but without one terminal: the other formats are there.
printf '#!/bin/sh\ncase "$*" in *png*) echo "unknown terminal pngcairo" >&2; exit 1 ;; esac\nexec %s "$@"\n' "$(command -v gnuplot)" >fake/gnuplot
PATH=$WORK/fake:$PATH "$ROWMAX" report small.h5 -o half --format svg,png >out 2>err
[ $? = 6 ] || fail "a gnuplot without PNG did not give status 6"
says "pngcairo"
same first/saturation.svg half/saturation.svg
grep -q '](saturation\.svg)' half/report.md || fail "the report does not show the SVG in place of the PNG"

# No font: gnuplot draws figures without letters, or says something of sizes. Neither passes.
cat >fonts.conf <<EOT
<?xml version="1.0"?><fontconfig><dir>$WORK/nowhere</dir><cachedir>$WORK/cache</cachedir></fontconfig>
EOT
FONTCONFIG_FILE=$WORK/fonts.conf "$ROWMAX" report small.h5 -o letterless --format svg,png,pdf >out 2>err
[ $? = 6 ] || fail "figures without letters passed"
one_line && says "it finds no font"
! ls letterless/*.png letterless/*.pdf >/dev/null 2>&1 || fail "figures without letters were left"
same first/saturation.svg letterless/saturation.svg

# Characters that no font has: boxes in PNG and PDF, never a picture covered by a single giant one; names in SVG.
cat >dejavu.conf <<EOT
<?xml version="1.0"?><fontconfig><dir>/usr/share/fonts/truetype/dejavu</dir><cachedir>$WORK/cache</cachedir></fontconfig>
EOT
cat >script.yaml <<'EOT'
rowmax: 1
name: script
title: "Signs 𒀀猫 of scripts without a font"
fixed: {source: gaussian, tokens: 4, d_model: 8, d_k: 8, position: none}
grid: {input_spread: [1, 2, 4], seed: [1, 2]}
EOT
sed 's/𒀀猫/□□/' script.yaml >plain.yaml
for name in script plain; do
  run 0 run $name.yaml -o $name.h5 -q
  FONTCONFIG_FILE=$WORK/dejavu.conf run 0 report $name.h5 -o $name --format svg,png,pdf
done
for file in script/saturation.svg script/saturation.gp; do
  grep -q '𒀀猫' $file || fail "$file does not name the signs"
done
grep -q 'A box (□)' script/report.md || fail "the report does not explain its boxes"
! grep -q 'A box (□)' plain/report.md || fail "the report explains boxes that stand for themselves"
/usr/bin/python3 - script/saturation.png plain/saturation.png <<'EOT' || fail "a missing sign is not drawn as a box"
import sys
pixels = [b"".join(part for part in open(name, "rb").read().split(b"IDAT")[1:]) for name in sys.argv[1:]]
assert pixels[0] == pixels[1]
EOT
! ls script/*.tmp >/dev/null 2>&1 || fail "a temporary script was left"
exit $FAILED
