/* SPDX-License-Identifier: MIT */
/* Field values to and from text, and runs as a whole; declared in fields.h. */
#include "run/fields.h"
#include "run/score_rows.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const struct field *find(const struct field *fields, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(fields[i].name, name) == 0) {
            return &fields[i];
        }
    }
    return NULL;
}

const struct field *run_field_find(const char *name)
{
    return find(run_fields, RUN_FIELD_COUNT, name);
}

const struct field *measurement_field_find(const char *name)
{
    return find(measurement_fields, MEASUREMENT_FIELD_COUNT, name);
}

enum run_field run_field_index(const struct field *field)
{
    return (enum run_field)(field - run_fields);
}

bool run_field_names_file(enum run_field field, const char *text)
{
    size_t length = strlen(text);
    bool plain = length > 4 && strcmp(text + length - 4, ".txt") == 0;
    bool packed = length > 3 && strcmp(text + length - 3, ".gz") == 0;
    return run_fields[field].kind == FIELD_PATH &&
           (field != RUN_CORPUS || plain || packed || strchr(text, '/') != NULL);
}

const char *run_field_nearest(const char *name)
{
    const char *names[RUN_FIELD_COUNT];
    for (size_t i = 0; i < RUN_FIELD_COUNT; i++) {
        names[i] = run_fields[i].name;
    }
    return text_nearest(name, names, RUN_FIELD_COUNT);
}

const char *measurement_field_nearest(const char *name)
{
    const char *names[MEASUREMENT_FIELD_COUNT];
    for (size_t i = 0; i < MEASUREMENT_FIELD_COUNT; i++) {
        names[i] = measurement_fields[i].name;
    }
    return text_nearest(name, names, MEASUREMENT_FIELD_COUNT);
}

_Static_assert(MEASUREMENT_FIELD_COUNT < 64, "a measure is a bit of a mask");
_Static_assert(RUN_FIELD_COUNT < 64, "a field is a bit of a mask");

uint64_t measurement_fields_all(void)
{
    return (UINT64_C(1) << MEASUREMENT_FIELD_COUNT) - 1;
}

uint64_t measurement_fields_always(void)
{
    uint64_t always = UINT64_C(1) << MEASURE_ROW_MAX_MEAN;
    for (size_t i = 0; i < MEASUREMENT_FIELD_COUNT; i++) {
        always |= measurement_fields[i].kind == FIELD_INTEGER ? UINT64_C(1) << i : 0;
    }
    return always;
}

void measurement_blank(struct measurement *measurement, uint64_t measures)
{
    const double undefined = (double)NAN;
    for (; measures != 0; measures &= measures - 1) {
        const struct field *field = &measurement_fields[__builtin_ctzll(measures)];
        char *value = (char *)measurement + field->offset;
        if (field->kind == FIELD_REAL) {
            memcpy(value, &undefined, sizeof undefined);
        } else {
            memset(value, 0, sizeof(int64_t));
        }
    }
}

static void *member(struct run *run, const struct field *field)
{
    return (char *)run + field->offset;
}

static const void *const_member(const void *base, const struct field *field)
{
    return (const char *)base + field->offset;
}

