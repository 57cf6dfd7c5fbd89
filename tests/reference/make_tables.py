#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Turns the reference files beside it into the tables that the C tests read.

A table line is: row, tab, column, tab, numbers separated by blanks. Numbers keep the digits of their
source; those that are doubles are written in hexadecimal. Run it after changing a reference file:
    tests/reference/make_tables.py
"""
import ast
import json
import pathlib
import struct

HERE = pathlib.Path(__file__).resolve().parent


def load(name):
    return json.loads((HERE / name).read_text(encoding="utf-8"))


def spell(value):
    """Text stays as it is (it may hold more digits than a double); doubles become exact."""
    return value if isinstance(value, str) else float(value).hex()


def read_npy(name):
    """The numbers of a C-ordered little-endian float64 array, format version 1."""
    data = (HERE / name).read_bytes()
    assert data[:8] == b"\x93NUMPY\x01\x00", name
    (length,) = struct.unpack("<H", data[8:10])
    header = ast.literal_eval(data[10:10 + length].decode("latin1"))
    assert header["descr"] == "<f8" and not header["fortran_order"], name
    body = data[10 + length:]
    return list(struct.unpack("<%dd" % (len(body) // 8), body))


def flatten(rows):
    return [value for row in rows for value in row]


class Table:
    def __init__(self, name, source):
        self.path = HERE / name
        self.lines = ["# Made by make_tables.py from %s." % source]

    def add(self, row, column, values):
        self.lines.append("%s\t%s\t%s" % (row, column, " ".join(map(spell, values))))

    def write(self):
        self.path.write_text("\n".join(self.lines) + "\n", encoding="utf-8")


def softmax_rows():
    reference = load("softmax_rows.json")
    table = Table("softmax_rows.tsv", "softmax_rows.json")
    for row in reference["rows"]:
        name = row["name"]
        if isinstance(row["input"], str):
            count, what = row["input"].split()
            assert what == "zeros"
            table.add(name, "zeros", [int(count)])
        else:
            table.add(name, "input", row["input_hex"])
        for column in ("rowmax", "one_minus_rowmax", "entropy_nats", "jac_fro", "jac_trace"):
            if column in row:
                table.add(name, column, [row[column]])
        if "weights" in row:
            table.add(name, "weights", row["weights"])
    for row in reference["undefined"]:
        if row["input"]:
            table.add(row["name"], "input", row["input"])
    table.write()


def layer_norm_rows():
    table = Table("layer_norm_rows.tsv", "layer_norm_rows.json")
    for row in load("layer_norm_rows.json"):
        table.add(row["name"], "input", row["input_hex"])
        for epsilon, out in row["out"].items():
            if isinstance(out, list):
                table.add(row["name"], epsilon, out)
    table.write()


def positional_encoding():
    reference = load("positional_encoding.json")
    table = Table("positional_encoding.tsv", "positional_encoding.json")
    for d, rows in reference["interleaved"].items():
        for position, row in zip(reference["positions"], rows, strict=True):
            table.add(d, str(position), row)
    table.write()


def guards():
    table = Table("guards.tsv", "guards/guards.json and the arrays it names")
    columns = ("input_std_pop", "score_std_pop", "score_min", "score_max", "mean_rowmax",
               "mean_entropy_nats", "jac_fro_mean", "jac_trace_mean", "dA_dWQ_fro", "dA_dWK_fro")
    for case, reference in load("guards/guards.json").items():
        for column in ("n", "d_model", "d_k"):
            table.add(case, column, [reference[column]])
        table.add(case, "ln_eps", [reference["ln_eps"]])
        for column, name in reference["files"].items():
            table.add(case, column, read_npy("guards/" + name))
        for combination, values in reference["combos"].items():
            row = case + " " + combination
            for column in columns:
                table.add(row, column, [values["mpmath"][column]])
            table.add(row, "input_rms", [values["numpy"]["input_rms"]])
            table.add(row, "A", flatten(values["A"]))
            table.add(row, "S", flatten(values["S"]))
    table.write()


if __name__ == "__main__":
    softmax_rows()
    layer_norm_rows()
    positional_encoding()
    guards()
