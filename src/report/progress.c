#include "report/progress.h"

#include "report/rough.h"
#include "report/writers/style.h"

void progress_begin(progress *p, FILE *out) {
    *p = (progress){.out = out, .started = monotonic_seconds()};
}

void progress_end(progress *p) {
    if (p->visible) {
        fputs("\r\033[K", p->out);
        fflush(p->out);
    }
    p->visible = false;
}

enum { MOST_PARTS = 4 };

/* What follows the number of executions so far; returns how many parts it has. */
static uint32_t write_parts(text parts[MOST_PARTS], uint64_t executions, double elapsed,
                            const forecast *f, uint32_t room) {
    double done = (double)executions;
    bool known = f->known && f->likely > done;
    if (known) {
        text_append(&parts[0], " of about ");
        rough_number(&parts[0], f->likely);
    }
    text_append(&parts[0], " executions");
    if (known && text_length(&parts[0]) > room) {
        known = false;
        text_clear(&parts[0]);
        text_append(&parts[0], " executions");
    }
    text_format(&parts[1], ", %.0f/s, %.1f s", done / elapsed, elapsed);
    if (!known) {
        return 2;
    }
    text_append(&parts[2], ", ");
    rough_time(&parts[2], (f->likely - done) * elapsed / done);
    text_append(&parts[2], " to go");
    text_append(&parts[3], " (in all ");
    rough_range(&parts[3], f);
    text_append(&parts[3], ")");
    return MOST_PARTS;
}

/* A part that does not fit is left out, with all that follow it. */
static void add_parts(text *line, const text *parts, uint32_t count, uint32_t width) {
    for (uint32_t i = 0; i < count; i++) {
        if (text_length(line) + text_length(&parts[i]) > width) {
            return;
        }
        text_append(line, text_string(&parts[i]));
    }
}

void progress_show(progress *p, uint64_t executions, const forecast *f) {
    double elapsed = monotonic_seconds() - p->started;
    if (!p->out || elapsed <= 0) {
        return;
    }
    uint32_t width = (uint32_t)style_width(p->out) - 1;
    text line = {0}, parts[MOST_PARTS] = {0};
    text_format(&line, "heddle: %llu", (unsigned long long)executions);
    uint32_t room = width > text_length(&line) ? width - text_length(&line) : 0;
    add_parts(&line, parts, write_parts(parts, executions, elapsed, f, room), width);
    fprintf(p->out, "\r\033[K%.*s", (int)width, text_string(&line));
    fflush(p->out);
    for (uint32_t i = 0; i < MOST_PARTS; i++) {
        text_free(&parts[i]);
    }
    text_free(&line);
    p->visible = true;
}
