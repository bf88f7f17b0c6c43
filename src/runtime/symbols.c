#include "runtime/symbols.h"

#include <string.h>

#include "runtime/exports.h"

typedef struct symbol {
    const char *name;
    const void *replacement; /* keeps the file that has it in the link */
    const char *text;        /* for the program */
} symbol;

#define MODEL(result, name, parameters, call, ranges) {#name, (const void *)heddle_##name, NULL},
#define CHANGES_FILES(result, name, parameters, call, ranges) \
    {#name, (const void *)heddle_##name, NULL},
#define SPECIAL(result, name, parameters)          {#name, (const void *)heddle_##name, NULL},
#define IN_PROGRAM(result, name, parameters, text) {#name, (const void *)heddle_##name##_in, text},
static const symbol symbols[] = {
#include "runtime/libc/all.def"
};

#define HARMLESS(names) names,
static const char *const harmless[] = {
#include "runtime/libc/all.def"
};

#define NUMBER(names) names,
static const char *const numbers[] = {
#include "runtime/libc/all.def"
};

#define FORBIDDEN(names) names,
static const char *const forbidden[] = {
#include "runtime/libc/all.def"
};

#define COUNT(array) (sizeof(array) / sizeof *(array))

static const symbol *find(const char *name) {
    for (size_t i = 0; i < COUNT(symbols); i++) {
        if (strcmp(symbols[i].name, name) == 0 && symbols[i].replacement) {
            return &symbols[i];
        }
    }
    return NULL;
}

bool symbols_listed(const char *names, const char *name) {
    for (const char *word = names; *word; word += strspn(word, " ")) {
        size_t length = strcspn(word, " ");
        if (word[length - 1] == '*' ? strncmp(word, name, length - 1) == 0
                                    : strlen(name) == length && memcmp(word, name, length) == 0) {
            return true;
        }
        word += length;
    }
    return false;
}

static bool listed(const char *const *lists, size_t count, const char *name) {
    for (size_t i = 0; i < count; i++) {
        if (symbols_listed(lists[i], name)) {
            return true;
        }
    }
    return false;
}

/* With the forms for float and long double. */
static bool is_number_function(const char *name) {
    char plain[32];
    size_t length = strlen(name);
    if (!length || length >= sizeof plain) {
        return false;
    }
    memcpy(plain, name, length + 1);
    if (listed(numbers, COUNT(numbers), plain)) {
        return true;
    }
    bool suffix = plain[length - 1] == 'f' || plain[length - 1] == 'l';
    plain[length - 1] = '\0';
    return suffix && listed(numbers, COUNT(numbers), plain);
}

enum symbol_class symbols_class(const char *name) {
    const symbol *s = find(name);
    return s ? (s->text ? SYMBOL_IN_PROGRAM : SYMBOL_SUPPORTED)
           : listed(harmless, COUNT(harmless), name)   ? SYMBOL_HARMLESS
           : is_number_function(name)                  ? SYMBOL_HARMLESS
           : listed(forbidden, COUNT(forbidden), name) ? SYMBOL_FORBIDDEN
                                                       : SYMBOL_UNKNOWN;
}

const char *symbols_program_text(const char *name) {
    const symbol *s = find(name);
    return s ? s->text : NULL;
}
