/* SPDX-License-Identifier: MIT */
/* The sinusoidal encoding of Vaswani et al. 2017, section 3.5. */
#include "attention/position.h"

#include <math.h>

void position_add_sinusoidal(size_t tokens, size_t d, double *x)
{
    for (size_t column = 0; column < d; column++) {
        /* A sine and the cosine after it share one wavelength. */
        size_t even = column - column % 2;
        double wavelength = pow(10000.0, (double)even / (double)d);
        for (size_t token = 0; token < tokens; token++) {
            double angle = (double)token / wavelength;
            x[token * d + column] += column == even ? sin(angle) : cos(angle);
        }
    }
}
