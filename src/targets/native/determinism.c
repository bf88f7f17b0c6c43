/* The first runs are made again: a program that does not do the same under the same schedule (it
 * reads a clock, a file, uninitialised memory, a library's state) cannot be explored, and the user
 * must be notified, with the place where two runs diverged.
 *
 * Then memory from malloc gets other contents. If that alone makes a difference, the same each
 * time, the program depends on memory that it has never written: an error of the program. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/random.h"
#include "base/vector.h"
#include "explore/target.h"
#include "targets/native/native.h"
#include "targets/runtime/kernel/threads.h"
#include "targets/runtime/kernel/watchdog.h"
#include "targets/runtime/libc/output.h"
#include "targets/runtime/memory/heap_blocks.h"

/* What a thread visibly did up to its next step: accesses in passing, output. */
typedef struct trail {
    uint64_t accesses, printed;
} trail;

/* A step, and what was pending before it. */
typedef struct recorded_step {
    step step;
    uint8_t kind;
    footprint footprint;
    uint32_t location;
    bool failed;
    trail trail; /* of the step */
} recorded_step;

static const unsigned char usual_pattern = 0xbe;

/* Contents of fresh memory for the second runs: false, true, positive, negative. */
static const unsigned char other_patterns[] = {0x00, 0x01, 0x7f};

enum { SCHEDULES = sizeof other_patterns / sizeof *other_patterns, MOST_STEPS = 20000 };

typedef struct recording {
    VECTOR(recorded_step) steps;
    trail start; /* of main, before the first step */
} recording;

/* How often something was printed before a run. */
static uint64_t printed_before;

static void start(target *t) {
    printed_before = output_calls;
    t->class->reset(t);
}

static trail trail_of(uint32_t thread) {
    return (trail){runtime.threads[thread].passed & ~PASSING_LOOK, output_calls - printed_before};
}

static bool same_trail(trail a, trail b) {
    return a.accesses == b.accesses && a.printed == b.printed;
}

/* A run that ended like this shows nothing more, and takes long. */
static bool gave_up(const step_result *result) {
    enum error_kind kind = result->error ? result->error->kind : ERROR_KIND_COUNT;
    return kind == ERROR_HANG || kind == ERROR_UNFINISHED || kind == ERROR_UNSUPPORTED ||
           watchdog_stop_requested();
}

typedef struct recorder {
    target *target;
    random_source *random;
    recording *recording;
} recorder;

static bool pick(void *context, step *next) {
    recorder *r = context;
    target *t = r->target;
    uint32_t count = t->class->thread_count(t);
    uint32_t first = random_below(r->random, count ? count : 1);
    for (uint32_t i = 0; i < count && r->recording->steps.count < MOST_STEPS; i++) {
        uint32_t thread = (first + i) % count;
        const operation *o = t->class->pending(t, thread);
        if (o && operation_enabled(o)) {
            uint32_t which = random_below(r->random, operation_alternatives(o));
            *next = (step){thread, operation_choice(o, which)};
            vector_push(&r->recording->steps, (recorded_step){.step = *next,
                                                              .kind = o->kind,
                                                              .footprint = o->footprint,
                                                              .location = o->location});
            return true;
        }
    }
    return false;
}

static bool record_result(void *context, const step_result *result) {
    recorder *r = context;
    recorded_step *last = &vector_last(&r->recording->steps);
    last->failed = result->error != NULL;
    last->trail = trail_of(last->step.thread);
    return !gave_up(result);
}

