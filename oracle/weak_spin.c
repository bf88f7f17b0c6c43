/* Void rounds of threads under weak memory models: what machine_spin.c is for one memory. */
#include "oracle/machine_spin.h"
#include "oracle/weak_thread.h"

enum { MOST_ROUND_STEPS = 500 };

static uint64_t local_state(const program *p, const weak_thread *t, uint32_t number) {
    hash h = hash_append((hash){31, 32}, t->counter);
    for (uint32_t i = 0; i < vector_at(&p->threads, number).register_count; i++) {
        if (machine_register_matters(p, number, t->counter, i)) {
            h = hash_append(hash_append(h, i), (uint64_t)t->registers[i]);
        }
    }
    return h.low;
}

static bool was_here(const program *p, const weak_thread *t, uint32_t number) {
    uint64_t now = local_state(p, t, number);
    for (uint32_t i = 0; i < t->past_count; i++) {
        if (t->past[i] == now) {
            return true;
        }
    }
    return false;
}

/* ---- what operations do ---- */

static bool may_wait(enum instruction_kind kind) {
    return kind == INSTRUCTION_READ || kind == INSTRUCTION_AWAIT || kind == INSTRUCTION_CAS ||
           kind == INSTRUCTION_ADD || kind == INSTRUCTION_EXCHANGE || kind == INSTRUCTION_TRYLOCK ||
           weak_sync_tries(kind);
}

/* Others cannot see that it was done. */
static bool is_void(const weak_op *op, const weak_thread *before, uint32_t number, int64_t value) {
    enum instruction_kind kind = op->instruction->kind;
    bool same = !weak_writes(op, before, value) || weak_written(op, number, value) == value;
    return kind == INSTRUCTION_FENCE || (may_wait(kind) && same);
}

/* It locks a mutex that the thread, which is then as in `after`, unlocks at once, or after plain
 * reads. */
static bool opens_empty_section(const program *p, const weak_op *op, const weak_thread *after,
                                uint32_t number) {
    if (op->instruction->kind != INSTRUCTION_LOCK || after->status != WEAK_RUNS) {
        return false;
    }
    weak_op next = weak_pending(p, after, number);
    return next.instruction->kind == INSTRUCTION_UNLOCK && next.cell == op->cell &&
           !machine_mutex_is_seen(p, op->cell);
}

typedef struct reader {
    const weak_plain *plain;
    bool reads;
} reader;

static int64_t read_now(void *context, uint32_t thread, uint32_t cell) {
    reader *r = context;
    r->reads = true;
    return r->plain->read(r->plain->context, thread, cell);
}

/* Plain reads only, which are noted. */
static bool pass(const program *p, weak_thread *t, uint32_t number, reader *r) {
    bool wrote = false;
    return weak_pass(p, t, number, &(weak_plain){.read = read_now, .context = r}, &wrote);
}

/* Does the operation, and the unlock after a section in which nothing is changed; false: it would
 * not be void. */
static bool take_void(const program *p, weak_thread *t, uint32_t number, const weak_op *op,
                      int64_t value, reader *r) {
    weak_thread before = *t;
    if (!weak_holds(op, value)) {
        return false;
    }
    weak_continue(p, t, number, op, value);
    if (!pass(p, t, number, r)) {
        return false;
    }
    if (opens_empty_section(p, op, t, number)) {
        weak_op unlock = weak_pending(p, t, number);
        weak_continue(p, t, number, &unlock, 0);
        if (!pass(p, t, number, r)) {
            return false;
        }
    } else if (!is_void(op, &before, number, value)) {
        return false;
    }
    return t->status == WEAK_RUNS;
}

bool weak_closes_round(const program *p, const weak_thread *t, uint32_t number, const weak_op *op,
                       int64_t value, const weak_plain *plain) {
    enum instruction_kind kind = op->instruction->kind;
    weak_thread after = *t;
    reader r = {.plain = plain};
    return t->past_count && (may_wait(kind) || kind == INSTRUCTION_LOCK) &&
           take_void(p, &after, number, op, value, &r) && was_here(p, &after, number) &&
           !(r.reads && t->rounds < t->patience);
}

/* ---- histories ---- */

void weak_arrive(const program *p, weak_thread *t, uint32_t number) {
    if (t->status != WEAK_RUNS || !machine_has_loops(p)) {
        return;
    }
    if (t->past_count == WEAK_PAST) {
        t->status = WEAK_LOST;
        return;
    }
    t->past[t->past_count++] = local_state(p, t, number);
}

void weak_note_step(const program *p, weak_thread *t, uint32_t number, const weak_thread *before,
                    const weak_op *op, int64_t value, bool wrote) {
    bool opens = opens_empty_section(p, op, t, number) && !wrote, ends = before->in_section;
    t->in_section = opens;
    if (wrote || (!opens && !ends && !is_void(op, before, number, value))) {
        t->past_count = t->rounds = 0;
    }
    if (!opens) {
        t->rounds = (uint8_t)(t->rounds + (t->status == WEAK_RUNS && was_here(p, t, number)));
        weak_arrive(p, t, number);
    }
}

/* ---- stuck ---- */

bool weak_goes_round(const program *p, const weak_thread *t, uint32_t number,
                     const weak_plain *memory) {
    weak_thread alone = *t;
    reader r = {.plain = memory};
    uint64_t kept = local_state(p, t, number);
    for (uint32_t n = 1; n < MOST_ROUND_STEPS; n++) {
        weak_op op = weak_pending(p, &alone, number);
        int64_t value = weak_reads(&op) ? memory->read(memory->context, number, op.cell) : 0;
        if (!take_void(p, &alone, number, &op, value, &r)) {
            return false;
        }
        if (local_state(p, &alone, number) == kept) {
            return true;
        }
        kept = (n & (n - 1)) == 0 ? local_state(p, &alone, number) : kept;
    }
    return false;
}
