#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""rowmax beside numpy, PyTorch, and C with OpenBLAS: see README.md."""
import argparse
import datetime
import json
import os
import pathlib
import shutil
import sys
import tempfile

import heads
import parts
import tables
from agree import agree
from measure import Bench, core_type, have, processor, set_environment, take

ROOT = pathlib.Path(__file__).resolve().parent.parent
PARTS = {**{name: lambda bench, name=name: heads.measure(bench, name) for name in "abcd"},
         "e": parts.experiments, "f": parts.learning, "g": parts.rows, "h": parts.start}
BEGIN, END = "<!-- bench begin -->\n", "<!-- bench end -->\n"


def arguments():
    parser = argparse.ArgumentParser(description="Times rowmax beside other programs that do the same.")
    parser.add_argument("--build", default=str(ROOT / "build" / "release"), help="folder of the build")
    parser.add_argument("--only", default=",".join(PARTS),
                        help="parts to measure, as a,b; the others stay as they were measured before")
    parser.add_argument("--rounds", type=int, default=int(os.environ.get("ROWMAX_BENCH_ROUNDS", "5")),
                        help="or ROWMAX_BENCH_ROUNDS; 5")
    parser.add_argument("--short", action="store_true", help="next to no work: does everything still run?")
    parser.add_argument("--without", default="", help="torch, scipy: leave out what is there")
    parser.add_argument("--docs", action="store_true", help="put tables and figure into README.md and docs/ as well")
    given = parser.parse_args()
    given.only = given.only.split(",")
    if given.rounds < 1 or not set(given.only) <= set(PARTS):
        parser.error(f"rounds are 1 or more, parts are {','.join(PARTS)}")
    return given


def prepare(given, work):
    build = pathlib.Path(given.build).resolve()
    missing = [module for module in ("torch", "scipy") if not have(module) or module in given.without]
    if not have("numpy"):
        sys.exit("bench: python3-numpy is missing")
    if missing:
        print("bench: left out: " + ", ".join(f"python3-{module}" for module in missing), flush=True)
    set_environment()
    out = build / "bench" / ("short" if given.short else "full")
    bench = Bench(build, out, pathlib.Path(work), given.rounds, given.short, "torch" not in missing, "scipy" not in missing)
    bench.out.mkdir(parents=True, exist_ok=True)
    return bench


def machine_line(found):
    """Where, when, how often, and how busy the machine was with other work (a load of 1 is the bench's own)."""
    days = sorted({part["day"] for part in found.values()})
    rounds = min(part["asked_rounds"] for part in found.values())
    load = max(part["load"] for part in found.values())
    core = os.environ.get("OPENBLAS_CORETYPE", core_type() or "as it finds")
    return (f"{processor()[0]}, {os.cpu_count()} cores, {', '.join(days)}, {rounds} {'rounds' if rounds > 1 else 'round'}, "
            f"load up to {load:.0f}; OpenBLAS kernels {core}.")


def measured(bench):
    """What lies there from this time and earlier ones; an older form that does not say when is left out."""
    found = {name: json.loads(path.read_text()) for name in PARTS if (path := bench.out / f"{name}.json").exists()}
    return {name: part for name, part in found.items() if "day" in part}


def replace_between(path, text):
    whole = path.read_text()
    before, rest = whole.split(BEGIN, 1)
    path.write_text(before + BEGIN + "\n" + text + "\n" + END + rest.split(END, 1)[1])


def write(bench, docs):
    found = measured(bench)
    machine = machine_line(found)
    text = tables.markdown(found, machine)
    (bench.out / "performance.md").write_text(text)
    print("\n" + text, flush=True)
    lines = tables.ratio_lines(found, machine)
    if "\t" in lines:
        (bench.out / "ratios.tsv").write_text(lines)
        take([bench.program("bench_figure"), str(bench.out / "ratios.tsv"), str(bench.out)])
    print(f"bench: tables and figure in {bench.out}", flush=True)
    if docs:
        replace_between(ROOT / "docs" / "performance.md", text)
        replace_between(ROOT / "README.md", tables.short_markdown(found, machine))
        shutil.copy(bench.out / "performance.svg", ROOT / "docs" / "performance.svg")


def main():
    given = arguments()
    with tempfile.TemporaryDirectory(prefix="rowmax-bench-") as work:
        bench = prepare(given, work)
        agree(bench)
        for name in given.only:
            print(f"bench: part {name}, load {os.getloadavg()[0]:.1f}", flush=True)
            loads = [os.getloadavg()[0]]
            found = PARTS[name](bench)
            loads.append(os.getloadavg()[0])
            found.update(load=max(loads), asked_rounds=bench.rounds, day=f"{datetime.date.today():%-d %B %Y}")
            (bench.out / f"{name}.json").write_text(json.dumps(found))
        write(bench, given.docs)


if __name__ == "__main__":
    main()
