/* The atomic callbacks of -fsanitize=thread, and libatomic's generic functions for objects of
 * other sizes. One operating-system thread runs everything, so a plain access is atomic. */
#include <stdbool.h>
#include <string.h>

#include "base/limit.h"
#include "base/vector.h"
#include "targets/runtime/kernel/access.h"
#include "targets/runtime/kernel/exports.h"
#include "targets/runtime/kernel/location.h"
#include "targets/runtime/kernel/process.h"
#include "targets/runtime/kernel/symbols.h"
#include "targets/runtime/kernel/versions.h"

#define HERE __builtin_return_address(0)

enum { LARGEST_ATOMIC = 256 };

typedef uint8_t atomic8;
typedef uint16_t atomic16;
typedef uint32_t atomic32;
typedef uint64_t atomic64;
__extension__ typedef unsigned __int128 atomic128;
_Static_assert(sizeof(atomic128) == 16, "the callbacks are named after the number of bits");
_Static_assert(LARGEST_ATOMIC >= sizeof(atomic128), "what has a callback needs no limit");

/* ---- orders that are tried out ---- */

static VECTOR(order_change) changes;

void atomics_change_orders(target *t, const order_change *wanted, uint32_t count) {
    (void)t;
    vector_assign(&changes, wanted, count);
    if (!count) {
        vector_free(&changes);
    }
    runtime.changed = count != 0;
}

static int c_order(enum access_order order) {
    static const int orders[ACCESS_ORDER_COUNT] = {[ORDER_SEQ_CST] = __ATOMIC_SEQ_CST,
                                                   [ORDER_RELAXED] = __ATOMIC_RELAXED,
                                                   [ORDER_ACQUIRE] = __ATOMIC_ACQUIRE,
                                                   [ORDER_RELEASE] = __ATOMIC_RELEASE,
                                                   [ORDER_ACQ_REL] = __ATOMIC_ACQ_REL};
    return orders[order];
}

/* The order of the access there, before which a fence may come. */
static __attribute__((noinline)) int change_order(int order, const void *here) {
    uint32_t location = location_of(here);
    enum access_order changed = versions_order(order);
    for (uint32_t i = 0; runtime.current && i < changes.count; i++) {
        order_change c = vector_at(&changes, i);
        if (c.location == location && c.fence) {
            atomics_fence(c_order(c.order), here);
        } else if (c.location == location && !c.failure) {
            changed = access_order_join(changed, c.order);
        }
    }
    return c_order(changed);
}

#define ORDERED(order) (unlikely(runtime.changed) ? change_order(order, HERE) : (order))

/* The same of a compare-and-swap that fails; `order` is what the program says for when it does not.
 */
static __attribute__((noinline)) int change_failure(int failure, int order, const void *here) {
    uint32_t location = location_of(here);
    enum access_order changed = versions_order(failure);
    bool covers = access_order_covers_failure(versions_order(order), changed);
    for (uint32_t i = 0; runtime.current && i < changes.count; i++) {
        order_change c = vector_at(&changes, i);
        if (c.location == location && !c.fence && (c.failure || covers)) {
            changed =
                access_order_join(changed, c.failure ? c.order : access_order_failing(c.order));
        }
    }
    return c_order(changed);
}

#define FAILING(failure, order) \
    (unlikely(runtime.changed) ? change_failure(failure, order, HERE) : (failure))

/* Private memory is accessed silently. On x86, a read-modify-write and a seq_cst store of it
 * nevertheless wait until earlier stores of the thread are visible: a fence without order. */
static bool is_silent_update(const volatile void *address, size_t size, int order,
                             const void *here) {
    bool silent = access_silent(address, size);
    if (unlikely(runtime.versions) && silent && order == __ATOMIC_SEQ_CST) {
        atomics_park_fence(__ATOMIC_RELAXED, here);
    }
    return silent;
}

/* Each operation has two bodies: one that does not park, for private memory or in a replay, and one
 * that does, which is a separate function because only it returns in the slow way. */
