/* SPDX-License-Identifier: MIT */
/* base/trial: a reader that crashes or never ends costs a child, not us. */
#include "base/trial.h"
#include "support.h"

#include <signal.h>
#include <string.h>

static void read_well(const void *context)
{
    (void)context;
}

static void read_and_die(const void *context)
{
    (void)context;
    raise(SIGKILL);
}

static void read_and_leave(const void *context)
{
    (void)context;
    _Exit(3);
}

START_TEST(a_reader_that_returns_is_survived)
{
    struct error err = ERROR_INIT;
    assert_ok(trial_survived(read_well, NULL, "x.h5", &err), err);
}
END_TEST

START_TEST(a_reader_that_dies_or_leaves_is_an_error)
{
    struct error err = ERROR_INIT;
    ck_assert(!trial_survived(read_and_die, NULL, "x.h5", &err));
    assert_error(err, ERROR_FILE, "cannot read 'x.h5': it is damaged");
    err = (struct error)ERROR_INIT;
    ck_assert(!trial_survived(read_and_leave, NULL, "x.h5", &err));
    assert_error(err, ERROR_FILE, "it is damaged");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("base/trial");
    TCase *tests = tcase_create("trial");
    tcase_add_test(tests, a_reader_that_returns_is_survived);
    tcase_add_test(tests, a_reader_that_dies_or_leaves_is_an_error);
    suite_add_tcase(suite, tests);
    return support_run(suite);
}
