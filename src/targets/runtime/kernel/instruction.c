#include "targets/runtime/kernel/instruction.h"

#include <string.h>
#include <sys/mman.h>

#include "base/limit.h"
#include "base/text.h"
#include "base/vector.h"
#include "targets/runtime/kernel/context.h"
#include "targets/runtime/libc/random.h"
#include "targets/runtime/sync/clock.h"

enum { CODE_SIZE = 8, PAGE_SIZE = 4096 };

typedef struct replaced_instruction {
    uintptr_t address;
    unsigned char code[CODE_SIZE]; /* as it was */
} replaced_instruction;

static VECTOR(replaced_instruction) replaced;
static bool left_some; /* left as they were: code cannot be changed */

bool instruction_is_external(const char *name) {
    return text_is_listed(name, strcspn(name, " \t"), "rdtsc rdtscp rdrand rdseed cpuid rdpid");
}

void instruction_check(void) {
    if (left_some) {
        limit_reached(LIMIT_INSTRUCTIONS);
    }
}

void instruction_close(void) {
    left_some = false;
    vector_free(&replaced);
}

void instruction_replace(uintptr_t address) {
#ifdef __x86_64__
    replaced_instruction r = {.address = address};
    uintptr_t low = address & ~(uintptr_t)(PAGE_SIZE - 1);
    size_t size = address + CODE_SIZE - low;
    memcpy(r.code, (const void *)address, CODE_SIZE);
    if (replaced.count >= limit_most(LIMIT_INSTRUCTIONS) ||
        mprotect((void *)low, size, PROT_READ | PROT_WRITE | PROT_EXEC) != 0) {
        left_some = true;
        return;
    }
    static const unsigned char trap[] = {0x0f, 0x0b}; /* ud2: as short as the shortest of them */
    _Static_assert(sizeof trap <= CODE_SIZE, "what it overwrites is kept");
    memcpy((void *)address, trap, sizeof trap);
    CHECK(mprotect((void *)low, size, PROT_READ | PROT_EXEC) == 0);
    vector_push(&replaced, r);
#else
    (void)address;
#endif
}

#ifdef __x86_64__

enum { FLAG_CARRY = 1, FLAGS_OF_RESULT = 0x8d5 }; /* O S Z A P C */

/* By their numbers in instructions. */
static greg_t *general_register(ucontext_t *context, unsigned number) {
    static const unsigned char places[16] = {13, 14, 12, 11, 15, 10, 9, 8, 0, 1, 2, 3, 4, 5, 6, 7};
    return &context->uc_mcontext.gregs[places[number & 15]];
}

enum { RAX, RCX, RDX, RBX };

static void set_low(greg_t *place, uint32_t value) {
    *place = (greg_t)(uint64_t)value;
}

static void read_time(ucontext_t *context) {
    uint64_t now = clock_look();
    set_low(general_register(context, RAX), (uint32_t)now);
    set_low(general_register(context, RDX), (uint32_t)(now >> 32));
}

/* What depends on the processor that happens to run this is taken out. */
static void identify(ucontext_t *context) {
    uint32_t a = (uint32_t)*general_register(context, RAX), leaf = a;
    uint32_t c = (uint32_t)*general_register(context, RCX), b = 0, d = 0;
    __asm__ volatile("cpuid" : "+a"(a), "=b"(b), "+c"(c), "=d"(d));
    b = leaf == 1 ? b & 0x00ffffff : b;
    d = leaf == 0xb || leaf == 0x1f ? 0 : d;
    set_low(general_register(context, RAX), a);
    set_low(general_register(context, RBX), b);
    set_low(general_register(context, RCX), c);
    set_low(general_register(context, RDX), d);
}

/* rdrand, rdseed, rdpid: [66|f3] [rex] 0f c7 modrm. */
static unsigned take_number(ucontext_t *context, const unsigned char *code) {
    const unsigned char *at = code;
    bool narrow = *at == 0x66, processor = *at == 0xf3;
    at += narrow || processor;
    unsigned rex = (*at & 0xf0) == 0x40 ? *at++ : 0;
    CHECK(at[0] == 0x0f && at[1] == 0xc7 && at + 3 <= code + CODE_SIZE);
    greg_t *place = general_register(context, (at[2] & 7u) | (rex & 1 ? 8u : 0));
    uint64_t value = processor ? 0 : random_number();
    if (narrow) {
        *place = (greg_t)(((uint64_t)*place & ~(uint64_t)0xffff) | (value & 0xffff));
    } else {
        *place = (greg_t)(rex & 8 ? value : value & UINT32_MAX);
    }
    if (!processor) {
        greg_t *flags = &context->uc_mcontext.gregs[CONTEXT_FLAGS];
        *flags = (*flags & ~(greg_t)FLAGS_OF_RESULT) | FLAG_CARRY;
    }
    return (unsigned)(at + 3 - code);
}

static unsigned emulate(ucontext_t *context, const unsigned char *code) {
    if (code[0] == 0x0f && code[1] == 0x31) { /* rdtsc */
        read_time(context);
        return 2;
    }
    if (code[0] == 0x0f && code[1] == 0x01) { /* rdtscp */
        read_time(context);
        set_low(general_register(context, RCX), 0);
        return 3;
    }
    if (code[0] == 0x0f && code[1] == 0xa2) {
        identify(context);
        return 2;
    }
    return take_number(context, code);
}

bool instruction_trapped(ucontext_t *context) {
    uintptr_t counter = context_counter(context);
    for (uint32_t i = 0; i < replaced.count; i++) {
        if (vector_at(&replaced, i).address == counter) {
            context->uc_mcontext.gregs[CONTEXT_RIP] +=
                emulate(context, vector_at(&replaced, i).code);
            return true;
        }
    }
    return false;
}

#else

bool instruction_trapped(ucontext_t *context) {
    (void)context;
    return false;
}

#endif
