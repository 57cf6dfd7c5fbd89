/* SPDX-License-Identifier: MIT */
/* Texts of any bytes inside JSON, XML and the log commands of GitHub. Bytes that are not UTF-8
 * become U+FFFD, so that the strictest reader takes the result. */
#ifndef BASE_ESCAPE_H
#define BASE_ESCAPE_H

#include "base/text.h"

/* A JSON string with its quotes. */
void escape_json(struct text *text, const char *value);

/* The same with <, >, & and the line ends of JavaScript spelled out, so that the string can stand
 * in a script element of an HTML page, whatever it holds. */
void escape_json_script(struct text *text, const char *value);

/* A JSON number; null for NaN and infinities, which JSON has no word for. */
void escape_json_number(struct text *text, double value);

/* Content of an XML 1.0 element or of an attribute in double quotes. Characters that XML has no way
 * to write, as ESC, are U+FFFD too. */
void escape_xml(struct text *text, const char *value);

/* What follows `::` in a log command, or with `property` the value of one of its properties. */
void escape_github(struct text *text, const char *value, bool property);

#endif
