#include "report/writers/writers.h"

#include <stddef.h>

const writer writers[] = {
#define WRITER(name, letter, beginning, kind, help) \
    {beginning, kind, name##_write, NULL, offsetof(settings, name)},
#define REPORT(name, letter, beginning, kind, help) \
    {beginning, kind, NULL, name##_report, offsetof(settings, name)},
#include "base/options.def"
};

const uint32_t writer_count = sizeof writers / sizeof *writers;

const char *writer_path(const writer *w, const settings *s) {
    return *(const char *const *)((const char *)s + w->field);
}

void writer_set_path(const writer *w, settings *s, const char *path) {
    *(const char **)((char *)s + w->field) = path;
}

bool writers_want_files(const settings *s) {
    bool wanted = false;
    for (uint32_t i = 0; i < writer_count; i++) {
        wanted = wanted || writer_path(&writers[i], s);
    }
    return wanted;
}

bool writers_want_all(const settings *s) {
    bool all = s->json.given;
    for (uint32_t i = 0; i < writer_count; i++) {
        all = all || (writers[i].report && writer_path(&writers[i], s));
    }
    return all;
}
