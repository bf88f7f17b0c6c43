#include "targets/runtime/sync/timeout.h"

#include "base/limit.h"
#include "targets/runtime/kernel/spin.h"
#include "targets/runtime/sync/clock.h"
#include "targets/runtime/sync/rounds.h"

/* All events so far: the causes of the time-out that is due. At most one is due at any time. */
static cause everything[RUNTIME_MAX_THREADS + 1];
static const runtime_thread *forced;
static bool asking; /* whether somebody can continue without timing out */

bool timeout_has_passed(const runtime_thread *t, uint64_t deadline) {
    CHECK(deadline != DEADLINE_INVALID);
    return runtime.settings.timeouts != TIMEOUTS_NEVER && deadline <= t->time;
}

static bool is_again(runtime_thread *t, uint32_t location) {
    return runtime.settings.timeouts != TIMEOUTS_NEVER && rounds_repeat(t, location);
}

bool timeout_is_try(runtime_thread *t, uint64_t deadline, uint32_t location) {
    bool may = timeout_may_come_anytime() || timeout_has_passed(t, deadline);
    bool again = (may ? runtime.timed : runtime.spinning) && is_again(t, location);
    return may && !again;
}

bool timeout_may_come_early(runtime_thread *t, uint64_t deadline, uint32_t location) {
    if (deadline == DEADLINE_NONE || timeout_may_come_anytime()) {
        return deadline != DEADLINE_NONE && !rounds_repeat(t, location);
    }
    if (runtime.spinning) {
        is_again(t, location);
    }
    bool first = !t->was_late && timeout_has_passed(t, deadline);
    t->was_late |= first;
    return first;
}

void timeout_force(const runtime_thread *t) {
    CHECK(t->times_out && !forced);
    forced = t;
}

void timeout_set(runtime_thread *t, uint64_t deadline) {
    t->times_out = runtime.settings.timeouts == TIMEOUTS_IDLE || t->round_again;
    t->deadline = deadline;
}

/* A loop around a wait that nobody ends is left waiting after so many time-outs during which no
 * other thread has done anything. */
enum { TIMEOUTS_IN_A_ROW = 100 };

static void count_timeout(runtime_thread *t) {
    uint64_t others = 0;
    t->tail_used = true;
    rounds_note_timeout(t);
    for (uint32_t i = 0; i < runtime.thread_count; i++) {
        const runtime_thread *other = &runtime.threads[i];
        others += other == t ? 0 : runtime.spinning ? other->effects : other->events;
    }
    t->timeouts_in_a_row = others == t->others_at_timeout ? t->timeouts_in_a_row + 1 : 1;
    t->others_at_timeout = others;
    if (t->timeouts_in_a_row == TIMEOUTS_IN_A_ROW) {
        runtime_fail(t, ERROR_UNFINISHED, t->pending.location,
                     "%d time-outs in a row, while no other thread did anything",
                     TIMEOUTS_IN_A_ROW);
    }
}

bool timeout_clear(runtime_thread *t) {
    CHECK(t->timeouts_in_a_row < TIMEOUTS_IN_A_ROW);
    bool ends = t->times_out || (t->refresh && t->refresh->timer);
    bool timed_out = ends && t->pending.kind == OPERATION_TIMEOUT;
    t->times_out = false;
    forced = NULL;
    if (timed_out) {
        count_timeout(t);
    }
    if (timed_out && runtime.spinning && !runtime.versions) {
        spin_go_round_again(t);
    }
    return timed_out;
}

static bool somebody_is_enabled(void) {
    bool found = false;
    for (uint32_t i = 0; i < runtime.thread_count && !found; i++) {
        const operation *pending = runtime_pending(NULL, i);
        found = pending && operation_enabled(pending);
    }
    return found;
}

/* Whether somebody can continue without timing out; `t` asks. So can a thread that waits in a loop
 * which it would leave, or go on in, if it went round once more: the execution in which it does is
 * another one, and this one ends here (spin_judge). Looking at the others may run the program
 * again, which announces all operations again, as if they were enabled. */
static bool somebody_continues(runtime_thread *t) {
    CHECK(!asking && t->refresh);
    asking = true;
    bool found = somebody_is_enabled();
    if (runtime.spinning && !found) {
        found = spin_judge() == ENDING_ARTIFACT;
        if (runtime.versions && !found && spin_rounds_are_long()) {
            limit_reached(LIMIT_LATE); /* after it they could repeat their loops */
        }
        CHECK(!somebody_is_enabled());
    }
    if (runtime.spinning) {
        t->refresh->update(t);
    }
    asking = false;
    return found;
}

/* When its wait ends, if nothing else happens; DEADLINE_NONE: never. Others arm and disarm the
 * timers that it waits for. */
static uint64_t end_of(const runtime_thread *t) {
    bool times = t->refresh && t->refresh->timer && runtime.settings.timeouts == TIMEOUTS_IDLE;
    uint64_t timer = times ? t->refresh->timer(t) : DEADLINE_NONE;
    return t->times_out && t->deadline < timer ? t->deadline : timer;
}

static bool is_first(const runtime_thread *t) {
    uint64_t end = end_of(t);
    for (uint32_t i = 0; i < runtime.thread_count; i++) {
        const runtime_thread *other = &runtime.threads[i];
        if (other->status != THREAD_LIVE || other == t) {
            continue;
        }
        uint64_t earlier = end_of(other);
        if ((earlier < end || (earlier == end && other->number < t->number)) &&
            !rounds_go_on(other)) {
            return false;
        }
    }
    return true;
}

void timeout_start_over(runtime_thread *t, enum operation_kind kind) {
    operation *o = &t->pending;
    o->kind = kind;
    o->flags = OPERATION_VARIES | OPERATION_BLOCKS;
    o->causes = t->causes;
    o->cause_count = t->events == 0 && t->number != RUNTIME_MAIN;
    o->supply_count = 0;
}

void timeout_refresh(runtime_thread *t) {
    bool taken = t == runtime.stepping || t == forced; /* what is taken was due */
    if (end_of(t) == DEADLINE_NONE ||
        (!taken && (asking || rounds_go_on(t) || !is_first(t) || somebody_continues(t)))) {
        return;
    }
    uint32_t birth = t->events == 0 && t->number != RUNTIME_MAIN, count = birth;
    everything[0] = t->causes[0];
    for (uint32_t i = 0; i < runtime.thread_count; i++) {
        const runtime_thread *other = &runtime.threads[i];
        if (other->status != THREAD_NONE && other->events) {
            everything[count++] = (cause){i, other->events};
        }
    }
    CHECK(count <= RUNTIME_MAX_THREADS + 1);
    t->pending.instead = t->pending.kind;
    t->pending.kind = OPERATION_TIMEOUT;
    t->pending.flags = OPERATION_ENABLED | OPERATION_VARIES | OPERATION_BLOCKS;
    t->pending.causes = everything;
    t->pending.cause_count = count;
    t->pending.supply_count = count - birth;
}
