/* SPDX-License-Identifier: MIT */
/* Co-occurrence counts, row by row; see embedding.h. The places of each word are listed first. A
 * row then gathers the neighbours of its word's places in sums that the processor keeps at hand,
 * and depends on no other row: neither on how many are done at once. */
#include "corpus/corpus_internal.h"

#include <string.h>

/* Between sentences; no vocabulary id. */
#define GAP VOCABULARY_NONE
/* Rows are done in parts of about so many places, or in so many parts. */
#define PLACES_A_PART ((size_t)1 << 15)
#define MOST_PARTS ((size_t)64)
#define BLOCK_ENTRIES ((size_t)1 << 13)
/* Places ahead whose neighbours are fetched. */
#define AHEAD ((size_t)8)
/* A row that may fill more than this share of the columns looks at all of them. */
#define SHARE_OF_FULL 4

/* Entries of some rows, end to end. */
struct entries {
    struct entries *next;
    size_t used, capacity;
    uint32_t *column;
    double *count;
};

/* Consecutive rows, and what was found in them. */
struct part {
    size_t first, end;
    struct arena arena; /* of the entries */
    struct entries *oldest, *newest;
    struct error err;
};

struct counting {
    size_t order, window;
    bool by_distance; /* a pair counts 1/distance instead of 1 */
    const atomic_int *stop;
    uint32_t *text;    /* vocabulary ids; GAPs in front of sentences and at the end */
    size_t *first;     /* order + 1: where the places of each word begin */
    uint32_t *places;  /* in the text, rising for each word */
    double *weights;   /* by distance, up to the window */
    size_t *row_start; /* order + 1; while rows are counted, the entries of each in the next */
    uint32_t *column;
    double *count;
    struct part *parts;
    size_t part_count;
};

/* What one row has gathered so far. */
struct sums {
    double *values;                 /* order */
    uint64_t *seen;                 /* a bit a column */
    uint64_t *some;                 /* a bit for each of those 64 */
    size_t word_count, group_count; /* of the two */
};

/* Room for the text and its places. */
static bool counting_alloc(struct counting *counting, const struct vocabulary *vocabulary,
                           struct arena *scratch, struct error *err)
{
    size_t length = vocabulary->kept + vocabulary->sentences + 1;
    counting->text = arena_alloc(scratch, length, sizeof *counting->text, err);
    counting->first = arena_alloc(scratch, counting->order + 1, sizeof *counting->first, err);
    counting->places = arena_alloc(scratch, vocabulary->kept, sizeof *counting->places, err);
    return counting->text != NULL && counting->first != NULL && counting->places != NULL;
}

/* Translates the text; returns its length. */
static size_t translate(struct counting *counting, const struct corpus *corpus,
                        const struct vocabulary *vocabulary)
{
    uint32_t *text = counting->text;
    size_t length = 0;
    size_t longest = 0;
    text[length++] = GAP;
    for (size_t s = 0; s < vocabulary->sentences; s++) {
        size_t before = length;
        for (size_t t = corpus->sentence_start[s]; t < corpus->sentence_start[s + 1]; t++) {
            uint32_t id = vocabulary->ids[corpus->tokens[t]];
            text[length] = id;
            length += id != VOCABULARY_NONE;
        }
        longest = length - before > longest ? length - before : longest;
        text[length] = GAP;
        length += length > before;
    }
    counting->window = counting->window < longest ? counting->window : longest;
    return length;
}

/* Lists where each word stands. */
static bool list_places(struct counting *counting, size_t length, struct arena *scratch,
                        struct error *err)
{
    const uint32_t *text = counting->text;
    size_t *first = counting->first;
    size_t *next = arena_alloc(scratch, counting->order, sizeof *next, err);
    if (next == NULL) {
        return false;
    }
    for (size_t i = 0; i < length; i++) {
        if (text[i] != GAP) {
            first[text[i] + 1]++;
        }
    }
    for (size_t word = 0; word < counting->order; word++) {
        first[word + 1] += first[word];
        next[word] = first[word];
    }
    for (size_t i = 0; i < length; i++) {
        if (text[i] != GAP) {
            counting->places[next[text[i]]++] = (uint32_t)i;
        }
    }
    return true;
}

