/* SPDX-License-Identifier: MIT */
/* Times what learning word vectors is made of.
 *   learning TEXT WORDS WINDOW              reads, counts; a name and a number a line
 *   learning TEXT WORDS WINDOW RANK FILE    the same, and a decomposition of ln(1 + C) and of PPMI;
 * writes FILE.log-count, FILE.ppmi: order, entries, row starts, columns, values WORDS is the
 * largest vocabulary wanted: the words that are at least as frequent as it allows. */
#include "corpus/embedding.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

enum { PATH_SIZE = 4096 };

/* Of the clock on the wall and of the processor. */
struct moment {
    double wall, processor;
};

struct bench {
    struct corpus corpus;
    struct vocabulary vocabulary;
    struct embedding_options options;
    struct cooccurrence counts;
    struct arena arena;
    struct error *err;
};

static double read_clock(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static struct moment now(void)
{
    return (struct moment){read_clock(CLOCK_MONOTONIC), read_clock(CLOCK_PROCESS_CPUTIME_ID)};
}

static void print_since(const char *name, struct moment begin)
{
    struct moment end = now();
    printf("%s_seconds %.6f\n%s_processor %.6f\n", name, end.wall - begin.wall, name,
           end.processor - begin.processor);
}

static int falling(const void *a, const void *b)
{
    size_t x = *(const size_t *)a;
    size_t y = *(const size_t *)b;
    return (x < y) - (x > y);
}

/* The least count that leaves at most `words` words. */
static bool choose_min_count(struct bench *bench, size_t words)
{
    const struct corpus *corpus = &bench->corpus;
    size_t *counts = arena_alloc(&bench->arena, corpus->word_count, sizeof *counts, bench->err);
    if (counts == NULL) {
        return false;
    }
    for (size_t i = 0; i < corpus->token_count; i++) {
        counts[corpus->tokens[i]]++;
    }
    qsort(counts, corpus->word_count, sizeof *counts, falling);
    bench->options.min_count = words < corpus->word_count ? counts[words] + 1 : 1;
    return true;
}

static bool count_pairs(struct bench *bench, const char *path, size_t words)
{
    struct stat status;
    struct moment begin = now();
    if (!corpus_read(path, &bench->arena, &bench->corpus, bench->err)) {
        return false;
    }
    print_since("read", begin);
    if (!choose_min_count(bench, words)) {
        return false;
    }
    begin = now();
    if (!vocabulary_make(&bench->corpus, &bench->options, &bench->arena, &bench->vocabulary,
                         bench->err) ||
        !cooccurrence_count(&bench->corpus, &bench->vocabulary, &bench->options, &bench->arena,
                            &bench->counts, bench->err)) {
        return false;
    }
    print_since("count", begin);
    size_t entries = bench->counts.row_start[bench->counts.order];
    double total = 0;
    for (size_t e = 0; e < entries; e++) {
        total += bench->counts.count[e];
    }
    printf("bytes %.0f\nvocabulary %zu\nmin_count %zu\nentries %zu\npairs %.0f\n",
           stat(path, &status) == 0 ? (double)status.st_size : 0, bench->vocabulary.count,
           bench->options.min_count, entries, total);
    return true;
}

static bool write_matrix(const struct cooccurrence *matrix, const char *path, struct error *err)
{
    size_t entries = matrix->row_start[matrix->order];
    const size_t head[] = {matrix->order, entries};
    FILE *file = fopen(path, "wb");
    bool good = file != NULL && fwrite(head, sizeof head, 1, file) == 1 &&
                fwrite(matrix->row_start, sizeof *matrix->row_start, matrix->order + 1, file) ==
                    matrix->order + 1 &&
                fwrite(matrix->column, sizeof *matrix->column, entries, file) == entries &&
                fwrite(matrix->count, sizeof *matrix->count, entries, file) == entries;
    if (file != NULL) {
        good = fclose(file) == 0 && good;
    }
    return good || error_set(err, ERROR_FILE, "'%s' cannot be written", path);
}

/* A singular value is the length of its column, as vectors are U S. */
static void print_values(const char *name, const struct bench *bench, const double *vectors)
{
    size_t rank = bench->options.dimension;
    for (size_t k = 0; k < rank; k++) {
        double square = 0;
        for (size_t word = 0; word < bench->vocabulary.count; word++) {
            square += vectors[word * rank + k] * vectors[word * rank + k];
        }
        printf("%s_value_%zu %.17g\n", name, k, sqrt(square));
    }
}

/* A learner counts and makes its matrix first; that has been timed by itself and is taken off. */
static bool decompose(struct bench *bench, const char *name, bool logarithms, const char *file)
{
    char path[PATH_SIZE];
    struct arena scratch = {NULL};
    struct cooccurrence counts;
    struct cooccurrence matrix;
    const double *vectors = NULL;
    struct error *err = bench->err;
    embedding_learner *learner = logarithms ? embedding_log_count_svd : embedding_ppmi_svd;
    struct moment begin = now();
    bool good = cooccurrence_count(&bench->corpus, &bench->vocabulary, &bench->options, &scratch,
                                   &counts, err) &&
                (logarithms ? association_log_count(&counts, &scratch, &matrix, err)
                            : association_ppmi(&counts, &bench->options, &scratch, &matrix, err));
    struct moment middle = now();
    snprintf(path, sizeof path, "%s.%s", file, name);
    good = good && write_matrix(&matrix, path, err);
    arena_reset(&scratch);
    struct moment again = now();
    good = good && learner(&bench->corpus, &bench->vocabulary, &bench->options, &bench->arena,
                           &scratch, &vectors, err);
    if (good) {
        struct moment end = now();
        printf("%s_seconds %.6f\n%s_processor %.6f\n", name,
               end.wall - again.wall - (middle.wall - begin.wall), name,
               end.processor - again.processor - (middle.processor - begin.processor));
        print_values(name, bench, vectors);
    }
    arena_release(&scratch);
    return good;
}

int main(int argc, char **argv)
{
    struct error err = ERROR_INIT;
    struct bench bench = {.err = &err};
    if (argc != 4 && argc != 6) {
        fprintf(stderr, "usage: learning TEXT WORDS WINDOW [RANK FILE]\n");
        return 2;
    }
    bench.options = (struct embedding_options){
        .window = strtoul(argv[3], NULL, 10), .power = 1, .context_smoothing = 1, .shift = 1};
    bool good = count_pairs(&bench, argv[1], strtoul(argv[2], NULL, 10));
    if (good && argc == 6) {
        bench.options.dimension = strtoul(argv[4], NULL, 10);
        good = decompose(&bench, "log-count", true, argv[5]) &&
               decompose(&bench, "ppmi", false, argv[5]);
    }
    if (!good) {
        fprintf(stderr, "learning: %s\n", err.message);
    }
    arena_release(&bench.arena);
    return error_exit_status(err.code);
}
