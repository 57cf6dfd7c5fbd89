/* SPDX-License-Identifier: MIT */
/* Skip-gram with negative sampling: start, steps by hand, windows, subsampling. */
#include "sgns_fixture.h"

START_TEST(word_vectors_start_uniform_and_context_vectors_zero)
{
    struct embedding_options options = usual(64);
    options.epochs = 0;
    struct trained trained = train(large_text(), options);
    size_t size = 64 * trained.vocabulary.count;
    double squares = 0;
    for (size_t i = 0; i < size; i++) {
        ck_assert(fabs(trained.model.words[i]) <= 0.5 / 64);
        ck_assert(trained.model.contexts[i] == 0);
        squares += trained.model.words[i] * trained.model.words[i];
    }
    /* Deviation 0.5/(d root 3); relative error of the mean square: root of 0.8 over the size. */
    ck_assert_uint_ge(size, 20000);
    assert_within(squares / (double)size * 3 * 4 * 64 * 64, 1, 4 * sqrt(0.8 / (double)size));
}
END_TEST

START_TEST(two_words_and_no_noise_move_as_computed_by_hand)
{
    /* "a b" twice, d = 1: middle a with neighbour b, then middle b with neighbour a; rates 1, 3/4,
     * 1/2, 1/4 of the first. In the first pass the contexts are 0, so g = rate/2 and the words
     * stay.
     */
    struct embedding_options options = {.dimension = 1, .window = 1, .seed = 4};
    double a = train("a b", options).model.words[0];
    double b = train("a b", options).model.words[1];
    options.epochs = 2;
    options.learning_rate = 0.8;
    struct trained trained = train("a b", options);
    double context_a = 0.4 * b;
    double context_b = 0.3 * a;
    double step = 0.4 * (1 - logistic(b * context_a));
    double b_end = b + step * context_a;
    context_a += step * b;
    step = 0.2 * (1 - logistic(a * context_b));
    double a_end = a + step * context_b;
    context_b += step * a;
    assert_near(trained.model.words[0], a_end, 1e-14);
    assert_near(trained.model.words[1], b_end, 1e-14);
    assert_near(trained.model.contexts[0], context_a, 1e-14);
    assert_near(trained.model.contexts[1], context_b, 1e-14);
}
END_TEST

/* "a b" at d = 2, rate 1, one word of noise, a or b alike. First a with neighbour b: contexts are
 * 0, so that of a moves by b/2, and that of b by -b/2 unless the noise is a and left out. Then, at
 * half the rate, b with neighbour a, noise a or left out. Contexts of a and b, then a itself. */
static void outcome(const double *a, const double *b, bool first_noise, bool second_noise,
                    double *out)
{
    double product = a[0] * b[0] + a[1] * b[1];
    double near = 0.5 * (1 - logistic(first_noise ? -0.5 * product : 0));
    double far = second_noise ? -0.5 * logistic(0.5 * product) : 0;
    for (size_t k = 0; k < 2; k++) {
        double context_b = first_noise ? -0.5 * b[k] : 0;
        out[k] = 0.5 * b[k] + far * a[k];
        out[2 + k] = context_b + near * a[k];
        out[4 + k] = a[k] + near * context_b + far * 0.5 * b[k];
    }
}

START_TEST(noise_that_is_the_word_itself_is_left_out)
{
    struct embedding_options options = {
        .dimension = 2, .window = 1, .negative = 1, .learning_rate = 1};
    size_t found[4] = {0};
    for (uint64_t seed = 0; seed < 100; seed++) {
        options.seed = seed;
        options.epochs = 0;
        const double *start = train("a b", options).model.words;
        options.epochs = 1;
        struct sgns_model model = train("a b", options).model;
        ck_assert(memcmp(model.words + 2, start + 2, 2 * sizeof *start) == 0);
        size_t matches = 0;
        for (size_t way = 0; way < 4; way++) {
            double wanted[6];
            outcome(start, start + 2, way % 2 == 1, way / 2 == 1, wanted);
            double off = 0;
            for (size_t k = 0; k < 6; k++) {
                double value = k < 4 ? model.contexts[k] : model.words[k - 4];
                off = fmax(off, fabs(value - wanted[k]));
            }
            matches += off < 1e-14;
            found[way] += off < 1e-14;
        }
        ck_assert_uint_eq(matches, 1);
    }
    for (size_t way = 0; way < 4; way++) {
        assert_within((double)found[way], 25, 17); /* four deviations */
    }
}
END_TEST

