/* SPDX-License-Identifier: MIT */
/* Small things for people: lines, counts, durations, clocks and signals. */
#include "base/text.h"
#include "cli/cli_internal.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

atomic_int cli_stop;

/* Only async-signal-safe calls: the first signal is noted, the second ends the process. What was
 * finished is in the journal either way. */
static void on_signal(int number)
{
    int none = 0;
    if (!atomic_compare_exchange_strong(&cli_stop, &none, number)) {
        _exit(number == SIGTERM ? 143 : 130);
    }
}

void signals_install(void)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGUSR1};
    struct sigaction action;
    struct sigaction before;
    memset(&action, 0, sizeof action);
    action.sa_handler = on_signal;
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        /* What nohup had us ignore stays ignored. Only that: shells have whatever they start in the
         * background ignore SIGINT, and who sends it there means it. */
        bool nohup = numbers[i] == SIGHUP && sigaction(SIGHUP, NULL, &before) == 0 &&
                     before.sa_handler == SIG_IGN;
        if (!nohup) {
            sigaction(numbers[i], &action, NULL);
        }
    }
}

void signals_ignore_limits(void)
{
    struct sigaction action;
    memset(&action, 0, sizeof action);
    sigemptyset(&action.sa_mask);
    action.sa_handler = SIG_IGN;
    sigaction(SIGXFSZ, &action, NULL);
    sigaction(SIGPIPE, &action, NULL);
}

void cli_say(const char *format, ...)
{
    char line[2048];
    char shown[2048];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    fprintf(stderr, "%s\n", text_printable(line, shown, sizeof shown));
}

static double seconds_of(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double cli_seconds(void)
{
    return seconds_of(CLOCK_MONOTONIC);
}

double cli_thread_seconds(void)
{
    return seconds_of(CLOCK_THREAD_CPUTIME_ID);
}

double cli_processor_seconds(void)
{
    return seconds_of(CLOCK_PROCESS_CPUTIME_ID);
}

const char *cli_count(uint64_t number)
{
    static char texts[8][TEXT_COUNT_SIZE];
    static unsigned next;
    return text_from_count(number, texts[next++ % 8]);
}

char *cli_duration(double seconds, char *out)
{
    long whole = seconds < 1e15 ? (long)(seconds + 0.5) : 0;
    if (seconds < 0.0995) {
        snprintf(out, 40, "%.0f ms", 1000 * seconds);
    } else if (seconds < 9.95) {
        snprintf(out, 40, "%.1f s", seconds);
    } else if (whole < 60) {
        snprintf(out, 40, "%ld s", whole);
    } else if (whole < 3600) {
        snprintf(out, 40, "%ld min %ld s", whole / 60, whole % 60);
    } else {
        snprintf(out, 40, "%ld h %ld min", whole / 3600, whole % 3600 / 60);
    }
    return out;
}

char *cli_bytes(double bytes, char *out)
{
    static const char *const units[] = {"bytes", "kB", "MB", "GB", "TB", "PB"};
    size_t unit = 0;
    while (bytes >= 999.5 && unit + 1 < sizeof units / sizeof units[0]) {
        bytes /= 1000;
        unit++;
    }
    snprintf(out, 40, bytes < 9.95 && unit > 0 ? "%.1f %s" : "%.0f %s", bytes, units[unit]);
    return out;
}
