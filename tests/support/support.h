/* SPDX-License-Identifier: MIT */
/* What every unit test shares: a main, number comparison, scratch folders. */
#ifndef SUPPORT_H
#define SUPPORT_H

#include "base/arena.h"
#include "base/processor.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>

/* |a - b| <= absolute + relative * |b|; equal infinities and two NaN are near. */
static inline bool support_near(double a, double b, double relative, double absolute)
{
    if (isnan(a) || isnan(b)) {
        return isnan(a) && isnan(b);
    }
    return a == b || fabs(a - b) <= absolute + relative * fabs(b);
}

#define assert_near(a, b, relative)                                                                \
    do {                                                                                           \
        double assert_a = (a), assert_b = (b);                                                     \
        ck_assert_msg(support_near(assert_a, assert_b, relative, 0), "%s = %.17g, expected %.17g", \
                      #a, assert_a, assert_b);                                                     \
    } while (0)

#define assert_within(a, b, absolute)                                                              \
    do {                                                                                           \
        double assert_a = (a), assert_b = (b);                                                     \
        ck_assert_msg(support_near(assert_a, assert_b, 0, absolute), "%s = %.17g, expected %.17g", \
                      #a, assert_a, assert_b);                                                     \
    } while (0)

/* The error holds this text. */
#define assert_error(err, wanted_code, wanted_text)                                                \
    do {                                                                                           \
        ck_assert_msg((err).code == (wanted_code), "code %d: %s", (int)(err).code, (err).message); \
        ck_assert_msg(strstr((err).message, (wanted_text)) != NULL, "message: %s", (err).message); \
    } while (0)

#define assert_ok(call, err) ck_assert_msg((call), "%s", (err).message)

/* A fresh folder, removed with its content when the test program ends. */
const char *support_folder(void);

/* A path in that folder; static storage, valid for the next seven calls. */
const char *support_path(const char *name);

/* Writes a file there and returns its path. */
const char *support_file(const char *name, const char *bytes, size_t size);

/* Runs the suite and returns the exit status; failure as well when no test ran. */
int support_run(Suite *suite);

/* The same under every level of base/processor.h that this machine has, one after the other. */
int support_run_levels(Suite *(*make)(void));

/* Makes a level the one in use; false where this machine lacks it. */
bool support_use_level(enum processor_level level);

#endif
