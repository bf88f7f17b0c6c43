/* A statement of inline assembly whose accesses to memory are understood: loads and stores by mov,
 * exchanges, and read-modify-writes with the prefix lock, each with one operand in memory. Each is
 * announced before it happens, like an atomic access of C. Anything else that touches memory is not
 * understood; a read-modify-write without lock is two steps, which cannot be distinguished here. */
#ifndef HEDDLE_TARGETS_NATIVE_ASSEMBLY_H
#define HEDDLE_TARGETS_NATIVE_ASSEMBLY_H

#include <stdbool.h>
#include <stdio.h>

/* An instruction that orders all accesses before it with all after it. An instruction with the
 * prefix lock, which is announced, does so as well. */
bool assembly_is_fence(const char *instruction);
void assembly_write_fence(FILE *out);

/* The statement is the magic sequence of a client request of valgrind, which does nothing; the
 * runtime is notified of it before (sync/client_request.c). */
bool assembly_is_request(const char *statement);
void assembly_write_request(FILE *out);

/* A load by the thread pointer, "movq %fs:0, %rax", which all threads of heddle share: a load of
 * the thread's own word is written instead. False: it is not such a load, nothing is written. */
bool assembly_write_thread_pointer(const char *instruction, FILE *out);

/* Writes the statement with its announcements; false: it is not understood, nothing is written. */
bool assembly_announce(const char *statement, FILE *out);

#endif
