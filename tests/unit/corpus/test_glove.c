/* SPDX-License-Identifier: MIT */
/* GloVe: a step by hand and by differences, its optimum, a plain second implementation. */
#include "corpus/corpus_internal.h"

#include "embedding_fixture.h"

struct trained {
    struct corpus corpus;
    struct vocabulary vocabulary;
    struct glove_model model;
};

static struct trained train(const char *text, struct embedding_options options)
{
    struct trained trained;
    options.min_count = options.min_count == 0 ? 1 : options.min_count;
    assert_ok(corpus_parse("text", text, strlen(text), &arena, &trained.corpus, &err), err);
    assert_ok(vocabulary_make(&trained.corpus, &options, &arena, &trained.vocabulary, &err), err);
    assert_ok(glove_train(&trained.corpus, &trained.vocabulary, &options, &arena, &arena,
                          &trained.model, &err),
              err);
    return trained;
}

static struct embedding_options usual(size_t dimension)
{
    return (struct embedding_options){.dimension = dimension,
                                      .window = 15,
                                      .epochs = 25,
                                      .learning_rate = 0.05,
                                      .x_max = 100,
                                      .alpha = 0.75,
                                      .seed = 1};
}

/* All numbers within +-0.5/64 and all sums of squares 1; the sum of their squares. */
static double check_start(size_t count, const double *numbers, const double *sums)
{
    double squares = 0;
    for (size_t i = 0; i < count; i++) {
        ck_assert_msg(fabs(numbers[i]) <= 0.5 / 64 && sums[i] == 1, "number %zu", i);
        squares += numbers[i] * numbers[i];
    }
    return squares;
}

START_TEST(vectors_and_biases_start_uniform_and_squares_at_one)
{
    struct embedding_options options = usual(63);
    options.epochs = 0;
    struct trained trained = train(large_text(), options);
    const struct glove_side *sides[] = {&trained.model.words, &trained.model.contexts};
    size_t words = trained.vocabulary.count;
    double squares = 0;
    for (size_t s = 0; s < 2; s++) {
        squares += check_start(63 * words, sides[s]->vectors, sides[s]->vector_squares);
        squares += check_start(words, sides[s]->biases, sides[s]->bias_squares);
    }
    /* Mean square 0.25/(3 * 64^2); the squares of uniforms vary by root 0.8 of their mean. */
    double count = 128 * (double)words;
    assert_within(squares / count * 12 * 64 * 64, 1, 4 * sqrt(0.8 / count));
    ck_assert(trained.model.words.vectors[0] != trained.model.contexts.vectors[0]);
    ck_assert(trained.model.words.biases[0] != trained.model.words.vectors[63]);
}
END_TEST

START_TEST(the_first_step_of_two_words_is_as_computed_by_hand)
{
    /* "a b": cells (a, b) and (b, a), both 1, logarithm 0, weight (1/16)^0.75 = 1/8; they share no
     * number. All squares are 1: each number moves by its gradient times the rate. */
    struct embedding_options options = usual(2);
    options.x_max = 16;
    options.epochs = 0;
    struct glove_model start = train("a b", options).model;
    options.epochs = 1;
    struct glove_model end = train("a b", options).model;
    for (size_t word = 0; word < 2; word++) {
        const double *w = start.words.vectors + 2 * word;
        const double *c = start.contexts.vectors + 2 * (1 - word);
        double step = 0.05 / 8 *
                      (w[0] * c[0] + w[1] * c[1] + start.words.biases[word] +
                       start.contexts.biases[1 - word]);
        for (size_t k = 0; k < 2; k++) {
            assert_near(end.words.vectors[2 * word + k], w[k] - step * c[k], 1e-15);
            assert_near(end.contexts.vectors[2 * (1 - word) + k], c[k] - step * w[k], 1e-15);
            assert_near(end.words.vector_squares[2 * word + k], 1 + step * c[k] * step * c[k],
                        1e-15);
        }
        assert_near(end.words.biases[word], start.words.biases[word] - step, 1e-14);
        assert_near(end.contexts.biases[1 - word], start.contexts.biases[1 - word] - step, 1e-14);
        assert_near(end.contexts.bias_squares[1 - word], 1 + step * step, 1e-15);
    }
}
END_TEST

/* One word and one context: vectors of D, then the biases. */
enum { D = 11, NUMBERS = 2 * D + 2 };

static double loss(const double *x, const struct glove_cell *cell)
{
    double missed = x[2 * D] + x[2 * D + 1] - cell->logarithm;
    for (size_t k = 0; k < D; k++) {
        missed += x[k] * x[D + k];
    }
    return cell->weight / 2 * missed * missed;
}

