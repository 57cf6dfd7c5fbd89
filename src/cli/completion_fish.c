/* SPDX-License-Identifier: MIT */
/* Completion for fish: a line for each command and option. */
#include "cli/completion.h"

#include <stdio.h>
#include <string.h>

/* Between single quotes; a line, up to its end. */
static void print_quoted(const char *text)
{
    printf("'");
    for (; *text != '\0' && *text != '\n'; text++) {
        printf("%s%c", *text == '\'' || *text == '\\' ? "\\" : "", *text);
    }
    printf("'");
}

static void print_words(const struct completion *completion)
{
    for (size_t i = 0; i < completion->count; i++) {
        printf(" %s", completion->words[i].name);
    }
}

/* What a place takes, for the end of a line of `complete`. */
static void print_argument(const struct completion *completion, const char *function)
{
    switch (completion->kind) {
    case COMPLETE_NOTHING:
        printf(" -x");
        break;
    case COMPLETE_FILE:
        printf(" -r -F");
        break;
    case COMPLETE_FOLDER:
        printf(" -x -a '(__fish_complete_directories)'");
        break;
    case COMPLETE_SWEEP:
        printf(" -x -k -a '(__rowmax_sweeps)'");
        break;
    case COMPLETE_RESULTS:
        printf(" -x -k -a '(__fish_complete_suffix .h5)'");
        break;
    case COMPLETE_WORD:
        printf(" -x -a '");
        print_words(completion);
        printf("'");
        break;
    case COMPLETE_LIST:
        printf(" -x -a '(__fish_append ,");
        print_words(completion);
        printf(")'");
        break;
    case COMPLETE_SETTING:
        printf(" -x -a '(%s)'", function);
        break;
    }
}

/* A function that prints what a setting takes: "name=" with its meaning, and "name=value". */
static void print_setting(const char *function, const struct completion *completion)
{
    printf("function %s\n  printf '%%s\\t%%s\\n' \\\n", function);
    for (size_t i = 0; i < completion->count; i++) {
        const struct completion_word *word = &completion->words[i];
        printf("    %s= ", word->name);
        print_quoted(word->help);
        printf(" \\\n");
        for (size_t v = 0; word->values != NULL && word->values[v] != NULL; v++) {
            printf("    %s=%s '' \\\n", word->name, word->values[v]);
        }
    }
    printf("    ;\nend\n");
}

static bool has_meaning(const struct command *command, const struct option_row *row,
                        const char *help)
{
    return (command->options & row->bit) != 0 && strcmp(option_help(row, command), help) == 0;
}

/* The option with one of its meanings, in the commands that have it. */
static void print_meaning(const struct option_row *row, const char *help,
                          const struct completion *completion, const char *function)
{
    printf("complete -c rowmax -n '__fish_seen_subcommand_from");
    for (size_t i = 0; i < command_count; i++) {
        bool meant = has_meaning(&commands[i], row, help);
        printf("%s%s", meant ? " " : "", meant ? commands[i].name : "");
    }
    printf("' -l %s", row->name);
    if (row->letter != 0) {
        printf(" -s %c", row->letter);
    }
    printf(" -d ");
    print_quoted(help);
    if (row->argument != NULL) {
        print_argument(completion, function);
    }
    printf("\n");
}

/* One line, or where it is several things a line for each. */
static void print_option(const struct option_row *row, const struct completion *completion)
{
    const char *function = row->bit == OPTION_SET ? "__rowmax_set" : "__rowmax_where";
    if (completion->kind == COMPLETE_SETTING) {
        print_setting(function, completion);
    }
    for (size_t i = 0; i < command_count; i++) {
        const char *help = option_help(row, &commands[i]);
        bool told = (commands[i].options & row->bit) == 0;
        for (size_t j = 0; j < i && !told; j++) {
            told = has_meaning(&commands[j], row, help);
        }
        if (!told) {
            print_meaning(row, help, completion, function);
        }
    }
}

bool completion_fish(struct arena *arena, struct error *err)
{
    size_t count;
    const struct option_row *rows = option_rows(&count);
    struct completion completion;
    printf("# fish completion for rowmax, written by 'rowmax completion fish'\n"
           "function __rowmax_sweeps\n"
           "  __fish_complete_suffix .yaml\n"
           "  set -l prefix (string replace -r '/bin/[^/]*$' '' -- (command -s rowmax))\n"
           "  for file in experiments/*.yaml $prefix/share/rowmax/experiments/*.yaml\n"
           "    string replace -r '^.*/(.*)\\.yaml$' '$1' -- $file\n"
           "  end\n"
           "end\n"
           "complete -c rowmax -f\n"
           "complete -c rowmax -l help -d 'say what it does'\n");
    for (size_t i = 0; i < command_count; i++) {
        printf("complete -c rowmax -n __fish_use_subcommand -a %s -d ", commands[i].name);
        print_quoted(commands[i].summary);
        printf("\n");
        if (!completion_of_operand(&commands[i], arena, &completion, err)) {
            return false;
        }
        if (completion.kind != COMPLETE_NOTHING) {
            printf("complete -c rowmax -n '__fish_seen_subcommand_from %s'", commands[i].name);
            print_argument(&completion, "");
            printf("\n");
        }
    }
    for (size_t i = 0; i < count; i++) {
        if (!completion_of_option(&rows[i], arena, &completion, err)) {
            return false;
        }
        print_option(&rows[i], &completion);
    }
    return true;
}
