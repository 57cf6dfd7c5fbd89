/* SPDX-License-Identifier: MIT */
/* Vectors of the count-svd learner: closed forms, the repetition law, E Eᵀ = |C|. */
#include "embedding_fixture.h"

START_TEST(two_words_have_the_vectors_computed_by_hand)
{
    /* C = (0 4; 4 0): values 4 and -4, u = (1, 1)/sqrt 2 and (1, -1)/sqrt 2, E = U 4^0.5. */
    struct learned learned = learn("a b. a b. a b. b a.", (struct embedding_options){
                                                              .dimension = 2,
                                                              .window = 1,
                                                              .power = 0.5,
                                                          });
    const double wanted[] = {sqrt(2), sqrt(2), sqrt(2), -sqrt(2)};
    for (size_t i = 0; i < 4; i++) {
        assert_near(learned.vectors[i], wanted[i], 1e-14);
    }
}
END_TEST

START_TEST(one_word_a_thousand_times_has_one_number)
{
    /* C = (2 * 999), E = 1998^power, the other columns zero. */
    const double powers[] = {0, 0.5, 1};
    for (size_t p = 0; p < 3; p++) {
        struct learned learned = learn(repeat("a ", 1000), (struct embedding_options){
                                                               .dimension = 3,
                                                               .window = 1,
                                                               .power = powers[p],
                                                           });
        assert_near(learned.vectors[0], pow(1998, powers[p]), 1e-14);
        ck_assert(learned.vectors[1] == 0 && learned.vectors[2] == 0);
    }
}
END_TEST

START_TEST(repeating_the_corpus_scales_by_the_power)
{
    const double powers[] = {0, 0.5, 0.75, 1, 2};
    const size_t times[] = {2, 3, 10};
    const char *texts[] = {demo, large_text()};
    for (size_t t = 0; t < 2; t++) {
        for (size_t p = 0; p < 5; p++) {
            struct embedding_options options = {.dimension = 16, .window = 5, .power = powers[p]};
            struct learned once = learn(texts[t], options);
            size_t k = times[(t + p) % 3];
            struct learned often = learn(repeat(texts[t], k), options);
            double factor = pow((double)k, powers[p]);
            size_t size = once.vocabulary.count * 16;
            double largest = 0;
            for (size_t i = 0; i < size; i++) {
                largest = fmax(largest, fabs(once.vectors[i]));
            }
            for (size_t i = 0; i < size; i++) {
                assert_within(often.vectors[i] / factor, once.vectors[i], 1e-10 * largest);
            }
        }
    }
}
END_TEST

START_TEST(the_product_of_all_vectors_is_the_absolute_value_of_the_counts)
{
    /* At power 0.5 and full dimension E Eᵀ = U S Uᵀ = |C|, and |C|² = C². */
    struct learned half =
        learn(demo, (struct embedding_options){.dimension = 60, .window = 3, .power = 0.5});
    struct embedding_options options = {.window = 3, .min_count = 1};
    struct corpus corpus;
    struct vocabulary vocabulary;
    struct cooccurrence counts;
    assert_ok(corpus_parse("text", demo, strlen(demo), &arena, &corpus, &err), err);
    assert_ok(vocabulary_make(&corpus, &options, &arena, &vocabulary, &err), err);
    assert_ok(cooccurrence_count(&corpus, &vocabulary, &options, &arena, &counts, &err), err);
    size_t n = counts.order;
    ck_assert_uint_le(n, 60);
    double *c = arena_alloc(&arena, n * n, sizeof *c, &err);
    double *absolute = arena_alloc(&arena, n * n, sizeof *absolute, &err);
    ck_assert(c != NULL && absolute != NULL);
    for (size_t i = 0; i < n; i++) {
        for (size_t e = counts.row_start[i]; e < counts.row_start[i + 1]; e++) {
            c[i * n + counts.column[e]] = counts.count[e];
        }
        for (size_t j = 0; j < n; j++) {
            for (size_t k = 0; k < 60; k++) {
                absolute[i * n + j] += half.vectors[i * 60 + k] * half.vectors[j * 60 + k];
            }
        }
    }
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) {
            double square = 0;
            double absolute_square = 0;
            for (size_t k = 0; k < n; k++) {
                square += c[i * n + k] * c[k * n + j];
                absolute_square += absolute[i * n + k] * absolute[k * n + j];
            }
            assert_within(absolute_square, square, 1e-10);
        }
        ck_assert(absolute[i * n + i] > 0);
    }
}
END_TEST

START_TEST(columns_are_orthogonal_and_fall_in_length)
{
    struct learned learned =
        learn(large_text(), (struct embedding_options){.dimension = 32, .window = 5, .power = 1});
    double before = (double)INFINITY;
    double first = 0;
    for (size_t k = 0; k < 32; k++) {
        double squares = 0;
        double lowest = 0;
        double highest = 0;
        double beside = 0;
        for (size_t i = 0; i < learned.vocabulary.count; i++) {
            double value = learned.vectors[i * 32 + k];
            squares += value * value;
            beside += value * learned.vectors[i * 32 + (k + 1) % 32];
            lowest = fmin(lowest, value);
            highest = fmax(highest, value);
        }
        first = k == 0 ? squares : first;
        ck_assert(squares <= before * (1 + 1e-10));
        ck_assert_msg(highest >= -lowest, "column %zu has the wrong sign", k);
        assert_within(beside, 0, 1e-12 * first);
        before = squares;
    }
}
END_TEST

