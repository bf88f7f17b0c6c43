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

/* Parts that do not fit are left out, with all that follow them. */
static bool add_part(text *line, const text *part, uint32_t width) {
    bool fits = text_length(line) + text_length(part) <= width;
    if (fits) {
        text_append(line, text_string(part));
    }
    return fits;
}

enum { PARTS = 4 };

static void write_parts(text parts[PARTS], uint64_t executions, double elapsed, const forecast *f) {
    double done = (double)executions;
    bool known = f->known && f->likely > done;
    if (known) {
        text_append(&parts[0], " of about ");
        rough_number(&parts[0], f->likely);
    }
    text_append(&parts[0], " executions");
    text_format(&parts[1], ", %.0f/s, %.1f s", done / elapsed, elapsed);
    if (known) {
        text_append(&parts[2], ", ");
        rough_time(&parts[2], (f->likely - done) * elapsed / done);
        text_append(&parts[2], " to go");
        text_append(&parts[3], " (in all ");
        rough_range(&parts[3], f);
        text_append(&parts[3], ")");
    }
}

void progress_show(progress *p, uint64_t executions, const forecast *f) {
    double elapsed = monotonic_seconds() - p->started;
    if (!p->out || elapsed <= 0) {
        return;
    }
    uint32_t width = (uint32_t)style_width(p->out) - 1;
    text line = {0}, parts[PARTS] = {0};
    text_format(&line, "heddle: %llu", (unsigned long long)executions);
    write_parts(parts, executions, elapsed, f);
    bool fits = true;
    for (uint32_t i = 0; i < PARTS; i++) {
        fits = fits && add_part(&line, &parts[i], width);
        text_free(&parts[i]);
    }
    fprintf(p->out, "\r\033[K%.*s", (int)width, text_string(&line));
    fflush(p->out);
    text_free(&line);
    p->visible = true;
}
