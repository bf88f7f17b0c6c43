/* The table of libc's functions: a function has one row, and the rows say what they should. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "targets/runtime/kernel/symbols.h"

static const char *const rows[] = {
#define MODEL(result, name, parameters, call, ranges)         #name,
#define CHANGES_FILES(result, name, parameters, call, ranges) #name,
#define SPECIAL(result, name, parameters)                     #name,
#define ALIAS(name, other)                                    #name,
#define IN_PROGRAM(name, group)                               #name,
#define HARMLESS(names)                                       names,
#define NUMBER(names)                                         names,
#define FORBIDDEN(names)                                      names,
#include "targets/runtime/libc/all.def"
};

enum { ROW_COUNT = sizeof rows / sizeof *rows };

/* Words that end in '*' are for what has no row of its own. */
static bool has_exactly(const char *names, const char *name, size_t length) {
    for (const char *word = names; *word; word += strspn(word, " ")) {
        size_t size = strcspn(word, " ");
        if (size == length && memcmp(word, name, length) == 0) {
            return true;
        }
        word += size;
    }
    return false;
}

static void test_one_row(void **state) {
    (void)state;
    for (size_t i = 0; i < ROW_COUNT; i++) {
        for (const char *word = rows[i]; *word; word += strspn(word, " ")) {
            size_t length = strcspn(word, " ");
            for (size_t j = i + 1; j < ROW_COUNT; j++) {
                if (has_exactly(rows[j], word, length)) {
                    fail_msg("%.*s has two rows", (int)length, word);
                }
            }
            word += length;
        }
    }
}

static void test_classes(void **state) {
    (void)state;
    static const struct {
        const char *name;
        enum symbol_class class;
    } examples[] = {
        {"strlen", SYMBOL_SUPPORTED},
        {"unlink", SYMBOL_SUPPORTED},
        {"pthread_create", SYMBOL_SUPPORTED},
        {"strtok", SYMBOL_IN_PROGRAM},
        {"optind", SYMBOL_IN_PROGRAM},
        {"environ", SYMBOL_IN_PROGRAM},
        {"abs", SYMBOL_HARMLESS},
        {"sinf", SYMBOL_HARMLESS},
        {"sinl", SYMBOL_HARMLESS},
        {"sinx", SYMBOL_UNKNOWN},
        {"fork", SYMBOL_FORBIDDEN},
        {"execve", SYMBOL_FORBIDDEN},
        {"pthread_no_such", SYMBOL_FORBIDDEN},
        {"__isnanf", SYMBOL_HARMLESS},
        {"__VERIFIER_nondet_int", SYMBOL_HARMLESS},
        {"__VERIFIER_nondet_other", SYMBOL_FORBIDDEN},
        {"strtoq", SYMBOL_SUPPORTED},
        {"gethostid", SYMBOL_UNKNOWN},
        {"", SYMBOL_UNKNOWN},
    };
    for (size_t i = 0; i < sizeof examples / sizeof *examples; i++) {
        if (symbols_class(examples[i].name) != examples[i].class) {
            fail_msg("%s: class %d", examples[i].name, symbols_class(examples[i].name));
        }
    }
}

/* Whoever does the same as another has that one's replacement. */
static void test_aliases(void **state) {
    (void)state;
    static const char *const pairs[][2] = {
#define ALIAS(name, other) {#name, #other},
#include "targets/runtime/libc/all.def"
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        const char *replacement = symbols_replacement(pairs[i][0]);
        if (!replacement || strcmp(replacement, pairs[i][1]) != 0) {
            fail_msg("%s: not %s", pairs[i][0], pairs[i][1]);
        }
    }
    assert_null(symbols_replacement("abs"));
}

/* Every name of a program's own has code, and the code defines it. */
static void test_code(void **state) {
    (void)state;
    static const char *const names[] = {
#define IN_PROGRAM(name, group) #name,
#include "targets/runtime/libc/all.def"
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char defined[128];
        const program_code *code = symbols_program_code(names[i]);
        assert_non_null(code);
        snprintf(defined, sizeof defined, "heddle_program_%s", names[i]);
        assert_non_null(strstr(code->text, defined));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_row),
        cmocka_unit_test(test_classes),
        cmocka_unit_test(test_aliases),
        cmocka_unit_test(test_code),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
