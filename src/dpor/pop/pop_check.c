#include "dpor/pop/pop_check.h"

#ifdef HEDDLE_DEBUG

#define SCHEDULES_MOST 4000

typedef struct check_event {
    uint32_t thread, index, choice;
    footprint footprint;
    VECTOR(uint32_t) clock;
} check_event;

/* A schedule, and the run that starts with it; number 0 is the first run. */
typedef struct check_schedule {
    const work_item *item; /* until it is run */
    uint32_t found_in;     /* the run where its race was found */
    uint32_t late, thread; /* the second event of that race */
    uint32_t run;          /* the first run that had the first event of that race */
    uint32_t first;        /* its position */
    uint32_t length;       /* how many steps the run starts with */
    bool rejected;         /* by the trees */
    bool sleeps;
    VECTOR(check_event) events;
} check_schedule;

struct pop_check {
    VECTOR(check_schedule) schedules;
    uint32_t run; /* the current one */
    bool given_up;
};

typedef VECTOR(const check_event *) sequence;

void pop_check_start(pop *p) {
    p->check = memory_resize(NULL, 0, sizeof *p->check);
    vector_push(&p->check->schedules, (check_schedule){0});
}

void pop_check_free(pop *p) {
    for (uint32_t i = 0; i < p->check->schedules.count; i++) {
        check_schedule *s = &vector_at(&p->check->schedules, i);
        for (uint32_t j = 0; j < s->events.count; j++) {
            vector_free(&vector_at(&s->events, j).clock);
        }
        vector_free(&s->events);
    }
    vector_free(&p->check->schedules);
    memory_resize(p->check, sizeof *p->check, 0);
}

/* ---- what happens ---- */

static bool is_full(const pop_check *c) {
    return c->given_up || c->schedules.count >= SCHEDULES_MOST;
}

void pop_check_give_up(pop *p) {
    p->check->given_up = true;
}

static check_schedule *schedule_at(const pop_check *c, uint32_t i) {
    return &vector_at(&c->schedules, i);
}

void pop_check_run(pop *p, const work_item *item) {
    pop_check *c = p->check;
    for (uint32_t i = c->schedules.count; i-- > 1;) {
        if (vector_at(&c->schedules, i).item == item) {
            vector_at(&c->schedules, i).item = NULL;
            c->run = i;
            return;
        }
    }
    CHECK(is_full(c));
}

static check_schedule *new_schedule(pop *p, uint32_t first, const work_item *item) {
    pop_check *c = p->check;
    uint32_t run = c->run;
    while (run && first < schedule_at(c, run)->length) {
        CHECK(first < schedule_at(c, run)->first);
        run = schedule_at(c, run)->run;
    }
    vector_push(&c->schedules,
                (check_schedule){.item = item, .found_in = c->run, .run = run, .first = first});
    return &vector_last(&c->schedules);
}

static void add_event(check_schedule *s, const tree_event *g, uint32_t stride) {
    vector_push(&s->events, (check_event){.thread = g->thread,
                                          .index = g->index,
                                          .choice = g->choice,
                                          .footprint = g->footprint});
    for (uint32_t i = 0; i < stride; i++) {
        vector_push(&vector_last(&s->events).clock, g->clock[i]);
    }
}

void pop_check_schedule(pop *p, const late_event *late, uint32_t first, const tree_event *head,
                        const work_item *item, bool rejected, bool sleeps) {
    const execution *e = execution_of(p);
    if (is_full(p->check)) {
        return;
    }
    check_schedule *s = new_schedule(p, first, item);
    s->late = late->position;
    s->thread = late->thread;
    s->rejected = rejected;
    s->sleeps = sleeps;
    s->length = first + p->schedule.count + 1;
    for (uint32_t i = 0; i < p->schedule.count; i++) {
        uint32_t position = vector_at(&p->schedule, i);
        const event *of = execution_event(e, position);
        add_event(s,
                  &(tree_event){.thread = of->thread,
                                .index = of->index,
                                .choice = of->choice,
                                .footprint = of->footprint,
                                .clock = execution_clock(e, position)},
                  e->stride);
    }
    add_event(s, head, e->stride);
}

void pop_check_alternative(pop *p, const work_item *item) {
    if (!is_full(p->check)) {
        check_schedule *s = new_schedule(p, item->scripted - 1, item);
        s->late = s->first;
        s->length = item->scripted;
    }
}

/* ---- the order of the schedules ---- */

/* The child of `above` on the path down to `run`; it may be `run` itself. */
static uint32_t next_run(const pop_check *c, uint32_t above, uint32_t run) {
    while (schedule_at(c, run)->run != above) {
        run = schedule_at(c, run)->run;
    }
    return run;
}

