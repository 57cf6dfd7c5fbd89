/* SPDX-License-Identifier: MIT */
/* Completion for zsh: a function for its completion system. */
#include "cli/completion.h"

#include <stdio.h>
#include <string.h>

static const char head[] = "#compdef rowmax\n"
                           "# zsh completion for rowmax, written by 'rowmax completion zsh'\n"
                           "_rowmax_sweeps() {\n"
                           "  local prefix=${$(whence -p rowmax)%/bin/*}\n"
                           "  local -a named\n"
                           "  named=(experiments/*.yaml(N:t:r) "
                           "$prefix/share/rowmax/experiments/*.yaml(N:t:r))\n"
                           "  _alternative 'files:sweep:_files -g \"*.(yaml|yml)\"' "
                           "\"experiments:experiment:($named)\"\n"
                           "}\n";

/* Takes NAME=VALUE apart; the names with their meanings are in the array that $1 names. */
static const char setting[] = "_rowmax_setting() {\n"
                              "  if compset -P 1 '*='; then\n"
                              "    local name=${${IPREFIX%=}##*=}\n"
                              "    _rowmax_value ${name##* }\n"
                              "  else\n"
                              "    _describe -t fields field $1 -S '='\n"
                              "  fi\n"
                              "}\n";

static const char tail[] = "  esac\n"
                           "}\n"
                           "if [ \"$funcstack[1]\" = _rowmax ]; then\n"
                           "  _rowmax \"$@\"\n"
                           "else\n"
                           "  compdef _rowmax rowmax\n"
                           "fi\n";

/* Between single quotes, with a backslash before each of the marks; a line, up to its end. */
static void print_quoted(const char *text, const char *marks)
{
    for (; *text != '\0' && *text != '\n'; text++) {
        if (*text == '\'') {
            printf("'\\''");
        } else {
            printf("%s%c", strchr(marks, *text) == NULL ? "" : "\\", *text);
        }
    }
}

static void print_words(const struct completion *completion)
{
    for (size_t i = 0; i < completion->count; i++) {
        printf("%s%s", i == 0 ? "" : " ", completion->words[i].name);
    }
}

/* The action of a place, within single quotes. */
static void print_action(const struct completion *completion, const char *array)
{
    switch (completion->kind) {
    case COMPLETE_NOTHING:
        printf(" ");
        break;
    case COMPLETE_FILE:
        printf("_files");
        break;
    case COMPLETE_FOLDER:
        printf("_files -/");
        break;
    case COMPLETE_SWEEP:
        printf("_rowmax_sweeps");
        break;
    case COMPLETE_RESULTS:
        printf("_files -g \"*.h5\"");
        break;
    case COMPLETE_WORD:
        printf("(");
        print_words(completion);
        printf(")");
        break;
    case COMPLETE_LIST:
        printf("_values -s , name ");
        print_words(completion);
        break;
    case COMPLETE_SETTING:
        printf(" _rowmax_setting %s", array); /* the blank: no other arguments */
        break;
    }
}

static bool print_option(const struct option_row *row, const struct command *command,
                         struct arena *arena, struct error *err)
{
    struct completion completion;
    char names[2][64] = {"", ""};
    if (!completion_of_option(row, arena, &completion, err)) {
        return false;
    }
    bool repeated =
        row->bit == OPTION_SET || row->bit == OPTION_WHERE || row->bit == OPTION_SBATCH_ARG;
    snprintf(names[0], sizeof names[0], "--%s%s", row->name, row->argument == NULL ? "" : "=");
    if (row->letter != 0) {
        snprintf(names[1], sizeof names[1], "-%c%s", row->letter, row->argument == NULL ? "" : "+");
    }
    for (size_t i = 0; i < 2 && names[i][0] != '\0'; i++) {
        printf("        '%s", repeated ? "*" : "");
        if (row->letter != 0) {
            printf("(--%s -%c)", row->name, row->letter);
        }
        printf("%s[", names[i]);
        print_quoted(option_help(row, command), "[]\\");
        printf("]");
        if (row->argument != NULL) {
            printf(":");
            print_quoted(row->argument, ":\\");
            printf(":");
            print_action(&completion, row->bit == OPTION_SET ? "_rowmax_set" : "_rowmax_where");
        }
        printf("' \\\n");
    }
    return true;
}

static bool print_command(const struct command *command, struct arena *arena, struct error *err)
{
    size_t count;
    const struct option_row *rows = option_rows(&count);
    struct completion operand;
    bool good = completion_of_operand(command, arena, &operand, err);
    printf("    %s)\n      _arguments -s \\\n        '--help[say what it does]' \\\n",
           command->name);
    for (size_t i = 0; i < count && good; i++) {
        good = (rows[i].bit & command->options) == 0 || print_option(&rows[i], command, arena, err);
    }
    if (good && command->most_operands > 0) {
        printf("        '%s:", command->most_operands > 1 ? "*" : "1");
        print_quoted(command->operand, ":\\");
        printf(":");
        print_action(&operand, "");
        printf("' \\\n");
    }
    printf("        && return 0\n      ;;\n");
    return good;
}

/* The words of a setting, "name:meaning" each. */
static void print_array(const char *name, const struct completion *completion)
{
    printf("typeset -ga %s\n%s=(\n", name, name);
    for (size_t i = 0; i < completion->count; i++) {
        printf("  '%s:", completion->words[i].name);
        print_quoted(completion->words[i].help, "\\");
        printf("'\n");
    }
    printf(")\n");
}

static void print_values(const struct completion *completion)
{
    for (size_t i = 0; i < completion->count; i++) {
        const struct completion_word *word = &completion->words[i];
        if (word->values != NULL) {
            printf("    %s) compadd --", word->name);
            for (size_t v = 0; word->values[v] != NULL; v++) {
                printf(" %s", word->values[v]);
            }
            printf(" ;;\n");
        }
    }
}

/* Names and values of --set and of --where. */
static bool print_settings(struct arena *arena, struct error *err)
{
    size_t count;
    const struct option_row *rows = option_rows(&count);
    struct completion set = {COMPLETE_NOTHING, NULL, 0};
    struct completion where = {COMPLETE_NOTHING, NULL, 0};
    bool good = true;
    for (size_t i = 0; i < count && good; i++) {
        good = (rows[i].bit != OPTION_SET || completion_of_option(&rows[i], arena, &set, err)) &&
               (rows[i].bit != OPTION_WHERE || completion_of_option(&rows[i], arena, &where, err));
    }
    if (good) {
        print_array("_rowmax_set", &set);
        print_array("_rowmax_where", &where);
        printf("%s_rowmax_value() {\n  case $1 in\n", setting);
        print_values(&set);
        print_values(&where);
        printf("    *) _message value ;;\n  esac\n}\n");
    }
    return good;
}

bool completion_zsh(struct arena *arena, struct error *err)
{
    printf("%s", head);
    bool good = print_settings(arena, err);
    printf("_rowmax() {\n  local -a commands\n  commands=(\n");
    for (size_t i = 0; i < command_count; i++) {
        printf("    '%s:", commands[i].name);
        print_quoted(commands[i].summary, "\\");
        printf("'\n");
    }
    printf("  )\n"
           "  if ((CURRENT == 2)); then\n"
           "    _describe -t commands command commands\n"
           "    return\n"
           "  fi\n"
           "  local command=$words[2]\n"
           "  shift words\n"
           "  ((CURRENT--))\n"
           "  case $command in\n");
    for (size_t i = 0; i < command_count && good; i++) {
        good = print_command(&commands[i], arena, err);
    }
    printf("%s", tail);
    return good;
}
