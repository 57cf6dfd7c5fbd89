# SPDX-License-Identifier: MIT
"""Programs as children: what they print, the time and memory they take. Stays small, as a child's memory counts from
that of its parent."""
import importlib.util
import os
import pathlib
import statistics
import subprocess
import sys
import time
from dataclasses import dataclass

HERE = pathlib.Path(__file__).resolve().parent
PYTHON = sys.executable
SIX = ["score_std", "row_max_mean", "entropy_mean", "jacobian_norm_mean", "gradient_wq", "gradient_wk"]


@dataclass
class Bench:
    """What all parts share."""
    build: pathlib.Path  # folder of the build
    out: pathlib.Path  # of tables and figures
    work: pathlib.Path  # of what is thrown away
    rounds: int
    short: bool
    torch: bool
    scipy: bool

    @property
    def rowmax(self):
        return str(self.build / "rowmax")

    def program(self, name):
        return str(self.build / "bench" / name)


@dataclass
class Taken:
    wall: float
    processor: float
    megabytes: float
    output: str


def have(module):
    """Whether Python has it, without loading it."""
    return importlib.util.find_spec(module) is not None


def processor():
    """Its name and what it can do."""
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        lines = [line.partition(":") for line in file.read().split("\n\n")[0].splitlines()]
    told = {name.strip(): value.strip() for name, _, value in lines}
    return told.get("model name", "unknown processor"), told.get("flags", "").split()


def core_type():
    """The kernels of OpenBLAS that suit the processor: 0.3.21 takes its oldest ones for a processor that it does not
    know, which makes it several times slower."""
    flags = processor()[1]
    return "SkylakeX" if "avx512dq" in flags else "Haswell" if "avx2" in flags else None


def set_environment():
    for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ[name] = "1"
    os.environ.setdefault("ROWMAX_CORPORA", str(HERE.parent / "corpora"))
    if core_type() is not None:
        os.environ.setdefault("OPENBLAS_CORETYPE", core_type())


def take(command, good=(0,)):
    """Runs a command to its end; stops the bench when it fails."""
    before = time.monotonic()
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        output = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in good:
        sys.exit(f"bench: {' '.join(command)}: status {process.returncode}")
    return Taken(time.monotonic() - before, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, output)


def numbers(output):
    """Lines of a name and a number."""
    return {name: float(value) for name, value in (line.split() for line in output.splitlines())}


def shown_timing(bench, results):
    return numbers(take([bench.rowmax, "show", "--timing", results]).output)


def median(values):
    return statistics.median(values)
