/* Functions that are called by code that was edited after it was compiled
 * (targets/native/by_value.h). A call may stand between any two instructions, so every register and
 * the flags are preserved. The wider halves of vector registers are not used there: heddle compiles
 * without them at -O0. */
#include "targets/runtime/kernel/access.h"
#include "targets/runtime/kernel/exports.h"
#include "targets/runtime/kernel/symbols.h"
#include "targets/runtime/kernel/trampoline.h"

void heddle_struct_was_read(const void *address, size_t size, const void *return_address);
void heddle_struct_was_written(const void *address, size_t size, const void *return_address);

void heddle_before_announcement(void);

void runtime_link_announce(void) {
}

/* Called where everything above is written and everything below is not in use. */
void heddle_before_announcement(void) {
    runtime_before_park();
}

void heddle_struct_was_read(const void *address, size_t size, const void *return_address) {
    if (size) {
        access_plain(address, size, ACCESS_READ, return_address);
    }
}

void heddle_struct_was_written(const void *address, size_t size, const void *return_address) {
    if (size) {
        access_plain(address, size, ACCESS_WRITE, return_address);
    }
}

/* ---- bit-fields (targets/native/bit_fields.h) ---- */

void __tsan_read_bits(const void *address, size_t size);
void __tsan_volatile_read_bits(const void *address, size_t size);
void heddle_bits_were_written(const void *address, size_t size, const void *return_address);
void heddle_volatile_bits_were_written(const void *address, size_t size,
                                       const void *return_address);

static void access_volatile(const void *address, size_t size, uint8_t mode,
                            const void *return_address) {
    if (!access_silent(address, size) &&
        !access_volatile_usual(address, size, mode, return_address)) {
        access_park(address, size, mode, true, return_address);
    }
}

/* Notes the bit-fields beside the one that is about to change. */
static void note_bits(const void *address, size_t size) {
    CHECK(size);
    runtime.current->bits_address = (uintptr_t)address;
    runtime.current->bits_size = size;
}

void __tsan_read_bits(const void *address, size_t size) {
    note_bits(address, size);
    access_plain(address, size, ACCESS_READ, __builtin_return_address(0));
}

void __tsan_volatile_read_bits(const void *address, size_t size) {
    note_bits(address, size);
    access_volatile(address, size, ACCESS_READ, __builtin_return_address(0));
}

/* The store is to some bytes of them; it counts as one to all. */
static bool lies_in_bits(const void *address, size_t size) {
    uintptr_t offset = (uintptr_t)address - runtime.current->bits_address;
    return offset < runtime.current->bits_size && size <= runtime.current->bits_size - offset;
}

void heddle_bits_were_written(const void *address, size_t size, const void *return_address) {
    if (lies_in_bits(address, size)) {
        address = (const void *)runtime.current->bits_address;
        size = runtime.current->bits_size;
    }
    access_plain(address, size, ACCESS_WRITE, return_address);
}

void heddle_volatile_bits_were_written(const void *address, size_t size,
                                       const void *return_address) {
    if (lies_in_bits(address, size)) {
        address = (const void *)runtime.current->bits_address;
        size = runtime.current->bits_size;
    }
    access_volatile(address, size, ACCESS_WRITE, return_address);
}

/* ---- inline assembly ---- */

void heddle_assembly_accesses(const void *address, size_t size, const void *return_address,
                              enum operation_kind kind, uint8_t mode, int order);
void heddle_assembly_loading(const void *address, size_t size, const void *return_address);
void heddle_assembly_storing(const void *address, size_t size, const void *return_address);
void heddle_assembly_updating(const void *address, size_t size, const void *return_address);
void heddle_assembly_fencing(const void *unused, size_t size, const void *return_address);
void heddle_assembly_reading_thread(uintptr_t *word, size_t offset, const void *return_address);

/* The access itself follows, in the same step. */
void heddle_assembly_accesses(const void *address, size_t size, const void *return_address,
                              enum operation_kind kind, uint8_t mode, int order) {
    DEBUG_CHECK((kind == OPERATION_READ) == !(mode & ACCESS_WRITE));
    if (access_silent(address, size)) {
        return;
    }
    bool weakly = space.target->weakly; /* no order of C11 */
    if (access_atomic(address, size, kind, mode, return_address)) {
        access_atomic_done(mode, order, access_value((uintptr_t)address, size));
        space.target->weakly = weakly;
    }
}

void heddle_assembly_loading(const void *address, size_t size, const void *return_address) {
    heddle_assembly_accesses(address, size, return_address, OPERATION_READ, ACCESS_READ,
                             __ATOMIC_ACQUIRE);
}

