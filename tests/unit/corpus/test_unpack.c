/* SPDX-License-Identifier: MIT */
/* Plain and gzip files, whole, cut and damaged. */
#include "corpus/unpack.h"

#include "base/arena.h"
#include "arena_fixture.h"

#include <stdio.h>
#include <string.h>
#include <zlib.h>

#define LARGE ((size_t)400000)
#define STEP ((size_t)30011)

/* Text that does not repeat soon, so that its gzip form is longer than one read. */
static char *large_text(void)
{
    char *text = arena_alloc(&arena, LARGE, 1, &err);
    ck_assert(text != NULL);
    uint32_t state = 1;
    for (size_t i = 0; i < LARGE; i++) {
        state = state * 1664525U + 1013904223U;
        text[i] = (char)('a' + (state >> 24) % 26);
    }
    return text;
}

static const char *gzip_file(const char *name, const char *bytes, size_t size)
{
    const char *path = support_path(name);
    gzFile file = gzopen(path, "wb");
    ck_assert(file != NULL);
    ck_assert_int_eq(gzwrite(file, bytes, (unsigned)size), (int)size);
    ck_assert_int_eq(gzclose(file), Z_OK);
    return path;
}

/* The whole file in steps of an odd size; NULL with `err` set where it cannot be had. */
static char *unpack(const char *path, size_t *size)
{
    struct unpack unpack;
    char *bytes = arena_alloc(&arena, LARGE + STEP, 1, &err);
    ck_assert(bytes != NULL);
    if (!unpack_open(&unpack, path, LARGE, &err)) {
        return NULL;
    }
    size_t got = 1;
    bool good = true;
    for (*size = 0; good && got > 0; *size += good ? got : 0) {
        good = unpack_read(&unpack, bytes + *size, STEP, &got, &err);
    }
    unpack_close(&unpack);
    return good ? bytes : NULL;
}

START_TEST(a_plain_file_is_read_as_it_is)
{
    size_t size = 0;
    const char *bytes = unpack(support_file("plain", "one\r\ntwo", 8), &size);
    ck_assert_msg(bytes != NULL, "%s", err.message);
    ck_assert_uint_eq(size, 8);
    ck_assert(memcmp(bytes, "one\r\ntwo", 8) == 0);
}
END_TEST

START_TEST(a_gzip_file_is_unpacked_across_many_reads)
{
    const char *text = large_text();
    size_t size = 0;
    const char *bytes = unpack(gzip_file("large.gz", text, LARGE), &size);
    ck_assert_msg(bytes != NULL, "%s", err.message);
    ck_assert_uint_eq(size, LARGE);
    ck_assert(memcmp(bytes, text, LARGE) == 0);
}
END_TEST

START_TEST(an_empty_file_is_empty)
{
    size_t size = 9;
    ck_assert(unpack(support_file("empty", "", 0), &size) != NULL);
    ck_assert_uint_eq(size, 0);
}
END_TEST

START_TEST(a_cut_gzip_file_is_an_error_wherever_it_is_cut)
{
    const char *path = gzip_file("cut.gz", large_text(), LARGE);
    size_t whole = 0;
    FILE *file = fopen(path, "rb");
    char *bytes = arena_alloc(&arena, LARGE, 1, &err);
    ck_assert(file != NULL && bytes != NULL);
    whole = fread(bytes, 1, LARGE, file);
    fclose(file);
    const size_t cuts[] = {5, 200, whole / 2, whole - 9, whole - 8, whole - 1};
    for (size_t i = 0; i < sizeof cuts / sizeof cuts[0]; i++) {
        size_t size = 0;
        err = (struct error)ERROR_INIT;
        ck_assert(unpack(support_file("cut2.gz", bytes, cuts[i]), &size) == NULL);
        assert_error(err, ERROR_INPUT, "cut2.gz' is a gzip file that ends too early");
    }
}
END_TEST

START_TEST(a_gzip_file_with_a_wrong_checksum_is_damaged)
{
    const char *path = gzip_file("bad.gz", "the cat sat", 11);
    char bytes[100];
    FILE *file = fopen(path, "rb");
    ck_assert(file != NULL);
    size_t whole = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    bytes[whole - 8] ^= 1; /* first byte of the CRC */
    size_t size = 0;
    ck_assert(unpack(support_file("bad2.gz", bytes, whole), &size) == NULL);
    assert_error(err, ERROR_INPUT, "bad2.gz' is a damaged gzip file");
}
END_TEST

/* "one two " as a gzip file, and `more` behind it. */
static const char *gzip_and(const char *more, size_t more_size)
{
    char bytes[1000];
    FILE *file = fopen(gzip_file("one.gz", "one two ", 8), "rb");
    ck_assert(file != NULL);
    size_t whole = fread(bytes, 1, 100, file);
    fclose(file);
    memcpy(bytes + whole, more, more_size);
    return support_file("more.gz", bytes, whole + more_size);
}

