#define _GNU_SOURCE
/* The functions of libc whose rows are MODELs (libc/all.def): the ranges that they touch are
 * announced, then libc does the work. These are the words of the rows for ranges; a RANGE is an
 * address and a size, separated by a comma. */
#include <arpa/inet.h>
#include <ctype.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <inttypes.h>
#include <math.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/utsname.h>
#include <unistd.h>
#include <wchar.h>

#include "targets/runtime/kernel/ranges.h"
#include "targets/runtime/kernel/symbols.h"
#include "targets/runtime/libc/system_files.h"

/* What a function does, in one step. A range of size 0 is left out, and so is a null pointer that
 * would be written. */
#define READS(...)                  reads(__VA_ARGS__, here);
#define WRITES(...)                 writes(__VA_ARGS__, here);
#define MODIFIES(...)               modifies(__VA_ARGS__, here);
#define READS_BOTH(...)             reads_two(__VA_ARGS__, here);
#define WRITES_BOTH(...)            writes_two(__VA_ARGS__, here);
#define WRITES_FROM(...)            writes_from(__VA_ARGS__, here);
#define APPENDS(...)                appends(__VA_ARGS__, here);
#define COPIES(to, ...)             copies(to, __VA_ARGS__, here);
#define READS_EQUALLY(a, b, length) reads_equally(a, b, length, here);

/* Ranges. */
#define STRING(a)               a, strlen(a) + 1
#define STRING_WITHIN(a, limit) a, least(strnlen(a, limit) + 1, limit)
#define WIDE_STRING(a)          a, wide(wcslen(a) + 1)
#define OBJECT(a)               a, sizeof *(a)

static inline size_t least(size_t a, size_t b) {
    return a < b ? a : b;
}

static inline size_t wide(size_t count) {
    return count * sizeof(wchar_t);
}

/* Bytes from a to the one that was found, which is read, too. */
static inline size_t up_to(const void *a, const void *found) {
    DEBUG_CHECK(found >= a);
    return (size_t)((const char *)found - (const char *)a) + 1;
}

static inline size_t up_to_byte(const void *a, int byte, size_t size) {
    const void *found = memchr(a, byte, size);
    return found ? up_to(a, found) : size;
}

/* Bytes up to and with the first difference or the end. */
static inline size_t compared(const char *a, const char *b, size_t limit, int (*fold)(int)) {
    size_t i = 0;
    while (i < limit && a[i] && fold((unsigned char)a[i]) == fold((unsigned char)b[i])) {
        i++;
    }
    return i < limit ? i + 1 : limit;
}

static inline size_t compared_wide(const wchar_t *a, const wchar_t *b, size_t limit) {
    size_t i = 0;
    while (i < limit && a[i] && a[i] == b[i]) {
        i++;
    }
    return i < limit ? i + 1 : limit;
}

enum { ASCTIME_SIZE = 26, LONGEST_DATE = 4096 };

/* Bytes that strftime writes; all that there are if they do not suffice. */
static size_t strftime_size(size_t size, const char *format, const struct tm *time) {
    char made[LONGEST_DATE];
    size_t length = strftime(made, least(size, sizeof made), format, time);
    return length ? length + 1 : size;
}

static int same(int c) {
    return c;
}

static inline void reads_equally(const void *a, const void *b, size_t size, const void *here) {
    reads_two(a, size, b, size, here);
}

#define MODEL(result, name, parameters, call, ranges) \
    result heddle_##name parameters {                 \
        const void *here = HERE;                      \
        ranges;                                       \
        (void)here;                                   \
        return call;                                  \
    }
#define CHANGES_FILES(result, name, parameters, call, ranges) \
    result heddle_##name parameters {                         \
        const void *here = HERE;                              \
        system_files_permit(#name, here);                     \
        ranges;                                               \
        system_files_change(here);                            \
        return call;                                          \
    }
#include "targets/runtime/libc/all.def"
