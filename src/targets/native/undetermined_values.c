#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "targets/native/undetermined_follower.h"
#include "targets/native/undetermined_paths.h"

typedef struct integer_type {
    const char *name; /* as the compiler calls it */
    unsigned bits;
    bool is_signed;
} integer_type;

static const integer_type *find_type(const char *name) {
    static const integer_type rows[] = {{"char", 8, CHAR_MIN < 0},
                                        {"signed char", 8, true},
                                        {"unsigned char", 8, false},
                                        {"short int", 16, true},
                                        {"short unsigned int", 16, false},
                                        {"int", 32, true},
                                        {"unsigned int", 32, false},
                                        {"long int", 64, true},
                                        {"long unsigned int", 64, false},
                                        {"long long int", 64, true},
                                        {"long long unsigned int", 64, false}};
    for (size_t i = 0; name && i < sizeof rows / sizeof *rows; i++) {
        if (strcmp(name, rows[i].name) == 0) {
            return &rows[i];
        }
    }
    return NULL;
}

static value_set range_of(const integer_type *type) {
    wide_integer count = (wide_integer)1 << (type->bits - type->is_signed);
    return value_set_of(type->is_signed ? -count : 0, count - 1);
}

/* The value of the set that is nearest to zero. */
static wide_integer nearest(const value_set *s) {
    wide_integer best = s->items[0].low;
    for (uint32_t i = 0; i < s->count; i++) {
        wide_integer low = vector_at(s, i).low, high = vector_at(s, i).high;
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

/* ---- conversions ---- */

/* `int n = __VERIFIER_nondet_uint ()`: if the value is converted once, in the block of the call,
 * and nothing else is seen of it, its conversion is followed in its place. NULL: it is not. */
static const integer_type *follow_conversion(follower *f, path_state *first,
                                             const integer_type *from) {
    char name[GIMPLE_NAME_SIZE], type[GIMPLE_NAME_SIZE], what[GIMPLE_NAME_SIZE];
    uint32_t mentions = 0, at = 0;
    for (uint32_t i = 0; i < f->function->statements.count; i++) {
        bool named = path_names(vector_at(&f->function->statements, i).text, f->value);
        at = named && i != f->start ? i : at;
        mentions += named;
    }
    if (mentions != 2 || at < f->start || at >= vector_at(&f->function->blocks, first->block).end ||
        sscanf(vector_at(&f->function->statements, at).text, "%63s = (%63[^)]) %63[^; ];", name,
               type, what) != 3 ||
        strcmp(what, f->value) != 0 || !gimple_is_value(name, strlen(name))) {
        return NULL;
    }
    const integer_type *to = find_type(gimple_type(f->function, name));
    if (!to || strcmp(to->name, type) != 0 ||
        (to->bits > from->bits && from->is_signed && !to->is_signed)) {
        return NULL;
    }
    f->start = first->at = at;
    memcpy(f->value, name, sizeof name);
    first->values = to->bits > from->bits ? range_of(from) : range_of(to);
    return to;
}

/* The values of that type whose conversion is in the set, one for each. */
static value_set before_conversion(const value_set *s, const integer_type *from) {
    value_set all = range_of(from), result = {0};
    for (int turn = -1; turn <= 1; turn++) {
        wide_integer by = turn * ((wide_integer)1 << from->bits);
        for (uint32_t i = 0; i < s->count; i++) {
            value_set part = value_set_of(vector_at(s, i).low + by, vector_at(s, i).high + by);
            part = value_set_both(&part, &all);
            result = value_set_either(&result, &part);
        }
    }
    return result;
}

bool undetermined_follow(const gimple_functions *functions, const gimple_function *function,
                         uint32_t statement, unsigned bits, bool is_signed,
                         undetermined_values *result) {
    follower f = {.functions = functions, .function = function, .start = statement};
    path_state first = {.at = statement};
    const char *text = vector_at(&function->statements, statement).text;
    size_t length = gimple_word_length(text);
    bool converted = false;
    if (!gimple_is_value(text, length)) {
        return false;
    }
    snprintf(f.value, sizeof f.value, "%.*s", (int)length, text);
    while (first.block < function->blocks.count &&
           vector_at(&function->blocks, first.block).end <= statement) {
        first.block++;
    }
    /* The program may have declared the function otherwise. */
    const integer_type *type = find_type(gimple_type(function, f.value));
    bool known = type && type->bits == bits && type->is_signed == is_signed;
    known = known && !is_strange(functions);
    if (known) {
        first.values = range_of(type);
        converted = follow_conversion(&f, &first, type) != NULL;
        path_learn(&first, f.value, strlen(f.value), &(known_name){.kind = KNOWN_VALUE});
    }
    if (known) {
        follower_run(&f, &first);
    }
    known = known && !f.failed && follower_is_value(&f, f.value, strlen(f.value)) &&
            collect(&f, result);
    if (known && converted) {
        result->tried = before_conversion(&result->tried, type);
        known = !result->tried.failed;
    }
    follower_end(&f);
    return known;
}
