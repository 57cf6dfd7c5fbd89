/* SPDX-License-Identifier: MIT */
/* rowmax properties: which ways from scores to weights have which properties, and a counter-example
 * for every one that they lack. */
#include "attention/properties.h"
#include "attention/weights.h"
#include "base/text.h"
#include "cli/cli_internal.h"

#include <stdio.h>
#include <string.h>

typedef char *number_text(double value, char *out);

/* Weights for people; -0 is 0. */
static char *rounded(double value, char *out)
{
    snprintf(out, TEXT_REAL_SIZE, "%.4g", value + 0.0);
    return out;
}

static char *exact(double value, char *out)
{
    return text_from_real(value + 0.0, out);
}

static void print_row(char open, size_t n, const double *values, number_text *to_text, char close)
{
    putchar(open);
    for (size_t j = 0; j < n; j++) {
        char text[TEXT_REAL_SIZE];
        printf("%s%s", j == 0 ? "" : ", ", to_text(values[j], text));
    }
    putchar(close);
}

static void print_heading(void)
{
    printf("%-16s", "weights");
    for (size_t property = 0; property < PROPERTY_COUNT; property++) {
        printf("  %s", property_labels[property]);
    }
    printf("\n");
}

static void print_line(const char *name, const struct property_finding *findings)
{
    printf("%-16s", name);
    for (size_t property = 0; property < PROPERTY_COUNT; property++) {
        bool last = property + 1 == PROPERTY_COUNT;
        int width = last ? 0 : (int)strlen(property_labels[property]);
        printf("  %-*s", width, findings[property].holds ? "yes" : "no");
    }
    printf("\n");
}

/* "sum, not negative: (1, -2) gives (-1, 2)". */
static void print_counter_example(const char *name, enum property property,
                                  const struct property_finding *finding)
{
    printf("%s, %s: ", name, property_labels[property]);
    print_row('(', finding->keys, finding->scores, exact, ')');
    if (!finding->defined) {
        printf(" has no weights\n");
        return;
    }
    printf(" gives ");
    print_row('(', finding->keys, finding->weights, rounded, ')');
    if (property == PROPERTY_SHIFT_INVARIANT || property == PROPERTY_SCALE_INVARIANT) {
        char constant[TEXT_REAL_SIZE];
        bool shift = property == PROPERTY_SHIFT_INVARIANT;
        printf(", and %s %s ", shift ? "shifted by" : "times", exact(finding->constant, constant));
        print_row('(', finding->keys, finding->changed, rounded, ')');
    } else if (property == PROPERTY_DIFFERENTIABLE) {
        printf(", where slopes have no common limit");
    }
    printf("\n");
}

/* One object; what the finding does not have is null. */
static void print_object(const char *name, enum property property,
                         const struct property_finding *finding)
{
    printf("{\"weights\": \"%s\", \"property\": \"%s\", \"holds\": %s", name,
           property_names[property], finding->holds ? "true" : "false");
    bool invariance = property == PROPERTY_SHIFT_INVARIANT || property == PROPERTY_SCALE_INVARIANT;
    bool given = !finding->holds && finding->defined;
    printf(", \"scores\": ");
    if (finding->holds) {
        printf("null");
    } else {
        print_row('[', finding->keys, finding->scores, exact, ']');
    }
    printf(", \"gives\": ");
    if (given) {
        print_row('[', finding->keys, finding->weights, exact, ']');
    } else {
        printf("null");
    }
    char constant[TEXT_REAL_SIZE];
    printf(", \"constant\": %s, \"changed\": ",
           given && invariance ? exact(finding->constant, constant) : "null");
    if (given && invariance) {
        print_row('[', finding->keys, finding->changed, exact, ']');
    } else {
        printf("null");
    }
    printf("}");
}

static void print_json(size_t first, size_t end,
                       struct property_finding findings[WEIGHTS_COUNT][PROPERTY_COUNT])
{
    for (size_t i = first; i < end; i++) {
        for (size_t property = 0; property < PROPERTY_COUNT; property++) {
            printf("%s", i == first && property == 0 ? "[" : ",\n ");
            print_object(weights_alternatives[i].name, (enum property)property,
                         &findings[i][property]);
        }
    }
    printf("]\n");
}

static void print_text(size_t first, size_t end,
                       struct property_finding findings[WEIGHTS_COUNT][PROPERTY_COUNT])
{
    print_heading();
    for (size_t i = first; i < end; i++) {
        print_line(weights_alternatives[i].name, findings[i]);
    }
    bool any = false;
    for (size_t i = first; i < end; i++) {
        for (size_t property = 0; property < PROPERTY_COUNT; property++) {
            if (findings[i][property].holds) {
                continue;
            }
            printf("%s", any ? "" : "\n");
            any = true;
            print_counter_example(weights_alternatives[i].name, (enum property)property,
                                  &findings[i][property]);
        }
    }
}

/* All alternatives, or the one that was named. */
static bool choose(const char *name, size_t *first, size_t *end, struct error *err)
{
    *first = 0;
    *end = WEIGHTS_COUNT;
    if (name == NULL) {
        return true;
    }
    const char *names[WEIGHTS_COUNT];
    for (size_t i = 0; i < WEIGHTS_COUNT; i++) {
        names[i] = weights_alternatives[i].name;
        if (strcmp(name, names[i]) == 0) {
            *first = i;
            *end = i + 1;
            return true;
        }
    }
    const char *nearest = text_nearest(name, names, WEIGHTS_COUNT);
    if (nearest != NULL) {
        return error_set(err, ERROR_USAGE, "--weights '%s' is unknown; did you mean '%s'?", name,
                         nearest);
    }
    return error_set(err, ERROR_USAGE, "--weights '%s' is unknown; see 'rowmax help weights'",
                     name);
}

bool command_properties(const struct options *options, struct arena *arena, struct error *err)
{
    (void)arena;
    struct property_finding findings[WEIGHTS_COUNT][PROPERTY_COUNT];
    size_t first;
    size_t end;
    if (!choose(options->weights, &first, &end, err)) {
        return false;
    }
    for (size_t i = first; i < end; i++) {
        for (size_t property = 0; property < PROPERTY_COUNT; property++) {
            findings[i][property] = property_search((enum run_weights)i, (enum property)property);
        }
    }
    if (options->layout == LAYOUT_JSON) {
        print_json(first, end, findings);
    } else {
        print_text(first, end, findings);
    }
    return true;
}
