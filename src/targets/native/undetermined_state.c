#include "targets/native/undetermined_state.h"

#include <ctype.h>
#include <string.h>

#include "base/text.h"
#include "base/vector.h"

static const wide_integer least = -((wide_integer)1 << 90), greatest = (wide_integer)1 << 90;

const known_name *path_known(const path_state *s, const char *name, size_t length) {
    for (uint32_t i = 0; i < s->count; i++) {
        if (text_is(name, length, vector_at(s, i).name)) {
            return &vector_at(s, i);
        }
    }
    return NULL;
}

void path_forget(path_state *s, const char *name, size_t length) {
    const known_name *found = path_known(s, name, length);
    if (found) {
        uint32_t at = (uint32_t)(found - s->items);
        s->count--;
        memmove(&s->items[at], &s->items[at + 1], (s->count - at) * sizeof *found);
        memset(&s->items[s->count], 0, sizeof *found);
    }
}

/* Numbers may be forgotten: what depends on them goes both ways then. */
static void make_room(path_state *s) {
    for (uint32_t i = 0; i < s->count && s->count == PATH_NAMES_MAX; i++) {
        if (vector_at(s, i).kind == KNOWN_NUMBER) {
            path_forget(s, vector_at(s, i).name, strlen(vector_at(s, i).name));
        }
    }
}

void path_learn(path_state *s, const char *name, size_t length, const known_name *what) {
    path_forget(s, name, length);
    make_room(s);
    s->failed =
        s->failed || s->count == PATH_NAMES_MAX || length >= GIMPLE_NAME_SIZE || what->when.failed;
    if (!s->failed) {
        known_name *k = &s->items[s->count++];
        *k = *what;
        memset(k->name, 0, sizeof k->name);
        memcpy(k->name, name, length);
    }
}

/* "-12", and nothing else. */
static bool number(const char *text, size_t length, wide_integer *value) {
    bool negative = *text == '-';
    wide_integer sum = 0;
    for (size_t i = negative; i < length; i++) {
        if (!isdigit((unsigned char)text[i]) || sum > greatest / 10) {
            return false;
        }
        sum = sum * 10 + (text[i] - '0');
    }
    *value = negative ? -sum : sum;
    return length > negative;
}

bool path_operand(const path_state *s, const char *text, size_t length, known_name *what) {
    const known_name *found = path_known(s, text, length);
    memset(what, 0, sizeof *what);
    if (found) {
        *what = *found;
        return true;
    }
    what->kind = KNOWN_NUMBER;
    return number(text, length, &what->number);
}

/* The values for which "x OPERATOR limit". */
static bool compared(const char *operator, wide_integer limit, value_set *when) {
    static const struct {
        const char *operator;
        int low, high; /* from the limit; 2: no bound */
        bool not ;
    } rows[] = {{"==", 0, 0, false}, {"!=", 0, 0, true}, {"<", 2, -1, false},
                {"<=", 2, 0, false}, {">", 1, 2, false}, {">=", 0, 2, false}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (strcmp(operator, rows[i].operator) == 0) {
            value_set all = value_set_of(least, greatest);
            *when = value_set_of(rows[i].low == 2 ? least : limit + rows[i].low,
                                 rows[i].high == 2 ? greatest : limit + rows[i].high);
            *when = rows[i].not ? value_set_without(&all, when) : *when;
            return true;
        }
    }
    return false;
}

static value_set truth_of(const known_name *k) {
    value_set none = {0};
    return k->kind == KNOWN_TRUTH ? k->when : k->number ? value_set_of(least, greatest) : none;
}

static bool is_truth(const known_name *k) {
    return k->kind == KNOWN_TRUTH ||
           (k->kind == KNOWN_NUMBER && (k->number & ~(wide_integer)1) == 0);
}

static bool combine(const known_name *a, const char *operator, const known_name * b,
                    known_name *result) {
    value_set all = value_set_of(least, greatest);
    result->kind = KNOWN_TRUTH;
    if (a->kind == KNOWN_VALUE && b->kind == KNOWN_NUMBER) {
        return compared(operator, b->number, &result->when);
    }
    if (!is_truth(a) || !is_truth(b)) {
        return false;
    }
    value_set first = truth_of(a), second = truth_of(b);
    if (strcmp(operator, "&") == 0) {
        result->when = value_set_both(&first, &second);
    } else if (strcmp(operator, "|") == 0) {
        result->when = value_set_either(&first, &second);
    } else if (b->kind == KNOWN_NUMBER &&
               (strcmp(operator, "==") == 0 || strcmp(operator, "!=") == 0)) {
        bool same = (*operator== '=') == (b->number == 1);
        result->when = same ? first : value_set_without(&all, &first);
    } else {
        return false;
    }
    return true;
}

/* A word, with a sign if it is a number. */
static size_t word(const char *text) {
    return gimple_word_length(text + (*text == '-')) + (*text == '-');
}

/* A cast keeps what is 0 or 1. */
static bool evaluate_cast(const path_state *s, const char *text, known_name *what) {
    const char *inner = strchr(text, ')');
    if (!inner || inner[1] != ' ' || memchr(text, '*', (size_t)(inner - text))) {
        return false;
    }
    inner += 2;
    size_t length = word(inner);
    return length && !inner[length] && path_operand(s, inner, length, what) && is_truth(what);
}

bool path_evaluate(const path_state *s, const char *text, known_name *what) {
    if (*text == '(') {
        return evaluate_cast(s, text, what);
    }
    size_t length = word(text);
    const char *rest = text + length;
    known_name a, b;
    if (!length || !path_operand(s, text, length, &a)) {
        return false;
    }
    if (!*rest) {
        *what = a;
        return true;
    }
    char operator[4] = "";
    size_t size = *rest == ' ' ? strcspn(rest + 1, " ") : sizeof operator;
    if (size >= sizeof operator|| rest[1 + size] != ' ') {
        return false;
    }
    memcpy(operator, rest + 1, size);
    const char *other = rest + size + 2;
    length = word(other);
    memset(what, 0, sizeof *what);
    return length && !other[length] && path_operand(s, other, length, &b) &&
           combine(&a, operator, & b, what);
}

const known_name *path_mentions(const path_state *s, const char *text, enum known_kind kind) {
    for (const char *at = text; *at;) {
        size_t length = gimple_word_length(at);
        const known_name *found = length ? path_known(s, at, length) : NULL;
        if (found && found->kind == kind) {
            return found;
        }
        at += length ? length : 1;
    }
    return NULL;
}

bool path_names(const char *text, const char *name) {
    for (const char *at = text; *at;) {
        size_t length = gimple_word_length(at);
        if (length && text_is(at, length, name)) {
            return true;
        }
        at += length ? length : 1;
    }
    return false;
}
