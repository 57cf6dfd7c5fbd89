/* SPDX-License-Identifier: MIT */
/* In which fields two sweeps differ, by the runs that their files hold; see contrasts.h. */
#include "report/contrasts.h"

#include "base/order.h"
#include "report/gnuplot.h"
#include "summary/summary.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    VALUES_NAMED = 8,
    VALUE_LIMIT = 60,         /* characters */
    VALUES_COMPARED = 2000000 /* pairs of values; longer axes are told by their length */
};

/* The values of a field in one file. */
struct field_values {
    const struct summary_axis *axis; /* NULL: one value at most */
    const struct run *single;        /* a run that has it; NULL: none */
};

struct contrasting {
    const struct report_side *sides;
    struct summary summaries[2]; /* of all planned runs */
    struct arena *arena;
    struct error *err;
    struct contrast *items;
    size_t count;
};

static struct field_values values_of(const struct summary *summary, int field)
{
    struct field_values values = {summary_axis_find(summary, field), NULL};
    for (size_t g = 0; g < summary->group_count && values.single == NULL; g++) {
        const struct run *run = summary->groups[g].sample;
        bool applies = field == AXIS_GUARDS || run_field_applies(run, (enum run_field)field);
        values.single = applies ? run : NULL;
    }
    return values;
}

static size_t values_count(const struct field_values *values)
{
    return values->axis != NULL ? values->axis->count : values->single != NULL;
}

static const char *value_text(const struct field_values *values, int field, size_t v,
                              char out[FIELD_VALUE_SIZE])
{
    if (values->axis != NULL) {
        return summary_axis_value(values->axis, v, out);
    }
    return field == AXIS_GUARDS ? run_guards_text(values->single)
                                : field_value_text(&run_fields[field], values->single, out);
}

static bool is_among(const struct field_values *values, int field, const char *wanted)
{
    for (size_t v = 0; v < values_count(values); v++) {
        char buffer[FIELD_VALUE_SIZE];
        if (strcmp(value_text(values, field, v, buffer), wanted) == 0) {
            return true;
        }
    }
    return false;
}

static void append_name(struct contrasting *contrasting, struct text *out, const char *value,
                        size_t named)
{
    const char *label = gnuplot_label(contrasting->arena, *value == '\0' ? "(not set)" : value,
                                      VALUE_LIMIT, contrasting->err);
    if (label == NULL) {
        out->failed = true;
        return;
    }
    text_append_format(out, "%s%s", named == 0 ? "" : ", ", label);
}

/* "64, 128 and 3 more": the values that the other file lacks. */
static const char *values_only(struct contrasting *contrasting, const struct field_values *own,
                               const struct field_values *other, int field)
{
    struct text out = TEXT_INIT(contrasting->arena);
    size_t found = 0;
    text_append(&out, "");
    for (size_t v = 0; v < values_count(own); v++) {
        char buffer[FIELD_VALUE_SIZE];
        const char *value = value_text(own, field, v, buffer);
        if (is_among(other, field, value)) {
            continue;
        }
        if (found < VALUES_NAMED) {
            append_name(contrasting, &out, value, found);
        }
        found++;
    }
    if (found > VALUES_NAMED) {
        text_append_format(&out, " and %zu more", found - VALUES_NAMED);
    }
    return text_finish(&out, contrasting->err);
}

static bool add(struct contrasting *contrasting, const char *name, const char *first,
                const char *second)
{
    if (first == NULL || second == NULL) {
        return false;
    }
    if (*first != '\0' || *second != '\0') {
        contrasting->items[contrasting->count++] = (struct contrast){name, {first, second}};
    }
    return true;
}

/* Defaults that follow a source or learner are not what tells sweeps apart. */
static bool is_given(const struct field_values *values, int field)
{
    if (values->axis != NULL || field == AXIS_GUARDS) {
        return true;
    }
    return values->single != NULL && (values->single->given >> field & 1) != 0;
}

