/* SPDX-License-Identifier: MIT */
/* Co-occurrence counts of a small vocabulary in a large text: one counter for each pair of words,
 * which stay in the processor's caches. Words are ranked by frequency, so that the pairs that are
 * met most lie side by side. Counts are integers: hands that each count a part of the text add up
 * to the same. */
#include "corpus/corpus_internal.h"

#include <stdlib.h>
#include <string.h>

#define DENSE_ORDER ((size_t)2048)
/* Pairs of words in the text that make a counter worth having, and one for each hand. */
#define PAIRS_A_COUNTER 8
#define PAIRS_A_PART 2

struct ranked {
    size_t count;
    uint32_t word;
};

/* Consecutive sentences, and what was found in them. */
struct part {
    size_t first, end;
    uint32_t *sentence; /* ranks */
    uint32_t *counters; /* of ranks high >= low at high (high + 1) / 2 + low */
    bool stopped;
};

struct counting {
    const struct corpus *corpus;
    const struct vocabulary *vocabulary;
    size_t window;
    const atomic_int *stop;
    uint32_t *rank_of; /* by corpus word; VOCABULARY_NONE where it is not kept */
    uint32_t *rank;    /* by vocabulary id */
    struct part *parts;
    size_t part_count;
};

/* Counters of all pairs. */
static size_t counters_of(size_t order)
{
    return order * (order + 1) / 2;
}

/* Pairs in the text, at most. */
static double pairs_of(const struct vocabulary *vocabulary, size_t window)
{
    return (double)vocabulary->kept * (double)window;
}

bool cooccurrence_is_dense(const struct vocabulary *vocabulary, size_t window)
{
    double pairs = pairs_of(vocabulary, window);
    return vocabulary->count <= DENSE_ORDER && pairs < UINT32_MAX &&
           pairs >= PAIRS_A_COUNTER * (double)counters_of(vocabulary->count);
}

static size_t place_of(uint32_t a, uint32_t b)
{
    size_t high = a > b ? a : b;
    size_t low = a > b ? b : a;
    return high * (high + 1) / 2 + low;
}

/* The most frequent first; of equals the one that appears first. */
static int compare_ranked(const void *a, const void *b)
{
    const struct ranked *x = a;
    const struct ranked *y = b;
    int order = (x->count < y->count) - (x->count > y->count);
    return order != 0 ? order : (x->word > y->word) - (x->word < y->word);
}

static bool rank_words(struct counting *counting, struct arena *scratch, struct error *err)
{
    const struct corpus *corpus = counting->corpus;
    const struct vocabulary *vocabulary = counting->vocabulary;
    size_t order = vocabulary->count;
    struct ranked *ranked = arena_alloc(scratch, order, sizeof *ranked, err);
    counting->rank = arena_alloc(scratch, order, sizeof *counting->rank, err);
    counting->rank_of = arena_alloc(scratch, corpus->word_count, sizeof *counting->rank_of, err);
    if (ranked == NULL || counting->rank == NULL || counting->rank_of == NULL) {
        return false;
    }
    for (size_t id = 0; id < order; id++) {
        ranked[id] = (struct ranked){vocabulary->counts[id], (uint32_t)id};
    }
    qsort(ranked, order, sizeof *ranked, compare_ranked);
    memset(counting->rank_of, 0xFF, corpus->word_count * sizeof *counting->rank_of);
    for (size_t rank = 0; rank < order; rank++) {
        counting->rank[ranked[rank].word] = (uint32_t)rank;
        counting->rank_of[vocabulary->words[ranked[rank].word]] = (uint32_t)rank;
    }
    return true;
}

/* Cuts the sentences into parts of about as many tokens. */
static bool cut_sentences(struct counting *counting, size_t hands, struct arena *scratch,
                          struct error *err)
{
    const struct vocabulary *vocabulary = counting->vocabulary;
    const size_t *start = counting->corpus->sentence_start;
    size_t counters = counters_of(vocabulary->count);
    double worth = pairs_of(vocabulary, counting->window) / (double)counters / PAIRS_A_PART;
    size_t wanted = worth < (double)hands ? (size_t)worth : hands;
    counting->parts = arena_alloc(scratch, wanted, sizeof *counting->parts, err);
    if (counting->parts == NULL) {
        return false;
    }
    size_t s = 0;
    for (size_t i = 0; i < wanted; i++) {
        struct part *part = &counting->parts[counting->part_count++];
        size_t end = vocabulary->tokens / wanted * (i + 1);
        size_t longest = 0;
        part->first = s;
        while (s < vocabulary->sentences && (i + 1 == wanted || start[s] < end)) {
            size_t length = start[s + 1] - start[s];
            longest = length > longest ? length : longest;
            s++;
        }
        part->end = s;
        part->sentence = arena_alloc(scratch, longest + 1, sizeof *part->sentence, err);
        part->counters = arena_alloc(scratch, counters, sizeof *part->counters, err);
        if (part->sentence == NULL || part->counters == NULL) {
            return false;
        }
    }
    return true;
}

