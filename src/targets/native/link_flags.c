#include "targets/native/link_flags.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "targets/native/compile.h"
#include "targets/native/native.h"

bool link_flags_stand_in(const char *flag) {
    return strcmp(flag, "-lheddle-actor") == 0;
}

/* The folder of the flag at this index, if it is -L. */
static const char *library_folder(const settings *o, uint32_t i) {
    const char *flag = vector_at(&o->flags, i);
    if (strncmp(flag, "-L", 2) != 0) {
        return NULL;
    }
    return flag[2] ? flag + 2 : i + 1 < o->flags.count ? vector_at(&o->flags, i + 1) : NULL;
}

bool link_flags_archive(const settings *o, const char *flag, char *path) {
    if (strncmp(flag, "-l", 2) != 0 || !flag[2]) {
        return false;
    }
    for (uint32_t i = 0; i < o->flags.count; i++) {
        const char *folder = library_folder(o, i);
        if (!folder) {
            continue;
        }
        snprintf(path, NATIVE_PATH_SIZE, "%s/lib%s.so", folder, flag + 2);
        if (access(path, R_OK) == 0) {
            return false;
        }
        snprintf(path, NATIVE_PATH_SIZE, "%s/lib%s.a", folder, flag + 2);
        if (access(path, R_OK) == 0) {
            return true;
        }
    }
    return false;
}

static void write_quoted(FILE *out, const char *text) {
    fputc('"', out);
    for (; *text; text++) {
        if (*text == '"' || *text == '\\') {
            fputc('\\', out);
        }
        fputc(*text, out);
    }
    fputs("\"\n", out);
}

void link_flags_write(const settings *o, FILE *out) {
    char path[NATIVE_PATH_SIZE];
    for (uint32_t i = 0; i < o->flags.count; i++) {
        bool two_words;
        bool wanted = compile_is_link_flag(vector_at(&o->flags, i), &two_words) &&
                      !link_flags_stand_in(vector_at(&o->flags, i)) &&
                      !link_flags_archive(o, vector_at(&o->flags, i), path);
        char *folder = library_folder(o, i) ? realpath(library_folder(o, i), NULL) : NULL;
        if (folder) {
            fputs("-Xlinker -rpath -Xlinker ", out);
            write_quoted(out, folder);
            free(folder);
        }
        for (uint32_t last = i + (two_words && i + 1 < o->flags.count); i <= last; i++) {
            if (wanted) {
                write_quoted(out, vector_at(&o->flags, i));
            }
        }
        i--;
    }
}

bool link_flags_name_libraries(const settings *o) {
    bool two_words;
    for (uint32_t i = 0; i < o->flags.count; i++) {
        if (compile_is_link_flag(vector_at(&o->flags, i), &two_words) &&
            strncmp(vector_at(&o->flags, i), "-L", 2) != 0) {
            return true;
        }
        i += two_words;
    }
    return false;
}
