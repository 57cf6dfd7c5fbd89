/* SPDX-License-Identifier: MIT */
/* rowmax completion: what makes a shell complete commands, options and their values. */
#include "cli/completion.h"

#include <string.h>

bool command_completion(const struct options *options, struct arena *arena, struct error *err)
{
    static bool (*const scripts[])(struct arena *, struct error *) = {
        completion_bash, completion_zsh, completion_fish};
    const char *shell = options->operands[0];
    for (size_t i = 0; i < sizeof scripts / sizeof scripts[0]; i++) {
        if (strcmp(shell, shell_names[i]) == 0) {
            return scripts[i](arena, err);
        }
    }
    return error_set(err, ERROR_USAGE,
                     "no completion for '%s'; there is one for bash, zsh and fish", shell);
}
