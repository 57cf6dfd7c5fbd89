/* SPDX-License-Identifier: MIT */
/* Vectors of the other learners: LAPACK as a judge, closed forms, what repetition does. */
#include "embedding_fixture.h"

#include "numeric/eigen.h"

/* A dense M, (order, order), for a judge that shares no code with the learners. */
struct judged {
    size_t order;
    double *matrix;
};

static void judge_product(const void *context, size_t doubled, const double *x, double *y)
{
    const struct judged *judged = context;
    size_t n = doubled / 2;
    memset(y, 0, doubled * sizeof *y);
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) {
            y[i] += judged->matrix[i * n + j] * x[n + j];
            y[n + j] += judged->matrix[i * n + j] * x[i];
        }
    }
}

/* The singular values of M as the positive eigenvalues of (0 M; Mᵀ 0): all pairs, so by LAPACK. */
static double *judge_values(const struct cooccurrence *matrix)
{
    size_t n = matrix->order;
    struct judged judged = {n, arena_alloc(&arena, n * n, sizeof(double), &err)};
    struct eigen_problem all = {2 * n, 2 * n, judge_product, &judged, NULL};
    double *values = arena_alloc(&arena, 2 * n, sizeof *values, &err);
    double *vectors = arena_alloc(&arena, 4 * n * n, sizeof *vectors, &err);
    double *workspace = arena_alloc(&arena, eigen_workspace(&all), sizeof *workspace, &err);
    ck_assert(judged.matrix != NULL && values != NULL && vectors != NULL && workspace != NULL);
    for (size_t i = 0; i < n; i++) {
        for (size_t e = matrix->row_start[i]; e < matrix->row_start[i + 1]; e++) {
            judged.matrix[i * n + matrix->column[e]] = matrix->count[e];
        }
    }
    assert_ok(eigen_leading(&all, values, vectors, workspace, &err), err);
    size_t found = 0;
    for (size_t k = 0; k < 2 * n; k++) {
        if (values[k] > 0) {
            values[found++] = values[k];
        }
    }
    memset(values + found, 0, (2 * n - found) * sizeof *values);
    return values;
}

/* At power 1 the columns of E are as long as the singular values: each that is used agrees. */
static void check_against_judge(embedding_learner *learner, const char *text,
                                struct embedding_options options)
{
    struct learned learned = learn_by(learner, text, options);
    struct corpus corpus;
    struct cooccurrence counts;
    struct cooccurrence matrix;
    assert_ok(corpus_parse("text", text, strlen(text), &arena, &corpus, &err), err);
    assert_ok(cooccurrence_count(&corpus, &learned.vocabulary, &options, &arena, &counts, &err),
              err);
    assert_ok(learner == embedding_ppmi_svd
                  ? association_ppmi(&counts, &options, &arena, &matrix, &err)
                  : association_log_count(&counts, &arena, &matrix, &err),
              err);
    const double *wanted = judge_values(&matrix);
    size_t used = 0;
    for (size_t k = 0; k < options.dimension && k < matrix.order; k++) {
        double squares = 0;
        for (size_t word = 0; word < matrix.order; word++) {
            double value = learned.vectors[word * options.dimension + k];
            squares += value * value;
        }
        if (wanted[k] > 1e-6 * wanted[0]) {
            assert_near(sqrt(squares), wanted[k], 1e-8);
            used++;
        } else {
            assert_within(sqrt(squares), 0, 1e-6 * wanted[0]);
        }
    }
    ck_assert_uint_ge(used, 20);
}

START_TEST(every_singular_value_used_is_that_of_lapack)
{
    const double smoothings[] = {0, 0.75, 1};
    struct embedding_options options = {.dimension = 48, .window = 3, .power = 1, .shift = 1};
    options.min_count = 1;
    check_against_judge(embedding_log_count_svd, demo, options);
    check_against_judge(embedding_log_count_svd, large_text(), options);
    for (size_t s = 0; s < 3; s++) {
        options.context_smoothing = smoothings[s];
        check_against_judge(embedding_ppmi_svd, demo, options);
        check_against_judge(embedding_ppmi_svd, large_text(), options);
    }
}
END_TEST

START_TEST(repetition_adds_to_the_logarithm_of_the_counts)
{
    /* C = (0 m; m 0): values ln(1 + m) twice, u = (1, 1)/sqrt 2 and (1, -1)/sqrt 2. */
    for (size_t times = 1; times <= 1000; times *= 10) {
        struct learned learned =
            learn_by(embedding_log_count_svd, repeat("a b. b a. a b. ", times),
                     (struct embedding_options){.dimension = 2, .window = 1, .power = 1});
        double wanted = log(1 + 3 * (double)times) / sqrt(2);
        assert_near(learned.vectors[0], wanted, 1e-14);
        assert_near(learned.vectors[1], wanted, 1e-14);
        assert_near(learned.vectors[2], wanted, 1e-14);
        assert_near(learned.vectors[3], -wanted, 1e-14);
    }
}
END_TEST

