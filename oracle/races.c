#include "oracle/races.h"

bool races_is_plain(const program *p, const instruction *i) {
    switch (i->kind) {
        case INSTRUCTION_READ:
        case INSTRUCTION_WRITE:
        case INSTRUCTION_FILL: return vector_at(&p->cells, i->cell.first).plain;
        case INSTRUCTION_COPY:
            return vector_at(&p->cells, i->cell.first).plain &&
                   vector_at(&p->cells, i->source).plain;
        default: return false;
    }
}

uint32_t races_place(const program *p, uint32_t thread, uint32_t instruction) {
    uint32_t place = instruction;
    for (uint32_t t = 0; t < thread; t++) {
        place += vector_at(&p->threads, t).code.count;
    }
    return place;
}

hash races_pair(uint32_t one, uint32_t other) {
    uint32_t low = one < other ? one : other, high = one < other ? other : one;
    return hash_append((hash){13, 14}, (uint64_t)low << 32 | high);
}

/* ---- who synchronises with whom ---- */

static bool has_edge(const machine_event *from, const machine_event *to) {
    for (uint32_t i = 0; i < to->edge_count && to->kind != KIND_RELOCK; i++) {
        if (to->edges[i].thread == from->thread && to->edges[i].index == from->index) {
            return true;
        }
    }
    return false;
}

static bool unlocks(const machine_event *e) {
    return (e->kind == KIND_UNLOCK || e->kind == KIND_WAIT_UNLOCK) && !e->failed;
}

static bool locks(const machine_event *e) {
    return e->kind == KIND_LOCK || e->kind == KIND_RELOCK || (e->kind == KIND_TRYLOCK && e->value);
}

/* Event j reads atomically what event i, the latest to do so, has written atomically. */
static bool reads_from(const trace *t, uint32_t i, uint32_t j) {
    cell_set read = cells_common(t->events[i].did_write, &t->events[j].did_load);
    for (uint32_t k = i + 1; k < j; k++) {
        read = cells_without(read, &t->events[k].did_write);
    }
    return !t->events[i].plain && !t->events[j].plain && cells_any(&read);
}

static bool synchronises(const trace *t, uint32_t i, uint32_t j) {
    const machine_event *a = &t->events[i], *b = &t->events[j];
    return a->thread == b->thread || has_edge(a, b) ||
           (unlocks(a) && locks(b) && cells_meet(&a->writes, &b->writes)) || reads_from(t, i, j);
}

static bool conflict(const machine_event *a, const machine_event *b) {
    return (a->plain || b->plain) && a->thread != b->thread &&
           (cells_meet(&a->did_write, &b->did_write) || cells_meet(&a->did_write, &b->did_read) ||
            cells_meet(&a->did_read, &b->did_write));
}

void races_find(const trace *t, const program *p, hash_table *pairs) {
    uint64_t before[MACHINE_STEPS] = {0};
    bool added;
    for (uint32_t j = 0; j < t->count; j++) {
        const machine_event *b = &t->events[j];
        for (uint32_t i = 0; i < j; i++) {
            before[j] |= synchronises(t, i, j) ? (uint64_t)1 << i | before[i] : 0;
        }
        for (uint32_t i = 0; i < j; i++) {
            const machine_event *a = &t->events[i];
            if (conflict(a, b) && !(before[j] >> i & 1)) {
                hash_table_add(pairs,
                               races_pair(races_place(p, a->thread, a->instruction),
                                          races_place(p, b->thread, b->instruction)),
                               &added);
            }
        }
    }
}
