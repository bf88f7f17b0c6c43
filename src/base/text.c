#include "base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void text_append_bytes(text *t, const char *bytes, uint32_t count) {
    vector_reserve(&t->characters, t->characters.count + count + 1);
    if (count) {
        memcpy(t->characters.items + t->characters.count, bytes, count);
    }
    t->characters.count += count;
    t->characters.items[t->characters.count] = '\0';
}

void texts_free(text_list *list) {
    for (uint32_t i = 0; i < list->count; i++) {
        text_free(&vector_at(list, i));
    }
    vector_free(list);
}

void texts_add(text_list *list, const char *string) {
    text added = {0};
    text_append(&added, string);
    vector_push(list, added);
}

bool text_is_hexadecimal(const char *string) {
    size_t length = strlen(string);
    return length % 2 == 0 && strspn(string, "0123456789abcdefABCDEF") == length;
}

void text_append(text *t, const char *string) {
    text_append_bytes(t, string, (uint32_t)strlen(string));
}

void text_format(text *t, const char *format, ...) {
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    CHECK(length >= 0);
    vector_reserve(&t->characters, t->characters.count + (uint32_t)length + 1);
    vsnprintf(t->characters.items + t->characters.count, (size_t)length + 1, format, again);
    va_end(again);
    t->characters.count += (uint32_t)length;
}

void text_truncate(text *t, uint32_t length) {
    CHECK(length <= t->characters.count);
    t->characters.count = length;
    if (t->characters.items) {
        t->characters.items[length] = '\0';
    }
}

void text_clear(text *t) {
    text_truncate(t, 0);
}

void text_free(text *t) {
    vector_free(&t->characters);
}

bool text_starts(const char *string, const char *beginning) {
    return strncmp(string, beginning, strlen(beginning)) == 0;
}

const char *text_after(const char *string, const char *beginning) {
    return text_starts(string, beginning) ? string + strlen(beginning) : NULL;
}

void text_add(char *buffer, size_t size, const char *string) {
    size_t used = strlen(buffer);
    CHECK(used < size);
    snprintf(buffer + used, size - used, "%s", string);
}

bool text_is(const char *characters, size_t length, const char *word) {
    return strlen(word) == length && memcmp(characters, word, length) == 0;
}

bool text_is_listed(const char *characters, size_t length, const char *list) {
    for (const char *at = list; *(at += strspn(at, " ")); at += strcspn(at, " ")) {
        size_t size = strcspn(at, " ");
        bool starts = at[size - 1] == '*';
        if (starts ? length >= size - 1 && memcmp(at, characters, size - 1) == 0
                   : length == size && memcmp(at, characters, size) == 0) {
            return true;
        }
    }
    return false;
}

uint32_t text_find(const char *word, const char *const *words, uint32_t count) {
    uint32_t i = 0;
    while (i < count && strcmp(word, words[i]) != 0) {
        i++;
    }
    return i;
}

bool text_starts_with_any(const char *string, const char *const *beginnings, uint32_t count) {
    uint32_t i = 0;
    while (i < count && !text_starts(string, beginnings[i])) {
        i++;
    }
    return i < count;
}
