/* SPDX-License-Identifier: MIT */
/* Completion for bash, which needs nothing but bash itself. */
#include "cli/completion.h"

#include <stdio.h>

/* The words are taken from the line, since bash parts them at '=' and ':' as well; what is offered
 * begins behind the last of these. */
static const char head[] = "# bash completion for rowmax, written by 'rowmax completion bash'\n"
                           "_rowmax_offer() {\n"
                           "  local word=$1 offered\n"
                           "  shift\n"
                           "  COMPREPLY=()\n"
                           "  for offered; do\n"
                           "    [[ $offered != \"$word\"* ]] || COMPREPLY+=(\"$offered\")\n"
                           "  done\n"
                           "  compopt +o default +o bashdefault 2>/dev/null\n"
                           "}\n"
                           "_rowmax_files() {\n"
                           "  local IFS=$'\\n' word=$1 ending\n"
                           "  shift\n"
                           "  [[ $COMP_LINE != *[\\\\\\\"\\']* ]] || return 0 # left to bash\n"
                           "  compopt -o filenames 2>/dev/null\n"
                           "  COMPREPLY=($(compgen -d -- \"$word\"))\n"
                           "  for ending; do\n"
                           "    COMPREPLY+=($(compgen -f -X \"!*.$ending\" -- \"$word\"))\n"
                           "  done\n"
                           "}\n"
                           "_rowmax_experiments() {\n"
                           "  local word=$1 name program\n"
                           "  program=$(type -P rowmax)\n"
                           "  for name in experiments/*.yaml "
                           "\"${program%/bin/*}\"/share/rowmax/experiments/*.yaml; do\n"
                           "    [[ -e $name ]] || continue\n"
                           "    name=${name##*/}\n"
                           "    [[ $name != \"$word\"* ]] || COMPREPLY+=(\"${name%.yaml}\")\n"
                           "  done\n"
                           "}\n"
                           "_rowmax_list() {\n"
                           "  local word=$1 before='' offered list=()\n"
                           "  shift\n"
                           "  [[ $word != *,* ]] || before=${word%,*},\n"
                           "  for offered; do\n"
                           "    [[ ,$before == *,\"$offered\",* ]] || list+=(\"$before$offered\")\n"
                           "  done\n"
                           "  _rowmax_offer \"$word\" \"${list[@]}\"\n"
                           "}\n"
                           "_rowmax_setting() {\n"
                           "  local word=$1 name=${1%%=*}\n"
                           "  shift\n"
                           "  if [[ $word == *=* ]]; then\n"
                           "    _rowmax_value \"$name\" \"${word#*=}\"\n"
                           "  else\n"
                           "    compopt -o nospace 2>/dev/null\n"
                           "    _rowmax_offer \"$word\" \"${@/%/=}\"\n"
                           "  fi\n"
                           "}\n";

static const char tail[] =
    "_rowmax() {\n"
    "  local line=${COMP_LINE:0:COMP_POINT} words word previous command whole\n"
    "  COMPREPLY=()\n"
    "  read -ra words <<<\"$line\"\n"
    "  [[ $line != *[[:space:]] ]] || words+=('')\n"
    "  word=${words[-1]}\n"
    "  whole=$word\n"
    "  previous=${words[-2]}\n"
    "  command=${words[1]}\n"
    "  if ((${#words[@]} < 3)); then\n"
    "    _rowmax_offer \"$word\" $_rowmax_commands --help --version\n"
    "    return\n"
    "  fi\n"
    "  if [[ $word == --*=* ]]; then\n"
    "    previous=${word%%=*}\n"
    "    word=${word#*=}\n"
    "  fi\n"
    "  if ! _rowmax_argument \"$command$previous\" \"$word\"; then\n"
    "    if [[ $word == -* ]]; then\n"
    "      _rowmax_offer \"$word\" $(_rowmax_options \"$command\")\n"
    "    else\n"
    "      _rowmax_operand \"$command\" \"$word\"\n"
    "    fi\n"
    "  fi\n"
    "  if [[ $whole == *=* && $COMP_WORDBREAKS != *=* ]]; then\n"
    "    COMPREPLY=(\"${COMPREPLY[@]/#/${whole%=*}=}\")\n"
    "  fi\n"
    "}\n"
    "complete -o default -o bashdefault -F _rowmax rowmax\n";

static void print_words(const struct completion *completion)
{
    for (size_t i = 0; i < completion->count; i++) {
        printf(" %s", completion->words[i].name);
    }
}

