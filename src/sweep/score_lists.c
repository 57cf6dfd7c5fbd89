/* SPDX-License-Identifier: MIT */
/* Scores given in a sweep: a list of numbers is a row, a list of rows is one value, and a list of
 * such values is an axis. */
#include "sweep/sweep_internal.h"

#include "run/score_rows.h"

#include <string.h>

static bool is_list(const struct node *node)
{
    return node != NULL && node->kind == NODE_LIST;
}

static bool refuse(struct reader *reader, struct setting *setting, const struct node *node,
                   const char *what)
{
    problems_add(&reader->problems, node->place, "%s: %s", setting->name, what);
    setting->broken = true;
    return false;
}

/* One number where it stands, so that what is wrong with it is told there. */
static bool append_number(struct reader *reader, struct setting *setting, const struct node *node,
                          struct text *text)
{
    struct score_rows rows;
    struct error why = ERROR_INIT;
    const char *number = scalar_text(reader, node, setting->name);
    if (number == NULL) {
        setting->broken = true;
        return false;
    }
    if (!node->plain) {
        return refuse(reader, setting, node,
                      "a number in quotes is a text; write it without quotes");
    }
    if (!score_rows_parse(number, reader->arena, &rows, &why)) {
        return refuse(reader, setting, node, why.message);
    }
    if (rows.rows * rows.columns != 1) {
        return refuse(reader, setting, node,
                      "one number wanted; numbers of a list are parted by "
                      "commas");
    }
    text_append(text, number);
    return true;
}

static bool append_row(struct reader *reader, struct setting *setting, const struct node *row,
                       struct text *text)
{
    bool good = row->count > 0 || refuse(reader, setting, row, "a row of scores is empty");
    for (const struct node *item = row->first; item != NULL; item = item->next) {
        text_append(text, item == row->first ? "" : ",");
        good = append_number(reader, setting, item, text) && good;
    }
    return good;
}

/* One value: a row, or a list of rows. */
static void read_rows(struct reader *reader, struct setting *setting, const struct node *node)
{
    struct text text = TEXT_INIT(reader->arena);
    bool good = true;
    if (!is_list(node->first)) {
        good = append_row(reader, setting, node, &text);
    }
    for (const struct node *row = node->first; is_list(node->first) && row != NULL;
         row = row->next) {
        text_append(&text, row == node->first ? "" : ";");
        good = (is_list(row) ? append_row(reader, setting, row, &text)
                             : refuse(reader, setting, row,
                                      "a row wanted, such as [2, 1, 0.1], as the first is one")) &&
               good;
    }
    const char *all = text_finish(&text, reader->err);
    if (all != NULL && good) {
        setting_add_text(reader, setting, all, node->place);
    }
}

void score_lists_read(struct reader *reader, struct setting *setting, const struct node *node,
                      enum setting_use use)
{
    bool several = is_list(node->first) && is_list(node->first->first);
    if (!several) {
        read_rows(reader, setting, node);
    } else if (use == SETTING_FIXED) {
        refuse(reader, setting, node,
               "one value wanted, a row or a list of rows; several make an axis, which belongs "
               "under 'grid'");
    }
    for (const struct node *value = node->first; several && use != SETTING_FIXED && value != NULL;
         value = value->next) {
        if (is_list(value)) {
            read_rows(reader, setting, value);
        } else {
            refuse(reader, setting, value, "a list of rows wanted, as the first is one");
        }
    }
}
