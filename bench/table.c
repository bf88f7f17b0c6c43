#include "bench/table.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---- figures from figures ---- */

static double per(double total, uint64_t count, double unit) {
    return count ? total / (double)count * unit : 0;
}

static double floor_us(const figures *f) {
    return per(f->floor_seconds, f->floor_executions, 1e6);
}

static double execution_us(const figures *f) {
    return per(f->seconds, f->executions, 1e6);
}

static double floor_ratio(const figures *f) {
    return f->floor_seconds > 0 ? execution_us(f) / floor_us(f) : 0;
}

/* How many times longer an execution takes than without heddle; 0: not known. */
static double native_times(const line *l) {
    return l->native_us > 0 ? execution_us(&l->figures) / l->native_us : 0;
}

/* Per execution that is one: what was blocked is part of the cost. */
static double peer_us(const peer_figures *f) {
    return per(f->seconds, f->executions, 1e6);
}

static bool peer_has_time(const peer_figures *f) {
    return f->ran && f->end == CHILD_DONE && f->executions;
}

/* How many times longer the fastest peer takes for the whole program; 0: there is none. */
static double peer_ratio(const line *l) {
    double fastest = 0;
    for (enum peer p = 0; p < PEER_COUNT; p++) {
        const peer_figures *f = &l->peers[p];
        if (peer_has_time(f) && (fastest == 0 || f->seconds < fastest)) {
            fastest = f->seconds;
        }
    }
    return l->figures.seconds > 0 ? fastest / l->figures.seconds : 0;
}

static bool any_peer(const table *t) {
    for (enum peer p = 0; p < PEER_COUNT; p++) {
        if (t->peers[p]) {
            return true;
        }
    }
    return false;
}

/* ---- the screen ---- */

static void begin_context(void) {
    printf("%-16s %-8s %-26s %8s %8s %8s %9s %9s %8s %8s\n", "program", "kind", "algorithm",
           "traces", "blocked", "pruned", "states", "seconds", "us/state", "dont-do");
}

void table_begin(const table *t) {
    if (t->context) {
        begin_context();
        return;
    }
    printf("%-22s %-8s %-14s %9s %8s %9s %9s %8s %7s", "program", "kind", "algorithm", "traces",
           "blocked", "seconds", "us/exec", "ns/event", "MB");
    if (t->floor) {
        printf(" %9s %6s", "floor us", "ratio");
    }
    if (t->shapes) {
        printf(" %9s %10s %6s %5s", "exec/s", "native us", "times", "own %");
    }
    for (enum peer p = 0; p < PEER_COUNT; p++) {
        if (t->peers[p]) {
            printf(" %9s us", peer_name(p));
        }
    }
    printf("%s\n", any_peer(t) ? "  ratio" : "");
}

static void print_peer(const peer_figures *f, uint64_t traces) {
    if (!f->ran) {
        printf(" %12s", "-");
    } else if (f->end != CHILD_DONE) {
        printf(" %12s", f->end == CHILD_TIMEOUT ? "too long" : "failed");
    } else {
        printf(" %11.2f%c", peer_us(f), f->executions == traces ? ' ' : '!');
    }
}

static void print_peers(const table *t, const line *l) {
    for (enum peer p = 0; p < PEER_COUNT; p++) {
        if (t->peers[p]) {
            print_peer(&l->peers[p], l->row->traces);
        }
    }
    double ratio = peer_ratio(l);
    if (ratio > 0) {
        printf(" %6.1f", ratio);
    }
}

/* "pop>optimal" if one fell back to the other. */
static void print_algorithm(const table *t, const line *l) {
    char name[64];
    bool same = !l->figures.algorithm[0] || strcmp(l->algorithm, l->figures.algorithm) == 0;
    snprintf(name, sizeof name, "%s%s%s", l->algorithm, same ? "" : ">",
             same ? "" : l->figures.algorithm);
    printf(t->context ? "%-16s %-8s %-26s" : "%-22s %-8s %-14s", l->row->name,
           row_kind_word(l->kind), name);
}

/* What context-sensitive algorithms are judged by, in the manner of ISSTA 2019, table 1. */
static void print_context(const figures *f) {
    printf(" %8" PRIu64 " %8" PRIu64 " %8" PRIu64 " %9" PRIu64 " %9.4f %8.2f %8" PRIu64,
           f->executions, f->blocked, f->pruned, f->events, f->seconds,
           per(f->seconds, f->events, 1e6), f->dont_do);
}

static void print_figures(const table *t, const line *l) {
    const figures *f = &l->figures;
    printf(" %9" PRIu64 " %8" PRIu64 " %9.4f %9.2f %8.1f %7.1f", f->executions, f->blocked,
           f->seconds, execution_us(f), per(f->seconds, f->steps, 1e9),
           (double)f->peak_bytes / 1e6);
    if (t->floor) {
        printf(" %9.2f %6.2f", floor_us(f), floor_ratio(f));
    }
    if (t->shapes) {
        printf(" %9.0f %10.2f %6.2f %5.0f", per((double)f->executions, 1, 1 / f->seconds),
               l->native_us, native_times(l), f->own_share * 100);
    }
    print_peers(t, l);
}

