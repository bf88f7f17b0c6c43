#include "explore/survey.h"

#include "base/limit.h"
#include "base/random.h"
#include "explore/exploration.h"

/* ---- what was seen ---- */

/* Accesses of a thread to an object. */
typedef struct seen_access {
    uint32_t thread;
    uint32_t last; /* it may access the object again until it has taken this many steps */
    uint32_t next; /* of the object: index + 1, or 0 */
    uint8_t bytes, written;
} seen_access;

typedef struct seen_object {
    uint32_t first; /* index + 1, or 0 */
    bool contended; /* accesses of two threads conflict */
} seen_object;

typedef struct observation {
    VECTOR(seen_object) objects;
    VECTOR(seen_access) accesses;
    bool contended; /* some object is */
} observation;

static seen_object *find_object(observation *o, uint32_t object) {
    while (o->objects.count <= object) {
        vector_push(&o->objects, (seen_object){0});
    }
    return &vector_at(&o->objects, object);
}

static seen_access *find_access(observation *o, seen_object *of, uint32_t thread) {
    for (uint32_t i = of->first; i; i = vector_at(&o->accesses, i - 1).next) {
        if (vector_at(&o->accesses, i - 1).thread == thread) {
            return &vector_at(&o->accesses, i - 1);
        }
    }
    vector_push(&o->accesses, (seen_access){.thread = thread, .next = of->first});
    of->first = o->accesses.count;
    return &vector_last(&o->accesses);
}

static bool conflicts(const observation *o, const seen_object *of, const seen_access *a) {
    for (uint32_t i = of->first; i; i = vector_at(&o->accesses, i - 1).next) {
        const seen_access *other = &vector_at(&o->accesses, i - 1);
        if (other->thread != a->thread &&
            ((other->written & a->bytes) | (other->bytes & a->written))) {
            return true;
        }
    }
    return false;
}

static void note(observation *o, const event *e, memory_access a) {
    seen_object *of = find_object(o, a.object);
    seen_access *seen = find_access(o, of, e->thread);
    CHECK(seen->thread == e->thread && a.mode);
    seen->last = e->index + 1 > seen->last ? e->index + 1 : seen->last;
    seen->bytes |= a.bytes;
    seen->written |= a.mode & ACCESS_WRITE ? a.bytes : 0;
    of->contended = of->contended || conflicts(o, of, seen);
    o->contended = o->contended || of->contended;
}

static void note_all(observation *o, const execution *e) {
    for (uint32_t i = 0; i < execution_length(e); i++) {
        const event *of = execution_event(e, i);
        for (uint32_t k = 0, n = footprint_count(of->footprint); k < n; k++) {
            note(o, of, footprint_access(of->footprint, k));
        }
    }
}

/* ---- the best order ---- */

typedef struct candidate {
    uint32_t thread;
    uint32_t merit;
    uint32_t recent; /* the latest event that touched its object, + 1 */
} candidate;

enum merit { MERIT_CONTENDED, MERIT_ALL_THERE, MERIT_IN_SECTION, MERIT_FREE };

static bool is_contended(const observation *o, uint32_t object) {
    return object < o->objects.count && vector_at(&o->objects, object).contended;
}

/* Some object is contended; the first one. */
static bool find_contended(const observation *o, footprint f, uint32_t *object) {
    for (uint32_t k = 0, n = footprint_count(f); k < n; k++) {
        *object = footprint_access(f, k).object;
        if (is_contended(o, *object)) {
            return true;
        }
    }
    return false;
}

/* Every thread that was seen to access the object is about to access it, or has made its last
 * access. */
static bool all_are_there(exploration *x, const observation *o, uint32_t object) {
    const execution *e = &x->execution;
    for (uint32_t i = vector_at(&o->objects, object).first; i;) {
        const seen_access *a = &vector_at(&o->accesses, i - 1);
        uint32_t events = execution_thread_events(e, a->thread);
        bool exists = a->thread < x->target->class->thread_count(x->target);
        const operation *pending = exists ? x->target->class->pending(x->target, a->thread) : NULL;
        bool comes = pending ? !footprint_has_object(pending->footprint, object) : !events;
        if (comes && events < a->last) {
            return false;
        }
        i = a->next;
    }
    return true;
}

