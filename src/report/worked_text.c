/* SPDX-License-Identifier: MIT */
/* The tables of a worked row; declared in worked.h. */
#include "report/cells.h"
#include "report/worked.h"

#include <math.h>
#include <string.h>

enum { NAME_LIMIT = 24, MOST_HEADS = WORKED_JACOBIAN + 1 };

/* What stands between the scores and the weights of an alternative, and how to read it. */
struct wording {
    const char *head;         /* of the column of exponentials; NULL: none */
    const char *slope;        /* of the column of slopes */
    bool exponential;         /* the column holds exp of the scores */
    double (*middle)(double); /* where it holds something else */
    bool adds_one;            /* to the total of the column */
};

static double softplus(double score)
{
    return score > 0 ? score + log1p(exp(-score)) : log1p(exp(score));
}

static double square(double score)
{
    return score * score;
}

#define OWN_SLOPE "slope ∂w/∂s"
static const struct wording wordings[WEIGHTS_COUNT] = {
    [WEIGHTS_SOFTMAX] = {"exp(score)", "w(1 − w)", true, NULL, false},
    [WEIGHTS_SOFTMAX_PLUS_ONE] = {"exp(score)", "w(1 − w)", true, NULL, true},
    [WEIGHTS_SIGMOID] = {NULL, "w(1 − w)", false, NULL, false},
    [WEIGHTS_SPARSEMAX] = {NULL, OWN_SLOPE, false, NULL, false},
    [WEIGHTS_ENTMAX15] = {NULL, OWN_SLOPE, false, NULL, false},
    [WEIGHTS_SOFTPLUS] = {"ln(1 + exp(score))", OWN_SLOPE, false, softplus, false},
    [WEIGHTS_SQUARE] = {"score²", OWN_SLOPE, false, square, false},
    [WEIGHTS_SUM] = {NULL, OWN_SLOPE, false, NULL, false},
    [WEIGHTS_ARGMAX] = {NULL, OWN_SLOPE, false, NULL, false},
};

const char *worked_key_name(const char *words, size_t i, struct arena *arena, struct error *err)
{
    const char *at = words;
    for (size_t k = 0; at != NULL && k < i; k++) {
        at = strchr(at, ' ');
        at = at == NULL ? NULL : at + 1;
    }
    return at == NULL ? arena_format(arena, err, "%zu", i + 1)
                      : arena_copy_bytes(arena, at, strcspn(at, " "), err);
}

static bool append_key(const struct sections *sections, const struct result *result, size_t i,
                       struct error *err)
{
    const char *name = worked_key_name(result->kept.words, i, sections->arena, err);
    if (name != NULL) {
        text_append(sections->out, "| ");
        markdown_text_cut(sections->out, name, NAME_LIMIT);
        text_append(sections->out, " ");
    }
    return name != NULL;
}

static void append_cell(struct text *out, const char *cell)
{
    text_append_format(out, "| %s ", cell);
}

/* Whether exponentials say nothing, so that those less the maximum stand beside them. */
static bool shows_shifted(const struct run *run, const struct worked_row *row)
{
    return wordings[run->weights].exponential && run->stabilise && row->state == ROW_DEFINED &&
           (row->overflows || row->total == 0);
}

static void append_exponential(struct text *out, double exponential)
{
    char number[NUMBER_SIZE];
    append_cell(out, isfinite(exponential) ? cell_number(exponential, number) : "overflow");
}

/* The cells of key i behind its name. */
static void append_key_cells(struct text *out, const struct result *result,
                             const struct worked_row *row, bool shifted, size_t i)
{
    const struct wording *wording = &wordings[result->run.weights];
    char number[NUMBER_SIZE];
    if (row->scores[i] == -(double)INFINITY) {
        append_cell(out, "masked");
        text_append(out, wording->head == NULL ? "" : "| 0 ");
        text_append(out, shifted ? "| 0 | 0 | 0 |\n" : "| 0 | 0 |\n");
        return;
    }
    append_cell(out, cell_given(row->scores[i], number));
    if (wording->exponential) {
        append_exponential(out, row->exponentials[i]);
    } else if (wording->head != NULL) {
        append_cell(out, cell_number(wording->middle(row->scores[i]), number));
    }
    if (shifted) {
        append_cell(out, cell_number(row->shifted[i], number));
    }
    append_cell(out, cell_weight(row->weights[i], number));
    append_cell(out, cell_number(worked_row_jacobian(row, i, i), number));
    text_append(out, "|\n");
}

