/* SPDX-License-Identifier: MIT */
/* The work of rowmax in plain C with OpenBLAS, every matrix stored; usage as baseline_numpy.py. */
#include "base/arena.h"

#include <cblas.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MEASURES = 6, FORWARD = 4, SIZES_LIMIT = 64, PATH_SIZE = 4096, NPY_HEAD = 10 };

enum form { FORM_MEASURES, FORM_WEIGHTS, FORM_OUTPUT };

static const char *const form_names[] = {"measures", "weights", "output"};

struct size {
    size_t n, d, k;
};

/* Where matrices come from: a generator, or a folder of given ones. */
struct source {
    uint64_t state;
    const char *folder;
};

/* All matrices of a run. */
struct work {
    struct arena arena;
    struct size size;
    double *x, *normal;                 /* (n, d): as given, and normalised */
    double *w_q, *w_k, *w_v, *at_w;     /* (d, k) */
    double *q, *k, *v, *output;         /* (n, k) */
    double *weights, *squares;          /* (n, n): scores become weights; squares or the upstream */
    double *second, *lengths;           /* (n): sums of squares; lengths of vectors */
    double *mean, *other, *at_q, *at_k; /* (n, d) or (n, k) */
};

static void fail(const char *what)
{
    fprintf(stderr, "baseline_c: %s\n", what);
    exit(2);
}

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static double *numbers(struct arena *arena, size_t count)
{
    struct error err = ERROR_INIT;
    double *made = arena_alloc(arena, count, sizeof *made, &err);
    if (made == NULL) {
        fail(err.message);
    }
    return made;
}

/* SplitMix64: one step, and its output from -1 to 1. */
static double next_number(struct source *source)
{
    uint64_t z = source->state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-52 - 1;
}

/* Normal numbers by the polar method, two at a time. */
static void draw(struct source *source, size_t count, double spread, double *out)
{
    for (size_t i = 0; i < count; i += 2) {
        double u;
        double v;
        double r;
        do {
            u = next_number(source);
            v = next_number(source);
            r = u * u + v * v;
        } while (r >= 1 || r == 0);
        double factor = spread * sqrt(-2 * log(r) / r);
        out[i] = u * factor;
        if (i + 1 < count) {
            out[i + 1] = v * factor;
        }
    }
}

/* A .npy file of doubles in C order. */
static void read_array(const char *folder, const char *name, size_t count, double *out)
{
    char path[PATH_SIZE];
    unsigned char head[NPY_HEAD];
    snprintf(path, sizeof path, "%s/%s.npy", folder, name);
    FILE *file = fopen(path, "rb");
    if (file == NULL || fread(head, 1, NPY_HEAD, file) != NPY_HEAD ||
        fseek(file, NPY_HEAD + head[8] + 256 * head[9], SEEK_SET) != 0 ||
        fread(out, sizeof *out, count, file) != count) {
        fail("an array cannot be read");
    }
    fclose(file);
}

static void fetch(struct source *source, const char *name, size_t count, double spread, double *out)
{
    if (source->folder == NULL) {
        draw(source, count, spread, out);
        return;
    }
    read_array(source->folder, name, count, out);
    for (size_t i = 0; i < count; i++) {
        out[i] *= spread;
    }
}

/* c (m, n) = factor a b, a or b transposed where told. */
static void multiply(bool turn_a, bool turn_b, struct size shape, double factor, const double *a,
                     const double *b, double *c)
{
    int m = (int)shape.n;
    int n = (int)shape.d;
    int k = (int)shape.k;
    cblas_dgemm(CblasRowMajor, turn_a ? CblasTrans : CblasNoTrans,
                turn_b ? CblasTrans : CblasNoTrans, m, n, k, factor, a, turn_a ? m : k, b,
                turn_b ? k : n, 0, c, n);
}

