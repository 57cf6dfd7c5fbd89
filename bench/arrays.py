#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Writes normal numbers as .npy files: arrays.py FOLDER NAME=ROWSxCOLUMNS..."""
import sys

import numpy as np


def main():
    for number, argument in enumerate(sys.argv[2:]):
        name, shape = argument.split("=")
        rows, columns = (int(part) for part in shape.split("x"))
        np.save(f"{sys.argv[1]}/{name}.npy", np.random.default_rng(number).standard_normal((rows, columns)))


if __name__ == "__main__":
    main()
