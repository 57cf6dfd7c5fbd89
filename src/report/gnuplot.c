/* SPDX-License-Identifier: MIT */
/* gnuplot as a child process; see gnuplot.h. */
#include "report/gnuplot.h"

#include "base/files.h"
#include "base/child.h"
#include "report/columns.h"
#include "report/pictures.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LEAST_AT_ONCE = 2, MOST_AT_ONCE = 8, COMMAND_SIZE = 512, VERSION_SECONDS = 10 };

/* One picture on its way. */
struct rendering {
    struct picture *picture; /* NULL: free */
    char temporary[COMMAND_SIZE];
};

/* U+FFFE and U+FFFF are sound UTF-8, but no XML parser takes them. */
static void replace_noncharacters(char *label)
{
    char *to = label;
    for (const char *from = label; *from != '\0';) {
        bool bad = strncmp(from, "\xEF\xBF\xBE", 3) == 0 || strncmp(from, "\xEF\xBF\xBF", 3) == 0;
        *to = *from;
        if (bad) {
            *to = '?';
        }
        to++;
        from += bad ? 3 : 1;
    }
    *to = '\0';
}

static void cut(char *label, size_t limit)
{
    size_t used = 0;
    while (*label != '\0') {
        uint32_t code = 0;
        size_t columns = 0;
        size_t step = columns_step(label, &code, &columns);
        used += columns;
        if (used > limit) {
            memcpy(label, "…", sizeof "…");
            return;
        }
        label += step;
    }
}

const char *gnuplot_label(struct arena *arena, const char *any, size_t limit, struct error *err)
{
    size_t size = strlen(any) + sizeof "…";
    char *spaced = arena_copy_text(arena, any, err);
    char *label = arena_alloc(arena, size, 1, err);
    if (spaced == NULL || label == NULL) {
        return NULL;
    }
    for (char *at = spaced; *at != '\0'; at++) {
        if (isspace((unsigned char)*at)) {
            *at = ' ';
        }
    }
    text_printable(spaced, label, size);
    replace_noncharacters(label);
    cut(label, limit);
    return label;
}

void gnuplot_quote(struct text *script, const char *any)
{
    struct error full = ERROR_INIT;
    const char *label = gnuplot_label(script->arena, any, SIZE_MAX, &full);
    if (label == NULL) {
        script->failed = true;
        return;
    }
    /* gnuplot 5.4 reads a doubled quote wrongly at the start of a string and beside another, so
     * each quote is a string of its own. */
    bool open = false;
    for (const char *at = label; *at != '\0'; at++) {
        if (*at == '\'') {
            text_append(script, open ? "'.\"\\047\"" : at == label ? "\"\\047\"" : ".\"\\047\"");
            open = false;
            continue;
        }
        text_append(script, open ? "" : at == label ? "'" : ".'");
        text_append_bytes(script, at, 1);
        open = true;
    }
    text_append(script, open ? "'" : *label == '\0' ? "''" : "");
}

/* Lines that say nothing about the picture: fontconfig's chatter, and gnuplot's attempt to convert
 * a degree sign, which no figure has, where the locale C.UTF-8 is missing. */
static bool is_chatter(const char *line, size_t length)
{
    static const char degree[] = "iconv failed to convert degree sign";
    const size_t size = sizeof degree - 1;
    return strncmp(line, "Fontconfig", 10) == 0 ||
           (length >= size && memcmp(line + length - size, degree, size) == 0);
}

/* The first line of what gnuplot complained about, or NULL. */
static const char *complaint_of(const char *output)
{
    while (*output != '\0') {
        output += strspn(output, " \t\r\n^");
        size_t length = strcspn(output, "\n");
        if (*output != '\0' && !is_chatter(output, length)) {
            return output;
        }
        output += length;
    }
    return NULL;
}

/* gnuplot echoes the faulty line before it says what is wrong; the message is the line that names
 * a line number, or else the first. */
static const char *message_of(const char *complaint)
{
    const char *numbered = strstr(complaint, " line ");
    if (numbered == NULL) {
        return complaint;
    }
    while (numbered > complaint && numbered[-1] != '\n') {
        numbered--;
    }
    return numbered;
}

static bool check_child(const struct child *child, double seconds, struct error *err)
{
    const char *complaint = complaint_of(child->output);
    char line[256];
    if (child->timed_out) {
        return error_set(err, ERROR_FIGURES, "gnuplot did not end within %g seconds", seconds);
    }
    if (complaint != NULL) {
        const char *message = message_of(complaint);
        snprintf(line, sizeof line, "%.*s", (int)strcspn(message, "\n"), message);
        char printable[sizeof line];
        return error_set(err, ERROR_FIGURES, "gnuplot says: %s",
                         text_printable(line, printable, sizeof printable));
    }
    if (child->status == -1 || !WIFEXITED(child->status)) {
        return error_set(err, ERROR_FIGURES, "gnuplot was stopped by a signal");
    }
    if (WEXITSTATUS(child->status) != 0) {
        return error_set(err, ERROR_FIGURES, "gnuplot failed with status %d",
                         WEXITSTATUS(child->status));
    }
    return true;
}

/* Removes a file of the folder if it is there. */
static void discard(const char *folder, const char *name, struct arena *arena)
{
    struct error ignored = ERROR_INIT;
    const char *path = files_join(arena, folder, name, &ignored);
    if (path != NULL) {
        unlink(path);
    }
}

