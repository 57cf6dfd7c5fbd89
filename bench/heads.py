# SPDX-License-Identifier: MIT
"""Shapes a to d: attention heads, rowmax beside numpy, PyTorch and C with OpenBLAS."""
from dataclasses import dataclass, field

from measure import HERE, PYTHON, SIX, numbers, take

BLOCKS = (32, 256)


@dataclass
class Shape:
    title: str
    sizes: list  # (n, d_model, d_k)
    seeds: dict  # rowmax: seeds of a sweep of each kind
    runs: int  # of a baseline, of each size
    upstream: str  # where the random gradient of the second form enters; empty: forward measures only
    batch: int = 0  # seeds in one batch of PyTorch
    most_rounds: int = 99
    rows: int = 0  # forward only: rows that baselines do
    measures: list = field(default_factory=lambda: SIX)


def seeds(alone, eight, every=None, **more):
    return {"alone": alone, "eight": eight, "every": every or alone, **more}


SMALL = [(n, d, d) for n in (12, 16, 24, 32) for d in (16, 32, 64, 128, 256, 512)]
SHAPES = {
    "a": Shape("24 shapes, n 12 to 32, d = d_k 16 to 512", SMALL,
               seeds(300, 40, 100, **{"swept": 100, "swept eight": 40, "collapsed": 2000, "drawn": 100, "drawn eight": 40}), 10, "weights", batch=64),
    "b": Shape("n 512, d 512, d_k 64", [(512, 512, 64)], seeds(240, 16, 60, **{"drawn": 60, "drawn eight": 16}), 12, "output", batch=8),
    "c": Shape("n 8,192, d 1,024, d_k 128", [(8192, 1024, 128)], seeds(2, 1, 1, **{"drawn": 2, "drawn eight": 1}), 1, "output", most_rounds=3),
    "d": Shape("n 65,536, d 512, d_k 64, no gradients", [(65536, 512, 64)], {"alone": 1}, 1, "", most_rounds=3,
               rows=512, measures=SIX[:4]),
}
SHORT = {
    "a": Shape("n 12, d = d_k 16 and 32", [(12, 16, 16), (12, 32, 32)],
               seeds(4, 2, **{"swept": 4, "swept eight": 2, "collapsed": 4, "drawn": 4, "drawn eight": 2}), 2, "weights", batch=2),
    "b": Shape("n 64, d 64, d_k 16", [(64, 64, 16)], seeds(2, 1, **{"drawn": 2, "drawn eight": 1}), 2, "output", batch=2),
    "c": Shape("n 256, d 64, d_k 16", [(256, 64, 16)], seeds(1, 1, **{"drawn": 1, "drawn eight": 1}), 1, "output"),
    "d": Shape("n 1,024, d 64, d_k 16, no gradients", [(1024, 64, 16)], {"alone": 1}, 1, "", rows=256, measures=SIX[:4]),
}


def listed(name, values):
    return f"{name}: [{', '.join(str(value) for value in values)}]"


def own_seeds(shape, count):
    """Every run its own seed, so that none shares a draw: all in one zip."""
    runs = [(*size, number * count + i + 1) for number, size in enumerate(shape.sizes) for i in range(count)]
    names = [f"x{n}_{d}.npy" for n, d, _, _ in runs]
    widths, own = [run[2] for run in runs], [run[3] for run in runs]
    return [f"zip: [{{{listed('x', names)}, {listed('d_k', widths)}, {listed('seed', own)}}}]"]


def same_seeds(shape, count):
    """The same seeds for all sizes."""
    names = [f"x{n}_{d}.npy" for n, d, _ in shape.sizes]
    widths = [d_k for _, _, d_k in shape.sizes]
    return [f"zip: [{{{listed('x', names)}, {listed('d_k', widths)}}}]", f"  seed: {{from: 1, to: {count}}}"]


def write_sweep(bench, name, shape, kind):
    """A sweep of one kind over given inputs: its path, and how many runs it has."""
    count = shape.seeds[kind]
    eight = "eight" in kind
    zipped, *grid = (same_seeds if kind in ("swept", "swept eight", "collapsed") else own_seeds)(shape, count)
    lines = [
        "rowmax: 1",
        f"name: {name}-{kind.replace(' ', '-')}",
        f"fixed: {{source: arrays, draw: {'collapsed' if kind == 'collapsed' else 'weights'}, "
        f"upstream: {'drawn' if 'drawn' in kind else 'expected'}}}",
        "grid:",
        f"  guards: {'all' if eight else 'init+scale+norm'}",
        *grid,
        zipped,
    ]
    if kind != "every":
        lines.append(f"measures: [{', '.join(shape.measures)}]")
    path = bench.work / f"{name}-{kind.replace(' ', '-')}.yaml"
    path.write_text("\n".join(lines) + "\n")
    return str(path), count * len(shape.sizes) * (8 if eight else 1)


