/* Semaphores, read-write locks, barriers and onces. What happens before what:
 *
 * Semaphore: posts are ordered among themselves, and so are waits; the wait that takes what a post
 * has supplied comes after it. A trywait is ordered with both. The two chains are two bytes of the
 * semaphore's object. For strategies that cannot take a step on both (target.h: `fine`) a semaphore
 * that is tried anywhere has one chain, of which posts are readers.
 *
 * Read-write lock, fine: readers are ordered with writers only. Otherwise acquisitions for reading
 * are ordered among themselves, and releases are independent of them; if somebody tries to lock it
 * for writing, only two releases for reading are independent. Whether a thread holds it is known to
 * itself: a release in error depends on nothing.
 *
 * Barrier: an arrival never blocks; a departure comes after all arrivals of its group. Arrivals of
 * one group are independent. If more threads use the barrier than it waits for, who is in which
 * group depends on the order: arrivals are then ordered.
 *
 * Once: the first caller and the end of the initialisation write, all later callers read. */
#include <string.h>

#include "targets/abstract/interpreter_state.h"

enum { FIRST_PART = 1, SECOND_PART = 2, BOTH_PARTS = 3 };
enum { ONCE_NEW, ONCE_RUNS, ONCE_DONE };

/* What the cells of these kinds need beside their value. */
typedef struct semaphore_queue {
    uint32_t first, count; /* of the posts that nobody has taken, in a ring */
    cause posts[];
} semaphore_queue;

/* ---- room in the state ---- */

static bool has_loop(const program *p) {
    for (uint32_t t = 0; t < p->threads.count; t++) {
        const model_thread *thread = &vector_at(&p->threads, t);
        for (uint32_t i = 0; i < thread->code.count; i++) {
            if (instruction_jumps_back(&vector_at(&thread->code, i), i)) {
                return true;
            }
        }
    }
    return false;
}

static uint32_t count_posts(const program *p) {
    uint32_t count = 0;
    for (uint32_t t = 0; t < p->threads.count; t++) {
        const model_thread *thread = &vector_at(&p->threads, t);
        for (uint32_t i = 0; i < thread->code.count; i++) {
            count += vector_at(&thread->code, i).kind == INSTRUCTION_POST;
        }
    }
    return count;
}

static size_t room_of(const interpreter *m, const cell *c) {
    switch (c->kind) {
        case CELL_RWLOCK: return m->program->threads.count * sizeof(uint32_t);
        case CELL_SEMAPHORE: return sizeof(semaphore_queue) + m->post_limit * sizeof(cause);
        case CELL_BARRIER: return (size_t)c->initial * sizeof(cause);
        default: return 0;
    }
}

/* Some instruction of the thread may be of this kind and about this cell. */
static bool may_use(const model_thread *thread, enum instruction_kind kind, uint32_t cell) {
    for (uint32_t i = 0; i < thread->code.count; i++) {
        const instruction *in = &vector_at(&thread->code, i);
        if (in->kind == kind && cell - in->cell.first < in->cell.count) {
            return true;
        }
    }
    return false;
}

static uint32_t count_users(const program *p, enum instruction_kind kind, uint32_t cell) {
    uint32_t count = 0;
    for (uint32_t t = 0; t < p->threads.count; t++) {
        count += may_use(&vector_at(&p->threads, t), kind, cell);
    }
    return count;
}

static bool is_coarse(const program *p, uint32_t cell) {
    const struct cell *c = &vector_at(&p->cells, cell);
    switch (c->kind) {
        case CELL_SEMAPHORE: return count_users(p, INSTRUCTION_SEMAPHORE_TRY, cell) > 0;
        case CELL_RWLOCK: return count_users(p, INSTRUCTION_TRY_WRITE_LOCK, cell) > 0;
        case CELL_BARRIER: return count_users(p, INSTRUCTION_BARRIER, cell) > c->initial;
        default: return false;
    }
}

size_t model_plan_sync(interpreter *m) {
    const program *p = m->program;
    size_t size = 0;
    m->sync_rooms = memory_resize(NULL, 0, (p->cells.count + 1) * sizeof *m->sync_rooms);
    m->coarse = memory_resize(NULL, 0, p->cells.count + 1);
    m->post_limit = has_loop(p) ? POST_LIMIT : count_posts(p);
    /* Read-write locks first: the data of others is not part of compared states. */
    for (int locks = 1; locks >= 0; locks--) {
        for (uint32_t c = 0; c < p->cells.count; c++) {
            const cell *of = &vector_at(&p->cells, c);
            if ((of->kind == CELL_RWLOCK) == locks) {
                m->sync_rooms[c] = size;
                size += (room_of(m, of) + 7) & ~(size_t)7;
            }
            m->coarse[c] = is_coarse(p, c);
            if (of->kind == CELL_BARRIER && of->initial > m->barrier_most) {
                m->barrier_most = (uint32_t)of->initial;
            }
        }
        m->holds_size = locks ? size : m->holds_size;
    }
    m->leaves = size;
    return size + p->threads.count * (size_t)m->barrier_most * sizeof(cause);
}

