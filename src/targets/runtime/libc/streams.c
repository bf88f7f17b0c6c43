/* FILEs that the program reads. */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "targets/runtime/kernel/fail.h"
#include "targets/runtime/kernel/location.h"
#include "targets/runtime/kernel/ranges.h"
#include "targets/runtime/kernel/symbols.h"
#include "targets/runtime/libc/contents.h"
#include "targets/runtime/libc/files.h"
#include "targets/runtime/libc/memory_streams.h"
#include "targets/runtime/libc/scan.h"
#include "targets/runtime/libc/stream_locks.h"
#include "targets/runtime/libc/stream_step.h"
#include "targets/runtime/libc/system_files.h"
#include "targets/runtime/sync/cancel.h"

/* The stream is locked until its function ends. */
static open_file *begin_looking(FILE *stream, const void *here) {
    stream_locks_enter(stream, here);
    stream_step(stream, here);
    open_file *file = files_of_stream(stream);
    if (!file) {
        errno = EBADF;
    }
    return file;
}

/* The same where something may be read, written or closed. */
static open_file *begin(FILE *stream, const void *here) {
    cancel_maybe(location_of(here));
    return begin_looking(stream, here);
}

/* The same where something is read. */
static open_file *begin_reading(FILE *stream, const void *here) {
    open_file *file = begin(stream, here);
    if (file && file->unreadable) {
        file->failed = true;
        errno = EBADF;
        return NULL;
    }
    return file;
}

/* ---- opening and closing ---- */

static int flags_of(const char *mode) {
    int flags = strchr(mode, '+') ? O_RDWR : mode[0] == 'r' ? O_RDONLY : O_WRONLY;
    flags |= mode[0] == 'w' ? O_CREAT | O_TRUNC : mode[0] == 'a' ? O_CREAT | O_APPEND : 0;
    return flags | (strchr(mode, 'x') ? O_EXCL : 0);
}

static FILE *open_stream(const char *name, const char *path, const char *mode, const void *here) {
    reads_string(path, here);
    reads_string(mode, here);
    int flags = flags_of(mode);
    if (files_changes(path, flags)) {
        system_files_permit(name, here);
    }
    cancel_maybe(location_of(here));
    open_file *file = files_open(path, flags, 0666, here);
    if (file) {
        file->stream = (uint8_t)(files_number(file) + 1);
    }
    return (FILE *)file;
}

FILE *heddle_fopen(const char *path, const char *mode) {
    return open_stream("fopen", path, mode, HERE);
}

FILE *heddle_fopen64(const char *path, const char *mode) {
    return open_stream("fopen64", path, mode, HERE);
}

FILE *heddle_fdopen(int descriptor, const char *mode) {
    reads_string(mode, HERE);
    files_step(HERE);
    open_file *file = mode[0] == 'r' ? files_of_descriptor(descriptor) : files_to_write(descriptor);
    if (!file) {
        heddle_unsupported("fdopen with a mode that the descriptor does not have", HERE);
    }
    if (file->stream && file->stream != descriptor + 1) {
        heddle_unsupported("fdopen of two descriptors of a file", HERE);
    }
    file->stream = (uint8_t)(descriptor + 1);
    return descriptor ? (FILE *)file : stdin;
}

/* Standard output and error are heddle's own and stay as they are. */
int heddle_fclose(FILE *stream) {
    if (stream == stdout || stream == stderr) {
        return heddle_fflush(stream);
    }
    if (memory_streams_is(stream)) {
        cancel_maybe(location_of(HERE));
        return memory_streams_close(stream, HERE);
    }
    open_file *file = begin(stream, HERE), *last = file ? files_drop(files_number(file)) : NULL;
    if (file) {
        file->stream = 0;
    }
    if (last) {
        *last = (open_file){0};
    }
    stream_locks_end(stream, HERE);
    return file ? 0 : EOF;
}

