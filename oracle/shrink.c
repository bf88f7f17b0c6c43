#include "oracle/shrink.h"

#include <stdio.h>
#include <string.h>

#include "base/memory_model.h"
#include "oracle/print.h"
#include "oracle/sandbox.h"

#define SHRINK_SECONDS      5
#define SHRINK_PREFIX_LIMIT 100000

/* ---- one attempt ---- */

typedef struct attempt {
    const defendant *defendant;
    const char *text;
    uint32_t policies;
    differ_result result;
} attempt;

static void run_attempt(void *argument) {
    attempt *a = argument;
    differ_settings settings = {.defendants = a->defendant,
                                .defendant_count = 1,
                                .policies = a->policies,
                                .prefix_limit = SHRINK_PREFIX_LIMIT};
    differ_result result;
    differ_test(&settings, a->text, &result);
    a->result = result;
}

void shrink_test(const defendant *who, const char *text, uint32_t policies, uint32_t seconds,
                 differ_result *result) {
    attempt *a = sandbox_share(sizeof *a);
    *a = (attempt){.defendant = who, .text = text, .policies = policies};
    enum sandbox_end end = sandbox_run(run_attempt, a, seconds);
    *result = a->result;
    sandbox_unshare(a, sizeof *a);
    if (end != SANDBOX_RETURNED) {
        difference *d = &result->difference;
        *d = (difference){0};
        snprintf(d->strategy, sizeof d->strategy, "%s", who->class->name);
        difference_set(d, end == SANDBOX_DIED ? DIFFERENCE_CRASH : DIFFERENCE_HANG,
                       "under some policy");
    }
}

typedef struct shrinker {
    sketch *best;
    const defendant *defendant;
    difference *found;
    bool errors; /* the program has errors of its own, so a smaller one may have some, too */
    bool progress;
} shrinker;

/* Takes the candidate for the best one if it fails in the same way. */
static bool try_candidate(shrinker *s, const sketch *candidate) {
    printed text;
    differ_result result;
    print_sketch(candidate, &text);
    shrink_test(s->defendant, text.text, DIFFER_POLICIES, SHRINK_SECONDS, &result);
    if (result.difference.kind != s->found->kind || (result.errors && !s->errors)) {
        return false;
    }
    *s->best = *candidate;
    *s->found = result.difference;
    s->progress = true;
    return true;
}

/* ---- what can be taken away ---- */

static void remove_threads(shrinker *s) {
    for (uint32_t t = s->best->thread_count; t-- > 0 && s->best->thread_count > 1;) {
        sketch candidate = *s->best;
        sketch_remove_thread(&candidate, t);
        try_candidate(s, &candidate);
    }
}

static bool is_bracket(uint8_t kind) {
    return kind >= SKETCH_ATOMIC;
}

/* A block with all that is in it (an `else` keeps its `if`). */
static bool remove_block(shrinker *s, uint32_t t, uint32_t at) {
    sketch candidate = *s->best;
    sketch_thread *thread = &candidate.threads[t];
    uint32_t end = sketch_closing(thread, at);
    if (thread->ops[end].kind == SKETCH_ELSE) {
        end = sketch_closing(thread, end);
    }
    uint32_t count = end - at + (thread->ops[at].kind != SKETCH_ELSE);
    while (count-- > 0) {
        sketch_remove_op(thread, at);
    }
    return try_candidate(s, &candidate);
}

/* Only the brackets; what is in the block stays. */
static bool remove_brackets(shrinker *s, uint32_t t, uint32_t at) {
    sketch candidate = *s->best;
    sketch_thread *thread = &candidate.threads[t];
    uint32_t end = sketch_closing(thread, at);
    if (thread->ops[at].kind == SKETCH_ELSE) {
        return false;
    }
    if (thread->ops[end].kind == SKETCH_ELSE) {
        sketch_remove_op(thread, sketch_closing(thread, end));
    }
    sketch_remove_op(thread, end);
    sketch_remove_op(thread, at);
    return try_candidate(s, &candidate);
}

static void remove_op(shrinker *s, uint32_t t, uint32_t at) {
    uint8_t kind = s->best->threads[t].ops[at].kind;
    if (kind == SKETCH_ATOMIC_END || kind == SKETCH_IF_END || kind == SKETCH_LOOP_END) {
        return;
    }
    if (is_bracket(kind)) {
        if (!remove_block(s, t, at)) {
            remove_brackets(s, t, at);
        }
        return;
    }
    sketch candidate = *s->best;
    sketch_remove_op(&candidate.threads[t], at);
    try_candidate(s, &candidate);
}

/* Two operations that only make sense together, such as lock and unlock. */
static void remove_pairs(shrinker *s, uint32_t t) {
    for (uint32_t a = s->best->threads[t].count; a-- > 0;) {
        for (uint32_t b = s->best->threads[t].count; b-- > a + 1;) {
            const sketch_op *ops = s->best->threads[t].ops;
            bool same = ops[a].cell == ops[b].cell;
            if (is_bracket(ops[a].kind) || is_bracket(ops[b].kind) || !same) {
                continue;
            }
            sketch candidate = *s->best;
            sketch_remove_op(&candidate.threads[t], b);
            sketch_remove_op(&candidate.threads[t], a);
            if (try_candidate(s, &candidate)) {
                break;
            }
        }
    }
}

