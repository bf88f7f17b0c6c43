#define _GNU_SOURCE
#include "targets/runtime/kernel/entry.h"

#include <string.h>
#include <unistd.h>

#include "targets/runtime/kernel/exit.h"
#include "targets/runtime/kernel/stack.h"

/* ---- arguments of main ---- */

static size_t arguments_size(void) {
    size_t size = ((size_t)runtime.argc + 1) * sizeof(char *);
    for (int i = 0; i < runtime.argc; i++) {
        size += strlen(runtime.argv[i]) + 1;
    }
    return size;
}

static void copy_arguments(runtime_thread *t, uintptr_t place) {
    char **copies = (char **)place;
    char *text = (char *)(copies + runtime.argc + 1);
    for (int i = 0; i < runtime.argc; i++) {
        size_t length = strlen(runtime.argv[i]) + 1;
        copies[i] = memcpy(text, runtime.argv[i], length);
        text += length;
    }
    copies[runtime.argc] = NULL;
    CHECK((uintptr_t)text == place + arguments_size());
    t->argument = copies;
}

/* ---- the argument of a function, below them ---- */

enum { ALIGNMENT = 16 };

static size_t argument_size(void) {
    const char *digits = runtime.settings.argument;
    return digits ? (strlen(digits) / 2 + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT : 0;
}

static unsigned value_of(char digit) {
    return (unsigned)(digit <= '9' ? digit - '0' : (digit | 32) - 'a' + 10);
}

static void decode_argument(uintptr_t place) {
    unsigned char *byte = (unsigned char *)place;
    for (const char *digits = runtime.settings.argument; digits && *digits; digits += 2) {
        CHECK(digits[1]); /* the parser of the option wants pairs */
        *byte++ = (unsigned char)(value_of(digits[0]) << 4 | value_of(digits[1]));
    }
}

/* ---- both ---- */

size_t entry_size(void) {
    return argument_size() + arguments_size();
}

void entry_place(runtime_thread *t) {
    CHECK(stack_above(t) + entry_size() <= t->own_low + t->own_size);
    decode_argument(stack_above(t));
    copy_arguments(t, stack_above(t) + argument_size());
}

int entry_call(const runtime_thread *t) {
    exit_run_constructors(runtime.argc, t->argument, environ);
    if (!runtime.settings.function) {
        return runtime.main(runtime.argc, t->argument, environ);
    }
    void (*function)(void *);
    memcpy(&function, &runtime.main, sizeof function);
    function(runtime.settings.argument ? (void *)stack_above(t) : NULL);
    return 0;
}
