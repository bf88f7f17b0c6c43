#include "cli/member.h"

#include <unistd.h>

#include "base/limit.h"
#include "base/witness.h"
#include "cli/last_execution.h"
#include "cli/run.h"
#include "explore/estimate.h"
#include "explore/trail.h"
#include "report/finding_trace.h"
#include "report/trace.h"

enum { CAREFUL_EXECUTIONS = 20000 };

/* ---- sending ---- */

/* What was done since the last report. */
static void take_tally(member *m, exploration *x, tally *t) {
    counters now = own_status.counters;
    now.events = 0;
#define SUBTRACT(name, always, label) t->counters.name = now.name - m->reported.name;
    COUNTERS(SUBTRACT)
#undef SUBTRACT
    t->counters.events = x->events - m->reported_events;
    m->reported = now;
    m->reported_events = x->events;
    if (x->cut) {
        run_describe_cut(x, &t->cut);
    }
    growth_describe(&m->collector->growth, x->target, &t->growth);
    tally_take_errors(t, m->collector, x->target);
    run_note(m->loaded, t);
    text_append(&t->algorithm, m->algorithm->name);
}

static void send_report(member *m, stretch_report *r) {
    bytes content = {0};
    stretch_report_encode(r, &content);
    channel_send(m->channel, MESSAGE_STRETCH, &content);
    bytes_free(&content);
    stretch_report_free(r);
}

static void report_event(member *m, enum stretch_event event) {
    send_report(m, &(stretch_report){.event = event});
}

/* Sends the oldest pieces, as many as given; what is kept is sent, too, in case this process
 * dies. */
static void give(member *m, strategy *s, uint32_t given) {
    const strategy_work *work = s->class->work;
    stretch_report r = {.event = STRETCH_SHARED};
    take_tally(m, s->exploration, &r.tally);
    if (given) {
        work->encode(s, 0, given, &r.given);
        work->drop(s, given);
    }
    if (memory_is_much()) {
        work->trim(s);
    }
    work->encode(s, 0, work->count(s), &r.kept);
    send_report(m, &r);
}

/* How much of the work others get: the oldest piece, which is about as much work as all others
 * together. If pieces are so small that giving them away takes much of the time, half of them. */
static uint32_t choose_share(const member *m, strategy *s) {
    enum { SMALL_PART = 20 };
    uint32_t count = s->class->work->count(s);
    return count < 2 ? 0 : m->giving * SMALL_PART > clock() - m->began ? count / 2 : 1;
}

static void share(member *m, strategy *s, bool wanted) {
    uint32_t given = wanted ? choose_share(m, s) : 0;
    clock_t start = clock();
    if (wanted && !given) {
        report_event(m, STRETCH_POOR);
    } else {
        give(m, s, given);
    }
    m->giving += clock() - start;
}

/* There is too little memory for all pieces: the supervisor takes half of them, some at a time, so
 * that the worker that does them later needs less. */
static void unload(member *m, strategy *s) {
    enum { TIMES = 4 };
    uint32_t half = s->class->work->count(s) / 2;
    for (uint32_t left = TIMES; half && left; left--) {
        uint32_t given = (half + left - 1) / left;
        give(m, s, given);
        half -= given;
    }
    memory_watch(&own_status.wanted);
}

/* Samples a tenth of the executions so far, or takes a tenth of the time if they are slow: it is
 * rarely requested, so it costs little. */
static void send_forecast(member *m, strategy *s) {
    enum { LEAST = 200, MOST = 100000 };
    uint64_t sample = own_status.counters.executions / 10;
    sample = sample < LEAST ? LEAST : sample > MOST ? MOST : sample;
    clock_t time = clock() / 10;
    forecast left = s ? estimate_left(s->exploration, s, sample, time) : (forecast){.known = true};
    bytes content = {0};
    bytes_put_number(&content, left.known);
    bytes_put_real(&content, left.low);
    bytes_put_real(&content, left.likely);
    bytes_put_real(&content, left.high);
    channel_send(m->channel, MESSAGE_FORECAST, &content);
    bytes_free(&content);
}

/* ---- receiving ---- */

static void take_report(member *m, byte_reader *r) {
    m->order = MEMBER_REPORTS;
    m->end = (enum exploration_end)bytes_take_number(r, EXPLORATION_FOREIGN);
    m->timeout = bytes_take_flag(r);
    m->seconds_before = bytes_take_real(r);
    m->seconds = bytes_take_real(r);
    m->peak_bytes = bytes_take_number(r, UINT64_MAX);
    tally_decode(&m->tally, r);
    if (!bytes_finished(r)) {
        _exit(CHANNEL_LOST);
    }
}

