# SPDX-License-Identifier: MIT
"""Makes files that other programs could leave: damage_with_python.py SAMPLE FOLDER, for test_reader.c."""
import os
import shutil
import sys

import h5py
import numpy as np

sample, folder = sys.argv[1:3]


def variant(name):
    path = os.path.join(folder, name)
    shutil.copy(sample, path)
    return h5py.File(path, "r+")


with variant("no-key.h5") as file:
    del file["run_key"]
with variant("no-measure.h5") as file:
    del file["entropy_mean"]
    del file["nonfinite"]
    del file["window"]
with variant("no-queries.h5") as file:
    del file["queries"]
with variant("many-queries.h5") as file:
    file["queries"][1] = 1000
with variant("wrong-type.h5") as file:
    del file["seed"]
    file["seed"] = np.zeros(40)
with variant("text-type.h5") as file:
    del file["row_max_mean"]
    file["row_max_mean"] = ["x"] * 40
with variant("wrong-length.h5") as file:
    del file["d_k"]
    file["d_k"] = np.zeros(39, "i8")
with variant("wrong-rank.h5") as file:
    del file["d_k"]
    file["d_k"] = np.zeros((40, 1), "i8")
with variant("group.h5") as file:
    del file["d_k"]
    file.create_group("d_k")
with variant("bad-index.h5") as file:
    file["corpus_index"][0] = 100
with variant("bad-choice.h5") as file:
    file["norm"][7] = 9
with variant("bad-status.h5") as file:
    file["status"][3] = 5
with variant("bad-kept.h5") as file:
    file["kept_index"][0] = 40
with variant("external-link.h5") as file:
    del file["d_k"]
    file["d_k"] = h5py.ExternalLink("wrong-type.h5", "seed")
with variant("huge.h5") as file:
    del file["run"]
    file.create_dataset("run", shape=(90_000_000,), dtype="i8", chunks=(4096,))
with variant("too-many.h5") as file:
    del file["run"]
    file.create_dataset("run", shape=(10**12,), dtype="i8", chunks=(4096,))
with variant("later-format.h5") as file:
    file.attrs["rowmax_format"] = 2
with variant("choices-moved.h5") as file:
    del file["norm"].attrs["flag_meanings"]
    file["norm"].attrs["flag_meanings"] = "rms batch layer"
    file["norm"][:] = 2
with variant("unknown-choice.h5") as file:
    del file["norm"].attrs["flag_meanings"]
    file["norm"].attrs["flag_meanings"] = "layer batch"
    file["norm"][:] = 1
with variant("more-columns.h5") as file:
    file["from_the_future"] = np.arange(40)
    file.attrs["from_the_future"] = 3
with h5py.File(os.path.join(folder, "foreign.h5"), "w") as file:
    file["x"] = np.arange(3)
