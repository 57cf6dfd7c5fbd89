#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Writes the arrays in tests/reference/arrays with numpy and h5py (1.24.2 and 3.7.0).

Run it after changing it: tests/reference/make_arrays.py. Values are eighths counted from 0, so that a test
knows each of them: element i in C order is i / 8. `edges` are the ends of half precision.
"""
import json
import os
import pathlib
import struct

import h5py
import numpy as np

os.chdir(pathlib.Path(__file__).resolve().parent)
eighths = np.arange(24).reshape(2, 3, 4) / 8
edges = np.array([[1, -2, 2.0**-24, 65504], [np.inf, -np.inf, np.nan, 0.1]]).astype("f2")

np.save("arrays/heads.npy", np.asfortranarray(eighths))
np.save("arrays/edges.npy", edges)
np.save("arrays/edges_big_endian.npy", edges.astype(">f2"))
for name, descr in (("arrays/bfloat16_void.npy", "<V2"), ("arrays/bfloat16.npy", "bfloat16")):
    # As ml_dtypes has it written: eighths are exact in the upper half of a single.
    with open(name, "wb") as file:
        header = {"descr": descr, "fortran_order": False, "shape": (3, 4)}
        np.lib.format.write_array_header_1_0(file, header)
        file.write((eighths[0].astype("<f4").view("<u4") >> 16).astype("<u2").tobytes())

with h5py.File("arrays/arrays.h5", "w", libver=("earliest", "v108")) as file:
    packed = {"compression": "gzip", "shuffle": True, "fletcher32": True}
    file.create_dataset("packed", data=eighths, chunks=(1, 2, 3), **packed)
    file.create_dataset("layers/0/single", data=eighths[0].astype(">f4"))
    file.create_dataset("layers/0/counts", data=np.array([[-300, 2], [3, 4]], dtype=">i2"))
    file.create_dataset("edges", data=edges)

tensors = {
    "single": ("F32", eighths.astype("<f4")),
    "double": ("F64", eighths[0].astype("<f8")),
    "half": ("F16", edges),
    "brain": ("BF16", (eighths[1].astype("<f4").view("<u4") >> 16).astype("<u2")),
    "whole": ("I64", np.arange(4).reshape(2, 2)),
}
header, data = {"__metadata__": {"format": "np"}}, b""
for name, (dtype, array) in tensors.items():
    end = len(data) + array.nbytes
    header[name] = {"dtype": dtype, "shape": array.shape, "data_offsets": [len(data), end]}
    data += array.tobytes()
text = json.dumps(header).encode()
text += b" " * (-len(text) % 8)
with open("arrays/model.safetensors", "wb") as file:
    file.write(struct.pack("<Q", len(text)) + text + data)
