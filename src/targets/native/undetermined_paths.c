#include "targets/native/undetermined_follower.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"

enum { MOST_STATES = 400 };

/* How a path continues after a statement. */
enum step_result { PATH_GOES_ON, PATH_ENDS };

bool follower_is_value(const follower *f, const char *text, size_t length) {
    bool is = gimple_is_value(text, length);
    for (uint32_t i = 0; is && i < f->pointed.count; i++) {
        const char *name = vector_at(&f->pointed, i);
        is = gimple_word_length(name) != length || memcmp(name, text, length) != 0;
    }
    return is;
}

/* The instrumentation names the address of whatever is in memory. */
static void find_pointed(follower *f) {
    for (uint32_t i = 0; i < f->function->statements.count; i++) {
        for (const char *at = vector_at(&f->function->statements, i).text;
             (at = strchr(at, '&'));) {
            at++;
            if (follower_is_value(f, at, gimple_word_length(at))) {
                vector_push(&f->pointed, at);
            }
        }
    }
}

/* ---- ends of paths ---- */

static enum step_result need(follower *f, const path_state *s) {
    f->needed = value_set_either(&f->needed, &s->values);
    f->failed = f->failed || f->needed.failed || s->values.failed || s->failed;
    return PATH_ENDS;
}

static enum step_result end_class(follower *f, const path_state *s) {
    if (s->memory[0]) {
        return need(f, s); /* later code may read it */
    }
    vector_push(&f->classes, s->values);
    return PATH_ENDS;
}

static void push(follower *f, const path_state *s) {
    if (!s->values.count) {
        return;
    }
    for (uint32_t i = 0; i < f->states.count; i++) {
        if (memcmp(&vector_at(&f->states, i), s, sizeof *s) == 0) {
            return;
        }
    }
    f->failed = f->failed || s->failed || f->states.count == MOST_STATES;
    if (!f->failed) {
        vector_push(&f->states, *s);
    }
}

/* The part of the path that has these values. */
static path_state part_of(const path_state *s, value_set values) {
    path_state part = *s;
    part.values = values;
    part.failed = part.failed || part.values.failed;
    return part;
}

static path_state with(const path_state *s, const value_set *values) {
    return part_of(s, value_set_both(&s->values, values));
}

static path_state without(const path_state *s, const value_set *values) {
    return part_of(s, value_set_without(&s->values, values));
}

/* The program tests whether it is true: a path for each. */
static enum step_result divide(follower *f, const path_state *s, const known_name *truth) {
    known_name number = {.kind = KNOWN_NUMBER, .number = 1};
    path_state holds = with(s, &truth->when), fails = without(s, &truth->when);
    path_learn(&holds, truth->name, strlen(truth->name), &number);
    number.number = 0;
    path_learn(&fails, truth->name, strlen(truth->name), &number);
    push(f, &holds);
    push(f, &fails);
    return PATH_ENDS;
}

/* ---- calls ---- */

static bool returns_for_zero(const follower *f, const gimple_function *callee);

/* The function does not return if its only argument is zero. */
static bool assumes(const follower *f, const char *name, size_t length) {
    const gimple_function *callee = gimple_find(f->functions, name, length);
    if (!callee) {
        return text_is(name, length, "__VERIFIER_assume");
    }
    return callee != f->function && f->start != UINT32_MAX && !returns_for_zero(f, callee);
}

static bool is_end(const char *name, size_t length) {
    return text_is(name, length, "abort") || text_is(name, length, "__assert_fail");
}

/* It neither looks at the variables of the program nor runs anything that does. */
static bool is_idle(const char *name) {
    return text_starts(name, "__builtin_return_address") ||
           text_starts(name, "__VERIFIER_nondet_") ||
           text_starts(name, "__VERIFIER_atomic_begin") ||
           text_starts(name, "__VERIFIER_atomic_end");
}

