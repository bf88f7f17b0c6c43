/* Estimates the total number of executions: what was done, and what each worker estimates to be
 * left of its work. Work that moves between workers after that counts where it was: a worker that
 * has nothing left now may have given it away. What a worker gave away before it looked, although
 * it was asked already, nobody has estimated: they are asked again later. */
#include "cli/team_plan.h"
#include "cli/workers.h"

/* Work that no worker has, or that was just sent to one, has not been estimated. */
static bool is_known(const team *t) {
    for (uint32_t i = 0; i < t->stretches.count; i++) {
        if (vector_at(&t->stretches, i)->state == STRETCH_WAITS) {
            return false;
        }
    }
    for (uint32_t i = 0; i < t->workers.count; i++) {
        const worker *w = vector_at(&t->workers, i);
        if (w->stretch && !worker_explores(w)) {
            return false;
        }
    }
    return true;
}

static void ask_all(team *t) {
    t->forecast_void = false;
    for (uint32_t i = 0; i < t->workers.count; i++) {
        worker *w = vector_at(&t->workers, i);
        w->left = (forecast){.known = true};
        w->forecasting = worker_explores(w);
        w->left_at = worker_status(w)->counters.executions;
        if (w->forecasting) {
            supervisor_send(w->watch, MESSAGE_FORECAST, &(bytes){0});
            t->forecasting = true;
        }
    }
}

bool team_take_forecast(worker *w, byte_reader *r) {
    w->left.known = bytes_take_flag(r);
    w->left.low = bytes_take_real(r);
    w->left.likely = bytes_take_real(r);
    w->left.high = bytes_take_real(r);
    w->left_at = worker_status(w)->counters.executions;
    w->forecasting = false;
    return !r->failed;
}

static bool all_have_answered(const team *t) {
    for (uint32_t i = 0; i < t->workers.count; i++) {
        if (vector_at(&t->workers, i)->forecasting) {
            return false;
        }
    }
    return true;
}

/* What it has done since then is no longer left. */
static double rest_of(double left, double done) {
    return left > done ? left - done : 0;
}

static void add_up(team *t) {
    double done = (double)team_executions(t);
    forecast sum = {.low = done, .likely = done, .high = done, .known = true};
    for (uint32_t i = 0; i < t->workers.count; i++) {
        const worker *w = vector_at(&t->workers, i);
        double since = (double)(worker_status(w)->counters.executions - w->left_at);
        sum.known = sum.known && w->left.known;
        sum.low += rest_of(w->left.low, since);
        sum.likely += rest_of(w->left.likely, since);
        sum.high += rest_of(w->left.high, since);
    }
    if (sum.known && !t->forecast_void) {
        t->result->forecast = sum;
    }
    t->forecasting = false;
}

void team_forecast_in_time(team *t) {
    if (!t->began || t->settings.cut || text_length(&t->alone)) {
        return;
    }
    uint64_t executions = team_executions(t);
    bool late = monotonic_seconds() - t->began >= workers_forecast_delay();
    if (t->forecasting && all_have_answered(t)) {
        add_up(t);
        t->forecast_due = executions + executions / (t->forecast_void ? 2 : 1);
    } else if (!t->forecasting && late && executions > t->forecast_due && is_known(t)) {
        ask_all(t);
    }
}
