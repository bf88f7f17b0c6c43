#define _GNU_SOURCE
#include "targets/native/sites.h"

#include <dlfcn.h>
#include <link.h>
#include <string.h>

#include "base/text.h"
#include "base/vector.h"

enum { NAMES_SHOWN = 8, NAME_SIZE = 512 };

/* ---- for the assembler ---- */

static void write_string(FILE *out, const char *text) {
    fputs("\t.string \"", out);
    for (; *text; text++) {
        if (*text == '"' || *text == '\\') {
            fputc('\\', out);
        }
        fputc(*text == '\n' || *text == '\t' ? ' ' : *text, out);
    }
    fputs("\"\n", out);
}

void sites_write_record(FILE *out, const site_text *s) {
    fputs("\t.section .rodata.heddle,\"a\",%progbits\n", out);
    fprintf(out, "%s_name:\n", s->label);
    write_string(out, s->name);
    if (s->place) {
        fprintf(out, "%s_place:\n", s->label);
        write_string(out, s->place);
    }
    fputs("\t.section " SITES_SECTION ",\"aw\",%progbits\n\t.balign 8\n", out);
    fprintf(out, "%s:\n\t.quad %d, %d, %s_name", s->label, s->reached ? SITE_MARKED : 0, s->kind,
            s->label);
    fprintf(out, s->place ? ", %s_place" : ", 0", s->label);
    fprintf(out, ", %s\n", s->subject ? s->subject : "0");
}

#ifdef __x86_64__

bool sites_write_mark(FILE *out, const char *label, bool intel_syntax) {
    fprintf(out, "%s\tmovb $%d, %s(%%rip)\n%s", intel_syntax ? "\t.att_syntax prefix\n" : "",
            SITE_MARKED, label, intel_syntax ? "\t.intel_syntax noprefix\n" : "");
    return true;
}

bool sites_write_thunk(FILE *out, const char *function, const char *label) {
    fprintf(out,
            "\t.text\n\t.globl __wrap_%s\n\t.type __wrap_%s, @function\n__wrap_%s:\n"
            "\t.cfi_startproc\n"
            "\tendbr64\n"
            "\tcmpq $0, %s(%%rip)\n"
            "\tjne 1f\n"
            "\tmovq (%%rsp), %%r11\n"
            "\tmovq %%r11, %s(%%rip)\n"
            "1:\tjmp *__real_%s@GOTPCREL(%%rip)\n"
            "\t.cfi_endproc\n"
            "\t.size __wrap_%s, .-__wrap_%s\n",
            function, function, function, label, label, function, function, function);
    return true;
}

#else

bool sites_write_mark(FILE *out, const char *label, bool intel_syntax) {
    (void)out, (void)label, (void)intel_syntax;
    return false;
}

bool sites_write_thunk(FILE *out, const char *function, const char *label) {
    (void)out, (void)function, (void)label;
    return false;
}

#endif

/* ---- warnings ---- */

static const struct {
    const char *one, *many;
} words[SITE_KIND_COUNT] = {
    [SITE_FUNCTION] = {"function that heddle does not control was called",
                       "functions that heddle does not control were called"},
    [SITE_VARIABLE] = {"variable of a library, which heddle does not restore, was accessed",
                       "variables of libraries, which heddle does not restore, were accessed"},
    [SITE_ASSEMBLY] = {"piece of inline assembly that heddle does not understand was reached",
                       "pieces of inline assembly that heddle does not understand were reached"},
    [SITE_BY_VALUE] = {"struct passed or returned by value was accessed without instrumentation",
                       "structs passed or returned by value were accessed without instrumentation"},
    [SITE_BUILTIN] = {"builtin of constant size was reached",
                      "builtins of constant size were reached"},
    [SITE_MACHINE] = {"builtin of the machine whose accesses are not understood was reached",
                      "builtins of the machine whose accesses are not understood were reached"},
    [SITE_NESTED] =
        {"pointer to a nested function, whose accesses are not instrumented, was taken",
         "pointers to nested functions, whose accesses are not instrumented, were taken"},
    [SITE_NOT_ATOMIC] = {"function is not atomic although its name says so",
                         "functions are not atomic although their names say so"},
};

