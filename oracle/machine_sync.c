#include "oracle/machine_sync.h"

#include "oracle/machine_part.h"

/* ---- who uses what ---- */

static bool uses(const model_thread *thread, enum instruction_kind kind, uint32_t cell) {
    for (uint32_t i = 0; i < thread->code.count; i++) {
        const instruction *in = &vector_at(&thread->code, i);
        if (in->kind == kind && cell >= in->cell.first && cell < in->cell.first + in->cell.count) {
            return true;
        }
    }
    return false;
}

static uint32_t users(const program *p, enum instruction_kind kind, uint32_t cell) {
    uint32_t count = 0;
    for (uint32_t t = 0; t < p->threads.count; t++) {
        count += uses(&vector_at(&p->threads, t), kind, cell);
    }
    return count;
}

static enum cell_kind kind_at(const machine *m, uint32_t c) {
    return vector_at(&m->program->cells, c).kind;
}

static uint32_t wanted_by(const machine *m, uint32_t barrier) {
    return (uint32_t)vector_at(&m->program->cells, barrier).initial;
}

bool machine_init_sync(machine *m) {
    const program *p = m->program;
    for (uint32_t c = 0; c < p->cells.count; c++) {
        enum cell_kind kind = kind_at(m, c);
        if (kind >= CELL_SEMAPHORE && p->cells.count > MACHINE_CELLS / 2) {
            return false;
        }
        m->coarse[c] = (kind == CELL_SEMAPHORE && users(p, INSTRUCTION_SEMAPHORE_TRY, c)) ||
                       (kind == CELL_RWLOCK && users(p, INSTRUCTION_TRY_WRITE_LOCK, c)) ||
                       (kind == CELL_BARRIER && users(p, INSTRUCTION_BARRIER, c) > wanted_by(m, c));
    }
    return true;
}

/* ---- marks ---- */

static void add_mark(machine *m, const machine_event *e, uint32_t cell) {
    CHECK(m->mark_count < MACHINE_STEPS);
    m->marks[m->mark_count++] = (machine_mark){cell, {e->thread, e->index}};
}

/* Mark number n of a cell; false if there are not so many. */
static bool find_mark(const machine *m, uint32_t cell, uint32_t n, machine_edge *event) {
    for (uint32_t i = 0; i < m->mark_count; i++) {
        if (m->marks[i].cell == cell && n-- == 0) {
            *event = m->marks[i].event;
            return true;
        }
    }
    return false;
}

/* ---- enabledness ---- */

static bool has_readers(const machine *m, uint32_t cell) {
    for (uint32_t t = 0; t < MACHINE_THREADS; t++) {
        if (m->readers[cell][t]) {
            return true;
        }
    }
    return false;
}

static bool may_lock(const machine *m, bool writes, uint32_t cell) {
    return m->owners[cell] == MACHINE_NONE && !(writes && has_readers(m, cell));
}

bool machine_sync_enabled(const machine *m, uint32_t t, enum instruction_kind kind, uint32_t cell) {
    (void)t;
    switch (kind) {
        case INSTRUCTION_SEMAPHORE_WAIT: return m->cells[cell] > 0;
        case INSTRUCTION_READ_LOCK: return may_lock(m, false, cell);
        case INSTRUCTION_WRITE_LOCK: return may_lock(m, true, cell);
        case INSTRUCTION_ONCE: return m->cells[cell] != 1;
        default: return true;
    }
}

/* Which arrival at its barrier the thread's latest event is: 0, 1, … */
static uint32_t arrival_number(const machine *m, uint32_t t, uint32_t *cell) {
    uint32_t number = 0, index = m->threads[t].events - 1;
    *cell = m->threads[t].condition;
    for (uint32_t i = 0; i < m->mark_count; i++) {
        const machine_mark *mark = &m->marks[i];
        if (mark->cell == *cell) {
            if (mark->event.thread == t && mark->event.index == index) {
                return number;
            }
            number++;
        }
    }
    CHECK(!"an arrival");
    return 0;
}

bool machine_may_leave(const machine *m, uint32_t t) {
    uint32_t cell, number = arrival_number(m, t, &cell), size = wanted_by(m, cell);
    machine_edge ignored;
    return find_mark(m, cell, number / size * size + size - 1, &ignored);
}

/* ---- steps ---- */

enum { PART_ONE = 1, PART_TWO = 2 };

static void access_parts(machine_event *e, uint32_t cell, int parts, bool writes) {
    cell_set *set = writes ? &e->writes : &e->reads;
    if (parts & PART_ONE) {
        cells_add(set, cell);
    }
    if (parts & PART_TWO) {
        cells_add(set, machine_second_part(cell));
    }
}

