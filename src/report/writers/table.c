#include "report/writers/table.h"

#include <string.h>

#include "base/path.h"
#include "report/explanation.h"
#include "report/writers/abbreviation.h"
#include "report/writers/cell.h"

enum {
    GUTTER = 9, /* marks and the number of the step */
    COLUMN_GAP = 2,
    COLUMN_LEAST = 6,      /* where cells extend over the columns to their right */
    COLUMN_NAME_MOST = 12, /* a thread's name that is never shortened */
    CELL_LEAST = 24,       /* room for a cell before a list is better */
    SOURCE_LEAST = 20,
    SOURCE_WANTED = 40, /* columns that are narrowed for it */
    SOURCE_MOST = 90,
    SOURCE_NUMBER = 6, /* "  12: " */
};

/* A row has a step of one thread, so the cells to its right are empty: on a narrow screen, columns
 * begin close to each other and a cell extends over those that follow, instead of being wrapped. */
typedef struct column {
    bool used;      /* the thread takes a step that is shown */
    uint32_t cell;  /* the widest one */
    uint32_t name;  /* width of the thread's name */
    uint32_t width; /* up to the next column */
    uint32_t start; /* on the screen */
} column;

typedef struct table {
    const finding *finding;
    source *source;
    const style *style;
    FILE *out;
    row_list rows;
    VECTOR(column) columns; /* by thread */
    bool list;              /* one column for all threads */
    uint32_t name_width;    /* of the list */
    uint32_t cell_width;    /* of the list */
    bool files;             /* the steps are in several files */
    uint32_t number_width;  /* of "  12: " before a line of the source, or of "queue.c:12: " */
    uint32_t source_longest;
    uint32_t source_start;
    uint32_t source_width; /* 0: there is no room */
    uint32_t at;           /* the current column */
    uint32_t last_thread;  /* of the previous step */
} table;

static uint32_t larger(uint32_t a, uint32_t b) {
    return a > b ? a : b;
}

static uint32_t smaller(uint32_t a, uint32_t b) {
    return a < b ? a : b;
}

static const finding_step *step_of(const table *t, const row *r) {
    return &vector_at(&t->finding->steps, r->first);
}

/* ---- the layout ---- */

static const char *file_name(const table *t, uint32_t place) {
    const finding *f = t->finding;
    const char *file = finding_text(f, vector_at(&f->places, place).file), *name = path_name(file);
    for (uint32_t i = 0; i < f->places.count; i++) {
        const char *other = finding_text(f, vector_at(&f->places, i).file);
        const char *end = strcmp(other, file) != 0 ? path_end_unlike(file, other) : name;
        name = end < name ? end : name;
    }
    return name;
}

/* "  12: ", "queue.c:12: " */
static void append_number(const table *t, uint32_t place, uint32_t line, text *out) {
    if (t->files) {
        text_format(out, "%s:%u: ", file_name(t, place), line);
    } else {
        text_format(out, "%4u: ", line);
    }
}

/* "T1 worker", where threads have names of their own. */
static void append_thread(const table *t, uint32_t thread, text *out) {
    const char *role = finding_role(t->finding, thread);
    text_format(out, "%s%s%s", finding_thread(t->finding, thread), *role ? " " : "", role);
}

static void measure_cell(table *t, uint32_t thread, uint32_t place, const char *cell) {
    column *c = &vector_at(&t->columns, thread);
    text code = {0}, number = {0}, name = {0};
    uint32_t line;
    source_at(t->source, t->finding, place, &line, &code);
    append_number(t, place, line, &number);
    append_thread(t, thread, &name);
    c->used = true;
    c->name = text_columns(text_string(&name));
    c->cell = larger(c->cell, text_columns(cell));
    t->cell_width = larger(t->cell_width, c->cell);
    t->name_width = larger(t->name_width, c->name);
    t->source_longest = larger(t->source_longest, text_columns(text_string(&code)));
    t->number_width = larger(t->number_width, text_columns(text_string(&number)));
    text_free(&code);
    text_free(&number);
    text_free(&name);
}

