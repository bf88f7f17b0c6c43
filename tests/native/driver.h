/* What the drivers of native programs share: the options that are the program's, and building it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/vector.h"
#include "explore/target.h"
#include "targets/native/native.h"

/* Argument i, which is no option of the driver's own. True: it ends the list, after "--". */
static inline bool driver_takes_rest(settings *options, int argc, char **argv, int i) {
    if (strcmp(argv[i], "--no-race") == 0) {
        options->no_race_check = true;
    } else if (strcmp(argv[i], "--faithful") == 0) {
        options->optimize = true;
    } else if (strncmp(argv[i], "--cc=", 5) == 0) {
        options->compiler = argv[i] + 5;
    } else if (strncmp(argv[i], "--hang=", 7) == 0) {
        options->watchdog_ms = (uint32_t)atoi(argv[i] + 7);
    } else if (strcmp(argv[i], "--") == 0) {
        options->arguments = (string_list){.items = (const char **)&argv[i + 1],
                                           .count = (uint32_t)(argc - i - 1)};
        return true;
    } else if (argv[i][0] == '-') {
        vector_push(&options->flags, argv[i]);
    } else {
        vector_push(&options->files, argv[i]);
    }
    return false;
}

static inline void driver_fail(const char *message) {
    fprintf(stderr, "%s\n", message);
    exit(2);
}

/* These end the process with a message if the program cannot be built or loaded. */
static inline native_program driver_build(const settings *options) {
    native_program program;
    char message[NATIVE_MESSAGE_SIZE];
    if (!native_build(options, &program, message)) {
        driver_fail(message);
    }
    return program;
}

static inline target *driver_load(const native_program *program, const settings *options) {
    char message[NATIVE_MESSAGE_SIZE];
    native_program loaded = {0}; /* without the directory, which is not removed with it */
    memcpy(loaded.path, program->path, sizeof loaded.path);
    target *t = native_open(&loaded, options, message);
    if (!t) {
        driver_fail(message);
    }
    return t;
}
