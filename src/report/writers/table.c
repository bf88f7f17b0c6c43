#include "report/writers/table.h"

#include <string.h>

#include "report/writers/abbreviation.h"

#define WIDEST_TABLE 110 /* columns of the screen, without the source */
#define SOURCE_WIDTH 60
#define COLUMN_GAP   2

typedef struct column {
    bool used; /* the thread takes a step */
    uint32_t width;
    text name;
} column;

typedef struct table {
    const finding *finding;
    source *source;
    const style *style;
    FILE *out;
    row_list rows;
    VECTOR(column) columns; /* by thread */
    VECTOR(text) cells;     /* by row; empty for rows that are not shown */
    bool narrow;            /* one column for all threads */
    uint32_t name_width;
    uint32_t cell_width;
    uint32_t blanks; /* owed to the line before its next character: none at its end */
} table;

/* ---- measuring ---- */

static uint32_t larger(uint32_t a, uint32_t b) {
    return a > b ? a : b;
}

static void measure_cell(table *t, const row *r) {
    text cell = {0};
    if (r->shown) {
        text_append(&cell,
                    finding_text(t->finding, vector_at(&t->finding->steps, r->first).description));
        column *c = &vector_at(&t->columns, vector_at(&t->finding->steps, r->first).step.thread);
        if (!c->used) {
            c->used = true;
            c->width = text_columns(text_string(&c->name));
        }
        uint32_t width = text_columns(text_string(&cell));
        c->width = larger(c->width, width);
        t->cell_width = larger(t->cell_width, width);
        t->name_width = larger(t->name_width, text_columns(text_string(&c->name)));
    }
    vector_push(&t->cells, cell);
}

static void measure(table *t) {
    for (uint32_t i = 0; i < t->finding->threads.count; i++) {
        column c = {0};
        text_append(&c.name, finding_thread(t->finding, i));
        vector_push(&t->columns, c);
    }
    for (uint32_t i = 0; i < t->rows.count; i++) {
        measure_cell(t, &vector_at(&t->rows, i));
    }
    uint32_t total = 0;
    for (uint32_t i = 0; i < t->columns.count; i++) {
        const column *c = &vector_at(&t->columns, i);
        total += c->used ? c->width + COLUMN_GAP : 0;
    }
    t->narrow = total > WIDEST_TABLE;
}

/* ---- printing ---- */

/* A field of that width; the blanks after it are printed when something follows. */
static void put(table *t, const char *string, uint32_t width) {
    uint32_t columns = text_columns(string);
    if (columns) {
        fprintf(t->out, "%*s%s", (int)t->blanks, "", string);
        t->blanks = 0;
    }
    t->blanks += width > columns ? width - columns : 0;
}

static void end_line(table *t) {
    t->blanks = 0;
    fputc('\n', t->out);
}

static void print_header(table *t) {
    style_begin(t->style, EMPHASIS_STRONG, t->out);
    fputs("   step  ", t->out);
    if (t->narrow) {
        put(t, "thread", larger(t->name_width, 6) + COLUMN_GAP);
        put(t, "operation", larger(t->cell_width, 9) + COLUMN_GAP);
    }
    for (uint32_t i = 0; i < t->columns.count && !t->narrow; i++) {
        const column *c = &vector_at(&t->columns, i);
        if (c->used) {
            put(t, text_string(&c->name), c->width + COLUMN_GAP);
        }
    }
    style_end(t->style, EMPHASIS_STRONG, t->out);
    end_line(t);
}

/* "  12: t = x;" at the right of a step, or the place alone if the file cannot be read. */
static void print_source(table *t, const finding_step *s) {
    const char *file;
    uint32_t line;
    if (t->finding->nameless || !finding_locate(t->finding, s->place, &file, &line) || line == 0) {
        return;
    }
    text code = {0};
    source_line(t->source, file, line, &code);
    if (text_length(&code)) {
        bool cut = text_length(&code) > SOURCE_WIDTH;
        style_begin(t->style, EMPHASIS_FAINT, t->out);
        fprintf(t->out, "%*s", (int)t->blanks, "");
        fprintf(t->out, "%4u: %.*s%s", line, SOURCE_WIDTH, text_string(&code), cut ? "..." : "");
        style_end(t->style, EMPHASIS_FAINT, t->out);
    }
    text_free(&code);
}

static void print_cells(table *t, const finding_step *s, const char *cell) {
    if (t->narrow) {
        put(t, text_string(&vector_at(&t->columns, s->step.thread).name),
            larger(t->name_width, 6) + COLUMN_GAP);
        put(t, cell, larger(t->cell_width, 9) + COLUMN_GAP);
        return;
    }
    for (uint32_t i = 0; i < t->columns.count; i++) {
        const column *c = &vector_at(&t->columns, i);
        if (c->used) {
            put(t, i == s->step.thread ? cell : "", c->width + COLUMN_GAP);
        }
    }
}

static void print_step(table *t, uint32_t index, const char *cell) {
    const finding_step *s = &vector_at(&t->finding->steps, index);
    enum emphasis emphasis = s->failed ? EMPHASIS_ERROR : EMPHASIS_NONE;
    style_begin(t->style, emphasis, t->out);
    fprintf(t->out, "%c%6u  ", s->failed ? '>' : ' ', index + 1);
    print_cells(t, s, cell);
    style_end(t->style, emphasis, t->out);
    print_source(t, s);
    end_line(t);
}

/* One thread all along: its name; several: "several threads". */
static void print_gap(table *t, const row *r) {
    uint32_t thread = vector_at(&t->finding->steps, r->first).step.thread;
    bool one = true;
    for (uint32_t i = 0; i < r->count; i++) {
        one = one && vector_at(&t->finding->steps, r->first + i).step.thread == thread;
    }
    style_begin(t->style, EMPHASIS_FAINT, t->out);
    fprintf(t->out, "    ...  %u steps of %s left out (%u to %u; --full shows them)", r->count,
            one ? text_string(&vector_at(&t->columns, thread).name) : "several threads",
            r->first + 1, r->first + r->count);
    style_end(t->style, EMPHASIS_FAINT, t->out);
    fputc('\n', t->out);
}

static void table_free(table *t) {
    for (uint32_t i = 0; i < t->columns.count; i++) {
        text_free(&vector_at(&t->columns, i).name);
    }
    for (uint32_t i = 0; i < t->cells.count; i++) {
        text_free(&vector_at(&t->cells, i));
    }
    vector_free(&t->columns);
    vector_free(&t->cells);
    vector_free(&t->rows);
}

void table_print(const finding *f, source *source, const style *style, FILE *out) {
    table t = {.finding = f, .source = source, .style = style, .out = out};
    abbreviate(f, style->full, &t.rows);
    measure(&t);
    print_header(&t);
    for (uint32_t i = 0; i < t.rows.count; i++) {
        const row *r = &vector_at(&t.rows, i);
        if (r->shown) {
            print_step(&t, r->first, text_string(&vector_at(&t.cells, i)));
        } else {
            print_gap(&t, r);
        }
    }
    table_free(&t);
}
