/* SPDX-License-Identifier: MIT */
/* Fields that change nothing in any run of a block, since another field switches off what they
 * tune: an axis over one would give the same run again and again under different names. */
#include "sweep/sweep_internal.h"

#define BIT(value) (1U << (value))
#define ON BIT(1)
#define UNSET BIT(0)
#define SET BIT(1)

/* A field is looked at where `needs` has one of the values (bits: index of a choice, 0 off and 1
 * on, 0 unset and 1 set), or `instead` has. Of two rules for one field both must hold. */
static const struct {
    enum run_field field, needs;
    unsigned values;
    enum run_field instead; /* RUN_FIELD_COUNT: nothing else will do */
    unsigned instead_values;
    unsigned sources; /* that the rule is for */
    const char *why;
} rules[] = {
    {RUN_SCORE_SCALE, RUN_GUARD_SCALE, ON, RUN_FIELD_COUNT, 0, FIELD_FOR_ALL,
     "guard_scale is off in every run"},
    {RUN_NORM, RUN_GUARD_NORM, ON, RUN_FIELD_COUNT, 0, FIELD_FOR_ALL,
     "guard_norm is off in every run"},
    {RUN_NORM_EPSILON, RUN_GUARD_NORM, ON, RUN_QK_NORM, BIT(QK_NORM_LAYER) | BIT(QK_NORM_RMS),
     FIELD_FOR_ALL, "guard_norm is off in every run, and qk_norm is never layer or rms"},
    {RUN_QK_GAIN, RUN_QK_NORM, BIT(QK_NORM_L2) | BIT(QK_NORM_LAYER) | BIT(QK_NORM_RMS),
     RUN_FIELD_COUNT, 0, FIELD_FOR_ALL, "qk_norm is none in every run"},
    {RUN_ROPE_BASE, RUN_POSITION, BIT(POSITION_ROPE), RUN_FIELD_COUNT, 0, FIELD_FOR_ALL,
     "position is never rope"},
    {RUN_ROPE_PAIRS, RUN_POSITION, BIT(POSITION_ROPE), RUN_FIELD_COUNT, 0, FIELD_FOR_ALL,
     "position is never rope"},
    {RUN_STABILISE, RUN_WEIGHTS, BIT(WEIGHTS_SOFTMAX) | BIT(WEIGHTS_SOFTMAX_PLUS_ONE),
     RUN_FIELD_COUNT, 0, FIELD_FOR_ALL, "weights are never softmax or softmax_plus_one"},
    {RUN_SEED, RUN_W_Q, UNSET, RUN_UPSTREAM, BIT(UPSTREAM_DRAWN), FIELD_FOR_ARRAYS,
     "with w_q and w_k given nothing is drawn"},
    {RUN_SEED, RUN_Q, UNSET, RUN_FIELD_COUNT, 0, FIELD_FOR_ARRAYS,
     "with q and k given nothing is drawn"},
    {RUN_DRAW, RUN_W_Q, UNSET, RUN_FIELD_COUNT, 0, FIELD_FOR_ARRAYS,
     "with w_q and w_k given nothing is drawn"},
    {RUN_DRAW, RUN_Q, UNSET, RUN_FIELD_COUNT, 0, FIELD_FOR_ARRAYS,
     "with q and k given nothing is drawn"},
    {RUN_UPSTREAM, RUN_Q, UNSET, RUN_FIELD_COUNT, 0, FIELD_FOR_ARRAYS,
     "with q and k given there are no W_Q and W_K that a gradient could reach"},
    {RUN_WEIGHTS_AS_GIVEN, RUN_W_Q, SET, RUN_FIELD_COUNT, 0, FIELD_FOR_ARRAYS,
     "no w_q and w_k are given"},
    {RUN_TRANSPOSED, RUN_W_Q, SET, RUN_FIELD_COUNT, 0, FIELD_FOR_ARRAYS,
     "no w_q and w_k are given"},
    {RUN_HEADS, RUN_W_Q, SET, RUN_Q, SET, FIELD_FOR_ARRAYS,
     "no w_q and w_k, nor q and k, are given"},
    {RUN_KEY_HEADS, RUN_W_Q, SET, RUN_Q, SET, FIELD_FOR_ARRAYS,
     "no w_q and w_k, nor q and k, are given"},
    {RUN_HEAD, RUN_W_Q, SET, RUN_Q, SET, FIELD_FOR_ARRAYS,
     "no w_q and w_k, nor q and k, are given"},
};

static unsigned bit_of(enum run_field field, const union field_value *value)
{
    return run_fields[field].kind == FIELD_SWITCH ? BIT(value->on) : BIT(value->choice);
}

static unsigned default_bit(enum run_field field)
{
    const struct run plain = run_default();
    return BIT((unsigned)field_value_number(&run_fields[field], &plain));
}

/* Whether a run of the block may have one of the values; whatever --set chose may where `lenient`.
 */
static bool may_have(const struct owners *owners, enum run_field field, unsigned values,
                     bool lenient)
{
    const struct setting *setting = owners->of[field];
    if (lenient && setting != NULL && setting->place.origin != 0) {
        return true;
    }
    if (run_fields[field].kind == FIELD_PATH) {
        return (values & (setting == NULL ? UNSET : SET)) != 0;
    }
    if (setting == NULL) {
        return (values & default_bit(field)) != 0;
    }
    size_t column = 0;
    while (setting->fields[column] != field) {
        column++;
    }
    bool found = setting->broken;
    for (size_t row = 0; !found && row < setting->count; row++) {
        found = (bit_of(field, &setting->values[row * setting->columns + column]) & values) != 0;
    }
    return found;
}

/* The one value that a file gives a field may well become idle by a --set of another: the file
 * need not be changed to try something. */
static bool is_lenient(const struct setting *setting)
{
    return setting != NULL && setting->place.origin == 0 && setting->count == 1;
}

static const char *learner_idle(struct reader *reader, const struct owners *owners,
                                enum run_field field)
{
    unsigned learners = run_fields[field].learners;
    if (learners == 0 || may_have(owners, RUN_LEARNER, learners, is_lenient(owners->of[field]))) {
        return NULL;
    }
    struct text text = TEXT_INIT(reader->arena);
    const char *const *names = run_fields[RUN_LEARNER].choices;
    for (int i = 0; names[i] != NULL; i++) {
        if (may_have(owners, RUN_LEARNER, BIT(i), false)) {
            text_append_format(&text, "%s%s", text.length == 0 ? "learner is " : " or ", names[i]);
        }
    }
    return text_finish(&text, reader->err);
}

const char *effects_idle(struct reader *reader, const struct owners *owners, unsigned sources,
                         enum run_field field)
{
    unsigned reading = sources & run_fields[field].sources;
    bool lenient = is_lenient(owners->of[field]);
    if (reading == 0) {
        return NULL;
    }
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
        bool fails = rules[i].field == field && (reading & ~rules[i].sources) == 0 &&
                     !may_have(owners, rules[i].needs, rules[i].values, lenient);
        if (fails && (rules[i].instead == RUN_FIELD_COUNT ||
                      !may_have(owners, rules[i].instead, rules[i].instead_values, lenient))) {
            return rules[i].why;
        }
    }
    return learner_idle(reader, owners, field);
}
