/* SPDX-License-Identifier: MIT */
/* Positional encoding, added to the input in place. */
#ifndef ATTENTION_POSITION_H
#define ATTENTION_POSITION_H

#include <stddef.h>

/* PE(p, 2i) = sin(p / 10000^(2i/d)), PE(p, 2i+1) = cos(the same); Vaswani et al. 2017, section 3.5.
 * x is rows `first` and on, (tokens, d); positions count from 0; an odd d ends on a sine. */
void position_add_sinusoidal(size_t first, size_t tokens, size_t d, double *x);

#endif
