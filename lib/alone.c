/* What a program that `heddle cc` linked needs when somebody starts it by itself, as configure
 * scripts and test runners do: the calls that the compiler has put into it do nothing, atomic
 * operations are what they are, and <heddle.h> has its meaning on real threads. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <heddle.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* ---- accesses ---- */

/* They are called from edited assembly, some without regard to the registers of the caller. */
#define NOTHING(name)                                                                   \
    __asm__(".globl " name "\n.type " name ", %function\n" name ":\n\tret\n.size " name \
            ", . - " name);

#define NOTHING_OF_SIZES(prefix) \
    NOTHING(prefix "1")          \
    NOTHING(prefix "2")          \
    NOTHING(prefix "4")          \
    NOTHING(prefix "8")          \
    NOTHING(prefix "16")

#define NOTHING_OF_ACCESSES(kind)            \
    NOTHING_OF_SIZES("__tsan_" kind "read")  \
    NOTHING_OF_SIZES("__tsan_" kind "write") \
    NOTHING_OF_SIZES("__tsan_" kind "read_write")

NOTHING_OF_ACCESSES("")
NOTHING_OF_ACCESSES("volatile_")
NOTHING_OF_ACCESSES("unaligned_")
NOTHING_OF_ACCESSES("unaligned_volatile_")
NOTHING("__tsan_init")
NOTHING("__tsan_read_range")
NOTHING("__tsan_write_range")
NOTHING("__tsan_vptr_read")
NOTHING("__tsan_vptr_update")
NOTHING("__tsan_func_entry")
NOTHING("__tsan_func_exit")
NOTHING("__tsan_ignore_thread_begin")
NOTHING("__tsan_ignore_thread_end")
NOTHING("__tsan_acquire")
NOTHING("__tsan_release")
NOTHING("__tsan_mutex_create")
NOTHING("__tsan_mutex_destroy")
NOTHING("__tsan_mutex_pre_lock")
NOTHING("__tsan_mutex_post_lock")
NOTHING("__tsan_mutex_post_unlock")
NOTHING("__tsan_mutex_pre_signal")
NOTHING("__tsan_mutex_post_signal")
NOTHING("__tsan_mutex_pre_divert")
NOTHING("__tsan_mutex_post_divert")
NOTHING("__ubsan_handle_out_of_bounds")
NOTHING("heddle_struct_read")
NOTHING("heddle_struct_written")
NOTHING("heddle_struct_read_x87")
NOTHING("heddle_struct_written_x87")
NOTHING("heddle_struct_written_bits")
NOTHING("heddle_struct_written_volatile_bits")
NOTHING("__tsan_read_bits")
NOTHING("__tsan_volatile_read_bits")
NOTHING("heddle_assembly_loads")
NOTHING("heddle_assembly_stores")
NOTHING("heddle_assembly_updates")
NOTHING("heddle_assembly_fence")
NOTHING("heddle_assembly_requests")
NOTHING("heddle_frame_ends")

/* Annotations that TSan's library has, unless the program has its own. */
#define NOTHING_ELSE(name) __asm__(".weak " name "\n.type " name ", %function\n" name ":\n\tret\n");
NOTHING_ELSE("AnnotateHappensBefore")
NOTHING_ELSE("AnnotateHappensAfter")
NOTHING_ELSE("AnnotateRWLockAcquired")
NOTHING_ELSE("AnnotateRWLockReleased")
NOTHING_ELSE("AnnotateBenignRace")
NOTHING_ELSE("AnnotateBenignRaceSized")
NOTHING_ELSE("AnnotateFlushState")
NOTHING_ELSE("AnnotateIgnoreReadsBegin")
NOTHING_ELSE("AnnotateIgnoreReadsEnd")
NOTHING_ELSE("AnnotateIgnoreWritesBegin")
NOTHING_ELSE("AnnotateIgnoreWritesEnd")
NOTHING_ELSE("AnnotateIgnoreSyncBegin")
NOTHING_ELSE("AnnotateIgnoreSyncEnd")
NOTHING_ELSE("AnnotateEnableRaceDetection")
NOTHING_ELSE("AnnotateExpectRace")
NOTHING_ELSE("AnnotateFlushExpectedRaces")
NOTHING_ELSE("AnnotateMutexIsNotPHB")
NOTHING_ELSE("AnnotateMutexIsUsedAsCondVar")
NOTHING_ELSE("AnnotateCondVarWait")
NOTHING_ELSE("AnnotateCondVarSignal")
NOTHING_ELSE("AnnotateCondVarSignalAll")
NOTHING_ELSE("AnnotateNewMemory")
NOTHING_ELSE("AnnotatePublishMemoryRange")
NOTHING_ELSE("AnnotateUnpublishMemoryRange")
NOTHING_ELSE("AnnotateRWLockCreate")
NOTHING_ELSE("AnnotateRWLockCreateStatic")
NOTHING_ELSE("AnnotateRWLockDestroy")
NOTHING_ELSE("AnnotateThreadName")
NOTHING_ELSE("AnnotateTraceMemory")

