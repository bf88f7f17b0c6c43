#define _GNU_SOURCE
#include "targets/native/thunks.h"

#include <dlfcn.h>
#include <link.h>
#include <string.h>

#include "targets/native/compile.h"
#include "targets/native/compiled.h"
#include "targets/native/sites.h"

enum { NAME_SIZE = 512 };

static void name_label(thunks *t, char *label, size_t size) {
    snprintf(label, size, ".Lheddle_thunk%u", t->count++);
}

/* `function`: its symbol; NULL if there is no way to tell that it is called. */
static void add_function(thunks *t, const char *function, const char *name) {
    char label[32], subject[NAME_SIZE];
    name_label(t, label, sizeof label);
    snprintf(subject, sizeof subject, "__real_%s", function ? function : "");
    bool thunk = function && sites_write_thunk(t->assembly, function, label);
    sites_write_record(t->assembly, &(site_text){.label = label,
                                                 .kind = SITE_FUNCTION,
                                                 .reached = !thunk,
                                                 .name = name,
                                                 .subject = thunk ? subject : NULL});
    if (thunk) {
        fprintf(t->linker, "-Wl,--wrap=%s\n", function);
    }
}

static void add_variable(thunks *t, const char *name, bool weak) {
    char label[32];
    name_label(t, label, sizeof label);
    if (weak) {
        fprintf(t->assembly, "\t.weak %s\n", name);
    }
    sites_write_record(
        t->assembly,
        &(site_text){.label = label, .kind = SITE_VARIABLE, .name = name, .subject = name});
}

/* In the libraries that heddle itself is linked with, above all libc. */
static bool is_known_symbol(const char *name, bool *function) {
    Dl_info info;
    const ElfW(Sym) *symbol = NULL;
    void *address = dlsym(RTLD_DEFAULT, name);
    if (!address || !dladdr1(address, &info, (void **)&symbol, RTLD_DL_SYMENT) || !symbol) {
        return false;
    }
    unsigned type = ELF64_ST_TYPE(symbol->st_info);
    *function = type == STT_FUNC || type == STT_GNU_IFUNC;
    return true;
}

void thunks_add_unknown(thunks *t, const object_symbol *s, bool libraries) {
    bool function = s->called;
    bool known = is_known_symbol(s->name, &function);
    if (!known && !libraries) {
        return; /* the linker will say that there is no such thing */
    }
    if ((function || s->called) && (known || s->needed)) { /* a thunk is never null */
        add_function(t, s->name, s->name);
    } else {
        add_variable(t, s->name, !s->needed);
    }
}

typedef struct visiting {
    thunks *thunks;
    const char *input;
    const object_symbols *symbols;
} visiting;

/* A table of functions is a way to code that no thunk watches; and main is called by heddle. */
static void visit(void *context, const foreign_symbol *f) {
    const visiting *v = context;
    object_symbol *s = objects_find(v->symbols, f->name);
    bool is_main = f->function && strcmp(f->name, "main") == 0;
    if (!s || s->watched || (!s->wanted && !is_main) || !(f->function || f->leads_to_code)) {
        return;
    }
    s->watched = true;
    char name[NAME_SIZE];
    snprintf(name, sizeof name, "%.200s of %.200s%s%.64s%s", f->name, v->input,
             *f->member ? "(" : "", f->member, *f->member ? ")" : "");
    add_function(v->thunks, f->function && !is_main ? f->name : NULL, name);
}

bool thunks_add_foreign(thunks *t, const char *path, const char *input,
                        const object_symbols *symbols) {
    visiting v = {t, input, symbols};
    return objects_visit_foreign(path, COMPILED_SECTION, visit, &v);
}
