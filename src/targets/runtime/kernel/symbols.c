#include "targets/runtime/kernel/symbols.h"

#include <string.h>

#include "base/check.h"
#include "base/text.h"

typedef struct symbol {
    const char *name;
    const void *replacement; /* keeps the file that has it in the link */
} symbol;

#define MODEL(result, name, parameters, call, ranges)         {#name, (const void *)heddle_##name},
#define CHANGES_FILES(result, name, parameters, call, ranges) {#name, (const void *)heddle_##name},
#define SPECIAL(result, name, parameters)                     {#name, (const void *)heddle_##name},
static const symbol symbols[] = {
#include "targets/runtime/libc/all.def"
};

static const struct {
    const char *name, *other;
} aliases[] = {
#define ALIAS(name, other) {#name, #other},
#include "targets/runtime/libc/all.def"
};

static const struct {
    const char *name, *group;
} in_program[] = {
#define IN_PROGRAM(name, group) {#name, #group},
#include "targets/runtime/libc/all.def"
};

static const program_code codes[] = {
#define CODE(group, text) {#group, text},
#include "targets/runtime/libc/all.def"
};

static const symbol helpers[] = {
#define HELPER(result, name, parameters) {"heddle_" #name, (const void *)heddle_##name},
#include "targets/runtime/libc/all.def"
};

#define HARMLESS(names) names,
static const char *const harmless[] = {
#include "targets/runtime/libc/all.def"
};

#define NUMBER(names) names,
static const char *const numbers[] = {
#include "targets/runtime/libc/all.def"
};

#define FORBIDDEN(names) names,
static const char *const forbidden[] = {
#include "targets/runtime/libc/all.def"
};

#define COUNT(array) (sizeof(array) / sizeof *(array))

static const symbol *find_symbol(const char *name) {
    for (size_t i = 0; i < COUNT(aliases); i++) {
        if (strcmp(aliases[i].name, name) == 0) {
            name = aliases[i].other;
            break;
        }
    }
    for (size_t i = 0; i < COUNT(symbols); i++) {
        if (symbols[i].replacement && strcmp(symbols[i].name, name) == 0) {
            return &symbols[i];
        }
    }
    return NULL;
}

const char *symbols_replacement(const char *name) {
    const symbol *found = find_symbol(name);
    return found ? found->name : NULL;
}

void *symbols_address(const char *name) {
    const symbol *found = find_symbol(name);
    CHECK(!found || found->replacement);
    return found ? (void *)found->replacement : NULL;
}

const char *symbols_name(const void *address) {
    const char *name = NULL;
    for (size_t i = 0; i < COUNT(symbols) && !name; i++) {
        name = symbols[i].replacement == address ? symbols[i].name : NULL;
    }
    return name;
}

bool symbols_listed(const char *names, const char *name) {
    CHECK(*names != ' '); /* a list begins with a word */
    return text_is_listed(name, strlen(name), names);
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

static const char *group_of(const char *name) {
    for (size_t i = 0; i < COUNT(in_program); i++) {
        if (strcmp(in_program[i].name, name) == 0) {
            return in_program[i].group;
        }
    }
    return NULL;
}

enum symbol_class symbols_class(const char *name) {
    return symbols_replacement(name)                   ? SYMBOL_SUPPORTED
           : group_of(name)                            ? SYMBOL_IN_PROGRAM
           : listed(harmless, COUNT(harmless), name)   ? SYMBOL_HARMLESS
           : is_number_function(name)                  ? SYMBOL_HARMLESS
           : listed(forbidden, COUNT(forbidden), name) ? SYMBOL_FORBIDDEN
                                                       : SYMBOL_UNKNOWN;
}

const program_code *symbols_program_code(const char *name) {
    const char *group = group_of(name);
    for (size_t i = 0; group && i < COUNT(codes); i++) {
        if (strcmp(codes[i].group, group) == 0) {
            return &codes[i];
        }
    }
    CHECK(!group); /* a row that names a group has its code beside it */
    return NULL;
}

const char *symbols_helper(uint32_t i) {
    return i < COUNT(helpers) && helpers[i].replacement ? helpers[i].name : NULL;
}
