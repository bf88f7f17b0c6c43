#include "targets/runtime/kernel/stack.h"

#include <string.h>
#include <sys/mman.h>

#include "base/check.h"
#include "targets/runtime/memory/space.h"

enum {
    PAGE_SIZE = 4096,
    FIRST_PART = 1024,       /* of the stack, in the page of the thread-local variables */
    CLEARED_LIMIT = 1 << 20, /* more than this goes back to the kernel */
    RECHECK_PERIOD = 1024,   /* checks of a stack after which its depth is determined again, */
    FIRST_RECHECK = 16,      /* and after so many, twice as many, and so on */
};

_Static_assert(FIRST_PART % 16 == 0 && FIRST_PART < PAGE_SIZE, "stacks begin aligned, in a page");

static uintptr_t page_of(uintptr_t address) {
    return address & ~(uintptr_t)(PAGE_SIZE - 1);
}

static size_t round_up(size_t size) {
    return (size + 15) & ~(size_t)15;
}

uintptr_t stack_above(const runtime_thread *t) {
    return t->tls + round_up(space.tls_size);
}

/* The thread-local variables start FIRST_PART bytes after the start of a page, if their alignment
 * allows it. */
static uintptr_t place_variables(uintptr_t top, size_t above) {
    uintptr_t highest = top - round_up(space.tls_size) - above;
    if (space.tls_align > FIRST_PART) {
        return highest & ~(uintptr_t)(space.tls_align - 1);
    }
    return page_of(highest - FIRST_PART) + FIRST_PART;
}

static uintptr_t first_page(const runtime_thread *t) {
    return page_of(t->tls - 1);
}

static void make_accessible(uintptr_t low, uintptr_t high) {
    int code = space.stacks_hold_code ? PROT_EXEC : 0;
    CHECK(mprotect((void *)low, high - low, PROT_READ | PROT_WRITE | code) == 0);
}

static void place(runtime_thread *t, size_t above) {
    size_t whole;
    t->own_low = space_stack(t->number, &whole);
    uintptr_t top = t->own_low + whole;
    t->tls = place_variables(top, above);
    t->own_size = stack_above(t) + above - t->own_low;
    t->stack_used = first_page(t);
    CHECK(t->own_low < t->stack_used && t->own_low + t->own_size <= top);
    make_accessible(t->stack_used, top);
}

static void clear(runtime_thread *t) {
    uintptr_t low = t->stack_used, top = stack_above(t);
    if (top - low > CLEARED_LIMIT) {
        uintptr_t high = first_page(t);
        CHECK(madvise((void *)low, high - low, MADV_DONTNEED) == 0);
        low = high;
    }
    memset((void *)low, 0, top - low);
}

/* Rarely enough: a thread that does go as deep again faults. */
static bool looks_again(runtime_thread *t) {
    uint32_t looks = ++t->stack_looks;
    return looks % RECHECK_PERIOD == 0 || (looks >= FIRST_RECHECK && (looks & (looks - 1)) == 0);
}

static void forget_depth(runtime_thread *t) {
    uintptr_t first = first_page(t);
    if (t->stack_used < first) {
        CHECK(mprotect((void *)t->stack_used, first - t->stack_used, PROT_NONE) == 0);
        t->stack_used = first;
    }
}

static bool is_zero(uintptr_t low, uintptr_t high) {
    const uint64_t *word = (const uint64_t *)low, *end = (const uint64_t *)high;
    CHECK(low % sizeof *word == 0 && high % sizeof *word == 0 && low <= high);
    while (word < end && !*word) {
        word++;
    }
    return word == end;
}

void stack_trim(runtime_thread *t) {
    uintptr_t first = first_page(t);
    CHECK(t != runtime.current && t->stack_used <= t->tls);
    if (unlikely(t->stack_used < first) && looks_again(t) && is_zero(t->stack_used, first)) {
        forget_depth(t);
    }
}

void stack_extend(runtime_thread *t, uintptr_t low) {
    if (unlikely(low < t->stack_used)) {
        CHECK(low >= t->own_low && low % PAGE_SIZE == 0);
        make_accessible(low, t->stack_used);
        t->stack_used = low;
    }
}

void stack_prepare(runtime_thread *t, size_t above) {
    above = round_up(above);
    if (!t->own_size) {
        place(t, above);
    }
    t->tls = t->own_low + t->own_size - above - round_up(space.tls_size);
    CHECK(t->tls % (space.tls_align ? space.tls_align : 1) == 0);
    clear(t);
    if (looks_again(t)) {
        forget_depth(t);
    }
    memcpy((void *)t->tls, space.tls_image, space.tls_image_size);
}

bool stack_fault(uintptr_t address) {
    if (address - space.stacks_low >= space.stacks_size) {
        return false;
    }
    runtime_thread *t = &runtime.threads[space_stack_owner(address)];
    uintptr_t low = page_of(address);
    if (address - t->own_low >= t->own_size || low >= t->stack_used) {
        return false;
    }
    stack_extend(t, low); /* a stack begins with a page */
    return true;
}
