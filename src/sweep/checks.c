/* SPDX-License-Identifier: MIT */
/* What can only be judged when the whole sweep is read: a field set in two places, one that the
 * source needs and nobody sets, one that is set but no source of its runs looks at. */
#include "sweep/sweep_internal.h"

#include <string.h>

#define FIELD_BIT(field) (UINT64_C(1) << (field))

static const struct {
    enum run_source source;
    enum run_field field, instead; /* either will do */
} required[] = {
    {SOURCE_CORPUS, RUN_CORPUS, RUN_CORPUS},   {SOURCE_CORPUS, RUN_SENTENCE, RUN_SENTENCE},
    {SOURCE_GAUSSIAN, RUN_TOKENS, RUN_TOKENS}, {SOURCE_ARRAYS, RUN_X, RUN_Q},
    {SOURCE_SCORES, RUN_SCORES, RUN_SCORES},
};

static void complete_zips(struct reader *reader, struct setting *list)
{
    for (; list != NULL; list = list->next) {
        if (list->parts == NULL) {
            continue;
        }
        struct text name = TEXT_INIT(reader->arena);
        list->mask = 0;
        list->count = list->parts->count;
        for (const struct setting *part = list->parts; part != NULL; part = part->next) {
            list->mask |= part->mask;
            text_append_format(&name, "%s%s", part == list->parts ? "" : ",", part->name);
        }
        list->name = text_finish(&name, reader->err);
    }
}

static bool is_before(struct place a, struct place b)
{
    if (a.origin != b.origin || a.file != b.file) {
        return a.origin != b.origin ? a.origin < b.origin : a.file > b.file;
    }
    return a.line != b.line ? a.line < b.line : a.column < b.column;
}

static void refuse_second(struct reader *reader, const struct setting *a, const struct setting *b)
{
    const struct setting *first = is_before(a->place, b->place) ? a : b;
    const struct setting *second = first == a ? b : a;
    bool same = strcmp(first->name, second->name) == 0;
    const char *by = same ? "" : " by '";
    const char *who = same ? "" : first->name;
    const char *end = same ? "" : "'";
    if (first->place.origin == 0) {
        bool far = first->place.file != second->place.file;
        problems_add(&reader->problems, second->place,
                     "'%s' is already set%s%s%s on line %zu%s%s%s; a field is set in one place",
                     second->name, by, who, end, first->place.line, far ? " of '" : "",
                     far ? problems_shown(&reader->problems,
                                          problems_path(&reader->problems, first->place.file))
                         : "",
                     far ? "'" : "");
    } else {
        const char *set = reader->problems.sets[first->place.origin - 1];
        problems_add(&reader->problems, second->place,
                     "'%s' is already set by '--set %s'; a field is set in one place", second->name,
                     problems_shown(&reader->problems, set));
    }
}

static void claim(struct reader *reader, struct owners *owners, const struct setting *setting)
{
    const struct setting *refused = NULL;
    for (size_t i = 0; i < setting->columns; i++) {
        const struct setting *owner = owners->of[setting->fields[i]];
        if (owner == NULL) {
            owners->of[setting->fields[i]] = setting;
        } else if (owner != refused) {
            refuse_second(reader, owner, setting);
            refused = owner;
        }
    }
}

static void claim_all(struct reader *reader, struct owners *owners, const struct setting *list)
{
    for (; list != NULL; list = list->next) {
        claim(reader, owners, list);
        for (const struct setting *part = list->parts; part != NULL; part = part->next) {
            claim(reader, owners, part);
        }
    }
}

/* Sources (1 << enum run_source) that the runs of a block have; 0 when that cannot be told. */
static unsigned block_sources(const struct owners *owners)
{
    const struct setting *setting = owners->of[RUN_SOURCE];
    if (setting == NULL) {
        return 1U << run_default().source;
    }
    unsigned sources = 0;
    for (size_t i = 0; i < setting->count; i++) {
        sources |= 1U << setting->values[i].choice;
    }
    return setting->broken ? 0 : sources;
}

/* *reported keeps a field that many grids lack from being named for each. */
static void check_required(struct reader *reader, const struct owners *owners, unsigned sources,
                           uint64_t *reported)
{
    const struct setting *source = owners->of[RUN_SOURCE];
    struct place place = source == NULL ? (struct place){0, 1, 1, 0} : source->place;
    for (size_t i = 0; i < sizeof required / sizeof required[0]; i++) {
        enum run_field field = required[i].field;
        if ((sources >> required[i].source & 1) == 0 || owners->of[field] != NULL ||
            owners->of[required[i].instead] != NULL || (*reported & FIELD_BIT(field)) != 0) {
            continue;
        }
        *reported |= FIELD_BIT(field);
        problems_add(&reader->problems, place,
                     "'%s' is missing; source %s needs it%s under 'fixed', 'grid' or 'zip'",
                     run_fields[field].name, run_fields[RUN_SOURCE].choices[required[i].source],
                     field == RUN_X ? ", or q and k," : "");
    }
}

/* The source that a block was meant to have: the sweep names none, and sets what another one than
 * the default needs but nothing that the default does. -1 where nothing tells. */
