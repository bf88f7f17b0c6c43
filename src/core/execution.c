#include "core/execution.h"

#include <string.h>

#include "base/limit.h"

void execution_init(execution *e) {
    *e = (execution){.stride = CLOCK_LANE};
}

void execution_free(execution *e) {
    for (uint32_t t = 0; t < e->threads.count; t++) {
        vector_free(&vector_at_fast(&e->threads, t).positions);
    }
    vector_free(&e->threads);
    vector_free(&e->events);
    vector_free(&e->causes);
    vector_free(&e->links);
    vector_free(&e->values);
    vector_free(&e->heads);
    vector_free(&e->clocks);
}

/* The number of counters; one vector holds them all. */
static uint32_t clock_counters(uint32_t rows, uint32_t stride) {
    uint64_t count = (uint64_t)rows * stride;
    if (count > INT32_MAX || (LIMIT_TORTURE && rows > limit_most(LIMIT_EVENTS))) {
        limit_escape(LIMIT_EVENTS);
    }
    return (uint32_t)count;
}

static void widen_clocks(execution *e, uint32_t stride) {
    uint32_t rows = e->events.count;
    vector_resize(&e->clocks, clock_counters(rows, stride));
    lanes_widen(e->clocks.items, rows, e->stride, stride, 0);
    e->stride = stride;
}

void execution_reserve_threads(execution *e, uint32_t thread_count) {
    if (thread_count <= e->threads.count) {
        return;
    }
    if (thread_count > e->stride) {
        widen_clocks(e, clock_stride(thread_count));
    }
    while (e->threads.count < thread_count) {
        vector_push(&e->threads, (thread_history){0});
    }
}

/* Joins into `clock` what conflicts with access `a` in the chain from `head` (link + 1) on: back
 * to where all its bytes have been overwritten, which covers everything earlier. */
static bool join_conflicting(execution *e, uint32_t *clock, memory_access a, uint32_t head) {
    bool meets = false;
    uint8_t open = a.bytes;
    bool writes = (a.mode & ACCESS_WRITE) != 0;
    for (uint32_t at = head; at && open;) {
        const access_link *link = &vector_at_fast(&e->links, at - 1);
        if (link->bytes & open && (writes || link->mode & ACCESS_WRITE)) {
            const event *other = execution_event(e, link->position);
            bool known = clock[other->thread] > other->index; /* and so everything before it */
            if (!known && execution_clock(e, link->position) != clock) {
                clock_join(clock, execution_clock(e, link->position), e->stride);
                meets = true;
            }
        }
        if (link->mode & ACCESS_WRITE) {
            open &= (uint8_t)~link->bytes;
        }
        at = writes ? link->previous : link->previous_write;
    }
    return meets;
}

/* The last writing link of a chain, for a read to start from. */
static uint32_t latest_write(const execution *e, uint32_t head) {
    if (!head) {
        return 0;
    }
    const access_link *link = &vector_at_fast(&e->links, head - 1);
    return link->mode & ACCESS_WRITE ? head : link->previous_write;
}

static bool link_access(execution *e, uint32_t *clock, memory_access a, uint32_t position) {
    while (a.object >= e->heads.count) {
        vector_push(&e->heads, 0);
    }
    uint32_t head = vector_at_fast(&e->heads, a.object);
    uint32_t write = latest_write(e, head);
    bool meets = join_conflicting(e, clock, a, a.mode & ACCESS_WRITE ? head : write);
    vector_push(&e->links, (access_link){.position = position,
                                         .previous = head,
                                         .previous_write = write,
                                         .object = a.object,
                                         .bytes = a.bytes,
                                         .mode = a.mode});
    vector_at_fast(&e->heads, a.object) = e->links.count;
    return meets;
}

static void join_causes(execution *e, uint32_t *clock, const cause *causes, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        DEBUG_CHECK(causes[i].events <= execution_thread_events(e, causes[i].thread));
        if (causes[i].events) {
            uint32_t position = execution_position(e, causes[i].thread, causes[i].events - 1);
            clock_join(clock, execution_clock(e, position), e->stride);
        }
        vector_push(&e->causes, causes[i]);
    }
}

uint32_t execution_append(execution *e, uint32_t thread, uint32_t choice, const operation *op) {
    execution_reserve_threads(e, thread + 1);
    CHECK(op->cause_count <= UINT16_MAX && op->supply_count <= op->cause_count);
    DEBUG_CHECK(op->kind < OPERATION_KIND_COUNT);
    uint32_t position = e->events.count;
    thread_history *history = &vector_at_fast(&e->threads, thread);
    vector_push(&e->events, (event){.thread = thread,
                                    .index = history->positions.count,
                                    .choice = choice,
                                    .kind = op->kind,
                                    .flags = op->flags,
                                    .footprint = op->footprint,
                                    .expected = op->expected,
                                    .compare = op->compare,
                                    .object = op->object,
                                    .location = op->location,
                                    .first_cause = e->causes.count,
                                    .cause_count = (uint16_t)op->cause_count,
                                    .supply_count = (uint16_t)op->supply_count,
                                    .first_link = e->links.count});
    vector_resize(&e->clocks, clock_counters(e->events.count, e->stride));
    uint32_t *clock = &vector_at_fast(&e->clocks, (size_t)position * e->stride);
    if (history->positions.count) {
        clock_copy(clock, execution_clock(e, vector_last(&history->positions)), e->stride);
    } else {
        clock_clear(clock, e->stride);
    }
    join_causes(e, clock, op->causes, op->cause_count);
    memory_access room;
    uint32_t count;
    const memory_access *accesses = footprint_accesses(op->footprint, &room, &count);
    bool meets = false;
    for (uint32_t i = 0; i < count; i++) {
        meets |= link_access(e, clock, accesses[i], position);
    }
    vector_at_fast(&e->events, position).meets = meets;
    vector_push(&history->positions, position);
    clock[thread] = history->positions.count;
    return position;
}