void model_free_sync(interpreter *m) {
    uint32_t count = m->program->cells.count;
    memory_resize(m->sync_rooms, (count + 1) * sizeof *m->sync_rooms, 0);
    memory_resize(m->coarse, count + 1, 0);
}

static void *room(const interpreter *m, uint32_t cell) {
    return m->sync + m->sync_rooms[cell];
}

static cause *leave_causes(const interpreter *m, uint32_t t) {
    return (cause *)(m->sync + m->leaves) + (size_t)t * m->barrier_most;
}

static int64_t initial_of(const interpreter *m, uint32_t cell) {
    return vector_at(&m->program->cells, cell).initial;
}

/* ---- pending operations ---- */

static footprint part(const thread_state *thread, uint8_t bytes, enum access_mode mode) {
    return footprint_single((memory_access){thread->cell, bytes, (uint8_t)mode});
}

static footprint semaphore_footprint(const interpreter *m, const thread_state *thread) {
    bool posts = thread->operation.kind == OPERATION_POST;
    if (m->coarse[thread->cell] && !m->base.fine) {
        return part(thread, BOTH_PARTS, posts ? ACCESS_READ : ACCESS_READ_WRITE);
    }
    bool tries = thread->operation.kind == OPERATION_SEMAPHORE_TRY;
    return part(thread, posts ? SECOND_PART : tries ? BOTH_PARTS : FIRST_PART, ACCESS_READ_WRITE);
}

static void refresh_wait(interpreter *m, uint32_t t) {
    thread_state *thread = &m->threads[t];
    operation *op = &thread->operation;
    const semaphore_queue *queue = room(m, thread->cell);
    int64_t value = m->cells[thread->cell];
    op->cause_count = thread->events == 0 && thread->birth.events;
    op->supply_count = value > 0 && queue->count == value;
    if (op->supply_count) {
        thread->causes[op->cause_count++] = queue->posts[queue->first];
    }
    model_set_enabled(op, value > 0);
}

static bool holds_to_write(const interpreter *m, uint32_t t, uint32_t cell) {
    return m->cells[cell] == -(int64_t)t - 1;
}

static footprint lock_footprint(const interpreter *m, uint32_t t) {
    const thread_state *thread = &m->threads[t];
    enum operation_kind kind = thread->operation.kind;
    const uint32_t *holds = room(m, thread->cell);
    bool releases = kind == OPERATION_UNLOCK && !holds_to_write(m, t, thread->cell);
    if (releases && !holds[t]) {
        return FOOTPRINT_EMPTY; /* an error that depends on nobody else */
    }
    bool reads = releases || kind == OPERATION_READ_LOCK || kind == OPERATION_TRY_READ_LOCK;
    if (m->base.fine) {
        return part(thread, BOTH_PARTS, reads ? ACCESS_READ : ACCESS_READ_WRITE);
    }
    if (m->coarse[thread->cell]) {
        return part(thread, BOTH_PARTS, releases ? ACCESS_READ : ACCESS_READ_WRITE);
    }
    return releases ? part(thread, SECOND_PART, ACCESS_READ)
                    : part(thread, reads ? FIRST_PART : BOTH_PARTS, ACCESS_READ_WRITE);
}

void model_arrive_sync(interpreter *m, uint32_t t) {
    thread_state *thread = &m->threads[t];
    operation *op = &thread->operation;
    switch ((enum operation_kind)op->kind) {
        case OPERATION_SEMAPHORE_WAIT:
        case OPERATION_READ_LOCK:
        case OPERATION_WRITE_LOCK:
        case OPERATION_ONCE: op->flags |= OPERATION_VARIES | OPERATION_BLOCKS; break;
        default: break;
    }
}

void model_refresh_sync(interpreter *m, uint32_t t) {
    thread_state *thread = &m->threads[t];
    operation *op = &thread->operation;
    int64_t value = m->cells[thread->cell];
    switch ((enum operation_kind)op->kind) {
        case OPERATION_SEMAPHORE_WAIT: refresh_wait(m, t); /* fall through */
        case OPERATION_SEMAPHORE_TRY:
        case OPERATION_POST: op->footprint = semaphore_footprint(m, thread); break;
        case OPERATION_READ_LOCK:
        case OPERATION_WRITE_LOCK:
            model_set_enabled(op, op->kind == OPERATION_READ_LOCK ? value >= 0 : value == 0);
            /* fall through */
        case OPERATION_TRY_READ_LOCK:
        case OPERATION_TRY_WRITE_LOCK:
        case OPERATION_UNLOCK: op->footprint = lock_footprint(m, t); break;
        case OPERATION_ARRIVE:
            op->footprint = part(thread, ACCESS_ALL_BYTES,
                                 m->coarse[thread->cell] ? ACCESS_READ_WRITE : ACCESS_READ);
            break;
        case OPERATION_LEAVE:
            model_set_enabled(op, thread->phase == WAIT_RELEASED);
            op->causes = leave_causes(m, t);
            op->cause_count = operation_enabled(op) ? (uint32_t)initial_of(m, thread->cell) : 0;
            break;
        case OPERATION_ONCE:
            model_set_enabled(op, value != ONCE_RUNS);
            op->footprint =
                part(thread, ACCESS_ALL_BYTES, value == ONCE_NEW ? ACCESS_READ_WRITE : ACCESS_READ);
            break;
        default: op->footprint = part(thread, ACCESS_ALL_BYTES, ACCESS_READ_WRITE); break;
    }
}

