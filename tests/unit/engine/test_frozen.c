/* SPDX-License-Identifier: MIT */
/* Tests src/engine/frozen.c: copies that stand for the files a sweep names. */
#include "engine_fixture.h"

#include "base/hash.h"

#include <sys/stat.h>

static const double four[] = {1, 2, 3, 4};
static const double other[] = {5, 6, 7, 8};

/* A run on the array x.npy of the support folder. */
static struct run array_run(const char *x)
{
    struct run run = run_default();
    run.source = SOURCE_ARRAYS;
    run.position = POSITION_NONE;
    run.x = x;
    run.given |= UINT64_C(1) << RUN_X;
    return run;
}

static const char *digest_of(const char *x)
{
    struct run run = array_run(x);
    struct engine *engine = open_runs(&run, 1, support_folder(), &arena, &err);
    ck_assert_msg(engine != NULL, "%s", err.message);
    return run.x_digest;
}

START_TEST(a_copy_is_named_by_the_hash_of_the_name)
{
    uint8_t digest[HASH_SIZE];
    char hex[HASH_HEX_SIZE];
    char wanted[128];
    hash_bytes("x.npy", 5, digest);
    hash_hex(digest, hex);
    snprintf(wanted, sizeof wanted, "exp/inputs/%s", hex);
    ck_assert_str_eq(engine_frozen("exp", "x.npy", &arena, &err), wanted);
}
END_TEST

START_TEST(a_copy_hides_the_original_and_serves_without_it)
{
    const char *original = fixture_npy("x.npy", 0, 2, 2, four);
    const char *before = digest_of("x.npy");
    mkdir(support_path("inputs"), 0777);
    const char *copy = engine_frozen(support_folder(), "x.npy", &arena, &err);
    ck_assert_int_eq(rename(original, copy), 0);
    ck_assert_str_eq(digest_of("x.npy"), before);
    fixture_npy("x.npy", 0, 2, 2, other);
    ck_assert_str_eq(digest_of("x.npy"), before);
    ck_assert_int_eq(remove(copy), 0);
    ck_assert_str_ne(digest_of("x.npy"), before);
}
END_TEST

START_TEST(files_are_listed_by_name_and_place)
{
    size_t count;
    fixture_npy("y.npy", 0, 2, 2, four);
    struct run run = array_run("y.npy");
    struct engine *engine = open_runs(&run, 1, support_folder(), &arena, &err);
    ck_assert_msg(engine != NULL, "%s", err.message);
    const struct engine_file *files = engine_files(engine, &arena, &count, &err);
    ck_assert_ptr_nonnull(files);
    ck_assert_uint_eq(count, 1);
    ck_assert_str_eq(files[0].name, "y.npy");
    ck_assert_str_eq(files[0].path, support_path("y.npy"));
}
END_TEST

START_TEST(colons_alone_end)
{
    struct run run = array_run(":::");
    ck_assert_ptr_null(open_runs(&run, 1, support_folder(), &arena, &err));
    assert_error(err, ERROR_INPUT, "no file");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("frozen");
    TCase *cases = tcase_create("frozen");
    tcase_add_checked_fixture(cases, fixture_set_up, fixture_tear_down);
    tcase_add_test(cases, a_copy_is_named_by_the_hash_of_the_name);
    tcase_add_test(cases, a_copy_hides_the_original_and_serves_without_it);
    tcase_add_test(cases, files_are_listed_by_name_and_place);
    tcase_add_test(cases, colons_alone_end);
    suite_add_tcase(suite, cases);
    return support_run(suite);
}
