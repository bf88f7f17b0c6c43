#include "targets/runtime/kernel/result_use.h"

#include <stddef.h>
#include <stdint.h>
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
    {{0x83, 0x45}, 2, 4},       /* addl $…, …(%rbp): the end of a loop's body */
    {{0x83, 0x6d}, 2, 4},       /* subl */
    {{0x83, 0x7d}, 2, 4},       /* cmpl */
    {{0x83, 0xc3}, 2, 3},       /* add $…, %ebx */
    {{0x83, 0xeb}, 2, 3},       /* sub */
    {{0x83, 0xfb}, 2, 3},       /* cmp */
    {{0x48, 0x89, 0xdf}, 3, 3}, /* mov %rbx, %rdi */
    {{0x48, 0x89, 0xef}, 3, 3}, /* mov %rbp, %rdi */
    {{0x90}, 1, 1},             /* nop */
    /* What clears dead locals before the next call (targets/native/dead_locals.h). */
    {{0x4c, 0x8b, 0x1d}, 3, 7},  /* mov …(%rip), %r11 */
    {{0x41, 0x80, 0x3b}, 3, 4},  /* cmpb $0, (%r11) */
    {{0xc7, 0x85}, 2, 10},       /* movl $…, …(%rbp) */
    {{0x48, 0xc7, 0x85}, 3, 11}, /* movq $…, …(%rbp) */
    {{0xc6, 0x45}, 2, 4},        /* movb $…, …(%rbp) */
    {{0x31, 0xdb}, 2, 2},        /* xor %ebx, %ebx */
};

/* If there is a jump, its length, and where it may go. */
static size_t jump_length(const unsigned char *at, const unsigned char **target) {
    int8_t near;
    int32_t far;
    if (*at == 0xeb || (*at & 0xf0) == 0x70) {
        memcpy(&near, at + 1, sizeof near);
        *target = at + 2 + near;
        return 2;
    }
    size_t opcode = *at == 0xe9 ? 1 : *at == 0x0f && (at[1] & 0xf0) == 0x80 ? 2 : 0;
    if (opcode) {
        memcpy(&far, at + opcode, sizeof far);
        *target = at + opcode + sizeof far + far;
        return opcode + sizeof far;
    }
    return 0;
}

static bool always_jumps(const unsigned char *at) {
    return *at == 0xeb || *at == 0xe9;
}

static const size_t instruction_count = sizeof instructions / sizeof *instructions;

/* What the next instruction does, or `instruction_count`. */
static size_t find(const unsigned char *at) {
    size_t i = 0;
    while (i < instruction_count &&
           memcmp(at, instructions[i].bytes, instructions[i].length) != 0) {
        i++;
    }
    return i;
}

/* `left`: of the instructions that are looked at, on all ways together. */
static bool is_used_from(const unsigned char *at, unsigned *left) {
    while (*left) {
        const unsigned char *target;
        size_t length = jump_length(at, &target);
        --*left;
        if (length) {
            if (!always_jumps(at) && is_used_from(at + length, left)) {
                return true;
            }
            at = target;
            continue;
        }
        size_t i = find(at);
        if (i == instruction_count) {
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

bool result_is_used(const void *return_address) {
    unsigned left = 64;
    return is_used_from(return_address, &left);
}

#else

bool result_is_used(const void *return_address) {
    (void)return_address;
    return true;
}

#endif
