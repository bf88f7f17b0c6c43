#include "cli/compiler.h"

#include <string.h>

#include "targets/native/compile.h"

/* Flags that make a compiler or linker load or run something else, or that may hide such flags. */
static bool runs_others(const char *flag) {
    static const char *const beginnings[] = {"-fplugin", "-wrapper", "-specs", "--specs", "-B",
                                             "-Wl,",     "-Wa,",     "-Wp,",   "-X",      "@"};
    return flag[0] != '-' ||
           text_starts_with_any(flag, beginnings, sizeof beginnings / sizeof *beginnings);
}

/* A command that a file names is run only if the user names it too. */
bool compiler_is_allowed(const settings *wanted, const settings *recorded, const char *file,
                         text *message) {
    const char *compiler = recorded->compiler ? recorded->compiler : COMPILE_DEFAULT;
    if (wanted->compiler && strcmp(wanted->compiler, compiler) == 0) {
        return true;
    }
    if (strcmp(compiler, COMPILE_DEFAULT) != 0) {
        text_format(message, "the %s was made with another compiler; to run it, repeat: --cc='%s'",
                    file, compiler);
        return false;
    }
    for (uint32_t i = 0; i < recorded->flags.count; i++) {
        if (runs_others(vector_at(&recorded->flags, i))) {
            text_format(message,
                        "the %s passes %s to the compiler, which may run other commands; to "
                        "allow that: --cc=%s",
                        file, vector_at(&recorded->flags, i), compiler);
            return false;
        }
    }
    return true;
}
