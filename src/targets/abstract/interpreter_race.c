#include "targets/abstract/interpreter_race.h"

#include <string.h>

enum access_kind { PLAIN_READ, PLAIN_WRITE, ATOMIC_READ, ATOMIC_WRITE };

/* The latest access of a cell at one place. */
typedef struct race_entry {
    uint32_t time; /* of the thread's own clock; 0: none */
    uint32_t kind;
} race_entry;

static uint32_t thread_count(const interpreter *m) {
    return m->program->threads.count;
}

/* Those of the threads, of the cells, of what the threads' reads would have acquired, and of their
 * latest release fences. */
static size_t clock_count(size_t threads, size_t cells) {
    return 3 * threads + cells;
}

size_t model_race_size(const program *p) {
    size_t threads = p->threads.count, cells = p->cells.count;
    if (!program_has_plain(p)) {
        return 0;
    }
    size_t clocks = clock_count(threads, cells) * threads * sizeof(uint32_t), locations = 0;
    for (uint32_t t = 0; t < threads; t++) {
        locations += vector_at(&p->threads, t).code.count;
    }
    return (clocks + 7) / 8 * 8 + cells * locations * sizeof(race_entry);
}

/* ---- clocks ---- */

static uint32_t *clock_of(interpreter *m, uint32_t t) {
    return (uint32_t *)m->races + (size_t)t * thread_count(m);
}

static uint32_t *released_by(interpreter *m, uint32_t cell) {
    return clock_of(m, thread_count(m) + cell);
}

static uint32_t *seen_by(interpreter *m, uint32_t t) {
    return clock_of(m, thread_count(m) + m->program->cells.count + t);
}

static uint32_t *fence_of(interpreter *m, uint32_t t) {
    return clock_of(m, 2 * thread_count(m) + m->program->cells.count + t);
}

/* By location; those of a thread come one after the other. */
static race_entry *entries_of(interpreter *m, uint32_t cell) {
    size_t threads = thread_count(m), locations = m->location_count - 1;
    size_t clocks = clock_count(threads, m->program->cells.count) * threads * sizeof(uint32_t);
    return (race_entry *)(m->races + (clocks + 7) / 8 * 8) + cell * locations;
}

static void join_clock(interpreter *m, uint32_t *into, const uint32_t *from) {
    for (uint32_t i = 0; i < thread_count(m); i++) {
        into[i] = from[i] > into[i] ? from[i] : into[i];
    }
}

static void start_thread(interpreter *m, uint32_t t) {
    clock_of(m, t)[t] = 1;
}

static void spawn_thread(interpreter *m, uint32_t t, uint32_t child) {
    join_clock(m, clock_of(m, child), clock_of(m, t));
    clock_of(m, child)[child] = 1;
    clock_of(m, t)[t]++;
}

static void join_thread(interpreter *m, uint32_t t, uint32_t child) {
    join_clock(m, clock_of(m, t), clock_of(m, child));
}

static void acquire(interpreter *m, uint32_t t, uint32_t cell) {
    join_clock(m, clock_of(m, t), released_by(m, cell));
}

/* The thread has acquired the mutex before, or what its read-modify-write read: its clock includes
 * what was released before. A mere store hides that. */
static void release(interpreter *m, uint32_t t, uint32_t cell) {
    memcpy(released_by(m, cell), clock_of(m, t), thread_count(m) * sizeof(uint32_t));
    clock_of(m, t)[t]++;
}

/* ---- memory orders, where versions are kept ---- */

static bool acquires(enum access_order order) {
    return order == ORDER_ACQUIRE || order == ORDER_ACQ_REL || order == ORDER_SEQ_CST;
}

static bool releases(enum access_order order) {
    return order == ORDER_RELEASE || order == ORDER_ACQ_REL || order == ORDER_SEQ_CST;
}

static uint32_t access_version(interpreter *m, uint32_t t, const versioned_access *a) {
    uint32_t count = thread_count(m), made = m->version_clocks.count;
    bool reads = a->reads && a->message != NO_MESSAGE;
    CHECK(m->races && (!reads || a->message + count <= made));
    if (reads) {
        join_clock(m, seen_by(m, t), m->version_clocks.items + a->message);
    }
    if (reads && acquires(a->order)) {
        join_clock(m, clock_of(m, t), m->version_clocks.items + a->message);
    }
    if (!a->writes) {
        return NO_MESSAGE;
    }
    bool release = releases(a->order);
    vector_append(&m->version_clocks, release ? clock_of(m, t) : fence_of(m, t), count);
    if (reads) { /* a release sequence */
        join_clock(m, m->version_clocks.items + made, m->version_clocks.items + a->message);
    }
    clock_of(m, t)[t] += release;
    return made;
}

static void fence(interpreter *m, uint32_t t, enum access_order order) {
    CHECK(m->races && m->keeps_versions);
    if (acquires(order)) {
        join_clock(m, clock_of(m, t), seen_by(m, t));
    }
    if (releases(order)) {
        memcpy(fence_of(m, t), clock_of(m, t), thread_count(m) * sizeof(uint32_t));
        clock_of(m, t)[t]++;
    }
}

/* ---- races ---- */

static const char *word_of(enum access_kind kind) {
    static const char *const words[] = {"read", "write", "atomic read", "atomic write"};
    return words[kind];
}

