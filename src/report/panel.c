/* SPDX-License-Identifier: MIT */
/* Puts the panel's page together; see panel.h. */
#include "report/panel.h"

#include "base/escape.h"
#include "base/hash.h"
#include "report/labels.h"
#include "report/panel_data.h"
#include "report/panel_template.h"

#include <string.h>

static const char *const nothing_more = "default-src 'none'; base-uri 'none'; form-action 'none'";

static void append_base64(struct text *out, const uint8_t digest[HASH_SIZE])
{
    static const char letters[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < HASH_SIZE; i += 3) {
        uint32_t group = 0;
        for (size_t b = i; b < i + 3; b++) {
            group = group << 8 | (b < HASH_SIZE ? digest[b] : 0);
        }
        for (size_t l = 0; l < 4; l++) {
            bool padding = i + l > HASH_SIZE;
            text_append_format(out, "%c", padding ? '=' : letters[group >> (18 - 6 * l) & 63U]);
        }
    }
}

static void append_source(struct text *out, const char *directive, const char *content)
{
    uint8_t digest[HASH_SIZE];
    hash_bytes(content, strlen(content), digest);
    text_append_format(out, "; %s 'sha256-", directive);
    append_base64(out, digest);
    text_append(out, "'");
}

/* Our own style and script, by their hashes, and nothing else: no network, no eval, and no script
 * that some name might bring in. */
static void append_policy(struct text *out, const char *style, const char *script)
{
    text_append(out, nothing_more);
    append_source(out, "style-src", style);
    append_source(out, "script-src", script);
}

/* Appends the page up to a mark; returns what follows it. */
static const char *append_until(struct text *out, const char *page, const char *mark)
{
    const char *at = strstr(page, mark);
    text_append_bytes(out, page, (size_t)(at - page));
    return at + strlen(mark);
}

bool panel_make(const struct result_set *set, const struct view *view, struct arena *arena,
                struct panel *out, struct error *err)
{
    const char *page = (const char *)panel_page;
    const char *style = (const char *)panel_style;
    const char *script = (const char *)panel_script;
    struct text text = TEXT_INIT(arena);
    struct panel_choice choice;
    *out = (struct panel){NULL, NULL};
    if (!panel_choose(set, view, arena, &choice, err)) {
        return false;
    }
    if (choice.lack != NULL) {
        out->lack = choice.lack;
        return true;
    }
    page = append_until(&text, page, "{{policy}}");
    append_policy(&text, style, script);
    page = append_until(&text, page, "{{title}}");
    escape_xml(&text, labels_title(set));
    page = append_until(&text, page, "{{style}}");
    text_append(&text, style);
    page = append_until(&text, page, "{{data}}");
    if (!panel_data_append(&text, &choice, arena, err)) {
        return false;
    }
    page = append_until(&text, page, "{{script}}");
    text_append(&text, script);
    text_append(&text, page);
    out->page = text_finish(&text, err);
    return out->page != NULL;
}

void panel_append_link(struct text *out, const struct panel *panel)
{
    if (panel->page != NULL) {
        text_append(out, "**Try it**: [panel.html](panel.html) shows these runs with a switch for "
                         "each guard. It is one file, for any browser, and needs no network.\n\n");
    } else {
        text_append_format(out, "No panel to try the guards in was made: %s.\n\n", panel->lack);
    }
}
