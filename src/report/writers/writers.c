#include "report/writers/writers.h"

#include <stddef.h>

const writer writers[] = {
#define WRITER(name, letter, beginning, kind, help) \
    {beginning, kind, name##_write, offsetof(settings, name)},
#include "base/options.def"
};

const uint32_t writer_count = sizeof writers / sizeof *writers;

const char *writer_path(const writer *w, const settings *s) {
    return *(const char *const *)((const char *)s + w->field);
}