static bool add_field(struct contrasting *contrasting, int field)
{
    struct field_values values[2];
    size_t counts[2];
    for (int side = 0; side < 2; side++) {
        values[side] = values_of(&contrasting->summaries[side], field);
        counts[side] = values_count(&values[side]);
    }
    if (counts[0] + counts[1] == 0 ||
        (!is_given(&values[0], field) && !is_given(&values[1], field))) {
        return true;
    }
    const char *name = field == AXIS_GUARDS ? "guards" : run_fields[field].name;
    if (counts[0] * counts[1] > VALUES_COMPARED) {
        return counts[0] == counts[1] ||
               add(contrasting, name,
                   arena_format(contrasting->arena, contrasting->err, "%zu values", counts[0]),
                   arena_format(contrasting->arena, contrasting->err, "%zu values", counts[1]));
    }
    return add(contrasting, name, values_only(contrasting, &values[0], &values[1], field),
               values_only(contrasting, &values[1], &values[0], field));
}

static bool holds(const int64_t *seeds, size_t count, int64_t wanted)
{
    return count > 0 && bsearch(&wanted, seeds, count, sizeof wanted, order_integers) != NULL;
}

/* "9–16, 20": the seeds that the other file lacks, as ranges. */
static const char *seeds_only(struct contrasting *contrasting, const int64_t *own, size_t count,
                              const int64_t *other, size_t other_count)
{
    struct text out = TEXT_INIT(contrasting->arena);
    size_t ranges = 0;
    text_append(&out, "");
    for (size_t i = 0; i < count; i++) {
        size_t last = i;
        if (holds(other, other_count, own[i])) {
            continue;
        }
        while (last + 1 < count && own[last + 1] == own[last] + 1 &&
               !holds(other, other_count, own[last + 1])) {
            last++;
        }
        if (ranges++ < VALUES_NAMED) {
            text_append_format(&out, "%s%" PRId64, ranges == 1 ? "" : ", ", own[i]);
            if (last > i) {
                text_append_format(&out, "–%" PRId64, own[last]);
            }
        }
        i = last;
    }
    text_append(&out, ranges > VALUES_NAMED ? ", …" : "");
    return text_finish(&out, contrasting->err);
}

static bool add_seeds(struct contrasting *contrasting)
{
    size_t counts[2];
    int64_t *seeds[2];
    for (int side = 0; side < 2; side++) {
        seeds[side] = result_seeds(contrasting->sides[side].set, contrasting->arena, &counts[side],
                                   contrasting->err);
        if (seeds[side] == NULL) {
            return false;
        }
    }
    return add(contrasting, "seed",
               seeds_only(contrasting, seeds[0], counts[0], seeds[1], counts[1]),
               seeds_only(contrasting, seeds[1], counts[1], seeds[0], counts[0]));
}

bool contrasts_find(const struct report_side sides[2], struct arena *arena, struct contrasts *out,
                    struct error *err)
{
    struct contrasting contrasting = {.sides = sides, .arena = arena, .err = err};
    contrasting.items = arena_alloc(arena, RUN_FIELD_COUNT + 1, sizeof *contrasting.items, err);
    if (contrasting.items == NULL ||
        !summary_make(sides[0].set, arena, &contrasting.summaries[0], err) ||
        !summary_make(sides[1].set, arena, &contrasting.summaries[1], err)) {
        return false;
    }
    bool good = true;
    for (int field = 0; good && field < RUN_FIELD_COUNT; field++) {
        if (field == RUN_SEED) {
            good = add_seeds(&contrasting);
        } else if (field == RUN_GUARD_INIT) {
            good = add_field(&contrasting, AXIS_GUARDS);
        } else if (!run_field_is_guard(field)) {
            good = add_field(&contrasting, field);
        }
    }
    *out = (struct contrasts){contrasting.count, contrasting.items};
    return good;
}

static void append_contrast(struct text *text, const struct contrast *contrast,
                            const char *const places[2])
{
    if (*contrast->only[0] != '\0' && *contrast->only[1] != '\0') {
        text_append_format(text, "%s is %s %s and %s %s", contrast->name, contrast->only[0],
                           places[0], contrast->only[1], places[1]);
    } else {
        int side = *contrast->only[0] != '\0' ? 0 : 1;
        text_append_format(text, "%s is %s %s only", contrast->name, contrast->only[side],
                           places[side]);
    }
}

void contrasts_append(struct text *text, const struct contrasts *contrasts,
                      const char *const places[2])
{
    enum { NAMED = 4 };
    for (size_t i = 0; i < contrasts->count && i < NAMED; i++) {
        text_append(text, i == 0 ? ": " : "; ");
        append_contrast(text, &contrasts->items[i], places);
    }
    if (contrasts->count > NAMED) {
        text_append_format(text, "; and %zu more fields differ", contrasts->count - NAMED);
    }
}