static void measure_row(table *t, const row *r) {
    const finding_step *s = step_of(t, r);
    text cell = {0};
    finding_describe_step(t->finding, r->first, &cell);
    measure_cell(t, s->step.thread, s->place, text_string(&cell));
    text_free(&cell);
}

static bool has_files(const table *t) {
    const finding *f = t->finding;
    uint32_t first = f->place;
    bool several = false;
    for (uint32_t i = 0; i < f->steps.count && !several; i++) {
        uint32_t place = vector_at(&f->steps, i).place;
        first = first ? first : place;
        several = place && vector_at(&f->places, place).file != vector_at(&f->places, first).file;
    }
    return several;
}

static void measure(table *t) {
    t->files = has_files(t);
    t->number_width = SOURCE_NUMBER;
    for (uint32_t i = 0; i < t->finding->threads.count; i++) {
        vector_push(&t->columns, (column){0});
    }
    for (uint32_t i = 0; i < t->rows.count; i++) {
        if (vector_at(&t->rows, i).shown) {
            measure_row(t, &vector_at(&t->rows, i));
        }
    }
    if (finding_ends_elsewhere(t->finding)) {
        text words = {0};
        explanation_in_line(t->finding->kind, &words);
        measure_cell(t, t->finding->thread, t->finding->place, text_string(&words));
        text_free(&words);
    }
}

/* Columns that are no wider than `most`, unless their names are. */
static void place_columns(table *t, uint32_t most) {
    uint32_t start = GUTTER, end = GUTTER;
    for (uint32_t i = 0; i < t->columns.count; i++) {
        column *c = &vector_at(&t->columns, i);
        if (c->used) {
            uint32_t natural = larger(c->name, c->cell);
            uint32_t least = smaller(c->name, (uint32_t)COLUMN_NAME_MOST);
            c->start = start;
            c->width = smaller(natural, larger(most, least));
            start += c->width + COLUMN_GAP;
            end = larger(end, larger(start, c->start + c->cell + COLUMN_GAP));
        }
    }
    t->source_start = end;
}

/* Columns that leave that much room for the source; false if even the narrowest do not. */
static bool fit_columns(table *t, uint32_t source) {
    uint32_t most = larger(t->cell_width, t->name_width);
    place_columns(t, most);
    while (most > COLUMN_LEAST && t->source_start + source > t->style->width) {
        place_columns(t, --most);
    }
    return t->source_start + source <= t->style->width;
}

/* The narrowest columns, whose cells are wrapped where the source begins; false if there is hardly
 * room for them. */
static bool wrap_cells(table *t, uint32_t source) {
    bool room = true;
    t->source_start = t->style->width > source ? t->style->width - source : 0;
    for (uint32_t i = 0; i < t->columns.count; i++) {
        const column *c = &vector_at(&t->columns, i);
        uint32_t wanted = larger(smaller(c->cell, (uint32_t)CELL_LEAST), c->width) + COLUMN_GAP;
        room = room && (!c->used || c->start + wanted <= t->source_start);
    }
    return room;
}

static void place_list(table *t) {
    uint32_t room = t->style->width - GUTTER;
    t->list = true;
    t->name_width = smaller(larger(t->name_width, 6), room / 4);
    room -= t->name_width + COLUMN_GAP;
    uint32_t most = t->source_longest ? room * 3 / 5 : room;
    t->cell_width = smaller(larger(t->cell_width, 9), most);
    t->source_start = GUTTER + t->name_width + COLUMN_GAP + t->cell_width + COLUMN_GAP;
}

