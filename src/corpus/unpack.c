/* SPDX-License-Identifier: MIT */
/* Reading through zlib; see unpack.h. */
#include "corpus/unpack.h"

#include "corpus/corpus.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#define ZLIB_BUFFER (1U << 17)

/* Why reading stopped; true at a proper end. gzread answers 0 at the end of a cut file as well,
 * only gzerror tells the two apart. */
static bool check_end(gzFile file, const char *path, int system_error, struct error *err)
{
    int code = Z_OK;
    gzerror(file, &code);
    switch (code) {
    case Z_OK:
    case Z_STREAM_END:
        return true;
    case Z_ERRNO:
        return error_set_system(err, ERROR_INPUT, system_error, "cannot read '%s'", path);
    case Z_BUF_ERROR:
        return error_set(err, ERROR_INPUT,
                         "'%s' is a gzip file that ends too early; copy or download it again",
                         path);
    case Z_MEM_ERROR:
        return error_set(err, ERROR_INTERNAL, "out of memory while unpacking '%s'", path);
    default:
        return error_set(err, ERROR_INPUT, "'%s' is a damaged gzip file; copy or download it again",
                         path);
    }
}

#define MOST_PACKED ((size_t)1040) /* deflate makes nothing smaller by more */

/* How many bytes of text a file holds: its own size, or what the end of a gzip file says, modulo
 * 2^32. */
static size_t expected_size(int descriptor, size_t limit)
{
    struct stat status;
    unsigned char head[2];
    unsigned char tail[4];
    if (fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode) || status.st_size < 4) {
        return 0;
    }
    size_t size = (size_t)status.st_size;
    size_t expected = size;
    if (pread(descriptor, head, 2, 0) == 2 && head[0] == 0x1F && head[1] == 0x8B) {
        bool told = pread(descriptor, tail, 4, status.st_size - 4) == 4;
        expected =
            told ? tail[0] | (size_t)tail[1] << 8 | (size_t)tail[2] << 16 | (size_t)tail[3] << 24
                 : 0;
        expected = expected / MOST_PACKED > size ? 0 : expected;
    }
    return expected < limit ? expected : limit;
}

static int open_file(const char *path, struct error *err)
{
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) {
        error_set_system(err, ERROR_INPUT, errno, "cannot open '%s'", path);
        return -1;
    }
    struct stat status;
    if (fstat(descriptor, &status) == 0 && S_ISDIR(status.st_mode)) {
        error_set(err, ERROR_INPUT, "'%s' is a folder; name a file in it", path);
        close(descriptor);
        return -1;
    }
    return descriptor;
}

bool unpack_open(struct unpack *unpack, const char *path, size_t limit, struct error *err)
{
    int descriptor = open_file(path, err);
    if (descriptor < 0) {
        return false;
    }
    *unpack =
        (struct unpack){.path = path, .expected = expected_size(descriptor, limit), .limit = limit};
    gzFile file = gzdopen(descriptor, "rb");
    if (file == NULL) {
        close(descriptor);
        return error_set(err, ERROR_INTERNAL, "out of memory while opening '%s'", path);
    }
    unpack->file = file;
    if (gzbuffer(file, ZLIB_BUFFER) != 0) {
        gzclose_r(file);
        return error_set(err, ERROR_INTERNAL, "zlib cannot set the buffer for '%s'", path);
    }
    return true;
}

bool unpack_read(struct unpack *unpack, char *to, size_t size, size_t *got, struct error *err)
{
    errno = 0;
    int count = gzread(unpack->file, to, (unsigned)size);
    *got = count > 0 ? (size_t)count : 0;
    unpack->total += *got;
    if (unpack->total > unpack->limit) {
        return error_set(err, ERROR_INPUT,
                         "'%s' holds more than %zu bytes of text, the limit; use a part of it",
                         unpack->path, unpack->limit);
    }
    return count > 0 || check_end(unpack->file, unpack->path, errno, err);
}

void unpack_close(struct unpack *unpack)
{
    gzclose_r(unpack->file);
}

const char *corpus_zlib_version(void)
{
    return zlibVersion();
}