typedef VECTOR(char) characters;

static void append(characters *text, const char *more) {
    for (; *more; more++) {
        vector_push(text, *more);
    }
}

/* "libfoo.so", of which the function is; "" if that says nothing. */
static void library_of(const site *s, char *name, size_t size) {
    Dl_info own, other;
    name[0] = '\0';
    if (s->kind != SITE_FUNCTION || !s->subject || !dladdr(s, &own) ||
        !dladdr(s->subject, &other) || own.dli_fbase == other.dli_fbase) {
        return;
    }
    const char *slash = strrchr(other.dli_fname, '/');
    const char *file = slash ? slash + 1 : other.dli_fname;
    if (!text_starts(file, "libc.so") && !text_starts(file, "libm.so")) {
        snprintf(name, size, " of %s", file);
    }
}

/* A name where a variable was expected may be that of a function. */
static bool is_mistaken(const site *s) {
    Dl_info info;
    const ElfW(Sym) *symbol = NULL;
    return s->kind == SITE_BY_VALUE && s->subject &&
           dladdr1(s->subject, &info, (void **)&symbol, RTLD_DL_SYMENT) && symbol &&
           ELF64_ST_TYPE(symbol->st_info) == STT_FUNC;
}

bool sites_variable_size(site *s, size_t *size) {
    Dl_info info;
    const ElfW(Sym) *symbol = NULL;
    if (!s->subject) {
        return false; /* a weak reference to nothing */
    }
    if (!dladdr1(s->subject, &info, (void **)&symbol, RTLD_DL_SYMENT) || !symbol ||
        !symbol->st_size || ELF64_ST_TYPE(symbol->st_info) == STT_FUNC) {
        s->reached = s->reached ? s->reached : SITE_MARKED;
        return false;
    }
    *size = symbol->st_size;
    return true;
}

static void append_site(characters *text, const site *s, sites_place_of *place_of, void *context) {
    char place[NAME_SIZE] = "", library[NAME_SIZE];
    if (s->place) {
        snprintf(place, sizeof place, "%s", s->place);
    } else if (s->reached != SITE_MARKED) {
        place_of(context, s->reached, place, sizeof place);
    }
    library_of(s, library, sizeof library);
    append(text, s->name);
    append(text, library);
    if (place[0]) {
        append(text, " (");
        append(text, place);
        append(text, ")");
    }
}

static void warn_kind(const site *first, const site *end, enum site_kind kind,
                      sites_place_of *place_of, void (*warn)(void *, const char *), void *context) {
    characters names = {0}, text = {0};
    char number[64];
    uint32_t count = 0;
    for (const site *s = first; s < end; s++) {
        if (s->reached && s->kind == kind && !is_mistaken(s) && ++count <= NAMES_SHOWN) {
            append(&names, count > 1 ? ", " : "");
            append_site(&names, s, place_of, context);
        }
    }
    if (count > NAMES_SHOWN) {
        snprintf(number, sizeof number, ", and %u more", count - NAMES_SHOWN);
        append(&names, number);
    }
    if (count) {
        vector_push(&names, '\0');
        snprintf(number, sizeof number, "%u ", count);
        append(&text, number);
        append(&text, count == 1 ? words[kind].one : words[kind].many);
        append(&text, ": ");
        append(&text, names.items);
        vector_push(&text, '\0');
        warn(context, text.items);
    }
    vector_free(&names);
    vector_free(&text);
}

void sites_warn(const site *first, const site *end, sites_place_of *place_of,
                void (*warn)(void *, const char *), void *context) {
    for (enum site_kind kind = 0; kind < SITE_KIND_COUNT; kind++) {
        warn_kind(first, end, kind, place_of, warn, context);
    }
}
