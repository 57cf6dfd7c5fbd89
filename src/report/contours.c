/* SPDX-License-Identifier: MIT */
/* Marching squares, and their pieces joined to lines; see contours.h. */
#include "report/contours.h"

#include <math.h>

/* An edge of the grid is twice the number of its lower or left corner, and one more if it goes up.
 * A line crosses it at most once, so pieces in the squares on its two sides meet there. */
struct edge {
    size_t others[2]; /* where the pieces go that are not joined to a line yet */
    size_t count;
};

struct grid {
    size_t rows, columns;
    const double *values;
    double level;
    struct edge *edges;
};

static struct contour_point point_on(const struct grid *grid, size_t edge)
{
    size_t corner = edge / 2;
    size_t next = corner + (edge % 2 == 1 ? grid->columns : 1);
    double share =
        (grid->level - grid->values[corner]) / (grid->values[next] - grid->values[corner]);
    double x = (double)(corner % grid->columns);
    const size_t row = corner / grid->columns;
    double y = (double)row;
    return (struct contour_point){edge % 2 == 1 ? x : x + share, edge % 2 == 1 ? y + share : y,
                                  false};
}

static void add_piece(struct grid *grid, size_t from, size_t to)
{
    struct edge *first = &grid->edges[from];
    struct edge *second = &grid->edges[to];
    first->others[first->count++] = to;
    second->others[second->count++] = from;
}

/* The pieces in the square right of and above a corner. Its edges round it: below, right, above,
 * left; a piece joins two of them that the level crosses. */
static void march(struct grid *grid, size_t corner)
{
    const size_t corners[4] = {corner, corner + 1, corner + 1 + grid->columns,
                               corner + grid->columns};
    const size_t edges[4] = {2 * corners[0], 2 * corners[1] + 1, 2 * corners[3],
                             2 * corners[0] + 1};
    size_t crossed[4];
    size_t count = 0;
    double mean = 0;
    for (size_t i = 0; i < 4; i++) {
        double here = grid->values[corners[i]];
        double next = grid->values[corners[(i + 1) % 4]];
        mean += here / 4;
        if ((here >= grid->level) != (next >= grid->level)) {
            crossed[count++] = edges[i];
        }
    }
    if (!isfinite(mean) || count == 0) {
        return;
    }
    /* Crossings in order round the square: with four of them each piece cuts off a corner. The
     * first corner lies between the last crossing and the first; it is cut off when unlike the
     * middle. */
    size_t shift =
        count == 4 && (mean >= grid->level) != (grid->values[corner] >= grid->level) ? 3 : 0;
    for (size_t i = 0; i < count; i += 2) {
        add_piece(grid, crossed[(i + shift) % count], crossed[(i + shift + 1) % count]);
    }
}

/* Takes one end of a piece away. */
static void forget(struct edge *edge, size_t other)
{
    edge->count--;
    if (edge->others[0] == other) {
        edge->others[0] = edge->others[1];
    }
}

/* Follows the pieces from an edge on as long as there are any. */
static void join(struct grid *grid, size_t from, struct contour_point *points, size_t *count)
{
    points[*count] = point_on(grid, from);
    points[(*count)++].starts = true;
    while (grid->edges[from].count > 0) {
        size_t to = grid->edges[from].others[0];
        forget(&grid->edges[from], to);
        forget(&grid->edges[to], from);
        points[(*count)++] = point_on(grid, to);
        from = to;
    }
}

bool contour_find(size_t rows, size_t columns, const double *values, double level,
                  struct arena *arena, struct contour *out, struct error *err)
{
    struct grid grid = {rows, columns, values, level, NULL};
    const size_t edges = 2 * rows * columns;
    *out = (struct contour){0, NULL};
    grid.edges = arena_alloc(arena, edges, sizeof *grid.edges, err);
    /* every point of a line but its first is the end of a piece, of which an edge has two halves */
    struct contour_point *points = arena_alloc(arena, 2 * edges, sizeof *points, err);
    if (grid.edges == NULL || points == NULL) {
        return false;
    }
    for (size_t row = 0; row + 1 < rows; row++) {
        for (size_t column = 0; column + 1 < columns; column++) {
            march(&grid, row * columns + column);
        }
    }
    /* lines begin where a single piece ends; what is left then are rings */
    for (size_t pieces = 1; pieces <= 2; pieces++) {
        for (size_t edge = 0; edge < edges; edge++) {
            if (grid.edges[edge].count == pieces) {
                join(&grid, edge, points, &out->count);
            }
        }
    }
    out->points = points;
    return true;
}
