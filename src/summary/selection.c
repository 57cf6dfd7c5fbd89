/* SPDX-License-Identifier: MIT */
/* See selection.h. */
#include "summary/selection.h"

#include <math.h>
#include <string.h>

/* What a condition may name beside the fields of a run. */
enum { FIELD_GUARDS = RUN_FIELD_COUNT, FIELD_STATUS };

struct condition {
    int field;
    struct run sample; /* holds the value of a field of a run */
    int number;        /* of guards a mask, of the status an enum result_status */
};

const char *selection_status(int status)
{
    return status == RESULT_OK ? "ok" : "failed";
}

double selection_measure(const struct result_set *set, const struct result *row,
                         enum measurement_field measure)
{
    const struct field *field = &measurement_fields[measure];
    double value = field_value_number(field, &row->measurement);
    bool lacking = (set->lacking >> measure & 1) != 0;
    bool not_reached = row->status != RESULT_OK && field->kind == FIELD_INTEGER && value == 0;
    return lacking || not_reached ? (double)NAN : value;
}

static bool refuse_field(const char *name, struct error *err)
{
    const char *nearest = run_field_nearest(name);
    if (nearest == NULL) {
        return error_set(err, ERROR_USAGE,
                         "--where %s: no such field of a run; see 'rowmax fields'", name);
    }
    return error_set(err, ERROR_USAGE, "--where %s: no such field of a run; did you mean '%s'?",
                     name, nearest);
}

static bool read_value(const char *name, const char *value, struct arena *arena,
                       struct condition *out, struct error *err)
{
    const char *why = "it is neither ok nor failed";
    unsigned mask = 0;
    if (strcmp(name, "guards") == 0) {
        out->field = FIELD_GUARDS;
        why = "write none, or init, scale and norm joined by '+'";
        if (run_guards_parse(value, &mask)) {
            out->number = (int)mask;
            return true;
        }
    } else if (strcmp(name, "status") == 0) {
        out->field = FIELD_STATUS;
        out->number = strcmp(value, "ok") == 0 ? RESULT_OK : RESULT_FAILED;
        if (strcmp(value, selection_status(out->number)) == 0) {
            return true;
        }
    } else {
        const struct field *field = run_field_find(name);
        if (field == NULL) {
            return refuse_field(name, err);
        }
        out->field = (int)run_field_index(field);
        if (run_set(&out->sample, run_field_index(field), value, arena, &why)) {
            return true;
        }
    }
    return error_set(err, ERROR_USAGE, "--where %s=%s: %s", name, value, why);
}

static bool read_condition(const char *text, struct arena *arena, struct condition *out,
                           struct error *err)
{
    const char *equals = strchr(text, '=');
    if (equals == NULL || equals == text) {
        return error_set(err, ERROR_USAGE, "--where %s: write FIELD=VALUE, as in d_model=64", text);
    }
    const char *name = arena_copy_bytes(arena, text, (size_t)(equals - text), err);
    return name != NULL && read_value(name, equals + 1, arena, out, err);
}

static bool meets(const struct result *row, const struct condition *condition)
{
    if (condition->field == FIELD_STATUS) {
        return row->status == condition->number;
    }
    const struct run *run = &row->run;
    if (condition->field == FIELD_GUARDS) {
        return run_field_applies(run, RUN_GUARD_INIT) &&
               run_guards_mask(run) == (unsigned)condition->number;
    }
    return run_field_applies(run, (enum run_field)condition->field) &&
           field_value_equal(&run_fields[condition->field], run, &condition->sample);
}

/* Whether the row meets one of the conditions on each field that they name. */
static bool meets_all(const struct result *row, const struct condition *conditions, size_t count)
{
    bool good = true;
    for (size_t i = 0; good && i < count; i++) {
        bool any = false;
        for (size_t j = 0; !any && j < count; j++) {
            any = conditions[j].field == conditions[i].field && meets(row, &conditions[j]);
        }
        good = any;
    }
    return good;
}

static bool refuse_nothing(const struct result_set *set, const char *const *conditions,
                           size_t count, struct error *err)
{
    if (count == 0) {
        return error_set(err, ERROR_INPUT, "the results of '%s' hold no run of its sweep",
                         set->name);
    }
    if (count == 1) {
        return error_set(err, ERROR_INPUT,
                         "no run meets --where '%s'; 'rowmax show' lists what there is",
                         conditions[0]);
    }
    return error_set(err, ERROR_INPUT,
                     "no run meets all %zu conditions of --where; 'rowmax show' lists what there "
                     "is",
                     count);
}

bool selection_make(const struct result_set *set, const char *const *conditions, size_t count,
                    struct arena *arena, struct selection *out, struct error *err)
{
    struct condition *read = arena_alloc(arena, count, sizeof *read, err);
    uint32_t *rows = arena_alloc(arena, set->count, sizeof *rows, err);
    if (read == NULL || rows == NULL) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        if (!read_condition(conditions[i], arena, &read[i], err)) {
            return false;
        }
    }
    *out = (struct selection){.set = set, .rows = rows};
    for (size_t i = 0; i < set->count; i++) {
        bool planned = result_index(set, i) >= 0;
        struct result space;
        out->outside += planned ? 0 : 1;
        if (planned && (count == 0 || meets_all(result_row(set, i, &space), read, count))) {
            rows[out->count++] = (uint32_t)i;
        }
    }
    return out->count > 0 || refuse_nothing(set, conditions, count, err);
}