static void normalise(size_t n, size_t d, const double *in, double *out)
{
    for (size_t i = 0; i < n; i++, in += d, out += d) {
        double mean = 0;
        double variance = 0;
        for (size_t j = 0; j < d; j++) {
            mean += in[j];
        }
        mean /= (double)d;
        for (size_t j = 0; j < d; j++) {
            variance += (in[j] - mean) * (in[j] - mean);
        }
        double factor = 1 / sqrt(variance / (double)d + 1e-5);
        for (size_t j = 0; j < d; j++) {
            out[j] = (in[j] - mean) * factor;
        }
    }
}

/* One row of scores becomes weights; adds row-max, entropy and |J|, returns the sum of squares. */
static double forward_row(size_t n, double *row, double *measures)
{
    double largest = row[0];
    double total = 0;
    double second = 0;
    double third = 0;
    double dot = 0;
    for (size_t j = 1; j < n; j++) {
        largest = row[j] > largest ? row[j] : largest;
    }
    for (size_t j = 0; j < n; j++) {
        double shifted = row[j] - largest;
        row[j] = exp(shifted);
        total += row[j];
        dot += row[j] * shifted;
    }
    double share = 1 / total;
    for (size_t j = 0; j < n; j++) {
        double weight = row[j] * share;
        row[j] = weight;
        second += weight * weight;
        third += weight * weight * weight;
    }
    double square = second - 2 * third + second * second;
    measures[1] += share;
    measures[2] += log(total) - dot * share;
    measures[3] += sqrt(square > 0 ? square : 0);
    return second;
}

/* Scores to weights, with the first four measures. */
static void forward(size_t rows, size_t n, double *scores, double *second, double *measures)
{
    double sum = 0;
    double squares = 0;
    double count = (double)rows * (double)n;
    memset(measures, 0, FORWARD * sizeof *measures);
    for (size_t i = 0; i < rows * n; i++) {
        sum += scores[i];
        squares += scores[i] * scores[i];
    }
    for (size_t i = 0; i < rows; i++) {
        second[i] = forward_row(n, scores + i * n, measures);
    }
    measures[0] = sqrt(squares / count - (sum / count) * (sum / count));
    for (size_t m = 1; m < FORWARD; m++) {
        measures[m] /= (double)rows;
    }
}

static double dot(size_t count, const double *a, const double *b)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        sum += a[i] * b[i];
    }
    return sum;
}

/* The root of sum over i of |left_i|^2 sum over j of p_ij^2 |v_j - mean_i|^2. */
static double closed_gradient(struct work *work, size_t left_width, const double *left,
                              size_t width, const double *vectors)
{
    size_t n = work->size.n;
    double sum = 0;
    multiply(false, false, (struct size){n, width, n}, 1, work->weights, vectors, work->mean);
    multiply(false, false, (struct size){n, width, n}, 1, work->squares, vectors, work->other);
    for (size_t j = 0; j < n; j++) {
        work->lengths[j] = dot(width, vectors + j * width, vectors + j * width);
    }
    for (size_t i = 0; i < n; i++) {
        const double *mean = work->mean + i * width;
        const double *row = left + i * left_width;
        double reach = dot(n, work->squares + i * n, work->lengths) -
                       2 * dot(width, mean, work->other + i * width) +
                       work->second[i] * dot(width, mean, mean);
        sum += dot(left_width, row, row) * reach;
    }
    return sqrt(sum);
}

static void closed_gradients(struct work *work, double factor, double *measures)
{
    const struct size *size = &work->size;
    for (size_t i = 0; i < size->n * size->n; i++) {
        work->squares[i] = work->weights[i] * work->weights[i];
    }
    measures[4] = factor * closed_gradient(work, size->d, work->normal, size->k, work->k);
    measures[5] = factor * closed_gradient(work, size->k, work->q, size->d, work->normal);
}

