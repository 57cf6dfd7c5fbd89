# SPDX-License-Identifier: MIT
"""Parts e to h: shipped experiments, learning, results files, start."""
import sys

from measure import HERE, PYTHON, SIX, numbers, shown_timing, take

RANK = 64
WINDOW = 5
TEN = [*SIX[:4], "score_row_std", "row_max_median", "entropy_normalised_mean", "effective_keys_mean",
       "jacobian_trace_mean", "saturated_rows"]


def experiments(bench):
    """Each shipped experiment on one thread: processor seconds, runs, memory."""
    found = {}
    sweeps = sorted((HERE.parent / "experiments").glob("*.yaml"))
    for sweep in [s for s in sweeps if s.stem in ("worked", "guards")] if bench.short else sweeps:
        out = str(bench.work / f"{sweep.stem}.h5")
        times = []
        for _ in range(min(bench.rounds, 3)):
            taken = take([bench.rowmax, "run", str(sweep), "-o", out, "--fresh", "-q", "-j", "1"], good=(0, 3))
            times.append(taken.processor)
        found[sweep.stem] = {"seconds": times, "runs": shown_timing(bench, out)["runs"], "memory": taken.megabytes}
    return {"experiments": found}


def count_round(bench, text, words):
    """Pairs of neighbours, by every program."""
    mine = numbers(take([bench.program("bench_learning"), text, str(words), str(WINDOW)]).output)
    entry = {"rowmax": mine["read_processor"] + mine["count_processor"], "read": mine["read_processor"],
             "wall": mine["read_seconds"] + mine["count_seconds"], "bytes": mine["bytes"], "vocabulary": mine["vocabulary"],
             "others": {"wc -w": take(["wc", "-w", text]).processor}}
    modes = {"Python dictionary": "dictionary", **({"numpy": "numpy"} if bench.scipy else {})}
    for name, mode in modes.items():
        command = [PYTHON, str(HERE / "learning.py"), mode, text, str(int(mine["min_count"])), str(WINDOW)]
        other = numbers(take(command).output)
        if (other["entries"], other["pairs"]) != (mine["entries"], mine["pairs"]):
            sys.exit(f"bench: rowmax and {name} count differently in {text}")
        entry["others"][name] = other["processor"]
    return entry


def decompose_round(bench, text, words):
    """The leading singular values of both matrices, by rowmax and scipy."""
    matrix = str(bench.work / "matrix")
    mine = numbers(take([bench.program("bench_learning"), text, str(words), str(WINDOW), str(RANK), matrix]).output)
    entry = {"vocabulary": mine["vocabulary"]}
    for kind in ("log-count", "ppmi"):
        entry[kind] = {"rowmax": mine[f"{kind}_processor"], "wall": mine[f"{kind}_seconds"], "others": {}}
        if not bench.scipy:
            continue
        other = numbers(take([PYTHON, str(HERE / "learning.py"), "eigsh", f"{matrix}.{kind}", str(RANK)]).output)
        entry[kind]["others"]["scipy"] = other["processor"]
        worst = max(abs(mine[f"{kind}_value_{i}"] / other[f"value_{i}"] - 1) for i in range(RANK))
        if not worst <= 1e-8:
            sys.exit(f"bench: singular values of {kind} differ by {worst:.1e} from scipy's")
        entry[kind]["worst"] = worst
    return entry


def learning(bench):
    text, large = str(bench.work / "text"), str(bench.work / "large")
    take([PYTHON, str(HERE / "corpus.py"), text, "300000" if bench.short else "10000000"])
    found = {"rank": RANK, "count": [], "decompose": {}}
    if not bench.short:
        take([PYTHON, str(HERE / "corpus.py"), large, "100000000"])
    for _ in range(min(bench.rounds, 3)):
        found["count"].append(count_round(bench, text if bench.short else large, 2000))
    for words in (300,) if bench.short else (2000, 8000):
        found["decompose"][str(words)] = [decompose_round(bench, text, words) for _ in range(min(bench.rounds, 3))]
    return found


def rows(bench):
    """What journal and results file take, a row, of a sweep of small runs."""
    count = 2000 if bench.short else 1000000
    path, out = bench.work / "rows.yaml", str(bench.work / "rows.h5")
    found = {"rows": count, "kinds": {}}
    for kind, measures in {"ten measures": f"measures: [{', '.join(TEN)}]\n", "every measure": ""}.items():
        path.write_text("rowmax: 1\nname: rows\nfixed: {source: gaussian, tokens: 4, d_model: 4, d_k: 4}\n"
                        f"grid: {{seed: {{from: 1, to: {count}}}}}\n{measures}")
        entries = []
        for _ in range(min(bench.rounds, 3)):
            taken = take([bench.rowmax, "run", str(path), "-o", out, "--fresh", "-q", "-j", "1"])
            said = shown_timing(bench, out)
            entries.append({"journal": said["journal_processor"], "pack": said["pack_processor"],
                            "seconds": taken.processor, "memory": taken.megabytes})
        found["kinds"][kind] = entries
    return found


def start(bench):
    """Wall clock of processes that do next to nothing, milliseconds."""
    path, out = bench.work / "start.yaml", str(bench.work / "start.h5")
    path.write_text("rowmax: 1\nname: start\nfixed: {source: gaussian, tokens: 4, d_model: 4, d_k: 4}\n")
    commands = {
        "rowmax: up to the first run (plan)": [bench.rowmax, "plan", str(path)],
        "rowmax: a sweep of one run, file written and verified": [bench.rowmax, "run", str(path), "-o", out, "--fresh", "-q"],
        "Python: import numpy": [PYTHON, "-c", "import numpy"],
    }
    if bench.torch:
        commands["Python: import torch"] = [PYTHON, "-c", "import torch"]
    found = {name: [] for name in commands}
    for _ in range(2 if bench.short else 4 * bench.rounds):
        for name, command in commands.items():
            found[name].append(1000 * take(command).wall)
    return {"milliseconds": found}
