/* Native programs: C, built by the system's compiler with its thread instrumentation and run as
 * fibers in this process.
 *
 *     native_program program;
 *     char message[NATIVE_MESSAGE_SIZE];
 *     if (native_build(&settings, &program, message)) {
 *         target *target = native_open(&program, &settings, message);
 *         …
 *         target->class->destroy(target);
 *     }
 *     native_remove(&program);
 *
 * The instrumented code calls back without an argument, so a process has one native target at a
 * time. The executable must export the runtime's functions to the object that is loaded: link with
 * -Wl,--dynamic-list=src/targets/runtime/kernel/exports.list. */
#ifndef HEDDLE_TARGETS_NATIVE_NATIVE_H
#define HEDDLE_TARGETS_NATIVE_NATIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/settings.h"

struct target;
struct program_error;

enum { NATIVE_MESSAGE_SIZE = 4096, NATIVE_PATH_SIZE = 512 };

typedef struct native_program {
    char directory[NATIVE_PATH_SIZE]; /* private; "" if there is none, or no longer */
    char path[NATIVE_PATH_SIZE];      /* the shared object */
} native_program;

/* Compiles and links into a directory that is there. False: `message` says why; the compiler has
 * printed its messages on standard error. */
bool native_build_in(const settings *, const char *directory, native_program *program,
                     char *message);

/* The same in a private directory. False: `message` says why; the compiler has printed its messages
 * on standard error. The directory is removed then, and after an interrupt. */
bool native_build(const settings *, native_program *program, char *message);

/* The same with the result in `output`: the linking half of `heddle cc`. `shared`: a shared
 * library. */
bool native_link(const settings *, bool shared, const char *output, char *message);

/* Removes the private directory. */
void native_remove(native_program *program);

/* Whether this file was linked by `heddle cc`, or is a libtool script for such a file. `found` has
 * room for NATIVE_PATH_SIZE bytes. */
bool native_find_program(const char *path, char *found);

/* Loads the program and makes a target of it; NULL with a message if that fails. The files are not
 * needed afterwards. */
struct target *native_open(native_program *program, const settings *, char *message);

/* Runs a few schedules twice each. False: two runs of the same schedule differed, and `message`
 * says where. Also finds most of the locals that threads share, so that an exploration need not
 * start over. */
bool native_check_determinism(struct target *target, char *message);

/* For native_check_determinism: an error before any step, found by comparing runs. The first one is
 * kept. */
void native_add_start_error(struct target *target, const struct program_error *);

/* Calls `warn` with what executions have reached so far that heddle does not cover, one sentence
 * for each kind: the verdict cannot be "verified" then. */
void native_uncovered(struct target *target, void (*warn)(void *context, const char *words),
                      void *context);

/* Steps that the process which shares that witness has taken. */
uint64_t native_steps_of(const void *witness);

/* The name of a thread in it; false if it has none, or knows no such thread. */
bool native_name_of(const void *witness, uint32_t thread, char *name, size_t size);

/* In a process that has the witness of one that died (witness_share): which thread of the program
 * ran last, and where in the program the operation stands that it was taking; `file` is NULL if
 * that is unknown. False: heddle itself ran, or that is unknown too. */
bool native_last_place(const char *path, char *thread, size_t size, const char **file,
                       uint32_t *line);
/* Calls `warn` for what the user should know though it is no error: memory that was lost, files
 * that were changed, addresses that are not fixed. */
void native_cautions(struct target *target, void (*warn)(void *context, const char *words),
                     void *context);

/* Calls `note` with a line for each environment variable, file and so on that the program has read
 * (base/inputs.h). */
void native_inputs(void (*note)(void *context, const char *line), void *context);

/* From a signal handler: the user wants to stop, and no step may take long from then on. */
void native_request_stop(void);

/* `heddle cc`: the arguments after "cc". Returns the exit status. */
int native_compiler_driver(int argc, char **argv);

/* In the process that starts others, before that: they will give the same numbers to the same
 * threads, whichever process encounters one first. False if there is no memory for it. */
bool native_share_threads(void);

/* In a process on another machine: `ask` has native_claim_thread called where numbers are shared.
 */
void native_share_threads_elsewhere(uint64_t (*ask)(uint32_t number, uint64_t origin));

/* Gives the number to the thread from `origin`, unless another thread already has it. False: there
 * is no such number. */
bool native_claim_thread(uint64_t number, uint64_t origin, uint64_t *owner);

/* Whether the program's output is let through (settings.echo), from now on; returns how it was. */
bool native_set_echo(bool);

/* Ends the program's output with a newline, if it does not end with one, and flushes it. */
void native_end_output(void);

/* Before the first run: the next number is for the thread of that name (as describe_thread gives
 * it), so that the numbers of a recorded schedule mean the same threads. */
bool native_expect_thread(const char *name);

/* Before the first run: bytes of a stack that are shared, as describe_shared gave them. */
bool native_expect_shared(const char *text);

#endif