/* ---- steps ---- */

static bool post(interpreter *m, uint32_t t) {
    thread_state *thread = &m->threads[t];
    semaphore_queue *queue = room(m, thread->cell);
    if (queue->count == m->post_limit) {
        model_fail(m, t, ERROR_UNFINISHED,
                   "more than 256 posts of a semaphore that no wait has taken");
        return false;
    }
    queue->posts[(queue->first + queue->count++) % m->post_limit] = (cause){t, thread->events};
    m->cells[thread->cell]++;
    return true;
}

/* Initial values are taken before posts. */
static void take_post(interpreter *m, uint32_t cell) {
    semaphore_queue *queue = room(m, cell);
    if (queue->count == m->cells[cell]) {
        queue->first = (queue->first + 1) % m->post_limit;
        queue->count--;
    }
    m->cells[cell]--;
}

static bool release(interpreter *m, uint32_t t) {
    uint32_t cell = m->threads[t].cell, *holds = room(m, cell);
    if (holds_to_write(m, t, cell)) {
        m->cells[cell] = 0;
    } else if (holds[t]) {
        holds[t]--;
        m->cells[cell]--;
    } else {
        model_fail(m, t, ERROR_MISUSE, "unlock of a read-write lock that the thread does not hold");
        return false;
    }
    return true;
}

/* It is free for it. */
static void take_lock(interpreter *m, uint32_t t, bool writes) {
    uint32_t cell = m->threads[t].cell, *holds = room(m, cell);
    if (writes) {
        m->cells[cell] = -(int64_t)t - 1;
    } else {
        holds[t]++;
        m->cells[cell]++;
    }
}

static bool try_lock(interpreter *m, uint32_t t, bool writes) {
    int64_t value = m->cells[m->threads[t].cell];
    bool obtained = writes ? value == 0 : value >= 0;
    if (obtained) {
        take_lock(m, t, writes);
    }
    return obtained;
}

/* The last one of a group lets all of them go. */
static void arrive_at_barrier(interpreter *m, uint32_t t) {
    thread_state *thread = &m->threads[t];
    cause *arrivals = room(m, thread->cell);
    int64_t most = initial_of(m, thread->cell);
    arrivals[m->cells[thread->cell]++] = (cause){t, thread->events};
    thread->phase = WAIT_ARRIVED;
    if (m->cells[thread->cell] < most) {
        return;
    }
    for (int64_t i = 0; i < most; i++) {
        m->threads[arrivals[i].thread].phase = WAIT_RELEASED;
        memcpy(leave_causes(m, arrivals[i].thread), arrivals, (size_t)most * sizeof *arrivals);
    }
    m->cells[thread->cell] = 0;
}

bool model_take_sync(interpreter *m, uint32_t t, step_result *result) {
    thread_state *thread = &m->threads[t];
    const instruction *in = model_current(m, t);
    bool writes = in->kind == INSTRUCTION_WRITE_LOCK || in->kind == INSTRUCTION_TRY_WRITE_LOCK;
    switch (in->kind) {
        case INSTRUCTION_SEMAPHORE_WAIT: take_post(m, thread->cell); return true;
        case INSTRUCTION_SEMAPHORE_TRY:
            result->value = m->cells[thread->cell] > 0;
            if (result->value) {
                take_post(m, thread->cell);
            }
            break;
        case INSTRUCTION_POST: return post(m, t);
        case INSTRUCTION_READ_LOCK:
        case INSTRUCTION_WRITE_LOCK:
            take_lock(m, t, writes);
            result->acquired = true;
            return true;
        case INSTRUCTION_TRY_READ_LOCK:
        case INSTRUCTION_TRY_WRITE_LOCK:
            result->value = result->acquired = try_lock(m, t, writes);
            break;
        case INSTRUCTION_RELEASE: return release(m, t);
        case INSTRUCTION_BARRIER:
            if (thread->operation.kind == OPERATION_ARRIVE) {
                arrive_at_barrier(m, t);
                return false;
            }
            thread->phase = WAIT_NOT;
            return true;
        case INSTRUCTION_ONCE:
            result->value = m->cells[thread->cell] == ONCE_NEW;
            m->cells[thread->cell] += (int64_t)result->value;
            break;
        default: m->cells[thread->cell] = ONCE_DONE; return true;
    }
    model_set_result(m, t, in, (int64_t)result->value);
    return true;
}
