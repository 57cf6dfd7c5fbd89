/* SPDX-License-Identifier: MIT */
/* Values of the options for sweeps on several machines. */
#include "cli/options.h"

#include "base/text.h"
#include "engine/shard.h"

#include <assert.h>
#include <string.h>

#define MOST_MINUTES 525600

static bool take_count(const char *value, int64_t most, uint64_t *out)
{
    int64_t number;
    bool good = text_to_integer(value, &number) && number >= 1 && number <= most;
    *out = good ? (uint64_t)number : 0;
    return good;
}

/* A word that needs no quotes in a script. */
static bool take_word(const char *value, const char **out)
{
    *out = value;
    for (const char *at = value; *at != '\0'; at++) {
        if (*at <= ' ' || *at > '~' || strchr("\"'\\#`$", *at) != NULL) {
            return false;
        }
    }
    return value[0] != '\0';
}

/* A line of a script, which begins as an option of sbatch does. */
static bool take_line(const char *value, struct cluster_options *out)
{
    out->lines[out->line_count++] = value;
    return value[0] == '-' && strpbrk(value, "\n\r") == NULL;
}

static bool take_folder(const char *value, const char **out)
{
    *out = value;
    return value[0] != '\0' && strcmp(value, "-") != 0;
}

static bool take_switch(uint64_t bit, struct cluster_options *out)
{
    assert(bit == OPTION_MISSING || bit == OPTION_WAIT || bit == OPTION_ALLOW_LOCAL ||
           bit == OPTION_NO_REPORT);
    out->missing = out->missing || bit == OPTION_MISSING;
    out->wait = out->wait || bit == OPTION_WAIT;
    out->allow_local = out->allow_local || bit == OPTION_ALLOW_LOCAL;
    out->no_report = out->no_report || bit == OPTION_NO_REPORT;
    return true;
}

bool options_cluster_take(uint64_t bit, const char *value, struct cluster_options *out)
{
    switch (bit) {
    case OPTION_SHARDS:
        return take_count(value, SHARD_LIMIT, &out->shards);
    case OPTION_TIME:
        return take_count(value, MOST_MINUTES, &out->minutes);
    case OPTION_THROTTLE:
        return take_count(value, SHARD_LIMIT, &out->throttle);
    case OPTION_OUT:
        return take_folder(value, &out->folder);
    case OPTION_ENGINE:
        out->engine = strcmp(value, engine_names[0]) == 0;
        return out->engine;
    case OPTION_PARTITION:
        return take_word(value, &out->partition);
    case OPTION_ACCOUNT:
        return take_word(value, &out->account);
    case OPTION_MEM:
        return take_word(value, &out->memory);
    case OPTION_CONSTRAINT:
        return take_word(value, &out->constraint);
    case OPTION_SBATCH_ARG:
        return take_line(value, out);
    default:
        return take_switch(bit, out);
    }
}