def take_rowmax(bench, sweep, threads):
    path, runs = sweep
    taken = take([bench.rowmax, "run", path, "-o", path + ".h5", "--fresh", "--force", "-q", "-j", str(threads)])
    return taken, runs


def baselines(bench, shape):
    """Commands by (program, form, variant); each prints processor seconds a run."""
    sizes = ",".join("x".join(str(number) for number in size) for size in shape.sizes)
    python = {"numpy": [PYTHON, str(HERE / "baseline_numpy.py")]}
    if bench.torch:
        python["PyTorch"] = [PYTHON, str(HERE / "baseline_torch.py")]
    programs = {**python, "C + OpenBLAS": [bench.program("bench_baseline")]}
    commands = {}
    for program, command in programs.items():
        if not shape.upstream:
            for block in BLOCKS:
                commands[program, "same", f"blocks of {block}"] = command + ["rows", sizes, str(shape.rows), str(block)]
            continue
        for form, wanted in (("same", "measures"), ("upstream", shape.upstream)):
            timed = command + ["time", wanted, sizes]
            if program != "PyTorch":
                commands[program, form, ""] = timed + [str(shape.runs)]
                continue
            commands[program, form, "loop"] = timed + [str(shape.runs), "0"]
            if shape.batch:
                commands[program, form, "batch"] = timed + [str(shape.batch), str(shape.batch)]
    return commands


def flops(size, gradients):
    """Of the fewest products that a run alone needs: projections, scores; then for each gradient shares times
    vectors, twice, or shares times distances between tokens (those of tokens are shared by all seeds)."""
    n, d, k = size
    count = 4 * n * d * k + 2 * n * n * k
    if gradients:
        count += min(4 * n * n * k, 2 * n * n * n + n * n * k) + min(4 * n * n * d, 2 * n * n * n)
    return count


def limit(shape, rates):
    """Seconds a run at the rates that this processor reaches, by what takes them."""
    parts = {"products": 0, "exponentials": 0, "normals": 0}
    for n, d, k in shape.sizes:
        parts["products"] += flops((n, d, k), shape.upstream != "") / rates["gemm"]
        parts["exponentials"] += n * n / rates["exponentials"]
        parts["normals"] += 2 * d * k / rates["normals"]
    return {name: seconds / len(shape.sizes) for name, seconds in parts.items()}


def one_round(bench, shape, sweeps, commands):
    """Every program once, in turn."""
    entry = {"rowmax": {}, "wall": {}, "others": [], "memory": {}}
    for kind, sweep in sweeps.items():
        taken, runs = take_rowmax(bench, sweep, 1)
        entry["rowmax"][kind] = taken.processor / runs
        entry["wall"].setdefault("1", taken.wall / runs)
        entry["memory"].setdefault("rowmax", taken.megabytes)
    taken, runs = take_rowmax(bench, sweeps["alone"], 2)
    entry["wall"]["2"] = taken.wall / runs
    for key, command in commands.items():
        taken = take(command)
        entry["others"].append([*key, float(taken.output)])
        entry["memory"][key[0]] = max(taken.megabytes, entry["memory"].get(key[0], 0))
    entry["rates"] = numbers(take([bench.program("bench_limits"), "1"]).output)
    entry["limit"] = limit(shape, entry["rates"])
    return entry


def measure(bench, name):
    shape = (SHORT if bench.short else SHAPES)[name]
    take([PYTHON, str(HERE / "arrays.py"), str(bench.work), *[f"x{n}_{d}={n}x{d}" for n, d, _ in shape.sizes]])
    sweeps = {kind: write_sweep(bench, name, shape, kind) for kind in shape.seeds}
    commands = baselines(bench, shape)
    rounds = [one_round(bench, shape, sweeps, commands) for _ in range(min(bench.rounds, shape.most_rounds))]
    return {"title": shape.title, "rounds": rounds}
