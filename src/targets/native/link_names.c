#define _GNU_SOURCE
#include "targets/native/link_names.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "targets/native/link_flags.h"
#include "targets/native/sites.h"
#include "targets/native/thunks.h"
#include "targets/native/undetermined.h"
#include "targets/runtime/kernel/symbols.h"

/* Files of the linking step. */
typedef struct linking {
    FILE *names;   /* for objcopy: the new names */
    FILE *stubs;   /* C: functions that are part of the program */
    FILE *thunks;  /* assembly, between the program and functions that heddle does not control */
    FILE *command; /* for the linker: the rest of its command line */
} linking;

/* A function for every call that heddle does not control; it reports that when it is called. It
 * refers to the real one, so that linking fails where that does not exist: configure scripts ask
 * in this way which functions there are. */
static void write_stub(FILE *stubs, const char *name, bool exists) {
    fprintf(stubs,
            "void heddle_unsupported(const char *, const void *);\n"
            "void heddle_unsupported_%s(void) {\n"
            "    heddle_unsupported(\"%s\", __builtin_return_address(0));\n}\n",
            name, name);
    if (exists) {
        fprintf(stubs,
                "__asm__(\".pushsection .data.heddle_real,\\\"aw\\\"\\n\\t.quad "
                "%s\\n\\t.popsection\");\n",
                name);
    }
}

/* A name that a compiler or SV-COMP defines is in no library. */
static bool is_of_library(const char *name) {
    static const char *const others[] = {"GOMP_", "GOACC_", "omp_", "__kmpc_", "__VERIFIER_"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        if (text_starts(name, others[i])) {
            return false;
        }
    }
    return true;
}

static void write_forbidden(const linking *l, const object_symbol *s) {
    bool library = is_of_library(s->name);
    if (library && !s->needed && !dlsym(RTLD_DEFAULT, s->name)) {
        return; /* it stays null */
    }
    fprintf(l->names, "%s heddle_unsupported_%s\n", s->name, s->name);
    write_stub(l->stubs, s->name, library);
}

/* Found when the program is loaded, in heddle itself. */
static void write_imported(FILE *linker, const char *name) {
    bool ours = text_starts(name, "heddle_") || text_starts(name, "__tsan_") ||
                text_starts(name, "__VERIFIER_") || strcmp(name, "reach_error") == 0;
    if (ours && dlsym(RTLD_DEFAULT, name)) {
        fprintf(linker, "-Wl,--ignore-unresolved-symbol=%s\n", name);
    }
}

/* An undetermined value of which the program sees little; the program may define the function
 * itself. */
static bool write_undetermined(building *b, const linking *l, const char *name) {
    static const char *const replacements[][2] = {{UNDETERMINED_IDLE, "heddle_nondet_idle"},
                                                  {UNDETERMINED_TRUTH, "heddle_nondet_truth"},
                                                  {UNDETERMINED_AMONG, "heddle_nondet_among"}};
    for (size_t i = 0; i < sizeof replacements / sizeof *replacements; i++) {
        size_t length = strlen(replacements[i][0]);
        if (text_starts(name, replacements[i][0])) {
            const object_symbol *own = objects_find(&b->symbols, name + length);
            const char *ours = replacements[i][1];
            fprintf(l->thunks, "\t.text\n\t.globl %s\n%s:\tjmp *%s@GOTPCREL(%%rip)\n", name, name,
                    own && own->defined ? name + length : ours);
            write_imported(l->command, ours);
            return true;
        }
    }
    return false;
}

/* A symbol before this one is another name of the same function. */
static bool has_earlier_name(const building *b, const object_symbol *s, const char *replacement) {
    for (const object_symbol *other = b->symbols.items.items; other < s; other++) {
        const char *theirs = other->defined ? NULL : symbols_replacement(other->name);
        if (theirs && strcmp(theirs, replacement) == 0) {
            return true;
        }
    }
    return false;
}

