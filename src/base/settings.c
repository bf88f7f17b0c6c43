#include "base/settings.h"

#include <stdio.h>
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
    uint32_t count = sizeof properties / sizeof *properties;
    uint32_t found = text_find(word, properties, count);
    return found < count                    ? found
           : strcmp(word, "memsafety") == 0 ? SVCOMP_VALID_MEMSAFETY
                                            : SVCOMP_OFF;
}

void settings_add_word(word_list *list, const char *first, const char *second) {
    size_t size = strlen(first) + strlen(second) + 1;
    char *word = memory_resize(NULL, 0, size);
    snprintf(word, size, "%s%s", first, second);
    vector_push(list, word);
}

void settings_add_flag(settings *s, const char *first, const char *second) {
    settings_add_word(&s->own_flags, first, second);
    vector_push(&s->flags, vector_at(&s->own_flags, s->own_flags.count - 1));
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

static void free_words(word_list *list) {
    for (uint32_t i = 0; i < list->count; i++) {
        memory_resize(vector_at(list, i), strlen(vector_at(list, i)) + 1, 0);
    }
    vector_free(list);
}

void settings_free(settings *s) {
    free_words(&s->own_flags);
    free_words(&s->words);
    free_words(&s->other_words);
    vector_free(&s->files);
    vector_free(&s->definitions);
    vector_free(&s->flags);
    vector_free(&s->arguments);
}