static enum step_result assume(follower *f, path_state *s, const char *arguments) {
    char text[GIMPLE_NAME_SIZE];
    known_name what;
    if (sscanf(arguments, " (%63[^,)(]", text) != 1 || strchr(arguments, ',') ||
        !path_evaluate(s, text, &what)) {
        return path_mentions(s, arguments, KNOWN_VALUE) ? need(f, s) : PATH_GOES_ON;
    }
    value_set zero = value_set_of(0, 0), all = value_set_of(-1, 1);
    if (what.kind == KNOWN_VALUE) {
        value_set nonzero = value_set_without(&s->values, &zero);
        what.when = nonzero;
    } else if (what.kind == KNOWN_NUMBER) {
        what.when = what.number ? s->values : value_set_without(&all, &all);
    }
    path_state refused = without(s, &what.when);
    if (refused.values.count) {
        vector_push(&f->classes, refused.values);
    }
    *s = with(s, &what.when);
    return s->values.count ? PATH_GOES_ON : PATH_ENDS;
}

/* "f (a, b)": `name` begins it. */
static enum step_result call(follower *f, path_state *s, const char *name) {
    size_t length = gimple_word_length(name);
    const known_name *truth = path_mentions(s, name, KNOWN_TRUTH);
    if (is_end(name, length)) {
        vector_push(&f->classes, s->values);
        return PATH_ENDS;
    }
    if (assumes(f, name, length)) {
        return assume(f, s, name + length);
    }
    if (is_idle(name)) {
        return PATH_GOES_ON;
    }
    if (s->memory[0] || path_mentions(s, name, KNOWN_VALUE)) {
        return need(f, s);
    }
    return truth ? divide(f, s, truth) : PATH_GOES_ON;
}

/* ---- statements ---- */

static void go_to(follower *f, const path_state *s, unsigned number) {
    path_state next = *s;
    next.previous = vector_at(&f->function->blocks, s->block).number;
    next.block = gimple_block_at(f->function, number);
    if (next.block == f->function->blocks.count) {
        f->failed = true;
        return;
    }
    next.at = vector_at(&f->function->blocks, next.block).first;
    push(f, &next);
}

/* "if (a < b)", "goto <bb 3>;", "else", "goto <bb 4>;" are four statements. */
static enum step_result branch(follower *f, path_state *s, const char *text) {
    char condition[2 * GIMPLE_NAME_SIZE];
    unsigned yes, no;
    known_name what;
    if (s->at + 3 >= f->function->statements.count ||
        sscanf(vector_at(&f->function->statements, s->at + 1).text, "goto <bb %u>", &yes) != 1 ||
        sscanf(vector_at(&f->function->statements, s->at + 3).text, "goto <bb %u>", &no) != 1 ||
        sscanf(text, "if (%127[^()])", condition) != 1 || text[strlen(condition) + 5]) {
        return need(f, s);
    }
    if (path_evaluate(s, condition, &what) && what.kind == KNOWN_TRUTH) {
        path_state holds = with(s, &what.when), fails = without(s, &what.when);
        go_to(f, &holds, yes);
        go_to(f, &fails, no);
        return PATH_ENDS;
    }
    const known_name *truth = path_mentions(s, condition, KNOWN_TRUTH);
    if (path_mentions(s, condition, KNOWN_VALUE)) {
        return need(f, s);
    }
    if (truth) {
        return divide(f, s, truth);
    }
    go_to(f, s, yes);
    go_to(f, s, no);
    return PATH_ENDS;
}

/* "x_3 = PHI <x_1(2), 0(5)>", by the names as they were before the block. */
static void join(const path_state *before, path_state *s, const char *text) {
    char from[16];
    size_t length = gimple_word_length(text);
    const char *list = strchr(text, '<');
    known_name what;
    snprintf(from, sizeof from, "(%u)", s->previous);
    path_forget(s, text, length);
    for (const char *at = list; at; at = strchr(at + 1, ',')) {
        at += strspn(at, "<, ");
        size_t size = gimple_word_length(at + (*at == '-')) + (*at == '-');
        if (text_starts(at + size, from) && path_operand(before, at, size, &what)) {
            path_learn(s, text, length, &what);
        }
    }
}

/* Everything is understood but what names the value. */
static enum step_result other(follower *f, path_state *s, const char *text) {
    const known_name *truth = path_mentions(s, text, KNOWN_TRUTH);
    if (s->memory[0] || path_mentions(s, text, KNOWN_VALUE)) {
        return need(f, s);
    }
    return truth ? divide(f, s, truth) : PATH_GOES_ON;
}