/* Cases (A), (B) and (C) of section 4.3, for two schedules that reverse races with one event: going
 * down from that event, the first place where the executions of their races differ. */
static bool precedes(const pop_check *c, const check_schedule *a, const check_schedule *b) {
    for (uint32_t run = a->run;;) {
        if (a->found_in == run && b->found_in == run) {
            return a->late != b->late ? a->late < b->late : a->thread < b->thread;
        }
        if (a->found_in == run) {
            return a->late < schedule_at(c, next_run(c, run, b->found_in))->first;
        }
        if (b->found_in == run) {
            return b->late >= schedule_at(c, next_run(c, run, a->found_in))->first;
        }
        uint32_t to_a = next_run(c, run, a->found_in), to_b = next_run(c, run, b->found_in);
        const check_schedule *way_a = schedule_at(c, to_a), *way_b = schedule_at(c, to_b);
        if (to_a != to_b) {
            return way_a->first != way_b->first ? way_a->first < way_b->first
                                                : precedes(c, way_a, way_b);
        }
        run = to_a;
    }
}

/* ---- containment ---- */

static bool same_event(const check_event *a, const check_event *b) {
    return a->thread == b->thread && a->index == b->index && a->choice == b->choice &&
           a->footprint == b->footprint;
}

static bool happens_before(const check_event *a, const check_event *b) {
    return a->thread < b->clock.count && vector_at(&b->clock, a->thread) > a->index;
}

static uint32_t find_event(const sequence *w, const check_event *e) {
    uint32_t i = 0;
    while (i < w->count && !same_event(vector_at(w, i), e)) {
        i++;
    }
    return i;
}

/* The schedule consists of the events of w that happen before its head, in an equivalent order. */
static bool contains(const sequence *w, const check_schedule *s) {
    uint32_t head = find_event(w, &vector_last(&s->events)), before = 0;
    for (uint32_t i = 0; head < w->count && i <= head; i++) {
        before += happens_before(vector_at(w, i), vector_at(w, head));
    }
    for (uint32_t i = 0; i < s->events.count && before == s->events.count; i++) {
        uint32_t there = find_event(w, &vector_at(&s->events, i));
        if (there == w->count) {
            return false;
        }
        for (uint32_t j = 0; j < s->events.count; j++) {
            uint32_t other = find_event(w, &vector_at(&s->events, j));
            if (other == w->count ||
                happens_before(&vector_at(&s->events, j), &vector_at(&s->events, i)) !=
                    happens_before(vector_at(w, other), vector_at(w, there))) {
                return false;
            }
        }
    }
    return before == s->events.count;
}

/* ---- the sleep sets ---- */

/* Some schedule that comes before `s`, and reverses a race with the same event, is contained. */
static bool earlier_one_is_contained(const pop_check *c, const check_schedule *s,
                                     const sequence *w) {
    for (uint32_t i = 1; i < c->schedules.count; i++) {
        const check_schedule *other = schedule_at(c, i);
        if (other != s && other->run == s->run && other->first == s->first && other->events.count &&
            contains(w, other) && precedes(c, other, s)) {
            return true;
        }
    }
    return false;
}

/* `before` becomes the events of s, followed by what it was. */
static void put_before(sequence *w, const check_schedule *s) {
    uint32_t count = w->count, added = s->events.count;
    vector_resize(w, count + added);
    for (uint32_t i = count; i-- > 0;) {
        vector_at(w, i + added) = vector_at(w, i);
    }
    for (uint32_t i = 0; i < added; i++) {
        vector_at(w, i) = &vector_at(&s->events, i);
    }
}

/* The schedules right before it, each at the end of the previous one, have to be checked as
 * well. */
static bool must_be_rejected(const pop_check *c, const check_schedule *s) {
    sequence w = {0};
    bool rejected = false;
    put_before(&w, s);
    while (s->run && s->first == schedule_at(c, s->run)->length && !rejected) {
        s = schedule_at(c, s->run);
        put_before(&w, s);
        rejected = s->sleeps && earlier_one_is_contained(c, s, &w);
    }
    vector_free(&w);
    return rejected;
}

void pop_check_all(pop *p) {
    const pop_check *c = p->check;
    if (is_full(c) || p->base.exploration->cut) {
        return;
    }
    for (uint32_t i = 1; i < c->schedules.count; i++) {
        const check_schedule *s = schedule_at(c, i);
        if (s->events.count) {
            CHECK(s->rejected == must_be_rejected(c, s));
        }
    }
}

#endif
