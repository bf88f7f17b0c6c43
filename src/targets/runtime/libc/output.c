/* Formatted output. To memory: the text is made aside, then written as one announced range. To
 * files: nothing is printed while the program is explored, but in a replay (settings.echo); what
 * it reads (strings) is announced either way. */
#include "targets/runtime/libc/output.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <wchar.h>

#include "base/limit.h"
#include "base/memory.h"
#include "targets/runtime/kernel/access.h"
#include "targets/runtime/kernel/location.h"
#include "targets/runtime/kernel/ranges.h"
#include "targets/runtime/kernel/symbols.h"
#include "targets/runtime/libc/format.h"
#include "targets/runtime/libc/memory_streams.h"
#include "targets/runtime/libc/stream_locks.h"
#include "targets/runtime/libc/stream_step.h"
#include "targets/runtime/libc/system_files.h"
#include "targets/runtime/memory/heap.h"
#include "targets/runtime/sync/cancel.h"

enum { TEXT_SIZE = 1 << 16, SMALL_TEXT = 1 << 10 };
_Static_assert(SMALL_TEXT < TEXT_SIZE, "a text that is kept on the stack is one that fits");

/* Used between two steps only: no fiber parks while it needs the text of before. */
static char text[TEXT_SIZE];

/* Each string as it is when it is read. The text is on the stack until it is complete, and so has
 * to be small. False: it is not made, but all is announced. */
static __attribute__((noinline)) bool make_in_pieces(const char *format, va_list list, int *length,
                                                     const void *here) {
    char own[SMALL_TEXT];
    format_text made = {.bytes = own, .size = sizeof own};
    bool good = format_announce(format, list, &made, here);
    if (good) {
        CHECK(made.length < sizeof own && made.length < sizeof text);
        memcpy(text, own, made.length);
        text[made.length] = '\0';
        *length = (int)made.length;
    }
    return good;
}

/* Writes the first TEXT_SIZE - 1 bytes of the text; returns its whole length. */
static int make(const char *format, va_list list, const void *here) {
    int length;
    if (runtime.current && format_reads_several(format)) {
        if (make_in_pieces(format, list, &length, here)) {
            return length;
        }
    } else if (runtime.current) {
        format_announce(format, list, NULL, here);
    }
    length = vsnprintf(text, sizeof text, format, list);
    if (unlikely(length >= TEXT_SIZE ||
                 (LIMIT_TORTURE && length > (int64_t)limit_most(LIMIT_TEXT)))) {
        limit_reached(LIMIT_TEXT);
    }
    return length;
}

static int make_into(char *to, size_t size, const char *format, va_list list, const void *here) {
    va_list again;
    va_copy(again, list);
    int length = make(format, list, here);
    if (length < 0 || !size) {
        va_end(again);
        return length;
    }
    size_t written = (size_t)length < size ? (size_t)length : size - 1;
    written = written < sizeof text - 1 ? written : sizeof text - 1;
    CHECK(written < size && written < sizeof text);
    char small[SMALL_TEXT];
    char *kept = text;
    if (written < sizeof small) { /* another thread may print while this one is parked */
        kept = memcpy(small, text, written);
    }
    access_plain(to, written + 1, ACCESS_WRITE, here);
    if (kept == text) {
        vsnprintf(text, sizeof text, format, again);
    }
    memcpy(to, kept, written);
    to[written] = '\0';
    va_end(again);
    return length;
}

uint64_t output_calls;
bool output_line_is_open;

static void hear(const void *bytes, size_t size, bool on_output) {
    if (on_output && size) {
        output_line_is_open = ((const char *)bytes)[size - 1] != '\n';
    }
}

static bool is_silent(FILE *stream) {
    return (stream == stdout || stream == stderr) && !runtime.settings.echo;
}

/* Output may be a cancellation point: something may be written from the buffer. */
static void enter(FILE *stream, const void *here) {
    cancel_maybe(location_of(here));
    stream_locks_enter(stream, here);
}

/* The step of writing to a file; standard output and error are no objects. */
static void begin(FILE *stream, const void *here) {
    output_calls++;
    if (stream != stdout && stream != stderr) {
        stream_step(stream, here);
    }
}

/* After begin: nobody parks here. */
static bool put(FILE *stream, const void *bytes, size_t size) {
    if (stream == stdout || stream == stderr) {
        if (is_silent(stream)) {
            return true;
        }
        hear(bytes, size, stream == stdout);
        return fwrite(bytes, 1, size, stream) == size;
    }
    open_file *file = files_of_output(stream);
    bool good = file && system_files_write(file, bytes, size, NULL) == (int64_t)size;
    if (!good) {
        errno = file ? errno : EBADF;
        files_note_failure(stream);
    }
    return good;
}

