#include "base/settings.h"

#include <string.h>

#include "base/bytes.h"

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

static uint64_t add_string(uint64_t sum, const char *string) {
    return string ? sum * 31 + bytes_checksum(string, strlen(string)) : sum;
}

static uint64_t add_list(uint64_t sum, const string_list *list) {
    for (uint32_t i = 0; i < list->count; i++) {
        sum = add_string(sum, vector_at(list, i));
    }
    return sum;
}

uint64_t settings_checksum(const settings *s) {
    uint64_t sum = bytes_checksum(s, sizeof *s);
    sum = add_list(sum, &s->files);
    sum = add_list(sum, &s->definitions);
    sum = add_list(sum, &s->arguments);
    sum = add_list(sum, &s->flags);
    return add_string(add_string(sum, s->program), s->compiler);
}

void settings_free(settings *s) {
    for (uint32_t i = 0; i < s->own_flags.count; i++) {
        memory_resize(vector_at(&s->own_flags, i), strlen(vector_at(&s->own_flags, i)) + 1, 0);
    }
    vector_free(&s->own_flags);
    vector_free(&s->files);
    vector_free(&s->definitions);
    vector_free(&s->flags);
    vector_free(&s->arguments);
}