static void obey(member *m, enum message_type type, byte_reader *content) {
    switch (type) {
        case MESSAGE_WORK:
            m->work.content.count = 0;
            m->careful_left = bytes_take_flag(content) ? CAREFUL_EXECUTIONS : 0;
            m->pieces = (uint32_t)bytes_take_number(content, UINT32_MAX);
            m->expands = bytes_take_flag(content);
            bytes_take_rest(content, &m->work);
            break;
        case MESSAGE_REPORT: take_report(m, content); break;
        case MESSAGE_QUIT: m->order = MEMBER_QUITS; break;
        default: _exit(CHANNEL_LOST);
    }
}

/* It reports after every execution. */
static bool needs_look(const member *m) {
    return m->careful_left || m->membership.eager || m->expands;
}

/* Waits until there is work, or an order. A request for work that crossed our report is too late.
 * */
static bool wait_for_work(member *m) {
    enum message_type type;
    byte_reader content;
    status_enter(PHASE_WAITING);
    while (m->order == MEMBER_WORKS && !m->work.content.count) {
        channel_receive(m->channel, true, &type, &content);
        if (type == MESSAGE_SHARE) {
            report_event(m, STRETCH_POOR);
        } else if (type == MESSAGE_FORECAST) {
            send_forecast(m, NULL);
        } else {
            obey(m, type, &content);
        }
    }
    own_status.wanted = 1; /* another message may have come in the meantime */
    m->began = clock();
    m->giving = 0;
    status_enter(m->order == MEMBER_WORKS ? PHASE_EXPLORING : PHASE_REPORTING);
    return m->order == MEMBER_WORKS;
}

/* ---- between executions ---- */

/* Sends the next work as a finding. The steps that the work leaves open are added if this process
 * dies, from its witness (last_execution.h). */
static void send_item(member *m, const step *steps, uint32_t count) {
    trace_error error = {.kind = ERROR_UNFINISHED};
    text_append(&error.message, LAST_EXECUTION_MESSAGE);
    finding f;
    bytes content = {0};
    finding_of_steps(&f, m->loaded->target, &error, steps, count);
    f.place = 0; /* unknown */
    f.thread = FINDING_NO_THREAD;
    finding_encode(&f, &content);
    channel_send(m->channel, MESSAGE_ITEM, &content);
    bytes_free(&content);
    finding_free(&f);
    text_free(&error.message);
}

/* Records steps and announces work, if a worker died in the work that comes next. */
static void watch_steps(member *m) {
    if (m->careful_left) {
        trail_begin(m->loaded->target);
        send_item(m, NULL, 0);
    } else {
        trail_end(m->loaded->target);
    }
}

/* Returns all work in pieces: the youngest first, because they would be done first. */
static void cut_work(member *m, strategy *s) {
    const strategy_work *work = s->class->work;
    stretch_report r = {.event = STRETCH_CUT};
    uint32_t left = work->count(s);
    take_tally(m, s->exploration, &r.tally);
    for (uint32_t pieces = m->pieces < left ? m->pieces : left; pieces; pieces--) {
        uint32_t count = left / pieces;
        bytes piece = {0};
        work->encode(s, left - count, count, &piece);
        bytes_put_number(&r.given, work->length(s, left - count));
        bytes_put_block(&r.given, &piece);
        bytes_free(&piece);
        left -= count;
    }
    work->drop(s, work->count(s));
    send_report(m, &r);
}

static bool serve(exchange *e, strategy *s) {
    member *m = (member *)e;
    enum message_type type;
    byte_reader content;
    if (m->expands) {
        m->expands = false;
        m->returned = true;
        cut_work(m, s);
        return true;
    }
    own_status.wanted = needs_look(m);
    if (memory_is_much()) {
        unload(m, s);
    }
    if (m->saves) {
        share(m, s, false);
        m->saves = false;
        watch_steps(m);
    } else if (m->membership.eager && s->class->work->count(s) > 1) {
        share(m, s, true);
    }
    while (m->order == MEMBER_WORKS && channel_receive(m->channel, false, &type, &content)) {
        if (type == MESSAGE_SHARE) {
            share(m, s, bytes_take_flag(&content));
        } else if (type == MESSAGE_FORECAST) {
            send_forecast(m, s);
        } else {
            obey(m, type, &content);
        }
    }
    return m->order == MEMBER_WORKS;
}