static void count_part(void *task, size_t number, size_t hand)
{
    (void)hand;
    const struct counting *counting = task;
    const struct corpus *corpus = counting->corpus;
    struct part *part = &counting->parts[number];
    uint32_t *sentence = part->sentence;
    uint32_t *counters = part->counters;
    for (size_t s = part->first; s < part->end; s++) {
        size_t length = 0;
        if (counting->stop != NULL && atomic_load(counting->stop) != 0) {
            part->stopped = true;
            return;
        }
        for (size_t t = corpus->sentence_start[s]; t < corpus->sentence_start[s + 1]; t++) {
            uint32_t rank = counting->rank_of[corpus->tokens[t]];
            sentence[length] = rank;
            length += rank != VOCABULARY_NONE;
        }
        for (size_t i = 1; i < length; i++) {
            size_t reach = i < counting->window ? i : counting->window;
            for (size_t back = 1; back <= reach; back++) {
                counters[place_of(sentence[i], sentence[i - back])]++;
            }
        }
    }
}

/* Adds all parts up in the first: pairs are fewer than 2^32. */
static void add_parts(struct counting *counting)
{
    size_t counters = counters_of(counting->vocabulary->count);
    for (size_t i = 1; i < counting->part_count; i++) {
        for (size_t place = 0; place < counters; place++) {
            counting->parts[0].counters[place] += counting->parts[i].counters[place];
        }
    }
}

/* The entries of each row, at the row's number + 1. */
static void count_entries(const struct counting *counting, size_t *row_start)
{
    const uint32_t *counters = counting->parts[0].counters;
    const uint32_t *rank = counting->rank;
    size_t order = counting->vocabulary->count;
    for (size_t row = 0; row < order; row++) {
        for (size_t column = 0; column <= row; column++) {
            bool met = counters[place_of(rank[row], rank[column])] != 0;
            row_start[row + 1] += met;
            row_start[column + 1] += met && column < row;
        }
    }
}

/* A word beside itself is met from both sides. */
static void fill(const struct counting *counting, const size_t *row_start, uint32_t *columns,
                 double *counts)
{
    const uint32_t *counters = counting->parts[0].counters;
    const uint32_t *rank = counting->rank;
    size_t order = counting->vocabulary->count;
    for (size_t row = 0; row < order; row++) {
        size_t at = row_start[row];
        for (size_t column = 0; column < order; column++) {
            uint32_t count = counters[place_of(rank[row], rank[column])];
            if (count != 0) {
                columns[at] = (uint32_t)column;
                counts[at++] = column == row ? 2.0 * count : count;
            }
        }
    }
}

static bool compress(struct counting *counting, struct arena *arena, struct cooccurrence *out,
                     struct error *err)
{
    size_t order = counting->vocabulary->count;
    size_t *row_start = arena_alloc(arena, order + 1, sizeof *row_start, err);
    if (row_start == NULL) {
        return false;
    }
    add_parts(counting);
    count_entries(counting, row_start);
    for (size_t row = 0; row < order; row++) {
        row_start[row + 1] += row_start[row];
    }
    uint32_t *columns = arena_alloc(arena, row_start[order], sizeof *columns, err);
    double *counts = arena_alloc(arena, row_start[order], sizeof *counts, err);
    if (columns == NULL || counts == NULL) {
        return false;
    }
    fill(counting, row_start, columns, counts);
    *out = (struct cooccurrence){order, row_start, columns, counts};
    return true;
}

static bool count_parts(struct counting *counting, struct crew *crew, struct error *err)
{
    crew_work(crew, counting->part_count, count_part, counting);
    for (size_t i = 0; i < counting->part_count; i++) {
        if (counting->parts[i].stopped) {
            return error_set(err, ERROR_INTERRUPTED, "interrupted");
        }
    }
    return true;
}

bool cooccurrence_count_dense(const struct corpus *corpus, const struct vocabulary *vocabulary,
                              const struct embedding_options *options, struct arena *arena,
                              struct cooccurrence *out, struct error *err)
{
    struct arena scratch = {0};
    struct counting counting = {.corpus = corpus,
                                .vocabulary = vocabulary,
                                .window = options->window,
                                .stop = options->stop};
    size_t hands = options->crew == NULL ? 1 : options->crew->hands;
    bool good = rank_words(&counting, &scratch, err) &&
                cut_sentences(&counting, hands, &scratch, err) &&
                count_parts(&counting, options->crew, err) && compress(&counting, arena, out, err);
    arena_release(&scratch);
    return good;
}
