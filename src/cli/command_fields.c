/* SPDX-License-Identifier: MIT */
/* rowmax fields: the field table, as tab-separated lines. */
#include "cli/cli_internal.h"
#include "run/fields.h"

#include <stdio.h>

static const char *kind_name(enum field_kind kind)
{
    static const char *const names[] = {
        [FIELD_INTEGER] = "integer", [FIELD_REAL] = "number", [FIELD_SWITCH] = "on/off",
        [FIELD_CHOICE] = "choice",   [FIELD_TEXT] = "text",   [FIELD_ROWS] = "rows",
        [FIELD_PATH] = "path"};
    return names[kind];
}

static void print_values(const struct field *field)
{
    char low[TEXT_REAL_SIZE];
    char high[TEXT_REAL_SIZE];
    if (field->kind == FIELD_CHOICE) {
        for (size_t i = 0; field->choices[i] != NULL; i++) {
            printf("%s%s", i == 0 ? "" : "|", field->choices[i]);
        }
    } else if (field->kind == FIELD_INTEGER || field->kind == FIELD_REAL) {
        printf("%s..%s", text_from_real(field->minimum, low), text_from_real(field->maximum, high));
    } else {
        printf("%s", field->kind == FIELD_SWITCH ? "on|off" : "-");
    }
}

bool command_fields(const struct options *options, struct arena *arena, struct error *err)
{
    (void)options;
    (void)arena;
    (void)err;
    printf("field\trole\ttype\tvalues\tdefault\tunit\tmeaning\n");
    for (size_t i = 0; i < RUN_FIELD_COUNT; i++) {
        const struct field *field = &run_fields[i];
        printf("%s\tset\t%s\t", field->name, kind_name(field->kind));
        print_values(field);
        printf("\t%s\t%s\t%s\n", field->fallback == NULL ? "-" : field->fallback,
               field->unit[0] == '\0' ? "-" : field->unit, field->help);
    }
    for (size_t i = 0; i < MEASUREMENT_FIELD_COUNT; i++) {
        const struct field *field = &measurement_fields[i];
        printf("%s\tmeasured\t%s\t-\t-\t%s\t%s\n", field->name, kind_name(field->kind),
               field->unit[0] == '\0' ? "-" : field->unit, field->help);
    }
    return true;
}
