#include "targets/runtime/kernel/state.h"

#include "targets/runtime/kernel/errors.h"
#include "targets/runtime/libc/channels.h"
#include "targets/runtime/memory/globals.h"
#include "targets/runtime/memory/heap.h"
#include "targets/runtime/memory/hidden.h"
#include "targets/runtime/memory/space.h"
#include "targets/runtime/race/race.h"
#include "targets/runtime/sync/clock.h"
#include "targets/runtime/sync/inbox.h"
#include "targets/runtime/sync/sync.h"

typedef struct state_header {
    uint64_t size;       /* of all */
    uint64_t equal_size; /* of what counts for equality, header included */
} state_header;

/* All of a thread that others or its own later steps can observe. Its frames hold values that are
 * dead, too: a difference there makes equal states look different, which loses reduction but
 * nothing else. */
static void pass_thread(state_cursor *c, runtime_thread *t, bool left_out) {
    STATE_PASS(c, t->status);
    STATE_PASS(c, t->joined);
    STATE_PASS(c, t->gone);
    STATE_PASS(c, t->detached);
    STATE_PASS(c, t->creations);
    STATE_PASS(c, t->random.state);
    if (!left_out) {
        STATE_PASS(c, t->time);
        STATE_PASS(c, t->slept);
    } else if (runtime.timed) {
        uint64_t seen = t->time - t->slept;
        STATE_PASS(c, seen);
    }
    STATE_PASS(c, t->signal_mask);
    STATE_PASS(c, t->heap.next);
    state_pass(c, t->heap.free_blocks, sizeof t->heap.free_blocks);
    uintptr_t heap = heap_first(t->number);
    state_pass(c, (void *)heap, t->heap.next > heap ? t->heap.next - heap : 0);
    if (t->status != THREAD_LIVE) {
        STATE_PASS(c, t->result);
        return;
    }
    if (left_out) {
        return;
    }
    STATE_PASS(c, t->error_number);
    STATE_PASS(c, t->sync);
    STATE_PASS(c, t->waits_in);
    STATE_PASS(c, t->woken);
    STATE_PASS(c, t->timed);
    STATE_PASS(c, t->round_count);
    state_pass(c, t->rounds, t->round_count * sizeof *t->rounds);
    STATE_PASS(c, t->round_held);
    STATE_PASS(c, t->round);
    STATE_PASS(c, t->round_again);
    STATE_PASS(c, t->cancel_state);
    STATE_PASS(c, t->cancelled);
    STATE_PASS(c, t->wait_is_point);
    STATE_PASS(c, t->woken_to_end);
    STATE_PASS(c, t->context);
    uintptr_t low = t->context.stack_pointer;
    state_pass(c, (void *)low, t->own_low + t->own_size - low);
}

/* Of threads that take no more steps, and of the one whose stack is left out: what others may still
 * look at. Granules that turned out to be shared since a save make the exploration start over. */
static void pass_left_stacks(state_cursor *c, const runtime_thread *left_out) {
    uint32_t count = space_shared_count();
    STATE_PASS(c, count);
    for (uint32_t i = 0; i < count; i++) {
        uintptr_t address = space_shared_granule(i);
        const runtime_thread *owner = &runtime.threads[space_stack_owner(address)];
        CHECK(address - owner->own_low < owner->own_size || owner->status == THREAD_NONE);
        bool ended = owner->status != THREAD_LIVE && owner->status != THREAD_NONE;
        if (ended || (owner == left_out && address >= owner->context.stack_pointer)) {
            state_pass(c, (void *)address, sizeof(uint64_t));
        }
    }
}

/* What counts for equality; but for the stack of a thread, if there is one. */
static void pass_visible(state_cursor *c, const runtime_thread *left_out) {
    STATE_PASS(c, runtime.exited);
    STATE_PASS(c, runtime.failed);
    STATE_PASS(c, runtime.thread_count);
    globals_pass(c);
    for (uint32_t i = 0; i < runtime.thread_count; i++) {
        runtime.threads[i].number = i;
        pass_thread(c, &runtime.threads[i], &runtime.threads[i] == left_out);
    }
    pass_left_stacks(c, left_out);
    sync_pass_visible(c);
    inbox_pass_visible(c);
    clock_pass_state(c);
    hidden_pass(c);
    channels_pass(c);
}

/* The rest of the control blocks, but for what outlives executions. */
static void pass_control_blocks(state_cursor *c) {
    for (uint32_t i = 0; i < runtime.thread_count; i++) {
        runtime_thread *t = &runtime.threads[i];
        uintptr_t limit = t->heap.limit, stack_used = t->stack_used;
        uintptr_t touched = t->heap.touched;
        uint32_t stack_looks = t->stack_looks;
        state_pass(c, t, RUNTIME_TAIL);
        state_pass(c, t->keys, sizeof *t - offsetof(runtime_thread, keys));
        t->heap.limit = limit;
        t->stack_used = stack_used;
        t->stack_looks = stack_looks;
        t->heap.touched = touched;
        heap_pass(c, t);
    }
}

static void pass_all(state_cursor *c, state_header *header) {
    STATE_PASS(c, *header);
    pass_visible(c, NULL);
    header->equal_size = c->size;
    pass_control_blocks(c);
    sync_pass_rest(c);
    inbox_pass_rest(c);
    race_pass(c);
    header->size = c->size;
}

size_t state_save_rest(const runtime_thread *t, void *to) {
    state_cursor c = {.direction = to ? CURSOR_SAVES : CURSOR_MEASURES, .at = to};
    pass_visible(&c, t);
    return c.size;
}

size_t runtime_state_size(target *target) {
    (void)target;
    state_cursor c = {.direction = CURSOR_MEASURES};
    state_header header;
    pass_all(&c, &header);
    return c.size;
}

void runtime_save(target *target, void *state) {
    (void)target;
    CHECK(!runtime.current);
    runtime.exact = true;
    undo_disable();
    state_cursor c = {.direction = CURSOR_SAVES, .at = state};
    state_header header = {0};
    pass_all(&c, &header);
    CHECK(header.equal_size > sizeof header && header.equal_size < header.size);
    memcpy(state, &header, sizeof header);
}

/* Resets synchronisation objects and threads that the state does not know. */
static void forget_later(uint32_t thread_count) {
    sync_reset();
    inbox_reset();
    for (uint32_t i = 0; i < thread_count; i++) {
        heap_end(&runtime.threads[i]);
        runtime.threads[i].status = THREAD_NONE;
        runtime.threads[i].waits_in = 0;
    }
}

void runtime_restore(target *target, const void *state) {
    (void)target;
    state_cursor c = {.direction = CURSOR_RESTORES, .at = (unsigned char *)state};
    state_header header, saved;
    CHECK(!runtime.current);
    memcpy(&saved, state, sizeof saved);
    forget_later(runtime.thread_count);
    pass_all(&c, &header);
    CHECK(header.size == saved.size && header.equal_size == saved.equal_size);
    runtime.steps++; /* what was found out about the present is stale */
    undo_stray();
    errors_clear();
    runtime.starting_count = 0;
}

void runtime_expect_comparisons(target *target) {
    (void)target;
    runtime.exact = true;
    undo_disable();
}

bool runtime_equal(target *target, const void *state, const void *other) {
    (void)target;
    state_header a, b;
    memcpy(&a, state, sizeof a);
    memcpy(&b, other, sizeof b);
    size_t start = sizeof(state_header);
    return a.equal_size == b.equal_size &&
           memcmp((const char *)state + start, (const char *)other + start, a.equal_size - start) ==
               0;
}