/* The widest columns that leave room for the source; else a list. */
static void lay_out(table *t) {
    uint32_t width = t->style->width, number = t->source_longest ? t->number_width : 0;
    uint32_t wanted = number + smaller(t->source_longest, SOURCE_WANTED);
    uint32_t least = number + smaller(t->source_longest, SOURCE_LEAST);
    if (!fit_columns(t, wanted) && t->source_start + least > width && !wrap_cells(t, least)) {
        place_list(t);
    }
    bool room = t->source_start + t->number_width + COLUMN_GAP < width;
    t->source_width =
        room ? smaller(width - t->source_start - t->number_width, (uint32_t)SOURCE_MOST) : 0;
}

/* ---- printing ---- */

static void move_to(table *t, uint32_t place) {
    if (place > t->at) {
        fprintf(t->out, "%*s", (int)(place - t->at), "");
        t->at = place;
    }
}

static void put_at(table *t, uint32_t place, enum emphasis emphasis, const char *string) {
    if (*string) {
        move_to(t, place);
        style_begin(t->style, emphasis, t->out);
        fputs(string, t->out);
        style_end(t->style, emphasis, t->out);
        t->at += text_columns(string);
    }
}

static void end_line(table *t) {
    fputc('\n', t->out);
    t->at = 0;
}

static void put_shortened(table *t, uint32_t place, uint32_t width, enum emphasis emphasis,
                          const char *string) {
    text shown = {0};
    cell_shorten(string, width, &shown);
    put_at(t, place, emphasis, text_string(&shown));
    text_free(&shown);
}

static void print_header(table *t) {
    put_at(t, 3, EMPHASIS_STRONG, "step");
    if (t->list) {
        put_at(t, GUTTER, EMPHASIS_STRONG, "thread");
        put_at(t, GUTTER + t->name_width + COLUMN_GAP, EMPHASIS_STRONG, "operation");
    }
    for (uint32_t i = 0; i < t->columns.count && !t->list; i++) {
        const column *c = &vector_at(&t->columns, i);
        if (c->used) {
            text name = {0};
            append_thread(t, i, &name);
            put_shortened(t, c->start, c->width, EMPHASIS_STRONG, text_string(&name));
            text_free(&name);
        }
    }
    end_line(t);
}

/* "  12: t = x;" to the right of a step; nothing if the file cannot be read. */
static void print_source(table *t, uint32_t place) {
    uint32_t line = 0;
    text code = {0}, shown = {0};
    uint32_t byte = t->source_width ? source_at(t->source, t->finding, place, &line, &code) : 0;
    if (text_length(&code)) {
        append_number(t, place, line, &shown);
        cell_cut_around(text_string(&code), byte, t->source_width, &shown);
        put_at(t, t->source_start, EMPHASIS_FAINT, text_string(&shown));
    }
    text_free(&code);
    text_free(&shown);
}

/* From the column of the last thread to that of this one. */
static void print_switch(table *t, uint32_t thread) {
    uint32_t from = vector_at(&t->columns, t->last_thread).start;
    uint32_t to = vector_at(&t->columns, thread).start;
    bool right = to > from, lines = t->style->lines;
    const char *left_end = lines ? (right ? "└" : "┌") : (right ? "`" : ",");
    const char *right_end = lines ? (right ? "┐" : "┘") : (right ? "." : "'");
    text line = {0};
    text_append(&line, left_end);
    for (uint32_t i = (right ? from : to) + 1; i < (right ? to : from); i++) {
        text_append(&line, lines ? "─" : "-");
    }
    text_append(&line, right_end);
    put_at(t, right ? from : to, EMPHASIS_FAINT, text_string(&line));
    end_line(t);
    text_free(&line);
}

static void print_marks(table *t, uint32_t index) {
    const finding_step *s = &vector_at(&t->finding->steps, index);
    bool decides = finding_decides(t->finding, index);
    bool fails = s->failed && !finding_ends_elsewhere(t->finding);
    text marks = {0};
    text_format(&marks, "%c%c%5u", fails ? '>' : ' ', decides ? '!' : ' ', index + 1);
    put_at(t, 0, fails || decides ? EMPHASIS_ERROR : EMPHASIS_NONE, text_string(&marks));
    text_free(&marks);
}

