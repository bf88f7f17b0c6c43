#include "oracle/recorder_event.h"

#include "oracle/machine_sync.h"

static const uint8_t operation_kinds[] = {
    [KIND_READ] = OPERATION_READ,
    [KIND_WRITE] = OPERATION_WRITE,
    [KIND_ADD] = OPERATION_ADD,
    [KIND_EXCHANGE] = OPERATION_EXCHANGE,
    [KIND_CAS] = OPERATION_CAS,
    [KIND_AWAIT] = OPERATION_AWAIT,
    [KIND_ATOMIC] = OPERATION_ATOMIC,
    [KIND_LOCK] = OPERATION_LOCK,
    [KIND_UNLOCK] = OPERATION_UNLOCK,
    [KIND_TRYLOCK] = OPERATION_TRYLOCK,
    [KIND_WAIT] = OPERATION_WAIT,
    [KIND_WAIT_UNLOCK] = OPERATION_WAIT_UNLOCK,
    [KIND_TIMEOUT] = OPERATION_TIMEOUT,
    [KIND_RELOCK] = OPERATION_RELOCK,
    [KIND_SIGNAL] = OPERATION_SIGNAL,
    [KIND_BROADCAST] = OPERATION_BROADCAST,
    [KIND_CHOOSE] = OPERATION_CHOOSE,
    [KIND_FENCE] = OPERATION_FENCE,
    [KIND_SPAWN] = OPERATION_SPAWN,
    [KIND_JOIN] = OPERATION_JOIN,
    [KIND_SEND] = OPERATION_SEND,
    [KIND_RECEIVE] = OPERATION_RECEIVE,
    [KIND_INIT] = OPERATION_INIT,
    [KIND_DESTROY] = OPERATION_DESTROY,
    [KIND_SEMAPHORE_WAIT] = OPERATION_SEMAPHORE_WAIT,
    [KIND_SEMAPHORE_TRY] = OPERATION_SEMAPHORE_TRY,
    [KIND_POST] = OPERATION_POST,
    [KIND_READ_LOCK] = OPERATION_READ_LOCK,
    [KIND_WRITE_LOCK] = OPERATION_WRITE_LOCK,
    [KIND_TRY_READ_LOCK] = OPERATION_TRY_READ_LOCK,
    [KIND_TRY_WRITE_LOCK] = OPERATION_TRY_WRITE_LOCK,
    [KIND_RELEASE] = OPERATION_UNLOCK,
    [KIND_ARRIVE] = OPERATION_ARRIVE,
    [KIND_LEAVE] = OPERATION_LEAVE,
    [KIND_ONCE] = OPERATION_ONCE,
    [KIND_ONCE_END] = OPERATION_ONCE_END,
};

/* Mailboxes are no cells: what the accesses stand for is seen in the order of events only. */
static bool same_message_footprint(footprint f, const machine_event *e, uint32_t cell_count,
                                   bool blocks) {
    uint32_t count = 0, writes = 0, expected = 0;
    for (uint32_t i = 0; i < footprint_count(f); i++) {
        memory_access a = footprint_access(f, i);
        if (!a.bytes) {
            continue; /* what a receive would take */
        }
        count++;
        writes += (a.mode & ACCESS_WRITE) != 0;
        if (a.object < cell_count || a.bytes != ACCESS_ALL_BYTES) {
            return false;
        }
    }
    if (e->receiver != MACHINE_NONE) {
        return count == 4 && writes == 4;
    }
    if (e->missed) {
        expected = e->pattern.count ? e->pattern.count : 1;
    } else if (!blocks && e->took.thread != MACHINE_NONE) {
        expected = 1;
    }
    return writes == 0 && count <= expected && (count > 0) == (expected > 0);
}

/* Semaphores and read-write locks have two parts, which are bytes of their object. */
static bool has_parts(const program *p, uint32_t cell) {
    return cell < p->cells.count && (vector_at(&p->cells, cell).kind == CELL_SEMAPHORE ||
                                     vector_at(&p->cells, cell).kind == CELL_RWLOCK);
}

static bool same_footprint(const program *p, footprint f, const machine_event *e) {
    cell_set reads = {0}, writes = {0};
    for (uint32_t i = 0; i < footprint_count(f); i++) {
        memory_access a = footprint_access(f, i);
        bool parts = has_parts(p, a.object);
        if ((parts ? !a.bytes || a.bytes > 3 : a.bytes != ACCESS_ALL_BYTES) ||
            a.object >= MACHINE_CELLS) {
            return false;
        }
        cell_set *set = a.mode & ACCESS_WRITE ? &writes : &reads;
        if (a.bytes & 1) {
            cells_add(set, a.object);
        }
        if (parts && a.bytes & 2) {
            cells_add(set, machine_second_part(a.object));
        }
    }
    reads = cells_without(reads, &writes);
    return cells_equal(&reads, &e->reads) && cells_equal(&writes, &e->writes);
}

static bool handles_message(const machine_event *e) {
    return e->kind == KIND_SEND || e->kind == KIND_RECEIVE;
}

static bool shows_value(enum machine_kind kind) {
    return kind == KIND_READ || kind == KIND_ADD || kind == KIND_EXCHANGE || kind == KIND_CAS ||
           kind == KIND_TRYLOCK || kind == KIND_CHOOSE || kind == KIND_SEMAPHORE_TRY ||
           kind == KIND_TRY_READ_LOCK || kind == KIND_TRY_WRITE_LOCK || kind == KIND_ONCE;
}

/* The event is about a mutex that was free; `owners` are those before it. */
static bool finds_it_free(const program *p, const machine_event *e, const uint32_t *owners) {
    if (e->kind == KIND_READ_LOCK || e->kind == KIND_WRITE_LOCK) {
        return true;
    }
    if (e->kind == KIND_TRY_READ_LOCK || e->kind == KIND_TRY_WRITE_LOCK) {
        return e->value;
    }
    for (uint32_t cell = 0; cell < p->cells.count && e->kind != KIND_ATOMIC; cell++) {
        if (vector_at(&p->cells, cell).kind == CELL_MUTEX && cells_have(&e->writes, cell)) {
            return owners[cell] == MACHINE_NONE;
        }
    }
    return false;
}

void recorder_check_event(recorder *r, uint32_t position, const event *reported,
                          const machine_event *done, const uint32_t *owners) {
    const char *wrong = NULL;
    if (reported->index != done->index && !r->passing) {
        wrong = "index";
    } else if (reported->kind != operation_kinds[done->kind]) {
        wrong = "kind";
    } else if (handles_message(done)
                   ? !same_message_footprint(reported->footprint, done, r->program->cells.count,
                                             !(reported->flags & OPERATION_VARIES))
                   : !same_footprint(r->program, reported->footprint, done)) {
        wrong = "footprint";
    } else if (shows_value(done->kind) && reported->value != done->value) {
        wrong = "value";
    } else if (done->kind == KIND_RECEIVE && reported->value != (uint64_t)done->tag) {
        wrong = "tag";
    } else if (reported->acquired != finds_it_free(r->program, done, owners)) {
        wrong = "acquired";
    }
    if (wrong) {
        difference_set(r->difference, DIFFERENCE_EVENT, "%s of event %u, a %s of thread %u", wrong,
                       position, operation_word(operation_kinds[done->kind]), done->thread);
    }
}
