/* The undetermined values of SV-COMP. A truth value or a character is a choice among all there are.
 * Of the wider types a few values are tried, and the exploration is not complete then. */
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#include "targets/runtime/kernel/exports.h"
#include "targets/runtime/kernel/location.h"
#include "targets/runtime/kernel/process.h"

#define HERE __builtin_return_address(0)

/* The place of one of `count` values that are by far not all. */
static unsigned sample(unsigned count, const char *name, const void *here) {
    runtime.sampled = name;
    return process_choose(count, location_of(here));
}

_Static_assert(UCHAR_MAX == 255, "a character has 256 values");

/* All values of a small type. */
#define ALL(name, type, least, count)                                           \
    type __VERIFIER_nondet_##name(void);                                        \
    type __VERIFIER_nondet_##name(void) {                                       \
        return (type)((int)process_choose(count, location_of(HERE)) + (least)); \
    }

#define SAMPLE(name, type, ...)                                                                  \
    type __VERIFIER_nondet_##name(void);                                                         \
    type __VERIFIER_nondet_##name(void) {                                                        \
        type values[] = {__VA_ARGS__};                                                           \
        return values[sample(sizeof values / sizeof *values, "__VERIFIER_nondet_" #name, HERE)]; \
    }

#define SIGNED(name, type, least, greatest) SAMPLE(name, type, 0, 1, 2, -1, greatest, least)
#define UNSIGNED(name, type, greatest)      SAMPLE(name, type, 0, 1, 2, greatest)

ALL(bool, bool, 0, 2)
ALL(_Bool, bool, 0, 2)
ALL(char, char, CHAR_MIN, 256)
ALL(schar, signed char, SCHAR_MIN, 256)
ALL(uchar, unsigned char, 0, 256)
ALL(unsigned_char, unsigned char, 0, 256)
ALL(u8, unsigned char, 0, 256)
SIGNED(short, short, SHRT_MIN, SHRT_MAX)
UNSIGNED(ushort, unsigned short, USHRT_MAX)
UNSIGNED(u16, unsigned short, USHRT_MAX)
SIGNED(int, int, INT_MIN, INT_MAX)
UNSIGNED(uint, unsigned, UINT_MAX)
UNSIGNED(unsigned, unsigned, UINT_MAX)
UNSIGNED(unsigned_int, unsigned, UINT_MAX)
UNSIGNED(u32, unsigned, UINT_MAX)
SIGNED(long, long, LONG_MIN, LONG_MAX)
UNSIGNED(ulong, unsigned long, ULONG_MAX)
UNSIGNED(unsigned_long, unsigned long, ULONG_MAX)
SIGNED(longlong, long long, LLONG_MIN, LLONG_MAX)
UNSIGNED(ulonglong, unsigned long long, ULLONG_MAX)
UNSIGNED(size_t, size_t, SIZE_MAX)
SIGNED(loff_t, long, LONG_MIN, LONG_MAX)
UNSIGNED(sector_t, unsigned long, ULONG_MAX)
SAMPLE(float, float, 0, 1, -1)
SAMPLE(double, double, 0, 1, -1)
SAMPLE(pointer, void *, NULL)
SAMPLE(pchar, char *, NULL)

/* Of which little is seen (targets/native/undetermined.h): nothing, or whether it is zero. */
unsigned long heddle_nondet_idle(void);
unsigned long heddle_nondet_truth(void);

unsigned long heddle_nondet_idle(void) {
    return 0;
}

unsigned long heddle_nondet_truth(void) {
    return process_choose(2, location_of(HERE));
}

/* Values that stand for all (targets/native/undetermined_paths.h), as compiled into the program. */
typedef struct nondet_values {
    uint64_t alone; /* only as long as there is one thread */
    uint64_t bits, is_signed, count;
    struct {
        uint64_t low, high;
    } ranges[];
} nondet_values;

unsigned long heddle_nondet_among(const nondet_values *values);

static unsigned long sample_bits(const nondet_values *v, const void *here) {
    uint64_t most = UINT64_MAX >> (64 - v->bits + v->is_signed);
    uint64_t values[] = {0, 1, 2, most, UINT64_MAX, ~most};
    CHECK(v->bits == 16 || v->bits == 32 || v->bits == 64);
    return values[sample(v->is_signed ? 6 : 4, "__VERIFIER_nondet_…", here)];
}

unsigned long heddle_nondet_among(const nondet_values *v) {
    uint64_t count = 0;
    if (v->alone && runtime.thread_count > 1) {
        return sample_bits(v, HERE);
    }
    for (uint64_t i = 0; i < v->count; i++) {
        count += v->ranges[i].high - v->ranges[i].low + 1;
    }
    CHECK(count && count <= UINT_MAX);
    uint64_t choice = count > 1 ? process_choose((unsigned)count, location_of(HERE)) : 0;
    for (uint64_t i = 0; i < v->count; i++) {
        uint64_t size = v->ranges[i].high - v->ranges[i].low + 1;
        if (choice < size) {
            return v->ranges[i].low + choice;
        }
        choice -= size;
    }
    CHECK(false);
    return 0;
}

void runtime_link_nondet(void) {
}
