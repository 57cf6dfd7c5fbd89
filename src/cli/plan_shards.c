/* SPDX-License-Identifier: MIT */
/* plan --shards: how a sweep divides, and a folder that many machines read. */
#include "cli/folder.h"

#include <stdio.h>

static bool check_options(const struct options *options, struct error *err)
{
    if (options->cluster.shards == 0) {
        return error_set(err, ERROR_USAGE, "--out needs --shards N, the number of shards");
    }
    return (options->shard.count == 0 && !options->list && !options->why) ||
           error_set(err, ERROR_USAGE,
                     "--shards excludes --shard, --list and --why, which look at one process");
}

static void print_balance(const double *seconds, const size_t *runs, size_t shards)
{
    double most = seconds[0];
    double least = seconds[0];
    double sum = 0;
    size_t fewest = runs[0];
    size_t largest = runs[0];
    char low[40];
    char high[40];
    for (size_t i = 0; i < shards; i++) {
        most = seconds[i] > most ? seconds[i] : most;
        least = seconds[i] < least ? seconds[i] : least;
        fewest = runs[i] < fewest ? runs[i] : fewest;
        largest = runs[i] > largest ? runs[i] : largest;
        sum += seconds[i];
    }
    printf("%s shard%s of %s to %s runs, estimated %s to %s on one thread; the longest is %.2f "
           "times the mean\n",
           cli_count(shards), shards == 1 ? "" : "s", cli_count(fewest), cli_count(largest),
           cli_duration(least, low), cli_duration(most, high),
           sum > 0 ? most * (double)shards / sum : 1);
}

bool plan_shards(const struct options *options, struct arena *arena, struct error *err)
{
    struct prepared prepared;
    const struct cluster_options *cluster = &options->cluster;
    if (!check_options(options, err) || !prepare(options, arena, &prepared, err)) {
        return false;
    }
    if (cluster->shards > prepared.plan.count) {
        return error_set(err, ERROR_USAGE, "--shards %llu: there are %zu runs only",
                         (unsigned long long)cluster->shards, prepared.plan.count);
    }
    struct shard first = {0, (size_t)cluster->shards};
    double *seconds = arena_alloc(arena, first.count, sizeof *seconds, err);
    size_t *runs = arena_alloc(arena, first.count, sizeof *runs, err);
    if (seconds == NULL || runs == NULL || !shards_divide(&prepared, first, arena, err) ||
        !shards_weigh(&prepared, seconds, runs, arena, err) ||
        (cluster->folder != NULL &&
         !folder_write(cluster->folder, &prepared, options, arena, err))) {
        return false;
    }
    print_balance(seconds, runs, first.count);
    if (cluster->folder != NULL) {
        printf("planned in %s; next: rowmax submit %s --engine slurm\n", cluster->folder,
               cluster->folder);
    }
    return true;
}
