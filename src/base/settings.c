#include "base/settings.h"

#include <string.h>

static const char *const properties[] = {
    [SVCOMP_OFF] = "",
    [SVCOMP_UNREACH_CALL] = "unreach-call",
    [SVCOMP_NO_DATA_RACE] = "no-data-race",
    [SVCOMP_NO_DEADLOCK] = "no-deadlock",
    [SVCOMP_VALID_MEMSAFETY] = "valid-memsafety",
};

const char *svcomp_word(enum svcomp_property property) {
    return properties[property];
}

enum svcomp_property svcomp_property_of(const char *word) {
    for (uint32_t i = 1; i < sizeof properties / sizeof *properties; i++) {
        if (strcmp(word, properties[i]) == 0) {
            return i;
        }
    }
    return strcmp(word, "memsafety") == 0 ? SVCOMP_VALID_MEMSAFETY : SVCOMP_OFF;
}

void settings_add_flag(settings *s, const char *first, const char *second) {
    size_t start = strlen(first), size = strlen(second) + 1;
    char *flag = memory_resize(NULL, 0, start + size);
    memcpy(flag, first, start);
    memcpy(flag + start, second, size);
    vector_push(&s->own_flags, flag);
    vector_push(&s->flags, flag);
}

void settings_free(settings *s) {
    for (uint32_t i = 0; i < s->own_flags.count; i++) {
        memory_resize(s->own_flags.items[i], strlen(s->own_flags.items[i]) + 1, 0);
    }
    vector_free(&s->own_flags);
    vector_free(&s->files);
    vector_free(&s->definitions);
    vector_free(&s->flags);
    vector_free(&s->arguments);
}