int heddle_fileno(FILE *stream) {
    if (stream == stdout || stream == stderr) {
        return stream == stdout ? 1 : 2;
    }
    stream_step(stream, HERE);
    if (memory_streams_is(stream)) {
        return memory_streams_number(stream, HERE);
    }
    const open_file *file = files_of_stream(stream);
    return file ? files_number(file) : fail_with(EBADF);
}

int heddle_feof(FILE *stream) {
    const open_file *file = begin_looking(stream, HERE);
    bool at_end = file && file->at_end;
    stream_locks_leave(stream, HERE);
    return at_end;
}

/* Standard output and error have no state here. True: it is one of them. */
static bool passes_output(FILE *stream, const void *here) {
    if (stream != stdout && stream != stderr) {
        return false;
    }
    stream_locks_enter(stream, here);
    stream_locks_leave(stream, here);
    return true;
}

int heddle_ferror(FILE *stream) {
    if (passes_output(stream, HERE)) {
        return 0;
    }
    const open_file *file = begin_looking(stream, HERE);
    bool failed = file && file->failed;
    stream_locks_leave(stream, HERE);
    return failed;
}

void heddle_clearerr(FILE *stream) {
    if (passes_output(stream, HERE)) {
        return;
    }
    open_file *file = begin_looking(stream, HERE);
    if (file) {
        file->at_end = file->failed = false;
    }
    stream_locks_leave(stream, HERE);
}

/* ---- bytes ---- */

static int next_byte(open_file *file) {
    CHECK(file->pushed_count <= FILES_PUSHED);
    if (file->pushed_count) {
        return file->pushed[--file->pushed_count];
    }
    size_t taken;
    const unsigned char *byte = files_take(file, 1, &taken);
    file->at_end = file->at_end || !taken;
    return taken ? *byte : EOF;
}

static int get_byte(FILE *stream, const void *here) {
    open_file *file = begin_reading(stream, here);
    int byte = file ? next_byte(file) : EOF;
    stream_locks_leave(stream, here);
    return byte;
}

int heddle_fgetc(FILE *stream) {
    return get_byte(stream, HERE);
}

int heddle_getchar(void) {
    return get_byte(stdin, HERE);
}

static int push_byte(open_file *file, int byte, const void *here) {
    if (!file || byte == EOF) {
        return EOF;
    }
    if (file->pushed_count == FILES_PUSHED) {
        heddle_unsupported("ungetc of more than 4 bytes", here);
    }
    file->pushed[file->pushed_count++] = (unsigned char)byte;
    file->at_end = false;
    return (unsigned char)byte;
}

int heddle_ungetc(int byte, FILE *stream) {
    int pushed = push_byte(begin(stream, HERE), byte, HERE);
    stream_locks_leave(stream, HERE);
    return pushed;
}

/* Bytes that were pushed back come first; they are on the caller's stack then. */
static size_t take_pushed(open_file *file, unsigned char *bytes, size_t size) {
    size_t count = 0;
    while (file->pushed_count && count < size) {
        bytes[count++] = file->pushed[--file->pushed_count];
    }
    return count;
}

static size_t read_bytes(open_file *file, void *place, size_t size, const void *here) {
    unsigned char pushed[FILES_PUSHED];
    if (!file) {
        return 0;
    }
    size_t first = take_pushed(file, pushed, size), rest;
    const unsigned char *bytes = files_take(file, size - first, &rest);
    CHECK(first <= FILES_PUSHED && first + rest <= size);
    file->at_end = file->at_end || first + rest < size;
    writes(place, first + rest, here);
    memcpy(place, pushed, first);
    memcpy((char *)place + first, bytes, rest);
    return first + rest;
}

size_t heddle_fread(void *place, size_t size, size_t count, FILE *stream) {
    size_t bytes;
    if (__builtin_mul_overflow(size, count, &bytes) || !bytes) {
        return 0;
    }
    size_t taken = read_bytes(begin_reading(stream, HERE), place, bytes, HERE);
    stream_locks_leave(stream, HERE);
    return taken / size;
}

