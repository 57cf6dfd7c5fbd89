/* SPDX-License-Identifier: MIT */
/* Progress on stderr: a bar on a terminal, a line now and then elsewhere. ASCII only. */
#include "cli/cli_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define BAR_SECONDS 0.1
#define LINE_SECONDS 60
#define LINE_PERCENT 10

static bool is_plain_terminal(void)
{
    const char *term = getenv("TERM");
    return term != NULL && term[0] != '\0' && strcmp(term, "dumb") != 0 && isatty(STDERR_FILENO);
}

static size_t terminal_columns(void)
{
    struct winsize size;
    if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) {
        return 80;
    }
    return size.ws_col;
}

static double seconds_left(const struct progress *progress)
{
    const struct engine_pace *pace = progress->pace;
    if (!(pace->started > 0)) {
        return eta_left(&progress->eta, 0, progress->threads);
    }
    double elapsed = cli_seconds() - pace->started;
    double in_hand = (double)pace->working * elapsed + pace->over - pace->busy;
    /* Nobody helps with the last of the small runs; large ones are done by all. */
    bool all = pace->working == 0 || pace->left.kind[WORK_WAITING] > 0;
    return eta_left(&progress->eta, in_hand, all ? pace->threads : pace->working);
}

/* Runs that are done, with the parts of those in hand. */
static double runs_done(const struct progress *progress)
{
    double parts = progress->done < progress->total ? progress->pace->part : 0;
    return (double)progress->done + parts;
}

static int percent_done(const struct progress *progress)
{
    return (int)(100 * runs_done(progress) / (double)progress->total);
}

/* What was executed alone counts. */
static void describe(const struct progress *progress, char *out, size_t size)
{
    char eta[40];
    int length = snprintf(out, size, "%s of %s runs, %d %%", cli_count(progress->done),
                          cli_count(progress->total), percent_done(progress));
    size_t used = (size_t)length < size ? (size_t)length : size - 1;
    if (progress->failed > 0) {
        snprintf(out + used, size - used, ", %s failed", cli_count(progress->failed));
        used = strlen(out);
    }
    bool learns = !(progress->pace->started > 0);
    if (progress->done < progress->total) {
        snprintf(out + used, size - used, "%s, %s left", learns ? ", learning word vectors" : "",
                 cli_duration(seconds_left(progress), eta));
    }
}

static void draw_bar(struct progress *progress)
{
    char text[160];
    char bar[64];
    describe(progress, text, sizeof text);
    size_t columns = terminal_columns();
    size_t taken = strlen(text) + 4;
    size_t width = columns > taken ? columns - taken : 0;
    width = width < sizeof bar - 1 ? width : sizeof bar - 1;
    width = width < 10 ? 0 : width;
    size_t full = (size_t)((double)width * runs_done(progress) / (double)progress->total);
    memset(bar, '.', sizeof bar);
    memset(bar, '#', full);
    bar[width] = '\0';
    text[columns > 1 && strlen(text) > columns - 1 ? columns - 1 : strlen(text)] = '\0';
    fprintf(stderr, width == 0 ? "\r%s%s\033[K" : "\r[%s] %s\033[K", bar, text);
    fflush(stderr);
    progress->drawn = true;
}

static void write_line(struct progress *progress)
{
    char text[160];
    describe(progress, text, sizeof text);
    fprintf(stderr, "%s\n", text);
}

void progress_start(struct progress *progress, enum progress_mode mode, size_t total,
                    size_t threads, const struct eta *eta, const struct engine_pace *pace)
{
    memset(progress, 0, sizeof *progress);
    progress->mode = mode == PROGRESS_AUTO && is_plain_terminal() ? PROGRESS_BAR
                     : mode == PROGRESS_AUTO                      ? PROGRESS_PLAIN
                                                                  : mode;
    progress->total = total;
    progress->threads = threads;
    progress->eta = *eta;
    progress->pace = pace;
    progress->started = cli_seconds();
    progress->last_shown = progress->started;
}

/* The word vectors in hand were learned by `now`. */
static void end_learning(struct progress *progress, double now)
{
    struct engine_work work = {.kind = {[WORK_LEARNING] = progress->learning}};
    if (progress->learning > 0) {
        eta_learn(&progress->eta, &work, now - progress->learning_since);
        progress->eta.left.kind[WORK_LEARNING] -= progress->learning;
        progress->learning = 0;
    }
}

/* Shows how far it is where that is due by now, or `wanted`. A short sweep says nothing on the way:
 * its last line comes with the result. */
static void show(struct progress *progress, double now, bool wanted)
{
    bool over = progress->done == progress->total;
    double since = now - progress->last_shown;
    if (progress->mode == PROGRESS_BAR && (over || since >= BAR_SECONDS)) {
        draw_bar(progress);
        progress->last_shown = now;
    } else if (progress->mode == PROGRESS_PLAIN && !over && (wanted || since >= LINE_SECONDS)) {
        write_line(progress);
        progress->last_shown = now;
        progress->last_percent = percent_done(progress);
    }
}

void progress_learn(struct progress *progress, double seconds)
{
    double now = cli_seconds();
    end_learning(progress, now);
    progress->learning = seconds;
    progress->learning_since = now;
    show(progress, now, false);
}

void progress_step(struct progress *progress, size_t done, size_t failed)
{
    const struct engine_pace *pace = progress->pace;
    end_learning(progress, pace->started);
    eta_learn(&progress->eta, &pace->last, pace->last_seconds);
    progress->eta.left = pace->left;
    progress->done += done;
    progress->failed += failed;
    double now = cli_seconds();
    bool further = percent_done(progress) / LINE_PERCENT > progress->last_percent / LINE_PERCENT;
    show(progress, now, further && now - progress->last_shown >= 1);
}

void progress_end(struct progress *progress)
{
    if (progress->drawn) {
        fputs("\r\033[K", stderr);
        fflush(stderr);
    }
}
