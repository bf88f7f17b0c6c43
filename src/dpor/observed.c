#include "dpor/observed.h"

/* ---- relation ---- */

/* The writes of both are the same set of bytes. */
static bool same_writes(footprint a, footprint b) {
    uint32_t i = 0, j = 0, a_count = footprint_count(a), b_count = footprint_count(b);
    for (;;) {
        while (i < a_count && !(footprint_access(a, i).mode & ACCESS_WRITE)) {
            i++;
        }
        while (j < b_count && !(footprint_access(b, j).mode & ACCESS_WRITE)) {
            j++;
        }
        if (i == a_count || j == b_count) {
            return i == a_count && j == b_count;
        }
        memory_access x = footprint_access(a, i++), y = footprint_access(b, j++);
        if (x.object != y.object || x.bytes != y.bytes) {
            return false;
        }
    }
}

/* One reads what the other writes. */
static bool one_reads(const memory_access *a, const memory_access *b) {
    return a->bytes & b->bytes && ((a->mode & ACCESS_READ && b->mode & ACCESS_WRITE) ||
                                   (a->mode & ACCESS_WRITE && b->mode & ACCESS_READ));
}

enum relation observed_relation_of_conflict(footprint a, footprint b) {
    if (!((a | b) & FOOTPRINT_SET_BIT)) {
        return a == b && !(a & FOOTPRINT_READ_BIT) ? RELATION_OBSERVED : RELATION_ORDERED;
    }
    if (message_is_send(a) && message_is_send(b) && message_mailbox(a) == message_mailbox(b)) {
        return RELATION_MAIL;
    }
    return same_writes(a, b) && !footprint_any_pair(a, b, one_reads) ? RELATION_OBSERVED
                                                                     : RELATION_ORDERED;
}

static bool first_reads(const memory_access *a, const memory_access *b) {
    return a->mode & ACCESS_READ && a->bytes & b->bytes;
}

/* The step reads some byte of the writes. */
bool footprint_reads(footprint f, footprint writes) {
    return footprint_any_pair(f, writes, first_reads);
}

/* The writes that the step does not overwrite. */
footprint footprint_remaining(footprint writes, footprint f) {
    if (!footprint_conflict(writes, f)) {
        return writes;
    }
    memory_access f_room, writes_room;
    uint32_t f_count, writes_count;
    const memory_access *x = footprint_accesses(writes, &writes_room, &writes_count);
    const memory_access *x_end = x + writes_count;
    const memory_access *y = footprint_accesses(f, &f_room, &f_count), *y_end = y + f_count;
    vector_clear(&footprint_table.subset);
    for (; x < x_end; x++) {
        memory_access left = *x;
        y = access_seek(y, y_end, left.object);
        for (const memory_access *z = y; z < y_end && z->object == left.object; z++) {
            left.bytes &= z->mode & ACCESS_WRITE ? (uint8_t)~z->bytes : ACCESS_ALL_BYTES;
        }
        if (left.bytes) {
            vector_push(&footprint_table.subset, left);
        }
    }
    return footprint_of(footprint_table.subset.items, footprint_table.subset.count);
}

footprint footprint_writes(footprint f) {
    if (!footprint_is_set(f)) {
        return f & FOOTPRINT_WRITE_BIT ? f : FOOTPRINT_EMPTY;
    }
    memory_access room;
    uint32_t count;
    const memory_access *accesses = footprint_accesses(f, &room, &count);
    vector_clear(&footprint_table.subset);
    for (uint32_t i = 0; i < count; i++) {
        if (accesses[i].mode & ACCESS_WRITE) {
            vector_push(&footprint_table.subset, accesses[i]);
        }
    }
    return footprint_of(footprint_table.subset.items, footprint_table.subset.count);
}

/* ---- happens-before ---- */

void observed_order_free(observed_order *o) {
    vector_free(&o->clocks);
    vector_free(&o->futures);
    vector_free(&o->old_futures);
    vector_free(&o->read);
    vector_free(&o->sends);
    vector_free(&o->mail.messages);
}

