/* SPDX-License-Identifier: MIT */
/* What the search for counter-examples finds on the ways to make weights, and a printed table that
 * it refutes. */
#ifndef REPORT_WEIGHT_PROPERTIES_H
#define REPORT_WEIGHT_PROPERTIES_H

#include "attention/properties.h"
#include "report/sections.h"

/* The alternatives that the report shows; which says each one of them. */
struct weight_properties {
    bool shown[WEIGHTS_COUNT];
    struct property_finding findings[WEIGHTS_COUNT][PROPERTY_COUNT]; /* of all alternatives */
};

/* False when the runs know no alternative but softmax. All nine are shown when the runs have more
 * than four. */
bool weight_properties_find(const struct summary *summary, struct weight_properties *out);

/* "(0, −1)". */
void weight_properties_append_row(struct text *out, const double *numbers, size_t count);

/* "(0, −1) gives (0, 1)": what refutes a property, as a clause. */
void weight_properties_append_proof(struct text *out, enum property property,
                                    const struct property_finding *finding);

/* The cells of a printed table that do not hold, with proof; nothing when softmax and rivals that
 * the table does not have are all that is shown. */
void weight_errata_append(struct text *out, const struct weight_properties *properties);

#endif
