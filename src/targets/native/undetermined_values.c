#include <stdio.h>
#include <string.h>

#include "targets/native/undetermined_follower.h"
#include "targets/native/undetermined_paths.h"

/* The type as the compiler calls it: the program may have declared the function otherwise. */
static bool is_type(const char *type, unsigned bits, bool is_signed) {
    static const struct {
        const char *name;
        unsigned bits;
        bool is_signed;
    } rows[] = {{"short int", 16, true},     {"short unsigned int", 16, false},
                {"int", 32, true},           {"unsigned int", 32, false},
                {"long int", 64, true},      {"long unsigned int", 64, false},
                {"long long int", 64, true}, {"long long unsigned int", 64, false}};
    bool is = false;
    for (size_t i = 0; type && i < sizeof rows / sizeof *rows; i++) {
        is = is || (strcmp(type, rows[i].name) == 0 && bits == rows[i].bits &&
                    is_signed == rows[i].is_signed);
    }
    return is;
}

/* The value of the set that is nearest to zero. */
static wide_integer nearest(const value_set *s) {
    wide_integer best = s->items[0].low;
    for (uint32_t i = 0; i < s->count; i++) {
        wide_integer low = s->items[i].low, high = s->items[i].high;
        wide_integer here = low > 0 ? low : high < 0 ? high : 0;
        best = (here < 0 ? -here : here) < (best < 0 ? -best : best) ? here : best;
    }
    return best;
}

static bool has_common(const value_set *a, const value_set *b) {
    return value_set_both(a, b).count != 0;
}

/* Handlers of signals see variables when the program aborts; jumps may come from anywhere. */
static bool is_strange(const gimple_functions *functions) {
    static const char *const words[] = {"signal (", "sigaction (", "setjmp", "ABNORMAL"};
    bool strange = false;
    for (uint32_t i = 0; i < functions->count; i++) {
        const gimple_function *f = &vector_at(functions, i);
        for (uint32_t j = 0; j < f->statements.count; j++) {
            for (size_t k = 0; k < sizeof words / sizeof *words; k++) {
                strange = strange || strstr(vector_at(&f->statements, j).text, words[k]);
            }
        }
    }
    return strange;
}

static bool collect(follower *f, undetermined_values *result) {
    result->tried = f->needed;
    result->alone = f->alone;
    for (uint32_t i = 0; i < f->classes.count; i++) {
        const value_set *class = &vector_at(&f->classes, i);
        if (class->failed || !class->count) {
            return false;
        }
        if (!has_common(class, &result->tried)) {
            value_set one = value_set_of(nearest(class), nearest(class));
            result->tried = value_set_either(&result->tried, &one);
        }
    }
    return !result->tried.failed && result->tried.count &&
           value_set_size(&result->tried, UNDETERMINED_MOST_VALUES + 1) <= UNDETERMINED_MOST_VALUES;
}

bool undetermined_follow(const gimple_functions *functions, const gimple_function *function,
                         uint32_t statement, unsigned bits, bool is_signed,
                         undetermined_values *result) {
    follower f = {.functions = functions, .function = function, .start = statement};
    path_state first = {.at = statement};
    const char *text = vector_at(&function->statements, statement).text;
    size_t length = gimple_word_length(text);
    if (!gimple_is_value(text, length)) {
        return false;
    }
    snprintf(f.value, sizeof f.value, "%.*s", (int)length, text);
    while (first.block < function->blocks.count &&
           vector_at(&function->blocks, first.block).end <= statement) {
        first.block++;
    }
    wide_integer count = (wide_integer)1 << (bits - is_signed);
    bool known = is_type(gimple_type(function, f.value), bits, is_signed);
    first.values = value_set_of(is_signed ? -count : 0, count - 1);
    path_learn(&first, f.value, length, &(known_name){.kind = KNOWN_VALUE});
    known = known && !is_strange(functions);
    if (known) {
        follower_run(&f, &first);
    }
    known = known && !f.failed && follower_is_value(&f, f.value, length) && collect(&f, result);
    follower_end(&f);
    return known;
}
