/* The callbacks of -fsanitize=thread, but for the atomic ones: what gcc 12 and clang 14 emit. */
#include "targets/runtime/kernel/access.h"
#include "targets/runtime/kernel/exports.h"

#define RETURN_ADDRESS __builtin_return_address(0)

/* What parks is a function of its own: only it returns in the slow way. */
#define PARKS(name, size, mode, is_volatile)                                               \
    void name(const volatile void *address) __attribute__((aligned(64)));                  \
    static FIBER_RETURN void name##_park(const volatile void *address, const void *here) { \
        access_park(address, size, mode, is_volatile, here);                               \
    }

#define TRIES(name, how, size, mode)                                                 \
    static __attribute__((noinline)) void name##_##how(const volatile void *address, \
                                                       const void *here) {           \
        if (!access_##how(address, size, mode, here)) {                              \
            runtime_before_park();                                                   \
            name##_park(address, here);                                              \
        }                                                                            \
    }

/* Aligned to a cache line, because a tenth of its time depends on that. What is new or unusual is
 * left to other functions by the last call. */
#define PLAIN(name, size, mode)                                            \
    PARKS(name, size, mode, false)                                         \
    TRIES(name, anew, size, mode)                                          \
    TRIES(name, refused, size, mode)                                       \
    void name(const volatile void *address) {                              \
        if (access_silent(address, size)) {                                \
            return;                                                        \
        }                                                                  \
        if (!access_passes(RETURN_ADDRESS)) {                              \
            name##_refused(address, RETURN_ADDRESS);                       \
        } else if (!access_repeats(address, size, mode, RETURN_ADDRESS)) { \
            name##_anew(address, RETURN_ADDRESS);                          \
        }                                                                  \
    }

#define VOLATILE(name, size, mode)                          \
    PARKS(name, size, mode, true)                           \
    TRIES(name, volatile_usual, size, mode)                 \
    void name(const volatile void *address) {               \
        if (!access_silent(address, size)) {                \
            name##_volatile_usual(address, RETURN_ADDRESS); \
        }                                                   \
    }

#define PLAIN_SIZE(size)                                                \
    PLAIN(__tsan_read##size, size, ACCESS_READ)                         \
    PLAIN(__tsan_write##size, size, ACCESS_WRITE)                       \
    VOLATILE(__tsan_volatile_read##size, size, ACCESS_READ)             \
    VOLATILE(__tsan_volatile_write##size, size, ACCESS_WRITE)           \
    PLAIN(__tsan_read_write##size, size, ACCESS_READ_WRITE)             \
    PLAIN(__tsan_unaligned_read##size, size, ACCESS_READ)               \
    PLAIN(__tsan_unaligned_write##size, size, ACCESS_WRITE)             \
    VOLATILE(__tsan_unaligned_volatile_read##size, size, ACCESS_READ)   \
    VOLATILE(__tsan_unaligned_volatile_write##size, size, ACCESS_WRITE) \
    PLAIN(__tsan_unaligned_read_write##size, size, ACCESS_READ_WRITE)

PLAIN_SIZE(1)
PLAIN_SIZE(2)
PLAIN_SIZE(4)
PLAIN_SIZE(8)
PLAIN_SIZE(16)

void __tsan_read_range(const void *address, size_t size);
void __tsan_write_range(const void *address, size_t size);
void __tsan_vptr_read(const void *address);
void __tsan_vptr_update(void **address, void *value);
void __tsan_init(void);
void __tsan_func_entry(void *caller);
void __tsan_func_exit(void);
void __tsan_ignore_thread_begin(void);
void __tsan_ignore_thread_end(void);

void __tsan_read_range(const void *address, size_t size) {
    if (size) {
        access_plain(address, size, ACCESS_READ, RETURN_ADDRESS);
    }
}

void __tsan_write_range(const void *address, size_t size) {
    if (size) {
        access_plain(address, size, ACCESS_WRITE, RETURN_ADDRESS);
    }
}

void __tsan_vptr_read(const void *address) {
    access_plain(address, sizeof(void *), ACCESS_READ, RETURN_ADDRESS);
}

/* Constructors of base classes store the same pointer again and again: no write, no race. */
void __tsan_vptr_update(void **address, void *value) {
    if (*address != value) {
        access_plain(address, sizeof(void *), ACCESS_WRITE, RETURN_ADDRESS);
    }
}

void __tsan_init(void) {
}

void __tsan_func_entry(void *caller) {
    (void)caller;
}

void __tsan_func_exit(void) {
}

void __tsan_ignore_thread_begin(void) {
}

void __tsan_ignore_thread_end(void) {
}

void runtime_link_tsan(void) {
}