static const instruction *instruction_at(const interpreter *m, uint32_t t, uint32_t location) {
    return &vector_at(&vector_at(&m->program->threads, t).code, location - m->first_location[t]);
}

/* From the next exploration on, the access is a step, if it is not one. */
static void promote(interpreter *m, uint32_t location) {
    bool wanted = m->treatment == ACCESSES_IN_PASSING && !m->base.trial && !m->keeps_versions;
    m->promotions += wanted && !m->wanted[location];
    m->wanted[location] |= wanted;
}

static void report(interpreter *m, uint32_t cell, uint32_t t, enum access_kind kind,
                   uint32_t location, uint32_t other, enum access_kind other_kind,
                   uint32_t other_location) {
    const instruction *here = instruction_at(m, t, location);
    const instruction *there = instruction_at(m, other, other_location);
    failure f = {.error = {.kind = ERROR_DATA_RACE,
                           .thread = t,
                           .location = location,
                           .relations = {{word_of(other_kind), other, other_location}},
                           .relation_count = 1}};
    snprintf(f.message, sizeof f.message,
             "data race on %s: %s by %s (line %u, column %u), %s by %s (line %u, column %u)",
             vector_at(&m->program->cells, cell).name, word_of(kind),
             vector_at(&m->program->threads, t).name, here->line, here->column, word_of(other_kind),
             vector_at(&m->program->threads, other).name, there->line, there->column);
    vector_push(&m->failures, f);
    promote(m, location);
    promote(m, other_location);
    if (m->keeps_versions) { /* what it has read depends on the order of the steps */
        m->threads[t].status = THREAD_FAILED;
    }
}

static bool writes(enum access_kind kind) {
    return kind == PLAIN_WRITE || kind == ATOMIC_WRITE;
}

static bool conflicts(enum access_kind a, enum access_kind b) {
    return (writes(a) || writes(b)) && (a < ATOMIC_READ || b < ATOMIC_READ);
}

/* The access against all others to the cell. */
static void check(interpreter *m, uint32_t t, uint32_t cell, enum access_kind kind,
                  uint32_t location) {
    const uint32_t *clock = clock_of(m, t);
    const race_entry *entries = entries_of(m, cell);
    for (uint32_t i = 0, at = 0; i < thread_count(m); i++) {
        for (uint32_t end = at + vector_at(&m->program->threads, i).code.count; at < end; at++) {
            const race_entry *e = &entries[at];
            if (i != t && e->time > clock[i] && conflicts(kind, e->kind)) {
                report(m, cell, t, kind, location, i, e->kind, at);
            }
        }
    }
}

static void record(interpreter *m, uint32_t t, uint32_t cell, enum access_kind kind,
                   uint32_t location) {
    entries_of(m, cell)[location] = (race_entry){clock_of(m, t)[t], kind};
}

static void access_cell(interpreter *m, uint32_t t, uint32_t cell, enum access_kind kind,
                        uint32_t location) {
    check(m, t, cell, kind, location);
    record(m, t, cell, kind, location);
}

/* How many cells of a range are announced: all. */
static uint32_t announced(const interpreter *m) {
    return m->touched.count;
}

static void access_plainly(interpreter *m, uint32_t t) {
    for (uint32_t i = 0; i < announced(m); i++) {
        const memory_access *a = &vector_at(&m->touched, i);
        bool write = (a->mode & ACCESS_WRITE) != 0;
        access_cell(m, t, a->object, write ? PLAIN_WRITE : PLAIN_READ,
                    m->first_location[t] + m->threads[t].pc);
        if (write) { /* a thread that reads it acquires nothing */
            memset(released_by(m, a->object), 0, thread_count(m) * sizeof(uint32_t));
        }
    }
}

/* A step first acquires from the cells that it reads and then releases to the cells that it writes:
 * its accesses are one event. */
static void access_atomically(interpreter *m, uint32_t t) {
    if (m->keeps_versions) { /* of cells that are never accessed plainly: access_version */
        return;
    }
    for (uint32_t i = 0; i < m->touched.count; i++) {
        const memory_access *a = &vector_at(&m->touched, i);
        if (a->mode & ACCESS_READ) {
            acquire(m, t, a->object);
        }
    }
    for (uint32_t i = 0; i < m->touched.count; i++) {
        const memory_access *a = &vector_at(&m->touched, i);
        bool write = (a->mode & ACCESS_WRITE) != 0;
        access_cell(m, t, a->object, write ? ATOMIC_WRITE : ATOMIC_READ,
                    m->threads[t].operation.location);
    }
    uint32_t time = clock_of(m, t)[t];
    for (uint32_t i = 0; i < m->touched.count; i++) {
        const memory_access *a = &vector_at(&m->touched, i);
        if (a->mode & ACCESS_WRITE) {
            clock_of(m, t)[t] = time;
            release(m, t, a->object);
        }
    }
}

const race_detector interpreter_races = {.start = start_thread,
                                         .spawn = spawn_thread,
                                         .join = join_thread,
                                         .acquire = acquire,
                                         .release = release,
                                         .plain = access_plainly,
                                         .atomic = access_atomically,
                                         .version = access_version,
                                         .fence = fence};
