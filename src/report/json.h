/* SPDX-License-Identifier: MIT */
/* JSON as the panel and the exports write it: strings that are inert in an HTML page, numbers that
 * read back as they were. The caller writes brackets and commas. */
#ifndef REPORT_JSON_H
#define REPORT_JSON_H

#include "base/text.h"

/* A string with its quotes; NULL is null. <, >, & and U+2028, U+2029 are spelled \uXXXX, so that it
 * can stand in a script element, and bytes that are not UTF-8 become U+FFFD. */
void json_append_string(struct text *out, const char *value);

/* The shortest decimal that reads back as `value`; null for NaN and infinities. */
void json_append_number(struct text *out, double value);

/* The name of a member and its colon, with a comma in front unless it is the first: *first is true
 * before the first member of an object and false from then on. */
void json_append_name(struct text *out, bool *first, const char *name);

#endif
