/* SPDX-License-Identifier: MIT */
/* Between the search for counter-examples and the judge of them. */
#ifndef ATTENTION_PROPERTIES_INTERNAL_H
#define ATTENTION_PROPERTIES_INTERNAL_H

#include "attention/properties.h"

/* What is asked: does this alternative have this property? */
struct question {
    enum run_weights weights;
    enum property property;
};

/* A row that may answer no. */
struct candidate {
    size_t keys;
    double scores[PROPERTY_KEYS];
    double constant; /* of the two invariances */
};

/* Whether the row shows that the answer is no, by the rules in properties.h. */
bool judge_refutes(const struct question *question, const struct candidate *row);

/* The weights of the row, and of the shifted or scaled row for the invariances, else again those of
 * the row. False when the row has no weights. */
bool judge_weights(const struct question *question, const struct candidate *row,
                   double weights[PROPERTY_KEYS], double changed[PROPERTY_KEYS]);

#endif
