/* SPDX-License-Identifier: MIT */
/* Any bytes as the lines of a history, and as the index of exported course data with, behind a byte
 * 0x1F, one of its pairs. */
#include "fuzz.h"

#include "summary/course.h"
#include "summary/history.h"

#include <string.h>

static void read_history(const char *text, size_t size, struct arena *arena)
{
    struct error err = ERROR_INIT;
    struct history history;
    if (!history_parse("h.jsonl", text, size, arena, &history, &err)) {
        fuzz_require_refusal(&err, ERROR_INPUT, ERROR_INPUT);
        return;
    }
    for (size_t i = 0; i < history.count; i++) {
        const struct history_night *night = &history.nights[i];
        fuzz_require(night->date != NULL && night->name != NULL && night->verdict != NULL);
        for (size_t g = 0; g < night->group_count; g++) {
            fuzz_touch(night->groups[g].where);
        }
    }
    if (history.count > 0) {
        const struct tolerance_set none = {NULL, 0};
        struct history_steps steps;
        fuzz_require(history_find_steps(&history, &history.nights[history.count - 1], &none, arena,
                                        &steps, &err));
    }
}

static void check_pair(const struct course *course, const struct course_pair *pair)
{
    for (size_t i = 0; i < COURSE_COMBINATIONS; i++) {
        const struct course_combination *one = &pair->combinations[i];
        fuzz_touch(one->message);
        for (size_t w = 0; one->weights != NULL && w < one->queries * one->tokens; w++) {
            fuzz_require(one->weights[w] <= 0 || one->weights[w] > 0 ||
                         one->weights[w] != one->weights[w]);
        }
    }
    fuzz_require(pair->corpus < course->corpus_count);
}

static void read_pair(const char *text, size_t size, struct course *course, struct arena *arena)
{
    struct error err = ERROR_INIT;
    if (course_read_pair("1.json", text, size, arena, course, &course->pairs[0], &err)) {
        struct course_moves moves;
        const struct tolerance_set none = {NULL, 0};
        check_pair(course, &course->pairs[0]);
        course->pair_count = 1;
        fuzz_require(course_compare(course, course, &none, arena, &moves, &err));
        fuzz_require(moves.pairs_moved == 0);
    } else {
        fuzz_require_refusal(&err, ERROR_INPUT, ERROR_INPUT);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct arena arena = {NULL};
    struct error err = ERROR_INIT;
    struct course course;
    const char *text = (const char *)bytes;
    const char *parted = size == 0 ? NULL : memchr(text, 0x1F, size);
    size_t first = parted == NULL ? size : (size_t)(parted - text);
    read_history(text, size, &arena);
    if (course_read_index("index.json", text, first, &arena, &course, &err)) {
        for (size_t i = 0; i < course.pair_count; i++) {
            fuzz_require(course_path_is_ours(course.pairs[i].path));
            fuzz_require(course.pairs[i].corpus < course.corpus_count);
        }
        if (parted != NULL && course.pair_count > 0) {
            read_pair(parted + 1, size - first - 1, &course, &arena);
        }
    } else {
        fuzz_require_refusal(&err, ERROR_INPUT, ERROR_INPUT);
    }
    arena_release(&arena);
    return 0;
}
