/* SPDX-License-Identifier: MIT */
/* What the values of options mean; cluster and export have files of their own. */
#include "cli/options.h"

#include "base/text.h"
#include "engine/shard.h"
#include "report/report.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#define MOST_TOKENS 1048576
#define LARGEST_SPREAD 1e300

static bool bad_value(const struct option_row *row, const char *value, struct error *err)
{
    const char *shown = value[0] == '\0' ? "''" : value;
    return error_set(err, ERROR_USAGE, "--%s %s: not a value it takes; %s", row->name, shown,
                     row->help);
}

static bool set_count(const struct option_row *row, const char *value, uint64_t most, uint64_t *out,
                      struct error *err)
{
    int64_t number;
    if (!text_to_integer(value, &number) || number < 1 || (uint64_t)number > most) {
        return bad_value(row, value, err);
    }
    *out = (uint64_t)number;
    return true;
}

/* The place of the value among the names that the option takes. */
static bool set_choice(const struct option_row *row, const char *value, int *out, struct error *err)
{
    const char *const *names = option_names(row->bit);
    for (int i = 0; names[i] != NULL; i++) {
        if (strcmp(value, names[i]) == 0) {
            *out = i;
            return true;
        }
    }
    return bad_value(row, value, err);
}

static bool set_progress(const struct option_row *row, const char *value, enum progress_mode *out,
                         struct error *err)
{
    int place = 0;
    bool good = set_choice(row, value, &place, err);
    *out = (enum progress_mode)place;
    return good;
}

static bool set_layout(const struct option_row *row, const char *value, enum layout *out,
                       struct error *err)
{
    int place = 0;
    bool good = set_choice(row, value, &place, err);
    *out = (enum layout)place;
    return good;
}

static bool set_spread(const struct option_row *row, const char *value, double *out,
                       struct error *err)
{
    double number;
    if (!text_to_real(value, &number) || number < 0 || number > LARGEST_SPREAD) {
        return bad_value(row, value, err);
    }
    *out = fabs(number); /* -0 is 0 */
    return true;
}

static bool set_formats(const struct option_row *row, const char *value, unsigned *out,
                        struct error *err)
{
    static const unsigned bits[] = {REPORT_SVG, REPORT_PNG, REPORT_PDF};
    const char *rest = value;
    *out = 0;
    for (;;) {
        size_t length = strcspn(rest, ",");
        unsigned bit = 0;
        for (size_t i = 0; i < sizeof bits / sizeof bits[0]; i++) {
            bool same = strlen(picture_names[i]) == length;
            bit |= same && memcmp(picture_names[i], rest, length) == 0 ? bits[i] : 0;
        }
        if (bit == 0) {
            return bad_value(row, value, err);
        }
        *out |= bit;
        if (rest[length] == '\0') {
            return true;
        }
        rest += length + 1;
    }
}

/* "3/64"; 64/64 is a likely slip of who counts from 1. */
static bool set_shard(const struct option_row *row, const char *value, struct shard *out,
                      struct error *err)
{
    char first[32] = "";
    const char *slash = strchr(value, '/');
    int64_t index = -1;
    int64_t count = 0;
    if (slash != NULL && (size_t)(slash - value) < sizeof first) {
        memcpy(first, value, (size_t)(slash - value));
    }
    if (slash == NULL || !text_to_integer(first, &index) || !text_to_integer(slash + 1, &count) ||
        index < 0 || count <= index || count > SHARD_LIMIT) {
        return bad_value(row, value, err);
    }
    *out = (struct shard){(size_t)index, (size_t)count};
    return true;
}

static bool set_seconds(const struct option_row *row, const char *value, double *out,
                        struct error *err)
{
    double number;
    if (!text_to_real(value, &number) || number <= 0) {
        return bad_value(row, value, err);
    }
    *out = number;
    return true;
}

static bool set_recover(const char *value, const char **out, struct error *err)
{
    *out = value;
    return (value[0] != '\0' && strcmp(value, "-") != 0) ||
           error_set(err, ERROR_USAGE, "--recover '%s': name a new file", value);
}

/* The options without a value. */
static bool *switch_of(uint64_t bit, struct options *out)
{
    switch (bit) {
    case OPTION_FRESH:
        return &out->fresh;
    case OPTION_RETRY_FAILED:
        return &out->retry_failed;
    case OPTION_FAIL_FAST:
        return &out->fail_fast;
    case OPTION_REPORT:
        return &out->report;
    case OPTION_LIST:
        return &out->list;
    case OPTION_GITHUB:
        return &out->github;
    case OPTION_STRICT_HOST:
        return &out->strict_host;
    case OPTION_STRICT_BASELINE:
        return &out->strict_baseline;
    case OPTION_FAIL_ON_IMPROVEMENT:
        return &out->fail_on_improvement;
    case OPTION_WHY:
        return &out->why;
    case OPTION_PARTIAL:
        return &out->partial;
    case OPTION_PROVENANCE:
        return &out->provenance;
    case OPTION_VERIFY:
        return &out->verify;
    case OPTION_REQUIRE_PROVENANCE:
        return &out->require_provenance;
    case OPTION_TIMING:
        return &out->timing;
    case OPTION_FORCE:
        return &out->force;
    case OPTION_NO_LOCK:
        return &out->no_lock;
    case OPTION_VERBOSE:
        return &out->verbose;
    default:
        assert(bit == OPTION_QUIET);
        return &out->quiet;
    }
}