static bool weigh_distances(struct counting *counting, struct arena *scratch, struct error *err)
{
    counting->weights = arena_alloc(scratch, counting->window + 1, sizeof(double), err);
    for (size_t i = 1; counting->weights != NULL && i <= counting->window; i++) {
        counting->weights[i] = 1 / (double)i;
    }
    return counting->weights != NULL;
}

/* Counts the neighbours of all places of a word. */
static void gather_counts(const struct counting *counting, size_t row, double *sums)
{
    const uint32_t *places = counting->places;
    size_t window = counting->window;
    size_t end = counting->first[row + 1];
    for (size_t k = counting->first[row]; k < end; k++) {
        const uint32_t *here = counting->text + places[k];
        __builtin_prefetch(counting->text + places[k + AHEAD < end ? k + AHEAD : k]);
        for (size_t i = 1; i <= window && *(here - i) != GAP; i++) {
            sums[*(here - i)] += 1;
        }
        for (size_t i = 1; i <= window && here[i] != GAP; i++) {
            sums[here[i]] += 1;
        }
    }
}

/* How far the window reaches behind a place within its sentence. */
static size_t last_neighbour(const struct counting *counting, size_t place)
{
    size_t last = place;
    while (last - place < counting->window && counting->text[last + 1] != GAP) {
        last++;
    }
    return last;
}

/* Weighs them. Pairs are added in the order of the text, by the first word of a pair, then by the
 * second, so that row a has for b what row b has for a to the last bit. */
static void gather_weights(const struct counting *counting, size_t row, double *sums)
{
    const uint32_t *text = counting->text;
    const uint32_t *places = counting->places;
    const double *weights = counting->weights;
    size_t end = counting->first[row + 1];
    size_t done = 0;
    for (size_t k = counting->first[row]; k < end; k++) {
        size_t place = places[k];
        size_t last = last_neighbour(counting, place);
        size_t i = place;
        while (i > done && place - i < counting->window && text[i - 1] != GAP) {
            i--;
        }
        for (; i < place; i++) {
            for (size_t later = k;
                 later < end && places[later] <= last && places[later] - i <= counting->window;
                 later++) {
                sums[text[i]] += weights[places[later] - i];
            }
        }
        for (i = place + 1; i <= last; i++) {
            sums[text[i]] += text[i] == row ? 2 * weights[i - place] : weights[i - place];
        }
        done = place + 1;
    }
}

static bool sums_alloc(struct sums *sums, size_t order, struct arena *scratch, struct error *err)
{
    sums->word_count = order / 64 + 1;
    sums->group_count = sums->word_count / 64 + 1;
    sums->values = arena_alloc(scratch, order, sizeof *sums->values, err);
    sums->seen = arena_alloc(scratch, sums->word_count, sizeof *sums->seen, err);
    sums->some = arena_alloc(scratch, sums->group_count, sizeof *sums->some, err);
    return sums->values != NULL && sums->seen != NULL && sums->some != NULL;
}

static void mark(struct sums *sums, uint32_t column)
{
    sums->seen[column / 64] |= UINT64_C(1) << column % 64;
    sums->some[column / 4096] |= UINT64_C(1) << column / 64 % 64;
}

/* Marks the columns that a row has gathered something in. */
static void mark_columns(const struct counting *counting, size_t row, struct sums *sums)
{
    for (size_t k = counting->first[row]; k < counting->first[row + 1]; k++) {
        const uint32_t *here = counting->text + counting->places[k];
        for (size_t i = 1; i <= counting->window && *(here - i) != GAP; i++) {
            mark(sums, *(here - i));
        }
        for (size_t i = 1; i <= counting->window && here[i] != GAP; i++) {
            mark(sums, here[i]);
        }
    }
}

