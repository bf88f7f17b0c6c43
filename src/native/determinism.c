/* The first runs are made twice: a program that does not do the same under the same schedule (it
 * reads a clock, a file, uninitialised memory, a library's state) cannot be explored, and the user
 * must hear of it, with the place where two runs parted. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/random.h"
#include "base/vector.h"
#include "explore/target.h"
#include "native/native.h"
#include "runtime/watchdog.h"

enum { SCHEDULES = 3, MOST_STEPS = 20000, MOST_RESTARTS = 64 };

/* A step, and what was pending before it. */
typedef struct recorded_step {
    uint32_t thread, choice;
    uint8_t kind;
    footprint footprint;
    uint32_t location;
} recorded_step;

typedef VECTOR(recorded_step) recording;

static bool pick(target *t, random_source *random, recorded_step *next) {
    uint32_t count = t->class->thread_count(t);
    uint32_t first = random_below(random, count ? count : 1);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t thread = (first + i) % count;
        const operation *o = t->class->pending(t, thread);
        if (o && operation_enabled(o)) {
            uint32_t which = random_below(random, operation_alternatives(o));
            *next = (recorded_step){thread, operation_choice(o, which), o->kind, o->footprint,
                                    o->location};
            return true;
        }
    }
    return false;
}

/* A run that ended like this says nothing more, and takes long. */
static bool gave_up(const step_result *result) {
    enum error_kind kind = result->error ? result->error->kind : ERROR_KIND_COUNT;
    return kind == ERROR_HANG || kind == ERROR_UNFINISHED || kind == ERROR_UNSUPPORTED ||
           watchdog_hurries();
}

/* False: there is nothing to compare with. */
static bool record(target *t, random_source *random, recording *r) {
    t->class->reset(t);
    vector_clear(r);
    recorded_step next;
    step_result result = {.error = t->class->start_error(t, 0)};
    if (gave_up(&result)) {
        return false;
    }
    while (r->count < MOST_STEPS && pick(t, random, &next)) {
        vector_push(r, next);
        t->class->step(t, next.thread, next.choice, &result);
        if (gave_up(&result)) {
            return false;
        }
    }
    return true;
}

static void name_place(target *t, uint32_t location, char *text, size_t size) {
    const char *file;
    uint32_t line;
    if (t->class->describe_location(t, location, &file, &line)) {
        const char *slash = strrchr(file, '/');
        snprintf(text, size, "%s:%u", slash ? slash + 1 : file, line);
    } else {
        snprintf(text, size, "an unknown place");
    }
}

static void tell(target *t, uint32_t step, const recorded_step *first, const operation *second,
                 char *message) {
    char one[128], other[128];
    name_place(t, first->location, one, sizeof one);
    if (second) {
        name_place(t, second->location, other, sizeof other);
    }
    snprintf(message, NATIVE_MESSAGE_SIZE,
             "not deterministic: two runs of one schedule parted at step %u: thread %u was at %s "
             "(%s) in the first and %s%s%s%s in the second",
             step + 1, first->thread, one, operation_word(first->kind), second ? "at " : "ended",
             second ? other : "", second ? ", " : "", second ? operation_word(second->kind) : "");
}

static bool follow(target *t, const recording *r, char *message) {
    t->class->reset(t);
    for (uint32_t i = 0; i < r->count; i++) {
        const recorded_step *s = &r->items[i];
        const operation *o = t->class->pending(t, s->thread);
        if (!o || !operation_enabled(o) || o->kind != s->kind || o->location != s->location ||
            o->footprint != s->footprint) {
            tell(t, i, s, o, message);
            return false;
        }
        step_result result;
        t->class->step(t, s->thread, s->choice, &result);
    }
    return true;
}

bool native_check_determinism(target *t, char *message) {
    random_source random = {1};
    recording r = {0};
    bool same = true, whole = true;
    uint32_t restarts = 0;
    for (uint32_t i = 0; i < SCHEDULES && same && whole; i++) {
        do { /* what turns out to be shared makes more steps */
            whole = record(t, &random, &r);
        } while (native_stale(t) && restarts++ < MOST_RESTARTS);
        same = !whole || follow(t, &r, message);
    }
    vector_free(&r);
    return same;
}