#define LOAD_STORE(bits, type)                                                                    \
    static FIBER_RETURN type load##bits(const volatile type *address, int order,                  \
                                        const void *here) {                                       \
        versions_announce(address, sizeof(type), VERSION_read, 0, order, order);                  \
        bool announced = access_atomic(address, sizeof(type), OPERATION_READ, ACCESS_READ, here); \
        type value = *address;                                                                    \
        if (announced) {                                                                          \
            access_atomic_done(ACCESS_READ, order, (uint64_t)value);                              \
        }                                                                                         \
        return value;                                                                             \
    }                                                                                             \
    type __tsan_atomic##bits##_load(const volatile type *address, int order);                     \
    type __tsan_atomic##bits##_load(const volatile type *address, int order) {                    \
        order = ORDERED(order);                                                                   \
        bool silent = access_silent(address, sizeof(type));                                       \
        if (!silent && !access_atomic_goes_on(address, sizeof(type), ACCESS_READ, HERE)) {        \
            runtime_before_park();                                                                \
            return load##bits(address, order, HERE);                                              \
        }                                                                                         \
        type value = *address;                                                                    \
        if (!silent) {                                                                            \
            access_atomic_done(ACCESS_READ, order, (uint64_t)value);                              \
        }                                                                                         \
        return value;                                                                             \
    }                                                                                             \
    static FIBER_RETURN void store##bits(volatile type *address, type value, int order,           \
                                         const void *here) {                                      \
        versions_announce(address, sizeof(type), VERSION_store, value, order, order);             \
        bool announced =                                                                          \
            access_atomic(address, sizeof(type), OPERATION_WRITE, ACCESS_WRITE, here);            \
        *address = value;                                                                         \
        if (announced) {                                                                          \
            access_atomic_done(ACCESS_WRITE, order, (uint64_t)value);                             \
        }                                                                                         \
        FIBER_LAST_CALL();                                                                        \
    }                                                                                             \
    void __tsan_atomic##bits##_store(volatile type *address, type value, int order);              \
    void __tsan_atomic##bits##_store(volatile type *address, type value, int order) {             \
        order = ORDERED(order);                                                                   \
        bool silent = is_silent_update(address, sizeof(type), order, HERE);                       \
        if (!silent && !access_atomic_goes_on(address, sizeof(type), ACCESS_WRITE, HERE)) {       \
            runtime_before_park();                                                                \
            store##bits(address, value, order, HERE);                                             \
            return;                                                                               \
        }                                                                                         \
        *address = value;                                                                         \
        if (!silent) {                                                                            \
            access_atomic_done(ACCESS_WRITE, order, (uint64_t)value);                             \
        }                                                                                         \
    }

/* new_value: what the operation makes of `old` and `operand` */
#define MODIFY(bits, type, name, kind, new_value)                                                \
    static FIBER_RETURN type name##bits(volatile type *address, type operand, int order,         \
                                        const void *here) {                                      \
        versions_announce(address, sizeof(type), VERSION_##name, operand, order, order);         \
        bool announced = access_atomic(address, sizeof(type), kind, ACCESS_READ_WRITE, here);    \
        type old = *address;                                                                     \
        *address = (type)(new_value);                                                            \
        if (announced) {                                                                         \
            access_atomic_done(ACCESS_READ_WRITE, order, (uint64_t)old);                         \
        }                                                                                        \
        return old;                                                                              \
    }                                                                                            \
    type __tsan_atomic##bits##_##name(volatile type *address, type operand, int order);          \
    type __tsan_atomic##bits##_##name(volatile type *address, type operand, int order) {         \
        order = ORDERED(order);                                                                  \
        bool silent = is_silent_update(address, sizeof(type), __ATOMIC_SEQ_CST, HERE);           \
        if (!silent && !access_atomic_goes_on(address, sizeof(type), ACCESS_READ_WRITE, HERE)) { \
            runtime_before_park();                                                               \
            return name##bits(address, operand, order, HERE);                                    \
        }                                                                                        \
        type old = *address;                                                                     \
        *address = (type)(new_value);                                                            \
        if (!silent) {                                                                           \
            access_atomic_done(ACCESS_READ_WRITE, order, (uint64_t)old);                         \
        }                                                                                        \
        return old;                                                                              \
    }