/* False: there is nothing to compare with. */
static bool record(target *t, random_source *random, recording *r) {
    static const step_hooks hooks = {.next = pick, .after = record_result};
    start(t);
    vector_clear(&r->steps);
    r->start = trail_of(0);
    step_result first = {.error = target_start_error(t, 0)};
    return !gave_up(&first) &&
           target_run(t, &hooks, &(recorder){.target = t, .random = random, .recording = r});
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

static void describe(target *t, uint32_t step, const recorded_step *first, const operation *second,
                     char *message) {
    char one[128], other[128], thread[128];
    threads_name(first->step.thread, thread, sizeof thread);
    name_place(t, first->location, one, sizeof one);
    if (second) {
        name_place(t, second->location, other, sizeof other);
    }
    snprintf(message, NATIVE_MESSAGE_SIZE,
             "not deterministic: two runs of one schedule diverged at step %u: %s was at %s "
             "(%s) in the first and %s%s%s%s in the second",
             step + 1, thread, one, operation_word(first->kind), second ? "at " : "ended",
             second ? other : "", second ? ", " : "", second ? operation_word(second->kind) : "");
}

/* Where a run differs from the recorded one: before a step, or in its result. */
typedef struct divergence {
    uint32_t step;
    bool inside;
    bool strayed; /* some trail was another one */
} divergence;

typedef struct follower {
    target *target;
    const recording *recording;
    uint32_t taken;
    divergence *diverged;
    bool strict; /* another trail is a divergence */
    char *message;
} follower;

static bool next_recorded(void *context, step *next) {
    follower *f = context;
    if (f->taken == f->recording->steps.count) {
        return false;
    }
    *next = vector_at(&f->recording->steps, f->taken).step;
    return true;
}

static bool is_recorded(void *context, step next) {
    follower *f = context;
    const recorded_step *s = &vector_at(&f->recording->steps, f->taken);
    const operation *o = f->target->class->pending(f->target, next.thread);
    f->diverged->step = f->taken;
    bool same = o && operation_enabled(o) && o->kind == s->kind && o->location == s->location &&
                o->footprint == s->footprint;
    if (!same) {
        describe(f->target, f->taken, s, o, f->message);
    }
    return same;
}

static bool has_recorded_result(void *context, const step_result *result) {
    follower *f = context;
    divergence *d = f->diverged;
    const recorded_step *s = &vector_at(&f->recording->steps, f->taken);
    d->strayed = d->strayed || !same_trail(s->trail, trail_of(s->step.thread));
    if ((result->error != NULL) != s->failed || (f->strict && d->strayed)) {
        d->inside = true;
        const operation same = {.kind = s->kind, .location = s->location};
        describe(f->target, f->taken, s, &same, f->message);
        return false;
    }
    f->taken++;
    return true;
}

static bool follow(target *t, const recording *r, bool strict, divergence *diverged,
                   char *message) {
    static const step_hooks hooks = {next_recorded, is_recorded, has_recorded_result};
    follower f = {
        .target = t, .recording = r, .diverged = diverged, .strict = strict, .message = message};
    start(t);
    *diverged = (divergence){.strayed = !same_trail(r->start, trail_of(0))};
    return !(strict && diverged->strayed) && target_run(t, &hooks, &f);
}

/* The thread has read it in its last step, or after it. */
static void report_uninitialised(target *t, const recording *r, divergence diverged) {
    static const char words[] =
        "uninitialised memory decides what the program does: with other "
        "contents of memory from malloc, ";
    char place[128], name[64], text[384];
    if (diverged.step >= r->steps.count) {
        snprintf(text, sizeof text, "%sit behaves differently", words);
        native_add_start_error(t, &(program_error){.kind = ERROR_UNINITIALISED, .message = text});
        return;
    }
    uint32_t thread = vector_at(&r->steps, diverged.step).step.thread, last = diverged.step;
    for (uint32_t i = 0; i < diverged.step && !diverged.inside; i++) {
        last = vector_at(&r->steps, i).step.thread == thread ? i : last;
    }
    uint32_t location = vector_at(&r->steps, last).location;
    name_place(t, vector_at(&r->steps, diverged.step).location, place, sizeof place);
    threads_name(thread, name, sizeof name);
    snprintf(text, sizeof text, "%s%s behaves differently %s %s", words, name,
             diverged.inside ? "after" : "at", place);
    VECTOR(step) steps = {0};
    for (uint32_t i = 0; i <= diverged.step; i++) {
        vector_push(&steps, vector_at(&r->steps, i).step);
    }
    native_add_start_error(t, &(program_error){.kind = ERROR_UNINITIALISED,
                                               .thread = thread,
                                               .location = location,
                                               .message = text,
                                               .steps = steps.items,
                                               .step_count = steps.count});
    vector_free(&steps);
}

static bool follow_with(target *t, const recording *r, unsigned char pattern, bool strict,
                        divergence *diverged, char *message) {
    heap_fill_pattern = pattern;
    bool same = follow(t, r, strict, diverged, message);
    heap_fill_pattern = usual_pattern;
    return same;
}

/* False: it differs although the memory was the same. The pattern is used twice, each time after a
 * run with the usual one, so that a difference in every second run is not attributed to the
 * pattern. Trails count if they are the same in all runs with the usual one. */
static bool compare(target *t, const recording *r, unsigned char pattern, char *message) {
    char words[NATIVE_MESSAGE_SIZE];
    divergence diverged, again, usual[3];
    if (!follow(t, r, false, &usual[0], message)) {
        return false;
    }
    bool strict = !usual[0].strayed;
    if (follow_with(t, r, pattern, strict, &diverged, message)) {
        return true;
    }
    if (!follow(t, r, false, &usual[1], message) || !follow(t, r, false, &usual[2], message)) {
        return false;
    }
    if (strict && (usual[1].strayed || usual[2].strayed)) {
        strict = false;
        if (follow_with(t, r, pattern, strict, &diverged, message)) {
            return true;
        }
    }
    if (follow_with(t, r, pattern, strict, &again, words) || again.step != diverged.step ||
        again.inside != diverged.inside) {
        return strict && diverged.strayed; /* if not, with the message of before */
    }
    message[0] = '\0';
    report_uninitialised(t, r, diverged);
    return true;
}

bool native_check_determinism(target *t, char *message) {
    random_source random = {1};
    recording r = {0};
    bool same = true, whole = true;
    runtime.conflicts_ignored = true;
    for (uint32_t i = 0; i < SCHEDULES && same && whole; i++) {
        do { /* what turns out to be shared makes more steps */
            do {
                whole = record(t, &random, &r);
            } while (target_take_stale(t) && whole);
            message[0] = '\0';
            same = !whole || compare(t, &r, other_patterns[i], message);
        } while (!same && target_take_stale(t));
    }
    runtime.conflicts_ignored = false;
    vector_free(&r.steps);
    return same;
}
