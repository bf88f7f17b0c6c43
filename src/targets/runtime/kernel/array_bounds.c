/* An index beyond an array whose length the compiler knows: of a local, a member, a thread-local.
 *
 * The compiler compares each index before the access (-fsanitize=bounds), and calls this with a
 * description of the place. Rejected: red zones in frames, which only gcc's address sanitizer
 * makes, and it does not work together with the instrumentation of threads. */
#include <inttypes.h>
#include <stdint.h>
#include <stdlib.h>

#include "heddle/check.h"
#include "targets/runtime/kernel/access.h"
#include "targets/runtime/kernel/symbols.h"

/* A type as the compiler describes it. */
typedef struct described_type {
    uint16_t kind; /* 0: an integer */
    uint16_t form; /* of an integer: bit 0: signed; the others: the logarithm of its bits */
    char name[];   /* in single quotes */
} described_type;

typedef struct described_index {
    const char *file;
    uint32_t line, column;
    const described_type *array, *index;
} described_index;

static bool is_signed(const described_type *t) {
    return t->kind == 0 && t->form & 1;
}

/* The value of an index of at most 64 bits; the compiler has extended it by zeroes. */
static int64_t extend(const described_type *t, uintptr_t value) {
    unsigned bits = 1u << (t->form >> 1);
    return bits >= 64 ? (int64_t)value : (int64_t)(value << (64 - bits)) >> (64 - bits);
}

void heddle___ubsan_handle_out_of_bounds(const void *description, uintptr_t value) {
    runtime_thread *t = runtime.current;
    const described_index *d = description;
    if (!t) {
        return; /* as without heddle */
    }
    if (is_signed(d->index)) {
        runtime_fail(t, ERROR_OVERFLOW, LOCATION_HERE(),
                     "out of bounds: index %" PRId64 " of an array of type %s",
                     extend(d->index, value), d->array->name);
    }
    runtime_fail(t, ERROR_OVERFLOW, LOCATION_HERE(),
                 "out of bounds: index %" PRIuPTR " of an array of type %s", value, d->array->name);
}