START_TEST(members_follow_each_other_as_one_text)
{
    /* So many that the bytes of one, wherever those read ahead end, are cut in every place. */
    char member[100];
    FILE *file = fopen(gzip_file("one.gz", "one two ", 8), "rb");
    ck_assert(file != NULL);
    size_t whole = fread(member, 1, sizeof member, file);
    fclose(file);
    const size_t count = 20000;
    char *bytes = arena_alloc(&arena, count, whole, &err);
    ck_assert(bytes != NULL && count * whole > (size_t)3 << 17);
    for (size_t i = 0; i < count; i++) {
        memcpy(bytes + i * whole, member, whole);
    }
    size_t size = 0;
    const char *text = unpack(support_file("many.gz", bytes, count * whole), &size);
    ck_assert_msg(text != NULL, "%s", err.message);
    ck_assert_uint_eq(size, count * 8);
    for (size_t i = 0; i < count; i++) {
        ck_assert(memcmp(text + i * 8, "one two ", 8) == 0);
    }
}
END_TEST

START_TEST(zeros_behind_the_last_member_are_no_text)
{
    static const char zeros[512] = "";
    static const size_t counts[] = {1, 2, 512};
    for (size_t i = 0; i < 3; i++) {
        size_t size = 0;
        const char *text = unpack(gzip_and(zeros, counts[i]), &size);
        ck_assert_msg(text != NULL, "%s", err.message);
        ck_assert_uint_eq(size, 8);
        ck_assert(memcmp(text, "one two ", 8) == 0);
    }
}
END_TEST

START_TEST(other_bytes_behind_the_last_member_are_refused)
{
    static const char *const bytes[] = {"x", "three four\n", "\0\0\0three", "\037", "\037\213"};
    static const size_t sizes[] = {1, 11, 8, 1, 2};
    for (size_t i = 0; i < 5; i++) {
        size_t size = 0;
        err = (struct error)ERROR_INIT;
        ck_assert(unpack(gzip_and(bytes[i], sizes[i]), &size) == NULL);
        /* The last begins another member, of which no more is there. */
        assert_error(err, ERROR_INPUT,
                     i == 4 ? "more.gz' is a gzip file that ends too early"
                            : "more.gz' is a gzip file with other bytes behind its end; copy or "
                              "download it again, or use what 'gunzip -c' makes of it");
    }
}
END_TEST

START_TEST(more_text_than_the_limit_is_refused_plain_or_packed)
{
    char *text = arena_alloc(&arena, LARGE + 1, 1, &err);
    ck_assert(text != NULL);
    memset(text, 'a', LARGE + 1);
    size_t size = 0;
    ck_assert(unpack(gzip_file("bomb.gz", text, LARGE + 1), &size) == NULL);
    assert_error(err, ERROR_INPUT, "bomb.gz' holds more than 400000 bytes");
    err = (struct error)ERROR_INIT;
    ck_assert(unpack(support_file("long.txt", text, LARGE + 1), &size) == NULL);
    assert_error(err, ERROR_INPUT, "long.txt' holds more than 400000 bytes");
}
END_TEST

START_TEST(a_missing_file_and_a_folder_are_named)
{
    size_t size = 0;
    ck_assert(unpack("no/such/file.txt", &size) == NULL);
    assert_error(err, ERROR_INPUT, "cannot open 'no/such/file.txt'");
    err = (struct error)ERROR_INIT;
    ck_assert(unpack(support_folder(), &size) == NULL);
    assert_error(err, ERROR_INPUT, "is a folder");
}
END_TEST

static Suite *unpack_suite(void)
{
    Suite *suite = suite_create("unpack");
    TCase *cases = tcase_create("unpack");
    tcase_add_checked_fixture(cases, set_up, tear_down);
    tcase_add_test(cases, a_plain_file_is_read_as_it_is);
    tcase_add_test(cases, a_gzip_file_is_unpacked_across_many_reads);
    tcase_add_test(cases, an_empty_file_is_empty);
    tcase_add_test(cases, a_cut_gzip_file_is_an_error_wherever_it_is_cut);
    tcase_add_test(cases, a_gzip_file_with_a_wrong_checksum_is_damaged);
    tcase_add_test(cases, members_follow_each_other_as_one_text);
    tcase_add_test(cases, zeros_behind_the_last_member_are_no_text);
    tcase_add_test(cases, other_bytes_behind_the_last_member_are_refused);
    tcase_add_test(cases, more_text_than_the_limit_is_refused_plain_or_packed);
    tcase_add_test(cases, a_missing_file_and_a_folder_are_named);
    suite_add_tcase(suite, cases);
    return suite;
}

int main(void)
{
    return support_run(unpack_suite());
}
