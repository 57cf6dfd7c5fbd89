# SPDX-License-Identifier: MIT
"""Opens results files as users do: read_with_python.py SAMPLE EMPTY, made by test_writer.c."""
import sys

import h5py
import numpy as np
import xarray as xr

sample, empty = sys.argv[1:3]


def check(condition, what):
    if not condition:
        sys.exit("read_with_python: " + what)


for engine in (None, "netcdf4", "h5netcdf"):
    with xr.open_dataset(sample, engine=engine) as data:
        check(data.sizes["run"] == 40, f"{engine}: 40 runs, not {data.sizes}")
        check(not any(str(d).startswith("phony") for d in data.sizes), f"{engine}: nameless dimension")
        check((data["run"].values == np.arange(40)).all(), f"{engine}: run")
        check(data["guard_init"].dtype == bool, f"{engine}: guard_init is {data['guard_init'].dtype}")
        check(data["status"].attrs["flag_meanings"] == "ok failed", f"{engine}: status flags")
        check((data["status"].values == (np.arange(40) % 11 == 5)).all(), f"{engine}: status")
        check(data["seed"].dtype == np.int64, f"{engine}: seed is {data['seed'].dtype}")
        check(data["row_max_mean"].dtype == np.float64, f"{engine}: row_max_mean")
        check(np.isnan(data["row_max_mean"].values).any(), f"{engine}: NaN")
        check(data["entropy_mean"].attrs["units"] == "nats", f"{engine}: units")
        index = data["corpus_index"].values
        check(index[0] == 0 and index[1] == -1, f"{engine}: corpus_index {index[:2]}")
        check(str(data["corpus"].values[0]) == "größe→ 'x' 0", f"{engine}: corpus")
        check(str(data["corpus_sha256"].values[0]) == "sha 0", f"{engine}: corpus_sha256")
        message = str(data["message"].values[data["message_index"].values[5]])
        check(message == "failed: 'ü'\nsecond line\ttab 5", f"{engine}: message {message!r}")
        check(data["kept_weights"].dims == ("kept_index", "query", "key"), f"{engine}: kept dims")
        check(list(data["kept_index"].values) == [1, 6, 11, 16, 21, 26], f"{engine}: kept_index")
        first = data["kept_weights"].sel(kept_index=1).values
        check(first.shape == (7, 7), f"{engine}: kept shape {first.shape}")
        check(np.array_equal(first[:2, :2], [[1, 1 / 2], [1 / 3, 1 / 4]]), f"{engine}: kept {first}")
        check(np.isnan(first[2:, :]).all() and np.isnan(first[:, 2:]).all(), f"{engine}: padding")
        check(data.attrs["title"] == "A sample: größe", f"{engine}: title")
        check(data.attrs["planned_runs"] == 40, f"{engine}: planned_runs")
        check(data.attrs["rowmax_version"] == "0.1.0", f"{engine}: provenance")
        check(str(data["sweep"].values).startswith("rowmax: 1\nname: sample"), f"{engine}: sweep")
    with xr.open_dataset(empty, engine=engine) as data:
        check(data.sizes["run"] == 0, f"{engine}: empty file has {data.sizes}")
        check(data["seed"].size == 0, f"{engine}: empty column")

with h5py.File(sample) as file:
    names = [name for name in file if isinstance(file[name], h5py.Dataset)]
    check(file["seed"].dtype == "<i8" and file["row_max_mean"].dtype == "<f8", "little-endian types")
    check(file["guard_init"].dtype == "i1", "guard_init is int8")
    numbers = [name for name in names if file[name].dtype.kind in "if"]
    check(len(numbers) > 50 and all(file[name].fletcher32 for name in numbers), "fletcher32")
    check(file["seed"].shuffle and file["seed"].compression_opts == 4, "shuffle and gzip 4")
    check(file["run_key"][0] == np.uint64(0x9E3779B97F4A7C15).astype(np.int64), "run_key")
    check(file["sweep"].asstr()[()].startswith("rowmax: 1"), "sweep")
    check(file.attrs["Conventions"] == "CF-1.8", "Conventions")
print("read")
