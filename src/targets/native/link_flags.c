#include "targets/native/link_flags.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/path.h"
#include "base/text.h"
#include "targets/native/attachment.h"
#include "targets/native/compile.h"
#include "targets/native/link_state.h"
#include "targets/native/native.h"

bool link_flags_stand_in(const char *flag) {
    return strcmp(flag, "-lheddle-actor") == 0 || strcmp(flag, "-lheddle-check") == 0;
}

/* The directory of the flag at this index, if it is -L. */
static const char *library_directory(const settings *o, uint32_t i) {
    const char *flag = vector_at(&o->flags, i);
    if (!text_starts(flag, "-L")) {
        return NULL;
    }
    return flag[2] ? flag + 2 : i + 1 < o->flags.count ? vector_at(&o->flags, i + 1) : NULL;
}

/* "-lNAME", "-l NAME"; NULL for other flags. */
static const char *library_name(const settings *o, uint32_t i) {
    const char *name = text_after(vector_at(&o->flags, i), "-l");
    return name && !*name ? i + 1 < o->flags.count ? vector_at(&o->flags, i + 1) : NULL : name;
}

static link_switches switches_at(const settings *o, uint32_t index) {
    link_state state = {0};
    for (uint32_t i = 0; i < index; i++) {
        link_state_follow(&state, vector_at(&o->flags, i));
    }
    return state.now;
}

bool link_flags_find(const settings *o, uint32_t index, char *path, bool *whole) {
    static const char *const patterns[] = {"%s/lib%s.so", "%s/lib%s.a"};
    const char *name = library_name(o, index);
    link_switches switches = switches_at(o, index);
    *whole = switches.whole;
    for (uint32_t i = 0; i < o->flags.count && name; i++) {
        const char *directory = library_directory(o, i);
        for (uint32_t k = switches.archives; k < 2 && directory; k++) {
            const char *file = text_after(name, ":");
            snprintf(path, NATIVE_PATH_SIZE, file ? "%s/%s" : patterns[k], directory,
                     file ? file : name);
            if (access(path, R_OK) == 0) {
                return path_has_suffix(path, ".a") || attachment_is_there(path);
            }
        }
    }
    return false;
}

/* In quotes; `origin`, if there is one, in the place of $ORIGIN. */
static void write_quoted(FILE *out, const char *text, const char *origin) {
    static const char variable[] = "$ORIGIN";
    fputc('"', out);
    for (; *text; text++) {
        if (origin && text_starts(text, variable)) {
            fputs(origin, out);
            text += sizeof variable - 2;
            continue;
        }
        if (*text == '"' || *text == '\\') {
            fputc('\\', out);
        }
        fputc(*text, out);
    }
    fputs("\"\n", out);
}

/* `origin`: what the program is in, of which nothing is linked by itself; NULL: libraries whose
 * objects are known are left out. */
static void write_flags(const settings *o, const char *origin, FILE *out) {
    char path[NATIVE_PATH_SIZE];
    for (uint32_t i = 0; i < o->flags.count; i++) {
        bool two_words, whole;
        bool wanted = compile_is_link_flag(vector_at(&o->flags, i), &two_words) &&
                      !link_flags_stand_in(vector_at(&o->flags, i)) &&
                      (origin || !link_flags_find(o, i, path, &whole));
        char *directory = library_directory(o, i) ? realpath(library_directory(o, i), NULL) : NULL;
        if (directory) {
            fputs("-Xlinker -rpath -Xlinker ", out);
            write_quoted(out, directory, NULL);
            free(directory);
        }
        for (uint32_t last = i + (two_words && i + 1 < o->flags.count); i <= last; i++) {
            if (wanted) {
                write_quoted(out, vector_at(&o->flags, i), origin);
            }
        }
        i--;
    }
}

void link_flags_write(const settings *o, FILE *out) {
    write_flags(o, NULL, out);
}

void link_flags_write_all(const settings *o, const char *origin, FILE *out) {
    write_flags(o, origin, out);
}

bool link_flags_name_libraries(const settings *o) {
    bool two_words;
    for (uint32_t i = 0; i < o->flags.count; i++) {
        if (compile_is_link_flag(vector_at(&o->flags, i), &two_words) &&
            !text_starts(vector_at(&o->flags, i), "-L")) {
            return true;
        }
        i += two_words;
    }
    return false;
}