/* ---- lines ---- */

/* As many bytes as there are up to the end of the line, the end included, but not more than `most`;
 * where they are. */
static const unsigned char *take_line(open_file *file, int end, size_t most, size_t *taken) {
    const file_content *content = contents_at(file->content);
    uint64_t at = file->position < content->size ? file->position : content->size;
    const unsigned char *start = content->data + at;
    size_t left = (size_t)(content->size - at), wanted = left < most ? left : most;
    const unsigned char *stop = memchr(start, end, wanted);
    const unsigned char *bytes =
        files_take(file, stop ? (size_t)(stop - start) + 1 : wanted, taken);
    CHECK(bytes == start && *taken <= wanted);
    file->at_end = file->at_end || (!stop && wanted < most);
    return bytes;
}

static char *get_line(char *place, int size, open_file *file, const void *here) {
    unsigned char pushed[FILES_PUSHED];
    if (!file || size <= 0) {
        return NULL;
    }
    size_t most = (size_t)size - 1, first = take_pushed(file, pushed, most), rest = 0;
    const unsigned char *bytes = NULL;
    if (!first || pushed[first - 1] != '\n') {
        bytes = take_line(file, '\n', most - first, &rest);
    }
    CHECK(first + rest <= most);
    if (most && !first && !rest) {
        return NULL;
    }
    writes(place, first + rest + 1, here);
    memcpy(place, pushed, first);
    memcpy(place + first, bytes, rest);
    place[first + rest] = '\0';
    return place;
}

char *heddle_fgets(char *place, int size, FILE *stream) {
    char *line = get_line(place, size, begin_reading(stream, HERE), HERE);
    stream_locks_leave(stream, HERE);
    return line;
}

static ssize_t take_delimited(char **line, size_t *room, int end, open_file *file,
                              const void *here) {
    unsigned char pushed[FILES_PUSHED];
    if (!file) {
        return -1;
    }
    size_t first = take_pushed(file, pushed, FILES_PUSHED), rest = 0;
    const unsigned char *bytes = take_line(file, end, SIZE_MAX, &rest);
    size_t size = first + rest;
    if (!size) {
        return -1;
    }
    access_plain(line, sizeof *line, ACCESS_READ_WRITE, here);
    access_plain(room, sizeof *room, ACCESS_READ_WRITE, here);
    if (!*line || *room < size + 1) {
        size_t wanted = size + 1 < 120 ? 120 : size + 1;
        char *block = heap_resize(*line, wanted, here);
        undo_write((uintptr_t)line, sizeof *line); /* announced some steps ago */
        undo_write((uintptr_t)room, sizeof *room);
        *line = block;
        *room = wanted;
    }
    writes(*line, size + 1, here);
    memcpy(*line, pushed, first);
    memcpy(*line + first, bytes, rest);
    (*line)[size] = '\0';
    return (ssize_t)size;
}

static ssize_t get_delimited(char **line, size_t *room, int end, FILE *stream, const void *here) {
    ssize_t length = take_delimited(line, room, end, begin_reading(stream, here), here);
    stream_locks_leave(stream, here);
    return length;
}

ssize_t heddle_getline(char **line, size_t *room, FILE *stream) {
    return get_delimited(line, room, '\n', stream, HERE);
}

ssize_t heddle_getdelim(char **line, size_t *room, int end, FILE *stream) {
    return get_delimited(line, room, end, stream, HERE);
}

/* ---- positions ---- */

static int64_t tell(FILE *stream, const void *here) {
    const open_file *file = begin(stream, here);
    int64_t position = file ? (int64_t)file->position - file->pushed_count : -1;
    stream_locks_leave(stream, here);
    return position;
}