START_TEST(repetition_leaves_information_as_it_is)
{
    const double smoothings[] = {0, 0.75, 1};
    const char *texts[] = {demo, large_text()};
    for (size_t t = 0; t < 2; t++) {
        for (size_t s = 0; s < 3; s++) {
            struct embedding_options options = {.dimension = 16,
                                                .window = 5,
                                                .power = 0.5,
                                                .context_smoothing = smoothings[s],
                                                .shift = 1.5};
            struct learned once = learn_by(embedding_ppmi_svd, texts[t], options);
            struct learned often = learn_by(embedding_ppmi_svd, repeat(texts[t], 7), options);
            double largest = 0;
            size_t size = once.vocabulary.count * 16;
            for (size_t i = 0; i < size; i++) {
                largest = fmax(largest, fabs(once.vectors[i]));
            }
            ck_assert(largest > 0.1);
            for (size_t i = 0; i < size; i++) {
                /* The matrix is the same to 1e-14 (test_association.c); close values turn vectors.
                 */
                assert_within(often.vectors[i], once.vectors[i], 1e-10 * largest);
            }
        }
    }
}
END_TEST

START_TEST(words_give_their_side_of_information_and_not_that_of_contexts)
{
    /* Counts ab 2, ac 1; at smoothing 0 M = (0 l2 0; l3 0 0; l3 0 0): values l3 sqrt 2 with
     * (0, 1, 1)/sqrt 2, and l2 with (1, 0, 0). */
    struct learned learned =
        learn_by(embedding_ppmi_svd, "a b. a b. a c.",
                 (struct embedding_options){
                     .dimension = 3, .window = 1, .power = 1, .context_smoothing = 0, .shift = 1});
    const double wanted[] = {0, log(2), 0, /**/ log(3), 0, 0, /**/ log(3), 0, 0};
    for (size_t i = 0; i < 9; i++) {
        assert_within(learned.vectors[i], wanted[i], 1e-14);
    }
}
END_TEST

START_TEST(a_shift_that_leaves_nothing_gives_zero_vectors)
{
    struct learned learned =
        learn_by(embedding_ppmi_svd, demo,
                 (struct embedding_options){.dimension = 4, .window = 5, .power = 0, .shift = 1e6});
    for (size_t i = 0; i < 4 * learned.vocabulary.count; i++) {
        ck_assert(learned.vectors[i] == 0);
    }
}
END_TEST

START_TEST(random_vectors_have_the_variance_and_depend_on_nothing_but_the_word)
{
    struct embedding_options options = {.dimension = 64, .window = 5, .power = 1};
    struct learned large = learn_by(embedding_random, large_text(), options);
    size_t size = 64 * large.vocabulary.count;
    double sum = 0;
    double squares = 0;
    for (size_t i = 0; i < size; i++) {
        sum += large.vectors[i];
        squares += large.vectors[i] * large.vectors[i];
    }
    /* Four standard errors: 1/8 over the root of the size, and root 2/size of the variance. */
    ck_assert_uint_ge(size, 20000);
    assert_within(sum / (double)size, 0, 4 * 0.125 / sqrt((double)size));
    assert_within(64 * squares / (double)size, 1, 4 * sqrt(2 / (double)size));
    options.window = 2;
    options.power = 0;
    struct learned small = learn_by(embedding_random, demo, options);
    ck_assert(memcmp(small.vectors, large.vectors, 64 * small.vocabulary.count * sizeof(double)) ==
              0);
    options.dimension = 16;
    struct learned narrow = learn_by(embedding_random, demo, options);
    for (size_t word = 0; word < small.vocabulary.count; word++) {
        for (size_t k = 0; k < 16; k++) {
            ck_assert(narrow.vectors[word * 16 + k] == 2 * small.vectors[word * 64 + k]);
        }
    }
}
END_TEST

static Suite *learners_suite(void)
{
    Suite *suite = suite_create("learners");
    TCase *cases = tcase_create("learners");
    tcase_add_checked_fixture(cases, set_up, tear_down);
    tcase_add_test(cases, every_singular_value_used_is_that_of_lapack);
    tcase_add_test(cases, repetition_adds_to_the_logarithm_of_the_counts);
    tcase_add_test(cases, repetition_leaves_information_as_it_is);
    tcase_add_test(cases, words_give_their_side_of_information_and_not_that_of_contexts);
    tcase_add_test(cases, a_shift_that_leaves_nothing_gives_zero_vectors);
    tcase_add_test(cases, random_vectors_have_the_variance_and_depend_on_nothing_but_the_word);
    suite_add_tcase(suite, cases);
    return suite;
}

int main(void)
{
    return support_run(learners_suite());
}