/* The writes that a read reads from: the latest ones, until its bytes are covered. */
static void mark_observed(observed_order *o, const execution *e, const access_link *link) {
    uint8_t open = link->bytes;
    for (uint32_t at = link->previous_write; at && open;) {
        const access_link *write = &vector_at(&e->links, at - 1);
        DEBUG_CHECK(write->mode & ACCESS_WRITE && write->object == link->object);
        if (write->bytes & open) {
            vector_at(&o->futures, write->position).observed = true;
        }
        open &= (uint8_t)~write->bytes;
        at = write->previous_write;
    }
}

static void join_read(observed_order *o, const execution *e, uint32_t *clock,
                      const access_link *link) {
    uint8_t open = link->bytes;
    for (uint32_t at = link->previous_write; at && open;) {
        const access_link *write = &vector_at(&e->links, at - 1);
        if (write->bytes & open && observed_clock(o, e, write->position) != clock) {
            clock_join(clock, observed_clock(o, e, write->position), e->stride);
        }
        open &= (uint8_t)~write->bytes;
        at = write->previous_write;
    }
}

/* A write comes after every earlier read of its bytes, and after every earlier write of them that
 * it is ordered with. Before an observed write, whose reader is between the two, nothing new is
 * found. */
static void join_write(observed_order *o, const execution *e, uint32_t *clock, uint32_t position,
                       const access_link *link, bool sends) {
    footprint own = execution_event(e, position)->footprint;
    uint8_t open = link->bytes;
    for (uint32_t at = link->previous; at && open; at = vector_at(&e->links, at - 1).previous) {
        const access_link *earlier = &vector_at(&e->links, at - 1);
        DEBUG_CHECK(earlier->position <= position && earlier->object == link->object);
        bool rival = link->mode & ACCESS_WRITE && earlier->mode & ACCESS_WRITE && sends;
        if (!(earlier->bytes & open) || earlier->position == position || rival) {
            continue;
        }
        bool ordered = earlier->mode & ACCESS_READ || vector_at(&o->futures, position).observed ||
                       observed_relation(execution_event(e, earlier->position)->footprint, own) ==
                           RELATION_ORDERED;
        if (ordered) {
            clock_join(clock, observed_clock(o, e, earlier->position), e->stride);
        }
        if (earlier->mode & ACCESS_WRITE && vector_at(&o->futures, earlier->position).observed &&
            ordered) {
            open &= (uint8_t)~earlier->bytes;
        }
    }
}

bool observed_mail_ordered(const observed_order *o, const execution *e, uint32_t first,
                           uint32_t second) {
    footprint a = execution_event(e, first)->footprint, b = execution_event(e, second)->footprint;
    uint32_t receive = vector_at(&o->futures, first).receiver;
    return receive != POSITION_NONE && vector_at(&o->futures, second).receiver > receive &&
           message_mailbox(a) == message_mailbox(b) &&
           message_matches(execution_event(e, receive)->footprint, b);
}

/* `earlier` is the number of sends before this one. */
static void join_sends(observed_order *o, const execution *e, uint32_t *clock, uint32_t position,
                       uint32_t earlier) {
    for (uint32_t i = earlier; i-- > 0;) {
        uint32_t at = vector_at(&o->sends, i);
        DEBUG_CHECK(at < position);
        const event *send = execution_event(e, at);
        bool known = clock[send->thread] > send->index;
        if (!known && observed_mail_ordered(o, e, at, position)) {
            clock_join(clock, observed_clock(o, e, at), e->stride);
        }
    }
}

