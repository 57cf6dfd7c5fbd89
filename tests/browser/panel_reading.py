# SPDX-License-Identifier: MIT
"""What the tests of the panel share: what a page shows, the results it must agree with, numbers and colours."""
import re

import h5py
import numpy as np

MEASURES = ["input_std", "score_std", "row_max_mean", "saturated_rows", "jacobian_norm_mean", "jacobian_trace_mean"]
GUARDS = ["init", "scale", "norm"]
RAISED = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")

# What the page shows now, by what a reader sees of it.
READ = """
const text = (id) => document.getElementById(id).textContent;
const all = (selector, read) => [...document.querySelectorAll(selector)].map(read);
return {
  state: text("state"), stateClass: document.getElementById("state").className,
  step: text("step-title"), numbers: text("step-numbers"),
  tiles: Object.fromEntries(all(".tile", (tile) => [tile.dataset.measure,
    [tile.querySelector(".value").textContent, tile.querySelector(".mean").textContent]])),
  alarm: all(".tile.alarm", (tile) => tile.dataset.measure),
  columns: all("#matrix thead th", (cell) => cell.textContent),
  rows: all("#matrix tbody th", (cell) => cell.textContent),
  cells: all("#matrix tbody tr", (row) => [...row.querySelectorAll("td")].map((cell) => [cell.textContent, cell.title,
    cell.classList.contains("largest"), cell.style.getPropertyValue("--weight")])),
  matrix: text("matrix"),
  bars: all("#bars rect.bar", (bar) => [Number(bar.getAttribute("width")), bar.classList.contains("current")]),
  barLabel: document.querySelector("#bars svg").getAttribute("aria-label"),
  barTable: all("#bars-table tbody tr", (row) => [...row.cells].map((cell) => cell.textContent)),
  dots: Object.fromEntries(all(".curve", (curve) => [curve.dataset.measure,
    [...curve.querySelectorAll("circle.run")].map((dot) => [Number(dot.getAttribute("cx")), Number(dot.getAttribute("cy"))])])),
  trendTable: all("#trend-table tbody tr", (row) => [...row.cells].map((cell) => cell.textContent)),
  switches: all("#guards input", (box) => box.checked),
  corpus: document.querySelector("#choices select").value, seed: document.getElementById("seed").value
};"""

# As a reader would by hand, but quicker.
CHOOSE = """
const [corpus, seed, guards] = arguments;
const set = (id, value) => {
  const select = document.getElementById(id);
  if (select !== null && select.value !== String(value)) {
    select.value = String(value);
    select.dispatchEvent(new Event("change"));
  }
};
set("axis-0", corpus);
set("seed", seed);
document.querySelectorAll("#guards input").forEach((box, i) => {
  if (box.checked !== guards[i]) { box.click(); }
});"""


def plain(text):
    return text.replace("\u00a0", " ").replace(",", "")


def number_in(text):
    """The number that a text shows, and half a unit of its last digit."""
    text = plain(text)
    if text.startswith("1 − "):
        rest, half = number_in(text[4:])
        return 1 - rest, half
    found = re.fullmatch(r"(-?)(\d+)(?:\.(\d+))?(?: × 10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+))?", text)
    assert found, text
    sign, whole, decimals, raised = found.groups()
    power = int(raised.translate(RAISED)) if raised else 0
    digits = len(whole) - 3 if decimals is None and len(whole) > 3 else -len(decimals or "")
    value = float(f"{sign}{whole}.{decimals or 0}e{power}")
    return value, 0.5 * 10.0 ** (digits + power)


def check_number(text, value, what):
    """Three significant digits at least, and the right ones."""
    shown, half = number_in(text)
    assert abs(shown - value) <= half * (1 + 1e-9) + 1e-15 * abs(value), (what, text, value)
    assert value == 0 or half <= 0.0051 * max(abs(value), 1 - value if 0.9995 <= value < 1 else 0), (what, text, value)
    assert not (value < 1 and shown >= 1 and what[0] == "row_max_mean"), (what, text, value)


def check_cell(text, weight):
    """Two decimals; what they would make 0 or 1 is said not to be."""
    if 0 < weight < 0.005 or 0.995 <= weight < 1:
        assert text == ("<.01" if weight < 0.5 else ">.99"), (text, weight)
    else:
        assert re.fullmatch(r"[01]\.\d\d", text) and abs(float(text) - weight) <= 0.005 + 1e-12, (text, weight)


class Results:
    """The columns of the results file, and the cells of its report."""

    def __init__(self, path, report):
        with h5py.File(path) as file:
            self.columns = {name: file[name][:] for name in MEASURES + ["seed", "corpus_index", "saturation_row_max"] +
                            ["guard_" + name for name in GUARDS]}
            self.corpora = [name.decode() for name in file["corpus"][:]]
            self.kept = dict(zip(file["kept_index"][:].tolist(), file["kept_weights"][:]))
            self.words = file["kept_words"][:][0].decode().split(" ")
        self.seeds = sorted({int(self.columns["seed"][i]) for i in self.kept})
        self.cells = {}
        for line in open(report, encoding="utf-8"):
            cells = [cell.strip() for cell in line.strip().strip("|").split(" | ")]
            if line.startswith("| ") and cells[0] in self.corpora:
                self.cells.setdefault((cells[0], cells[1]), set()).update(cells[2:])

    def setting(self, corpus, guards):
        """Which rows have a corpus and a set of guards: one for each seed."""
        chosen = self.columns["corpus_index"] == corpus
        for name, on in zip(GUARDS, guards):
            chosen = chosen & (self.columns["guard_" + name] == on)
        return chosen

    def verdict(self, row):
        """Of the mean over the 32 seeds of a row's setting: undecided where its Student interval holds the threshold. The
        logit interval of a mean near 1 agrees with it in every setting of this sweep."""
        columns = self.columns
        values = columns["row_max_mean"][self.setting(columns["corpus_index"][row],
                                                      [columns["guard_" + name][row] for name in GUARDS])]
        half = 2.0395134 * values.std(ddof=1) / len(values) ** 0.5  # Student's t, 31 degrees of freedom, 0.975
        if abs(values.mean() - columns["saturation_row_max"][row]) <= half:
            return "undecided"
        return "saturated" if values.mean() >= columns["saturation_row_max"][row] else "not saturated"

    def row(self, corpus, seed, guards):
        rows = np.flatnonzero(self.setting(corpus, guards) & (self.columns["seed"] == seed))
        assert len(rows) == 1
        return int(rows[0])


def guards_name(guards):
    return " + ".join(name for name, on in zip(GUARDS, guards) if on) or "none"


def luminance(colour):
    parts = [float(part) for part in re.findall(r"[\d.]+", colour)[:3]]
    parts = [part / 255 for part in parts]
    parts = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


def contrast(one, other):
    high, low = sorted([luminance(one), luminance(other)], reverse=True)
    return (high + 0.05) / (low + 0.05)
