/* SPDX-License-Identifier: MIT */
/* Names of settings; see setting_internal.h. */
#include "report/gnuplot.h"
#include "report/setting_internal.h"
#include "report/view.h"
#include "report/wrap.h"

#include <string.h>

enum {
    LABEL_LIMIT = 14, /* characters of a label that stands for the name of its field */
    VALUE_LIMIT = 80  /* of a value: a sentence may go on for pages */
};

/* No value is common enough to go without saying. */
static const size_t no_value = SIZE_MAX;

/* The value of an axis that half of the combinations or more have, the first of two such. */
static size_t common_value(const struct combinations *combinations, size_t axis)
{
    size_t best = 0;
    size_t value = no_value;
    for (size_t c = 0; c < combinations->count; c++) {
        size_t count = 0;
        for (size_t d = 0; d < combinations->count; d++) {
            count += combinations->samples[d]->place[axis] == combinations->samples[c]->place[axis];
        }
        if (count > best) {
            best = count;
            value = combinations->samples[c]->place[axis];
        }
    }
    return 2 * best >= combinations->count ? value : no_value;
}

static const char *field_name(const struct summary_axis *axis)
{
    return wrap_length(axis->label) <= LABEL_LIMIT ? axis->label : axis->name;
}

/* "query/key norm = l2", "scores (2, 1, 0.1)", "guards init", "no Q file". */
static const char *phrase(const struct summary_axis *axis, size_t value, struct arena *arena,
                          struct error *err)
{
    char buffer[FIELD_VALUE_SIZE];
    bool unset = axis->field != AXIS_GUARDS && *summary_axis_value(axis, value, buffer) == '\0';
    if (unset) {
        return arena_format(arena, err, "no %s", field_name(axis));
    }
    if (axis->field == AXIS_GUARDS || axis->field == RUN_HEAD || axis->field == RUN_CORPUS ||
        axis->field == RUN_SENTENCE_LIMIT) {
        return view_value_phrase(axis, value, arena, err);
    }
    const char *label = view_value_label(axis, value, arena, err);
    label = label == NULL ? NULL : gnuplot_label(arena, label, VALUE_LIMIT, err);
    if (label == NULL) {
        return NULL;
    }
    return axis->field == RUN_SCORES ? arena_format(arena, err, "scores (%s)", label)
                                     : arena_format(arena, err, "%s = %s", field_name(axis), label);
}

/* What a setting has more or less than the common guards: "without scale, with norm". */
static void append_guards(struct text *name, unsigned mask, unsigned common)
{
    static const struct {
        const char *word;
        bool more;
    } parts[] = {{"without ", false}, {"with ", true}};
    for (size_t i = 0; i < 2; i++) {
        unsigned differing = parts[i].more ? mask & ~common : common & ~mask;
        if (differing != 0) {
            text_append_format(name, "%s%s%s", name->length > 0 ? ", " : "", parts[i].word,
                               view_guards_name(differing));
        }
    }
}

/* "init + scale"; "no guards". */
static const char *bare_guards(const struct run *run)
{
    unsigned mask = run_guards_mask(run);
    return mask == 0 ? "no guards" : view_guards_name(mask);
}

/* Whether an axis says something about a combination: no learner has the options of another. */
static bool has_meaning(const struct summary_axis *axis, const struct run *run)
{
    return axis->field == AXIS_GUARDS || run_field_applies(run, (enum run_field)axis->field);
}

static bool append_difference(const struct combinations *combinations, size_t combination,
                              size_t axis, size_t common, struct text *name, struct arena *arena,
                              struct error *err)
{
    const struct summary_group *sample = combinations->samples[combination];
    const struct summary_axis *shown = &combinations->summary->axes[axis];
    size_t value = sample->place[axis];
    if (value == common || !has_meaning(shown, sample->sample)) {
        return true;
    }
    if (shown->field == AXIS_GUARDS && common != no_value) {
        append_guards(name, run_guards_mask(sample->sample),
                      run_guards_mask(shown->samples[common]));
        return true;
    }
    const char *difference = shown->field == AXIS_GUARDS ? bare_guards(sample->sample)
                                                         : phrase(shown, value, arena, err);
    if (difference != NULL) {
        text_append_format(name, "%s%s", name->length > 0 ? ", " : "", difference);
    }
    return difference != NULL;
}

/* The plain setting: by its guards where those differ among the settings. */
static const char *plain_name(const struct combinations *combinations, size_t combination)
{
    const struct summary *summary = combinations->summary;
    for (size_t a = 0; a < summary->axis_count; a++) {
        if (combinations->merged[a] && summary->axes[a].field == AXIS_GUARDS) {
            return bare_guards(combinations->samples[combination]->sample);
        }
    }
    return "as is";
}

/* The guards come last: a setting is first what it is, and then what it lacks. */
static const char *name_of(const struct combinations *combinations, size_t combination,
                           const size_t *common, struct arena *arena, struct error *err)
{
    const struct summary *summary = combinations->summary;
    struct text name = TEXT_INIT(arena);
    text_append(&name, "");
    for (int guards = 0; guards < 2; guards++) {
        for (size_t a = 0; a < summary->axis_count; a++) {
            bool wanted = (summary->axes[a].field == AXIS_GUARDS) == (guards == 1);
            if (combinations->merged[a] && wanted &&
                !append_difference(combinations, combination, a, common[a], &name, arena, err)) {
                return NULL;
            }
        }
    }
    return name.length == 0 ? plain_name(combinations, combination) : text_finish(&name, err);
}

/* Settings that differ only where a name is cut get a number. */
static bool tell_apart(const char **names, size_t count, struct arena *arena, struct error *err)
{
    for (size_t i = 1; i < count; i++) {
        size_t same = 1;
        const char *name = names[i];
        for (size_t j = 0; j < i; j++) {
            same += strcmp(names[j], names[i]) == 0;
        }
        if (same > 1) {
            name = arena_format(arena, err, "%s (%zu)", names[i], i + 1);
        }
        names[i] = name;
        if (name == NULL) {
            return false;
        }
    }
    return true;
}

const char *const *settings_names(const struct combinations *combinations, struct arena *arena,
                                  struct error *err)
{
    size_t common[RUN_FIELD_COUNT];
    const char **names = arena_alloc(arena, combinations->count, sizeof *names, err);
    if (names == NULL) {
        return NULL;
    }
    for (size_t a = 0; a < combinations->summary->axis_count; a++) {
        common[a] = combinations->merged[a] ? common_value(combinations, a) : no_value;
    }
    for (size_t c = 0; c < combinations->count; c++) {
        names[c] = name_of(combinations, c, common, arena, err);
        if (names[c] == NULL) {
            return NULL;
        }
    }
    return tell_apart(names, combinations->count, arena, err) ? names : NULL;
}

const char *settings_note(const struct combinations *combinations, struct arena *arena,
                          struct error *err)
{
    struct text note = TEXT_INIT(arena);
    text_append(&note, "");
    for (size_t a = 0; a < combinations->summary->axis_count; a++) {
        size_t common = combinations->merged[a] ? common_value(combinations, a) : no_value;
        if (common == no_value) {
            continue;
        }
        const char *value = phrase(&combinations->summary->axes[a], common, arena, err);
        if (value == NULL) {
            return NULL;
        }
        text_append_format(&note, "%s%s", note.length == 0 ? "" : ", ", value);
    }
    return text_finish(&note, err);
}
