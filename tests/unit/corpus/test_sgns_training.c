/* SPDX-License-Identifier: MIT */
/* Whole trainings by sgns.c: a plain second implementation, the optimum, the loss. */
#include "sgns_fixture.h"

/* The recipe once more, as plainly as it can be written. The chance is drawn in the same order from
 * the same numbers; noise by going through the alias table, which test_steps.c checks. */
struct plain {
    const struct embedding_options *options;
    size_t words;
    double *w, *c;
    struct alias noise;
    uint64_t drawn;
};

static double plain_draw(struct plain *plain)
{
    double u;
    random_uniforms(plain->options->seed, RANDOM_STEP, (uint32_t)(plain->drawn / 128),
                    (uint32_t)(plain->drawn % 128), 1, &u);
    plain->drawn++;
    return u;
}

static void plain_pair(struct plain *plain, size_t middle, size_t neighbour, double rate)
{
    size_t d = plain->options->dimension;
    double *input = plain->w + neighbour * d;
    double change[16] = {0};
    for (size_t n = 0; n <= plain->options->negative; n++) {
        size_t target = middle;
        if (n > 0) {
            double place = plain_draw(plain) * (double)plain->words;
            size_t column = (size_t)place;
            bool own = place - floor(place) < plain->noise.own[column];
            target = own ? column : plain->noise.other[column];
        }
        if (n > 0 && target == middle) {
            continue;
        }
        double *output = plain->c + target * d;
        double product = 0;
        for (size_t k = 0; k < d; k++) {
            product += input[k] * output[k];
        }
        double g = ((n == 0 ? 1 : 0) - logistic(product)) * rate;
        for (size_t k = 0; k < d; k++) {
            change[k] += g * output[k];
            output[k] += g * input[k];
        }
    }
    for (size_t k = 0; k < d; k++) {
        input[k] += change[k];
    }
}

/* A sentence whose first word is word number `before` of `all`. */
static void plain_sentence(struct plain *plain, const uint32_t *tokens, int length,
                           const double *counts, double before, double all)
{
    const struct embedding_options *options = plain->options;
    double total = all / (double)options->epochs;
    uint32_t kept[32];
    double rates[32];
    int count = 0;
    for (int i = 0; i < length; i++) {
        double share = counts[tokens[i]] / total;
        double chance = sqrt(options->subsample / share) + options->subsample / share;
        if (chance < 1 && plain_draw(plain) >= chance) {
            continue;
        }
        kept[count] = tokens[i];
        rates[count++] = options->learning_rate * (1 - (before + i) / all);
    }
    for (int i = 0; i < count; i++) {
        int reach = 1 + (int)(plain_draw(plain) * (double)options->window);
        for (int j = 0; j < count; j++) {
            if (j != i && abs(j - i) <= reach) {
                plain_pair(plain, kept[i], kept[j], rates[i]);
            }
        }
    }
}

START_TEST(training_is_the_recipe_written_plainly)
{
    struct embedding_options options = usual(12);
    options.subsample = 0.02;
    options.learning_rate = 0.5; /* far from the start */
    struct trained trained = train(demo, options);
    options.epochs = 0;
    struct trained start = train(demo, options);
    options.epochs = 5;
    const struct corpus *corpus = &trained.corpus;
    size_t words = trained.vocabulary.count; /* all words, numbered as in the corpus */
    double counts[64] = {0};
    double weights[64] = {0};
    ck_assert_uint_eq(words, corpus->word_count);
    for (size_t i = 0; i < corpus->token_count; i++) {
        counts[corpus->tokens[i]]++;
    }
    for (size_t i = 0; i < words; i++) {
        weights[i] = pow(counts[i], 0.75);
    }
    struct plain plain = {&options, words, start.model.words, start.model.contexts, {0}, 0};
    assert_ok(alias_make(weights, words, &arena, &arena, &plain.noise, &err), err);
    double all = 5 * (double)corpus->token_count;
    for (size_t pass = 0; pass < 5; pass++) {
        for (size_t s = 0; s < corpus->sentence_count; s++) {
            size_t first = corpus->sentence_start[s];
            plain_sentence(&plain, corpus->tokens + first,
                           (int)(corpus->sentence_start[s + 1] - first), counts,
                           (double)(pass * corpus->token_count + first), all);
        }
    }
    double farthest = 0;
    for (size_t i = 0; i < words * 12; i++) {
        assert_within(trained.model.words[i], plain.w[i], 1e-12);
        assert_within(trained.model.contexts[i], plain.c[i], 1e-12);
        farthest = fmax(farthest, fabs(plain.w[i]));
    }
    ck_assert(farthest > 0.2); /* something was learned */
}
END_TEST

