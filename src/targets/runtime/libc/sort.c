/* Sorting: libc's would move elements unseen and hold memory across steps. */
#include "targets/runtime/kernel/ranges.h"
#include "targets/runtime/kernel/symbols.h"

typedef struct sorting {
    char *base;
    size_t size;
    int (*compare)(const void *, const void *, void *);
    void *context;
    const void *here;
} sorting;

static void exchange(const sorting *s, size_t i, size_t j) {
    DEBUG_CHECK(i != j); /* two ranges of one step do not overlap */
    char *a = s->base + i * s->size, *b = s->base + j * s->size;
    access_two(a, s->size, ACCESS_READ_WRITE, b, s->size, ACCESS_READ_WRITE, s->here);
    for (size_t k = 0; k < s->size; k++) {
        char byte = a[k];
        a[k] = b[k];
        b[k] = byte;
    }
}

static bool before(const sorting *s, size_t i, size_t j) {
    return s->compare(s->base + i * s->size, s->base + j * s->size, s->context) < 0;
}

static void sift(const sorting *s, size_t root, size_t count) {
    for (size_t child; (child = 2 * root + 1) < count; root = child) {
        if (child + 1 < count && before(s, child, child + 1)) {
            child++;
        }
        if (!before(s, root, child)) {
            return;
        }
        exchange(s, root, child);
    }
}

static void sort(const sorting *s, size_t count) {
    if (count < 8) {
        for (size_t i = 1; i < count; i++) {
            for (size_t j = i; j > 0 && before(s, j, j - 1); j--) {
                exchange(s, j, j - 1);
            }
        }
        return;
    }
    for (size_t i = count / 2; i-- > 0;) {
        sift(s, i, count);
    }
    for (size_t i = count; i-- > 1;) {
        exchange(s, 0, i);
        sift(s, 0, i);
    }
}

void heddle_qsort_r(void *base, size_t count, size_t size,
                    int (*compare)(const void *, const void *, void *), void *context) {
    sorting s = {base, size, compare, context, HERE};
    sort(&s, count);
}

void heddle_qsort(void *base, size_t count, size_t size,
                  int (*compare)(const void *, const void *)) {
    sorting s = {base, size, (int (*)(const void *, const void *, void *))(void (*)(void))compare,
                 NULL, HERE};
    sort(&s, count);
}