START_TEST(a_smaller_dimension_is_the_front_of_a_larger_one)
{
    struct learned small =
        learn(demo, (struct embedding_options){.dimension = 4, .window = 5, .power = 0.5});
    struct learned large =
        learn(demo, (struct embedding_options){.dimension = 20, .window = 5, .power = 0.5});
    for (size_t i = 0; i < small.vocabulary.count; i++) {
        for (size_t k = 0; k < 4; k++) {
            assert_near(small.vectors[i * 4 + k], large.vectors[i * 20 + k], 0);
        }
    }
}
END_TEST

START_TEST(columns_beyond_the_rank_are_zero_at_every_power)
{
    /* A star: w0 beside each of six words has rank 2, values +-sqrt 6. */
    const char *star = "h a. h b. h c. h d. h e. h f.";
    const double powers[] = {0, 0.5, 1};
    for (size_t p = 0; p < 3; p++) {
        struct learned learned = learn(
            star, (struct embedding_options){.dimension = 12, .window = 1, .power = powers[p]});
        double scale = pow(sqrt(6), powers[p]);
        for (size_t word = 0; word < 7; word++) {
            const double *row = learned.vectors + word * 12;
            double entry = (word == 0 ? sqrt(0.5) : sqrt(1.0 / 12)) * scale;
            assert_near(row[0], entry, 1e-13);
            assert_near(row[1], word == 0 ? entry : -entry, 1e-13);
            for (size_t k = 2; k < 12; k++) {
                ck_assert(row[k] == 0);
            }
        }
    }
}
END_TEST

START_TEST(a_star_too_large_for_the_dense_solver_has_rank_two_as_well)
{
    enum { LEAVES = 300 };
    char *text = arena_alloc(&arena, LEAVES, 12, &err);
    size_t length = 0;
    for (int i = 0; i < LEAVES; i++) {
        length += (size_t)sprintf(text + length, "hub w%d. ", i);
    }
    struct learned learned =
        learn(text, (struct embedding_options){.dimension = 8, .window = 2, .power = 0});
    for (size_t word = 0; word <= LEAVES; word++) {
        const double *row = learned.vectors + word * 8;
        double entry = word == 0 ? sqrt(0.5) : sqrt(0.5 / LEAVES);
        assert_near(row[0], entry, 1e-11);
        assert_near(row[1], word == 0 ? entry : -entry, 1e-11);
        for (size_t k = 2; k < 8; k++) {
            ck_assert(row[k] == 0);
        }
    }
}
END_TEST

START_TEST(sentences_of_one_word_give_zero_vectors)
{
    struct learned learned =
        learn("a. b. c.", (struct embedding_options){.dimension = 2, .window = 5, .power = 0});
    ck_assert_uint_eq(learned.vocabulary.count, 3);
    for (size_t i = 0; i < 6; i++) {
        ck_assert(learned.vectors[i] == 0);
    }
}
END_TEST

START_TEST(the_sentence_limit_gives_the_vectors_of_the_shorter_text)
{
    struct learned cut = learn(
        demo,
        (struct embedding_options){.dimension = 6, .window = 5, .power = 0.5, .sentence_limit = 2});
    struct learned two =
        learn("The cat chased the mouse across the garden.\n"
              "The mouse ran under the old wooden gate.\n",
              (struct embedding_options){.dimension = 6, .window = 5, .power = 0.5});
    ck_assert_uint_eq(cut.vocabulary.count, 11);
    ck_assert(memcmp(cut.vectors, two.vectors, 66 * sizeof(double)) == 0);
}
END_TEST

static Suite *embedding_suite(void)
{
    Suite *suite = suite_create("embedding");
    TCase *cases = tcase_create("embedding");
    tcase_add_checked_fixture(cases, set_up, tear_down);
    tcase_add_test(cases, two_words_have_the_vectors_computed_by_hand);
    tcase_add_test(cases, one_word_a_thousand_times_has_one_number);
    tcase_add_test(cases, repeating_the_corpus_scales_by_the_power);
    tcase_add_test(cases, the_product_of_all_vectors_is_the_absolute_value_of_the_counts);
    tcase_add_test(cases, columns_are_orthogonal_and_fall_in_length);
    tcase_add_test(cases, a_smaller_dimension_is_the_front_of_a_larger_one);
    tcase_add_test(cases, columns_beyond_the_rank_are_zero_at_every_power);
    tcase_add_test(cases, a_star_too_large_for_the_dense_solver_has_rank_two_as_well);
    tcase_add_test(cases, sentences_of_one_word_give_zero_vectors);
    tcase_add_test(cases, the_sentence_limit_gives_the_vectors_of_the_shorter_text);
    suite_add_tcase(suite, cases);
    return suite;
}

int main(void)
{
    return support_run(embedding_suite());
}