/* Sums of what the columns hold; scores are summed where they are divided by their sum. */
static void append_total(struct text *out, const struct result *result,
                         const struct worked_row *row, bool shifted)
{
    const struct wording *wording = &wordings[result->run.weights];
    double scores = 0;
    double middle = 0;
    double above = 0;
    double weights = 0;
    for (size_t j = 0; j < row->keys; j++) {
        bool hidden = row->scores[j] == -(double)INFINITY;
        scores += hidden ? 0 : row->scores[j];
        middle += hidden || wording->middle == NULL ? 0 : wording->middle(row->scores[j]);
        above += row->shifted[j];
        weights += row->weights[j];
    }
    char number[NUMBER_SIZE];
    append_cell(out, wording->adds_one ? "total, with 1 more" : "total");
    append_cell(out, result->run.weights == WEIGHTS_SUM ? cell_given(scores, number) : "");
    if (wording->exponential) {
        append_exponential(out, row->total);
    } else if (wording->head != NULL) {
        append_cell(out, cell_number(middle, number));
    }
    if (shifted) {
        append_cell(out, wording->adds_one ? "" : cell_number(above, number));
    }
    append_cell(out, cell_number(weights, number));
    text_append(out, "| |\n");
}

static bool append_table(const struct sections *sections, const struct result *result,
                         const struct worked_row *row, bool shifted, struct error *err)
{
    const struct wording *wording = &wordings[result->run.weights];
    const char *heads[6] = {"key", "score"};
    size_t count = 2;
    if (wording->head != NULL) {
        heads[count++] = wording->head;
    }
    if (shifted) {
        heads[count++] = "exp(score − maximum)";
    }
    heads[count++] = "weight w";
    heads[count++] = wording->slope;
    markdown_table(sections->out, heads, count, 1);
    for (size_t i = 0; i < row->keys; i++) {
        if (!append_key(sections, result, i, err)) {
            return false;
        }
        append_key_cells(sections->out, result, row, shifted, i);
    }
    append_total(sections->out, result, row, shifted);
    text_append(sections->out, "\n");
    return true;
}

static bool append_jacobian(const struct sections *sections, const struct result *result,
                            const struct worked_row *row, struct error *err)
{
    struct text *out = sections->out;
    text_append(out, "| ∂w down, ∂s across ");
    for (size_t j = 0; j < row->keys; j++) {
        if (!append_key(sections, result, j, err)) {
            return false;
        }
    }
    text_append(out, "|\n|---");
    for (size_t j = 0; j < row->keys; j++) {
        text_append(out, "|--:");
    }
    text_append(out, "|\n");
    for (size_t i = 0; i < row->keys; i++) {
        if (!append_key(sections, result, i, err)) {
            return false;
        }
        for (size_t j = 0; j < row->keys; j++) {
            char number[NUMBER_SIZE];
            append_cell(out, cell_number(worked_row_jacobian(row, i, j), number));
        }
        text_append(out, "|\n");
    }
    text_append(out, "\n");
    return true;
}

static void append_measures(struct text *out, const struct row_measures *measures)
{
    char numbers[5][NUMBER_SIZE];
    text_append_format(out,
                       "Row-max %s, trace of J %s, ‖J‖_F %s, entropy %s nats, effective keys %s.",
                       cell_weight(measures->row_max, numbers[0]),
                       cell_number(measures->jacobian_trace, numbers[1]),
                       cell_number(measures->jacobian_norm, numbers[2]),
                       cell_number(measures->entropy, numbers[3]),
                       cell_number(measures->effective_keys, numbers[4]));
}

/* "key 2", "keys 1 and 3", by their names. */
static bool append_kink_keys(const struct sections *sections, const struct result *result,
                             const struct worked_kink *kink, struct error *err)
{
    size_t named = 0;
    text_append(sections->out, kink->count == 1 ? "key " : "keys ");
    for (size_t j = 0; j < WORKED_KEYS; j++) {
        if (!kink->keys[j]) {
            continue;
        }
        const char *name = worked_key_name(result->kept.words, j, sections->arena, err);
        if (name == NULL) {
            return false;
        }
        named++;
        text_append(sections->out, named == 1 ? "" : named == kink->count ? " and " : ", ");
        markdown_text_cut(sections->out, name, NAME_LIMIT);
    }
    return true;
}

