/* Native programs: C, built by the system's compiler with its thread instrumentation and run as
 * fibers in this process.
 *
 *     native_program program;
 *     char message[NATIVE_MESSAGE_SIZE];
 *     if (native_build(&options, &program, message)) {
 *         target *target = native_open(&program, &options, message);
 *         …
 *         target->class->destroy(target);
 *     }
 *     native_remove(&program);
 *
 * The instrumented code calls back without an argument, so a process has one native target at a
 * time. The executable must export the runtime's functions to the object that is loaded: link with
 * -Wl,--dynamic-list=src/runtime/exports.list. */
#ifndef HEDDLE_NATIVE_NATIVE_H
#define HEDDLE_NATIVE_NATIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct target;

enum { NATIVE_MESSAGE_SIZE = 4096, NATIVE_PATH_SIZE = 512 };

enum native_level {
    NATIVE_O0,          /* the reference */
    NATIVE_FAITHFUL_O1, /* -O1 without what merges or removes accesses to memory */
};

typedef struct native_options {
    /* The build. */
    const char *compiler; /* NULL: gcc */
    enum native_level level;
    const char *const *inputs; /* sources, objects, archives; or one thing that was linked before */
    uint32_t input_count;
    const char *const *flags; /* as given: -D -I -L -l … */
    uint32_t flag_count;
    bool keep_files; /* for a debugger: native_remove removes them, not native_open */

    /* The run. */
    const char *const *arguments; /* of the program, without its name */
    uint32_t argument_count;
    bool no_race_check;
    bool exit_status;     /* ending with a status other than 0 is an error */
    bool echo;            /* let the program's output through */
    uint32_t watchdog_ms; /* for one step; 0: the default */
} native_options;

typedef struct native_program {
    char folder[NATIVE_PATH_SIZE]; /* private; "" if there is none (any more) */
    char path[NATIVE_PATH_SIZE];   /* the shared object */
    /* What is not under control, and so not covered: "a at f.c:3, b"; or "". */
    char warnings[NATIVE_MESSAGE_SIZE];
} native_program;

/* Compiles and links into a private folder. False: `message` says why; the compiler has said its
 * part on the standard error output. The folder is removed then, and after an interrupt. */
bool native_build(const native_options *options, native_program *program, char *message);

/* The same with the result in `output`: the linking half of `heddle cc`. */
bool native_link(const native_options *options, const char *output, char *message);

/* Removes the private folder. */
void native_remove(native_program *program);

/* Whether this file is what `heddle cc` links. */
bool native_is_program(const char *path);

/* Loads the program and makes a target of it, or NULL with a message. The files are not needed
 * any more afterwards. */
struct target *native_open(native_program *program, const native_options *options, char *message);

/* Runs a few schedules twice each. False: two runs of the same schedule differed, and `message`
 * says where. Also finds most of the locals that threads share, so that an exploration need not
 * start over. */
bool native_check_determinism(struct target *target, char *message);

/* Since the last call something turned out to be shared between threads that the target had taken
 * for private: what was explored so far is worthless, and the exploration has to start over. */
bool native_stale(struct target *target);

/* A function of the program of which not all results were tried, or NULL. */
const char *native_sampled(struct target *target);

/* From a signal handler: the user wants an end, and no step may take long any more. */
void native_hurry(void);

/* `heddle cc`: the arguments behind "cc". Returns the exit status. */
int native_compiler_driver(int argc, char **argv);

/* Before the first run: the next number is for the thread of that name (as describe_thread gives
 * it), so that the numbers of a recorded schedule mean the same threads. */
bool native_expect_thread(const char *name);

/* Before the first run: bytes of a stack that are shared, as describe_shared gave them. */
bool native_expect_shared(const char *text);

#endif
