#include "oracle/difference.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/check.h"

const char *difference_meaning(enum difference_kind kind) {
#define DIFFERENCE_MEANING(name, meaning) [name] = meaning,
    static const char *const meanings[] = {DIFFERENCE_KINDS(DIFFERENCE_MEANING)};
#undef DIFFERENCE_MEANING
    CHECK(kind < DIFFERENCE_KIND_COUNT);
    return meanings[kind];
}

void difference_set(difference *d, enum difference_kind kind, const char *format, ...) {
    if (d->kind != DIFFERENCE_NONE) {
        return;
    }
    va_list arguments;
    va_start(arguments, format);
    d->kind = kind;
    vsnprintf(d->detail, sizeof d->detail, format, arguments);
    va_end(arguments);
}
