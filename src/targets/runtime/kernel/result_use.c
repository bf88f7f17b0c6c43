#include "targets/runtime/kernel/result_use.h"

#include <stddef.h>
#include <string.h>

#include "base/check.h"

#ifdef __x86_64__

/* Instructions as the compiler makes them for the next statement; the rest counts as a use. */
static const struct {
    unsigned char bytes[3];
    unsigned char length; /* of these */
    unsigned char size;   /* of the instruction; 0: it ends the life of the result */
} instructions[] = {
    {{0xe8}, 1, 0},             /* call */
    {{0xb8}, 1, 0},             /* mov $…, %eax */
    {{0x31, 0xc0}, 2, 0},       /* xor %eax, %eax */
    {{0x8b, 0x05}, 2, 0},       /* mov …(%rip), %eax */
    {{0x8b, 0x45}, 2, 0},       /* mov …(%rbp), %eax */
    {{0x48, 0x8b, 0x05}, 3, 0}, /* mov …(%rip), %rax */
    {{0x48, 0x8b, 0x45}, 3, 0}, /* mov …(%rbp), %rax */
    {{0x48, 0x8d, 0x05}, 3, 0}, /* lea …(%rip), %rax */
    {{0x48, 0x8d, 0x45}, 3, 0}, /* lea …(%rbp), %rax */
    {{0xbf}, 1, 5},             /* mov $…, %edi */
    {{0xbe}, 1, 5},             /* mov $…, %esi */
    {{0x48, 0x8d, 0x3d}, 3, 7}, /* lea …(%rip), %rdi */
    {{0x48, 0x8d, 0x35}, 3, 7}, /* lea …(%rip), %rsi */
    {{0x48, 0x8b, 0x3d}, 3, 7}, /* mov …(%rip), %rdi */
    {{0x48, 0x8b, 0x7d}, 3, 4}, /* mov …(%rbp), %rdi */
    {{0xc7, 0x45}, 2, 7},       /* movl $…, …(%rbp) */
    {{0xc7, 0x05}, 2, 10},      /* movl $…, …(%rip) */
    {{0x48, 0xc7, 0x45}, 3, 8}, /* movq $…, …(%rbp) */
    {{0x90}, 1, 1},             /* nop */
};

bool result_is_used(const void *return_address) {
    const unsigned char *at = return_address;
    size_t count = sizeof instructions / sizeof *instructions;
    for (unsigned looked = 0; looked < 8; looked++) {
        size_t i = 0;
        while (i < count && memcmp(at, instructions[i].bytes, instructions[i].length) != 0) {
            i++;
        }
        if (i == count) {
            return true;
        }
        CHECK(!instructions[i].size || instructions[i].size >= instructions[i].length);
        if (!instructions[i].size) {
            return false;
        }
        at += instructions[i].size;
    }
    return true;
}

#else

bool result_is_used(const void *return_address) {
    (void)return_address;
    return true;
}

#endif
