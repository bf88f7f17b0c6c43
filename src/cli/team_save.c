/* When and how a team writes what is done and what is left to a file. */
#include "cli/team_plan.h"

static const double SAVE_PATIENCE = 10; /* seconds that a worker may take to report what is left */

static void ask_all(team *t, double time) {
    for (uint32_t i = 0; i < t->workers.count; i++) {
        worker *w = vector_at(&t->workers, i);
        if (worker_explores(w)) {
            w->saving = true;
            worker_ask(w, false);
        }
    }
    t->save_by = time + SAVE_PATIENCE;
}

static bool all_have_answered(const team *t) {
    for (uint32_t i = 0; i < t->workers.count; i++) {
        if (vector_at(&t->workers, i)->saving) {
            return false;
        }
    }
    return true;
}

void team_save(team *t) {
    if (t->settings.path) {
        checkpoint *c = t->settings.checkpoint;
        c->seconds = team_seconds(t);
        text_clear(&t->result->unsaved);
        checkpoint_write(c, &t->stretches, t->settings.path, &t->result->unsaved);
    }
}

void team_save_in_time(team *t) {
    double time = monotonic_seconds();
    if (!t->settings.path || !t->began) {
        return;
    }
    if (!t->save_at) {
        t->save_at = time + t->settings.save_every;
    } else if (!t->save_by && time >= t->save_at) {
        ask_all(t, time);
    } else if (t->save_by && (all_have_answered(t) || time >= t->save_by)) {
        team_save(t);
        t->save_at = monotonic_seconds() + t->settings.save_every;
        t->save_by = 0;
    }
}
