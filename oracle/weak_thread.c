#include "oracle/weak_thread.h"

#include "base/check.h"

enum { MOST_LOCAL_STEPS = 1000 };

static bool is_known(const instruction *i) {
    switch (i->kind) {
        case INSTRUCTION_READ:
        case INSTRUCTION_WRITE:
        case INSTRUCTION_ADD:
        case INSTRUCTION_EXCHANGE:
        case INSTRUCTION_CAS:
        case INSTRUCTION_AWAIT:
        case INSTRUCTION_LOCK:
        case INSTRUCTION_UNLOCK:
        case INSTRUCTION_TRYLOCK:
        case INSTRUCTION_CHOOSE:
        case INSTRUCTION_FENCE:
        case INSTRUCTION_SPAWN:
        case INSTRUCTION_JOIN: return i->cell.count <= 1;
        case INSTRUCTION_SET:
        case INSTRUCTION_ASSUME:
        case INSTRUCTION_ASSERT:
        case INSTRUCTION_END: return true;
        default: return weak_sync_is(i->kind) && i->cell.count <= 1 && i->mutex.count <= 1;
    }
}

static bool is_plain(const program *p, const instruction *i) {
    return (i->kind == INSTRUCTION_READ || i->kind == INSTRUCTION_WRITE) &&
           vector_at(&p->cells, i->cell.first).plain;
}

/* It accesses a plain variable, but not plainly. */
static bool is_mixed(const program *p, const instruction *i) {
    return i->kind <= INSTRUCTION_AWAIT && vector_at(&p->cells, i->cell.first).plain &&
           !is_plain(p, i);
}

static bool is_judged(const program *p, const model_thread *t, uint32_t at) {
    const instruction *i = &vector_at(&t->code, at);
    bool jumps = i->kind == INSTRUCTION_JUMP || i->kind == INSTRUCTION_BRANCH;
    return jumps || (is_known(i) && !is_mixed(p, i));
}

bool weak_can_judge(const program *p) {
    if (p->threads.count > WEAK_THREADS || p->cells.count > WEAK_CELLS) {
        return false;
    }
    for (uint32_t t = 0; t < p->threads.count; t++) {
        const model_thread *thread = &vector_at(&p->threads, t);
        bool good = thread->register_count <= WEAK_REGISTERS;
        for (uint32_t i = 0; good && i < thread->code.count; i++) {
            good = is_judged(p, thread, i);
        }
        if (!good) {
            return false;
        }
    }
    return true;
}

static int64_t value_of(const program *p, const weak_thread *t, uint32_t expression) {
    int64_t value = 0;
    if (expression != EXPRESSION_NONE) {
        bool good = program_evaluate(p, expression, t->registers, &value);
        CHECK(good);
    }
    return value;
}

static const instruction *next_of(const program *p, const weak_thread *t, uint32_t number) {
    return &vector_at(&vector_at(&p->threads, number).code, t->counter);
}

/* Local code, up to the next operation. */
static void run(const program *p, weak_thread *t, uint32_t number) {
    for (uint32_t n = 0; t->status == WEAK_RUNS; n++) {
        if (n > MOST_LOCAL_STEPS) {
            t->status = WEAK_LOST;
            return;
        }
        const instruction *i = next_of(p, t, number);
        int64_t a = value_of(p, t, i->a);
        switch (i->kind) {
            case INSTRUCTION_SET:
                if (i->result != REGISTER_NONE) {
                    t->registers[i->result] = a;
                }
                t->counter++;
                break;
            case INSTRUCTION_JUMP: t->counter = i->jump; break;
            case INSTRUCTION_BRANCH: t->counter = a ? t->counter + 1 : i->jump; break;
            case INSTRUCTION_ASSUME:
                t->status = a ? WEAK_RUNS : WEAK_ASSUMED;
                t->counter += a != 0;
                break;
            case INSTRUCTION_ASSERT:
                t->status = a ? WEAK_RUNS : WEAK_FAILED;
                t->counter += a != 0;
                break;
            case INSTRUCTION_END: t->status = WEAK_ENDED; break;
            default: return;
        }
    }
}