START_TEST(steps_are_the_gradient_over_the_root_of_the_squares_before)
{
    /* Central differences of the loss; two steps, the second of which meets squares beyond 1. */
    const struct glove_cell cell = {0, 0, 1.7, 0.4};
    const double rate = 0.3;
    double x[NUMBERS];
    double squares[NUMBERS];
    double wanted[NUMBERS];
    double gradient[NUMBERS];
    random_normals(1, RANDOM_TEST, 0, 0, NUMBERS, x);
    for (size_t i = 0; i < NUMBERS; i++) {
        squares[i] = 1;
    }
    struct glove_side words = {x, squares, x + 2 * D, squares + 2 * D};
    struct glove_side contexts = {x + D, squares + D, x + 2 * D + 1, squares + 2 * D + 1};
    for (size_t step = 0; step < 2; step++) {
        for (size_t i = 0; i < NUMBERS; i++) {
            const double h = 1e-5;
            double middle = x[i];
            x[i] = middle + h;
            double above = loss(x, &cell);
            x[i] = middle - h;
            double below = loss(x, &cell);
            x[i] = middle;
            gradient[i] = rate * (above - below) / (2 * h);
            wanted[i] = x[i] - gradient[i] / sqrt(squares[i]);
            gradient[i] = squares[i] + gradient[i] * gradient[i];
        }
        glove_step(D, rate, &cell, &words, &contexts);
        for (size_t i = 0; i < NUMBERS; i++) {
            assert_within(x[i], wanted[i], 1e-8);
            assert_within(squares[i], gradient[i], 1e-7);
        }
    }
    ck_assert(squares[2 * D] > 1.01);
}
END_TEST

START_TEST(cells_hold_logarithm_and_weight_of_the_counts)
{
    /* "a b a" four times, window 2: ab and ba 2 each, aa 1/2 from both sides; times four: 8, 8, 4.
     * x_max 8: weights 1, 1, (1/2)^2. */
    struct embedding_options options = usual(1);
    options.window = 2;
    options.x_max = 8;
    options.alpha = 2;
    options.epochs = 0;
    struct trained trained = train(repeat("a b a. ", 4), options);
    const struct glove_cell *cells = trained.model.cells;
    ck_assert_uint_eq(trained.model.cell_count, 3);
    const double counts[] = {4, 8, 8};
    const double weights[] = {0.25, 1, 1};
    for (size_t e = 0; e < 3; e++) {
        ck_assert_uint_eq(cells[e].row, e / 2);
        ck_assert_uint_eq(cells[e].column, e % 2);
        assert_near(cells[e].logarithm, log(counts[e]), 1e-15);
        assert_near(cells[e].weight, weights[e], 1e-15);
    }
}
END_TEST

START_TEST(a_shuffle_gives_every_order_as_often)
{
    /* 24 orders of 4 cells, 24,000 shuffles: 23 degrees of freedom, 99.99 % below 58.6. */
    enum { TIMES = 24000 };
    static struct draws draws;
    size_t found[4 * 4 * 4 * 4] = {0};
    draws_init(&draws, 2);
    for (size_t i = 0; i < TIMES; i++) {
        struct glove_cell cells[4] = {{.row = 0}, {.row = 1}, {.row = 2}, {.row = 3}};
        glove_shuffle(cells, 4, &draws);
        found[((cells[0].row * 4 + cells[1].row) * 4 + cells[2].row) * 4 + cells[3].row]++;
        ck_assert_uint_eq(
            1 << cells[0].row | 1 << cells[1].row | 1 << cells[2].row | 1 << cells[3].row, 15);
    }
    double squares = 0;
    size_t orders = 0;
    for (size_t i = 0; i < 256; i++) {
        orders += found[i] > 0;
        double beyond = (double)found[i] - TIMES / 24.0;
        squares += found[i] > 0 ? beyond * beyond / (TIMES / 24.0) : 0;
    }
    ck_assert_uint_eq(orders, 24);
    ck_assert_msg(squares < 58.6, "%g", squares);
}
END_TEST

/* The recipe once more, on a dense matrix of counts, with the vectors and the bias in one row, and
 * every cell once a pass in the order of the shuffle. */
struct plain {
    size_t words, d;
    double *x, *squares; /* words, then contexts: rows of d + 1 */
    double *counts;
};

static double *plain_row(double *numbers, const struct plain *plain, size_t row)
{
    return numbers + row * (plain->d + 1);
}