/* The call that offers what a place takes, for the word in $2. */
static void print_call(const struct completion *completion)
{
    switch (completion->kind) {
    case COMPLETE_NOTHING:
        printf("_rowmax_offer \"$2\"");
        break;
    case COMPLETE_FILE:
        printf("true");
        break;
    case COMPLETE_FOLDER:
        printf("_rowmax_files \"$2\"");
        break;
    case COMPLETE_SWEEP:
        printf("_rowmax_files \"$2\" yaml yml; _rowmax_experiments \"$2\"");
        break;
    case COMPLETE_RESULTS:
        printf("_rowmax_files \"$2\" h5");
        break;
    case COMPLETE_WORD:
        printf("_rowmax_offer \"$2\"");
        print_words(completion);
        break;
    case COMPLETE_LIST:
        printf("_rowmax_list \"$2\"");
        print_words(completion);
        break;
    case COMPLETE_SETTING:
        printf("_rowmax_setting \"$2\"");
        print_words(completion);
        break;
    }
}

/* "plan--set|run--set) ..." */
static bool print_argument(const struct option_row *row, struct arena *arena, struct error *err)
{
    struct completion completion;
    size_t printed = 0;
    if (!completion_of_option(row, arena, &completion, err)) {
        return false;
    }
    for (size_t i = 0; i < command_count; i++) {
        if ((commands[i].options & row->bit) != 0) {
            printf("%s%s--%s", printed++ == 0 ? "    " : "|", commands[i].name, row->name);
            if (row->letter != 0) {
                printf("|%s-%c", commands[i].name, row->letter);
            }
        }
    }
    if (printed > 0) {
        printf(") ");
        print_call(&completion);
        printf(" ;;\n");
    }
    return true;
}

static void print_options(const struct command *command)
{
    size_t count;
    const struct option_row *rows = option_rows(&count);
    printf("    %s) echo --help", command->name);
    for (size_t i = 0; i < count; i++) {
        if ((rows[i].bit & command->options) != 0) {
            printf(" --%s", rows[i].name);
        }
    }
    printf(" ;;\n");
}

static bool print_operand(const struct command *command, struct arena *arena, struct error *err)
{
    struct completion completion;
    if (!completion_of_operand(command, arena, &completion, err)) {
        return false;
    }
    printf("    %s) ", command->name);
    print_call(&completion);
    printf(" ;;\n");
    return true;
}

static void print_value(const struct completion_word *word)
{
    if (word->values == NULL) {
        return;
    }
    printf("    %s) _rowmax_offer \"$2\"", word->name);
    for (size_t i = 0; word->values[i] != NULL; i++) {
        printf(" %s", word->values[i]);
    }
    printf(" ;;\n");
}

/* The values of settings, those of --set first: bash takes the first that fits. */
static bool print_values(struct arena *arena, struct error *err)
{
    size_t count;
    const struct option_row *rows = option_rows(&count);
    printf("_rowmax_value() {\n  case $1 in\n");
    for (size_t i = 0; i < count; i++) {
        struct completion completion;
        if (!completion_of_option(&rows[i], arena, &completion, err)) {
            return false;
        }
        for (size_t w = 0; completion.kind == COMPLETE_SETTING && w < completion.count; w++) {
            print_value(&completion.words[w]);
        }
    }
    printf("    *) _rowmax_offer \"$2\" ;;\n  esac\n}\n");
    return true;
}

bool completion_bash(struct arena *arena, struct error *err)
{
    size_t count;
    const struct option_row *rows = option_rows(&count);
    bool good = true;
    printf("%s_rowmax_commands='", head);
    for (size_t i = 0; i < command_count; i++) {
        printf("%s%s", i == 0 ? "" : " ", commands[i].name);
    }
    printf("'\n");
    good = print_values(arena, err);
    printf("_rowmax_argument() {\n  case $1 in\n");
    for (size_t i = 0; i < count && good; i++) {
        good = rows[i].argument == NULL || print_argument(&rows[i], arena, err);
    }
    printf("    *) return 1 ;;\n  esac\n  return 0\n}\n_rowmax_options() {\n  case $1 in\n");
    for (size_t i = 0; i < command_count; i++) {
        print_options(&commands[i]);
    }
    printf("  esac\n}\n_rowmax_operand() {\n  case $1 in\n");
    for (size_t i = 0; i < command_count && good; i++) {
        good = print_operand(&commands[i], arena, err);
    }
    printf("  esac\n}\n%s", tail);
    return good;
}