static int forgotten_source(const struct owners *owners, enum run_field *telling)
{
    int found = -1;
    if (owners->of[RUN_SOURCE] != NULL) {
        return -1;
    }
    for (size_t i = 0; i < sizeof required / sizeof required[0]; i++) {
        enum run_field field = required[i].field;
        field = owners->of[field] == NULL ? required[i].instead : field;
        if (owners->of[field] == NULL) {
            continue;
        }
        if ((int)required[i].source == run_default().source) {
            return -1;
        }
        if (found < 0) {
            found = (int)required[i].source;
            *telling = field;
        }
    }
    return found;
}

/* The sources of a block, the one it was meant to have where it forgot to name it. */
static unsigned sources_of(struct reader *reader, const struct owners *owners, uint64_t *reported)
{
    enum run_field telling = RUN_SOURCE;
    int forgotten = forgotten_source(owners, &telling);
    if (reader->guessing || forgotten < 0) {
        return reader->guessing ? 0 : block_sources(owners);
    }
    if ((*reported & FIELD_BIT(telling)) == 0) {
        const char *const *names = run_fields[RUN_SOURCE].choices;
        problems_add(&reader->problems, owners->of[telling]->place,
                     "'%s' needs source: %s (the source is %s, the default)",
                     run_fields[telling].name, names[forgotten], names[run_default().source]);
        *reported |= FIELD_BIT(telling);
    }
    return 1U << forgotten;
}

/* An included file need not be changed for one sweep. */
static void refuse_idle(struct reader *reader, const struct setting *setting, const char *why)
{
    bool included = setting->place.file != 0;
    problems_add(&reader->problems, setting->place, "'%s' has no effect%s%s%s%s", setting->name,
                 why, included ? "; '" : "", included ? setting->name : "",
                 included ? ": ~' under 'fixed' takes it out" : "");
}

static void refuse_source(struct reader *reader, const struct setting *setting, unsigned sources)
{
    struct text text = TEXT_INIT(reader->arena);
    const char *const *names = run_fields[RUN_SOURCE].choices;
    for (int i = 0; names[i] != NULL; i++) {
        if ((sources >> i & 1) != 0) {
            text_append_format(&text, "%s%s", text.length == 0 ? " with source " : " or ",
                               names[i]);
        }
    }
    const char *list = text_finish(&text, reader->err);
    if (list != NULL) {
        refuse_idle(reader, setting, list);
    }
}

static bool is_idle(const struct setting *setting, unsigned sources)
{
    return sources != 0 && setting->columns > 0 &&
           (run_fields[setting->fields[0]].sources & sources) == 0;
}

/* What is known of the blocks so far: fields that some run may look at, and of the others why
 * no run does. */
struct uses {
    uint64_t used;
    const char *idle[RUN_FIELD_COUNT];
};

static void add_uses(struct reader *reader, const struct owners *owners, unsigned sources,
                     struct uses *uses)
{
    for (size_t i = 0; i < RUN_FIELD_COUNT; i++) {
        if (owners->of[i] == NULL || (uses->used & FIELD_BIT(i)) != 0) {
            continue;
        }
        const char *idle = effects_idle(reader, owners, sources, (enum run_field)i);
        bool read = sources == 0 || (sources & run_fields[i].sources) != 0;
        uses->used |= idle == NULL && read ? FIELD_BIT(i) : 0;
        uses->idle[i] = idle == NULL ? uses->idle[i] : idle;
    }
}

static void check_effect(struct reader *reader, const struct setting *setting, unsigned sources,
                         const struct uses *uses)
{
    if (is_idle(setting, sources)) {
        refuse_source(reader, setting, sources);
    } else if (setting->columns == 1 && (uses->used & setting->mask) == 0 &&
               uses->idle[setting->fields[0]] != NULL) {
        const char *why =
            arena_format(reader->arena, reader->err, ": %s", uses->idle[setting->fields[0]]);
        refuse_idle(reader, setting, why == NULL ? "" : why);
    }
}

static void check_effects(struct reader *reader, const struct setting *list, unsigned sources,
                          const struct uses *uses)
{
    for (; list != NULL; list = list->next) {
        check_effect(reader, list, sources, uses);
        for (const struct setting *part = list->parts; part != NULL; part = part->next) {
            check_effect(reader, part, sources, uses);
        }
    }
}

void checks_run(struct reader *reader)
{
    struct sweep_internal *internal = reader->internal;
    complete_zips(reader, internal->leading);
    complete_zips(reader, internal->trailing);
    struct owners outer = {{NULL}};
    claim_all(reader, &outer, internal->leading);
    claim_all(reader, &outer, internal->trailing);
    struct uses outer_uses = {0};
    unsigned all = 0;
    bool known = true;
    uint64_t reported = 0;
    for (size_t i = 0; i < internal->block_count; i++) {
        struct owners owners = outer;
        claim_all(reader, &owners, internal->blocks[i]);
        unsigned sources = sources_of(reader, &owners, &reported);
        struct uses uses = {0};
        add_uses(reader, &owners, sources, &uses);
        add_uses(reader, &owners, sources, &outer_uses);
        check_required(reader, &owners, sources, &reported);
        check_effects(reader, internal->blocks[i], sources, &uses);
        all |= sources;
        known = known && sources != 0;
    }
    check_effects(reader, internal->leading, known ? all : 0, &outer_uses);
    check_effects(reader, internal->trailing, known ? all : 0, &outer_uses);
}
