#include "explore/trail.h"

static trail own WITNESS;
WITNESS_ANNOUNCE(own)

static const target_class *plain; /* NULL: nothing is recorded */
static target_class recording;

static void add(step taken) {
    if (own.count < TRAIL_MOST) {
        own.steps[own.count] = taken;
    }
    own.count++;
}

static void reset(target *t) {
    own.count = 0;
    own.known = true;
    plain->reset(t);
}

static uint32_t back(target *t, uint32_t length) {
    uint32_t reached = plain->back(t, length);
    CHECK(reached <= length && (!own.known || reached <= own.count));
    own.count = reached;
    return reached;
}

/* Before it is taken: it may be the last one. */
static void take(target *t, uint32_t thread, uint32_t choice, step_result *result) {
    add((step){thread, choice});
    plain->step(t, thread, choice, result);
}

static void replay(target *t, const step *steps, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        add(steps[i]);
    }
    plain->replay(t, steps, count);
}

/* It is unknown how the target came to that state. */
static void restore(target *t, const void *state) {
    own.known = false;
    plain->restore(t, state);
}

void trail_begin(target *t) {
    if (plain) {
        return;
    }
    own.count = 0;
    own.known = false;
    plain = t->class;
    recording = *plain;
    recording.reset = reset;
    recording.back = plain->back ? back : NULL;
    recording.step = take;
    recording.replay = plain->replay ? replay : NULL;
    recording.restore = plain->restore ? restore : NULL;
    t->class = &recording;
}

void trail_end(target *t) {
    if (plain) {
        CHECK(t->class == &recording);
        t->class = plain;
        plain = NULL;
        own.known = false;
    }
}

const trail *trail_of(const void *witness) {
    return witness_find(witness, &own);
}
