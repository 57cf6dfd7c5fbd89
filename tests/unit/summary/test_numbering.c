/* SPDX-License-Identifier: MIT */
/* Tests src/summary/numbering.c: equal things get one number, in order of appearance. */
#include "summary/summary_internal.h"
#include "support.h"

static bool same_letter(const void *context, size_t a, size_t b)
{
    const char *letters = context;
    return letters[a] == letters[b];
}

START_TEST(things_are_numbered_as_they_appear)
{
    static const char letters[] = "cabacb";
    static const size_t expected[] = {0, 1, 2, 1, 0, 2};
    struct arena arena = {NULL};
    struct error err = ERROR_INIT;
    struct numbering numbering;
    assert_ok(numbering_create(&numbering, 6, &arena, &err), err);
    for (size_t i = 0; i < 6; i++) {
        size_t number = numbering_of(&numbering, i, (uint64_t)letters[i], same_letter, letters);
        ck_assert_uint_eq(number, expected[i]);
    }
    ck_assert_uint_eq(numbering.count, 3);
    ck_assert_uint_eq(numbering.first[2], 2);
    arena_release(&arena);
}
END_TEST

static bool same_index(const void *context, size_t a, size_t b)
{
    (void)context;
    return a == b;
}

START_TEST(different_things_with_one_hash_stay_apart)
{
    struct arena arena = {NULL};
    struct error err = ERROR_INIT;
    struct numbering numbering;
    assert_ok(numbering_create(&numbering, 500, &arena, &err), err);
    for (size_t i = 0; i < 500; i++) {
        ck_assert_uint_eq(numbering_of(&numbering, i, 7, same_index, NULL), i);
    }
    ck_assert_uint_eq(numbering_of(&numbering, 321, 7, same_index, NULL), 321);
    arena_release(&arena);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("numbering");
    TCase *cases = tcase_create("numbering");
    tcase_add_test(cases, things_are_numbered_as_they_appear);
    tcase_add_test(cases, different_things_with_one_hash_stay_apart);
    suite_add_tcase(suite, cases);
    return support_run(suite);
}
