/* What there is to measure: the table bench/run.rows. */
#ifndef HEDDLE_BENCH_ROWS_H
#define HEDDLE_BENCH_ROWS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "base/vector.h"

enum row_kind { ROW_ABSTRACT, ROW_NATIVE, ROW_KIND_COUNT };

const char *row_kind_word(enum row_kind);

typedef struct row {
    const char *name;
    text files[ROW_KIND_COUNT];       /* "" if there is none */
    VECTOR(const char *) definitions; /* "N=13" */
    uint64_t traces;
    const char *counts; /* "traces observers:N context:N …": what these algorithms explore */
    bool large;
} row;

typedef struct row_table {
    text contents; /* strings point into it */
    VECTOR(row) rows;
} row_table;

/* False: `message` says what is wrong. */
bool rows_read(row_table *, const char *file, text *message);
void rows_free(row_table *);

/* "lastzero(13)" is named by itself and by "lastzero". */
bool row_is_named(const row *, const char *name);

/* What is wrong with a count of that algorithm, or NULL. */
const char *row_complaint(const row *, const char *algorithm, uint64_t executions,
                          uint64_t blocked);

#endif