static double loss(size_t d, const double *word, const double *contexts, const uint32_t *targets,
                   size_t count)
{
    double sum = 0;
    for (size_t t = 0; t < count; t++) {
        double product = 0;
        for (size_t k = 0; k < d; k++) {
            product += word[k] * contexts[targets[t] * d + k];
        }
        sum -= log(logistic(t == 0 ? product : -product));
    }
    return sum;
}

START_TEST(a_step_is_the_rate_times_the_gradient_of_the_loss)
{
    /* Central differences, error h^2 = 1e-10 and rounding 1e-16/h; distinct targets, so that the
     * order of moves does not matter. The first 11 numbers are the word, the others contexts. */
    enum { D = 11, ROWS = 5 };
    const uint32_t targets[] = {2, 0, 4};
    double numbers[D * (1 + ROWS)];
    double moved[D * (1 + ROWS)];
    double sum[D];
    random_normals(1, RANDOM_TEST, 0, 0, D * (1 + ROWS), numbers);
    memcpy(moved, numbers, sizeof numbers);
    sgns_step(D, 0.3, moved, moved + D, targets, 3, sum);
    for (size_t i = 0; i < (size_t)D * (1 + ROWS); i++) {
        const double h = 1e-5;
        double middle = numbers[i];
        numbers[i] = middle + h;
        double above = loss(D, numbers, numbers + D, targets, 3);
        numbers[i] = middle - h;
        double below = loss(D, numbers, numbers + D, targets, 3);
        numbers[i] = middle;
        assert_within(moved[i], middle - 0.3 * (above - below) / (2 * h), 1e-9);
    }
}
END_TEST

START_TEST(a_step_at_huge_products_neither_overflows_nor_hides_what_is_not_a_number)
{
    double word[1] = {1e3};
    double contexts[2] = {-1e3, 1e3};
    const uint32_t targets[] = {0, 1};
    double sum[1];
    sgns_step(1, 1, word, contexts, targets, 2, sum);
    /* s(-1e6) = 0 and s(1e6) = 1: both targets are all wrong and g is 1 and -1. */
    ck_assert(word[0] == -1e3 && contexts[0] == 0 && contexts[1] == 0);
    word[0] = (double)NAN;
    sgns_step(1, 1, word, contexts, targets, 2, sum);
    ck_assert(isnan(word[0]) && isnan(contexts[0]) && isnan(contexts[1]));
}
END_TEST

START_TEST(the_window_of_each_word_is_uniform)
{
    /* 2,000 sentences of three words that occur once: the context of the first moves along the
     * second alone when its window is 1, and along the third as well when it is 2. */
    enum { SENTENCES = 2000 };
    char *text = arena_alloc(&arena, SENTENCES, 40, &err);
    size_t length = 0;
    for (int s = 0; s < SENTENCES; s++) {
        length += (size_t)sprintf(text + length, "a%d b%d c%d. ", s, s, s);
    }
    struct embedding_options options = {.dimension = 2, .window = 2, .seed = 8};
    struct trained start = train(text, options);
    options.epochs = 1;
    options.learning_rate = 0.025;
    struct trained end = train(text, options);
    size_t alone = 0;
    for (size_t s = 0; s < SENTENCES; s++) {
        const double *second = start.model.words + (3 * s + 1) * 2;
        const double *context = end.model.contexts + 3 * s * 2;
        double across = context[0] * second[1] - context[1] * second[0];
        ck_assert(context[0] != 0);
        alone += fabs(across) < 1e-15;
    }
    assert_within((double)alone, SENTENCES / 2.0, 4 * sqrt(SENTENCES / 4.0));
}
END_TEST

START_TEST(frequent_words_stay_by_the_chance_of_their_share)
{
    /* Each sentence is "the" and a word that occurs once, whose context moves if "the" stays: share
     * 1/2, t = 1e-3, chance root 0.002 + 0.002. The word itself has share 1/8000 and stays. */
    enum { SENTENCES = 4000 };
    char *text = arena_alloc(&arena, SENTENCES, 20, &err);
    size_t length = 0;
    for (int s = 0; s < SENTENCES; s++) {
        length += (size_t)sprintf(text + length, "the w%d. ", s);
    }
    struct trained trained = train(
        text,
        (struct embedding_options){
            .dimension = 1, .window = 3, .subsample = 1e-3, .epochs = 1, .learning_rate = 0.1});
    size_t stayed = 0;
    for (size_t word = 1; word <= SENTENCES; word++) {
        stayed += trained.model.contexts[word] != 0;
    }
    double chance = sqrt(0.002) + 0.002;
    assert_within((double)stayed, SENTENCES * chance, 4 * sqrt(SENTENCES * chance * (1 - chance)));
}
END_TEST