static void run_semaphore(machine *m, machine_event *e, const instruction *i, uint32_t cell) {
    bool posts = e->kind == KIND_POST, tries = e->kind == KIND_SEMAPHORE_TRY;
    if (m->coarse[cell] && !m->fine) {
        access_parts(e, cell, PART_ONE | PART_TWO, !posts);
    } else {
        access_parts(e, cell, tries ? PART_ONE | PART_TWO : posts ? PART_TWO : PART_ONE, true);
    }
    if (posts) {
        m->cells[cell]++;
        add_mark(m, e, cell);
        return;
    }
    bool takes = m->cells[cell] > 0;
    int64_t initial = vector_at(&m->program->cells, cell).initial;
    machine_edge post;
    if (takes && m->waits[cell] >= initial &&
        find_mark(m, cell, m->waits[cell] - (uint32_t)initial, &post)) {
        machine_note_edge(e, post);
    }
    m->waits[cell] = (uint8_t)(m->waits[cell] + takes);
    m->cells[cell] -= takes;
    if (tries) {
        machine_observe(m, e, i, takes);
    }
}

static void release(machine *m, machine_event *e, uint32_t cell) {
    if (m->owners[cell] == e->thread) {
        m->owners[cell] = MACHINE_NONE;
    } else {
        m->readers[cell][e->thread]--;
    }
}

static void lock(machine *m, machine_event *e, bool writes, uint32_t cell) {
    if (writes) {
        m->owners[cell] = e->thread;
    } else {
        m->readers[cell][e->thread]++;
    }
}

static void run_rwlock(machine *m, machine_event *e, const instruction *i, uint32_t cell) {
    bool releases = e->kind == KIND_RELEASE,
         tries = e->kind == KIND_TRY_READ_LOCK || e->kind == KIND_TRY_WRITE_LOCK;
    bool reads = e->kind == KIND_READ_LOCK || e->kind == KIND_TRY_READ_LOCK;
    bool ends_reading = releases && m->owners[cell] != e->thread;
    if (ends_reading && !m->readers[cell][e->thread]) {
        machine_fail(m, e->thread, FAULT_MISUSE); /* which it would be in any order */
        return;
    }
    if (m->fine || m->coarse[cell]) {
        bool shares = ends_reading || (m->fine && reads);
        access_parts(e, cell, PART_ONE | PART_TWO, !shares);
    } else if (ends_reading) {
        access_parts(e, cell, PART_TWO, false);
    } else {
        access_parts(e, cell, reads ? PART_ONE : PART_ONE | PART_TWO, true);
    }
    if (releases) {
        release(m, e, cell);
        return;
    }
    bool obtains = may_lock(m, !reads, cell);
    if (obtains) {
        lock(m, e, !reads, cell);
    }
    if (tries) {
        machine_observe(m, e, i, obtains);
    }
}

static void arrive(machine *m, machine_event *e, uint32_t cell) {
    cells_add(m->coarse[cell] ? &e->writes : &e->reads, cell);
    add_mark(m, e, cell);
    m->cells[cell] = (m->cells[cell] + 1) % wanted_by(m, cell);
    m->threads[e->thread].phase = PHASE_ARRIVED;
    m->threads[e->thread].condition = cell;
}

void machine_leave(machine *m, machine_event *e) {
    machine_thread *thread = &m->threads[e->thread];
    uint32_t cell;
    thread->events--; /* as before this step */
    uint32_t number = arrival_number(m, e->thread, &cell), size = wanted_by(m, cell);
    thread->events++;
    e->kind = KIND_LEAVE;
    for (uint32_t i = 0; i < size; i++) {
        machine_edge arrival;
        CHECK(find_mark(m, cell, number / size * size + i, &arrival));
        machine_note_edge(e, arrival);
    }
    thread->phase = PHASE_NONE;
}

static void run_once(machine *m, machine_event *e, const instruction *i, uint32_t cell) {
    bool first = m->cells[cell] == 0;
    cells_add(first ? &e->writes : &e->reads, cell);
    m->cells[cell] += first;
    machine_observe(m, e, i, first);
}

void machine_run_sync(machine *m, machine_event *e, const instruction *i, uint32_t cell) {
    switch (kind_at(m, cell)) {
        case CELL_SEMAPHORE: run_semaphore(m, e, i, cell); break;
        case CELL_RWLOCK: run_rwlock(m, e, i, cell); break;
        case CELL_BARRIER: arrive(m, e, cell); break;
        default:
            if (e->kind == KIND_ONCE) {
                run_once(m, e, i, cell);
            } else {
                cells_add(&e->writes, cell);
                m->cells[cell] = 2;
            }
            break;
    }
}