/* Room for a row of so many entries and one more. */
static struct entries *reserve(struct part *part, size_t count, struct error *err)
{
    struct entries *entries = part->newest;
    if (entries != NULL && entries->capacity - entries->used > count) {
        return entries;
    }
    size_t capacity = count < BLOCK_ENTRIES ? BLOCK_ENTRIES : count + 1;
    entries = arena_alloc(&part->arena, 1, sizeof *entries, err);
    if (entries == NULL) {
        return NULL;
    }
    entries->capacity = capacity;
    entries->column = arena_alloc(&part->arena, capacity, sizeof *entries->column, err);
    entries->count = arena_alloc(&part->arena, capacity, sizeof *entries->count, err);
    if (entries->column == NULL || entries->count == NULL) {
        return NULL;
    }
    if (part->newest == NULL) {
        part->oldest = entries;
    } else {
        part->newest->next = entries;
    }
    part->newest = entries;
    return entries;
}

/* Takes a row out of all sums, which are cleared. */
static bool take_all(struct sums *sums, size_t order, struct part *part, size_t *taken,
                     struct error *err)
{
    size_t count = 0;
    for (size_t column = 0; column < order; column++) {
        count += sums->values[column] != 0;
    }
    struct entries *entries = reserve(part, count, err);
    if (entries == NULL) {
        return false;
    }
    size_t at = entries->used;
    for (size_t column = 0; column < order; column++) {
        entries->column[at] = (uint32_t)column;
        entries->count[at] = sums->values[column];
        at += sums->values[column] != 0;
    }
    entries->used = at;
    memset(sums->values, 0, order * sizeof *sums->values);
    *taken = count;
    return true;
}

/* Takes a row out of the sums that are marked. */
static bool take_marked(struct sums *sums, struct part *part, size_t *taken, struct error *err)
{
    size_t count = 0;
    for (size_t group = 0; group < sums->group_count; group++) {
        for (uint64_t words = sums->some[group]; words != 0; words &= words - 1) {
            size_t word = 64 * group + (size_t)__builtin_ctzll(words);
            count += (size_t)__builtin_popcountll(sums->seen[word]);
        }
    }
    struct entries *entries = reserve(part, count, err);
    if (entries == NULL) {
        return false;
    }
    for (size_t group = 0; group < sums->group_count; group++) {
        for (uint64_t words = sums->some[group]; words != 0; words &= words - 1) {
            size_t word = 64 * group + (size_t)__builtin_ctzll(words);
            for (uint64_t bits = sums->seen[word]; bits != 0; bits &= bits - 1) {
                size_t column = 64 * word + (size_t)__builtin_ctzll(bits);
                entries->column[entries->used] = (uint32_t)column;
                entries->count[entries->used++] = sums->values[column];
                sums->values[column] = 0;
            }
            sums->seen[word] = 0;
        }
        sums->some[group] = 0;
    }
    *taken = count;
    return true;
}

static bool count_row(const struct counting *counting, size_t row, struct sums *sums,
                      struct part *part, struct error *err)
{
    size_t places = counting->first[row + 1] - counting->first[row];
    size_t *taken = &counting->row_start[row + 1];
    if (counting->by_distance) {
        gather_weights(counting, row, sums->values);
    } else {
        gather_counts(counting, row, sums->values);
    }
    if (places > counting->order / SHARE_OF_FULL / (2 * counting->window)) {
        return take_all(sums, counting->order, part, taken, err);
    }
    mark_columns(counting, row, sums);
    return take_marked(sums, part, taken, err);
}

static void count_part(void *task, size_t number, size_t hand)
{
    (void)hand;
    const struct counting *counting = task;
    struct part *part = &counting->parts[number];
    struct arena scratch = {0};
    struct sums sums;
    bool good = sums_alloc(&sums, counting->order, &scratch, &part->err);
    for (size_t row = part->first; good && row < part->end; row++) {
        good = steps_go_on(counting->stop, &part->err) &&
               count_row(counting, row, &sums, part, &part->err);
    }
    arena_release(&scratch);
}

