/* SPDX-License-Identifier: MIT */
/* plan --shards: how a sweep divides, and a folder that many machines read. */
#include "cli/folder.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define SAYING 100

static bool check_options(const struct options *options, struct error *err)
{
    if (options->cluster.shards == 0) {
        return error_set(err, ERROR_USAGE, "--out needs --shards N, the number of shards");
    }
    return (options->shard.count == 0 && !options->list && !options->why) ||
           error_set(err, ERROR_USAGE,
                     "--shards excludes --shard, --list and --why, which look at one process");
}

/* "2 to 3 runs", "24 runs each", or "24 runs" of one shard. */
static const char *runs_of(size_t shards, size_t least, size_t most, char text[SAYING])
{
    if (least < most) {
        snprintf(text, SAYING, "%s to %s runs", cli_count(least), cli_count(most));
    } else {
        snprintf(text, SAYING, "%s run%s%s", cli_count(most), most == 1 ? "" : "s",
                 shards == 1 ? "" : " each");
    }
    return text;
}

/* "2 s to 3 s", or "2 s" where all take that. */
static const char *times_of(double least, double most, char text[SAYING])
{
    char low[40];
    char high[40];
    cli_duration(least, low);
    cli_duration(most, high);
    bool one = strcmp(low, high) == 0;
    snprintf(text, SAYING, "%s%s%s", low, one ? "" : " to ", one ? "" : high);
    return text;
}

static void print_balance(const struct shard_load *loads, size_t shards)
{
    struct shard_load most = loads[0];
    struct shard_load least = loads[0];
    double sum = 0;
    double speed = estimate_speed(ESTIMATE_SPEED_SECONDS);
    char runs[SAYING];
    char times[SAYING];
    char memory[40];
    for (size_t i = 0; i < shards; i++) {
        most.seconds = fmax(most.seconds, loads[i].seconds);
        most.memory = fmax(most.memory, loads[i].memory);
        least.seconds = fmin(least.seconds, loads[i].seconds);
        least.runs = loads[i].runs < least.runs ? loads[i].runs : least.runs;
        most.runs = loads[i].runs > most.runs ? loads[i].runs : most.runs;
        sum += loads[i].seconds;
    }
    printf("%s shard%s of %s, estimated %s on one thread; the longest is %.2f times the mean\n",
           cli_count(shards), shards == 1 ? "" : "s", runs_of(shards, least.runs, most.runs, runs),
           times_of(least.seconds / speed, most.seconds / speed, times),
           most.seconds * (double)shards / sum);
    printf("a shard needs up to %s of memory on one thread\n", cli_bytes(most.memory, memory));
}

bool plan_shards(const struct options *options, struct arena *arena, struct error *err)
{
    struct prepared prepared;
    const struct cluster_options *cluster = &options->cluster;
    if (!check_options(options, err) || !prepare(options, arena, &prepared, err)) {
        return false;
    }
    if (cluster->shards > prepared.plan.count) {
        return error_set(err, ERROR_USAGE,
                         "--shards %llu: there are %zu runs only; take as many shards or fewer",
                         (unsigned long long)cluster->shards, prepared.plan.count);
    }
    struct shard first = {0, (size_t)cluster->shards};
    const struct shard_load *loads = NULL;
    if (shards_divide(&prepared, first, arena, err)) {
        loads = shards_weigh(&prepared, arena, err);
    }
    if (loads == NULL || (cluster->folder != NULL &&
                          !folder_write(cluster->folder, &prepared, options, arena, err))) {
        return false;
    }
    print_balance(loads, first.count);
    if (cluster->folder != NULL) {
        const char *folder = cli_word(cluster->folder, arena, err);
        if (folder == NULL) {
            return false;
        }
        printf("planned in %s; next: rowmax submit %s --engine slurm\n", folder, folder);
        printf(
            "without Slurm: rowmax run %s --shard I/%zu for I = 0 to %zu, then rowmax merge %s\n",
            folder, first.count, first.count - 1, folder);
    }
    return true;
}