/* objcopy gives a name to one symbol only: a second one (getc beside fgetc) jumps to it. */
static void write_replaced(const building *b, const linking *l, const object_symbol *s) {
    char ours[256];
    const char *replacement = symbols_replacement(s->name);
    snprintf(ours, sizeof ours, "heddle_%s", replacement);
    if (has_earlier_name(b, s, replacement)) {
        fprintf(l->names, "%s heddle_also_%s\n", s->name, s->name);
        fprintf(l->thunks,
                "\t.text\n\t.globl heddle_also_%s\nheddle_also_%s:\tjmp *%s@GOTPCREL(%%rip)\n",
                s->name, s->name, ours);
    } else {
        fprintf(l->names, "%s %s\n", s->name, ours);
    }
    write_imported(l->command, ours);
}

/* Part of the program, because what it keeps is the program's. */
static void write_program_code(const linking *l, const char *name) {
    const program_code *code = symbols_program_code(name);
    const char *helper;
    fprintf(l->names, "%s heddle_program_%s\n", name, name);
    fprintf(l->stubs, "#ifndef HEDDLE_%s\n#define HEDDLE_%s\n%s#endif\n", code->group, code->group,
            code->text);
    for (uint32_t i = 0; (helper = symbols_helper(i)); i++) {
        if (strstr(code->text, helper)) {
            write_imported(l->command, helper);
        }
    }
}

static void write_name(building *b, const linking *l, thunks *t, const object_symbol *s) {
    const char *name = s->name;
    if (write_undetermined(b, l, name)) {
        return;
    }
    switch (symbols_class(name)) {
        case SYMBOL_SUPPORTED: write_replaced(b, l, s); break;
        case SYMBOL_IN_PROGRAM: write_program_code(l, name); break;
        case SYMBOL_FORBIDDEN: write_forbidden(l, s); break;
        case SYMBOL_HARMLESS: write_imported(l->command, name); break;
        case SYMBOL_UNKNOWN:
            write_imported(l->command, name);
            thunks_add_unknown(t, s, link_flags_name_libraries(b->settings));
    }
}

static bool close_file(FILE *file) {
    bool good = file && !ferror(file);
    return (!file || fclose(file) == 0) && good;
}

static FILE *open_file(building *b, const char *name, char *path) {
    snprintf(path, NATIVE_PATH_SIZE, "%s/%s", b->directory, name);
    return fopen(path, "w");
}

static void write_stubs(building *b, bool executable, const linking *l) {
    thunks t = {.assembly = l->thunks, .linker = l->command};
    write_imported(l->command, "heddle_unsupported");
    write_imported(l->command, "heddle___tls_get_addr");
    for (uint32_t i = 0; i < b->symbols.items.count; i++) {
        const object_symbol *s = &vector_at(&b->symbols.items, i);
        if (!s->defined) {
            write_name(b, l, &t, s);
        }
    }
    for (uint32_t i = 0; i < b->objects.count; i++) {
        const program_object *o = vector_at(&b->objects, i);
        thunks_add_foreign(&t, o->path, o->input, &b->symbols);
    }
    link_flags_write(b->settings, l->command);
    if (ftell(l->thunks) > 0) {
        fputs("\t.section .note.GNU-stack,\"\",%progbits\n", l->thunks);
    }
    if (executable) {
        fputs("-Wl,-e,heddle_entry\n", l->command);
    }
}

bool link_names_write(building *b, bool executable, linking_paths *paths) {
    linking l = {open_file(b, "names", paths->names), open_file(b, "stubs.c", paths->stubs),
                 open_file(b, "thunks.s", paths->thunks), open_file(b, "link", paths->command)};
    bool good = l.names && l.stubs && l.thunks && l.command;
    if (good) {
        write_stubs(b, executable, &l);
        paths->has_stubs = ftell(l.stubs) > 0;
        paths->has_thunks = ftell(l.thunks) > 0;
    }
    good = close_file(l.names) && good;
    good = close_file(l.stubs) && good;
    good = close_file(l.thunks) && good;
    good = close_file(l.command) && good;
    return good || building_fail(b, "cannot write to %s: %s", b->directory, strerror(errno));
}
