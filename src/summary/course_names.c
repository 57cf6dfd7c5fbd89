/* SPDX-License-Identifier: MIT */
/* Names of the files of course data, and of what changes between two exports; see course.h. */
#include "summary/course.h"

#include "base/hash.h"
#include "base/text.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#define LONGEST_PLAIN ((size_t)80) /* bytes of a folder name before the hash takes over */

const char *const course_change_names[COURSE_CHANGE_COUNT] = {
    [COURSE_MOVED] = "moved",     [COURSE_STATUS] = "status",   [COURSE_TOKENS] = "tokens",
    [COURSE_WEIGHTS] = "weights", [COURSE_NEW] = "new",         [COURSE_GONE] = "gone",
    [COURSE_TEXT] = "text",       [COURSE_SETTING] = "setting", [COURSE_MEASURE] = "measure"};

static bool is_plain(char byte)
{
    return (byte >= 'a' && byte <= 'z') || (byte >= '0' && byte <= '9') || byte == '-' ||
           byte == '_';
}

/* Names that Windows keeps for devices, with any ending. */
static bool is_device(const char *name)
{
    static const char *const devices[] = {"con", "prn", "aux", "nul"};
    size_t length = strcspn(name, ".");
    bool found = false;
    for (size_t i = 0; i < sizeof devices / sizeof devices[0]; i++) {
        found = found || (length == 3 && strncmp(name, devices[i], 3) == 0);
    }
    return found ||
           (length == 4 && (strncmp(name, "com", 3) == 0 || strncmp(name, "lpt", 3) == 0) &&
            isdigit((unsigned char)name[3]));
}

const char *course_folder_name(const char *corpus, struct arena *arena, struct error *err)
{
    struct text name = TEXT_INIT(arena);
    size_t size = strlen(corpus);
    text_append(&name, size == 0 ? "~" : "");
    for (size_t i = 0; i < size && name.length <= LONGEST_PLAIN; i++) {
        bool inner_dot = corpus[i] == '.' && i > 0 && i + 1 < size;
        if ((is_plain(corpus[i]) || inner_dot) && !(i == 0 && is_device(corpus))) {
            text_append_bytes(&name, &corpus[i], 1);
        } else {
            text_append_format(&name, "~%02x", (unsigned)(unsigned char)corpus[i]);
        }
    }
    if (name.length > LONGEST_PLAIN && !name.failed) {
        char hex[HASH_HEX_SIZE];
        hash_bytes_hex(corpus, size, hex);
        name.length = LONGEST_PLAIN;
        name.data[name.length] = '\0';
        text_append_format(&name, "~~%.32s", hex);
    }
    return text_finish(&name, err);
}

bool course_path_is_ours(const char *path)
{
    size_t folder = 0;
    while (is_plain(path[folder]) || path[folder] == '~' || (path[folder] == '.' && folder > 0)) {
        folder++;
    }
    const char *file = path + folder + 1;
    if (folder == 0 || folder > 2 * LONGEST_PLAIN || path[folder] != '/') {
        return false;
    }
    size_t digits = strspn(file, "0123456789");
    return digits > 0 && digits <= 20 && strcmp(file + digits, ".json") == 0;
}
