/* SPDX-License-Identifier: MIT */
/* The sinusoidal encoding of Vaswani et al. 2017, section 3.5. */
#include "attention/position.h"

#include <math.h>
#include <stdbool.h>

/* Columns that go down the rows together: what they share of a row is read in one piece. */
#define PAIRS ((size_t)32)

/* Adds to `pairs` pairs of columns of rows that are `d` numbers apart; of the last pair the cosine
 * stands behind the row where `odd`. */
static void add_columns(size_t first, size_t tokens, size_t d, const double *wavelengths,
                        size_t pairs, bool odd, double *x)
{
    for (size_t token = 0; token < tokens; token++) {
        double *row = x + token * d;
        for (size_t i = 0; i < pairs; i++) {
            double angle = (double)(first + token) / wavelengths[i];
            row[2 * i] += sin(angle);
            if (!odd || i + 1 < pairs) {
                row[2 * i + 1] += cos(angle);
            }
        }
    }
}

void position_add_sinusoidal(size_t first, size_t tokens, size_t d, double *x)
{
    double wavelengths[PAIRS];
    for (size_t column = 0; column < d; column += 2 * PAIRS) {
        size_t left = d - column;
        size_t pairs = left < 2 * PAIRS ? (left + 1) / 2 : PAIRS;
        for (size_t i = 0; i < pairs; i++) {
            wavelengths[i] = pow(10000.0, (double)(column + 2 * i) / (double)d);
        }
        add_columns(first, tokens, d, wavelengths, pairs, left < 2 * pairs, x + column);
    }
}
