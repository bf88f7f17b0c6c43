/* The figures, as a table on the screen and as JSON. */
#ifndef HEDDLE_BENCH_TABLE_H
#define HEDDLE_BENCH_TABLE_H

#include "bench/measure.h"
#include "bench/peers.h"
#include "bench/rows.h"
#include "report/writers/json.h"

/* One line of it. */
typedef struct line {
    const row *row;
    enum row_kind kind;
    const char *algorithm; /* that was asked for */
    enum child_end end;
    figures figures;
    peer_figures peers[PEER_COUNT];
    double native_us;      /* of an execution without heddle; 0: not measured */
    const char *complaint; /* what is wrong, or NULL */
} line;

typedef struct table {
    bool floor;
    bool context;           /* other columns: what context-sensitive algorithms are judged by */
    bool shapes;            /* more columns: the native run, and the share of the program */
    bool peers[PEER_COUNT]; /* those that have columns */
    json_writer *json;      /* or NULL */
} table;

void table_begin(const table *);
void table_add(const table *, const line *);

/* What a step and a replay cost. */
void table_add_raw(const table *, const char *name, enum row_kind, const raw_figures *);
void table_begin_raw(void);

#endif
