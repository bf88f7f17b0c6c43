#include "runtime/expect.h"

#include <string.h>

#include "runtime/hidden.h"

enum { CLOCK = HIDDEN_PART_COUNT };

static const struct {
    const char *name;
    int part;
} functions[] = {
    {"time", CLOCK},
    {"clock", CLOCK},
    {"clock_gettime", CLOCK},
    {"timespec_get", CLOCK},
    {"gettimeofday", CLOCK},
    {"times", CLOCK},
    {"getrusage", CLOCK},
    {"atexit", HIDDEN_EXIT},
    {"on_exit", HIDDEN_EXIT},
    {"at_quick_exit", HIDDEN_EXIT},
    {"signal", HIDDEN_SIGNALS},
    {"sigaction", HIDDEN_SIGNALS},
    {"setenv", HIDDEN_ENVIRONMENT},
    {"putenv", HIDDEN_ENVIRONMENT},
    {"unsetenv", HIDDEN_ENVIRONMENT},
    {"clearenv", HIDDEN_ENVIRONMENT},
};

void expect_clock(void) {
    runtime.timed = runtime.exact = true;
}

void expect_function(const char *name) {
    if (strncmp(name, "heddle_", 7) != 0) {
        return;
    }
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        if (strcmp(functions[i].name, name + 7) == 0) {
            if (functions[i].part == CLOCK) {
                expect_clock();
            } else {
                hidden_expect((enum hidden_part)functions[i].part);
            }
        }
    }
}