#ifdef __x86_64__
/* The word at the offset %rsi from the thread pointer, to (%rdi); all registers are kept. */
__asm__(
    ".globl heddle_assembly_thread_word\n.type heddle_assembly_thread_word, %function\n"
    "heddle_assembly_thread_word:\n\tpushq %rax\n\tmovq %fs:(%rsi), %rax\n\tmovq %rax, (%rdi)\n"
    "\tpopq %rax\n\tret\n"
    ".size heddle_assembly_thread_word, . - heddle_assembly_thread_word");
#endif

int __tsan_mutex_pre_unlock(void *mutex, unsigned flags);

int __tsan_mutex_pre_unlock(void *mutex, unsigned flags) {
    (void)mutex, (void)flags;
    return 0;
}

/* Copies of structs, by clang 15 and later. */
void *__tsan_memcpy(void *to, const void *from, size_t size);
void *__tsan_memmove(void *to, const void *from, size_t size);
void *__tsan_memset(void *to, int byte, size_t size);

void *__tsan_memcpy(void *to, const void *from, size_t size) {
    return memcpy(to, from, size);
}

void *__tsan_memmove(void *to, const void *from, size_t size) {
    return memmove(to, from, size);
}

void *__tsan_memset(void *to, int byte, size_t size) {
    return memset(to, byte, size);
}

bool heddle_stacks_are_shared, heddle_loops_are_watched;

/* ---- atomic operations, with the strongest order ---- */

#define FETCHES(bits, type)                                                                     \
    type __tsan_atomic##bits##_load(const volatile type *a, int order) {                        \
        (void)order;                                                                            \
        return __atomic_load_n(a, __ATOMIC_SEQ_CST);                                            \
    }                                                                                           \
    void __tsan_atomic##bits##_store(volatile type *a, type v, int order) {                     \
        (void)order;                                                                            \
        __atomic_store_n(a, v, __ATOMIC_SEQ_CST);                                               \
    }                                                                                           \
    int __tsan_atomic##bits##_compare_exchange_strong(volatile type *a, type *e, type v, int s, \
                                                      int f) {                                  \
        (void)s, (void)f;                                                                       \
        return __atomic_compare_exchange_n(a, e, v, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);     \
    }                                                                                           \
    int __tsan_atomic##bits##_compare_exchange_weak(volatile type *a, type *e, type v, int s,   \
                                                    int f) {                                    \
        return __tsan_atomic##bits##_compare_exchange_strong(a, e, v, s, f);                    \
    }                                                                                           \
    type __tsan_atomic##bits##_compare_exchange_val(volatile type *a, type e, type v, int s,    \
                                                    int f) {                                    \
        __tsan_atomic##bits##_compare_exchange_strong(a, &e, v, s, f);                          \
        return e;                                                                               \
    }

#define UPDATE(bits, type, name, builtin)                                    \
    type __tsan_atomic##bits##_##name(volatile type *a, type v, int order) { \
        (void)order;                                                         \
        return builtin(a, v, __ATOMIC_SEQ_CST);                              \
    }

#define ATOMICS(bits, type)                           \
    FETCHES(bits, type)                               \
    UPDATE(bits, type, exchange, __atomic_exchange_n) \
    UPDATE(bits, type, fetch_add, __atomic_fetch_add) \
    UPDATE(bits, type, fetch_sub, __atomic_fetch_sub) \
    UPDATE(bits, type, fetch_and, __atomic_fetch_and) \
    UPDATE(bits, type, fetch_or, __atomic_fetch_or)   \
    UPDATE(bits, type, fetch_xor, __atomic_fetch_xor) \
    UPDATE(bits, type, fetch_nand, __atomic_fetch_nand)