/* That the derivative shown is one of several, and the others. */
static bool append_kink(const struct sections *sections, const struct result *result,
                        const struct worked_row *row, struct error *err)
{
    const struct worked_kink kink = worked_row_kink(result, row);
    struct text *out = sections->out;
    char numbers[2][NUMBER_SIZE];
    if (kink.count == 0) {
        return true;
    }
    if (result->run.weights == WEIGHTS_ARGMAX) {
        text_append(out, " **On a jump**: ");
        bool good = append_kink_keys(sections, result, &kink, err);
        text_append(out, " share the largest score, so the weights jump with the least change, and "
                         "there is no derivative; the zeros shown are those of the plain beside "
                         "it.");
        return good;
    }
    text_append(out, " **On a kink**: the score of ");
    if (!append_kink_keys(sections, result, &kink, err)) {
        return false;
    }
    const char *have = kink.count == 1 ? "it has" : "they have";
    text_append_format(
        out,
        " equals the threshold of sparsemax, where the derivative jumps. ‖J‖_F is "
        "%s from the side where %s no weight and %s from where %s some; the tables "
        "show the %s.",
        cell_number(kink.without, numbers[0]), have, cell_number(kink.with_all, numbers[1]), have,
        row->measures.jacobian_norm - kink.without < kink.with_all - row->measures.jacobian_norm
            ? "first"
            : "second");
    return true;
}

/* Why a row has no weights. */
static const char *reason(const struct result *result, const struct worked_row *row)
{
    if (row->state == ROW_MASKED) {
        return "No key of this row is visible, so it has no weights.";
    }
    for (size_t j = 0; j < row->keys; j++) {
        if (isnan(row->scores[j]) || row->scores[j] == (double)INFINITY) {
            return "A score is no finite number of the format, so the row has no weights.";
        }
    }
    if (!wordings[result->run.weights].exponential) {
        return "The row would be divided by 0, so it has no weights.";
    }
    return row->overflows
               ? "exp overflows, and no maximum was subtracted: the row has no weights."
               : "The sum of the exponentials overflows or is 0, and no maximum was subtracted: "
                 "the row has no weights.";
}

/* A sum that is often printed with a wrong last digit. */
static void append_erratum(struct text *out, const struct result *result,
                           const struct worked_row *row)
{
    static const double printed[3] = {2, 1, 0.1};
    if (result->run.weights == WEIGHTS_SOFTMAX && row->keys == 3 && row->hidden == 0 &&
        row->scores[0] == printed[0] && row->scores[1] == printed[1] &&
        row->scores[2] == printed[2]) {
        text_append(out, "The sum of these exponentials is 7.38906 + 2.71828 + 1.10517 = 11.21251, "
                         "to three decimals 11.213. Where a course prints 11.212, it adds numbers "
                         "that were rounded to three decimals before.\n\n");
    }
}

bool worked_row_append(const struct sections *sections, const struct result *result,
                       const struct worked_row *row, struct error *err)
{
    struct text *out = sections->out;
    bool shifted = shows_shifted(&result->run, row);
    if (row->keys == 0) {
        text_append_format(out, "%s\n\n", reason(result, row));
        return true;
    }
    if (!append_table(sections, result, row, shifted, err)) {
        return false;
    }
    if (row->hidden > 0) {
        text_append_format(out, "%zu masked key%s behind these %s left out.\n\n", row->hidden,
                           row->hidden == 1 ? "" : "s", row->hidden == 1 ? "is" : "are");
    }
    if (row->state != ROW_DEFINED) {
        text_append_format(out, "%s\n\n", reason(result, row));
        return true;
    }
    append_erratum(out, result, row);
    if (shifted) {
        text_append(out, row->overflows
                             ? "exp overflows here. The weights are finite because the largest "
                               "score is subtracted before exp, which changes no weight.\n\n"
                             : "Every exponential is 0 here. The weights are not, because the "
                               "largest score is subtracted before exp, which changes no weight."
                               "\n\n");
    }
    if (row->keys <= WORKED_JACOBIAN && !append_jacobian(sections, result, row, err)) {
        return false;
    }
    append_measures(out, &row->measures);
    if (!append_kink(sections, result, row, err)) {
        return false;
    }
    text_append(out, result->run.softcap > 0
                         ? " The scores are capped; J is by the capped ones, without the slope of "
                           "the cap itself.\n\n"
                         : "\n\n");
    return true;
}
