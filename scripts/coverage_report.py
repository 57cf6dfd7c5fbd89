#!/usr/bin/env python3
"""From gcovr's JSON, docs/coverage.md: each line of src that no test reaches, with the reason. coverage_reasons.txt
has the reasons that somebody gave who read the line; for the others a rule looks at the statement and at the condition
that it stands under. What neither knows is said to be untested."""
import json
import pathlib
import re
import sys

REASONS = {
    "memory": "Memory that is not to be had. `tests/faults/memory.sh` fails blocks in turn and looks at what the program "
    "does; a few of the many are counted here.",
    "system": "A call to the system that fails or is interrupted. `tests/faults/disk.sh` and `tests/cli/disk.sh` fail "
    "those that write.",
    "library": "A failure of a library or a program that the tests do not provoke: HDF5 on a sound file, LAPACK, ARPACK, "
    "gnuplot.",
    "child": "Runs in a process of its own that ends without writing its counts.",
    "moment": "Another process or a signal comes at just that moment.",
    "machine": "Another machine or an installed rowmax: a processor without AVX2, no LAPACK, no Slurm, no host name.",
    "large": "Needs more data than a test is to make.",
    "guard": "Nothing known gets there: a value after a switch over all members, a limit on the rounds of a "
    "calculation, what the callers exclude.",
    "passes on": "Passes on the failure of the call in the line before, which fails for one of the reasons above.",
    "untested": "A test could reach it, and none does.",
}
MEMORY = re.compile(r"out of memory|^\w+(->|\.)failed = true;")
SYSTEM = re.compile(r"error_set_system\(|path too long|^continue;$")
LIBRARY = re.compile(r"hdf_error\(|failed with info")
GUARD = re.compile(r"^case \w+_COUNT:$")
ENDS = re.compile(
    r"^(return( false| NULL| -1| 0|)|return err->code == ERROR_NONE|good = false|goto \w+|arena_release\(&\w+\)"
    r"|\w+->ended = true);$"
)
FAILURE = re.compile(r"== NULL|!\w+\(|!good|< 0\b|err->code != ERROR_NONE|\bcount == 0\b|errno == EINTR")


def statement(source, number):
    """The line with which the statement begins that the line belongs to."""
    while number > 1:
        before = source[number - 2].strip()
        if not before or before.endswith((";", "{", "}", ":", "*/")) or before.startswith(("#", "/*", "//")):
            break
        number -= 1
    return number


def condition(source, first):
    """What the block asks for that the statement stands in, if it is at its top."""
    for number in range(first - 1, max(first - 6, 0), -1):
        line = source[number - 1].strip()
        if line.endswith("{"):
            begin = statement(source, number)
            return " ".join(part.strip() for part in source[begin - 1:number])
        if line.startswith("}"):
            break
    return ""


def function(source, number):
    """The name of the function that the line is in."""
    for above in range(number, 0, -1):
        name = re.match(r"\w[\w *]*?\**(\w+)\(", source[above - 1])
        if name:
            return name[1]
        if source[above - 1].startswith("}"):
            break
    return ""


def read_reasons(path):
    reasons = {}
    for line in open(path, encoding="utf-8"):
        if line.strip() and not line.startswith("#"):
            reason, file, place = (part.strip() for part in line.split(" | ", 2))
            inside = re.fullmatch(r"in (\w+):?(.*)", place)
            name, begins = (inside[1], inside[2].strip()) if inside else ("", place)
            reasons.setdefault(file, []).append((reason, name, begins))
    return reasons


def reason_of(file, source, number, given):
    first = statement(source, number)
    here = source[number - 1].strip()
    text = " ".join(part.strip() for part in source[first - 1:number])
    for reason, name, begins in given.get(file, []):
        if (not name or name == function(source, number)) and (here.startswith(begins) or text.startswith(begins)):
            return reason
    asked = condition(source, first)
    if here == "continue;" and "EINTR" not in asked:
        return "untested"
    for reason, pattern in (("memory", MEMORY), ("system", SYSTEM), ("library", LIBRARY), ("guard", GUARD)):
        if pattern.search(text):
            return reason
    if ENDS.match(here) and FAILURE.search(asked):
        return "passes on"
    return "untested"


def spans(numbers):
    out = []
    for number in numbers:
        if out and number == out[-1][1] + 1:
            out[-1][1] = number
        else:
            out.append([number, number])
    return ", ".join(str(a) if a == b else f"{a}–{b}" for a, b in out)


def main():
    given = read_reasons(pathlib.Path(__file__).with_name("coverage_reasons.txt"))
    files = sorted(json.load(open(sys.argv[1]))["files"], key=lambda file: file["file"])
    lines = reached = 0
    rooms, rows, counts = {}, [], {}
    for file in files:
        name = file["file"][4:]
        known = [line for line in file["lines"] if not line.get("gcovr/noncode")]
        missed = [line["line_number"] for line in known if line["count"] == 0]
        lines += len(known)
        reached += len(known) - len(missed)
        total = rooms.setdefault(name.split("/")[0] if "/" in name else "main", [0, 0])
        total[0] += len(known)
        total[1] += len(missed)
        source = open(file["file"], encoding="utf-8").read().split("\n")
        by_reason = {}
        for number in missed:
            by_reason.setdefault(reason_of(name, source, number, given), []).append(number)
        for reason, numbers in by_reason.items():
            counts[reason] = counts.get(reason, 0) + len(numbers)
            rows.append((name, reason, spans(numbers)))
    print("# Lines that no test reaches\n")
    print("Written by `scripts/coverage`, which runs the tests of a build with gcov. The reasons come from")
    print("`scripts/coverage_reasons.txt`, where somebody gave them who read the line, or else from a rule in")
    print("`scripts/coverage_report.py`.\n")
    print(f"The tests reach {reached} of {lines} lines of `src/`: **{100 * reached / lines:.1f} %**.\n")
    print("| room | lines | not reached | reached |\n|---|---:|---:|---:|")
    for room, (known, missed) in sorted(rooms.items()):
        print(f"| {room} | {known} | {missed} | {100 * (known - missed) / max(known, 1):.1f} % |")
    print("\n## Why\n\n| reason | lines | |\n|---|---:|---|")
    for name, text in REASONS.items():
        if name in counts:
            print(f"| {name} | {counts[name]} | {text} |")
    print("\n## Where\n\n| file | reason | lines |\n|---|---|---|")
    for file, name, numbers in rows:
        print(f"| {file} | {name} | {numbers} |")


main()