/* Returns the old value. */
#define COMPARE(bits, type)                                                                \
    static FIBER_RETURN type compare##bits(volatile type *address, const type *expected,   \
                                           type desired, int order, int failure_order,     \
                                           const void *here) {                             \
        bool silent = is_silent_update(address, sizeof(type), __ATOMIC_SEQ_CST, here);     \
        if (silent) {                                                                      \
            access_plain(expected, sizeof(type), ACCESS_READ, here);                       \
        }                                                                                  \
        if (!silent) {                                                                     \
            versions_announce(address, sizeof(type), VERSION_compare, desired, order,      \
                              failure_order);                                              \
        }                                                                                  \
        bool announced = !silent && access_compare(address, expected, sizeof(type), here); \
        type old = *address;                                                               \
        bool same = old == *expected;                                                      \
        if (same) {                                                                        \
            *address = desired;                                                            \
        }                                                                                  \
        if (announced) {                                                                   \
            access_compare_done(same, order, failure_order);                               \
        } else if (silent && !same) {                                                      \
            access_plain(expected, sizeof(type), ACCESS_WRITE, here);                      \
        }                                                                                  \
        return old;                                                                        \
    }

/* --weak-cas: once for each thread, so that loops end. */
static bool fails_weakly(const char *name, const void *here) {
    runtime_thread *t = runtime.current;
    if (!t || t->failed_weakly || strcmp(name, "compare_exchange_weak") != 0 ||
        !process_choose(2, location_of(here))) {
        return false;
    }
    t->failed_weakly = true;
    return true;
}

#define COMPARE_EXCHANGE(bits, type, name)                                                 \
    int __tsan_atomic##bits##_##name(volatile type *address, type *expected, type desired, \
                                     int order, int failure_order);                        \
    int __tsan_atomic##bits##_##name(volatile type *address, type *expected, type desired, \
                                     int order, int failure_order) {                       \
        failure_order = FAILING(failure_order, order);                                     \
        order = ORDERED(order);                                                            \
        runtime_before_park();                                                             \
        if (unlikely(runtime.settings.weak_cas) && fails_weakly(#name, HERE)) {            \
            *expected = load##bits(address, failure_order, HERE);                          \
            return 0;                                                                      \
        }                                                                                  \
        type old = compare##bits(address, expected, desired, order, failure_order, HERE);  \
        if (old == *expected) {                                                            \
            return 1;                                                                      \
        }                                                                                  \
        *expected = old;                                                                   \
        return 0;                                                                          \
    }

#define COMPARE_VALUE(bits, type)                                                                 \
    type __tsan_atomic##bits##_compare_exchange_val(volatile type *address, type expected,        \
                                                    type desired, int order, int failure_order);  \
    type __tsan_atomic##bits##_compare_exchange_val(volatile type *address, type expected,        \
                                                    type desired, int order, int failure_order) { \
        failure_order = FAILING(failure_order, order);                                            \
        order = ORDERED(order);                                                                   \
        runtime_before_park();                                                                    \
        return compare##bits(address, &expected, desired, order, failure_order, HERE);            \
    }

