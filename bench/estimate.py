#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Predicted beside measured: time, peak memory and file size of every shipped experiment.

bench/estimate.py ROWMAX: runs each sweep of experiments/ three times on one thread and takes the quickest. Status 1
when a time is off by more than a factor 1.5. Measured is processor time, which on an idle machine is the wall clock's and
on a busy one nearly stays what it is.
"""
import os
import pathlib
import subprocess
import sys
import tempfile

ROUNDS = 3
WITHIN = 1.5


def timed(command):
    """Processor seconds of the whole process, and its peak memory in bytes."""
    pid = os.posix_spawn(command[0], command, os.environ)
    _, status, usage = os.wait4(pid, 0)
    code = os.waitstatus_to_exitcode(status)
    if code not in (0, 3):
        sys.exit(f"{' '.join(command)}: status {code}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024


def predicted(rowmax, results):
    lines = subprocess.run([rowmax, "show", "--timing", results], check=True, capture_output=True, text=True).stdout
    return dict(line.split() for line in lines.splitlines())


def main():
    rowmax = os.path.abspath(sys.argv[1])
    root = pathlib.Path(__file__).resolve().parent.parent
    os.environ["ROWMAX_CORPORA"] = str(root / "corpora")
    print("| sweep | predicted, s | measured, s | ratio | memory, MB: predicted, measured | file, kB: predicted, measured |")
    print("|---|--:|--:|--:|--:|--:|")
    missed = 0
    with tempfile.TemporaryDirectory() as folder:
        for sweep in sorted((root / "experiments").glob("*.yaml")):
            out = f"{folder}/{sweep.stem}.h5"
            command = [rowmax, "run", str(sweep), "-o", out, "--fresh", "-q", "-j", "1"]
            rounds = [timed(command) for _ in range(ROUNDS)]
            seconds = min(taken for taken, _ in rounds)
            said = predicted(rowmax, out)
            ratio = float(said["predicted_seconds"]) / seconds
            missed += not 1 / WITHIN <= ratio <= WITHIN
            print(
                f"| `{sweep.stem}` | {float(said['predicted_seconds']):.2f} | {seconds:.2f} | {ratio:.2f} "
                f"| {float(said['predicted_memory']) / 1e6:.0f}, {rounds[0][1] / 1e6:.0f} "
                f"| {float(said['predicted_bytes']) / 1e3:.0f}, {os.path.getsize(out) / 1e3:.0f} |",
                flush=True,
            )
    sys.exit(1 if missed else 0)


if __name__ == "__main__":
    main()
