# SPDX-License-Identifier: MIT
"""What was measured, as tables in Markdown and as ratios for the figure. A ratio is taken round by round: its median, and
from lowest to highest."""
from measure import median

PROGRAMS = ("numpy", "PyTorch", "C + OpenBLAS")
FORMS = ("same", "upstream")
KINDS = {"alone": "each run its own draw", "eight": "eight guard sets a draw", "swept": "one sweep of all, the same seeds",
         "swept eight": "the same in eight guard sets", "collapsed": "collapsed draws",
         "drawn": "one drawn upstream, each run its own draw", "drawn eight": "one drawn upstream, eight guard sets a draw"}


def number(value):
    digits = 0 if value >= 100 else 1 if value >= 10 else 2
    return f"{value:,.{digits}f}"


def duration(seconds):
    for unit, size in (("s", 1), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= size or unit == "µs":
            return f"{number(seconds / size)} {unit}"


def spread(values):
    return f"**{number(median(values))}** ({number(min(values))} to {number(max(values))})"


def table(head, lines):
    rows = [f"| {' | '.join(cells)} |" for cells in [head, *lines]]
    rows.insert(1, "|---|" + "--:|" * (len(head) - 1))
    return "\n".join(rows) + "\n"


def best_variant(part, program, form):
    """The variant of the lowest median, and its times; None where the program is not here."""
    times = {}
    for entry in part["rounds"]:
        for its_program, its_form, variant, seconds in entry["others"]:
            if (its_program, its_form) == (program, form):
                times.setdefault(variant, []).append(seconds)
    return min(times.items(), key=lambda item: median(item[1])) if times else None


def ratios(part, program, form, kind):
    """None where nothing compares: a drawn upstream is no closed form."""
    best = best_variant(part, program, form)
    if best is None or (form == "same" and "drawn" in kind):
        return None
    return [other / entry["rowmax"][kind] for other, entry in zip(best[1], part["rounds"])]


def heads(parts):
    """(name, part, kind) of every row on attention heads."""
    for name in "abcd":
        for kind in KINDS:
            if name in parts and kind in parts[name]["rounds"][0]["rowmax"]:
                yield name, parts[name], kind


def here(parts):
    """The programs that were measured."""
    return [p for p in PROGRAMS if any(best_variant(part, p, "same") for _, part, _ in heads(parts))]


def row_title(name, part, kind):
    return f"{name}) {part['title']}, {KINDS[kind]}" if kind == "alone" else f"{name}) {KINDS[kind]}"


def heads_table(parts, write):
    programs = here(parts)
    head = ["", "rowmax, a run", *programs, *(f"{program}, one random gradient" for program in programs)]
    lines = []
    for name, part, kind in heads(parts):
        cells = [row_title(name, part, kind), duration(median([r["rowmax"][kind] for r in part["rounds"]]))]
        for form in FORMS:
            found = [ratios(part, program, form, kind) for program in programs]
            cells += ["" if values is None else write(values) for values in found]
        lines.append(cells)
    return table(head, lines)


def costs_table(parts):
    head = ["", "of the limit", "limit: products, exponentials, normals", "eight guard sets cost", "every measure costs", "two threads over one",
            "memory, MB: rowmax", *here(parts), "best PyTorch"]
    lines = []
    for name in "abcd":
        if name not in parts:
            continue
        rounds = parts[name]["rounds"]
        alone = [r["rowmax"]["alone"] for r in rounds]
        best = best_variant(parts[name], "PyTorch", "same")
        eight = [8 * r["rowmax"]["eight"] / r["rowmax"]["alone"] for r in rounds if "eight" in r["rowmax"]]
        every = [r["rowmax"]["every"] / r["rowmax"]["alone"] for r in rounds if "every" in r["rowmax"]]
        lines.append([
            f"{name}) {parts[name]['title']}",
            f"{100 * median([sum(r['limit'].values()) / a for r, a in zip(rounds, alone)]):.0f} %",
            ", ".join(f"{100 * median([r['limit'][kind] / sum(r['limit'].values()) for r in rounds]):.0f}"
                      for kind in ("products", "exponentials", "normals")) + " %",
            f"{number(median(eight))} runs alone" if eight else "",
            f"{number(median(every))} times as much" if every else "",
            spread([r["wall"]["1"] / r["wall"]["2"] for r in rounds]),
            *(number(median([r["memory"][program] for r in rounds])) if program in rounds[0]["memory"] else ""
              for program in ("rowmax", *here(parts))),
            best[0] if best else "",
        ])
    return table(head, lines)


def rates_text(parts):
    """What limits are made of."""
    rates = [entry["rates"] for name in "abcd" if name in parts for entry in parts[name]["rounds"]]
    found = {name: median([r[name] for r in rates]) / 1e9 for name in rates[0]}
    return (f"One core: products {number(found['gemm'])} billion operations a second (OpenBLAS, 2,048 x 2,048 x 2,048; in "
            f"registers {number(found['fma'])}), {number(found['exponentials'])} billion exponentials, "
            f"{number(found['normals'])} billion normal numbers, {number(found['read'])} GB read from memory.\n")


def experiments_table(part):
    lines = []
    totals = [0.0, 0.0]
    for name, found in part["experiments"].items():
        seconds = median(found["seconds"])
        totals = [totals[0] + seconds, totals[1] + found["runs"]]
        lines.append([f"`{name}`", f"{found['runs']:,.0f}", duration(seconds), duration(seconds / found["runs"]),
                      number(found["memory"])])
    lines.append(["all", f"{totals[1]:,.0f}", duration(totals[0]), duration(totals[0] / totals[1]), ""])
    return table(["e)", "runs", "processor time", "a run", "memory, MB"], lines)


def learning_rows(part):
    """(title, rounds of rowmax, {program: rounds}) of every row on learning."""
    counts = part["count"]
    title = f"f) count pairs, {counts[0]['bytes'] / 1e6:.3g} MB, {counts[0]['vocabulary']:.0f} words"
    yield title, [c["rowmax"] for c in counts], {p: [c["others"][p] for c in counts] for p in counts[0]["others"]}
    for rounds in part["decompose"].values():
        for kind in ("log-count", "ppmi"):
            title = f"f) rank {part['rank']}, {kind}, {rounds[0]['vocabulary']:.0f} words"
            others = rounds[0][kind]["others"]
            yield title, [r[kind]["rowmax"] for r in rounds], {p: [r[kind]["others"][p] for r in rounds] for p in others}


def learning_table(part):
    lines = []
    for title, mine, others in learning_rows(part):
        found = {program: spread([a / b for a, b in zip(times, mine)]) for program, times in others.items()}
        shown = [found.get(program, "") for program in ("wc -w", "numpy", "Python dictionary", "scipy")]
        lines.append([title, duration(median(mine)), *shown])
    counts = part["count"]
    reading = median([c["bytes"] / 1e6 / c["read"] for c in counts])
    rate = median([c["bytes"] / 1e6 / c["rowmax"] for c in counts])
    text = f"\nReading alone {number(reading)} MB, reading and counting {number(rate)} MB of text a processor second.\n"
    return table(["", "rowmax", "wc -w", "numpy and scipy", "Python dictionary", "scipy eigsh"], lines) + text


def rows_table(part):
    lines = []
    for kind, entries in part["kinds"].items():
        cells = [f"g) {part['rows']:,} runs, {kind}"]
        for name in ("seconds", "journal", "pack"):
            cells.append(duration(median([e[name] for e in entries]) / part["rows"]))
        share = median([(e["journal"] + e["pack"]) / e["seconds"] for e in entries])
        lines.append([*cells, f"{100 * share:.0f} %"])
    return table(["", "a run, in all", "journal", "results file", "both, of all"], lines)


def start_table(part):
    lines = [[f"h) {name}", spread(values)] for name, values in part["milliseconds"].items()]
    return table(["", "ms, wall clock"], lines)


def markdown(parts, machine):
    """All tables of what was measured."""
    sections = [machine + "\n"]
    if any(name in parts for name in "abcd"):
        sections += [heads_table(parts, spread), costs_table(parts), rates_text(parts)]
    makers = {"e": experiments_table, "f": learning_table, "g": rows_table, "h": start_table}
    sections += [make(parts[name]) for name, make in makers.items() if name in parts]
    return "\n".join(sections)


def short_markdown(parts, machine):
    return heads_table(parts, lambda values: number(median(values))) + f"\n{machine}\n"


def ratio_lines(parts, machine):
    """For the figure."""
    lines = ["# How many times as long other programs take as rowmax", f"# {machine}",
             "# Full marks: the same measures. Open marks: one random gradient.",
             "# Bars: lowest and highest of the rounds."]
    for name, part, kind in heads(parts):
        for form in FORMS:
            for program in PROGRAMS:
                values = ratios(part, program, form, kind)
                if values is not None:
                    lines.append((row_title(name, part, kind), program, form, values))
    for title, mine, others in learning_rows(parts["f"]) if "f" in parts else ():
        for program, times in others.items():
            name = "numpy" if program == "scipy" else program
            lines.append((title, name, "same", [a / b for a, b in zip(times, mine)]))
    return "".join(line + "\n" if isinstance(line, str) else
                   "\t".join([*line[:3], *(f"{v:.6g}" for v in (median(line[3]), min(line[3]), max(line[3])))]) + "\n"
                   for line in lines)