/* The thread has taken something that it has not released. */
static bool is_in_section(const execution *e, uint32_t thread) {
    uint32_t released = 0;
    for (uint32_t n = execution_thread_events(e, thread); n-- > 0;) {
        enum operation_kind kind = execution_event(e, execution_position(e, thread, n))->kind;
        if (operation_has_role(kind, ROLE_RELEASES)) {
            released++;
        } else if (operation_has_role(kind, ROLE_TAKES) && !released--) {
            return true;
        }
    }
    return false;
}

static candidate judge(exploration *x, const observation *o, uint32_t thread,
                       const operation *pending) {
    const execution *e = &x->execution;
    uint32_t length = execution_length(e), object;
    candidate c = {.thread = thread, .merit = MERIT_FREE};
    if (!find_contended(o, pending->footprint, &object)) {
        return c;
    }
    uint32_t link = execution_chain(e, length, 0, object);
    bool goes_on = length && execution_event(e, length - 1)->thread == thread;
    c.recent = link ? vector_at(&e->links, link - 1).position + 1 : 0;
    c.merit = goes_on && is_in_section(e, thread) ? MERIT_IN_SECTION
              : all_are_there(x, o, object)       ? MERIT_ALL_THERE
                                                  : MERIT_CONTENDED;
    return c;
}

static bool is_better(const candidate *c, const candidate *best) {
    return c->merit != best->merit ? c->merit > best->merit : c->recent > best->recent;
}

/* ---- executions ---- */

typedef bool chooser(exploration *, const observation *, uint32_t *thread);

static const operation *enabled(exploration *x, uint32_t thread) {
    const operation *pending = x->target->class->pending(x->target, thread);
    bool usual =
        pending && operation_enabled(pending) && !operation_has_role(pending->kind, ROLE_YIELDS);
    return usual ? pending : NULL;
}

static bool lowest(exploration *x, const observation *o, uint32_t *thread) {
    (void)o;
    uint32_t count = x->target->class->thread_count(x->target);
    for (*thread = 0; *thread < count && !enabled(x, *thread); ++*thread) {
    }
    return *thread < count;
}

/* But steps that were not seen to conflict come first: all threads are then there. */
static bool highest(exploration *x, const observation *o, uint32_t *thread) {
    bool any = false;
    for (uint32_t t = x->target->class->thread_count(x->target); t-- > 0;) {
        const operation *pending = enabled(x, t);
        uint32_t object;
        bool free = pending && !find_contended(o, pending->footprint, &object);
        if (free || (pending && !any)) {
            any = true;
            *thread = t;
        }
        if (free) {
            break;
        }
    }
    return any;
}

static bool best(exploration *x, const observation *o, uint32_t *thread) {
    candidate found = {0};
    bool any = false;
    for (uint32_t t = 0; t < x->target->class->thread_count(x->target); t++) {
        const operation *pending = enabled(x, t);
        if (!pending) {
            continue;
        }
        candidate c = judge(x, o, t, pending);
        if (!any || is_better(&c, &found)) {
            found = c;
            any = true;
        }
    }
    CHECK(!any || found.merit <= MERIT_FREE);
    *thread = found.thread;
    return any;
}

/* Starts over with an empty execution. False: what was explored is stale, or a limit was
 * reached. */
static bool start(exploration *x) {
    execution_truncate(&x->execution, 0);
    exploration_synchronise(x);
    return !x->target->stale && !limit_stops;
}

static bool is_short(const exploration *x) {
    return execution_length(&x->execution) < SURVEY_STEPS;
}

/* False: the step failed or was cut, what was explored is stale, or a limit was reached. */
static bool take(exploration *x, uint32_t thread) {
    execution_reserve_threads(&x->execution, x->target->class->thread_count(x->target));
    const operation *pending = x->target->class->pending(x->target, thread);
    step_result result;
    exploration_append(x, (step){thread, operation_choice(pending, 0)}, pending, &result);
    return !result.error && !x->target->cut && !x->target->stale && !limit_stops;
}