#define PATH_OPTIONS                                                                               \
    (OPTION_AGAINST | OPTION_TOLERANCE | OPTION_JSON | OPTION_JUNIT | OPTION_HISTORY)

static const char **path_of(uint64_t bit, struct options *out)
{
    switch (bit) {
    case OPTION_AGAINST:
        return &out->against;
    case OPTION_TOLERANCE:
        return &out->tolerance;
    case OPTION_JSON:
        return &out->json;
    case OPTION_JUNIT:
        return &out->junit;
    default:
        assert(bit == OPTION_HISTORY);
        return &out->history;
    }
}

static bool set_path(const struct option_row *row, const char *value, struct options *out,
                     struct error *err)
{
    bool dash = strcmp(value, "-") == 0;
    *path_of(row->bit, out) = value;
    if (value[0] == '\0' || (dash && (row->bit & (OPTION_AGAINST | OPTION_HISTORY)) != 0)) {
        return error_set(err, ERROR_USAGE, "--%s '%s': name a file", row->name, value);
    }
    return true;
}

/* YYYY-MM-DD, a day that there is. */
static bool set_date(const struct option_row *row, const char *value, const char **out,
                     struct error *err)
{
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    *out = value;
    for (size_t i = 0; i < 10; i++) {
        bool dash = i == 4 || i == 7;
        if (dash ? value[i] != '-' : value[i] < '0' || value[i] > '9') {
            return bad_value(row, value, err);
        }
    }
    int year =
        (value[0] - '0') * 1000 + (value[1] - '0') * 100 + (value[2] - '0') * 10 + value[3] - '0';
    int month = (value[5] - '0') * 10 + value[6] - '0';
    int day = (value[8] - '0') * 10 + value[9] - '0';
    bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    bool good = value[10] == '\0' && month >= 1 && month <= 12 && day >= 1 &&
                day <= days[month - 1] + (leap && month == 2 ? 1 : 0);
    return good || bad_value(row, value, err);
}

bool option_apply(const struct option_row *row, const char *value, struct options *out,
                  struct error *err)
{
    uint64_t number = 0;
    switch (row->bit) {
    case OPTION_OUTPUT:
        out->output = value;
        return true;
    case OPTION_JOBS:
        if (!set_count(row, value, 1024, &number, err)) {
            return false;
        }
        out->jobs = (size_t)number;
        return true;
    case OPTION_SET:
        out->sets[out->set_count++] = value;
        return true;
    case OPTION_FORMAT:
        return set_formats(row, value, &out->formats, err);
    case OPTION_MAX_RUNS:
        return set_count(row, value, 100000000, &out->max_runs, err);
    case OPTION_TOKENS:
        return set_count(row, value, MOST_TOKENS, &out->tokens, err);
    case OPTION_SPREAD:
        return set_spread(row, value, &out->spread, err);
    case OPTION_WEIGHTS:
        out->weights = value;
        return true;
    case OPTION_SHARD:
        return set_shard(row, value, &out->shard, err);
    case OPTION_RUN_TIMEOUT:
        return set_seconds(row, value, &out->run_timeout, err);
    case OPTION_RECOVER:
        return set_recover(value, &out->recover, err);
    case OPTION_LAYOUT:
        return set_layout(row, value, &out->layout, err);
    case OPTION_PROGRESS:
        return set_progress(row, value, &out->progress, err);
    case OPTION_MIN_COMPARED:
        return set_count(row, value, INT64_MAX, &out->min_compared, err);
    case OPTION_DATE:
        return set_date(row, value, &out->date, err);
    default:
        if ((row->bit & OPTIONS_OF_CLUSTER) != 0) {
            return options_cluster_take(row->bit, value, &out->cluster) ||
                   bad_value(row, value, err);
        }
        if ((row->bit & OPTIONS_OF_EXPORT) != 0) {
            return options_export_take(row->bit, value, &out->export) || bad_value(row, value, err);
        }
        if ((row->bit & PATH_OPTIONS) != 0) {
            return set_path(row, value, out, err);
        }
        *switch_of(row->bit, out) = true;
        return true;
    }
}