START_TEST(the_optimum_is_information_less_the_logarithm_of_the_noise)
{
    /* Window 1, so that pairs are counts n(w, c). Where noise that is the middle itself is left
     * out, word w meets c as noise k P(c) (n(w) - n(w, c)) times, and the best w.c is
     * ln n(w, c) - ln(k P(c) (n(w) - n(w, c))): information less ln k, but for that rule.
     * What remains is the noise of the last steps. */
    const char *text = "a b c a a c b b a c c b. b a a b c c a b. c a b a c b b c. "
                       "a a a c b. b b c a b c c c a.";
    struct trained trained =
        train(repeat(text, 20), (struct embedding_options){.dimension = 6,
                                                           .window = 1,
                                                           .negative = 2,
                                                           .epochs = 400,
                                                           .learning_rate = 0.05,
                                                           .seed = 3});
    struct cooccurrence counts;
    struct embedding_options options = {.window = 1};
    assert_ok(
        cooccurrence_count(&trained.corpus, &trained.vocabulary, &options, &arena, &counts, &err),
        err);
    double words[3] = {0};
    double rows[3] = {0};
    for (size_t i = 0; i < trained.corpus.token_count; i++) {
        words[trained.corpus.tokens[i]]++;
    }
    double noise = pow(words[0], 0.75) + pow(words[1], 0.75) + pow(words[2], 0.75);
    ck_assert_uint_eq(counts.row_start[3], 9); /* every pair occurs */
    for (size_t e = 0; e < 9; e++) {
        rows[e / 3] += counts.count[e];
    }
    for (size_t e = 0; e < 9; e++) {
        double product =
            steps_dot(6, trained.model.words + e / 3 * 6, trained.model.contexts + e % 3 * 6);
        double share = pow(words[e % 3], 0.75) / noise;
        double wanted = log(counts.count[e] / (2 * share * (rows[e / 3] - counts.count[e])));
        assert_within(product, wanted, 0.05);
    }
}
END_TEST

/* The mean of the loss that training descends, at window 1: over all pairs and all noise. */
static double mean_loss(const struct trained *trained, const struct embedding_options *options)
{
    size_t words = trained->vocabulary.count;
    size_t d = options->dimension;
    double *noise = arena_alloc(&arena, words, sizeof *noise, &err);
    struct cooccurrence counts;
    assert_ok(
        cooccurrence_count(&trained->corpus, &trained->vocabulary, options, &arena, &counts, &err),
        err);
    for (size_t i = 0; i < trained->corpus.token_count; i++) {
        noise[trained->corpus.tokens[i]]++;
    }
    double total = 0;
    for (size_t i = 0; i < words; i++) {
        noise[i] = pow(noise[i], 0.75);
        total += noise[i];
    }
    double sum = 0;
    double pairs = 0;
    for (size_t i = 0; i < words; i++) {
        const double *word = trained->model.words + i * d;
        double all_noise = 0;
        for (size_t n = 0; n < words; n++) {
            double product = steps_dot(d, word, trained->model.contexts + n * d);
            all_noise -= noise[n] / total * log(logistic(-product));
        }
        for (size_t e = counts.row_start[i]; e < counts.row_start[i + 1]; e++) {
            size_t c = counts.column[e];
            double product = steps_dot(d, word, trained->model.contexts + c * d);
            double left_out = -noise[c] / total * log(logistic(-product));
            sum += counts.count[e] *
                   ((double)options->negative * (all_noise - left_out) - log(logistic(product)));
            pairs += counts.count[e];
        }
    }
    return sum / pairs;
}

START_TEST(the_loss_falls_as_passes_go_on)
{
    struct embedding_options options = usual(16);
    options.subsample = 0;
    options.window = 1;
    double before = 6 * log(2) + 1e-12; /* at the start all products are 0, and some noise is out */
    const size_t epochs[] = {0, 1, 3, 9};
    for (size_t i = 0; i < 4; i++) {
        options.epochs = epochs[i];
        struct trained trained = train(large_text(), options);
        double now = mean_loss(&trained, &options);
        ck_assert_msg(now < before - 0.001, "%g after %g", now, before);
        ck_assert_msg(i > 0 || now > 5.9 * log(2), "%g at the start", now);
        before = now;
    }
}
END_TEST

static Suite *sgns_training_suite(void)
{
    Suite *suite = suite_create("sgns_training");
    TCase *cases = tcase_create("sgns_training");
    tcase_add_checked_fixture(cases, set_up, tear_down);
    tcase_add_test(cases, training_is_the_recipe_written_plainly);
    tcase_add_test(cases, the_optimum_is_information_less_the_logarithm_of_the_noise);
    tcase_add_test(cases, the_loss_falls_as_passes_go_on);
    suite_add_tcase(suite, cases);
    return suite;
}

int main(void)
{
    return support_run(sgns_training_suite());
}