/* What a thread does at a place, in its column. */
static void print_cell(table *t, uint32_t thread, uint32_t place, enum emphasis emphasis,
                       const char *rest) {
    uint32_t width = t->cell_width, start = GUTTER + t->name_width + COLUMN_GAP;
    if (t->list && thread != t->last_thread) {
        text name = {0};
        append_thread(t, thread, &name);
        put_shortened(t, GUTTER, t->name_width, emphasis, text_string(&name));
        text_free(&name);
    } else if (!t->list) {
        start = vector_at(&t->columns, thread).start;
        width = t->source_start - COLUMN_GAP - start;
    }
    for (bool first = true; first || *rest; first = false) {
        text line = {0};
        rest = cell_line(rest, width, &line);
        put_at(t, start, emphasis, text_string(&line));
        text_free(&line);
        if (first) {
            print_source(t, place);
        }
        end_line(t);
    }
}

static void print_step(table *t, uint32_t index) {
    const finding_step *s = &vector_at(&t->finding->steps, index);
    bool fails = s->failed && !finding_ends_elsewhere(t->finding);
    bool red = fails || finding_is_about(t->finding, index);
    text cell = {0};
    finding_describe_step(t->finding, index, &cell);
    print_marks(t, index);
    print_cell(t, s->step.thread, s->place, red ? EMPHASIS_ERROR : style_of_thread(s->step.thread),
               text_string(&cell));
    text_free(&cell);
}

/* One thread all along: its name; several: "several threads". */
static void print_gap(table *t, const row *r) {
    uint32_t thread = step_of(t, r)->step.thread;
    bool one = true;
    text words = {0};
    for (uint32_t i = 0; i < r->count; i++) {
        one = one && vector_at(&t->finding->steps, r->first + i).step.thread == thread;
    }
    text_format(&words, "...  %u steps of %s left out (%u to %u; --full shows them)", r->count,
                one ? finding_thread(t->finding, thread) : "several threads", r->first + 1,
                r->first + r->count);
    put_at(t, 4, EMPHASIS_FAINT, text_string(&words));
    end_line(t);
    text_free(&words);
}

static void print_end(table *t) {
    text words = {0};
    uint32_t thread = t->finding->thread;
    explanation_in_line(t->finding->kind, &words);
    if (!t->list && t->last_thread != UINT32_MAX && t->last_thread != thread) {
        print_switch(t, thread);
    }
    put_at(t, 0, EMPHASIS_ERROR, ">");
    print_cell(t, thread, t->finding->place, EMPHASIS_ERROR, text_string(&words));
    text_free(&words);
}

/* Rows in which the thread changes are preceded by a line that shows it. */
static void print_row(table *t, uint32_t number) {
    const row *r = &vector_at(&t->rows, number);
    uint32_t thread = step_of(t, r)->step.thread;
    if (!r->shown) {
        print_gap(t, r);
        t->last_thread = UINT32_MAX;
        return;
    }
    if (!t->list && t->last_thread != UINT32_MAX && t->last_thread != thread) {
        print_switch(t, thread);
    }
    print_step(t, r->first);
    t->last_thread = thread;
}

void table_print(const finding *f, source *source, const style *style, FILE *out) {
    table t = {
        .finding = f, .source = source, .style = style, .out = out, .last_thread = UINT32_MAX};
    abbreviate(f, style->full, &t.rows);
    measure(&t);
    lay_out(&t);
    print_header(&t);
    for (uint32_t i = 0; i < t.rows.count; i++) {
        print_row(&t, i);
    }
    if (finding_ends_elsewhere(f)) {
        print_end(&t);
    }
    vector_free(&t.columns);
    vector_free(&t.rows);
}
