#define _GNU_SOURCE
/* The functions of libc whose rows are MODELs (libc/all.def): the ranges that they touch are
 * announced, then libc does the work. These are the words of the rows for ranges; a RANGE is an
 * address and a size, separated by a comma. */
#include <arpa/inet.h>
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <inttypes.h>
#include <libgen.h>
#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <sys/utsname.h>
#include <unistd.h>
#include <wchar.h>

#include "targets/runtime/kernel/location.h"
#include "targets/runtime/kernel/ranges.h"
#include "targets/runtime/kernel/symbols.h"
#include "targets/runtime/libc/mapped_files.h"
#include "targets/runtime/libc/multibyte.h"
#include "targets/runtime/libc/system_files.h"
#include "targets/runtime/memory/heap.h"
#include "targets/runtime/sync/cancel.h"

/* What a function does, in one step. A range of size 0 is left out, and so is a null pointer that
 * would be written. */
#define ONCE_OR_MORE(announce, ...)                          \
    for (size_t seen = 0; range_grew(&seen, __VA_ARGS__);) { \
        announce;                                            \
    }
#define BOTH_ONCE_OR_MORE(announce, ...)                                           \
    for (size_t seen = 0, second = 0; ranges_grew(&seen, &second, __VA_ARGS__);) { \
        announce;                                                                  \
    }
#define READS(...)                  ONCE_OR_MORE(reads(__VA_ARGS__, here), __VA_ARGS__)
#define WRITES(...)                 ONCE_OR_MORE(writes(__VA_ARGS__, here), __VA_ARGS__)
#define MODIFIES(...)               ONCE_OR_MORE(modifies(__VA_ARGS__, here), __VA_ARGS__)
#define READS_BOTH(...)             BOTH_ONCE_OR_MORE(reads_two(__VA_ARGS__, here), __VA_ARGS__)
#define WRITES_BOTH(...)            BOTH_ONCE_OR_MORE(writes_two(__VA_ARGS__, here), __VA_ARGS__)
#define WRITES_FROM(...)            BOTH_ONCE_OR_MORE(writes_from(__VA_ARGS__, here), __VA_ARGS__)
#define APPENDS(...)                BOTH_ONCE_OR_MORE(appends(__VA_ARGS__, here), __VA_ARGS__)
#define COPIES(to, ...)             ONCE_OR_MORE(copies(to, __VA_ARGS__, here), __VA_ARGS__)
#define READS_EQUALLY(a, b, length) ONCE_OR_MORE(reads_equally(a, b, length, here), a, length)

/* Ranges. */
#define STRING(a)                    a, strlen(a) + 1
#define STRING_WITHIN(a, limit)      a, least(strnlen(a, limit) + 1, limit)
#define WIDE_STRING(a)               a, wide(wcslen(a) + 1)
#define OBJECT(a)                    a, sizeof *(a)
#define OPTIONAL(a)                  a, (a) ? sizeof *(a) : 0
#define OPTIONAL_STRING(a)           a, (a) ? strlen(a) + 1 : 0
#define WIDE_STRING_WITHIN(a, limit) a, wide(least(wcsnlen(a, limit) + 1, limit))

/* Of random_r: the numbers and, before them, their type. */
#define RANDOM_STATE(data) \
    (data)->state - 1, (size_t)((char *)(data)->end_ptr - (char *)((data)->state - 1))

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

static inline size_t wide_up_to(const wchar_t *a, const wchar_t *found, size_t count) {
    return wide(found ? (size_t)(found - a) + 1 : count);
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

/* Bytes of the address that the text stands for; 0 if it stands for none. */
static size_t address_size(int family, const char *text) {
    struct in6_addr made = {0};
    bool good = inet_pton(family, text, &made) == 1;
    return !good ? 0 : family == AF_INET ? sizeof(struct in_addr) : sizeof made;
}

static size_t address_text_size(int family, const void *address, size_t size) {
    char made[INET6_ADDRSTRLEN];
    bool known = family == AF_INET || family == AF_INET6;
    const char *text = known ? inet_ntop(family, address, made, sizeof made) : NULL;
    CHECK(!text || strlen(text) < sizeof made);
    return text && strlen(text) < size ? strlen(text) + 1 : 0;
}

/* After the last slash. */
static const char *last_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* A machine of no special size, the same in every run. */
static void fixed_sysinfo(struct sysinfo *place) {
    enum { UPTIME = 100000 };
    const unsigned long memory = 1ul << 33;
    *place = (struct sysinfo){
        .uptime = UPTIME, .totalram = memory, .freeram = memory / 2, .procs = 1, .mem_unit = 1};
}

static const char *host_name(void) {
    static struct utsname name;
    return uname(&name) == 0 ? name.nodename : "";
}

static const char *domain_name(void) {
    static struct utsname name;
    return uname(&name) == 0 ? name.domainname : "";
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
        result outcome = call;                                \
        mapped_files_check();                                 \
        return outcome;                                       \
    }
#include "targets/runtime/libc/all.def"
