/* SPDX-License-Identifier: MIT */
/* Text of plain and gzip files; see unpack.h. The members of a gzip file are taken one by one, as
 * gzread would pass over whatever follows the last. */
#include "corpus/unpack.h"

#include "corpus/corpus.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define READ_AHEAD ((size_t)1 << 17)

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

/* Every signal that is caught asks for the end, and pipes may be waited for. */
static bool fail(const char *path, const char *what, struct error *err)
{
    return errno == EINTR
               ? error_set(err, ERROR_INTERRUPTED, "interrupted while '%s' was read", path)
               : error_set_system(err, ERROR_INPUT, errno, "cannot %s '%s'", what, path);
}

static int open_file(const char *path, struct error *err)
{
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) {
        fail(path, "open", err);
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
    *unpack = (struct unpack){.path = path,
                              .expected = expected_size(descriptor, limit),
                              .limit = limit,
                              .descriptor = descriptor};
    unpack->bytes = arena_alloc_raw(&unpack->arena, READ_AHEAD, 1, err);
    if (unpack->bytes == NULL) {
        close(descriptor);
        return false;
    }
    return true;
}

static bool read_file(const struct unpack *unpack, void *to, size_t size, size_t *got,
                      struct error *err)
{
    ssize_t count = read(unpack->descriptor, to, size);
    *got = count > 0 ? (size_t)count : 0;
    return count >= 0 || fail(unpack->path, "read", err);
}

/* At least so many bytes of the file are read ahead, unless it has no more. */
static bool read_ahead(struct unpack *unpack, size_t least, struct error *err)
{
    if (unpack->held - unpack->at >= least) {
        return true;
    }
    unpack->held -= unpack->at;
    memmove(unpack->bytes, unpack->bytes + unpack->at, unpack->held);
    unpack->at = 0;
    size_t got = 1;
    while (got > 0 && unpack->held < least) {
        if (!read_file(unpack, unpack->bytes + unpack->held, READ_AHEAD - unpack->held, &got,
                       err)) {
            return false;
        }
        unpack->held += got;
    }
    return true;
}

static bool is_member(const struct unpack *unpack)
{
    const unsigned char *next = unpack->bytes + unpack->at;
    return unpack->held - unpack->at >= 2 && next[0] == 0x1F && next[1] == 0x8B;
}

static bool refuse(const struct unpack *unpack, int code, struct error *err)
{
    if (code == Z_MEM_ERROR) {
        return error_set(err, ERROR_INTERNAL, "out of memory while unpacking '%s'", unpack->path);
    }
    return error_set(err, ERROR_INPUT,
                     code == Z_BUF_ERROR
                         ? "'%s' is a gzip file that ends too early; copy or download it again"
                         : "'%s' is a damaged gzip file; copy or download it again",
                     unpack->path);
}

/* What kind of file it is. */
static bool begin(struct unpack *unpack, struct error *err)
{
    if (!read_ahead(unpack, 2, err)) {
        return false;
    }
    unpack->state = UNPACK_PLAIN;
    if (is_member(unpack)) {
        int code = inflateInit2(&unpack->stream, MAX_WBITS + 16);
        unpack->unpacking = code == Z_OK;
        unpack->state = UNPACK_PACKED;
        return unpack->unpacking || refuse(unpack, code, err);
    }
    return true;
}

/* Behind a member: another one, or nothing but zeros, with which archives fill their blocks. */
static bool end_member(struct unpack *unpack, struct error *err)
{
    if (!read_ahead(unpack, 2, err)) {
        return false;
    }
    if (is_member(unpack)) {
        int code = inflateReset(&unpack->stream);
        return code == Z_OK || refuse(unpack, code, err);
    }
    while (unpack->held > 0) {
        for (; unpack->at < unpack->held; unpack->at++) {
            if (unpack->bytes[unpack->at] != 0) {
                return error_set(err, ERROR_INPUT,
                                 "'%s' is a gzip file with other bytes behind its end; copy or "
                                 "download it again, or use what 'gunzip -c' makes of it",
                                 unpack->path);
            }
        }
        if (!read_ahead(unpack, 1, err)) {
            return false;
        }
    }
    unpack->state = UNPACK_END;
    return true;
}

static bool read_packed(struct unpack *unpack, char *to, size_t size, size_t *got,
                        struct error *err)
{
    z_stream *stream = &unpack->stream;
    stream->next_out = (Bytef *)to;
    stream->avail_out = (uInt)size;
    while (stream->avail_out > 0 && unpack->state == UNPACK_PACKED) {
        if (!read_ahead(unpack, 1, err)) {
            return false;
        }
        stream->next_in = unpack->bytes + unpack->at;
        stream->avail_in = (uInt)(unpack->held - unpack->at);
        int code = inflate(stream, Z_NO_FLUSH); /* Z_BUF_ERROR where nothing is left to take */
        unpack->at = unpack->held - stream->avail_in;
        if (code != Z_OK && code != Z_STREAM_END) {
            return refuse(unpack, code, err);
        }
        if (code == Z_STREAM_END && !end_member(unpack, err)) {
            return false;
        }
    }
    *got = size - stream->avail_out;
    return true;
}

static bool read_plain(struct unpack *unpack, char *to, size_t size, size_t *got, struct error *err)
{
    size_t ahead = unpack->held - unpack->at;
    if (ahead == 0) {
        return read_file(unpack, to, size, got, err);
    }
    *got = ahead < size ? ahead : size;
    memcpy(to, unpack->bytes + unpack->at, *got);
    unpack->at += *got;
    return true;
}

bool unpack_read(struct unpack *unpack, char *to, size_t size, size_t *got, struct error *err)
{
    *got = 0;
    if (unpack->state == UNPACK_START && !begin(unpack, err)) {
        return false;
    }
    if (!(unpack->state == UNPACK_PLAIN ? read_plain(unpack, to, size, got, err)
                                        : read_packed(unpack, to, size, got, err))) {
        return false;
    }
    unpack->total += *got;
    return unpack->total <= unpack->limit ||
           error_set(err, ERROR_INPUT,
                     "'%s' holds more than %zu bytes of text, the limit; use a part of it",
                     unpack->path, unpack->limit);
}

void unpack_close(struct unpack *unpack)
{
    if (unpack->unpacking) {
        inflateEnd(&unpack->stream);
    }
    close(unpack->descriptor);
    arena_release(&unpack->arena);
}

const char *corpus_zlib_version(void)
{
    return zlibVersion();
}
