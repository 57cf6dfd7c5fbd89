/* SPDX-License-Identifier: MIT */
/* Writing Markdown from texts that may hold anything. */
#ifndef REPORT_MARKDOWN_H
#define REPORT_MARKDOWN_H

#include "base/text.h"

/* Appends any text so that it prints as it is, also inside a table: what Markdown or HTML would
 * read is escaped, line breaks become blanks, control bytes and broken UTF-8 become '?'. */
void markdown_text(struct text *out, const char *any);

/* The same, cut to `limit` characters with an ellipsis. */
void markdown_text_cut(struct text *out, const char *any, size_t limit);

/* Appends a fenced block; the fence is longer than any in the body. Line breaks stay. */
void markdown_block(struct text *out, const char *language, const char *body, size_t limit);

/* A table: the head with its ruler (columns from `numbers` on are right-aligned), then cells. */
void markdown_table(struct text *out, const char *const *heads, size_t count, size_t numbers);

#endif