START_TEST(subsampling_keeps_all_words_at_0_and_at_1_and_none_far_below_their_share)
{
    struct embedding_options options = usual(8);
    options.subsample = 0;
    struct trained all = train(large_text(), options);
    options.subsample = 1;
    struct trained same = train(large_text(), options);
    size_t size = 8 * all.vocabulary.count;
    ck_assert(memcmp(all.model.words, same.model.words, size * sizeof(double)) == 0);
    options.subsample = 1e-30;
    struct trained none = train(large_text(), options);
    for (size_t i = 0; i < size; i++) {
        ck_assert(none.model.contexts[i] == 0);
    }
}
END_TEST

START_TEST(rare_words_are_left_out_before_windows_are_laid)
{
    struct embedding_options options = usual(5);
    options.min_count = 2;
    struct learned cut =
        learn_by(embedding_sgns, "the x cat y sat z. w the cat sat. sat the v cat.", options);
    struct learned without =
        learn_by(embedding_sgns, "the cat sat. the cat sat. sat the cat.", options);
    ck_assert_uint_eq(cut.vocabulary.count, 3);
    ck_assert(memcmp(cut.vectors, without.vectors, 15 * sizeof(double)) == 0);
}
END_TEST

START_TEST(the_same_seed_gives_the_same_bytes_and_another_one_others)
{
    struct learned one = learn_by(embedding_sgns, large_text(), usual(24));
    struct learned two = learn_by(embedding_sgns, large_text(), usual(24));
    struct embedding_options other = usual(24);
    other.seed = 2;
    struct learned three = learn_by(embedding_sgns, large_text(), other);
    size_t size = 24 * one.vocabulary.count * sizeof(double);
    ck_assert(memcmp(one.vectors, two.vectors, size) == 0);
    ck_assert(memcmp(one.vectors, three.vectors, size) != 0);
}
END_TEST

START_TEST(one_word_without_a_neighbour_stays_where_it_starts)
{
    struct embedding_options options = usual(3);
    struct learned alone = learn_by(embedding_sgns, "a. b. a.", options);
    options.epochs = 0;
    struct learned start = learn_by(embedding_sgns, "a. b. a.", options);
    ck_assert(memcmp(alone.vectors, start.vectors, 6 * sizeof(double)) == 0);
}
END_TEST

START_TEST(an_interruption_ends_the_training)
{
    assert_interrupted(embedding_sgns, usual(4));
}
END_TEST

static struct learned words_of(const char *text, struct embedding_options options)
{
    struct trained trained = train(text, options);
    return (struct learned){trained.vocabulary, options.dimension, trained.model.words};
}

START_TEST(every_level_of_processor_learns_the_same_bits)
{
    struct embedding_options options = usual(21);
    options.epochs = 2;
    assert_same_at_every_level(words_of, options);
}
END_TEST

static Suite *sgns_suite(void)
{
    Suite *suite = suite_create("sgns");
    TCase *cases = tcase_create("sgns");
    tcase_add_checked_fixture(cases, set_up, tear_down);
    tcase_add_test(cases, word_vectors_start_uniform_and_context_vectors_zero);
    tcase_add_test(cases, two_words_and_no_noise_move_as_computed_by_hand);
    tcase_add_test(cases, noise_that_is_the_word_itself_is_left_out);
    tcase_add_test(cases, a_step_is_the_rate_times_the_gradient_of_the_loss);
    tcase_add_test(cases, a_step_at_huge_products_neither_overflows_nor_hides_what_is_not_a_number);
    tcase_add_test(cases, the_window_of_each_word_is_uniform);
    tcase_add_test(cases, frequent_words_stay_by_the_chance_of_their_share);
    tcase_add_test(cases, subsampling_keeps_all_words_at_0_and_at_1_and_none_far_below_their_share);
    tcase_add_test(cases, rare_words_are_left_out_before_windows_are_laid);
    tcase_add_test(cases, the_same_seed_gives_the_same_bytes_and_another_one_others);
    tcase_add_test(cases, one_word_without_a_neighbour_stays_where_it_starts);
    tcase_add_test(cases, an_interruption_ends_the_training);
    tcase_add_test(cases, every_level_of_processor_learns_the_same_bits);
    suite_add_tcase(suite, cases);
    return suite;
}

int main(void)
{
    return support_run_levels(sgns_suite);
}