/* Moves the entries of a part to where they stay. */
static void keep_part(void *task, size_t number, size_t hand)
{
    (void)hand;
    const struct counting *counting = task;
    struct part *part = &counting->parts[number];
    size_t at = counting->row_start[part->first];
    for (const struct entries *from = part->oldest; from != NULL; from = from->next) {
        memcpy(counting->column + at, from->column, from->used * sizeof *from->column);
        memcpy(counting->count + at, from->count, from->used * sizeof *from->count);
        at += from->used;
    }
    arena_release(&part->arena);
}

/* Cuts the rows into parts of about as many places. */
static bool cut_rows(struct counting *counting, struct arena *scratch, struct error *err)
{
    size_t places = counting->first[counting->order];
    size_t wanted = places / PLACES_A_PART + 1;
    wanted = wanted < MOST_PARTS ? wanted : MOST_PARTS;
    counting->parts = arena_alloc(scratch, wanted, sizeof *counting->parts, err);
    if (counting->parts == NULL) {
        return false;
    }
    size_t row = 0;
    for (size_t i = 0; i < wanted && row < counting->order; i++) {
        struct part *part = &counting->parts[counting->part_count++];
        part->err = (struct error)ERROR_INIT;
        part->first = row;
        size_t end = i + 1 == wanted ? places : places / wanted * (i + 1);
        do {
            row++;
        } while (row < counting->order && (i + 1 == wanted || counting->first[row] < end));
        part->end = row;
    }
    return true;
}

/* Counts in parts, then knows the size of the whole. */
static bool count_parts(struct counting *counting, struct crew *crew, struct arena *arena,
                        struct error *err)
{
    crew_work(crew, counting->part_count, count_part, counting);
    for (size_t i = 0; i < counting->part_count; i++) {
        if (counting->parts[i].err.code != ERROR_NONE) {
            *err = counting->parts[i].err;
            return false;
        }
    }
    for (size_t row = 0; row < counting->order; row++) {
        counting->row_start[row + 1] += counting->row_start[row];
    }
    size_t entries = counting->row_start[counting->order];
    counting->column = arena_alloc(arena, entries, sizeof *counting->column, err);
    counting->count = arena_alloc(arena, entries, sizeof *counting->count, err);
    if (counting->column == NULL || counting->count == NULL) {
        return false;
    }
    crew_work(crew, counting->part_count, keep_part, counting);
    return true;
}

static bool count_rows(const struct corpus *corpus, const struct vocabulary *vocabulary,
                       const struct embedding_options *options, bool by_distance,
                       struct arena *arena, struct cooccurrence *out, struct error *err)
{
    struct arena scratch = {0};
    struct counting counting = {.order = vocabulary->count,
                                .window = options->window,
                                .by_distance = by_distance,
                                .stop = options->stop};
    counting.row_start = arena_alloc(arena, counting.order + 1, sizeof *counting.row_start, err);
    bool good = counting.row_start != NULL &&
                counting_alloc(&counting, vocabulary, &scratch, err) &&
                list_places(&counting, translate(&counting, corpus, vocabulary), &scratch, err) &&
                weigh_distances(&counting, &scratch, err) && cut_rows(&counting, &scratch, err) &&
                count_parts(&counting, options->crew, arena, err);
    for (size_t i = 0; i < counting.part_count; i++) {
        arena_release(&counting.parts[i].arena);
    }
    arena_release(&scratch);
    if (good) {
        *out = (struct cooccurrence){counting.order, counting.row_start, counting.column,
                                     counting.count};
    }
    return good;
}

bool cooccurrence_count(const struct corpus *corpus, const struct vocabulary *vocabulary,
                        const struct embedding_options *options, struct arena *arena,
                        struct cooccurrence *out, struct error *err)
{
    return cooccurrence_is_dense(vocabulary, options->window)
               ? cooccurrence_count_dense(corpus, vocabulary, options, arena, out, err)
               : count_rows(corpus, vocabulary, options, false, arena, out, err);
}

bool cooccurrence_weigh(const struct corpus *corpus, const struct vocabulary *vocabulary,
                        const struct embedding_options *options, struct arena *arena,
                        struct cooccurrence *out, struct error *err)
{
    return count_rows(corpus, vocabulary, options, true, arena, out, err);
}