/* Keeps the reason with the picture; false when memory is short. */
static bool note_failure(const struct report_options *options, struct picture *picture,
                         const struct error *failure, struct arena *arena, struct error *err)
{
    char name[COMMAND_SIZE];
    snprintf(name, sizeof name, "%s.%s", picture->name, picture->format);
    discard(options->folder, name, arena);
    picture->reason = arena_copy_text(arena, failure->message, err);
    return picture->reason != NULL;
}

/* gnuplot writes through a symbolic link: one that somebody left in the folder must not lead it
 * away. */
static bool make_way(const char *folder, const char *name, struct error *err)
{
    char path[PATH_MAX + COMMAND_SIZE];
    int length = snprintf(path, sizeof path, "%s/%s", folder, name);
    if (length < 0 || (size_t)length >= sizeof path) {
        return error_set(err, ERROR_FIGURES, "path too long: '%s'; use shorter names", folder);
    }
    return unlink(path) == 0 || errno == ENOENT || errno == ENOTDIR ||
           error_set_system(err, ERROR_FIGURES, errno, "cannot remove '%s'", path);
}

static bool start(const struct report_options *options, struct rendering *rendering,
                  struct child *child, struct picture *picture, struct error *err)
{
    char script[COMMAND_SIZE];
    char command[2 * COMMAND_SIZE];
    snprintf(script, sizeof script, "%s%s",
             picture->script == NULL ? picture->name : picture->script,
             picture->script == NULL ? ".gp" : "");
    snprintf(rendering->temporary, sizeof rendering->temporary, "%s.%s.tmp", picture->name,
             picture->format);
    snprintf(command, sizeof command, "FORMAT='%s'; OUT='%s'", picture->format,
             rendering->temporary);
    const char *const arguments[] = {options->gnuplot, "-d", "-e", command, script, NULL};
    const struct child_command spec = {.arguments = arguments,
                                       .folder = options->folder,
                                       .captured = CHILD_STDERR,
                                       .seconds = options->seconds_a_figure};
    if (!make_way(options->folder, rendering->temporary, err) || !child_start(child, &spec, err)) {
        return false;
    }
    rendering->picture = picture;
    return true;
}

static bool finish(const struct report_options *options, struct rendering *rendering,
                   const struct child *child, struct arena *arena, struct error *err)
{
    struct picture *picture = rendering->picture;
    struct error failure = ERROR_INIT;
    char name[COMMAND_SIZE];
    snprintf(name, sizeof name, "%s.%s", picture->name, picture->format);
    const struct picture_place place = {options->folder, rendering->temporary, name,
                                        picture->format, picture->note};
    rendering->picture = NULL;
    if (check_child(child, options->seconds_a_figure, &failure) &&
        picture_install(&place, arena, &failure)) {
        picture->reason = NULL;
        return true;
    }
    discard(options->folder, rendering->temporary, arena);
    return note_failure(options, picture, &failure, arena, err);
}

/* Passes over pictures that are not to be rendered. */
static size_t next_wanted(const struct picture *pictures, size_t count, size_t next)
{
    while (next < count && pictures[next].reason != NULL) {
        next++;
    }
    return next;
}

/* Gives a free slot the next picture; false when memory is short. */
static bool fill_slot(const struct report_options *options, struct rendering *slot,
                      struct child *child, struct picture *picture, struct arena *arena,
                      struct error *err)
{
    struct error failure = ERROR_INIT;
    return start(options, slot, child, picture, &failure) ||
           note_failure(options, picture, &failure, arena, err);
}

/* One a core, within limits. */
static size_t count_slots(void)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    return cores < LEAST_AT_ONCE  ? LEAST_AT_ONCE
           : cores > MOST_AT_ONCE ? MOST_AT_ONCE
                                  : (size_t)cores;
}

bool gnuplot_render(const struct report_options *options, struct picture *pictures, size_t count,
                    struct arena *arena, struct error *err)
{
    struct rendering slots[MOST_AT_ONCE] = {0};
    struct child children[MOST_AT_ONCE];
    memset(children, 0, sizeof children);
    const size_t at_once = count_slots();
    size_t next = next_wanted(pictures, count, 0);
    size_t busy = 0;
    bool good = true;
    while (good && (next < count || busy > 0)) {
        for (size_t s = 0; s < at_once && next < count && good; s++) {
            if (slots[s].picture == NULL) {
                good = fill_slot(options, &slots[s], &children[s], &pictures[next], arena, err);
                next = next_wanted(pictures, count, next + 1);
            }
        }
        child_step_all(children, at_once);
        busy = 0;
        for (size_t s = 0; s < at_once; s++) {
            if (slots[s].picture != NULL && !children[s].running) {
                good = finish(options, &slots[s], &children[s], arena, err) && good;
            }
            busy += slots[s].picture != NULL;
        }
    }
    for (size_t s = 0; s < at_once; s++) {
        child_kill(&children[s]);
    }
    return good;
}

const char *report_gnuplot_version(const char *gnuplot, struct arena *arena, struct error *err)
{
    const char *const arguments[] = {gnuplot, "--version", NULL};
    const struct child_command command = {
        .arguments = arguments, .captured = CHILD_STDOUT, .seconds = VERSION_SECONDS};
    struct child child;
    if (!child_start(&child, &command, err)) {
        return NULL;
    }
    while (child.running) {
        child_step_all(&child, 1);
    }
    size_t length = strcspn(child.output, "\n");
    if (child.timed_out || child.status != 0 || length == 0) {
        error_set(err, ERROR_FIGURES, "'%s --version' failed", gnuplot);
        return NULL;
    }
    child.output[length] = '\0';
    char printable[256];
    return arena_copy_text(arena, text_printable(child.output, printable, sizeof printable), err);
}