/* Runs from the start; false as above. */
static bool run(exploration *x, chooser *choose, const observation *o) {
    bool good = start(x);
    for (uint32_t thread; good && is_short(x) && choose(x, o, &thread);) {
        good = take(x, thread);
    }
    return good;
}

static bool observe(exploration *x, chooser *choose, observation *o) {
    bool ran = run(x, choose, o);
    note_all(o, &x->execution);
    return ran;
}

/* ---- what an order costs ---- */

/* The latest event before the one at `position` that it conflicts with, of another thread. */
static uint32_t latest_conflict(const execution *e, uint32_t position) {
    const event *of = execution_event(e, position);
    uint32_t latest = POSITION_NONE;
    for (uint32_t k = 0, n = footprint_count(of->footprint); k < n; k++) {
        memory_access a = footprint_access(of->footprint, k);
        uint32_t at = execution_chain(e, position, k, a.object);
        for (; at; at = execution_conflicting_link(e, at, a.mode)) {
            const access_link *link = &vector_at(&e->links, at - 1);
            bool conflict = link->bytes & a.bytes && (link->mode | a.mode) & ACCESS_WRITE;
            if (conflict && execution_event(e, link->position)->thread != of->thread) {
                bool later = latest == POSITION_NONE || link->position > latest;
                latest = later ? link->position : latest;
                break;
            }
        }
    }
    return latest;
}

/* The average number of steps that an execution does not share with the one before, in some unit,
 * if the races of this one are reversed like the bits of a counter: the last race most often. */
static uint64_t cost(const execution *e) {
    uint32_t races[SURVEY_STEPS] = {0}; /* by their first event */
    uint32_t length = execution_length(e);
    CHECK(length <= SURVEY_STEPS);
    for (uint32_t i = 0; i < length; i++) {
        uint32_t first = execution_event(e, i)->meets ? latest_conflict(e, i) : POSITION_NONE;
        if (first != POSITION_NONE) {
            races[first]++;
        }
    }
    CHECK(execution_thread_count(e) || !length);
    uint64_t sum = 0, weight = (uint64_t)1 << 40;
    for (uint32_t i = length; i-- > 0;) {
        for (uint32_t k = 0; k < races[i]; k++, weight /= 2) {
            sum += weight * (length - i);
        }
    }
    return sum;
}

/* The execution is the one to follow. */
static void take_ranks(survey *s, const execution *e) {
    vector_resize(&s->steps, execution_length(e));
    for (uint32_t t = 0; t < execution_thread_count(e); t++) {
        uint32_t count = execution_thread_events(e, t);
        vector_push(&s->starts, s->ranks.count);
        vector_push(&s->next, SURVEY_NONE);
        for (uint32_t i = 0; i < count; i++) {
            uint32_t rank = execution_position(e, t, i);
            uint32_t after = execution_position(e, t, i + 1 < count ? i + 1 : i);
            vector_push(&s->ranks, rank);
            vector_at(&s->steps, rank) = (survey_step){t, after};
        }
    }
    vector_push(&s->starts, s->ranks.count);
    CHECK(s->ranks.count == execution_length(e) && s->next.count + 1 == s->starts.count);
}

/* ---- executions like those to come ---- */

/* An execution and those with its races reversed differ: if two threads conflict at nearly every
 * step, races are early only in the first one. So an order is also tried on executions in which
 * some of the races have been reversed. */
enum { TRIALS = 8 };

/* Of the threads that may still conflict with the thread's access to the object, or itself. */
static uint32_t find_rival(exploration *x, const observation *o, uint32_t thread, uint32_t object,
                           random_source *random) {
    uint32_t found = thread, count = 1, threads = x->target->class->thread_count(x->target);
    for (uint32_t i = vector_at(&o->objects, object).first; i;) {
        const seen_access *a = &vector_at(&o->accesses, i - 1);
        bool comes = a->thread < threads && a->thread != thread && a->written &&
                     execution_thread_events(&x->execution, a->thread) < a->last;
        if (comes && enabled(x, a->thread) && !random_below(random, ++count)) {
            found = a->thread;
        }
        i = a->next;
    }
    CHECK(found < threads);
    return found;
}

