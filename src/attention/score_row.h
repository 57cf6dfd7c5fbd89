/* SPDX-License-Identifier: MIT */
/* From a row of products q·k to the scores that enter the weights: scale, cap, mask. */
#ifndef ATTENTION_SCORE_ROW_H
#define ATTENTION_SCORE_ROW_H

#include <stdbool.h>
#include <stddef.h>

struct score_rule {
    double factor; /* of the products; that of the score guard included */
    bool log_keys; /* times ln(keys that the row sees): Chiang and Cholak 2022, Nakanishi 2025 */
    double cap;    /* scores become cap tanh(score / cap); 0 for none */
    bool causal;
    bool given; /* the products are given scores, and -infinity is a masked key */
};

/* How many keys row i of `queries` sees: all `keys`, or under the causal mask those up to its own
 * place, the last query standing at the last key. They are the first ones. */
size_t score_row_visible(const struct score_rule *rule, size_t queries, size_t keys, size_t i);

/* The factor of a row that sees `visible` keys. */
double score_row_factor(const struct score_rule *rule, size_t visible);

/* Scales and caps `visible` products in place; a masked key stays -infinity. Where the rule has a
 * cap, `slopes` receives d(score)/d(scaled product) = 1 / cosh^2, which underflows to 0 only far
 * beyond the cap. */
void score_row_apply(const struct score_rule *rule, size_t visible, double *scores, double *slopes);

#endif
