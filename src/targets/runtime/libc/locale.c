#define _GNU_SOURCE
/* Locales: "C", under its names, and no other. */
#include <errno.h>
#include <locale.h>
#include <string.h>

#include "targets/runtime/kernel/ranges.h"
#include "targets/runtime/kernel/symbols.h"

static bool is_known(const char *name) {
    return !*name || strcmp(name, "C") == 0 || strcmp(name, "POSIX") == 0;
}

char *heddle_setlocale(int category, const char *name) {
    if (name) {
        reads_string(name, HERE);
    }
    bool exists = category >= LC_CTYPE && category <= LC_IDENTIFICATION;
    return exists && (!name || is_known(name)) ? (char *)"C" : NULL;
}

/* libc has one object for it, which is never freed. */
static locale_t the_locale(void) {
    static locale_t made;
    if (!made) {
        made = newlocale(LC_ALL_MASK, "C", (locale_t)0);
        CHECK(made);
    }
    return made;
}

locale_t heddle_newlocale(int mask, const char *name, locale_t base) {
    (void)base;
    if (!name || (mask & ~LC_ALL_MASK)) {
        errno = EINVAL;
        return (locale_t)0;
    }
    reads_string(name, HERE);
    if (!is_known(name)) {
        errno = ENOENT;
        return (locale_t)0;
    }
    return the_locale();
}

locale_t heddle_duplocale(locale_t locale) {
    (void)locale;
    return the_locale();
}

void heddle_freelocale(locale_t locale) {
    (void)locale;
}