static int move(open_file *file, int64_t offset, int origin, const void *here) {
    if (!file) {
        return -1;
    }
    int64_t base = origin == SEEK_SET   ? 0
                   : origin == SEEK_CUR ? (int64_t)file->position - file->pushed_count
                                        : (int64_t)contents_at(file->content)->size;
    if (base + offset < 0 ||
        (file->memory && !memory_streams_may_seek(file, (uint64_t)(base + offset), here))) {
        return fail_with(EINVAL);
    }
    file->position = (uint64_t)(base + offset);
    file->pushed_count = 0;
    file->at_end = false;
    return 0;
}

static int seek(FILE *stream, int64_t offset, int origin, const void *here) {
    if (memory_streams_before_seek(stream, here) != 0) {
        return -1;
    }
    int result = move(begin(stream, here), offset, origin, here);
    stream_locks_leave(stream, here);
    return result;
}

long heddle_ftell(FILE *stream) {
    return (long)tell(stream, HERE);
}

int64_t heddle_ftello(FILE *stream) {
    return tell(stream, HERE);
}

int heddle_fseek(FILE *stream, long offset, int origin) {
    return seek(stream, offset, origin, HERE);
}

int heddle_fseeko(FILE *stream, int64_t offset, int origin) {
    return seek(stream, offset, origin, HERE);
}

/* The first bytes of an fpos_t are the position in libc, too. */
int heddle_fgetpos(FILE *stream, fpos_t *place) {
    int64_t position = tell(stream, HERE);
    if (position < 0) {
        return -1;
    }
    writes(place, sizeof *place, HERE);
    memset(place, 0, sizeof *place);
    memcpy(place, &position, sizeof position);
    return 0;
}

int heddle_fsetpos(FILE *stream, const fpos_t *place) {
    int64_t position;
    reads(place, sizeof *place, HERE);
    memcpy(&position, place, sizeof position);
    return seek(stream, position, SEEK_SET, HERE);
}

void heddle_rewind(FILE *stream) {
    bool moves = memory_streams_before_seek(stream, HERE) == 0;
    open_file *file = begin(stream, HERE);
    if (file && moves) {
        move(file, 0, SEEK_SET, HERE);
    }
    if (file) {
        file->failed = file->at_end = false;
    }
    stream_locks_leave(stream, HERE);
}

/* ---- formatted ---- */

/* libc reads from a stream on the bytes that are left, and reports how far it came. */
static int scan(open_file *file, const char *format, va_list list, const void *here) {
    if (!file) {
        return EOF;
    }
    if (file->pushed_count) {
        heddle_unsupported("scanf after ungetc", here);
    }
    const file_content *content = contents_at(file->content);
    uint64_t at = file->position < content->size ? file->position : content->size;
    const unsigned char *bytes = content->data + at;
    file->at_end = file->at_end || at == content->size;
    return scan_bytes(bytes, (size_t)(content->size - at), &file->position, format, list, here);
}

static int scan_stream(FILE *stream, const char *format, va_list list, const void *here) {
    int found = scan(begin_reading(stream, here), format, list, here);
    stream_locks_leave(stream, here);
    return found;
}

int heddle_vfscanf(FILE *stream, const char *format, va_list list) {
    return scan_stream(stream, format, list, HERE);
}

int heddle_vscanf(const char *format, va_list list) {
    return scan_stream(stdin, format, list, HERE);
}

#define SCANNER(name)                                          \
    int heddle_##name(FILE *stream, const char *format, ...) { \
        va_list list;                                          \
        va_start(list, format);                                \
        int found = scan_stream(stream, format, list, HERE);   \
        va_end(list);                                          \
        return found;                                          \
    }
#define INPUT_SCANNER(name)                                 \
    int heddle_##name(const char *format, ...) {            \
        va_list list;                                       \
        va_start(list, format);                             \
        int found = scan_stream(stdin, format, list, HERE); \
        va_end(list);                                       \
        return found;                                       \
    }

SCANNER(fscanf)
SCANNER(__isoc99_fscanf)
INPUT_SCANNER(scanf)
INPUT_SCANNER(__isoc99_scanf)
