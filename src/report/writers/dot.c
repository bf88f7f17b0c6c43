/* Writes the happens-before relation of a finding as a graph for Graphviz: a box for each step, a
 * cluster for each thread, grey arrows for the order of a thread's own steps and black ones from
 * thread to thread; dashed ones, under a weak memory model, from a write to a read that has read it
 * although the write does not happen before it. Steps that are not connected by a path of arrows
 * are concurrent. The steps in which an error happened are red, and so is what a blocked thread
 * waits for. */
#include "report/writers/writers.h"

/* A quoted string of the language; the pool's strings have no control characters. */
static void append_escaped(text *out, const char *string) {
    for (; *string; string++) {
        if (*string == '"' || *string == '\\') {
            text_append(out, "\\");
        }
        text_append_bytes(out, string, 1);
    }
}

static void append_place(text *out, const finding *f, uint32_t number) {
    text place = {0};
    finding_describe_place(f, number, &place);
    if (text_length(&place)) {
        text_append(out, "\\n");
        append_escaped(out, text_string(&place));
    }
    text_free(&place);
}

static void append_step(text *out, const finding *f, uint32_t i) {
    const finding_step *s = &vector_at(&f->steps, i);
    text_format(out, "        step%u [label=\"%u: ", i + 1, i + 1);
    append_escaped(out, finding_text(f, s->description));
    append_place(out, f, s->place);
    text_append(out, s->failed ? "\", color=red, penwidth=3];\n" : "\"];\n");
}

static void append_wait(text *out, const finding *f, const finding_wait *w) {
    text_format(out, "        wait%u [label=\"%s ", w->thread, operation_word(w->kind));
    append_escaped(out, finding_text(f, w->name));
    append_place(out, f, w->place);
    text_append(out, "\", color=red, style=dashed];\n");
}

/* A thread's steps, what it waits for if it is blocked, and their order. */
static void append_thread(text *out, const finding *f, uint32_t thread) {
    uint32_t last = 0; /* number of the step before, from 1 */
    text_format(out, "    subgraph cluster%u {\n        label=\"", thread);
    append_escaped(out, finding_thread(f, thread));
    text_append(out, "\";\n");
    for (uint32_t i = 0; i < f->steps.count; i++) {
        if (vector_at(&f->steps, i).step.thread == thread) {
            append_step(out, f, i);
            if (last) {
                text_format(out, "        step%u -> step%u [color=grey, weight=9];\n", last, i + 1);
            }
            last = i + 1;
        }
    }
    for (uint32_t i = 0; i < f->waits.count; i++) {
        if (vector_at(&f->waits, i).thread == thread) {
            append_wait(out, f, &vector_at(&f->waits, i));
            if (last) {
                text_format(out, "        step%u -> wait%u [color=grey, weight=9];\n", last,
                            thread);
            }
        }
    }
    text_append(out, "    }\n");
}

void dot_write(text *out, const settings *s, const finding *f) {
    (void)s;
    text_append(out, "digraph heddle {\n    label=\"");
    append_escaped(out, finding_text(f, f->message));
    text_append(out, "\";\n    node [shape=box, fontname=monospace];\n");
    for (uint32_t thread = 0; thread < f->threads.count; thread++) {
        append_thread(out, f, thread);
    }
    for (uint32_t i = 0; i < f->edges.count; i++) {
        const finding_edge *e = &vector_at(&f->edges, i);
        text_format(out, "    step%u -> step%u%s;\n", e->before + 1, e->after + 1,
                    e->reads_only ? " [style=dashed]" : "");
    }
    text_append(out, "}\n");
}