void heddle_assembly_storing(const void *address, size_t size, const void *return_address) {
    heddle_assembly_accesses(address, size, return_address, OPERATION_WRITE, ACCESS_WRITE,
                             __ATOMIC_RELEASE);
}

/* An access to private memory nevertheless orders accesses to other memory. */
void heddle_assembly_updating(const void *address, size_t size, const void *return_address) {
    if (access_silent(address, size)) {
        atomics_fence(__ATOMIC_SEQ_CST, return_address);
        return;
    }
    heddle_assembly_accesses(address, size, return_address, OPERATION_MODIFY, ACCESS_READ_WRITE,
                             __ATOMIC_SEQ_CST);
}

void heddle_assembly_fencing(const void *unused, size_t size, const void *return_address) {
    (void)unused, (void)size;
    atomics_fence(__ATOMIC_SEQ_CST, return_address);
}

/* A load by the thread pointer. The first word of what it points to is its own address, which
 * programs take for the number of the thread; what else is there is libc's. */
void heddle_assembly_reading_thread(uintptr_t *word, size_t offset, const void *return_address) {
    if (offset) {
        heddle_unsupported("a load from libc's part of the thread", return_address);
    }
    const runtime_thread *t = runtime.current; /* none while constructors run */
    space_place();
    *word = space_heap(t ? t->number : RUNTIME_MAIN);
    CHECK(*word);
}

#ifdef __x86_64__
#define SAVE(number)    "movaps %xmm" #number ", 16*" #number "(%rsp)\n"
#define RESTORE(number) "movaps 16*" #number "(%rsp), %xmm" #number "\n"
#define EACH(X) \
    X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11) X(12) X(13) X(14) X(15)

/* The arguments are in %rdi and %rsi, which the caller saves. */
#define KEEPING_AND(name, callee, save, restore) \
    __asm__(                                                           \
        TRAMPOLINE_BEGIN(name) \
        "pushfq\npushq %rax\npushq %rcx\npushq %rdx\n"                 \
        "pushq %r8\npushq %r9\npushq %r10\npushq %r11\n"               \
        "movq $0, -8(%rsp)\nandq $-16, %rsp\n"                        \
        "subq $256, %rsp\ncld\n" EACH(SAVE) save                      \
        "pushq %rdi\npushq %rsi\n"                                    \
        "call heddle_before_announcement\n"                           \
        "popq %rsi\npopq %rdi\n"                                      \
        "movq 8(%rbp), %rdx\n"                                         \
        "call " callee "\n" restore EACH(RESTORE) "leaq -64(%rbp), %rsp\n"     \
        "popq %r11\npopq %r10\npopq %r9\npopq %r8\n"                   \
        "popq %rdx\npopq %rcx\npopq %rax\npopfq\n"                     \
        TRAMPOLINE_END(name))

#define KEEPING_EVERYTHING(name, callee) KEEPING_AND(name, callee, "", "")

/* And the stack of the x87, without where its last instruction was. */
#define KEEPING_X87(name, callee)                                                         \
    KEEPING_AND(name, callee,                                                             \
                "subq $112, %rsp\nfnsave (%rsp)\nmovq $0, 12(%rsp)\nmovq $0, 20(%rsp)\n", \
                "frstor (%rsp)\naddq $112, %rsp\n")

KEEPING_EVERYTHING("heddle_assembly_loads", "heddle_assembly_loading");
KEEPING_EVERYTHING("heddle_assembly_stores", "heddle_assembly_storing");
KEEPING_EVERYTHING("heddle_assembly_updates", "heddle_assembly_updating");
KEEPING_EVERYTHING("heddle_assembly_fence", "heddle_assembly_fencing");
KEEPING_EVERYTHING("heddle_assembly_thread_word", "heddle_assembly_reading_thread");
KEEPING_EVERYTHING("heddle_assembly_requests", "heddle_client_request");
KEEPING_EVERYTHING("heddle_struct_read", "heddle_struct_was_read");
KEEPING_EVERYTHING("heddle_struct_written", "heddle_struct_was_written");
KEEPING_EVERYTHING("heddle_struct_written_bits", "heddle_bits_were_written");
KEEPING_EVERYTHING("heddle_struct_written_volatile_bits", "heddle_volatile_bits_were_written");
KEEPING_X87("heddle_struct_read_x87", "heddle_struct_was_read");
KEEPING_X87("heddle_struct_written_x87", "heddle_struct_was_written");
#endif