/* Who receives what. */
static void find_receivers(observed_order *o, const execution *e) {
    vector_clear(&o->sends);
    vector_clear(&o->mail.messages);
    for (uint32_t i = 0; i < execution_length(e); i++) {
        footprint f = execution_event(e, i)->footprint;
        sent_message taken;
        if (message_is_send(f)) {
            vector_push(&o->sends, i);
            vector_push(&o->mail.messages, (sent_message){f, i});
        } else if (o->mail.messages.count && message_is_receive(f) &&
                   message_take(&o->mail, f, &taken)) {
            CHECK(taken.stamp < i); /* a message is received after it was sent */
            vector_at(&o->futures, taken.stamp).receiver = i;
        }
    }
}

static void compute_clock(observed_order *o, const execution *e, uint32_t position,
                          uint32_t *sends_seen) {
    const event *of = execution_event(e, position);
    uint32_t *clock = &vector_at(&o->clocks, (size_t)position * e->stride);
    if (of->index) {
        uint32_t previous = execution_position(e, of->thread, of->index - 1);
        clock_copy(clock, observed_clock(o, e, previous), e->stride);
    } else {
        clock_clear(clock, e->stride);
    }
    for (uint32_t i = 0; i < of->cause_count; i++) {
        cause c = vector_at(&e->causes, of->first_cause + i);
        if (c.events) {
            uint32_t cause_position = execution_position(e, c.thread, c.events - 1);
            DEBUG_CHECK(cause_position < position);
            clock_join(clock, observed_clock(o, e, cause_position), e->stride);
        }
    }
    bool sends = message_is_send(of->footprint);
    if (sends) {
        join_sends(o, e, clock, position, (*sends_seen)++);
    }
    for (uint32_t i = 0, n = footprint_count(of->footprint); i < n; i++) {
        const access_link *link = &vector_at(&e->links, of->first_link + i);
        if ((link->mode & ACCESS_SEND) == ACCESS_SEND) {
            continue;
        }
        if (link->mode & ACCESS_READ) {
            join_read(o, e, clock, link);
        }
        if (link->mode & ACCESS_WRITE && (!sends || vector_at(&o->read, link->object))) {
            join_write(o, e, clock, position, link, sends);
        }
    }
    clock[of->thread] = of->index + 1;
}

/* What later events reveal. */
static void look_ahead(observed_order *o, const execution *e) {
    uint32_t length = execution_length(e);
    vector_resize(&o->futures, length);
    for (uint32_t i = 0; i < length; i++) {
        vector_at(&o->futures, i) = (event_future){.receiver = POSITION_NONE};
    }
    vector_resize(&o->read, e->heads.count);
    for (uint32_t i = 0; i < e->heads.count; i++) {
        vector_at(&o->read, i) = false;
    }
    for (uint32_t i = 0; i < e->links.count; i++) {
        const access_link *link = &vector_at(&e->links, i);
        if (link->mode & ACCESS_READ && link->bytes) {
            vector_at(&o->read, link->object) = true;
            mark_observed(o, e, link);
        }
    }
    find_receivers(o, e);
}

static void swap(event_futures *a, event_futures *b) {
    event_futures kept = *a;
    *a = *b;
    *b = kept;
}

/* How many events at the start have known clocks: they are the same as before, and later events
 * reveal the same about them. */
static uint32_t count_known(const observed_order *o, const execution *e, uint32_t same) {
    uint32_t known = 0, most = o->stride == e->stride ? same : 0;
    while (known < most &&
           vector_at(&o->futures, known).observed == vector_at(&o->old_futures, known).observed &&
           vector_at(&o->futures, known).receiver == vector_at(&o->old_futures, known).receiver) {
        known++;
    }
    return known;
}

void observed_order_compute(observed_order *o, const execution *e, uint32_t same) {
    swap(&o->futures, &o->old_futures);
    look_ahead(o, e);
    uint32_t length = execution_length(e), known = count_known(o, e, same), sends_seen = 0;
    o->stride = e->stride;
    vector_resize(&o->clocks, length * e->stride);
    while (sends_seen < o->sends.count && vector_at(&o->sends, sends_seen) < known) {
        sends_seen++;
    }
    for (uint32_t i = known; i < length; i++) {
        compute_clock(o, e, i, &sends_seen);
    }
}