static int print(FILE *stream, const char *format, va_list list, const void *here) {
    va_list again;
    va_copy(again, list);
    char small[SMALL_TEXT];
    int length = make(format, list, here);
    bool fits = length > 0 && length < SMALL_TEXT && !is_silent(stream);
    if (fits) { /* others may run before it is written */
        memcpy(small, text, (size_t)length);
    }
    begin(stream, here);
    if (fits) {
        length = put(stream, small, (size_t)length) ? length : -1;
    } else if (length > 0 && !is_silent(stream)) { /* made again, and whole */
        size_t size = (size_t)length + 1;
        char *whole = memory_resize(NULL, 0, size);
        vsnprintf(whole, size, format, again);
        length = put(stream, whole, size - 1) ? length : -1;
        memory_resize(whole, size, 0);
    }
    va_end(again);
    return length;
}

int output_print(FILE *stream, const char *format, va_list list, const void *here) {
    enter(stream, here);
    int length = print(stream, format, list, here);
    stream_locks_leave(stream, here);
    return length;
}

int heddle_vsnprintf(char *to, size_t size, const char *format, va_list list) {
    return make_into(to, size, format, list, HERE);
}

int heddle_vsprintf(char *to, const char *format, va_list list) {
    return make_into(to, SIZE_MAX, format, list, HERE);
}

int heddle_snprintf(char *to, size_t size, const char *format, ...) {
    va_list list;
    va_start(list, format);
    int length = make_into(to, size, format, list, HERE);
    va_end(list);
    return length;
}

int heddle_sprintf(char *to, const char *format, ...) {
    va_list list;
    va_start(list, format);
    int length = make_into(to, SIZE_MAX, format, list, HERE);
    va_end(list);
    return length;
}

/* Into a block of the program's heap. */
static int make_block(char **result, const char *format, va_list list, const void *here) {
    char small[SMALL_TEXT];
    va_list again;
    va_copy(again, list);
    int length = make(format, again, here);
    va_end(again);
    bool fits = length >= 0 && length < SMALL_TEXT;
    if (fits) {
        memcpy(small, text, (size_t)length + 1);
    }
    char *block = length < 0 ? NULL : heap_allocate((size_t)length + 1, here);
    if (!block) {
        return -1;
    }
    access_plain(block, (size_t)length + 1, ACCESS_WRITE, here);
    if (fits) {
        memcpy(block, small, (size_t)length + 1);
    } else {
        vsnprintf(block, (size_t)length + 1, format, list);
    }
    access_plain(result, sizeof *result, ACCESS_WRITE, here);
    *result = block;
    return length;
}

int heddle_vasprintf(char **result, const char *format, va_list list) {
    return make_block(result, format, list, HERE);
}

int heddle_asprintf(char **result, const char *format, ...) {
    va_list list;
    va_start(list, format);
    int length = make_block(result, format, list, HERE);
    va_end(list);
    return length;
}

int heddle_vfprintf(FILE *stream, const char *format, va_list list) {
    return output_print(stream, format, list, HERE);
}

int heddle_vprintf(const char *format, va_list list) {
    return output_print(stdout, format, list, HERE);
}

int heddle_fprintf(FILE *stream, const char *format, ...) {
    va_list list;
    va_start(list, format);
    int length = output_print(stream, format, list, HERE);
    va_end(list);
    return length;
}

int heddle_printf(const char *format, ...) {
    va_list list;
    va_start(list, format);
    int length = output_print(stdout, format, list, HERE);
    va_end(list);
    return length;
}

/* What was read: a copy of it if it is small, since others may run before it is written. */
static const void *keep(char own[SMALL_TEXT], const void *data, size_t size) {
    return size <= SMALL_TEXT ? memcpy(own, data, size) : data;
}

static int put_string(const char *string, FILE *stream, const char *end, const void *here) {
    char own[SMALL_TEXT];
    enter(stream, here);
    reads_string(string, here);
    size_t length = is_silent(stream) ? 0 : strlen(string);
    const char *kept = keep(own, string, length);
    begin(stream, here);
    bool good = is_silent(stream) || (put(stream, kept, length) && put(stream, end, strlen(end)));
    stream_locks_leave(stream, here);
    return good ? 1 : EOF;
}

int heddle_puts(const char *string) {
    return put_string(string, stdout, "\n", HERE);
}

int heddle_fputs(const char *string, FILE *stream) {
    return put_string(string, stream, "", HERE);
}

static int put_byte(int c, FILE *stream, const void *here) {
    unsigned char byte = (unsigned char)c;
    enter(stream, here);
    begin(stream, here);
    bool good = put(stream, &byte, 1);
    stream_locks_leave(stream, here);
    return good ? byte : EOF;
}

#define PUTS_BYTE(name)                      \
    int heddle_##name(int c, FILE *stream) { \
        return put_byte(c, stream, HERE);    \
    }