operation execution_operation(const execution *e, uint32_t position) {
    const event *of = execution_event(e, position);
    return (operation){.kind = of->kind,
                       .flags = of->flags,
                       .object = of->object,
                       .location = of->location,
                       .footprint = of->footprint,
                       .expected = of->expected,
                       .compare = of->compare,
                       .causes = e->causes.items + of->first_cause,
                       .cause_count = of->cause_count,
                       .supply_count = of->supply_count};
}

static void pop_event(execution *e) {
    const event *last = &vector_last(&e->events);
    while (e->links.count > last->first_link) {
        const access_link *link = &vector_pop(&e->links);
        vector_at_fast(&e->heads, link->object) = link->previous;
    }
    e->causes.count = last->first_cause;
    thread_history *history = &vector_at_fast(&e->threads, last->thread);
    CHECK(vector_pop(&history->positions) == e->events.count - 1);
    e->events.count--;
}

void execution_truncate(execution *e, uint32_t length) {
    CHECK(length <= e->events.count);
    while (e->events.count > length) {
        pop_event(e);
    }
    e->clocks.count = length * e->stride;
}

/* Event `index` of a thread is where its history says, and its clock covers that of its
 * predecessor. */
static void check_history(const execution *e, uint32_t thread) {
    const thread_history *h = &vector_at(&e->threads, thread);
    for (uint32_t index = 0; index < h->positions.count; index++) {
        uint32_t position = vector_at(&h->positions, index);
        const event *of = execution_event(e, position);
        CHECK(of->thread == thread && of->index == index);
        CHECK(execution_clock(e, position)[thread] == index + 1);
        if (index) {
            uint32_t before = vector_at(&h->positions, index - 1);
            CHECK(before < position);
            CHECK(!clock_exceeds(execution_clock(e, before), execution_clock(e, position),
                                 e->stride));
        }
    }
}

/* A chain leads from later accesses of an object to earlier ones, and past the reads to the writes.
 */
static void check_link(const execution *e, uint32_t at) {
    const access_link *link = &vector_at(&e->links, at);
    CHECK(link->mode && link->position < e->events.count && link->object < e->heads.count);
    CHECK(link->previous <= at && link->previous_write <= link->previous);
    if (link->previous) {
        CHECK(vector_at(&e->links, link->previous - 1).object == link->object);
    }
    if (link->previous_write) {
        const access_link *write = &vector_at(&e->links, link->previous_write - 1);
        CHECK(write->object == link->object && write->mode & ACCESS_WRITE);
    }
}

void execution_check_links(const execution *e) {
    uint32_t events = 0, links = 0, causes = 0;
    CHECK(e->stride % CLOCK_LANE == 0 && e->stride >= e->threads.count);
    CHECK(e->clocks.count == e->events.count * e->stride);
    for (uint32_t t = 0; t < e->threads.count; t++) {
        check_history(e, t);
        events += execution_thread_events(e, t);
    }
    CHECK(events == e->events.count);
    for (uint32_t i = 0; i < e->events.count; i++) {
        const event *of = execution_event(e, i);
        CHECK(of->first_link == links && of->first_cause == causes);
        links += footprint_count(of->footprint);
        causes += of->cause_count;
    }
    CHECK(links == e->links.count && causes == e->causes.count);
    for (uint32_t i = 0; i < e->links.count; i++) {
        check_link(e, i);
    }
    for (uint32_t i = 0; i < e->heads.count; i++) {
        uint32_t head = vector_at(&e->heads, i);
        CHECK(!head || vector_at(&e->links, head - 1).object == i);
    }
}

static bool caused_by(const execution *e, const event *later, const event *earlier) {
    for (uint32_t i = 0; i < later->cause_count; i++) {
        cause c = vector_at_fast(&e->causes, later->first_cause + i);
        if (c.thread == earlier->thread && c.events > earlier->index) {
            return true;
        }
    }
    return false;
}

/* The definition, naively: i -> k iff they are related directly or through some j between. */
void execution_check(const execution *e) {
    uint32_t n = e->events.count;
    VECTOR(uint8_t) before = {0};
    vector_resize(&before, n * n + 1);
    memset(before.items, 0, n * n + 1);
    for (uint32_t k = 0; k < n; k++) {
        const event *later = execution_event(e, k);
        for (uint32_t i = k; i-- > 0;) {
            const event *earlier = execution_event(e, i);
            bool direct = earlier->thread == later->thread || caused_by(e, later, earlier) ||
                          footprint_conflict(earlier->footprint, later->footprint);
            for (uint32_t j = i + 1; j < k && !direct; j++) {
                direct = vector_at_fast(&before, i * n + j) && vector_at_fast(&before, j * n + k);
            }
            vector_at_fast(&before, i * n + k) = direct;
            CHECK(direct == execution_before(e, i, k));
        }
    }
    vector_free(&before);
}
