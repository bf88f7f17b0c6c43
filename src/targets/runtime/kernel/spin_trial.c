#include "targets/runtime/kernel/spin_trial.h"

#include "base/vector.h"
#include "targets/runtime/kernel/spin.h"
#include "targets/runtime/kernel/spin_reads.h"
#include "targets/runtime/kernel/spin_tried.h"
#include "targets/runtime/memory/space.h"

static VECTOR(spin_part) path; /* since the program started */
static VECTOR(spin_part) again;

static struct {
    bool trying;
    bool returning;
    bool effect;      /* the current step has one */
    bool stale, echo; /* before */
} now;

void spin_trial_close(void) {
    vector_free(&path);
    vector_free(&again);
    now.trying = now.returning = now.effect = false;
}

bool spin_is_trying(void) {
    return now.trying;
}

bool spin_is_returning(void) {
    return now.returning;
}

void spin_trial_restart(void) {
    CHECK(!now.trying); /* what is tried has no end but spin_trial_end */
    path.count = 0;
}

void spin_trial_note_part(const spin_part *part) {
    CHECK(!part->inner || (path.count && part->step.choice == CHOICE_NONE));
    vector_push(&path, *part);
    now.effect = false;
}

void spin_effect(void) {
    now.effect = true;
}

bool spin_has_effect(void) {
    return now.effect;
}

/* What a thread writes to its own stack is seen by what it leaves there (state_save_rest). */
static __attribute__((noinline)) void note(runtime_thread *t, uintptr_t address, size_t size,
                                           uint8_t mode) {
    bool writes = mode != ACCESS_READ;
    t->spin_looks += !writes && !space_private(t, address, size) && !space_constant(address);
    now.effect = now.effect || (writes && address - t->own_low >= t->own_size);
    if (now.trying) {
        spin_tried_read(address, size, mode == ACCESS_WRITE);
    } else {
        spin_reads_note_plain(t, address, size, writes);
    }
}

/* What was called leaves something else on the stack of the thread while a step is tried. */
void spin_note(runtime_thread *t, uintptr_t address, size_t size, uint8_t mode) {
    note(t, address, size, mode);
    runtime_clear_dead_stack();
}

void spin_note_free(const runtime_thread *t, uintptr_t address, size_t size) {
    if (!now.trying) {
        spin_reads_note_plain(t, address, size, true);
    }
}

void spin_note_footprint(const runtime_thread *t, footprint f) {
    for (uint32_t i = 0; i < footprint_count(f); i++) {
        memory_access a = footprint_access(f, i);
        if (a.mode & ACCESS_WRITE && !now.trying) {
            spin_reads_note_write(t, space_object_address(a.object), GRANULE_SIZE);
        }
    }
}

/* Goes back to where the program was before something was tried. Nothing is tried on the way: if
 * heddle has left other values on a stack than before, the step counts as one with an effect. */
static void put_back(void) {
    step_result result;
    bool echo = runtime.settings.echo;
    CHECK(!now.trying && !now.returning);
    runtime.settings.echo = false; /* what was printed stays printed */
    now.returning = true;
    vector_assign(&again, path.items, path.count);
    runtime_start_over();
    for (uint32_t i = 0; i < again.count; i++) {
        spin_take(&vector_at(&again, i), &result);
    }
    CHECK(path.count == again.count);
    runtime.settings.echo = echo;
    now.returning = false;
}

void spin_trial_begin(runtime_thread *t, bool locks) {
    CHECK(!now.trying && !now.returning && t->status == THREAD_LIVE);
    now.stale = space.target->stale;
    now.echo = runtime.settings.echo;
    runtime.settings.echo = false;
    now.trying = true;
    now.effect = false;
    spin_tried_start(locks);
}

void spin_trial_end(runtime_thread *t) {
    CHECK(now.trying);
    now.trying = false;
    space.target->stale |= now.stale;
    put_back();
    runtime.settings.echo = now.echo;
    runtime_update(t); /* the operation was announced again */
}
