#include "report/simplify.h"

#include "report/fewest.h"

/* Of the steps at the end of a thread so many are left out one fewer at a time, more by halves. */
enum { LEFT_OUT_EACH = 64 };

/* Steps [first, end) of one thread. */
typedef struct run {
    uint32_t first, end;
    uint32_t thread;
} run;

typedef struct simplifier {
    rerun *rerun;
    step_list best;     /* the simplest schedule so far */
    step_list attempt;  /* one that is tried */
    VECTOR(run) runs;   /* of the best */
    uint32_t tolerated; /* other errors that the original schedule has */
} simplifier;

static void find_runs(simplifier *s) {
    vector_clear(&s->runs);
    for (uint32_t i = 0; i < s->best.count; i++) {
        uint32_t thread = vector_at(&s->best, i).thread;
        if (!s->runs.count || vector_last(&s->runs).thread != thread) {
            vector_push(&s->runs, (run){.first = i, .thread = thread});
        }
        vector_last(&s->runs).end = i + 1;
    }
}

static void copy(simplifier *s, uint32_t first, uint32_t end) {
    CHECK(first <= end && end <= s->best.count);
    vector_append(&s->attempt, s->best.items + first, end - first);
}

/* The attempt becomes the best. */
static void adopt(simplifier *s) {
    step_list best = s->best;
    s->best = s->attempt;
    s->attempt = best;
    find_runs(s);
}

/* Keeps the attempt if it is simpler and shows the error. */
static bool keep_if_better(simplifier *s) {
    if (fewest_count(&s->attempt) > fewest_count(&s->best)) {
        return false;
    }
    uint32_t length = rerun_steps(s->rerun, s->attempt.items, s->attempt.count);
    if (length == UINT32_MAX || s->rerun->other_errors > s->tolerated) {
        return false;
    }
    vector_resize(&s->attempt, length);
    uint32_t before = fewest_count(&s->best), after = fewest_count(&s->attempt);
    if (after > before || (after == before && length >= s->best.count)) {
        return false;
    }
    adopt(s);
    return true;
}

static bool leave_out(simplifier *s, uint32_t number) {
    run left = vector_at(&s->runs, number);
    vector_clear(&s->attempt);
    copy(s, 0, left.first);
    copy(s, left.end, s->best.count);
    return keep_if_better(s);
}

/* The next run of the same thread; the number of runs if there is none. */
static uint32_t next_of_thread(const simplifier *s, uint32_t number) {
    uint32_t next = number + 1;
    while (next < s->runs.count &&
           vector_at(&s->runs, next).thread != vector_at(&s->runs, number).thread) {
        next++;
    }
    return next;
}

/* Moves the later run of the thread right after the earlier one, or the earlier one right before
 * the later one. */
static bool join(simplifier *s, uint32_t number, bool early) {
    uint32_t next = next_of_thread(s, number);
    if (next == s->runs.count) {
        return false;
    }
    run one = vector_at(&s->runs, number), other = vector_at(&s->runs, next);
    vector_clear(&s->attempt);
    copy(s, 0, early ? one.end : one.first);
    copy(s, early ? other.first : one.end, early ? other.end : other.first);
    if (early) {
        copy(s, one.end, other.first);
    } else {
        copy(s, one.first, one.end);
        copy(s, other.first, other.end);
    }
    copy(s, other.end, s->best.count);
    return keep_if_better(s);
}

static uint32_t fewer(uint32_t count) {
    return count <= LEFT_OUT_EACH      ? count - 1
           : count > 2 * LEFT_OUT_EACH ? count / 2
                                       : LEFT_OUT_EACH;
}

/* Removes the last steps of a thread if the error does not need them, such as a join, or a loop
 * that did not wait. As many as possible: a lock without its unlock would block others. */
static bool shorten(simplifier *s, uint32_t number) {
    run whole = vector_at(&s->runs, number);
    uint32_t length = whole.end - whole.first;
    bool shorter = false;
    if (next_of_thread(s, number) < s->runs.count) {
        return false;
    }
    for (uint32_t count = length - 1; count && !shorter && !rerun_is_over(s->rerun);
         count = fewer(count)) {
        vector_clear(&s->attempt);
        copy(s, 0, whole.end - count);
        copy(s, whole.end, s->best.count);
        shorter = keep_if_better(s);
    }
    return shorter;
}

/* Searches for fewer switches than moving runs has led to. */
static bool search(simplifier *s) {
    uint32_t switches = fewest_count(&s->best);
    if (!switches || !fewest_find(s->rerun, &s->best, switches - 1, s->tolerated, &s->attempt)) {
        return false;
    }
    adopt(s);
    return true;
}

/* One pass; true if something helped. Errors at the end of an execution need all steps. */
static bool improve(simplifier *s, bool needs_all) {
    bool improved = false;
    for (uint32_t i = s->runs.count; i-- > 0 && !needs_all && !rerun_is_over(s->rerun);) {
        improved = (i < s->runs.count && leave_out(s, i)) || improved;
    }
    for (uint32_t i = s->runs.count; i-- > 0 && !needs_all && !rerun_is_over(s->rerun);) {
        improved = (i < s->runs.count && shorten(s, i)) || improved;
    }
    for (uint32_t i = 0; i < s->runs.count && !rerun_is_over(s->rerun); i++) {
        improved = join(s, i, true) || (i < s->runs.count && join(s, i, false)) || improved;
    }
    return improved;
}

void simplify(rerun *r, found_error *f) {
    simplifier s = {.rerun = r};
    vector_append(&s.best, f->steps.items, f->steps.count);
    /* If the error occurs again, it can be searched for in this way. */
    bool found = s.best.count && rerun_steps(r, s.best.items, s.best.count) == s.best.count;
    s.tolerated = r->other_errors;
    find_runs(&s);
    bool needs_all = error_is_stuck(f->kind) || f->kind == ERROR_LEAK;
    while (found && !rerun_is_over(r) && improve(&s, needs_all)) {
    }
    if (found && !rerun_is_over(r) && search(&s)) {
        improve(&s, needs_all);
    }
    step_list given = f->steps;
    f->steps = s.best;
    s.best = given;
    vector_free(&s.best);
    vector_free(&s.attempt);
    vector_free(&s.runs);
}