/* "n & 6", "n % 7": if nothing else is seen of the value, its last bits, or its remainders, are
 * enough. */
static bool reduce(follower *f, const path_state *s, const char *text) {
    char name[GIMPLE_NAME_SIZE], operator;
    int limit, used = 0;
    uint32_t mentions = 0;
    if (sscanf(text, "%63s %c %d%n", name, &operator, & limit, &used) != 3 || text[used] ||
        strcmp(name, f->value) != 0 || !strchr("&%", operator) || limit < 1 || s->memory[0] ||
        limit > UNDETERMINED_MOST_VALUES / 2 || value_set_size(&s->values, 65536) < 65536 ||
        s->values.count != 1) {
        return false;
    }
    for (uint32_t i = 0; i < f->function->statements.count; i++) {
        mentions += path_names(vector_at(&f->function->statements, i).text, name);
    }
    int high = operator== '&' ? limit : limit - 1;
    bool is_signed = vector_at(&s->values, 0).low < 0;
    value_set enough = value_set_of(operator== '%' && is_signed ? -high : 0, high);
    if (mentions == 2) { /* where it is made, and here */
        f->needed = value_set_either(&f->needed, &enough);
    }
    return mentions == 2;
}

static bool is_variable(const follower *f, const char *text, size_t length) {
    return length && length < GIMPLE_NAME_SIZE && !follower_is_value(f, text, length) &&
           !memchr(text, '.', length) && !strchr("0123456789", *text);
}

/* The result of a call, of a computation, or what is in memory. */
static enum step_result assign(follower *f, path_state *s, const char *name, size_t length,
                               const char *right) {
    char copy[2 * GIMPLE_NAME_SIZE];
    size_t size = strcspn(right, ";");
    known_name what = {0};
    bool calls = gimple_word_length(right) && text_starts(right + gimple_word_length(right), " (");
    enum step_result result = PATH_GOES_ON;
    if (text_is(name, length, f->value)) {
        return end_class(f, s); /* made anew */
    }
    if (size >= sizeof copy || right[size + 1 - !right[size]]) {
        return need(f, s);
    }
    snprintf(copy, sizeof copy, "%.*s", (int)size, right);
    if (!calls && path_evaluate(s, copy, &what)) {
        path_learn(s, name, length, &what);
        return PATH_GOES_ON;
    }
    if (s->memory[0] && strcmp(copy, s->memory) == 0) {
        path_learn(s, name, length, &(known_name){.kind = KNOWN_VALUE});
        return PATH_GOES_ON;
    }
    bool loads = is_variable(f, copy, strlen(copy)) && gimple_word_length(copy) == strlen(copy);
    if (calls) {
        result = call(f, s, right);
    } else if (reduce(f, s, copy)) {
        result = PATH_ENDS;
    } else if (!loads) {
        result = other(f, s, copy);
    }
    path_forget(s, name, length);
    return result;
}

/* "N = _1;" */
static enum step_result store(follower *f, path_state *s, const char *name, size_t length,
                              const char *right) {
    size_t size = gimple_word_length(right + (*right == '-')) + (*right == '-');
    const known_name *from = path_known(s, right, size);
    bool same = text_is(name, length, s->memory);
    if (!size || strcmp(right + size, ";") != 0 || (from && from->kind == KNOWN_TRUTH)) {
        return other(f, s, right);
    }
    if (from && from->kind == KNOWN_VALUE) {
        if (s->memory[0] && !same) {
            return need(f, s);
        }
        memcpy(s->memory, name, length);
        f->alone = true;
    } else if (same) {
        memset(s->memory, 0, sizeof s->memory);
    }
    return PATH_GOES_ON;
}

static bool is_nothing(const char *text) {
    return text_starts(text, "__builtin___tsan_") || text_starts(text, "# DEBUG") ||
           text_starts(text, "//") || /* "predicted unlikely by early return predictor" */
           text_starts(text, "<L") || text_starts(text, ";;") || strstr(text, "{CLOBBER") ||
           text[strlen(text) - 1] == ':';
}

