/* SPDX-License-Identifier: MIT */
/* Tests of attention/normalise: the reference rows, by hand, and the property that names them. */
#include "attention/normalise.h"
#include "base/random.h"
#include "support.h"
#include "table.h"

#define ROWS 20
#define COLUMNS 33

static double x[ROWS * COLUMNS];
static double out[ROWS * COLUMNS];

START_TEST(layer_rows_equal_the_reference)
{
    struct table table = table_read(TEST_REFERENCE_DIR "/layer_norm_rows.tsv");
    size_t compared = 0;
    for (size_t i = 0; i < table.count; i++) {
        const struct table_entry *entry = &table.entries[i];
        const struct table_entry *input = table_find(table, entry->row, "input");
        if (entry == input) {
            continue;
        }
        ck_assert(entry->count == input->count && input->count <= ROWS * COLUMNS);
        normalise_layer(1, input->count, atof(entry->column), input->values, out);
        for (size_t c = 0; c < entry->count; c++) {
            /* Zeros of the reference are exact; a centred row has 1e-16 there. */
            ck_assert_msg(support_near(out[c], entry->values[c], 1e-12, 1e-15),
                          "%s, epsilon %s: %.17g, expected %.17g", entry->row, entry->column,
                          out[c], entry->values[c]);
        }
        compared++;
    }
    ck_assert_uint_eq(compared, 26);
}
END_TEST

START_TEST(a_layer_row_has_mean_0_and_variance_v_over_v_plus_epsilon)
{
    random_normal_matrix(1, RANDOM_TEST, ROWS, COLUMNS, x);
    for (size_t i = 0; i < (size_t)ROWS * COLUMNS; i++) {
        x[i] = 0.01 * x[i] + 5;
    }
    normalise_layer(ROWS, COLUMNS, 1e-5, x, out);
    for (size_t i = 0; i < ROWS; i++) {
        double before = 0;
        double after = 0;
        double mean = 0;
        double raw_mean = 0;
        for (size_t c = 0; c < COLUMNS; c++) {
            mean += out[i * COLUMNS + c] / COLUMNS;
            raw_mean += x[i * COLUMNS + c] / COLUMNS;
        }
        for (size_t c = 0; c < COLUMNS; c++) {
            before += pow(x[i * COLUMNS + c] - raw_mean, 2) / COLUMNS;
            after += pow(out[i * COLUMNS + c], 2) / COLUMNS;
        }
        assert_within(mean, 0, 1e-15);
        assert_near(after, before / (before + 1e-5), 1e-11);
    }
}
END_TEST

START_TEST(layer_ignores_shift_and_scale)
{
    const double row[] = {1, 2, 4, 9};
    const double moved[] = {-1024 + 1 * 8, -1024 + 2 * 8, -1024 + 4 * 8, -1024 + 9 * 8};
    double first[4];
    double second[4];
    normalise_layer(1, 4, 0, row, first);
    normalise_layer(1, 4, 0, moved, second);
    for (size_t c = 0; c < 4; c++) {
        assert_near(second[c], first[c], 1e-15);
    }
    /* Mean 4, deviations -3 -2 0 5, variance 38 / 4. */
    assert_near(first[0], -3 / sqrt(9.5), 1e-15);
    assert_near(first[3], 5 / sqrt(9.5), 1e-15);
}
END_TEST

START_TEST(a_constant_row_gives_zeros_or_nan)
{
    for (size_t d = 1; d < COLUMNS; d++) {
        for (size_t c = 0; c < d; c++) {
            x[c] = 0.1;
        }
        normalise_layer(1, d, 1e-5, x, out);
        for (size_t c = 0; c < d; c++) {
            ck_assert(out[c] == 0);
        }
        normalise_layer(1, d, 0, x, out);
        ck_assert(isnan(out[0]));
    }
}
END_TEST

START_TEST(rms_rows_by_hand)
{
    const double row[] = {3, -4, 0, 0};
    normalise_rms(1, 4, 0, row, out);
    assert_near(out[0], 1.2, 1e-15);
    assert_near(out[1], -1.6, 1e-15);
    /* mean square 6.25, and 6.25 + 2.75 = 9 */
    normalise_rms(1, 4, 2.75, row, out);
    assert_near(out[0], 1, 1e-15);
    const double huge[] = {3e200, -4e200, 0, 0};
    normalise_rms(1, 4, 1e-5, huge, out);
    assert_near(out[1], -1.6, 1e-15);
    const double zeros[] = {0, 0};
    normalise_rms(1, 2, 1e-5, zeros, out);
    ck_assert(out[0] == 0);
    normalise_rms(1, 2, 0, zeros, out);
    ck_assert(isnan(out[0]));
}
END_TEST

START_TEST(rms_rows_have_unit_mean_square)
{
    random_normal_matrix(2, RANDOM_TEST, ROWS, COLUMNS, x);
    normalise_rms(ROWS, COLUMNS, 0, x, out);
    for (size_t i = 0; i < ROWS; i++) {
        double square = 0;
        for (size_t c = 0; c < COLUMNS; c++) {
            square += pow(out[i * COLUMNS + c], 2) / COLUMNS;
        }
        assert_near(square, 1, 1e-14);
    }
}
END_TEST

START_TEST(non_finite_rows_stay_non_finite_and_alone)
{
    const double rows[] = {1, (double)NAN, 3, 1, (double)INFINITY, 3, 1, 2, 3};
    normalise_layer(3, 3, 1e-5, rows, out);
    ck_assert(isnan(out[0]) && isnan(out[1]) && isnan(out[2]));
    ck_assert(isnan(out[3]) && isnan(out[4]) && isnan(out[5]));
    ck_assert(isfinite(out[6]) && isfinite(out[7]) && isfinite(out[8]));
    normalise_rms(3, 3, 1e-5, rows, out);
    ck_assert(isnan(out[0]) && isnan(out[4]) && isfinite(out[6]));
}
END_TEST

static Suite *suite(void)
{
    Suite *suite = suite_create("normalise");
    TCase *tests = tcase_create("normalise");
    tcase_add_test(tests, layer_rows_equal_the_reference);
    tcase_add_test(tests, a_layer_row_has_mean_0_and_variance_v_over_v_plus_epsilon);
    tcase_add_test(tests, layer_ignores_shift_and_scale);
    tcase_add_test(tests, a_constant_row_gives_zeros_or_nan);
    tcase_add_test(tests, rms_rows_by_hand);
    tcase_add_test(tests, rms_rows_have_unit_mean_square);
    tcase_add_test(tests, non_finite_rows_stay_non_finite_and_alone);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(void)
{
    return support_run(suite());
}