static bool complain(struct arena *arena, const char **why, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static bool complain(struct arena *arena, const char **why, const char *format, ...)
{
    char clause[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(clause, sizeof clause, format, arguments);
    va_end(arguments);
    struct error ignored = ERROR_INIT;
    *why = arena_copy_text(arena, clause, &ignored);
    if (*why == NULL) {
        *why = "does not fit the field, and memory is short";
    }
    return false;
}

/* Why a text is not an integer, with the spelling that would be one where that is clear. */
static bool complain_integer(const char *value, struct arena *arena, const char **why)
{
    double real;
    const char *digits = value + strspn(value, "+-");
    if (strchr(value, '_') != NULL) {
        return complain(arena, why, "'%s' is not a decimal integer (no '_' in numbers)", value);
    }
    if (digits[0] == '0' && digits[strspn(digits, "0123456789")] == '\0') {
        const char *stripped = digits + strspn(digits, "0");
        return complain(arena, why, "'%s' has a leading zero; write %s%s", value,
                        value[0] == '-' ? "-" : "", *stripped == '\0' ? "0" : stripped);
    }
    if (digits[0] != '\0' && digits[strspn(digits, "0123456789")] == '\0') {
        return complain(arena, why, "'%s' is out of the range of integers", value);
    }
    if (text_to_real(value, &real)) {
        return complain(arena, why, "'%s' is not an integer in decimal digits", value);
    }
    return complain(arena, why, "'%s' is not a decimal integer", value);
}

static bool check_range(const struct field *field, double number, const char *value,
                        struct arena *arena, const char **why)
{
    if (number >= field->minimum && number <= field->maximum) {
        return true;
    }
    char range[2 * TEXT_REAL_SIZE + 8];
    char low[TEXT_REAL_SIZE];
    char high[TEXT_REAL_SIZE];
    snprintf(range, sizeof range, "%s to %s", text_from_real(field->minimum, low),
             text_from_real(field->maximum, high));
    return complain(arena, why, "'%s' is out of range; allowed is %s", value, range);
}

static bool set_integer(int64_t *out, const struct field *field, const char *value,
                        struct arena *arena, const char **why)
{
    int64_t number;
    if (!text_to_integer(value, &number)) {
        return complain_integer(value, arena, why);
    }
    if (!check_range(field, (double)number, value, arena, why)) {
        return false;
    }
    *out = number;
    return true;
}

static bool set_real(double *out, const struct field *field, const char *value, struct arena *arena,
                     const char **why)
{
    double number;
    if (!text_to_real(value, &number)) {
        return complain(arena, why, "'%s' is not a finite decimal number%s", value,
                        strchr(value, '_') != NULL ? " (no '_' in numbers)" : "");
    }
    if (!check_range(field, number, value, arena, why)) {
        return false;
    }
    *out = number;
    return true;
}

static bool set_switch(bool *out, const char *value, struct arena *arena, const char **why)
{
    static const char *const words[] = {"off", "on", "false", "true", "no", "yes"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        size_t at = 0;
        while (words[i][at] != '\0' && (value[at] | 0x20) == words[i][at]) {
            at++;
        }
        if (words[i][at] == '\0' && value[at] == '\0') {
            *out = i % 2 == 1;
            return true;
        }
    }
    return complain(arena, why, "'%s' is not a switch; write on or off", value);
}

static bool set_choice(int *out, const struct field *field, const char *value, struct arena *arena,
                       const char **why)
{
    struct text list = TEXT_INIT(arena);
    size_t count = 0;
    for (; field->choices[count] != NULL; count++) {
        if (strcmp(field->choices[count], value) == 0) {
            *out = (int)count;
            return true;
        }
        text_append_format(&list, "%s%s", count == 0 ? "" : ", ", field->choices[count]);
    }
    struct error ignored = ERROR_INIT;
    const char *all = text_finish(&list, &ignored);
    return complain(arena, why, "'%s' is not one of: %s", value, all == NULL ? "?" : all);
}

static bool set_rows(const char **out, const char *value, struct arena *arena, const char **why)
{
    struct score_rows rows;
    struct error reason = ERROR_INIT;
    const char *spelled = score_rows_parse(value, arena, &rows, &reason)
                              ? score_rows_text(&rows, arena, &reason)
                              : NULL;
    if (spelled == NULL) {
        return complain(arena, why, "%s", reason.message);
    }
    *out = spelled;
    return true;
}

bool run_set(struct run *run, enum run_field index, const char *value, struct arena *arena,
             const char **why)
{
    const struct field *field = &run_fields[index];
    bool good = true;
    switch (field->kind) {
    case FIELD_INTEGER:
        good = set_integer(member(run, field), field, value, arena, why);
        break;
    case FIELD_REAL:
        good = set_real(member(run, field), field, value, arena, why);
        break;
    case FIELD_SWITCH:
        good = set_switch(member(run, field), value, arena, why);
        break;
    case FIELD_CHOICE:
        good = set_choice(member(run, field), field, value, arena, why);
        break;
    case FIELD_ROWS:
        good = set_rows(member(run, field), value, arena, why);
        break;
    case FIELD_TEXT:
    case FIELD_PATH:
        *(const char **)member(run, field) = value;
        break;
    }
    run->given |= good ? UINT64_C(1) << index : 0;
    return good;
}

/* Copies one field's value, its digest included, from one run to another. */
static void copy_field(struct run *to, const struct run *from, const struct field *field)
{
    memcpy(member(to, field), const_member(from, field), field_size(field->kind));
    if (field->kind == FIELD_PATH) {
        const char *digest;
        memcpy(&digest, (const char *)from + field->digest, sizeof digest);
        memcpy((char *)to + field->digest, &digest, sizeof digest);
    }
}

/* Defaults that hold for one source or learner only, in place of those of the field table. */
static const struct {
    int source, learner; /* -1: any learner */
    enum run_field field;
    const char *fallback;
} special_defaults[] = {
    {SOURCE_ARRAYS, -1, RUN_POSITION, "none"}, /* X as a model's layer read it holds positions */
    {SOURCE_CORPUS, LEARNER_GLOVE, RUN_WINDOW, "15"},
    {SOURCE_CORPUS, LEARNER_GLOVE, RUN_EPOCHS, "25"},
    {SOURCE_CORPUS, LEARNER_GLOVE, RUN_LEARNING_RATE, "0.05"},
};

enum { SPECIAL_DEFAULTS = sizeof special_defaults / sizeof special_defaults[0] };

static bool is_special_for(const struct run *run, size_t i)
{
    int learner = special_defaults[i].learner;
    return special_defaults[i].source == run->source && (learner < 0 || learner == run->learner);
}

bool run_has_own_defaults(const struct run *run)
{
    size_t i = 0;
    while (i < SPECIAL_DEFAULTS && !is_special_for(run, i)) {
        i++;
    }
    return i < SPECIAL_DEFAULTS;
}

/* Sets a field from a text of the tables, which fits. */
static void set_fallback(struct run *run, enum run_field field, const char *fallback)
{
    struct arena arena = {NULL};
    const char *why = "";
    bool good = run_set(run, field, fallback, &arena, &why);
    assert(good);
    (void)good;
    arena_release(&arena);
}

struct run run_default(void)
{
    struct run run;
    memset(&run, 0, sizeof run);
    for (int i = 0; i < RUN_FIELD_COUNT; i++) {
        if (run_fields[i].fallback != NULL) {
            set_fallback(&run, (enum run_field)i, run_fields[i].fallback);
        }
    }
    run.given = 0;
    return run;
}

struct run run_default_beside(const struct run *run)
{
    struct run plain = run_default();
    for (size_t i = 0; i < SPECIAL_DEFAULTS; i++) {
        if (is_special_for(run, i)) {
            set_fallback(&plain, special_defaults[i].field, special_defaults[i].fallback);
        }
    }
    plain.given = 0;
    return plain;
}

bool run_field_applies_to(int source, int learner, enum run_field field)
{
    unsigned learners = source == SOURCE_CORPUS ? run_fields[field].learners : 0;
    return (run_fields[field].sources & 1U << source) != 0 &&
           (learners == 0 || (learners & 1U << learner) != 0);
}

bool run_field_applies(const struct run *run, enum run_field field)
{
    return run_field_applies_to(run->source, run->learner, field);
}

void run_defaults_follow(struct run_defaults *last, const struct run *run)
{
    if (!last->known) {
        last->common = run_default();
    }
    if (!last->known || last->source != run->source || last->learner != run->learner) {
        last->plain = run_default_beside(run);
        last->source = run->source;
        last->learner = run->learner;
        last->known = true;
    }
}

void run_normalise(struct run *run)
{
    struct run_defaults last = {.known = false};
    run_normalise_like(run, &last);
}

void run_normalise_like(struct run *run, struct run_defaults *last)
{
    run_defaults_follow(last, run);
    for (int i = 0; i < RUN_FIELD_COUNT; i++) {
        const struct field *field = &run_fields[i];
        bool given = (run->given >> i & 1) != 0;
        bool special = !field_value_equal(field, &last->common, &last->plain);
        if (!run_field_applies(run, (enum run_field)i) || (special && !given)) {
            copy_field(run, &last->plain, field);
            run->given &= ~(UINT64_C(1) << i);
        }
    }
    if (run->weights_as_given && run->w_q != NULL) {
        /* The guard would scale a draw, and there is none. */
        run->guard_init = false;
    }
}

const char *field_member_text(const struct field *field, const void *at, char out[FIELD_VALUE_SIZE])
{
    const char *text;
    switch (field->kind) {
    case FIELD_INTEGER:
        snprintf(out, FIELD_VALUE_SIZE, "%" PRId64, *(const int64_t *)at);
        return out;
    case FIELD_REAL:
        return text_from_real(*(const double *)at, out);
    case FIELD_SWITCH:
        return *(const bool *)at ? "on" : "off";
    case FIELD_CHOICE:
        return field->choices[*(const int *)at];
    case FIELD_TEXT:
    case FIELD_ROWS:
    case FIELD_PATH:
        text = *(const char *const *)at;
        return text == NULL ? "" : text;
    }
    return "";
}

double field_member_number(const struct field *field, const void *at)
{
    switch (field->kind) {
    case FIELD_INTEGER:
        return (double)*(const int64_t *)at;
    case FIELD_REAL:
        return *(const double *)at;
    case FIELD_SWITCH:
        return *(const bool *)at ? 1 : 0;
    case FIELD_CHOICE:
        return *(const int *)at;
    case FIELD_TEXT:
    case FIELD_ROWS:
    case FIELD_PATH:
        break;
    }
    return (double)NAN;
}

bool field_member_equal(const struct field *field, const void *a, const void *b)
{
    if (field_is_text(field)) {
        const char *x = *(const char *const *)a;
        const char *y = *(const char *const *)b;
        return x == y || (x != NULL && y != NULL && strcmp(x, y) == 0);
    }
    if (field->kind == FIELD_INTEGER) {
        return *(const int64_t *)a == *(const int64_t *)b;
    }
    double x = field_member_number(field, a);
    double y = field_member_number(field, b);
    return x == y || (isnan(x) && isnan(y));
}

const char *field_value_text(const struct field *field, const void *base,
                             char out[FIELD_VALUE_SIZE])
{
    return field_member_text(field, const_member(base, field), out);
}

double field_value_number(const struct field *field, const void *base)
{
    return field_member_number(field, const_member(base, field));
}

bool field_value_equal(const struct field *field, const void *a, const void *b)
{
    return field_member_equal(field, const_member(a, field), const_member(b, field));
}
