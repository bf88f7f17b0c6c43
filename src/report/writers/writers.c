#include "report/writers/writers.h"

#include <stddef.h>
#include <string.h>

#include "base/check.h"

const writer writers[] = {
#define WRITER(name, letter, beginning, kind, help) \
    {beginning, kind, name##_write, NULL, offsetof(settings, name), false},
#define REPORT(name, letter, beginning, kind, help) \
    {beginning, kind, NULL, name##_report, offsetof(settings, name), false},
#define PRINTED_REPORT(name, letter, beginning, kind, help) \
    {beginning, kind, NULL, name##_report, offsetof(settings, name), true},
#include "base/options.def"
};

const uint32_t writer_count = sizeof writers / sizeof *writers;

static const optional_value *printed_value(const writer *w, const settings *s) {
    CHECK(w->printed);
    return (const optional_value *)((const char *)s + w->field);
}

static bool is_printed(const writer *w, const settings *s) {
    const optional_value *v = w->printed ? printed_value(w, s) : NULL;
    return v && v->given && (!v->value || strcmp(v->value, "-") == 0);
}

const char *writer_path(const writer *w, const settings *s) {
    if (is_printed(w, s)) {
        return NULL;
    }
    return w->printed ? printed_value(w, s)->value
                      : *(const char *const *)((const char *)s + w->field);
}

void writer_set_path(const writer *w, settings *s, const char *path) {
    if (w->printed) {
        *(optional_value *)((char *)s + w->field) = (optional_value){.given = path, .value = path};
    } else {
        *(const char **)((char *)s + w->field) = path;
    }
}

const writer *writers_find_printed(const settings *s) {
    for (uint32_t i = 0; i < writer_count; i++) {
        if (is_printed(&writers[i], s)) {
            return &writers[i];
        }
    }
    return NULL;
}

bool writers_want_files(const settings *s) {
    bool wanted = false;
    for (uint32_t i = 0; i < writer_count; i++) {
        wanted = wanted || writer_path(&writers[i], s);
    }
    return wanted;
}

bool writers_want_all(const settings *s) {
    bool all = writers_find_printed(s) != NULL;
    for (uint32_t i = 0; i < writer_count; i++) {
        all = all || (writers[i].report && writer_path(&writers[i], s));
    }
    return all;
}