/* Runs the thread up to its next access to the object, or as far as it gets. */
static bool take_until(exploration *x, uint32_t thread, uint32_t object) {
    const operation *pending;
    bool good = true, touched = false;
    while (good && !touched && is_short(x) && (pending = enabled(x, thread))) {
        touched = footprint_has_object(pending->footprint, object);
        good = take(x, thread);
    }
    return good;
}

/* Picks as the exploration does, but now and then a rival comes first; false as for run. */
static bool run_with_rivals(exploration *x, const observation *o, random_source *random) {
    bool good = start(x), refused;
    for (uint32_t thread; good && is_short(x) &&
                          exploration_pick(x, exploration_takes_any, NULL, &thread, &refused);) {
        uint32_t object = 0, rival = thread;
        if (find_contended(o, exploration_pending(x, thread)->footprint, &object)) {
            rival = find_rival(x, o, thread, object, random);
        }
        good = rival == thread ? take(x, thread) : take_until(x, rival, object);
    }
    return good;
}

/* What the current order costs, in the unit of `cost`; false as for run. */
static bool try_order(exploration *x, const observation *o, uint64_t *sum) {
    random_source random = {0};
    bool good = true;
    *sum = 0;
    for (uint32_t i = 0; good && i < TRIALS; i++) {
        good = run_with_rivals(x, o, &random);
        *sum += cost(&x->execution) / TRIALS;
    }
    return good;
}

/* An order that is only a little better is not worth looking at the ranks. */
static bool is_worth_it(uint64_t cost_now, uint64_t cost_before) {
    return cost_now < cost_before / 4 * 3;
}

/* The execution is the one to follow, if that pays. */
static void take_if_worth_it(exploration *x, const observation *o) {
    survey found = {0};
    uint64_t usual, ranked;
    CHECK(o->contended && !survey_exists(&x->survey));
    take_ranks(&found, &x->execution);
    bool good = try_order(x, o, &usual);
    x->survey = found;
    if (!good || !try_order(x, o, &ranked) || !is_worth_it(ranked, usual)) {
        survey_free(&x->survey);
    }
}

void survey_make(exploration *x) {
    uint64_t replayed = x->replayed, usual;
    observation o = {0};
    survey_free(&x->survey);
    CHECK(!execution_length(&x->execution) && !x->target->trial);
    x->target->trial = true;
    if (observe(x, lowest, &o) && o.contended) {
        usual = cost(&x->execution);
        if (observe(x, highest, &o) && run(x, best, &o) &&
            is_worth_it(cost(&x->execution), usual)) {
            take_if_worth_it(x, &o);
        }
    }
    x->target->trial = false;
    vector_free(&o.objects);
    vector_free(&o.accesses);
    execution_truncate(&x->execution, 0);
    survey_go_back(x);
    x->replayed = replayed;
}

void survey_free(survey *s) {
    vector_free(&s->starts);
    vector_free(&s->ranks);
    vector_free(&s->steps);
    vector_free(&s->next);
    *s = (survey){0};
}

/* ---- picking ---- */

void survey_go_back(exploration *x) {
    survey *s = &x->survey;
    CHECK(s->ranks.count <= SURVEY_STEPS && s->steps.count == s->ranks.count);
    for (uint32_t word = 0; word * 64 < s->ranks.count; word++) {
        s->ready[word] = 0;
    }
    for (uint32_t t = 0; t < s->next.count; t++) {
        bool ended = t < x->alive.count && vector_at_fast(&x->alive, t) != t;
        uint32_t start = vector_at_fast(&s->starts, t);
        uint32_t count = vector_at_fast(&s->starts, t + 1) - start;
        uint32_t events = execution_thread_events(&x->execution, t);
        vector_at_fast(&s->next, t) = SURVEY_NONE;
        if (count && !ended) {
            uint32_t at = start + (events < count ? events : count - 1);
            survey_enter(s, t, vector_at_fast(&s->ranks, at));
        }
    }
    s->length = execution_length(&x->execution);
}

void survey_note_end(survey *s, uint32_t thread) {
    if (thread < s->next.count && vector_at(&s->next, thread) != SURVEY_NONE) {
        survey_leave(s, vector_at(&s->next, thread));
        vector_at(&s->next, thread) = SURVEY_NONE;
    }
}