#pragma GCC diagnostic ignored "-Wmissing-prototypes"
ATOMICS(8, uint8_t)
ATOMICS(16, uint16_t)
ATOMICS(32, uint32_t)
ATOMICS(64, uint64_t)

#ifdef __x86_64__
__extension__ typedef unsigned __int128 wide;

/* Returns what was there. */
__attribute__((target("cx16"))) static wide swap(volatile wide *a, wide expected, wide v) {
    return __sync_val_compare_and_swap(a, expected, v);
}

wide __tsan_atomic128_load(const volatile wide *a, int order) {
    (void)order;
    return swap((volatile wide *)a, 0, 0);
}

wide __tsan_atomic128_compare_exchange_val(volatile wide *a, wide e, wide v, int s, int f) {
    (void)s, (void)f;
    return swap(a, e, v);
}

int __tsan_atomic128_compare_exchange_strong(volatile wide *a, wide *e, wide v, int s, int f) {
    (void)s, (void)f;
    wide old = swap(a, *e, v), expected = *e;
    *e = old;
    return old == expected;
}

int __tsan_atomic128_compare_exchange_weak(volatile wide *a, wide *e, wide v, int s, int f) {
    return __tsan_atomic128_compare_exchange_strong(a, e, v, s, f);
}

#define WIDE_UPDATE(name, result)                                       \
    wide __tsan_atomic128_##name(volatile wide *a, wide v, int order) { \
        (void)order;                                                    \
        for (wide old = swap(a, 0, 0), found;; old = found) {           \
            found = swap(a, old, result);                               \
            if (found == old) {                                         \
                return old;                                             \
            }                                                           \
        }                                                               \
    }

WIDE_UPDATE(exchange, v)
WIDE_UPDATE(fetch_add, old + v)
WIDE_UPDATE(fetch_sub, old - v)
WIDE_UPDATE(fetch_and, old &v)
WIDE_UPDATE(fetch_or, old | v)
WIDE_UPDATE(fetch_xor, old ^ v)
WIDE_UPDATE(fetch_nand, ~(old &v))

void __tsan_atomic128_store(volatile wide *a, wide v, int order) {
    __tsan_atomic128_exchange(a, v, order);
}
#endif

void __tsan_atomic_thread_fence(int order) {
    (void)order;
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

void __tsan_atomic_signal_fence(int order) {
    (void)order;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
}

/* ---- <heddle.h> ---- */

static pthread_mutex_t section = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

/* The execution is of no interest: it ends. */
void heddle_assume(int holds) {
    if (!holds) {
        exit(0);
    }
}

void heddle_assert(int holds) {
    if (!holds) {
        fputs("heddle_assert: assertion failed\n", stderr);
        abort();
    }
}

unsigned heddle_choose(unsigned count) {
    return count ? (unsigned)random() % count : 0;
}

void heddle_atomic_begin(void) {
    pthread_mutex_lock(&section);
}

void heddle_atomic_end(void) {
    pthread_mutex_unlock(&section);
}

/* ---- where the program is ---- */

/* A shared library has neither. */
extern char __executable_start[] __attribute__((weak)), etext[] __attribute__((weak));

/* It runs from a copy in memory, whose name leads nowhere. The program gets the file that was
 * started, as HEDDLE_PROGRAM has it; a library that looks for what was linked into the program, as
 * test frameworks do, a name by which the copy can be opened and started. */
ssize_t readlink(const char *restrict path, char *restrict buffer, size_t size) {
    const char *self = "/proc/self/exe", *started = getenv("HEDDLE_PROGRAM");
    const char *caller = __builtin_return_address(0);
    if (!started || strcmp(path, self) != 0) {
        return syscall(SYS_readlinkat, AT_FDCWD, path, buffer, size);
    }
    bool own = caller >= __executable_start && caller < etext;
    size_t length = strlen(own ? started : self);
    length = length < size ? length : size;
    memcpy(buffer, own ? started : self, length);
    return (ssize_t)length;
}
