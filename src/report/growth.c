#include "report/growth.h"

#include <stdlib.h>

#include "base/path.h"
#include "report/trace.h"

/* Executions of so many steps are long if others are much shorter; and in any case. */
enum { LONG = 200, TIMES_THE_SHORTEST = 4, TOO_LONG = 4000 };

typedef struct place {
    uint32_t thread, location;
} place;

static int compare(const void *a, const void *b) {
    const place *left = a, *right = b;
    if (left->thread != right->thread) {
        return left->thread < right->thread ? -1 : 1;
    }
    return left->location < right->location ? -1 : left->location > right->location;
}

/* The place that occurs most often. */
static void find_most(growth *g, const execution *e) {
    VECTOR(place) places = {0};
    for (uint32_t i = 0; i < execution_length(e); i++) {
        const event *of = execution_event(e, i);
        vector_push(&places, (place){of->thread, of->location});
    }
    qsort(places.items, places.count, sizeof *places.items, compare);
    g->count = 0;
    for (uint32_t i = 0, from = 0; i < places.count; i++) {
        const place *at = &vector_at(&places, i);
        from = compare(at, &vector_at(&places, from)) == 0 ? from : i;
        if (i - from + 1 > g->count) {
            g->count = i - from + 1;
            g->thread = at->thread;
            g->location = at->location;
        }
    }
    vector_free(&places);
}

void growth_note(growth *g, const execution *e) {
    uint32_t length = execution_length(e);
    if (!g->shortest || length < g->shortest) {
        g->shortest = length ? length : 1;
    }
    if (length >= LONG && length / 2 >= g->longest) {
        g->longest = length;
        find_most(g, e);
    }
}

void growth_describe(const growth *g, target *target, text *out) {
    text thread = {0};
    const char *file;
    uint32_t line;
    text_clear(out);
    bool usual = g->longest < TOO_LONG && g->longest / TIMES_THE_SHORTEST < g->shortest;
    if (!g->longest || usual) {
        return;
    }
    describe_thread(target, g->thread, &thread);
    text_format(out, "executions have up to %u steps", g->longest);
    if (target->class->describe_location(target, g->location, &file, &line)) {
        text_format(out, ", of which %u are by %s at %s:%u", g->count, text_string(&thread),
                    path_shown(file), line);
    }
    text_append(out, ": possible infinite loop; --max-steps=N cuts such executions");
    text_free(&thread);
}
