/* SPDX-License-Identifier: MIT */
/* base/arena: zeroed and aligned memory, overflow and shortage as errors, reset and growth. */
#include "support.h"

#include <stdint.h>
#include <string.h>

START_TEST(memory_is_zeroed_and_aligned)
{
    struct arena arena = {NULL};
    struct error err = ERROR_INIT;
    for (size_t size = 1; size < 100000; size = size * 3 + 1) {
        unsigned char *bytes = arena_alloc(&arena, size, 1, &err);
        assert_ok(bytes != NULL, err);
        ck_assert_uint_eq((uintptr_t)bytes % 64, 0);
        for (size_t i = 0; i < size; i++) {
            ck_assert_uint_eq(bytes[i], 0);
        }
        memset(bytes, 0xA5, size);
    }
    arena_release(&arena);
}
END_TEST

START_TEST(memory_used_again_after_a_reset_is_zeroed)
{
    struct arena arena = {NULL};
    struct error err = ERROR_INIT;
    unsigned char *first = arena_alloc(&arena, 1000, 1, &err);
    memset(first, 0xFF, 1000);
    arena_reset(&arena);
    unsigned char *second = arena_alloc(&arena, 1000, 1, &err);
    ck_assert_ptr_eq(first, second);
    for (size_t i = 0; i < 1000; i++) {
        ck_assert_uint_eq(second[i], 0);
    }
    arena_release(&arena);
}
END_TEST

/* Blocks grow up to 64 MB, so that the one after a larger one is smaller. Nothing is written there.
 */
START_TEST(a_reset_keeps_the_largest_block)
{
    struct arena arena = {NULL};
    struct error err = ERROR_INIT;
    const size_t large = (size_t)65 << 20;
    void *first = arena_alloc_raw(&arena, large, 1, &err);
    ck_assert_ptr_nonnull(first);
    ck_assert_ptr_nonnull(arena_alloc_raw(&arena, 1000, 1, &err));
    arena_reset(&arena);
    ck_assert_ptr_eq(arena_alloc_raw(&arena, large, 1, &err), first);
    arena_release(&arena);
}
END_TEST

START_TEST(a_product_that_overflows_is_an_error)
{
    struct arena arena = {NULL};
    struct error err = ERROR_INIT;
    ck_assert_ptr_null(arena_alloc(&arena, SIZE_MAX / 2, 3, &err));
    assert_error(err, ERROR_INTERNAL, "more than memory can hold");
    arena_release(&arena);
}
END_TEST

static void *no_memory(size_t bytes)
{
    (void)bytes;
    return NULL;
}

START_TEST(a_system_without_memory_is_an_error)
{
    struct arena arena = {NULL};
    struct error err = ERROR_INIT;
    arena_system_alloc = no_memory;
    ck_assert_ptr_null(arena_copy_text(&arena, "text", &err));
    assert_error(err, ERROR_INTERNAL, "out of memory");
    arena_system_alloc = malloc;
}
END_TEST

START_TEST(growing_keeps_what_was_there)
{
    struct arena arena = {NULL};
    struct error err = ERROR_INIT;
    int *numbers = NULL;
    size_t capacity = 0;
    for (int i = 0; i < 1000; i++) {
        numbers = arena_grow(&arena, numbers, (size_t)i, &capacity, sizeof *numbers, &err);
        ck_assert_ptr_nonnull(numbers);
        numbers[i] = i;
    }
    for (int i = 0; i < 1000; i++) {
        ck_assert_int_eq(numbers[i], i);
    }
    arena_release(&arena);
}
END_TEST

START_TEST(text_is_copied_and_formatted)
{
    struct arena arena = {NULL};
    struct error err = ERROR_INIT;
    ck_assert_str_eq(arena_copy_text(&arena, "abc", &err), "abc");
    ck_assert_str_eq(arena_copy_bytes(&arena, "abcdef", 2, &err), "ab");
    ck_assert_str_eq(arena_format(&arena, &err, "%s-%d", "x", 5), "x-5");
    arena_release(&arena);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("arena");
    TCase *tests = tcase_create("arena");
    tcase_add_test(tests, memory_is_zeroed_and_aligned);
    tcase_add_test(tests, memory_used_again_after_a_reset_is_zeroed);
    tcase_add_test(tests, a_reset_keeps_the_largest_block);
    tcase_add_test(tests, a_product_that_overflows_is_an_error);
    tcase_add_test(tests, a_system_without_memory_is_an_error);
    tcase_add_test(tests, growing_keeps_what_was_there);
    tcase_add_test(tests, text_is_copied_and_formatted);
    suite_add_tcase(suite, tests);
    return support_run(suite);
}