static void print_line(const table *t, const line *l) {
    print_algorithm(t, l);
    if (l->end != CHILD_DONE) {
        printf(" %s\n", l->end == CHILD_TIMEOUT ? "not finished in its time" : "FAILED");
        return;
    }
    if (t->context) {
        print_context(&l->figures);
    } else {
        print_figures(t, l);
    }
    if (l->complaint) {
        printf("   <== WRONG: %s", l->complaint);
    }
    putchar('\n');
}

/* ---- JSON ---- */

static void json_field(json_writer *j, const char *key, double value) {
    json_key(j, key);
    json_real(j, value);
}

static void json_count(json_writer *j, const char *key, uint64_t value) {
    json_key(j, key);
    json_unsigned(j, value);
}

static void json_text(json_writer *j, const char *key, const char *value) {
    json_key(j, key);
    json_string(j, value);
}

static const char *end_word(enum child_end end) {
    return end == CHILD_DONE ? "done" : end == CHILD_TIMEOUT ? "timeout" : "failed";
}

static void json_figures(json_writer *j, const table *t, const figures *f) {
    json_text(j, "algorithm", f->algorithm);
    json_count(j, "executions", f->executions);
    json_count(j, "blocked", f->blocked);
    json_count(j, "pruned", f->pruned);
    json_count(j, "dont_do", f->dont_do);
    json_count(j, "events", f->events);
    json_count(j, "steps", f->steps);
    json_field(j, "seconds", f->seconds);
    json_field(j, "execution_us", execution_us(f));
    json_field(j, "event_ns", per(f->seconds, f->steps, 1e9));
    json_count(j, "peak_bytes", f->peak_bytes);
    if (t->floor) {
        json_field(j, "floor_us", floor_us(f));
        json_field(j, "floor_ratio", floor_ratio(f));
        json_count(j, "floor_executions", f->floor_executions);
    }
}

static void json_peers(json_writer *j, const line *l) {
    for (enum peer p = 0; p < PEER_COUNT; p++) {
        const peer_figures *f = &l->peers[p];
        if (!f->ran) {
            continue;
        }
        json_key(j, peer_name(p));
        json_begin_object(j);
        json_text(j, "end", end_word(f->end));
        if (f->end == CHILD_DONE) {
            json_count(j, "executions", f->executions);
            json_count(j, "blocked", f->blocked);
            json_field(j, "seconds", f->seconds);
            json_field(j, "execution_us", peer_us(f));
            json_count(j, "peak_bytes", f->peak_bytes);
        }
        json_end_object(j);
    }
    double ratio = peer_ratio(l);
    if (ratio > 0) {
        json_field(j, "peer_ratio", ratio);
    }
}

static void json_line(const table *t, const line *l) {
    json_writer *j = t->json;
    json_begin_object(j);
    json_text(j, "program", l->row->name);
    json_text(j, "kind", row_kind_word(l->kind));
    json_text(j, "wanted", l->algorithm);
    json_text(j, "end", end_word(l->end));
    json_count(j, "traces", l->row->traces);
    json_text(j, "wrong", l->complaint);
    if (l->end == CHILD_DONE) {
        json_figures(j, t, &l->figures);
        if (t->shapes) {
            json_field(j, "native_us", l->native_us);
            json_field(j, "native_times", native_times(l));
            json_field(j, "own_share", l->figures.own_share);
        }
        json_peers(j, l);
    }
    json_end_object(j);
}

void table_add(const table *t, const line *l) {
    print_line(t, l);
    fflush(stdout);
    if (t->json) {
        json_line(t, l);
    }
}

/* ---- raw costs ---- */

void table_begin_raw(void) {
    printf("%-22s %-8s %6s %9s %10s %9s %11s %12s\n", "program", "kind", "events", "reset us",
           "replay us", "ns/step", "explore us", "ns/explored");
}

void table_add_raw(const table *t, const char *name, enum row_kind kind, const raw_figures *f) {
    double step_ns = per(f->step_seconds - f->reset_seconds, f->steps, 1e9);
    double explore_ns = per(f->explore_seconds - f->reset_seconds, f->steps, 1e9);
    printf("%-22s %-8s %6u %9.3f %10.3f %9.1f %11.3f %12.1f\n", name, row_kind_word(kind), f->steps,
           f->reset_seconds * 1e6, f->replay_seconds * 1e6, step_ns, f->explore_seconds * 1e6,
           explore_ns);
    if (t->json) {
        json_begin_object(t->json);
        json_text(t->json, "program", name);
        json_text(t->json, "kind", row_kind_word(kind));
        json_count(t->json, "steps", f->steps);
        json_field(t->json, "reset_us", f->reset_seconds * 1e6);
        json_field(t->json, "replay_us", f->replay_seconds * 1e6);
        json_field(t->json, "step_ns", step_ns);
        json_field(t->json, "explore_us", f->explore_seconds * 1e6);
        json_field(t->json, "explore_step_ns", explore_ns);
        json_end_object(t->json);
    }
}
