#include "targets/native/value_set.h"

#include "base/vector.h"

/* All that any type has, and more. */
static const wide_integer least = -((wide_integer)1 << 100), greatest = (wide_integer)1 << 100;

static void append(value_set *s, wide_integer low, wide_integer high) {
    if (low > high) {
        return;
    }
    if (s->count && vector_last(s).high + 1 >= low) {
        wide_integer *end = &vector_last(s).high;
        *end = high > *end ? high : *end;
        return;
    }
    if (s->count == VALUE_SET_MAX) {
        s->failed = true;
        return;
    }
    s->items[s->count].low = low;
    s->items[s->count].high = high;
    s->count++;
}

value_set value_set_of(wide_integer low, wide_integer high) {
    value_set s = {0};
    append(&s, low, high);
    return s;
}

value_set value_set_both(const value_set *a, const value_set *b) {
    value_set s = {.failed = a->failed || b->failed};
    for (uint32_t i = 0, j = 0; i < a->count && j < b->count;) {
        wide_integer low =
            vector_at(a, i).low > vector_at(b, j).low ? vector_at(a, i).low : vector_at(b, j).low;
        bool first = vector_at(a, i).high < vector_at(b, j).high;
        append(&s, low, first ? vector_at(a, i).high : vector_at(b, j).high);
        i += first;
        j += !first;
    }
    return s;
}

static value_set others(const value_set *a) {
    value_set s = {.failed = a->failed};
    wide_integer low = least;
    for (uint32_t i = 0; i < a->count; i++) {
        append(&s, low, vector_at(a, i).low - 1);
        low = vector_at(a, i).high + 1;
    }
    append(&s, low, greatest);
    return s;
}

value_set value_set_without(const value_set *a, const value_set *b) {
    value_set rest = others(b);
    return value_set_both(a, &rest);
}

value_set value_set_either(const value_set *a, const value_set *b) {
    value_set not_a = others(a), not_b = others(b), neither = value_set_both(&not_a, &not_b);
    return others(&neither);
}

uint32_t value_set_size(const value_set *s, uint32_t most) {
    wide_integer size = 0;
    for (uint32_t i = 0; i < s->count; i++) {
        CHECK(vector_at(s, i).low <= vector_at(s, i).high);
        size += vector_at(s, i).high - vector_at(s, i).low + 1;
    }
    return size < most ? (uint32_t)size : most;
}
