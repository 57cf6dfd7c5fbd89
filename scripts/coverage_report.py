#!/usr/bin/env python3
"""From gcovr's JSON, docs/coverage.md: each line of src that no test reaches, with the reason that its neighbourhood
gives. The reasons are tried in this order on the line and the few lines before it."""
import json
import re
import sys

REASONS = [
    ("memory", r"arena_|out of memory|memory is short|malloc|_reserve\(|text_finish|== NULL|NULL \|\|",
     "Memory that is not to be had. `tests/faults/memory.sh` fails every block in turn and looks at what the program does; "
     "the program that it runs is counted here only where the build for coverage runs it."),
    ("system", r"errno|error_set_system|fsync|close\(|rename\(|pipe\(|fork|open\(|_exit|stat\(|readlink|EINTR|path too long",
     "A call to the system that fails or is interrupted, or a child process that ends without writing its counts. "
     "`tests/faults/disk.sh` and `tests/cli/disk.sh` fail those that write."),
    ("library", r"H5|hid_t|hdf_|dataset <|deflate|inflate|Z_OK|json_|yaml_|LAPACK|ARPACK|info|gnuplot|fc-|dlsym|dlopen|lapack",
     "A failure of a library or a program that the tests do not provoke: HDF5 on a sound file, zlib, LAPACK, ARPACK."),
    ("passes on", r"return false;|return NULL;|return -1;|return 0;|good = false|goto",
     "Passes on the failure of a call that fails for one of the reasons above."),
    ("cannot be", r"case \w*COUNT|default:|return \"|break;|NAN|assert",
     "Cannot be reached: the compiler wants a value after a switch over all members of an enumeration."),
]
OTHER = ("rare", None, "A rare input or machine, or a program that was ended before it wrote its counts.")


def reason_of(source, number):
    here = source[number - 1]
    context = "\n".join(source[max(0, number - 5):number])
    for name, pattern, _ in REASONS:
        if re.search(pattern, here):
            return name
    for name, pattern, _ in REASONS[:3]:
        if re.search(pattern, context):
            return name
    return OTHER[0]


def spans(numbers):
    out = []
    for number in numbers:
        if out and number == out[-1][1] + 1:
            out[-1][1] = number
        else:
            out.append([number, number])
    return ", ".join(str(a) if a == b else f"{a}–{b}" for a, b in out)


def main():
    files = sorted(json.load(open(sys.argv[1]))["files"], key=lambda file: file["file"])
    lines = reached = 0
    rooms, rows, counts = {}, [], {}
    for file in files:
        known = [line for line in file["lines"] if not line.get("gcovr/noncode")]
        missed = [line["line_number"] for line in known if line["count"] == 0]
        lines += len(known)
        reached += len(known) - len(missed)
        room = file["file"].split("/")[1]
        room = room if "/" in file["file"][4:] else "main"
        total = rooms.setdefault(room, [0, 0])
        total[0] += len(known)
        total[1] += len(missed)
        source = open(file["file"], encoding="utf-8").read().split("\n")
        by_reason = {}
        for number in missed:
            by_reason.setdefault(reason_of(source, number), []).append(number)
        for name, numbers in by_reason.items():
            counts[name] = counts.get(name, 0) + len(numbers)
            rows.append((file["file"][4:], name, spans(numbers)))
    print("# Lines that no test reaches\n")
    print("Written by `scripts/coverage`, which runs the tests of a build with gcov.\n")
    print(f"The tests reach {reached} of {lines} lines of `src/`: **{100 * reached / lines:.1f} %**.\n")
    print("| room | lines | not reached | reached |\n|---|---:|---:|---:|")
    for room, (known, missed) in sorted(rooms.items()):
        print(f"| {room} | {known} | {missed} | {100 * (known - missed) / max(known, 1):.1f} % |")
    print("\n## Why\n\n| reason | lines | |\n|---|---:|---|")
    for name, _, text in REASONS + [OTHER]:
        if name in counts:
            print(f"| {name} | {counts[name]} | {text} |")
    print("\n## Where\n\n| file | reason | lines |\n|---|---|---|")
    for file, name, numbers in rows:
        print(f"| {file} | {name} | {numbers} |")


main()