static void plain_cell(const struct plain *plain, const struct embedding_options *options,
                       size_t row, size_t column)
{
    double *w = plain_row(plain->x, plain, row);
    double *c = plain_row(plain->x, plain, plain->words + column);
    double *w_squares = plain_row(plain->squares, plain, row);
    double *c_squares = plain_row(plain->squares, plain, plain->words + column);
    double count = plain->counts[row * plain->words + column];
    double product = w[plain->d] + c[plain->d];
    for (size_t k = 0; k < plain->d; k++) {
        product += w[k] * c[k];
    }
    double weight = fmin(1, pow(count / options->x_max, options->alpha));
    for (size_t k = 0; k <= plain->d; k++) {
        double error = options->learning_rate * weight * (product - log(count));
        double w_gradient = k < plain->d ? error * c[k] : error;
        double c_gradient = k < plain->d ? error * w[k] : error;
        w[k] -= w_gradient / sqrt(w_squares[k]);
        c[k] -= c_gradient / sqrt(c_squares[k]);
        w_squares[k] += w_gradient * w_gradient;
        c_squares[k] += c_gradient * c_gradient;
    }
}

static void plain_count(const struct plain *plain, const uint32_t *tokens, int length, int window)
{
    for (int i = 0; i < length; i++) {
        for (int j = 0; j < length; j++) {
            if (i != j && abs(i - j) <= window) {
                plain->counts[tokens[i] * plain->words + tokens[j]] += 1.0 / abs(i - j);
            }
        }
    }
}

static struct plain plain_start(const struct corpus *corpus,
                                const struct embedding_options *options)
{
    size_t words = corpus->word_count;
    size_t columns = options->dimension + 1;
    struct plain plain = {.words = words, .d = options->dimension};
    plain.x = arena_alloc(&arena, 2 * words * columns, sizeof(double), &err);
    plain.squares = arena_alloc(&arena, 2 * words * columns, sizeof(double), &err);
    plain.counts = arena_alloc(&arena, words * words, sizeof(double), &err);
    ck_assert(plain.x != NULL && plain.squares != NULL && plain.counts != NULL);
    for (size_t i = 0; i < 2 * words; i++) {
        double *row = plain_row(plain.x, &plain, i);
        random_uniforms(options->seed, i < words ? RANDOM_START : RANDOM_CONTEXT_START,
                        (uint32_t)(i % words), 0, columns, row);
        for (size_t k = 0; k < columns; k++) {
            row[k] = (row[k] - 0.5) / (double)columns;
            plain_row(plain.squares, &plain, i)[k] = 1;
        }
    }
    for (size_t s = 0; s < corpus->sentence_count; s++) {
        plain_count(&plain, corpus->tokens + corpus->sentence_start[s],
                    (int)(corpus->sentence_start[s + 1] - corpus->sentence_start[s]),
                    (int)options->window);
    }
    return plain;
}

START_TEST(training_is_the_recipe_written_plainly)
{
    struct embedding_options options = usual(13);
    options.window = 4;
    options.x_max = 2;
    options.learning_rate = 0.3; /* far from the start */
    struct learned learned = learn_by(embedding_glove, demo, options);
    struct corpus corpus;
    assert_ok(corpus_parse("text", demo, strlen(demo), &arena, &corpus, &err), err);
    struct plain plain = plain_start(&corpus, &options);
    size_t words = plain.words;
    struct glove_cell *cells = arena_alloc(&arena, words * words, sizeof *cells, &err);
    static struct draws draws;
    size_t count = 0;
    for (size_t i = 0; i < words * words; i++) {
        if (plain.counts[i] > 0) {
            cells[count++] =
                (struct glove_cell){.row = (uint32_t)(i / words), .column = (uint32_t)(i % words)};
        }
    }
    draws_init(&draws, options.seed);
    for (size_t pass = 0; pass < options.epochs; pass++) {
        glove_shuffle(cells, count, &draws);
        for (size_t i = 0; i < count; i++) {
            plain_cell(&plain, &options, cells[i].row, cells[i].column);
        }
    }
    double farthest = 0;
    for (size_t i = 0; i < words * 13; i++) {
        double wanted = plain_row(plain.x, &plain, i / 13)[i % 13] +
                        plain_row(plain.x, &plain, words + i / 13)[i % 13];
        assert_within(learned.vectors[i], wanted, 1e-11);
        farthest = fmax(farthest, fabs(wanted));
    }
    ck_assert(farthest > 0.2);
}
END_TEST

/* Half the weighted squares of all cells. */
static double whole_loss(const struct glove_model *model, size_t d, double *farthest)
{
    double sum = 0;
    *farthest = 0;
    for (size_t i = 0; i < model->cell_count; i++) {
        const struct glove_cell *cell = &model->cells[i];
        double missed = steps_dot(d, model->words.vectors + cell->row * d,
                                  model->contexts.vectors + cell->column * d) +
                        model->words.biases[cell->row] + model->contexts.biases[cell->column] -
                        cell->logarithm;
        sum += cell->weight / 2 * missed * missed;
        *farthest = fmax(*farthest, fabs(missed));
    }
    return sum;
}