/* One upstream gradient at the weights, into `squares`. */
static void make_upstream(struct work *work, enum form form, struct source *source)
{
    const struct size *size = &work->size;
    if (form == FORM_WEIGHTS) {
        fetch(source, "weights", size->n * size->n, 1, work->squares);
        return;
    }
    fetch(source, "w_v", size->d * size->k, 1 / sqrt((double)size->d), work->w_v);
    fetch(source, "output", size->n * size->k, 1, work->output);
    multiply(false, false, (struct size){size->n, size->k, size->d}, 1, work->normal, work->w_v,
             work->v);
    multiply(false, true, (struct size){size->n, size->n, size->k}, 1, work->output, work->v,
             work->squares);
}

static void backward(struct work *work, double factor, double *measures)
{
    const struct size *size = &work->size;
    size_t n = size->n;
    for (size_t i = 0; i < n; i++) {
        double *upstream = work->squares + i * n;
        const double *weights = work->weights + i * n;
        double mean = dot(n, weights, upstream);
        for (size_t j = 0; j < n; j++) {
            upstream[j] = weights[j] * (upstream[j] - mean);
        }
    }
    const struct size tokens = {n, size->k, n};
    const struct size widths = {size->d, size->k, n};
    multiply(false, false, tokens, factor, work->squares, work->k, work->at_q);
    multiply(true, false, tokens, factor, work->squares, work->q, work->at_k);
    multiply(true, false, widths, 1, work->normal, work->at_q, work->at_w);
    measures[4] = sqrt(dot(size->d * size->k, work->at_w, work->at_w));
    multiply(true, false, widths, 1, work->normal, work->at_k, work->at_w);
    measures[5] = sqrt(dot(size->d * size->k, work->at_w, work->at_w));
}

static void project(struct work *work, struct source *source)
{
    const struct size *size = &work->size;
    double spread = 1 / sqrt((double)size->d);
    fetch(source, "w_q", size->d * size->k, spread, work->w_q);
    fetch(source, "w_k", size->d * size->k, spread, work->w_k);
    const struct size shape = {size->n, size->k, size->d};
    multiply(false, false, shape, 1, work->normal, work->w_q, work->q);
    multiply(false, false, shape, 1, work->normal, work->w_k, work->k);
}

static void one_run(struct work *work, enum form form, struct source *source, double *measures)
{
    const struct size *size = &work->size;
    double factor = 1 / sqrt((double)size->k);
    normalise(size->n, size->d, work->x, work->normal);
    project(work, source);
    multiply(false, true, (struct size){size->n, size->n, size->k}, factor, work->q, work->k,
             work->weights);
    forward(size->n, size->n, work->weights, work->second, measures);
    if (form == FORM_MEASURES) {
        closed_gradients(work, factor, measures);
    } else {
        make_upstream(work, form, source);
        backward(work, factor, measures);
    }
}

/* Memory for `rows` rows of scores; what only gradients need is left out without them. */
static void allocate(struct work *work, struct size size, size_t rows, bool gradients)
{
    size_t tokens = gradients ? size.n : 0;
    size_t widest = size.d > size.k ? size.d : size.k;
    *work = (struct work){.size = size};
    work->x = numbers(&work->arena, size.n * size.d);
    work->normal = numbers(&work->arena, size.n * size.d);
    work->w_q = numbers(&work->arena, size.d * size.k);
    work->w_k = numbers(&work->arena, size.d * size.k);
    work->w_v = numbers(&work->arena, size.d * size.k);
    work->at_w = numbers(&work->arena, size.d * size.k);
    work->q = numbers(&work->arena, size.n * size.k);
    work->k = numbers(&work->arena, size.n * size.k);
    work->v = numbers(&work->arena, tokens * size.k);
    work->output = numbers(&work->arena, tokens * size.k);
    work->weights = numbers(&work->arena, rows * size.n);
    work->squares = numbers(&work->arena, tokens * size.n);
    work->second = numbers(&work->arena, size.n);
    work->lengths = numbers(&work->arena, size.n);
    work->mean = numbers(&work->arena, tokens * widest);
    work->other = numbers(&work->arena, tokens * widest);
    work->at_q = numbers(&work->arena, tokens * size.k);
    work->at_k = numbers(&work->arena, tokens * size.k);
}