/* This program cannot do the work. */
static void refuse_work(member *m) {
    channel_send_text(m->channel, MESSAGE_FAILURE,
                      m->membership.resumed
                          ? "the checkpoint has work that does not belong to this program: it was "
                            "changed, or the program is not the same in every process"
                          : "shared work does not belong to this program: a bug in heddle, "
                            "or the program is not the same in every process");
    m->order = MEMBER_QUITS;
}

static bool take_work(member *m, strategy *s) {
    byte_reader r = byte_reader_of(m->work.content.items, m->work.content.count);
    m->work.content.count = 0; /* even if there is too little memory for it */
    bool good = s->class->work->decode(s, &r) && bytes_finished(&r);
    if (good) {
        watch_steps(m);
    } else {
        refuse_work(m);
    }
    return good;
}

/* Waits until there is work. */
static bool next_work(member *m, strategy *s) {
    while (wait_for_work(m) && take_work(m, s)) {
        if (!m->pieces || m->expands) {
            return true;
        }
        cut_work(m, s);
    }
    return false;
}

static bool refill(exchange *e, strategy *s) {
    member *m = (member *)e;
    if (m->work.content.count) {
        return take_work(m, s);
    }
    if (m->returned) {
        m->returned = false;
        return next_work(m, s);
    }
    stretch_report r = {.event = STRETCH_DONE};
    if (m->membership.empty && !m->ready) {
        r.event = STRETCH_READY;
    } else {
        take_tally(m, s->exploration, &r.tally);
    }
    m->ready = true;
    send_report(m, &r);
    return next_work(m, s);
}

/* Announcing each execution costs more than running it: after a while it is enough to report what
 * was done, and what is left. */
static void chosen(exchange *e, strategy *s) {
    member *m = (member *)e;
    if (m->careful_left) {
        const step *steps;
        uint32_t count = s->class->work->steps(s, &steps);
        send_item(m, steps, count);
        m->careful_left--;
        m->saves = !m->careful_left;
    }
}

static void leave(exchange *e, strategy *s) {
    member *m = (member *)e;
    const strategy_work *work = s->class->work;
    bytes rest = {0};
    work->encode(s, 0, work->count(s), &rest);
    bytes_free(&m->rest);
    m->rest = rest;
}

static const exchange_class member_class = {
    .serve = serve, .refill = refill, .chosen = chosen, .leave = leave};

/* ---- life ---- */

void member_open(member *m, membership how, channel *c, collector *collected) {
    *m = (member){.exchange = {.class = &member_class, .wanted = &own_status.wanted},
                  .channel = c,
                  .collector = collected,
                  .membership = how};
    m->exchange.starts_empty = how.empty;
    m->exchange.keeps_rest = how.keeps;
    m->careful_left = how.careful ? CAREFUL_EXECUTIONS : 0;
    own_status.wanted = needs_look(m);
}

void member_begin(member *m, const strategy_class *algorithm) {
    m->algorithm = algorithm;
    memory_watch(&own_status.wanted);
    m->reported_events = 0;
    m->rest.content.count = 0;
    watch_steps(m);
}

bool member_ended(member *m, exploration *x, enum exploration_end end) {
    if (m->order != MEMBER_WORKS) {
        return false;
    }
    if (end == EXPLORATION_FOREIGN && m->membership.resumed) {
        refuse_work(m);
        return false;
    }
    bool done =
        end == EXPLORATION_COMPLETE || (end == EXPLORATION_STEP_BOUND && !x->limits.stop_at_cut);
    if (!done && limit_stops && m->rest.content.count) {
        stretch_report so_far = {.event = STRETCH_SHARED};
        take_tally(m, x, &so_far.tally);
        so_far.kept = m->rest;
        m->rest = (bytes){0};
        send_report(m, &so_far);
    }
    stretch_report r = {.event = done ? STRETCH_DONE : STRETCH_EARLY, .end = end};
    take_tally(m, x, &r.tally);
    run_note_stops(&r.tally);
    if (!done) {
        bytes_put_bytes(&r.kept, &m->rest);
    }
    send_report(m, &r);
    m->exchange.starts_empty = true;
    return wait_for_work(m);
}

void member_start_over(member *m) {
    m->reported = (counters){0};
    m->exchange.starts_empty = false;
    m->membership.empty = false;
    m->membership.executions = 0;
    m->work.content.count = 0;
}

void member_alone(member *m, const char *why) {
    channel_send_text(m->channel, MESSAGE_ALONE, why);
}

void member_send_memory(member *m, const outcome *o) {
    bytes content = {0};
    bytes_put_number(&content, o->peak_bytes);
    channel_send(m->channel, MESSAGE_MEMORY, &content);
    bytes_free(&content);
}
