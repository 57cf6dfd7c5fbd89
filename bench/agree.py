# SPDX-License-Identifier: MIT
"""All programs on the same arrays: they must find the same, or no time is worth anything."""
import sys

from measure import HERE, PYTHON, SIX, take

SIZES = [(24, 40, 16), (48, 32, 64), (512, 512, 64)]
WITHIN = 1e-10
FORMS = ("measures", "weights", "output")


def write_arrays(folder, size):
    n, d, k = size
    shapes = {"x": (n, d), "w_q": (d, k), "w_k": (d, k), "w_v": (d, k), "weights": (n, n), "output": (n, k)}
    named = [f"{name}={rows}x{columns}" for name, (rows, columns) in shapes.items()]
    take([PYTHON, str(HERE / "arrays.py"), folder, *named])


def of_baseline(command):
    lines = [line.split() for line in take(command).output.splitlines()]
    return {(form, SIX[int(i)]): float(value) for form, i, value in lines}


def of_rowmax(bench, folder):
    sweep = folder / "agree.yaml"
    sweep.write_text("rowmax: 1\nname: agree\nfixed: {source: arrays, x: x.npy, w_q: w_q.npy, w_k: w_k.npy}\n"
                     "grid: {guards: init+scale+norm}\n")
    take([bench.rowmax, "run", str(sweep), "-o", f"{sweep}.h5", "--fresh", "-q", "-j", "1"])
    table = take([bench.rowmax, "export", f"{sweep}.h5", "--format", "csv", "--fields", ",".join(SIX)]).output
    names, values = (line.split(",") for line in table.split())
    return {("measures", name): float(value) for name, value in zip(names, values)}


def found(bench, folder, size):
    """What each program finds, by (form, measure)."""
    shape = "x".join(str(number) for number in size)
    programs = {
        "rowmax": of_rowmax(bench, folder),
        "numpy": of_baseline([PYTHON, str(HERE / "baseline_numpy.py"), "check", str(folder)]),
        "C + OpenBLAS": of_baseline([bench.program("bench_baseline"), "check", str(folder), shape]),
    }
    for batch in (0, 2) if bench.torch else ():
        programs[f"PyTorch, batch {batch}"] = of_baseline(
            [PYTHON, str(HERE / "baseline_torch.py"), "check", str(folder), str(batch)])
    return programs


def agree(bench):
    """Says how well, and ends the bench with status 1 where not."""
    worst, compared = 0.0, 0
    for size in SIZES[:2] if bench.short else SIZES:
        folder = bench.work / "agree"
        folder.mkdir(exist_ok=True)
        write_arrays(str(folder), size)
        programs = found(bench, folder, size)
        wanted = programs.pop("numpy")
        for program, values in programs.items():
            for key, value in values.items():
                difference = abs(value / wanted[key] - 1)
                if not difference <= WITHIN:
                    sys.exit(f"bench: {program} and numpy differ by {difference:.1e} in {key[1]} ({key[0]}) at {size}")
                worst, compared = max(worst, difference), compared + 1
    print(f"agree: {len(programs) + 1} programs, {compared} numbers, largest relative difference {worst:.1e}", flush=True)
