#include "targets/runtime/kernel/spin_stuck.h"

#include "base/limit.h"
#include "base/vector.h"
#include "targets/runtime/kernel/spin.h"
#include "targets/runtime/kernel/spin_rest.h"
#include "targets/runtime/kernel/spin_section.h"
#include "targets/runtime/kernel/spin_sync.h"
#include "targets/runtime/kernel/spin_table.h"
#include "targets/runtime/kernel/spin_trial.h"
#include "targets/runtime/kernel/spin_tried.h"
#include "targets/runtime/memory/space.h"
#include "targets/runtime/sync/rounds.h"

static struct {
    bool known;
    bool several; /* steps in some round */
    enum target_ending ending;
} judged;

/* The alternatives that the thread has taken on its path, and how many there were each time. */
typedef struct alternative {
    uint32_t taken, count;
} alternative;

static VECTOR(alternative) way;
static VECTOR(uint32_t) seen; /* local states after choices */

void spin_stuck_forget(void) {
    judged.known = false;
}

void spin_stuck_close(void) {
    vector_free(&way);
    vector_free(&seen);
    spin_stuck_forget();
}

/* ---- a thread alone ---- */

typedef struct round {
    uint32_t first, kept; /* local states: at the beginning, and after a power of two of steps */
    uint32_t choices;     /* made on this way, */
    uint32_t known;       /* of which so many were made before */
    uint64_t steps;       /* on all ways */
    bool times_out;       /* in some wait */
} round;

enum progress { PROGRESS_NONE, PROGRESS_BACK, PROGRESS_LEAVES };

static uint32_t choose(round *r, const operation *op) {
    if (r->choices == way.count) {
        vector_push(&way, ((alternative){0, op->choice_count}));
    }
    const alternative *a = &vector_at(&way, r->choices++);
    CHECK(a->count == op->choice_count && a->taken < a->count);
    return op->choices ? op->choices[a->taken] : a->taken;
}

/* The thread has made a choice: true if this or another way was in that state before. */
static bool was_seen(const round *r, uint32_t state) {
    if (r->choices <= r->known) {
        return false;
    }
    for (uint32_t i = 0; i < seen.count; i++) {
        if (vector_at(&seen, i) == state) {
            return true;
        }
    }
    vector_push(&seen, state);
    return false;
}

static enum progress step_alone(runtime_thread *t, round *r) {
    bool chooses = t->pending.kind == OPERATION_CHOOSE;
    if (t->pending.kind == OPERATION_ATOMIC) {
        runtime_update(t); /* what it accesses here */
    }
    if (!chooses && (!spin_is_void_kind(t) || !spin_find_sync(t))) {
        return PROGRESS_LEAVES;
    }
    spin_outcome o = {0};
    spin_tried_start(false); /* the reads of one step count, not those of the round */
    bool goes_on = chooses ? spin_section_step(t, choose(r, &t->pending))
                           : spin_section_run(t, CHOICE_NONE, &o);
    r->times_out |= o.times_out;
    if (!goes_on) {
        bool refused = chooses && t->status == THREAD_STOPPED; /* by an assumption */
        return refused ? PROGRESS_BACK : PROGRESS_LEAVES;
    }
    uint32_t state = spin_number(t);
    if (state == SPIN_NONE) {
        limit_reached(LIMIT_ROUNDS);
        return PROGRESS_LEAVES;
    }
    bool back = chooses ? was_seen(r, state)
                        : state == r->first || state == r->kept ||
                              (r->times_out && rounds_same_state(r->first, state));
    uint64_t n = ++r->steps;
    r->kept = (n & (n - 1)) == 0 ? state : r->kept;
    return back ? PROGRESS_BACK : PROGRESS_NONE;
}

/* False also after too many steps. */
static bool comes_back(runtime_thread *t, round *r) {
    bool stale = space.target->stale;
    enum progress progress = PROGRESS_NONE;
    spin_trial_begin(t, false);
    spin_section_narrow(t);
    spin_rest_keep(t);
    while (progress == PROGRESS_NONE) {
        progress = step_alone(t, r);
        if (progress == PROGRESS_NONE && r->steps >= limit_most(LIMIT_ROUNDS)) {
            limit_reached(LIMIT_ROUNDS);
            progress = PROGRESS_LEAVES;
        }
    }
    bool back =
        progress == PROGRESS_BACK && (t->status != THREAD_LIVE || spin_rest_is_same(t, false));
    spin_trial_end(t);
    space.target->stale = stale;
    return back;
}

/* The choices of the next path; false: there is none. */
static bool find_way(void) {
    while (way.count && vector_last(&way).taken + 1 == vector_last(&way).count) {
        way.count--;
    }
    if (way.count) {
        vector_last(&way).taken++;
    }
    return way.count;
}

/* Runs the thread alone. True: it repeats the loop forever, whatever it chooses. */
static bool goes_round(runtime_thread *t) {
    round r = {0};
    bool back = true;
    vector_clear(&way);
    vector_clear(&seen);
    do {
        spin_arrive_first(t);
        r.first = r.kept = t->spin_state;
        r.choices = 0;
        r.known = way.count ? way.count - 1 : 0;
        back = comes_back(t, &r);
    } while (back && find_way());
    judged.several |= r.steps > 1;
    return back;
}

/* ---- all threads ---- */

static bool spins(runtime_thread *t, const operation *op) {
    bool waits = !operation_enabled(op);
    if (t->spin_closed) {
        return true;
    }
    if (runtime.versions) {
        runtime_update(t); /* a lock that polls is blocked by nothing else */
        waits = spin_waits(t, CHOICE_NONE);
    }
    return op->flags & OPERATION_SPINS && waits && spin_find_sync(t);
}

static enum target_ending judge(void) {
    bool others = false, spin = false;
    for (uint32_t i = 0; i < runtime.thread_count; i++) {
        const operation *op = runtime_pending(NULL, i); /* running the loop has cleared it */
        bool spinning = op && spins(&runtime.threads[i], op);
        if (spinning && !goes_round(&runtime.threads[i])) {
            return ENDING_ARTIFACT;
        }
        spin |= spinning;
        others |= op && !spinning;
    }
    return spin && !others ? ENDING_LIVELOCK : ENDING_DEADLOCK;
}

enum target_ending spin_judge(void) {
    if (!judged.known) {
        judged.several = false;
        judged.ending = judge();
        judged.known = true;
    }
    return judged.ending;
}

bool spin_rounds_are_long(void) {
    CHECK(judged.known);
    return judged.several;
}
