/* SPDX-License-Identifier: MIT */
/* The checksum line behind a results file. */
#include "support.h"

#include "store/seal.h"

#include <stdio.h>
#include <string.h>

static char bytes[8192];

START_TEST(the_seal_is_what_sha256sum_prints)
{
    /* printf abc | sha256sum */
    memcpy(bytes, "abc", 3);
    seal_put(bytes, 3);
    ck_assert_uint_eq(SEAL_SIZE, 80);
    ck_assert_mem_eq(bytes + 3,
                     "\nrowmax sha256 "
                     "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad\n",
                     SEAL_SIZE);
}
END_TEST

START_TEST(a_sealed_file_passes_with_bytes_behind_it_or_without)
{
    struct error err = ERROR_INIT;
    bool sealed = false;
    memset(bytes, 7, sizeof bytes);
    seal_put(bytes, 1000);
    assert_ok(seal_check(bytes, 1000 + SEAL_SIZE, &sealed, &err), err);
    ck_assert(sealed);
    assert_ok(seal_check(bytes, 1000 + SEAL_SIZE + 10, &sealed, &err), err);
    ck_assert(sealed);
}
END_TEST

START_TEST(the_end_of_the_seal_is_found)
{
    memset(bytes, 7, sizeof bytes);
    ck_assert_uint_eq(seal_end(bytes, sizeof bytes), 0);
    seal_put(bytes, 1000);
    ck_assert_uint_eq(seal_end(bytes, 1000 + SEAL_SIZE), 1000 + SEAL_SIZE);
    ck_assert_uint_eq(seal_end(bytes, 1000 + SEAL_SIZE + 10), 1000 + SEAL_SIZE);
    ck_assert_uint_eq(seal_end(bytes, 1000 + SEAL_SIZE - 1), 0);
}
END_TEST

START_TEST(a_file_without_a_seal_passes)
{
    struct error err = ERROR_INIT;
    bool sealed = true;
    assert_ok(seal_check("", 0, &sealed, &err), err);
    assert_ok(seal_check("some other file", 15, &sealed, &err), err);
    memset(bytes, 7, sizeof bytes);
    assert_ok(seal_check(bytes, sizeof bytes, &sealed, &err), err);
    ck_assert(!sealed);
}
END_TEST

START_TEST(a_flipped_bit_anywhere_or_a_cut_is_refused)
{
    bool sealed;
    memset(bytes, 7, sizeof bytes);
    seal_put(bytes, 1000);
    for (size_t at = 0; at < 1000; at += 37) {
        struct error err = ERROR_INIT;
        bytes[at] ^= 1;
        ck_assert(!seal_check(bytes, 1000 + SEAL_SIZE, &sealed, &err));
        assert_error(err, ERROR_FILE, "does not match its checksum");
        bytes[at] ^= 1;
    }
    for (size_t cut = 1; cut < HASH_HEX_SIZE; cut++) {
        struct error err = ERROR_INIT;
        ck_assert(!seal_check(bytes, 1000 + SEAL_SIZE - cut, &sealed, &err));
        assert_error(err, ERROR_FILE, "its last line is cut");
    }
}
END_TEST

static Suite *seal_suite(void)
{
    Suite *suite = suite_create("store/seal");
    TCase *cases = tcase_create("seal");
    tcase_add_test(cases, the_seal_is_what_sha256sum_prints);
    tcase_add_test(cases, a_sealed_file_passes_with_bytes_behind_it_or_without);
    tcase_add_test(cases, the_end_of_the_seal_is_found);
    tcase_add_test(cases, a_file_without_a_seal_passes);
    tcase_add_test(cases, a_flipped_bit_anywhere_or_a_cut_is_refused);
    suite_add_tcase(suite, cases);
    return suite;
}

int main(void)
{
    return support_run(seal_suite());
}
