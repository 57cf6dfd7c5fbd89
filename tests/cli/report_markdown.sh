# SPDX-License-Identifier: MIT
# Reports as GitHub shows them: pictures and links that are there, even tables, and nothing of a name taken for markup.
. "$2/tests/support/cli.sh"
export PYTHONDONTWRITEBYTECODE=1
command -v cmark-gfm >/dev/null || { fail "cmark-gfm is missing: scripts/setup tests"; exit $FAILED; }

# Every experiment, short: two seeds where there are seeds.
for sweep in "$SOURCE"/experiments/*.yaml; do
  name=$(basename "$sweep" .yaml)
  few=(--set 'seed=[1, 2]')
  ! "$ROWMAX" plan "$sweep" "${few[@]}" 2>&1 | grep -q 'has no effect' || few=()
  run 0 run "$sweep" -o "$name.h5" -q "${few[@]}"
  run 0 report "$name.h5" -o "reports/$name" --format svg
done

# One whose every name tries to be something else.
mkdir -p 'corpora'
/usr/bin/python3 - <<'EOT' || fail "the hostile sweep could not be written"
import json
names = ["<b>x<b>", "<script>alert(1)<script>", "![i](x.png)", "[l](http:x)", "a|b||c", "`code`", "```", "**b**", "_i_ __b__",
         "~~s~~", "&lt;b&gt; &copy;", "$x$", "# h", "- l", "1. o", "> q", "www.example.com", "https:example.com", "me@example.com",
         "@user #1", "<!-- c", "]]>", "\\", "\\|", "a\\", "[^1]", "[x] t", "---", "***", "<a href=x>", "<img src=x onerror=alert(1)>",
         "javascript:x", ":smile:", "  ", "\u202ertl", "\u200b"]
for i, name in enumerate(names):
    with open(f"corpora/{name}.txt", "w") as f:
        f.write("the cat saw the mouse\n" * (i + 1))
with open("hostile.yaml", "w") as f:
    title = "<h1>T</h1> | ![i](x.png) [l](http://x.example/) `c` **b** <script>alert(1)</script> https://x.example/ \\"
    paths = json.dumps([f"corpora/{name}.txt" for name in names], ensure_ascii=False)
    f.write(f"rowmax: 1\nname: hostile\ntitle: {json.dumps(title)}\nfixed: {{sentence: the cat, d_model: 8, d_k: 8}}\n"
            f"grid:\n  seed: [1]\n  corpus: {paths}\n# ``` </code></pre><script>alert(1)</script>\n")
EOT
run 0 run hostile.yaml -o hostile.h5 -q
run 0 report hostile.h5 -o reports/hostile --format svg

cat >page.py <<'EOT'
"""Reads the HTML of a report: prints what is wrong with it."""
import html.parser, os, re, sys
from urllib.parse import unquote

void = {"img", "br", "hr", "input"}
known = {"h1", "h2", "h3", "p", "strong", "em", "code", "pre", "a", "img", "ul", "ol", "li", "table", "thead", "tbody", "tr", "th", "td",
         "blockquote", "br", "hr"}

class Page(html.parser.HTMLParser):
    heading = ""

    def __init__(self, folder):
        super().__init__()
        self.folder, self.open, self.faults, self.images, self.tables = folder, [], [], 0, 0
        self.rows, self.anchors, self.wanted = [], set(), set()

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        if tag not in known:
            self.faults.append(f"element <{tag}>")
        for name in attributes:
            if name not in ("src", "alt", "href", "align", "class", "lang") and not (tag == "ol" and name == "start"):
                self.faults.append(f"attribute {name} of <{tag}>")
        if tag == "img":
            self.images += 1
            self.there(attributes["src"], "image")
            if not attributes["alt"]:
                self.faults.append("an image without a text")
        if tag == "a":
            self.there(attributes["href"], "link")
        if tag == "table":
            self.tables += 1
            self.rows = []
        if tag == "tr":
            self.rows.append(0)
        if tag in ("td", "th"):
            self.rows[-1] += 1
        if tag not in void:
            self.open.append(tag)
            self.heading = "" if re.match("h[1-6]", tag) else self.heading

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)

    def there(self, target, kind):
        if target.startswith("#"):
            self.wanted.add(target[1:])
        elif re.match(r"[a-z]+:|//", target):
            self.faults.append(f"{kind} to {target}")
        elif not os.path.getsize(os.path.join(self.folder, unquote(target))):
            self.faults.append(f"{kind} to the empty {target}")

    def handle_data(self, data):
        self.heading = self.heading + data

    def handle_endtag(self, tag):
        if re.match("h[1-6]", tag):
            self.anchors.add(re.sub(r"[^\w\- ]", "", self.heading.lower()).replace(" ", "-"))
        if self.open.pop() != tag:
            self.faults.append(f"</{tag}> out of order")
        if tag == "table" and len(set(self.rows)) != 1:
            self.faults.append(f"a table with rows of {sorted(set(self.rows))} columns")

    def handle_comment(self, data):
        self.faults.append(f"comment {data}")

page = Page(sys.argv[1])
text = sys.stdin.read()
page.feed(text)
page.close()
source = open(os.path.join(sys.argv[1], "report.md"), encoding="utf-8").read()
heads = len(re.findall(r"^\|[-:|]+\|$", source, re.M))
if page.open or page.tables != heads or not page.tables:
    page.faults.append(f"{page.tables} tables of {heads}, open: {page.open}")
if page.images != source.count("\n![") or not page.images:
    page.faults.append(f"{page.images} images")
if not page.wanted <= page.anchors:
    page.faults.append(f"links to {page.wanted - page.anchors}, headings {page.anchors}")
for fault in page.faults[:5]:
    print(sys.argv[1], fault)
sys.exit(bool(page.faults))
EOT
for folder in reports/*; do
  # --unsafe: raw HTML would show as elements rather than vanish
  cmark-gfm --unsafe -e table -e strikethrough -e autolink -e tasklist -e footnotes "$folder/report.md" |
    /usr/bin/python3 page.py "$folder" || fail "$folder/report.md"
done
# The hostile title and names are text, letter by letter.
cmark-gfm -e table -e strikethrough -e autolink -t plaintext reports/hostile/report.md >plain.txt
for name in '<b>x<b>' '![i](x.png)' 'a|b||c' '`code`' '**b**' '~~s~~' '$x$' 'www.example.com' '<!-- c' '<img src=x onerror=alert(1)>'; do
  grep -qF -- "$name" plain.txt || fail "'$name' is not in the text as it is"
done
exit $FAILED
