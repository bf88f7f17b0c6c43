/* The names of a *.heddle program and what they stand for.
 *
 * Scopes nest like blocks: what a block declared is dropped at its end by truncating the table. A
 * name that is visible cannot be declared again, so that no name ever hides another. The table is
 * searched from its end; programs have few names. */
#ifndef HEDDLE_TARGETS_ABSTRACT_SYMBOL_H
#define HEDDLE_TARGETS_ABSTRACT_SYMBOL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vector.h"
#include "targets/abstract/lexer.h"

enum symbol_kind {
    SYMBOL_PARAMETER, /* value */
    SYMBOL_INDEX,     /* value: the number of a copy of a replicated thread */
    SYMBOL_LOCAL,     /* first: register */
    SYMBOL_VARIABLE,  /* first, count, array */
    SYMBOL_MUTEX,
    SYMBOL_CONDITION,
    SYMBOL_SEMAPHORE, /* these four: value is what they begin with */
    SYMBOL_RWLOCK,
    SYMBOL_BARRIER,
    SYMBOL_ONCE,
    SYMBOL_THREAD, /* first, count; array: replicated, from value on; starts */
};

typedef struct symbol {
    enum symbol_kind kind;
    const token *name;
    int64_t value;
    uint32_t first, count;
    bool array;
    bool starts;
    bool plain;         /* of a variable */
    const token *index; /* of a replicated thread: the name of its index */
    const token *body;  /* of a thread: its '{' */
} symbol;

typedef VECTOR(symbol) symbol_table;

/* "a shared variable", "a mutex", … */
const char *symbol_kind_words(enum symbol_kind);

/* The symbol of that name, or NULL. Good until the table grows. */
symbol *symbol_find(const symbol_table *, const token *name);

#endif
