/* SPDX-License-Identifier: MIT */
/* The part of a sweep that names the measures to store. */
#include "sweep/sweep_internal.h"

#include <string.h>

static void read_measure(struct reader *reader, const struct node *node, uint64_t *measures)
{
    struct problems *problems = &reader->problems;
    const char *text = scalar_text(reader, node, "measures");
    if (text == NULL) {
        return;
    }
    const struct field *field = measurement_field_find(text);
    if (field != NULL) {
        *measures |= UINT64_C(1) << (field - measurement_fields);
        return;
    }
    const char *nearest = problems_open(problems) ? measurement_field_nearest(text) : NULL;
    const char *shown = problems_shown(problems, text);
    if (run_field_find(text) != NULL) {
        problems_add(problems, node->place,
                     "measures: '%s' is a field, which is stored with every run; name measures "
                     "only",
                     shown);
    } else if (nearest != NULL) {
        problems_add(problems, node->place, "measures: no measure '%s'; did you mean '%s'?", shown,
                     nearest);
    } else {
        problems_add(problems, node->place, "measures: no measure '%s'; 'rowmax fields' lists them",
                     shown);
    }
}

void measures_read(struct reader *reader, const struct node *node)
{
    uint64_t measures = measurement_fields_always();
    if (node->kind == NODE_LIST && node->count == 0) {
        problems_add(&reader->problems, node->place, "measures: the list names no measure");
    }
    if (node->kind == NODE_SCALAR && node->plain && strcmp(node->text, "all") == 0) {
        reader->sweep->measures = measurement_fields_all();
        return;
    }
    const struct node *item = node->kind == NODE_LIST ? node->first : node;
    while (item != NULL) {
        read_measure(reader, item, &measures);
        item = item == node ? NULL : item->next;
    }
    reader->sweep->measures = measures;
}