void weak_start(const program *p, weak_thread *t, uint32_t number) {
    t->status = WEAK_RUNS;
    run(p, t, number);
}

/* ---- plain accesses ---- */

bool weak_is_plain(const program *p, const weak_thread *t, uint32_t number) {
    return t->status == WEAK_RUNS && !t->waited && is_plain(p, next_of(p, t, number));
}

bool weak_pass(const program *p, weak_thread *t, uint32_t number, const weak_plain *plain,
               bool *wrote) {
    for (uint32_t n = 0; weak_is_plain(p, t, number); n++) {
        const instruction *i = next_of(p, t, number);
        if (n > MOST_LOCAL_STEPS) {
            t->status = WEAK_LOST;
            return false;
        }
        if (i->kind == INSTRUCTION_WRITE) {
            *wrote = true;
            if (!plain->write) {
                return false;
            }
            plain->write(plain->context, number, i->cell.first, value_of(p, t, i->a));
        } else {
            int64_t value = plain->read(plain->context, number, i->cell.first);
            if (i->result != REGISTER_NONE) {
                t->registers[i->result] = value;
            }
        }
        t->counter += t->status == WEAK_RUNS;
        run(p, t, number);
    }
    return true;
}

void weak_begin(const program *p, weak_thread *t, uint32_t number, const weak_plain *plain) {
    bool wrote;
    weak_pass(p, t, number, plain, &wrote);
    weak_arrive(p, t, number);
}

/* ---- operations ---- */

weak_op weak_pending(const program *p, const weak_thread *t, uint32_t number) {
    static const instruction unlock = {.kind = INSTRUCTION_UNLOCK, .result = REGISTER_NONE},
                             lock = {.kind = INSTRUCTION_LOCK, .result = REGISTER_NONE};
    const instruction *i = next_of(p, t, number);
    if (t->waited) {
        return (weak_op){t->waited == 1 ? &unlock : &lock, i->mutex.first, 0, 0, false};
    }
    weak_op op = {i, i->cell.first, value_of(p, t, i->a), value_of(p, t, i->b), false};
    op.fails =
        (i->kind == INSTRUCTION_RELEASE && !t->shares[op.cell] && !(t->held >> op.cell & 1)) ||
        (i->kind == INSTRUCTION_WAIT && !(t->held >> i->mutex.first & 1));
    return op;
}

bool weak_sleeps(const weak_thread *t) {
    return t->waited == 2 && !t->woken;
}

bool weak_reads(const weak_op *op) {
    switch (op->instruction->kind) {
        case INSTRUCTION_READ:
        case INSTRUCTION_ADD:
        case INSTRUCTION_EXCHANGE:
        case INSTRUCTION_CAS:
        case INSTRUCTION_AWAIT:
        case INSTRUCTION_LOCK:
        case INSTRUCTION_TRYLOCK: return true;
        case INSTRUCTION_ONCE_END: return false;
        default: return weak_sync_is(op->instruction->kind) && !op->fails;
    }
}

bool weak_writes(const weak_op *op, const weak_thread *t, int64_t value) {
    switch (op->instruction->kind) {
        case INSTRUCTION_WRITE:
        case INSTRUCTION_ADD:
        case INSTRUCTION_EXCHANGE:
        case INSTRUCTION_LOCK: return true;
        case INSTRUCTION_CAS: return value == op->a;
        case INSTRUCTION_TRYLOCK: return value == 0;
        case INSTRUCTION_UNLOCK: return t->held >> op->cell & 1;
        default:
            return weak_sync_is(op->instruction->kind) && !op->fails &&
                   weak_sync_writes(op->instruction->kind, value);
    }
}

bool weak_holds(const weak_op *op, int64_t value) {
    int64_t holds = 1;
    if (op->instruction->kind == INSTRUCTION_LOCK) {
        return value == 0 || value == WEAK_DESTROYED;
    }
    if (weak_sync_is(op->instruction->kind)) {
        return weak_sync_holds(op->instruction->kind, value);
    }
    if (op->instruction->kind == INSTRUCTION_AWAIT) {
        expression_apply(op->instruction->compare, value, op->a, &holds);
    }
    return holds != 0;
}

