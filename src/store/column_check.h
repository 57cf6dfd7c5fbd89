/* SPDX-License-Identifier: MIT */
/* Whether columns and tables of texts read back as they were written. */
#ifndef STORE_COLUMN_CHECK_H
#define STORE_COLUMN_CHECK_H

#include "store/column_read.h"
#include "store/column_write.h"

/* `room` holds as many numbers of eight bytes as the column. */
bool column_check(const struct column_source *from, const struct column *column, void *room,
                  struct error *err) MUST_CHECK;

/* `second` is the name of the column of their second parts, or NULL. */
bool column_check_table(const struct column_source *from, const char *name, const char *second,
                        const struct texts *texts, struct error *err) MUST_CHECK;

#endif
