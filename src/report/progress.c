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

void progress_show(progress *p, uint64_t executions, const forecast *f) {
    double elapsed = monotonic_seconds() - p->started, done = (double)executions;
    if (!p->out || elapsed <= 0) {
        return;
    }
    bool known = f->known && f->likely > done;
    text line = {0};
    text_format(&line, "heddle: %llu", (unsigned long long)executions);
    if (known) {
        text_append(&line, " of about ");
        rough_number(&line, f->likely);
    }
    text_format(&line, " executions, %.0f/s, %.1f s", done / elapsed, elapsed);
    if (known) {
        text_append(&line, ", ");
        rough_time(&line, (f->likely - done) * elapsed / done);
        text_append(&line, " to go (in all ");
        rough_range(&line, f);
        text_append(&line, ")");
    }
    fprintf(p->out, "\r\033[K%.*s", (int)style_width(p->out) - 1, text_string(&line));
    fflush(p->out);
    text_free(&line);
    p->visible = true;
}
