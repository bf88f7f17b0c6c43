/* Growable arrays, typed by macro: VECTOR(int) numbers; vector_push(&numbers, 3).
 *
 * Elements move when the vector grows, so a pointer into it is valid until the next push only.
 * Clearing or truncating keeps the memory: once warm, nothing allocates. */
#ifndef HEDDLE_BASE_VECTOR_H
#define HEDDLE_BASE_VECTOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/check.h"
#include "base/memory.h"

#define VECTOR(type)       \
    struct {               \
        type *items;       \
        uint32_t count;    \
        uint32_t capacity; \
    }

/* The torture build starts from one element, so that everything moves all the time. */
#ifdef HEDDLE_TORTURE
#define VECTOR_FIRST_CAPACITY 1
#else
#define VECTOR_FIRST_CAPACITY 16
#endif

void *vector_grow(void *items, uint32_t *capacity, uint32_t needed, size_t item_size);

/* Room for at least `needed` elements in all. */
#define vector_reserve(v, needed)                                                               \
    do {                                                                                        \
        if ((v)->capacity < (needed)) {                                                         \
            (v)->items = vector_grow((v)->items, &(v)->capacity, (needed), sizeof *(v)->items); \
        }                                                                                       \
    } while (0)

#define vector_push(v, ...)                       \
    do {                                          \
        vector_reserve((v), (v)->count + 1);      \
        (v)->items[(v)->count++] = (__VA_ARGS__); \
    } while (0)

/* Appends `number` elements from elsewhere, or replaces the contents by them. */
#define vector_append(v, from, number)                                 \
    do {                                                               \
        uint32_t vector_added = (number);                              \
        if (vector_added) {                                            \
            vector_reserve((v), vector_sum((v)->count, vector_added)); \
            memcpy((v)->items + (v)->count, 1 ? (from) : (v)->items,   \
                   vector_added * sizeof *(v)->items);                 \
            (v)->count += vector_added;                                \
        }                                                              \
    } while (0)

#define vector_assign(v, from, number)        \
    do {                                      \
        vector_clear(v);                      \
        vector_append((v), (from), (number)); \
    } while (0)

/* Inserts an element before the one at `index`. */
#define vector_insert(v, index, ...)                                      \
    do {                                                                  \
        uint32_t vector_place = (index);                                  \
        CHECK(vector_place <= (v)->count);                                \
        vector_reserve((v), (v)->count + 1);                              \
        memmove((v)->items + vector_place + 1, (v)->items + vector_place, \
                ((v)->count - vector_place) * sizeof *(v)->items);        \
        (v)->items[vector_place] = (__VA_ARGS__);                         \
        (v)->count++;                                                     \
    } while (0)

/* Removes `number` elements from `index` on; those after them move up. */
#define vector_remove(v, index, number)                                                    \
    do {                                                                                   \
        uint32_t vector_place = (index), vector_removed = (number);                        \
        CHECK(vector_place <= (v)->count && vector_removed <= (v)->count - vector_place);  \
        (v)->count -= vector_removed;                                                      \
        if (vector_place < (v)->count) {                                                   \
            memmove((v)->items + vector_place, (v)->items + vector_place + vector_removed, \
                    ((v)->count - vector_place) * sizeof *(v)->items);                     \
        }                                                                                  \
    } while (0)

/* Sets the number of elements; those that were never used before are zero. */
#define vector_resize(v, new_count)       \
    do {                                  \
        vector_reserve((v), (new_count)); \
        (v)->count = (new_count);         \
    } while (0)

/* The element at `index`, which may be assigned to. The check stays on in release builds: a wrong
 * index ends heddle with a message, and never becomes a wrong verdict. */
#define vector_at(v, index) ((v)->items[vector_index((index), (v)->count, __FILE__, __LINE__)])

/* The same, checked in debug builds only: for the few places, executed at every step, where
 * measurements showed that the check costs too much. */
#ifdef HEDDLE_DEBUG
#define vector_at_fast(v, index) vector_at(v, index)
#else
#define vector_at_fast(v, index) ((v)->items[index])
#endif

#define vector_pop(v)   ((v)->items[vector_pop_index(&(v)->count)])
#define vector_last(v)  ((v)->items[vector_last_index((v)->count)])
#define vector_clear(v) ((void)((v)->count = 0))

/* Frees unused memory if most of it is unused and there is room for more than `least` elements. */
#define vector_shrink(v, least)                                                                \
    do {                                                                                       \
        if ((v)->capacity > (least) && (v)->capacity / 4 > (v)->count) {                       \
            (v)->items = memory_resize((v)->items, (size_t)(v)->capacity * sizeof *(v)->items, \
                                       (size_t)(v)->count * sizeof *(v)->items);               \
            (v)->capacity = (v)->count;                                                        \
        }                                                                                      \
    } while (0)

#define vector_free(v)                                                                         \
    do {                                                                                       \
        (v)->items = memory_resize((v)->items, (size_t)(v)->capacity * sizeof *(v)->items, 0); \
        (v)->count = (v)->capacity = 0;                                                        \
    } while (0)

static inline uint32_t vector_index(uint64_t index, uint32_t count, const char *file, int line) {
    if (__builtin_expect(index >= count, 0)) {
        check_failed(file, line, "an index is outside its vector");
    }
    return (uint32_t)index;
}

static inline uint32_t vector_sum(uint32_t count, uint32_t added) {
    return added < UINT32_MAX - count ? count + added : UINT32_MAX; /* which cannot be reserved */
}

/* A vector of uint32_t contains that number. */
#define vector_contains(v, number) vector_has_number((v)->items, (v)->count, (number))

static inline bool vector_has_number(const uint32_t *items, uint32_t count, uint32_t number) {
    uint32_t i = 0;
    while (i < count && items[i] != number) {
        i++;
    }
    return i < count;
}

static inline uint32_t vector_pop_index(uint32_t *count) {
    CHECK(*count > 0);
    return --*count;
}

static inline uint32_t vector_last_index(uint32_t count) {
    CHECK(count > 0);
    return count - 1;
}

#endif
