#include "cli/run.h"

#include "cli/interrupt.h"
#include "report/progress.h"
#include "strategies/registry.h"

/* Without --max-steps: nothing that a person would wait for has executions as long as that. */
#define MOST_STEPS 4000000

/* Where an execution was cut short, and what may be done about it. */
static void say_cut(const exploration *e, text *out) {
    text thread = {0}, place = {0};
    const char *file;
    uint32_t line;
    text_clear(out);
    describe_thread(e->target, e->cut_thread, &thread);
    if (find_place(e->target, e->cut_location, &file, &line)) {
        text_format(&place, " at %s:%u", file, line);
    }
    text_format(out,
                "an execution was cut after %llu steps, in %s%s: a loop that does not end? "
                "--max-steps=N bounds executions",
                (unsigned long long)e->limits.max_steps, text_string(&thread), text_string(&place));
    text_free(&thread);
    text_free(&place);
}

/* One run from the beginning. */
static enum exploration_end explore(const options *o, const strategy_class *algorithm,
                                    target *target, collector *c, text *cut) {
    exploration e;
    exploration_init(&e, target, &c->sink);
    e.first = o->first.policy;
    e.random = (random_source){o->first.seed};
    e.limits = (exploration_limits){.max_steps = o->max_steps ? o->max_steps : MOST_STEPS,
                                    .stop_at_cut = !o->max_steps,
                                    .max_executions = o->max_executions,
                                    .interrupt = &interrupt_requested};
    enum exploration_end end = exploration_run(&e, algorithm);
    if (end == EXPLORATION_COMPLETE && e.cut) {
        end = EXPLORATION_STEP_BOUND;
    }
    if (e.cut) {
        say_cut(&e, cut);
    }
    c->counters.events = e.events;
    c->counters.dont_do = e.dont_do;
    exploration_free(&e);
    return end;
}

/* What was found before the target learnt of something shared is forgotten. */
static void start_over(collector *c) {
    bool keep_going = c->keep_going;
    progress *progress = c->progress;
    collector_free(c);
    collector_init(c, keep_going, progress);
}

/* Starts over when the target has learnt of something shared, and with another algorithm when this
   one finds that it cannot treat the program. */
static enum exploration_end explore_until_settled(const options *o,
                                                  const strategy_class **algorithm, loaded *l,
                                                  collector *c, text *cut) {
    for (;;) {
        enum exploration_end end = explore(o, *algorithm, l->target, c, cut);
        bool stale = loaded_is_stale(l);
        if (end == EXPLORATION_UNSUITED) {
            *algorithm = strategy_find((*algorithm)->fallback);
            CHECK(*algorithm != NULL);
        } else if (!stale || end == EXPLORATION_INTERRUPTED) {
            return end;
        }
        start_over(c);
    }
}

void run_exploration(const options *o, const strategy_class *wanted, loaded *l, collector *c,
                     outcome *result) {
    const strategy_class *algorithm = wanted;
    interrupt_after(o->max_seconds);
    double started = monotonic_seconds();
    text cut = {0};
    enum exploration_end end = explore_until_settled(o, &algorithm, l, c, &cut);
    double seconds = monotonic_seconds() - started;
    interrupt_after(0);
    *result = (outcome){.algorithm = algorithm->name,
                        .end = end,
                        .timeout = interrupt_was_timeout(),
                        .unseen = l->unseen,
                        .collector = c,
                        .seconds = seconds};
    if (text_length(&cut)) {
        outcome_warn(result, "%s", text_string(&cut));
    }
    text_free(&cut);
    if (algorithm != wanted) {
        outcome_warn(result, "%s hands over to %s: %s", wanted->name, algorithm->name,
                     wanted->unsuited);
    }
    if (algorithm->states_only && l->native && !o->no_race_check) {
        outcome_warn(
            result,
            "%s reports the data races that it meets, but does not prove that there are no "
            "others; pop and optimal do",
            algorithm->name);
    }
    if (algorithm->unsound) {
        result->unseen = true;
        outcome_warn(result, "%s", algorithm->unsound);
    }
    if (l->caution) {
        outcome_warn(result, "%s", l->caution);
    }
    if (loaded_sampled(l)) {
        result->unseen = true;
        outcome_warn(result, "not all results of %s were tried, only a few", loaded_sampled(l));
    }
    if (text_length(&l->warnings)) {
        outcome_warn(result, "not under heddle's control: %s", text_string(&l->warnings));
    }
}
