#include "base/settings.h"

#include <string.h>

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