#define ATOMICS(bits)                                                          \
    LOAD_STORE(bits, atomic##bits)                                             \
    MODIFY(bits, atomic##bits, exchange, OPERATION_EXCHANGE, operand)          \
    MODIFY(bits, atomic##bits, fetch_add, OPERATION_ADD, old + operand)        \
    MODIFY(bits, atomic##bits, fetch_sub, OPERATION_SUBTRACT, old - operand)   \
    MODIFY(bits, atomic##bits, fetch_and, OPERATION_AND, old &operand)         \
    MODIFY(bits, atomic##bits, fetch_or, OPERATION_OR, old | operand)          \
    MODIFY(bits, atomic##bits, fetch_xor, OPERATION_XOR, old ^ operand)        \
    MODIFY(bits, atomic##bits, fetch_nand, OPERATION_MODIFY, ~(old & operand)) \
    COMPARE(bits, atomic##bits)                                                \
    COMPARE_EXCHANGE(bits, atomic##bits, compare_exchange_strong)              \
    COMPARE_EXCHANGE(bits, atomic##bits, compare_exchange_weak)                \
    COMPARE_VALUE(bits, atomic##bits)

ATOMICS(8)
ATOMICS(16)
ATOMICS(32)
ATOMICS(64)
ATOMICS(128)

uint32_t atomics_load_word(const volatile uint32_t *address, int order, const void *here) {
    if (access_silent(address, sizeof *address)) {
        return *address;
    }
    runtime_before_park();
    return load32(address, order, here);
}

/* Under sequential consistency a fence orders nothing that is not ordered; only the race detector
 * needs it. */
void __tsan_atomic_thread_fence(int order);
void __tsan_atomic_signal_fence(int order);

/* Where versions are kept, a fence is a step. */
static FIBER_RETURN void park_fence(runtime_thread *t, int order, const void *here) {
    t->pending.order = (uint8_t)versions_order(order);
    runtime_prepare(t, OPERATION_FENCE, 0, FOOTPRINT_EMPTY, location_of(here));
    runtime_park(t);
    FIBER_LAST_CALL();
}

void atomics_park_fence(int order, const void *here) {
    if (runtime.current) {
        runtime_before_park();
        park_fence(runtime.current, order, here);
    }
}

void atomics_fence(int order, const void *here) {
    if (unlikely(runtime.versions) && order != __ATOMIC_RELAXED) {
        atomics_park_fence(order, here);
    }
    if (runtime.current) {
        race_fence(runtime.current, order);
    }
}

void __tsan_atomic_thread_fence(int order) {
    atomics_fence(order, HERE);
}

void __tsan_atomic_signal_fence(int order) {
    (void)order;
}

/* ---- libatomic: objects of any size ---- */

/* `value` and `old` are read and written plainly, by steps of their own if others see them. */

void heddle___atomic_load(size_t size, const volatile void *address, void *value, int order) {
    bool announced = !access_silent(address, size) &&
                     access_atomic(address, size, OPERATION_READ, ACCESS_READ, HERE);
    bool shared = !access_silent(value, size);
    unsigned char read[LARGEST_ATOMIC];
    size_t kept = shared && size <= sizeof read ? size : 0;
    if (shared && (!kept || (LIMIT_TORTURE && size > limit_most(LIMIT_ATOMIC)))) {
        limit_reached(LIMIT_ATOMIC);
    }
    memcpy(kept ? read : value, (const void *)address, size);
    if (announced) {
        access_atomic_done(ACCESS_READ, order, 0);
    }
    if (kept) {
        access_plain(value, size, ACCESS_WRITE, HERE);
        memcpy(value, read, size);
    }
}

void heddle___atomic_store(size_t size, volatile void *address, const void *value, int order) {
    access_plain(value, size, ACCESS_READ, HERE);
    bool announced = !access_silent(address, size) &&
                     access_atomic(address, size, OPERATION_WRITE, ACCESS_WRITE, HERE);
    memcpy((void *)address, value, size);
    if (announced) {
        access_atomic_done(ACCESS_WRITE, order, 0);
    }
}

void heddle___atomic_exchange(size_t size, volatile void *address, const void *value, void *old,
                              int order) {
    access_plain(value, size, ACCESS_READ, HERE);
    bool announced = !access_silent(address, size) &&
                     access_atomic(address, size, OPERATION_EXCHANGE, ACCESS_READ_WRITE, HERE);
    undo_write((uintptr_t)old, size);
    for (size_t i = 0; i < size; i++) { /* `value` and `old` may be the same */
        uint8_t byte = ((const uint8_t *)value)[i];
        ((uint8_t *)old)[i] = ((volatile uint8_t *)address)[i];
        ((volatile uint8_t *)address)[i] = byte;
    }
    if (announced) {
        access_atomic_done(ACCESS_READ_WRITE, order, 0);
    }
}

bool heddle___atomic_compare_exchange(size_t size, volatile void *address, void *expected,
                                      const void *desired, int order, int failure_order) {
    bool silent = access_silent(address, size);
    if (silent) {
        access_plain(expected, size, ACCESS_READ, HERE);
    }
    access_plain(desired, size, ACCESS_READ, HERE);
    bool announced = !silent && access_compare(address, expected, size, HERE);
    bool same = memcmp((const void *)address, expected, size) == 0;
    if (same) {
        memcpy((void *)address, desired, size);
    } else {
        memcpy(expected, (const void *)address, size);
    }
    if (announced) {
        access_compare_done(same, order, failure_order);
    }
    return same;
}

bool heddle___atomic_is_lock_free(size_t size, const volatile void *address) {
    (void)address;
    return size <= 16 && (size & (size - 1)) == 0;
}

void runtime_link_atomics(void) {
}