static enum step_result step(follower *f, path_state *s, const char *text) {
    size_t length = gimple_word_length(text);
    const char *rest = text + length;
    unsigned number;
    if (is_nothing(text)) {
        return PATH_GOES_ON;
    }
    if (text_starts(text, "if (")) {
        return branch(f, s, text);
    }
    if (sscanf(text, "goto <bb %u>", &number) == 1) {
        go_to(f, s, number);
        return PATH_ENDS;
    }
    if (text_starts(text, "return")) {
        f->returns = true;
        return path_mentions(s, text, KNOWN_VALUE) ? need(f, s)
               : path_mentions(s, text, KNOWN_TRUTH)
                   ? divide(f, s, path_mentions(s, text, KNOWN_TRUTH))
                   : end_class(f, s);
    }
    size_t sign = text_starts(rest, " = ") ? 3 : text_starts(rest, " ={v} ") ? 6 : 0;
    if (length && sign) {
        return follower_is_value(f, text, length) ? assign(f, s, text, length, rest + sign)
               : is_variable(f, text, length)     ? store(f, s, text, length, rest + sign)
                                                  : other(f, s, text);
    }
    if (length && text_starts(rest, " (") && text[strlen(text) - 1] == ';') {
        return call(f, s, text);
    }
    bool harmless = length || *text == '*' || text_starts(text, "MEM");
    return harmless && !strstr(text, "goto") && !strstr(text, "switch") ? other(f, s, text)
                                                                        : need(f, s);
}

/* ---- paths ---- */

static void follow(follower *f, path_state s) {
    const gimple_block *b = &vector_at(&f->function->blocks, s.block);
    if (s.at == b->first) {
        path_state before = s;
        for (; s.at < b->end && text_starts(vector_at(&f->function->statements, s.at).text, "# ") &&
               strstr(vector_at(&f->function->statements, s.at).text, " = PHI <");
             s.at++) {
            join(&before, &s, vector_at(&f->function->statements, s.at).text + 2);
        }
    }
    for (; s.at < b->end && !f->failed; s.at++) {
        const char *text = vector_at(&f->function->statements, s.at).text;
        if (s.at != f->start && step(f, &s, text) == PATH_ENDS) {
            return;
        }
        if (s.at == f->start && s.previous) {
            end_class(f, &s); /* the call itself, in a loop */
            return;
        }
        f->failed = f->failed || s.failed;
    }
    if (s.block + 1 < f->function->blocks.count) {
        go_to(f, &s, vector_at(&f->function->blocks, s.block + 1).number);
    } else {
        f->failed = true;
    }
}

void follower_run(follower *f, const path_state *first) {
    find_pointed(f);
    vector_push(&f->states, *first);
    while (f->next < f->states.count && !f->failed) {
        follow(f, vector_at(&f->states, f->next++));
    }
}

void follower_end(follower *f) {
    vector_free(&f->states);
    vector_free(&f->classes);
    vector_free(&f->pointed);
}

/* It looks at memory, or calls something that may. */
static bool is_busy(const char *text) {
    size_t length = gimple_word_length(text);
    bool calls = length && text_starts(text + length, " (") && !text_starts(text, "if (");
    return strstr(text, "__tsan_read") || strstr(text, "__tsan_write") || strstr(text, "asm") ||
           strstr(text, " = ") || strstr(text, " ={v} ") ||
           (calls && !is_end(text, length) && !text_starts(text, "__builtin_"));
}

/* Unless it certainly does not, and touches nothing before. */
static bool returns_for_zero(const follower *f, const gimple_function *callee) {
    follower inner = {.functions = f->functions, .function = callee, .start = UINT32_MAX};
    path_state first = {.values = value_set_of(0, 0)};
    bool busy = !callee->blocks.count || !callee->parameter[0];
    for (uint32_t i = 0; i < callee->statements.count; i++) {
        const char *text = vector_at(&callee->statements, i).text;
        busy = busy || (is_busy(text) && !strstr(text, "__builtin_return_address"));
    }
    if (busy) {
        return true;
    }
    first.at = vector_at(&callee->blocks, 0).first;
    path_learn(&first, callee->parameter, strlen(callee->parameter),
               &(known_name){.kind = KNOWN_VALUE});
    follower_run(&inner, &first);
    bool returns = inner.failed || inner.returns || inner.needed.count;
    follower_end(&inner);
    return returns;
}