PUTS_BYTE(fputc)
PUTS_BYTE(putc)
PUTS_BYTE(fputc_unlocked)
PUTS_BYTE(putc_unlocked)
#undef PUTS_BYTE

int heddle_putchar(int c) {
    return put_byte(c, stdout, HERE);
}

size_t heddle_fwrite(const void *data, size_t size, size_t count, FILE *stream) {
    char own[SMALL_TEXT];
    if (!size || !count) {
        return 0;
    }
    enter(stream, HERE);
    reads(data, size * count, HERE);
    touches(data);
    const void *kept = keep(own, data, is_silent(stream) ? 0 : size * count);
    begin(stream, HERE);
    bool good = put(stream, kept, size * count);
    stream_locks_leave(stream, HERE);
    return good ? count : 0;
}

int heddle_fflush(FILE *stream) {
    if (memory_streams_is(stream)) {
        cancel_maybe(location_of(HERE));
        return memory_streams_flush(stream, HERE);
    }
    bool output = !stream || stream == stdout || stream == stderr;
    enter(stream ? stream : stdout, HERE);
    if (!output) {
        stream_step(stream, HERE);
    }
    stream_locks_leave(stream ? stream : stdout, HERE);
    return runtime.settings.echo && output ? fflush(stream) : 0;
}

int heddle_setvbuf(FILE *stream, char *buffer, int mode, size_t size) {
    (void)buffer, (void)size;
    stream_require(stream, HERE);
    if (mode != _IOFBF) {
        memory_streams_set_buffer(stream, HERE);
    }
    return 0;
}

void heddle_setbuf(FILE *stream, char *buffer) {
    stream_require(stream, HERE);
    if (!buffer) {
        memory_streams_set_buffer(stream, HERE);
    }
}

/* After a step on the files. */
static ssize_t write_file(int descriptor, const void *data, size_t size, const int64_t *offset) {
    open_file *file = files_to_write(descriptor);
    if (!file) {
        errno = EBADF;
        return -1;
    }
    return system_files_write(file, data, size, offset);
}

static int print_to_channel(int descriptor, const char *format, va_list list, const void *here) {
    char own[SMALL_TEXT];
    ssize_t result = -1;
    int length = make(format, list, here);
    if (length >= SMALL_TEXT) {
        heddle_unsupported("dprintf of more than 1023 bytes to a pipe", here);
    }
    if (length > 0) {
        memcpy(own, text, (size_t)length);
        if (!channels_write(descriptor, own, (size_t)length, true, true, &result, here)) {
            errno = EBADF;
        }
    }
    return length > 0 ? (int)result : length;
}

/* The same to a descriptor. */
static int print_to(int descriptor, const char *format, va_list list, const void *here) {
    if (files_output(descriptor)) {
        cancel_maybe(location_of(here));
        return print(files_output(descriptor) == 1 ? stdout : stderr, format, list, here);
    }
    if (channels_is(descriptor)) {
        return print_to_channel(descriptor, format, list, here);
    }
    files_step(here);
    open_file *file = files_to_write(descriptor);
    if (!file) {
        errno = EBADF;
        return -1;
    }
    cancel_maybe(location_of(here));
    return print((FILE *)file, format, list, here);
}

int heddle_vdprintf(int descriptor, const char *format, va_list list) {
    return print_to(descriptor, format, list, HERE);
}

int heddle_dprintf(int descriptor, const char *format, ...) {
    va_list list;
    va_start(list, format);
    int length = print_to(descriptor, format, list, HERE);
    va_end(list);
    return length;
}

ssize_t output_write(int descriptor, const void *data, size_t size, const void *here) {
    int output = files_output(descriptor);
    output_calls++;
    if (!channels_is(descriptor)) {
        cancel_point(location_of(here));
    }
    if (output) {
        if (!runtime.settings.echo) {
            return (ssize_t)size;
        }
        hear(data, size, output == 1);
        return write(output, data, size);
    }
    ssize_t result;
    if (!channels_are_used()) {
        files_step(here);
    } else if (channels_write(descriptor, data, size, true, true, &result, here)) {
        return result;
    }
    return write_file(descriptor, data, size, NULL);
}

ssize_t output_write_from(int descriptor, const void *data, size_t size, const void *here) {
    char own[SMALL_TEXT];
    if (size) {
        access_plain(data, size, ACCESS_READ, here);
    }
    return output_write(descriptor, keep(own, data, size), size, here);
}

ssize_t heddle_write(int descriptor, const void *data, size_t size) {
    return output_write_from(descriptor, data, size, HERE);
}

ssize_t heddle_pwrite(int descriptor, const void *data, size_t size, int64_t offset) {
    char own[SMALL_TEXT];
    if (size) {
        access_plain(data, size, ACCESS_READ, HERE);
    }
    const void *kept = keep(own, data, size);
    cancel_point(location_of(HERE));
    files_step(HERE);
    return write_file(descriptor, kept, size, &offset);
}
