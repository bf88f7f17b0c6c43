#include "report/reason.h"

#include <string.h>

#include "report/deadlock.h"
#include "report/holders.h"

enum { INNERMOST_CALLS = 10, OUTERMOST_CALLS = 3 };

static bool is_shared(const finding *f, const holder *h) {
    return holder_shares(vector_at(&f->steps, h->since).kind);
}

/* Who holds what right after the step. */
static void find_holders(const finding *f, uint32_t step, holder_list *holders) {
    holders_find(f, step < f->steps.count ? step + 1 : f->steps.count, holders);
}

/* Appends the names of the locks that the thread holds right after the step. */
static void locks_held(const finding *f, uint32_t thread, uint32_t step, text *out) {
    holder_list holders = {0};
    find_holders(f, step, &holders);
    const char *before = "";
    for (uint32_t i = 0; i < holders.count; i++) {
        const holder *h = &vector_at(&holders, i);
        if (h->thread == thread) {
            text_format(out, "%s%s%s", before, finding_text(f, vector_at(&f->steps, h->since).name),
                        is_shared(f, h) ? " for reading" : "");
            before = ", ";
        }
    }
    vector_free(&holders);
}

/* Both hold a read-write lock at their accesses, for reading. */
static bool share_lock(const finding *f, const finding_relation *one,
                       const finding_relation *other) {
    bool shared = false;
    holder_list ones = {0}, others = {0};
    find_holders(f, one->step, &ones);
    find_holders(f, other->step, &others);
    for (uint32_t i = 0; i < ones.count; i++) {
        const holder *h = &vector_at(&ones, i);
        for (uint32_t k = 0; k < others.count; k++) {
            const holder *o = &vector_at(&others, k);
            shared = shared || (h->thread == one->thread && o->thread == other->thread &&
                                h->object == o->object && is_shared(f, h) && is_shared(f, o));
        }
    }
    vector_free(&ones);
    vector_free(&others);
    return shared;
}

static void race_reason(const finding *f, text *out) {
    uint32_t one = f->relations.count ? vector_at(&f->relations, 0).step : FINDING_NO_STEP;
    uint32_t other = f->relations.count > 1 ? vector_at(&f->relations, 1).step : FINDING_NO_STEP;
    bool shared = f->relations.count > 1 &&
                  share_lock(f, &vector_at(&f->relations, 0), &vector_at(&f->relations, 1));
    text_format(out,
                "Nothing orders the two: %s, and no creation or join of a "
                "thread, no unlock and lock of a mutex, and no release and acquire of an atomic "
                "variable leads from one to the other",
                shared ? "the lock that both hold for reading does not keep either out"
                       : "they hold no lock in common");
    if (one != FINDING_NO_STEP && other != FINDING_NO_STEP) {
        text_format(out, " (steps %u and %u)", (one < other ? one : other) + 1,
                    (one < other ? other : one) + 1);
    }
    text_append(out, ".");
}

/* "write"; of a step that is more than that, such as a free, what it is. */
static const char *relation_word(const finding *f, const finding_relation *r) {
    enum operation_kind kind =
        r->step < f->steps.count ? vector_at(&f->steps, r->step).kind : OPERATION_NONE;
    bool means_less = f->kind != ERROR_DATA_RACE || kind == OPERATION_NONE ||
                      operation_shows(kind, SHOWS_RESULT | SHOWS_VALUE | SHOWS_CELLS | SHOWS_WHOLE);
    return means_less ? finding_text(f, r->what) : operation_word(kind);
}

/* "write by T1 in step 4 (race.c:10), holding mutex" */
static void describe_relation(const finding *f, const finding_relation *r, text *out) {
    text place = {0}, locks = {0};
    text_format(out, "%s by %s", relation_word(f, r), finding_thread(f, r->thread));
    if (r->step != FINDING_NO_STEP) {
        text_format(out, " in step %u", r->step + 1);
    }
    finding_describe_place(f, r->place, &place);
    if (text_length(&place)) {
        text_format(out, " (%s)", text_string(&place));
    }
    if (f->kind == ERROR_DATA_RACE && r->step != FINDING_NO_STEP) {
        locks_held(f, r->thread, r->step, &locks);
        text_format(out, ", holding %s", text_length(&locks) ? text_string(&locks) : "no lock");
    }
    text_free(&place);
    text_free(&locks);
}

static bool describe_decision(const finding *f, text *out) {
    if (f->doomed == 0 && f->steps.count) {
        text_append(out, "Every schedule of the program has an error of this kind.");
    } else if (f->doomed != FINDING_NO_STEP && f->doomed < f->steps.count) {
        text_format(out, "! after step %u the error can no longer be avoided", f->doomed);
    }
    return text_length(out) != 0;
}

/* How many calls from this one on are the same: more than one if a function calls itself. */
static uint32_t count_same(const finding *f, uint32_t first) {
    uint32_t count = 1;
    while (first + count < f->stack.count &&
           vector_at(&f->stack, first + count) == vector_at(&f->stack, first)) {
        count++;
    }
    return count;
}

/* "take (queue.c:31)", "search (tree.c:12) 20 times" */
static void describe_calls(const finding *f, uint32_t first, uint32_t count, text *out) {
    uint32_t place = vector_at(&f->stack, first);
    text_format(out, "%s%s (", first ? ", " : "",
                finding_text(f, vector_at(&f->places, place).function));
    finding_describe_place(f, place, out);
    text_append(out, ")");
    if (count > 1) {
        text_format(out, " %u times", count);
    }
}

/* "Call stack of T1: take (queue.c:31), worker (queue.c:52)"; of a long one the innermost calls and
 * the outermost ones. */
static void describe_stack(const finding *f, text *out) {
    uint32_t shown = 0, left_out = 0;
    text_format(out, "Call stack of %s: ", finding_thread(f, f->thread));
    for (uint32_t i = 0, count; i < f->stack.count; i += count) {
        count = count_same(f, i);
        if (shown < INNERMOST_CALLS || f->stack.count - (i + count) < OUTERMOST_CALLS) {
            if (left_out) {
                text_format(out, ", ... %u more", left_out);
                left_out = 0;
            }
            describe_calls(f, i, count, out);
            shown++;
        } else {
            left_out += count;
        }
    }
}

/* The call stack; the relations, of a race the earlier access first; why nothing orders them; the
 * deadlock; the remarks; the decision. */
bool reason_sentence(const finding *f, uint32_t index, text *out) {
    uint32_t relations = f->relations.count;
    bool race = f->kind == ERROR_DATA_RACE && relations, stack = f->stack.count > 1;
    if (stack && index == 0) {
        describe_stack(f, out);
        return true;
    }
    index -= stack;
    if (index < relations) {
        describe_relation(f, &vector_at(&f->relations, race ? relations - 1 - index : index), out);
        return true;
    }
    index -= relations;
    if (race && index == 0) {
        race_reason(f, out);
        return true;
    }
    index -= race;
    uint32_t waits = f->end == FINDING_DEADLOCK && !f->bare ? deadlock_sentence_count(f) : 0;
    if (index < waits) {
        deadlock_sentence(f, index, out);
        return true;
    }
    index -= waits;
    if (index < f->remarks.count) {
        text_append(out, finding_text(f, vector_at(&f->remarks, index)));
        return true;
    }
    return index == f->remarks.count && describe_decision(f, out);
}
