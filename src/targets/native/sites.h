/* Sites: the places of a program where it does what heddle does not cover: it calls a function that
 * heddle does not control, or runs inline assembly that heddle does not understand. The verdict
 * depends only on those that executions have reached.
 *
 * A site is a record in a section of the program that is not restored between executions. Reaching
 * it writes into the record with one instruction (before inline assembly) or three (in a thunk that
 * stands between a call and the function): no register and no flag changes that the program could
 * notice. Rejected: a call of the runtime, which would have to save all registers. */
#ifndef HEDDLE_TARGETS_NATIVE_SITES_H
#define HEDDLE_TARGETS_NATIVE_SITES_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum site_kind {
    SITE_FUNCTION,   /* a function of which heddle knows nothing, or that it did not compile */
    SITE_VARIABLE,   /* a variable of a library */
    SITE_ASSEMBLY,   /* inline assembly */
    SITE_BY_VALUE,   /* a struct in memory is passed to or returned from a function */
    SITE_BUILTIN,    /* a string function that the compiler expanded in place */
    SITE_MACHINE,    /* a builtin of the machine that gets a pointer */
    SITE_NESTED,     /* a pointer to a nested function is made */
    SITE_NOT_ATOMIC, /* a function that should run as one step by its name */
    SITE_KIND_COUNT,
};

/* As the assembler lays it out. */
typedef struct site {
    uintptr_t reached; /* 0: not yet; SITE_MARKED; or the address to which a call returns */
    uintptr_t kind;
    const char *name;
    const char *place;   /* "file.c:12"; NULL: see `reached` */
    const void *subject; /* the function itself, or the variable; NULL: unknown */
} site;

enum { SITE_MARKED = 1 };

/* The symbols of the program that bound its sites, and where they are if it has any. */
#define SITES_SECTION "heddle_sites"
#define SITES_BOUNDS  "heddle_program_sites"

/* For the assembler: the record at `label`. `subject` is a symbol, or NULL. */
typedef struct site_text {
    const char *label;
    enum site_kind kind;
    bool reached; /* there is no way to tell: it counts in any case */
    const char *name, *place, *subject;
} site_text;

void sites_write_record(FILE *out, const site_text *);

/* An instruction that marks the site. False: this machine has none, and the record must say
 * `reached`. */
bool sites_write_mark(FILE *out, const char *label, bool intel_syntax);

/* A function that marks the site and continues to the real one (the linker's --wrap). */
bool sites_write_thunk(FILE *out, const char *function, const char *label);

/* The size of a variable of a library; false if it is not known, and then it counts as
 * reached, or if there is none. */
bool sites_variable_size(site *, size_t *size);

/* The words of a warning for each kind of site that was reached: "2 functions that …: a (x.c:3),
 * b". `place_of` writes the place that an address returns to, or "". */
typedef void sites_place_of(void *context, uintptr_t return_address, char *place, size_t size);
void sites_warn(const site *first, const site *end, sites_place_of *place_of,
                void (*warn)(void *context, const char *words), void *context);

#endif
