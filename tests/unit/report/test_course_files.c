/* SPDX-License-Identifier: MIT */
/* Tests src/report/course_files.c and course_text.c: a folder that reads back as it was, and what
 * happens to what was there. */
#include "base/files.h"
#include "report/course_files.h"
#include "arena_fixture.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const double kept_weights[4] = {1, 0, 0.1, 0.9};

struct exported {
    struct result list[24];
    struct result_set set;
    struct selection selection;
    struct course course;
};
static size_t removed;

/* `pairs` pairs of seeds 1, 2, ...; of the first, run 3 keeps weights and run 7 failed. */
static struct exported *make(const char *corpus, size_t pairs)
{
    struct exported *all = arena_alloc(&arena, 1, sizeof *all, &err);
    for (size_t i = 0; i < 8 * pairs; i++) {
        struct result *row = &all->list[i];
        row->index = (int64_t)i;
        row->message = "";
        row->run = run_default();
        row->run.corpus = corpus;
        row->run.sentence = "cat \"sat\"";
        row->run.seed = 1 + (int64_t)(i / 8);
        row->run.guard_init = i % 2 == 1;
        row->run.guard_scale = i / 2 % 2 == 1;
        row->run.guard_norm = i / 4 % 2 == 1;
        row->measurement.tokens = 2;
        row->measurement.row_max_mean = 0.1 * (double)i;
    }
    all->list[3].kept =
        (struct kept){.queries = 2, .tokens = 2, .weights = kept_weights, .words = "cat \"sat\""};
    all->list[3].measurement.queries = 2;
    all->list[3].measurement.log_one_minus_row_max_mean = -(double)INFINITY;
    all->list[7].status = RESULT_FAILED;
    all->list[7].message = "no <scores>";
    all->list[7].measurement.row_max_mean = (double)NAN;
    all->set = (struct result_set){.name = "x",
                                   .title = "X",
                                   .sweep_text = "",
                                   .planned = (int64_t)(8 * pairs),
                                   .whole = all->list,
                                   .count = 8 * pairs};
    assert_ok(selection_make(&all->set, NULL, 0, &arena, &all->selection, &err), err);
    assert_ok(course_make(&all->set, &all->selection, &arena, &all->course, &err), err);
    return all;
}

static const char *path_of(const char *folder, const char *name)
{
    return arena_format(&arena, &err, "%s/%s", folder, name);
}

static struct course read_back(const char *folder)
{
    struct course course;
    size_t size = 0;
    const char *index = path_of(folder, COURSE_INDEX);
    const char *text = files_read(index, COURSE_FILE_LIMIT, &arena, &size, &err);
    assert_ok(text != NULL, err);
    assert_ok(course_read_index(index, text, size, &arena, &course, &err), err);
    for (size_t p = 0; p < course.pair_count; p++) {
        const char *path = path_of(folder, course.pairs[p].path);
        text = files_read(path, COURSE_FILE_LIMIT, &arena, &size, &err);
        assert_ok(text != NULL, err);
        assert_ok(course_read_pair(path, text, size, &arena, &course, &course.pairs[p], &err), err);
    }
    return course;
}

static void assert_nothing_moved(const struct course *before, const struct course *after)
{
    struct course_moves moves;
    assert_ok(course_compare(before, after, NULL, &arena, &moves, &err), err);
    ck_assert_uint_eq(moves.count, 0);
    ck_assert_uint_eq(moves.pairs, before->pair_count);
}

START_TEST(what_is_written_reads_back_as_it_was)
{
    const struct exported *all = make("a/\"B\"", 3);
    const char *folder = support_path("back");
    assert_ok(course_write(&all->course, NULL, folder, &removed, &arena, &err), err);
    struct course course = read_back(folder);
    assert_nothing_moved(&course, &all->course);
    ck_assert_str_eq(course.corpora[0].name, "a/\"B\"");
    ck_assert_str_eq(course.pairs[0].words, "cat \"sat\"");
    ck_assert_str_eq(course.pairs[0].combinations[7].message, "no <scores>");
    ck_assert_ptr_null(course.pairs[0].combinations[2].weights);
    assert_near(course.pairs[0].combinations[3].weights[3], 0.9, 0);
    assert_near(course.pairs[0].combinations[3].measures[MEASURE_LOG_ONE_MINUS_ROW_MAX_MEAN],
                -(double)INFINITY, 0);
}
END_TEST

START_TEST(old_pairs_go_and_other_files_stay)
{
    const char *folder = support_path("old");
    const struct exported *before = make("demo", 3);
    assert_ok(course_write(&before->course, NULL, folder, &removed, &arena, &err), err);
    assert_ok(files_replace(path_of(folder, "demo/notes.txt"), "x", 1, &err), err);
    assert_ok(files_replace(path_of(folder, "demo/9.json"), "x", 1, &err), err);
    struct course old = read_back(folder);
    const struct exported *after = make("demo", 1);
    assert_ok(course_write(&after->course, &old, folder, &removed, &arena, &err), err);
    ck_assert(files_exists(path_of(folder, "demo/1.json")));
    ck_assert_uint_eq(removed, 2);
    ck_assert(!files_exists(path_of(folder, "demo/2.json")));
    ck_assert(!files_exists(path_of(folder, "demo/3.json")));
    ck_assert(files_exists(path_of(folder, "demo/notes.txt")));
    ck_assert(files_exists(path_of(folder, "demo/9.json")));
    /* The folder of a corpus that is left empty goes as well. */
    const struct exported *other = make("other", 1);
    old = read_back(folder);
    unlink(path_of(folder, "demo/notes.txt"));
    unlink(path_of(folder, "demo/9.json"));
    assert_ok(course_write(&other->course, &old, folder, &removed, &arena, &err), err);
    ck_assert_uint_eq(removed, 1);
    ck_assert(!files_exists(path_of(folder, "demo")));
    ck_assert_uint_eq(read_back(folder).pair_count, 1);
}
END_TEST

/* A folder stands where the stage is to be a folder of files: nothing can be written. */
START_TEST(a_failure_leaves_the_earlier_export_whole)
{
    const char *folder = support_path("kept");
    const struct exported *before = make("demo", 2);
    assert_ok(course_write(&before->course, NULL, folder, &removed, &arena, &err), err);
    struct course old = read_back(folder);
    const char *stage = arena_format(&arena, &err, "%s/.export.tmp.%ld", folder, (long)getpid());
    ck_assert_int_eq(mkdir(stage, 0777), 0);
    ck_assert_int_eq(mkdir(path_of(stage, "1"), 0777), 0);
    struct exported *after = make("demo", 2);
    after->course.pairs[0].combinations[0].measures[MEASURE_ROW_MAX_MEAN] = 0.75;
    ck_assert(!course_write(&after->course, &old, folder, &removed, &arena, &err));
    assert_error(err, ERROR_FILE, "demo/2.json");
    err = (struct error)ERROR_INIT;
    struct course still = read_back(folder);
    assert_nothing_moved(&before->course, &still);
    ck_assert(!files_exists(path_of(stage, "0")));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("report/course_files");
    TCase *tests = tcase_create("course_files");
    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_test(tests, what_is_written_reads_back_as_it_was);
    tcase_add_test(tests, old_pairs_go_and_other_files_stay);
    tcase_add_test(tests, a_failure_leaves_the_earlier_export_whole);
    suite_add_tcase(suite, tests);
    return support_run(suite);
}