static enum form parse_form(const char *name)
{
    for (enum form form = FORM_MEASURES; form <= FORM_OUTPUT; form++) {
        if (strcmp(name, form_names[form]) == 0) {
            return form;
        }
    }
    fail("no such form");
    return FORM_MEASURES;
}

/* A number and what stands behind it, one character. */
static size_t parse_number(const char **at)
{
    char *end;
    size_t number = strtoul(*at, &end, 10);
    *at = *end == '\0' ? end : end + 1;
    return number;
}

/* "NxDxK,NxDxK". */
static size_t parse_sizes(const char *text, struct size *sizes)
{
    size_t count = 0;
    for (; count < SIZES_LIMIT && *text != '\0'; count++) {
        sizes[count].n = parse_number(&text);
        sizes[count].d = parse_number(&text);
        sizes[count].k = parse_number(&text);
    }
    return count;
}

static double time_runs(enum form form, const struct size *sizes, size_t count, size_t runs)
{
    double measures[MEASURES];
    double taken = 0;
    for (size_t s = 0; s < count; s++) {
        struct work work;
        struct source input = {99, NULL};
        allocate(&work, sizes[s], sizes[s].n, true);
        draw(&input, sizes[s].n * sizes[s].d, 1, work.x);
        double begin = seconds();
        for (size_t seed = 0; seed < runs; seed++) {
            struct source source = {seed, NULL};
            one_run(&work, form, &source, measures);
        }
        taken += seconds() - begin;
        arena_release(&work.arena);
    }
    return taken / (double)(runs * count);
}

/* Forward measures of some rows, `block` at a time; the rest is taken to cost as much. */
static double time_rows(struct size size, size_t rows, size_t block)
{
    struct work work;
    struct source source = {1, NULL};
    double measures[MEASURES];
    allocate(&work, size, block, false);
    draw(&source, size.n * size.d, 1, work.x);
    normalise(size.n, size.d, work.x, work.normal);
    double begin = seconds();
    project(&work, &source);
    double middle = seconds();
    for (size_t i = 0; i < rows; i += block) {
        multiply(false, true, (struct size){block, size.n, size.k}, 1 / sqrt((double)size.k),
                 work.q + i * size.k, work.k, work.weights);
        forward(block, size.n, work.weights, work.second, measures);
    }
    double end = seconds();
    arena_release(&work.arena);
    return middle - begin + (end - middle) * (double)size.n / (double)rows;
}

static void check(const char *folder, struct size size)
{
    struct work work;
    double measures[MEASURES];
    allocate(&work, size, size.n, true);
    read_array(folder, "x", size.n * size.d, work.x);
    for (enum form form = FORM_MEASURES; form <= FORM_OUTPUT; form++) {
        struct source source = {0, folder};
        one_run(&work, form, &source, measures);
        for (size_t i = 0; i < MEASURES; i++) {
            printf("%s %zu %.17g\n", form_names[form], i, measures[i]);
        }
    }
    arena_release(&work.arena);
}

int main(int argc, char **argv)
{
    struct size sizes[SIZES_LIMIT];
    if (argc == 4 && strcmp(argv[1], "check") == 0 && parse_sizes(argv[3], sizes) == 1) {
        check(argv[2], sizes[0]);
    } else if (argc == 5 && strcmp(argv[1], "rows") == 0 && parse_sizes(argv[2], sizes) == 1) {
        printf("%.9g\n",
               time_rows(sizes[0], strtoul(argv[3], NULL, 10), strtoul(argv[4], NULL, 10)));
    } else if (argc == 5 && strcmp(argv[1], "time") == 0) {
        size_t count = parse_sizes(argv[3], sizes);
        printf("%.9g\n", time_runs(parse_form(argv[2]), sizes, count, strtoul(argv[4], NULL, 10)));
    } else {
        fail("usage: check FOLDER SIZE, rows SIZE ROWS BLOCK, or time FORM SIZES RUNS");
    }
    return 0;
}