static void remove_ops(shrinker *s) {
    for (uint32_t t = 0; t < s->best->thread_count; t++) {
        for (uint32_t at = s->best->threads[t].count; at-- > 0;) {
            if (at < s->best->threads[t].count) {
                remove_op(s, t, at);
            }
        }
        remove_pairs(s, t);
    }
}

/* ---- what can be made simpler ---- */

typedef bool simplification(sketch_op *);

static bool drop_guard(sketch_op *op) {
    bool changes = op->guard != GUARD_NONE;
    op->guard = GUARD_NONE;
    return changes;
}

static bool zero_expected(sketch_op *op) {
    bool changes = op->kind == SKETCH_CAS && op->expected != 0;
    op->expected = 0;
    return changes;
}

static bool one_value(sketch_op *op) {
    bool has_value = op->kind == SKETCH_WRITE || op->kind == SKETCH_ADD || op->kind == SKETCH_CAS ||
                     op->kind == SKETCH_EXCHANGE || op->kind == SKETCH_AWAIT;
    bool changes = has_value && op->value != 1;
    op->value = changes ? 1 : op->value;
    return changes;
}

static bool equal_compare(sketch_op *op) {
    bool changes = op->kind == SKETCH_AWAIT && op->compare != COMPARE_EQUAL;
    op->compare = changes ? (uint8_t)COMPARE_EQUAL : op->compare;
    return changes;
}

static bool plain_write(sketch_op *op) {
    bool changes = op->kind == SKETCH_ADD || op->kind == SKETCH_EXCHANGE || op->kind == SKETCH_CAS;
    if (changes) {
        op->kind = SKETCH_WRITE;
        op->order = op->failure = ORDER_SEQ_CST;
    }
    return changes;
}

static bool plain_read(sketch_op *op) {
    bool changes = op->kind == SKETCH_CAS || op->kind == SKETCH_ADD || op->kind == SKETCH_AWAIT;
    if (changes) {
        op->kind = SKETCH_READ;
        op->order = op->failure = ORDER_SEQ_CST;
    }
    return changes;
}

static bool default_order(sketch_op *op) {
    bool changes = op->order != ORDER_SEQ_CST || op->failure != ORDER_SEQ_CST;
    op->order = op->failure = ORDER_SEQ_CST;
    return changes;
}

static bool two_choices(sketch_op *op) {
    bool changes = op->kind == SKETCH_CHOOSE && op->value > 2;
    op->value = changes ? 2 : op->value;
    return changes;
}

static bool plain_place(sketch_op *op) {
    bool changes = op->indexed;
    op->indexed = false;
    return changes;
}

static bool plain_value(sketch_op *op) {
    bool changes = op->adds_last;
    op->adds_last = false;
    return changes;
}

static bool untimed(sketch_op *op) {
    bool changes = op->kind == SKETCH_TIMED_WAIT;
    op->kind = changes ? (uint8_t)SKETCH_WAIT : op->kind;
    return changes;
}

static bool patient(sketch_op *op) {
    bool changes = op->kind == SKETCH_POLL;
    op->kind = changes ? (uint8_t)SKETCH_RECEIVE : op->kind;
    return changes;
}

static bool any_message(sketch_op *op) {
    bool changes = (op->kind == SKETCH_RECEIVE || op->kind == SKETCH_POLL) && op->value != 0;
    op->value = changes ? 0 : op->value;
    return changes;
}

static bool first_tag(sketch_op *op) {
    bool changes = op->kind == SKETCH_SEND && op->value != 1;
    op->value = changes ? 1 : op->value;
    return changes;
}

static simplification *const simplifications[] = {
    drop_guard,    zero_expected, one_value,   equal_compare, plain_write, plain_read,  two_choices,
    default_order, untimed,       plain_place, plain_value,   patient,     any_message, first_tag,
};

static void simplify_op(shrinker *s, uint32_t t, uint32_t at) {
    for (size_t i = 0; i < sizeof simplifications / sizeof *simplifications; i++) {
        sketch candidate = *s->best;
        if (simplifications[i](&candidate.threads[t].ops[at])) {
            try_candidate(s, &candidate);
        }
    }
}

static void simplify_ops(shrinker *s) {
    for (uint32_t t = 0; t < s->best->thread_count; t++) {
        for (uint32_t at = 0; at < s->best->threads[t].count; at++) {
            simplify_op(s, t, at);
        }
    }
}

void shrink_sketch(sketch *best, const defendant *who, bool errors, difference *found) {
    shrinker s = {.best = best, .defendant = who, .found = found, .errors = errors};
    do {
        s.progress = false;
        remove_threads(&s);
        remove_ops(&s);
        simplify_ops(&s);
    } while (s.progress);
}
