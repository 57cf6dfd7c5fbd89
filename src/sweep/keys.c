/* SPDX-License-Identifier: MIT */
/* The keys of a sweep file; see sweep.h. */
#include "sweep/sweep.h"

#include <string.h>

const struct sweep_key sweep_keys[SWEEP_KEY_COUNT] = {
    [SWEEP_ROWMAX] = {"rowmax", "the format version, always 1: rowmax: 1"},
    [SWEEP_NAME] = {"name", "names the results file; the sweep file's name unless given"},
    [SWEEP_TITLE] = {"title", "heads the report"},
    [SWEEP_INCLUDE] =
        {"include",
         "another sweep, or a list of them, that this one builds on: include: base.yaml\n"
         "a field that a file sets in fixed, grid or zip takes the place of the included one, and "
         "so do\n"
         "its exclude, keep, measures and thresholds; x_max: ~ under fixed takes a field out; of a "
         "list\n"
         "the later file holds; name and title are each file's own; paths are relative to the "
         "file that\n"
         "they stand in"},
    [SWEEP_FIXED] = {"fixed", "one value for each field in it, the same for all runs"},
    [SWEEP_GRID] = {"grid",
                    "every combination of its axes, the last one fastest; a list of grids is "
                    "their union\n"
                    "an axis is a list, {from: 1, to: 32}, {from: 0, to: 1, step: 0.1} or "
                    "{from: 1, to: 64, factor: 2}; the end is included"},
    [SWEEP_ZIP] = {"zip", "a list of maps; the fields of a map vary together: {d_model: [64, 128], "
                          "d_k: [8, 16]}"},
    [SWEEP_EXCLUDE] = {"exclude",
                       "a list of maps; a run that equals all fields of one is left out"},
    [SWEEP_SATURATION] =
        {"saturation",
         "the thresholds of a report: saturation: {row_max: 0.9, gradient: 0.1}\n"
         "a row is saturated from row_max on, and a setting when its mean row-max reaches it;\n"
         "the report tells where the mean gradient magnitude falls below gradient, which is read "
         "by\n"
         "the report alone: no run is done again when it changes"},
    [SWEEP_KEEP] = {"keep", "matrices to store: [scores, weights], or {matrices: [weights], where: "
                            "{seed: 1}};\n"
                            "none takes the place of an included list"},
    [SWEEP_MEASURES] = {"measures",
                        "measures to store, such as [entropy_mean, score_std]; all when left out\n"
                        "row_max_mean and the counts are always stored"},
    [SWEEP_GUARDS] = {"guards", "stands for the three switches in a grid: all, or a list such as "
                                "[none, init+scale]"},
};

size_t sweep_key_find(const char *name)
{
    size_t key = 0;
    while (key < SWEEP_TOP_KEYS && strcmp(sweep_keys[key].name, name) != 0) {
        key++;
    }
    return key;
}