bool weak_passes(const program *p, const weak_thread *t, uint32_t number, const weak_op *op,
                 int64_t value, const weak_plain *plain) {
    return weak_holds(op, value) && !weak_closes_round(p, t, number, op, value, plain);
}

int64_t weak_written(const weak_op *op, uint32_t thread, int64_t value) {
    switch (op->instruction->kind) {
        case INSTRUCTION_ADD: return (int64_t)((uint64_t)value + (uint64_t)op->a);
        case INSTRUCTION_CAS: return op->b;
        case INSTRUCTION_LOCK:
        case INSTRUCTION_TRYLOCK: return value == WEAK_DESTROYED ? value : thread + 1;
        case INSTRUCTION_UNLOCK: return 0;
        case INSTRUCTION_WRITE:
        case INSTRUCTION_EXCHANGE: return op->a;
        default: return weak_sync_written(op->instruction->kind, thread, value);
    }
}

enum access_order weak_order(const weak_op *op, int64_t value) {
    switch (op->instruction->kind) {
        case INSTRUCTION_LOCK: return ORDER_ACQUIRE;
        case INSTRUCTION_TRYLOCK: return value == 0 ? ORDER_ACQUIRE : ORDER_RELAXED;
        case INSTRUCTION_UNLOCK: return ORDER_RELEASE;
        case INSTRUCTION_CAS:
            return value == op->a ? op->instruction->order : op->instruction->failure;
        default:
            return weak_sync_is(op->instruction->kind)
                       ? weak_sync_order(op->instruction->kind, value)
                       : op->instruction->order;
    }
}

static int64_t result_of(const weak_op *op, int64_t value) {
    switch (op->instruction->kind) {
        case INSTRUCTION_CAS: return value == op->a;
        case INSTRUCTION_TRYLOCK: return value == 0;
        default:
            return weak_sync_is(op->instruction->kind)
                       ? weak_sync_result(op->instruction->kind, value)
                       : value;
    }
}

void weak_fail(weak_thread *t) {
    t->status = WEAK_FAILED;
}

void weak_continue(const program *p, weak_thread *t, uint32_t number, const weak_op *op,
                   int64_t value) {
    enum instruction_kind kind = op->instruction->kind;
    bool gives = weak_reads(op) || kind == INSTRUCTION_CHOOSE;
    bool locks = kind == INSTRUCTION_LOCK || kind == INSTRUCTION_TRYLOCK;
    bool takes = locks && value == 0;
    if ((kind == INSTRUCTION_UNLOCK && !(t->held >> op->cell & 1)) ||
        (locks && value == WEAK_DESTROYED) ||
        (weak_sync_is(kind) && !weak_sync_hold(t, op, value))) {
        weak_fail(t);
        return;
    }
    t->held |= (uint32_t)takes << op->cell;
    t->held &= kind == INSTRUCTION_UNLOCK ? ~(1u << op->cell) : UINT32_MAX;
    if (gives && op->instruction->result != REGISTER_NONE) {
        t->registers[op->instruction->result] = result_of(op, value);
    }
    bool waits = t->waited || kind == INSTRUCTION_WAIT;
    t->waited = (uint8_t)(waits ? (t->waited + 1) % 3 : 0);
    t->woken = t->waited ? t->woken : 0;
    if (t->waited) {
        return;
    }
    t->counter++;
    run(p, t, number);
}

void weak_resume(const program *p, weak_thread *t, uint32_t number, const weak_op *op,
                 int64_t value, const weak_plain *plain) {
    weak_thread before = *t;
    bool wrote = false;
    weak_continue(p, t, number, op, value);
    weak_pass(p, t, number, plain, &wrote);
    weak_note_step(p, t, number, &before, op, value, wrote);
}

hash weak_hash_thread(const program *p, const weak_thread *t, uint32_t number) {
    hash h = hash_append((hash){21, 22}, (uint64_t)t->status << 32 | t->counter);
    h = hash_append(h, (uint64_t)t->waited << 1 | (t->woken != 0));
    for (uint32_t i = 0; i < vector_at(&p->threads, number).register_count; i++) {
        h = hash_append(h, (uint64_t)t->registers[i]);
    }
    return h;
}
