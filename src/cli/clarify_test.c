/* Simplified schedules and deciding steps of random programs, compared with their definitions. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/random.h"
#include "cli/load.h"
#include "dpor/registry.h"
#include "report/doom.h"
#include "report/simplify.h"

enum { PROGRAMS = 300, MOST_STEPS = 1000000 };

/* Two or three threads that lock, wait for values and write: many of them can be blocked forever.
 */
static void random_program(random_source *random, text *out) {
    static const char *const operations[] = {"l0", "l1",  "u0",  "u1", "wx1",
                                             "rx", "wy1", "ix1", "ry", "l0 u0"};
    uint32_t threads = 2 + random_below(random, 2);
    for (uint32_t t = 0; t < threads; t++) {
        text_append(out, t ? " / " : "");
        for (uint32_t n = 1 + random_below(random, 5 - threads / 3); n; n--) {
            text_format(out, "%s ", operations[random_below(random, 10)]);
        }
    }
}

/* Every interleaving from the prefix on, one by one: whether all have an error of the kind. */
static bool is_doomed(target *t, enum error_kind kind, step *steps, uint32_t count) {
    step_result result;
    bool enabled = false;
    t->class->reset(t);
    for (uint32_t i = 0; i < count; i++) {
        t->class->step(t, steps[i].thread, steps[i].choice, &result);
        for (const program_error *e = result.error; e; e = e->next) {
            if (e->kind == kind) {
                return true;
            }
        }
    }
    for (uint32_t thread = 0; thread < t->class->thread_count(t); thread++) {
        const operation *o = t->class->pending(t, thread);
        if (!o || !operation_enabled(o)) {
            continue;
        }
        enabled = true;
        for (uint32_t i = 0; i < operation_alternatives(o); i++) {
            steps[count] = (step){thread, operation_choice(o, i)};
            if (!is_doomed(t, kind, steps, count + 1)) {
                return false;
            }
            t->class->reset(t);
            for (uint32_t n = 0; n < count; n++) {
                t->class->step(t, steps[n].thread, steps[n].choice, &result);
            }
            o = t->class->pending(t, thread);
        }
    }
    return enabled || (t->class->ending(t) == ENDING_DEADLOCK && kind == ERROR_DEADLOCK);
}

static uint32_t first_doomed(target *t, const found_error *f) {
    step steps[128];
    for (uint32_t length = 0; length < f->steps.count; length++) {
        for (uint32_t i = 0; i < length; i++) {
            steps[i] = vector_at(&f->steps, i);
        }
        if (is_doomed(t, f->kind, steps, length)) {
            return length;
        }
    }
    return f->steps.count;
}

static uint32_t switches(const found_error *f) {
    uint32_t count = 0;
    for (uint32_t i = 1; i < f->steps.count; i++) {
        count += vector_at(&f->steps, i).thread != vector_at(&f->steps, i - 1).thread;
    }
    return count;
}

static void check_error(target *t, found_error *f, const char *program) {
    rerun r = {.target = t, .error = f, .budget = MOST_STEPS};
    uint32_t length = f->steps.count, before = switches(f);
    simplify(&r, f);
    if (switches(f) > before || f->steps.count > length ||
        rerun_steps(&r, f->steps.items, f->steps.count) != f->steps.count) {
        fail_msg("%s: the simplified schedule is worse, or has another error", program);
    }
    r.budget = MOST_STEPS;
    uint32_t found = doom_find(&r, f), expected = first_doomed(t, f);
    if (found != expected) {
        fail_msg("%s: unavoidable after %u steps instead of %u", program, found, expected);
    }
}

static void random_programs(void **state) {
    (void)state;
    random_source random = {11};
    uint32_t errors = 0, inside = 0;
    for (uint32_t i = 0; i < PROGRAMS; i++) {
        text program = {0}, message = {0};
        settings s = {0};
        loaded l;
        collector c;
        exploration x;
        random_program(&random, &program);
        s.program = text_string(&program);
        assert_true(load_here(&l, &s, &message));
        collector_init(&c, true);
        exploration_init(&x, l.target, &c.sink);
        x.first = FIRST_RANDOM;
        x.random = (random_source){i};
        exploration_run(&x, strategy_find("optimal"));
        for (uint32_t n = 0; n < c.errors.count && n < 3; n++) {
            found_error *f = &vector_at(&c.errors, n);
            if (!rerun_is_possible(f)) {
                continue;
            }
            check_error(l.target, f, s.program);
            errors++;
            inside += first_doomed(l.target, f) > 0 && first_doomed(l.target, f) < f->steps.count;
        }
        exploration_free(&x);
        collector_free(&c);
        loaded_free(&l);
        text_free(&program);
        text_free(&message);
    }
    assert_true(errors > 100 && inside > 20);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_programs)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
