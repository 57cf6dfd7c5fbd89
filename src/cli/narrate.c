/* SPDX-License-Identifier: MIT */
/* What run says around its runs: with --verbose what it reads and expects, at the end what to do
 * next. */
#include "base/text.h"
#include "cli/cli_internal.h"

#include <stdio.h>
#include <string.h>

/* $'new\012line': what a message would show as '?', and what would end the word, as numbers. */
static const char *escaped_word(const char *text, struct arena *arena, struct error *err)
{
    struct text out = TEXT_INIT(arena);
    text_append(&out, text[0] == '-' ? "$'./" : "$'");
    for (const char *at = text; *at != '\0'; at++) {
        unsigned char byte = (unsigned char)*at;
        bool plain = byte >= 0x20 && byte < 0x7F && byte != '\'' && byte != '\\';
        text_append_format(&out, plain ? "%c" : "\\%03o", byte);
    }
    text_append(&out, "'");
    return text_finish(&out, err);
}

const char *cli_word(const char *text, struct arena *arena, struct error *err)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_./+:,@%=-";
    if (text[0] != '\0' && text[0] != '-' && text[strspn(text, plain)] == '\0') {
        return text;
    }
    size_t size = strlen(text) + 1;
    char *shown = arena_alloc(arena, size, 1, err);
    if (shown == NULL) {
        return NULL;
    }
    if (strcmp(text_printable(text, shown, size), text) != 0) {
        return escaped_word(text, arena, err);
    }
    struct text out = TEXT_INIT(arena);
    text_append(&out, text[0] == '-' ? "'./" : "'");
    for (const char *at = text; *at != '\0'; at++) {
        text_append_bytes(&out, at, 1);
        if (*at == '\'') {
            text_append(&out, "\\''");
        }
    }
    text_append(&out, "'");
    return text_finish(&out, err);
}

/* The files behind the runs, each once. */
static void say_files(const struct prepared *prepared, struct arena *arena)
{
    struct error ignored = ERROR_INIT;
    size_t count;
    const struct engine_file *files = engine_files(prepared->engine, arena, &count, &ignored);
    for (size_t i = 0; files != NULL && i < count; i++) {
        bool repeated = false;
        for (size_t j = 0; j < i && !repeated; j++) {
            repeated = strcmp(files[j].path, files[i].path) == 0;
        }
        if (!repeated) {
            cli_say("reads '%s' from %s", files[i].name, files[i].path);
        }
    }
}

void narrate_intent(const struct prepared *prepared, const struct budget *budget,
                    struct arena *arena)
{
    char took[40];
    char learning[40];
    char memory[40];
    char file[40];
    const struct engine_estimate *estimate = &budget->estimate;
    say_files(prepared, arena);
    cli_say("%s of %s runs are to be done, on %zu threads", cli_count(budget->runs),
            cli_count(prepared->own), budget->jobs);
    cli_say("expected: %s, %s of it to learn word vectors; %s of memory, %s on disk",
            cli_duration(budget->seconds, took),
            cli_duration(estimate->learning / budget->speed, learning),
            cli_bytes(estimate->memory, memory), cli_bytes(estimate->file, file));
}

void narrate_times(const struct budget *budget)
{
    char all[40];
    char journal[40];
    char saved[40];
    cli_say("processor time: %s in all, %s for the journal; the file was written in %s",
            cli_duration(cli_processor_seconds(), all), cli_duration(budget->journal, journal),
            cli_duration(budget->pack_seconds, saved));
}

void narrate_next(const char *results, const char *report, struct arena *arena)
{
    struct error ignored = ERROR_INIT;
    const char *word = cli_word(results, arena, &ignored);
    if (word == NULL) {
        return;
    }
    if (report != NULL) {
        cli_say("the report is %s/report.md; its numbers as a table: rowmax show %s", report, word);
    } else {
        cli_say("next: rowmax report %s", word);
    }
}
