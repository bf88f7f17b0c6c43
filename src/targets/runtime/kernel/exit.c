#include "targets/runtime/kernel/exit.h"

#include "targets/runtime/kernel/ranges.h"
#include "targets/runtime/kernel/symbols.h"
#include "targets/runtime/memory/hidden.h"

typedef void constructor(int, char **, char **);
typedef void destructor(void);

static struct {
    constructor *const *constructors;
    destructor *const *destructors;
    size_t constructor_count, destructor_count;
    uintptr_t ignored; /* an entry of the destructors */
} outer;

void exit_set_constructors(uintptr_t functions, size_t size) {
    outer.constructors = (constructor *const *)functions;
    CHECK(size % sizeof *outer.constructors == 0);
    outer.constructor_count = size / sizeof *outer.constructors;
}

void exit_set_destructors(uintptr_t functions, size_t size) {
    outer.destructors = (destructor *const *)functions;
    CHECK(size % sizeof *outer.destructors == 0);
    outer.destructor_count = size / sizeof *outer.destructors;
}

void exit_run_constructors(int argc, char **argv, char **environment) {
    for (size_t i = 0; i < outer.constructor_count; i++) {
        outer.constructors[i](argc, argv, environment);
    }
}

static exit_list *list(void) {
    return hidden_data(HIDDEN_EXIT);
}

static int add(exit_functions *functions, exit_function f, const void *here) {
    hidden_change(HIDDEN_EXIT, here);
    if (functions->count == EXIT_MAX_FUNCTIONS) {
        heddle_unsupported("more than 64 functions to be called at the exit", here);
    }
    functions->items[functions->count++] = f;
    return 0;
}

static bool take(exit_functions *functions, exit_function *f, const void *here) {
    hidden_change(HIDDEN_EXIT, here);
    CHECK(functions->count <= EXIT_MAX_FUNCTIONS);
    if (functions->count) {
        *f = functions->items[--functions->count];
        return true;
    }
    return false;
}

static void run(exit_functions *functions, int status, const void *here) {
    exit_function f;
    while (hidden_changes(HIDDEN_EXIT) && take(functions, &f, here)) {
        if (f.plain) {
            f.plain();
        } else {
            f.with_status(status, f.argument);
        }
    }
}

void exit_ignore_destructor(uintptr_t entry) {
    outer.ignored = entry;
}

static bool is_ignored(size_t destructor) {
    return (uintptr_t)&outer.destructors[destructor] == outer.ignored;
}

bool exit_does_something(void) {
    for (size_t i = 0; i < outer.destructor_count; i++) {
        if (!is_ignored(i)) {
            return true;
        }
    }
    return hidden_changes(HIDDEN_EXIT);
}

void exit_run(int status, const void *return_address) {
    run(&list()->usual, status, return_address);
    for (size_t i = outer.destructor_count; i-- > 0;) {
        if (!is_ignored(i)) {
            outer.destructors[i]();
        }
    }
}

void exit_run_quick(int status, const void *return_address) {
    run(&list()->quick, status, return_address);
}

int heddle_atexit(void (*function)(void)) {
    return add(&list()->usual, (exit_function){.plain = function}, HERE);
}

int heddle_on_exit(void (*function)(int, void *), void *argument) {
    return add(&list()->usual, (exit_function){.with_status = function, .argument = argument},
               HERE);
}

int heddle_at_quick_exit(void (*function)(void)) {
    return add(&list()->quick, (exit_function){.plain = function}, HERE);
}

/* There is no fork. */
int heddle_pthread_atfork(void (*before)(void), void (*parent)(void), void (*child)(void)) {
    (void)before, (void)parent, (void)child;
    return 0;
}
