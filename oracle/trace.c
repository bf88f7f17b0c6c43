#include "oracle/trace.h"

void trace_clear(trace *t) {
    t->count = 0;
}

static bool has_edge(const machine_event *from, const machine_event *to) {
    for (uint32_t i = 0; i < to->edge_count; i++) {
        if (to->edges[i].thread == from->thread && to->edges[i].index == from->index) {
            return true;
        }
    }
    return false;
}

static bool messages_ordered(const machine_event *a, const machine_event *b) {
    if (b->receiver == MACHINE_NONE) {
        return false;
    }
    return a->receiver == b->receiver ||
           (a->missed && a->thread == b->receiver && machine_matches(&a->pattern, b->tag));
}

bool trace_ordered(const machine_event *a, const machine_event *b) {
    return a->thread == b->thread || cells_meet(&a->writes, &b->reads) ||
           cells_meet(&a->writes, &b->writes) || cells_meet(&a->reads, &b->writes) ||
           has_edge(a, b) || messages_ordered(a, b);
}

static uint64_t predecessors(const trace *t, const machine_event *e) {
    uint64_t before = 0;
    for (uint32_t i = 0; i < t->count; i++) {
        if (trace_ordered(&t->events[i], e)) {
            before |= (uint64_t)1 << i | t->before[i];
        }
    }
    return before;
}

/* Of a set of events, named by thread and index. */
static hash set_hash(const trace *t, uint64_t positions) {
    hash sum = {0, 0};
    for (uint32_t i = 0; i < t->count; i++) {
        if (positions >> i & 1) {
            const machine_event *e = &t->events[i];
            sum = hash_sum(sum, hash_append((hash){1, 2}, (uint64_t)e->thread << 32 | e->index));
        }
    }
    return sum;
}

hash trace_event_hash(const trace *t, const machine_event *e, uint64_t before) {
    hash set = set_hash(t, before);
    hash h = {3, 4};
    h = hash_append(h, (uint64_t)e->thread << 32 | e->index);
    h = hash_append(h, (uint64_t)e->kind << 32 | e->choice);
    h = hash_append(h, e->value);
    for (uint32_t i = 0; i < CELL_WORDS; i++) {
        h = hash_append(h, e->reads.words[i]);
        h = hash_append(h, e->writes.words[i]);
    }
    h = hash_append(h, (uint64_t)e->receiver << 32 | e->missed);
    h = hash_append(h, e->missed ? 0 : (uint64_t)e->tag);
    h = hash_append(h, set.low);
    return hash_append(h, set.high);
}

hash trace_deeds(const trace *t) {
    hash sum = {0, 0};
    for (uint32_t i = 0; i < t->count; i++) {
        const machine_event *e = &t->events[i];
        hash h = hash_append((hash){5, 6}, (uint64_t)e->thread << 32 | e->index);
        h = hash_append(h, (uint64_t)e->kind << 1 | e->missed);
        for (uint32_t k = 0; k < CELL_WORDS; k++) {
            h = hash_append(h, e->reads.words[k]);
            h = hash_append(h, e->writes.words[k]);
        }
        h = hash_append(h, e->missed ? 0 : (uint64_t)e->receiver << 32 ^ (uint64_t)e->tag);
        sum = hash_sum(sum, h);
    }
    return sum;
}

void trace_append(trace *t, const machine_event *e) {
    CHECK(t->count < MACHINE_STEPS);
    uint64_t before = predecessors(t, e);
    hash h = hash_sum(trace_hash(t), trace_event_hash(t, e, before));
    t->events[t->count] = *e;
    t->before[t->count] = before;
    t->hashes[t->count] = h;
    t->count++;
}

static hash thread_outcome(const trace *t, const machine *m, uint32_t number) {
    const machine_thread *thread = &m->threads[number];
    hash h = {5, number};
    for (uint32_t i = 0; i < t->count; i++) {
        if (t->events[i].thread == number) {
            h = hash_append(h, t->events[i].kind);
            h = hash_append(h, t->events[i].value);
        }
    }
    h = hash_append(h, (uint64_t)thread->status << 32 | thread->phase);
    h = hash_append(h, (uint64_t)thread->error << 32 | thread->counter);
    for (uint32_t i = 0; i < MACHINE_REGISTERS; i++) {
        h = hash_append(h, (uint64_t)thread->registers[i]);
    }
    return h;
}

hash trace_outcome(const trace *t, const machine *m) {
    hash sum = {0, 0};
    for (uint32_t i = 0; i < m->program->threads.count; i++) {
        sum = hash_sum(sum, thread_outcome(t, m, i));
    }
    return sum;
}

hash trace_state(const machine *m) {
    hash h = {6, 7};
    for (uint32_t c = 0; c < m->program->cells.count; c++) {
        h = hash_append(h, (uint64_t)m->cells[c]);
        h = hash_append(h, (uint64_t)m->destroyed[c] << 32 | m->owners[c]);
        for (uint32_t t = 0;
             vector_at(&m->program->cells, c).kind == CELL_RWLOCK && t < m->program->threads.count;
             t++) {
            h = hash_append(h, m->readers[c][t]);
        }
    }
    hash mailboxes[MACHINE_THREADS] = {{0, 0}};
    for (uint32_t i = 0; i < m->message_count; i++) {
        const machine_message *sent = &m->messages[i];
        if (!sent->taken) {
            hash *box = &mailboxes[sent->receiver];
            *box = hash_append(hash_append(*box, (uint64_t)sent->tag), (uint64_t)sent->value);
        }
    }
    for (uint32_t t = 0; t < m->program->threads.count; t++) {
        h = hash_append(hash_append(h, mailboxes[t].low), mailboxes[t].high);
    }
    return h;
}

hash trace_result(const machine *m) {
    hash h = {11, 12};
    for (uint32_t t = 0; t < m->program->threads.count; t++) {
        const machine_thread *thread = &m->threads[t];
        const model_thread *code = &vector_at(&m->program->threads, t);
        h = hash_append(h, (uint64_t)thread->status << 32 | thread->phase);
        h = hash_append(h, (uint64_t)thread->error << 32 | thread->counter);
        for (uint32_t i = 0; i < vector_at(&code->code, thread->counter).named; i++) {
            h = hash_append(h, (uint64_t)thread->registers[i]);
        }
    }
    return h;
}

hash trace_final(const machine *m) {
    hash state = trace_state(m), result = trace_result(m);
    return hash_append(hash_append(state, result.low), result.high);
}
