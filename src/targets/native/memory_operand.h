/* Operands in memory of the compiler's instructions, in AT&T syntax: "8+x(%rip)", "-24(%rbp)". */
#ifndef HEDDLE_TARGETS_NATIVE_MEMORY_OPERAND_H
#define HEDDLE_TARGETS_NATIVE_MEMORY_OPERAND_H

#include <stdbool.h>
#include <stdio.h>

enum { MEMORY_KEY_SIZE = 1024 };

typedef struct memory_operand {
    char key[MEMORY_KEY_SIZE]; /* "x(%rip)", "(%rbp)" */
    long displacement;         /* the number before it */
} memory_operand;

/* The last operand is the destination, if there are two. */
const char *memory_operand_last(const char *instruction);

/* The one at the beginning of the text. False: there is none, or it is not understood. */
bool memory_operand_parse(const char *text, memory_operand *);

/* The bytes that the last letter of an instruction stands for: 8 for 'q'. 0: it is no size. */
long memory_operand_letter_size(char letter);

/* The bytes that the instruction accesses of its operand in memory. 0: they are not known. */
long memory_operand_size(const char *instruction);

/* The instruction changes a register that the key mentions; if that is not clear, yes. */
bool memory_operand_changed(const char *instruction, const char *key);

/* Writes the operand, while so many bytes more are on the stack than where it was read. */
void memory_operand_write(const memory_operand *, long pushed, FILE *out);

/* Announces an access to so many bytes there by a function that keeps all registers
 * (targets/runtime/kernel/announce.c). */
void memory_operand_announce(const memory_operand *, long pushed, long size, const char *function,
                             FILE *out);

#endif
