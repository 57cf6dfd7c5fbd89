/* SPDX-License-Identifier: MIT */
/* See fingerprint.h. The arguments are exact on every machine; what is made of them need not be. */
#include "numeric/fingerprint.h"

#include "base/hash.h"
#include "numeric/product.h"

#include <math.h>
#include <string.h>

/* Multiples of 2^-32 in [-1, 1): Weyl's sequence in integers. */
static double fraction(uint32_t place)
{
    uint32_t bits = (place + 1) * UINT32_C(2654435769);
    return ((double)bits - 0x1p31) * 0x1p-31;
}

void fingerprint_take(struct fingerprint *out)
{
    for (uint32_t i = 0; i < FINGERPRINT_ARGUMENTS; i++) {
        double x = 20 * fraction(i);
        out->arguments[i] = x;
        out->functions[0][i] = exp(x);
        out->functions[1][i] = log(fabs(x));
        out->functions[2][i] = cos(x);
        out->functions[3][i] = tanh(x / 8);
    }
    for (uint32_t i = 0; i < FINGERPRINT_ROWS * FINGERPRINT_INNER; i++) {
        out->left[i] = fraction(1000 + i);
    }
    for (uint32_t i = 0; i < FINGERPRINT_INNER * FINGERPRINT_COLUMNS; i++) {
        out->right[i] = fraction(5000 + i);
    }
    product_multiply(FINGERPRINT_ROWS, FINGERPRINT_INNER, FINGERPRINT_COLUMNS, out->left,
                     out->right, out->product);
}

uint64_t fingerprint_hash(const struct fingerprint *fingerprint)
{
    unsigned char bytes[sizeof fingerprint->functions + sizeof fingerprint->product];
    memcpy(bytes, fingerprint->functions, sizeof fingerprint->functions);
    memcpy(bytes + sizeof fingerprint->functions, fingerprint->product,
           sizeof fingerprint->product);
    return hash_short(bytes, sizeof bytes);
}
