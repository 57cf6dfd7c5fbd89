/* SPDX-License-Identifier: MIT */
/* The names that options take for values: read by the parser and by the completions. */
#include "cli/options.h"

#include "run/fields.h"

const char *const progress_names[] = {"auto", "bar", "plain", "none", NULL};
const char *const layout_names[] = {"text", "json", NULL};
const char *const picture_names[] = {"svg", "png", "pdf", NULL};
const char *const export_names[] = {"csv", "json", "jsonl", "module", NULL};
const char *const engine_names[] = {"slurm", NULL};
const char *const shell_names[] = {"bash", "zsh", "fish", NULL};

const char *const *option_names(uint64_t bit)
{
    const struct {
        uint64_t bit;
        const char *const *names;
    } options[] = {
        {OPTION_PROGRESS, progress_names}, {OPTION_LAYOUT, layout_names},
        {OPTION_FORMAT, picture_names},    {OPTION_EXPORT_FORMAT, export_names},
        {OPTION_ENGINE, engine_names},     {OPTION_WEIGHTS, run_fields[RUN_WEIGHTS].choices},
    };
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++) {
        if (options[i].bit == bit) {
            return options[i].names;
        }
    }
    return NULL;
}
