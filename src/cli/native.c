#include "cli/native.h"

#include "cli/file.h"

static bool is_native(const char *file) {
    return has_suffix(file, ".c") || has_suffix(file, ".o") || has_suffix(file, ".a");
}

bool native_load(const subject *s, target **target, text *message) {
    *target = NULL;
    const char *file = s->files.items[0];
    if (is_native(file)) {
        text_format(message,
                    "%s: this build of heddle does not run C programs; it checks abstract programs "
                    "(.heddle files, --program)",
                    file);
    } else {
        text_format(message, "%s: unknown kind of file; heddle checks .heddle files", file);
    }
    return false;
}
