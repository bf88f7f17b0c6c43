/* What runs before main and when the program ends: constructors; functions given to atexit and its
 * relatives, latest first; destructors. They are code of the thread that starts or ends the
 * program, and their steps are its steps. */
#ifndef HEDDLE_TARGETS_RUNTIME_KERNEL_EXIT_H
#define HEDDLE_TARGETS_RUNTIME_KERNEL_EXIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { EXIT_MAX_FUNCTIONS = 64 };

typedef struct exit_function {
    void (*plain)(void);
    void (*with_status)(int, void *); /* instead */
    void *argument;
} exit_function;

typedef struct exit_functions {
    uint32_t count;
    exit_function items[EXIT_MAX_FUNCTIONS];
} exit_functions;

typedef struct exit_list {
    exit_functions usual, quick;
} exit_list;

/* Arrays of function pointers, in the loaded program. */
void exit_set_constructors(uintptr_t functions, size_t size);
void exit_set_destructors(uintptr_t functions, size_t size);

/* The function in this entry, which compilers add to every program, does nothing that the program
 * could see. */
void exit_ignore_destructor(uintptr_t entry);

void exit_run_constructors(int argc, char **argv, char **environment);

/* There are functions to be called, or there may be some before the end. */
bool exit_does_something(void);

/* The program ends with this status: by exit, or by quick_exit. */
void exit_run(int status, const void *return_address);
void exit_run_quick(int status, const void *return_address);

#endif