START_TEST(a_small_matrix_is_fitted_to_the_logarithms_of_its_counts)
{
    struct embedding_options options = usual(5);
    options.window = 3;
    options.epochs = 4000;
    options.x_max = 1;
    struct trained trained = train(
        "a b c a a c b b a. b a a b d c a b. c a d a c b b c. a d a c b. d d c a b c.", options);
    double farthest;
    ck_assert_uint_eq(trained.vocabulary.count, 4);
    ck_assert_uint_ge(trained.model.cell_count, 15);
    whole_loss(&trained.model, 5, &farthest);
    assert_within(farthest, 0, 1e-6);
}
END_TEST

START_TEST(the_loss_falls_as_passes_go_on)
{
    struct embedding_options options = usual(16);
    double before = (double)INFINITY;
    const size_t epochs[] = {0, 1, 5, 25};
    for (size_t i = 0; i < 4; i++) {
        double farthest;
        options.epochs = epochs[i];
        struct trained trained = train(large_text(), options);
        double now = whole_loss(&trained.model, 16, &farthest);
        ck_assert_msg(now < 0.95 * before, "%g after %g", now, before);
        before = now;
    }
}
END_TEST

START_TEST(the_same_seed_gives_the_same_bytes_and_another_one_others)
{
    struct embedding_options options = usual(24);
    options.epochs = 2;
    struct learned one = learn_by(embedding_glove, large_text(), options);
    struct learned two = learn_by(embedding_glove, large_text(), options);
    options.seed = 2;
    struct learned three = learn_by(embedding_glove, large_text(), options);
    size_t size = 24 * one.vocabulary.count * sizeof(double);
    ck_assert(memcmp(one.vectors, two.vectors, size) == 0);
    ck_assert(memcmp(one.vectors, three.vectors, size) != 0);
}
END_TEST

START_TEST(words_without_neighbours_give_the_sum_of_their_starts)
{
    struct embedding_options options = usual(3);
    struct learned learned = learn_by(embedding_glove, "a. b. c.", options);
    struct trained trained = train("a. b. c.", options);
    ck_assert_uint_eq(trained.model.cell_count, 0);
    double words[9];
    double contexts[9];
    steps_start(1, RANDOM_START, 3, 3, 4, words);
    steps_start(1, RANDOM_CONTEXT_START, 3, 3, 4, contexts);
    for (size_t i = 0; i < 9; i++) {
        ck_assert(learned.vectors[i] == words[i] + contexts[i]);
    }
}
END_TEST

START_TEST(an_interruption_ends_the_training)
{
    assert_interrupted(embedding_glove, usual(4));
}
END_TEST

static struct learned words_of(const char *text, struct embedding_options options)
{
    struct trained trained = train(text, options);
    return (struct learned){trained.vocabulary, options.dimension, trained.model.words.vectors};
}

START_TEST(every_level_of_processor_learns_the_same_bits)
{
    struct embedding_options options = usual(21);
    options.epochs = 2;
    assert_same_at_every_level(words_of, options);
}
END_TEST

static Suite *glove_suite(void)
{
    Suite *suite = suite_create("glove");
    TCase *cases = tcase_create("glove");
    tcase_add_checked_fixture(cases, set_up, tear_down);
    tcase_add_test(cases, vectors_and_biases_start_uniform_and_squares_at_one);
    tcase_add_test(cases, the_first_step_of_two_words_is_as_computed_by_hand);
    tcase_add_test(cases, steps_are_the_gradient_over_the_root_of_the_squares_before);
    tcase_add_test(cases, cells_hold_logarithm_and_weight_of_the_counts);
    tcase_add_test(cases, a_shuffle_gives_every_order_as_often);
    tcase_add_test(cases, training_is_the_recipe_written_plainly);
    tcase_add_test(cases, a_small_matrix_is_fitted_to_the_logarithms_of_its_counts);
    tcase_add_test(cases, the_loss_falls_as_passes_go_on);
    tcase_add_test(cases, the_same_seed_gives_the_same_bytes_and_another_one_others);
    tcase_add_test(cases, words_without_neighbours_give_the_sum_of_their_starts);
    tcase_add_test(cases, an_interruption_ends_the_training);
    tcase_add_test(cases, every_level_of_processor_learns_the_same_bits);
    suite_add_tcase(suite, cases);
    return suite;
}

int main(void)
{
    return support_run_levels(glove_suite);
}
