/* SPDX-License-Identifier: MIT */
/* What the guide says of this sweep's formula, guards and measures. */
#ifndef REPORT_DEFINITIONS_H
#define REPORT_DEFINITIONS_H

#include "report/scope.h"
#include "report/sections.h"

/* From tokens to weights in words and formulas, with the options that some run uses. */
void formula_append(const struct sections *sections);

/* The guards' table and what they act on; nothing without queries and keys. */
void formula_append_guards(const struct sections *sections);

/* A line for each measure that the report shows. */
void definitions_append(const struct sections *sections);

#endif
