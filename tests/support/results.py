# SPDX-License-Identifier: MIT
"""What the tests of the experiments share: columns of a results file by the conditions of a sweep."""
import json
import math
import subprocess

import h5py
import numpy as np


class Results:
    def __init__(self, path, runs):
        self.file = h5py.File(path)
        assert len(self.file["run"]) == runs, (path, len(self.file["run"]))
        assert (self.file["status"][:] == 0).all(), path
        self.cache = {}

    def column(self, name):
        """A column; choices and texts by their names, `tokens` as measured."""
        if name not in self.cache:
            self.cache[name] = self.read(name)
        return self.cache[name]

    def read(self, name):
        if name + "_index" in self.file:
            names = [value.decode() for value in self.file[name][:]] + [""]
            return np.array(names)[self.file[name + "_index"][:]]
        values = self.file[name]
        meanings = values.attrs.get("flag_meanings")
        if meanings is None or values.attrs.get("dtype") == "bool":
            return values[:]
        meanings = meanings.decode() if isinstance(meanings, bytes) else meanings
        return np.array(meanings.split())[values[:]]

    def where(self, count=None, **conditions):
        """Places of the runs that meet all conditions, `count` of them."""
        chosen = np.ones(len(self.file["run"]), bool)
        for name, value in conditions.items():
            chosen &= self.column(name) == value
        places = np.flatnonzero(chosen)
        assert len(places) == count if count else len(places), (conditions, len(places))
        return places

    def values(self, name, count=None, **conditions):
        return self.column(name)[self.where(count, **conditions)]

    def one(self, name, **conditions):
        return self.values(name, 1, **conditions)[0]

    def kept(self, name, **conditions):
        """The only row of a kept matrix of the only run that meets the conditions."""
        place = list(self.file["kept_index"][:]).index(self.where(1, **conditions)[0])
        return self.file["kept_" + name][place, 0, : self.file["kept_tokens"][place]]


def standard_error(values):
    return values.std(ddof=1) / math.sqrt(len(values))


def check_mean(values, wanted, slack, what):
    """Within four standard errors of what it must be, and what the wanted number itself leaves open."""
    found = values.mean()
    limit = 4 * standard_error(values) + slack
    assert abs(found - wanted) <= limit, (what, found, wanted, limit)


def check_row(found, wanted, decimals, what):
    assert np.array_equal(np.round(found, decimals) + 0, np.array(wanted)), (what, found, wanted)


def theory(rowmax, tokens, spread):
    command = [rowmax, "theory", "--tokens", str(tokens), "--spread", str(spread), "--format", "json"]
    return json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
