/* The measuring tool of bench/run; bench/README.md says how to use it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/version.h"
#include "bench/measure.h"
#include "bench/native_run.h"
#include "bench/peers.h"
#include "bench/rows.h"
#include "bench/table.h"
#include "cli/file.h"
#include "dpor/registry.h"

typedef VECTOR(const char *) name_list;

typedef struct bench_settings {
    name_list algorithms, programs;
    bool kinds[ROW_KIND_COUNT];
    bool large, floor, raw, context, shapes, weak;
    uint32_t repeat, most_seconds, peer_seconds;
    const char *json, *rows;
} bench_settings;

static int complain(const char *what, const char *about) {
    fprintf(stderr, "bench: %s%s\n", what, about);
    return 2;
}

/* ---- the command line ---- */

static const char help[] =
    "usage: bench/run [OPTION]… [PROGRAM]…\n"
    "\n"
    "  --algorithms=NAME,…    which algorithms (pop,optimal)\n"
    "  --native, --abstract   only the C programs, only the abstract ones (both)\n"
    "  --large                also the papers' largest sizes\n"
    "  --floor                also replay the same executions with no algorithm\n"
    "  --context              the programs and columns of the context-sensitive algorithms\n"
    "  --shapes               shapes of real programs, beside their native run\n"
    "  --weak                 programs with weak orders, by graph under RC11\n"
    "  --raw                  only what single steps and replays cost\n"
    "  --repeat=N             every measurement N times; the least counts (5)\n"
    "  --max-seconds=N        give a row up after N seconds of processor time (60)\n"
    "  --peer-seconds=N       give nidhugg and genmc up after N seconds (60)\n"
    "  --json=FILE            the figures as JSON, too\n"
    "  --rows=FILE            other rows than those of bench/run.rows\n"
    "\n"
    "A program is named with its size or without: lastzero, 'lastzero(15)'. The exit status is 1\n"
    "if a number of traces is wrong, 2 for wrong usage.\n";

static bool number_of(const char *argument, const char *name, uint32_t *number) {
    const char *value = text_after(argument, name);
    char *end;
    if (!value) {
        return false;
    }
    *number = (uint32_t)strtoul(value, &end, 10);
    return *value && !*end && *number;
}

/* Changes the argument: every comma becomes the end of a name. */
static void split_names(char *names, name_list *list) {
    for (char *name; (name = strsep(&names, ","));) {
        vector_push(list, name);
    }
}

static bool parse_option(bench_settings *s, char *argument) {
    const char *value;
    if ((value = text_after(argument, "--algorithms="))) {
        split_names(argument + (value - argument), &s->algorithms);
    } else if (strcmp(argument, "--native") == 0) {
        s->kinds[ROW_ABSTRACT] = false;
    } else if (strcmp(argument, "--abstract") == 0) {
        s->kinds[ROW_NATIVE] = false;
    } else if (strcmp(argument, "--large") == 0) {
        s->large = true;
    } else if (strcmp(argument, "--floor") == 0) {
        s->floor = true;
    } else if (strcmp(argument, "--context") == 0) {
        s->context = true;
    } else if (strcmp(argument, "--shapes") == 0) {
        s->shapes = true;
    } else if (strcmp(argument, "--weak") == 0) {
        s->weak = true;
    } else if (strcmp(argument, "--raw") == 0) {
        s->raw = true;
    } else if ((value = text_after(argument, "--json="))) {
        s->json = value;
    } else if ((value = text_after(argument, "--rows="))) {
        s->rows = value;
    } else {
        return number_of(argument, "--repeat=", &s->repeat) ||
               number_of(argument, "--max-seconds=", &s->most_seconds) ||
               number_of(argument, "--peer-seconds=", &s->peer_seconds);
    }
    return true;
}

static int parse(bench_settings *s, int argc, char **argv) {
    static char usual[] = "pop,optimal", weak[] = "graph";
    static char contextual[] =
        "optimal,observers,context-source,context,context-observers,published-context,"
        "published-context-observers";
    *s = (bench_settings){
        .kinds = {true, true}, .repeat = 5, .most_seconds = 60, .peer_seconds = 60};
    for (int i = 1; i < argc; i++) {
        if (argv[i][0] != '-') {
            vector_push(&s->programs, argv[i]);
        } else if (!parse_option(s, argv[i])) {
            return complain("unknown option, or a wrong value: ", argv[i]);
        }
    }
    if (!s->rows) {
        s->rows = s->context  ? "bench/context.rows"
                  : s->shapes ? "bench/shapes.rows"
                  : s->weak   ? "bench/weak.rows"
                              : "bench/run.rows";
    }
    if (!s->algorithms.count) {
        split_names(s->context ? contextual : s->weak ? weak : usual, &s->algorithms);
    }
    for (uint32_t i = 0; i < s->algorithms.count; i++) {
        if (!strategy_find(vector_at(&s->algorithms, i))) {
            return complain("there is no algorithm ", vector_at(&s->algorithms, i));
        }
    }
    return 0;
}

/* ---- which rows ---- */

static bool is_wanted(const bench_settings *s, const row *r) {
    bool fits = !r->large || s->large;
    if (!s->programs.count) {
        return fits;
    }
    for (uint32_t i = 0; i < s->programs.count; i++) {
        const char *name = vector_at(&s->programs, i);
        if (strcmp(r->name, name) == 0 || (fits && row_is_named(r, name))) {
            return true;
        }
    }
    return false;
}

static int check_programs(const bench_settings *s, const row_table *t) {
    for (uint32_t i = 0; i < s->programs.count; i++) {
        bool found = false;
        for (uint32_t k = 0; k < t->rows.count && !found; k++) {
            found = row_is_named(&vector_at(&t->rows, k), vector_at(&s->programs, i));
        }
        if (!found) {
            return complain("there is no row for ", vector_at(&s->programs, i));
        }
    }
    return 0;
}

static bool is_there(const row *r, enum row_kind kind) {
    text message = {0};
    const char *file = text_string(&r->files[kind]);
    bool there = *file && file_check(file, &message);
    text_free(&message);
    return there;
}

static measure_request request_for(const bench_settings *s, const row *r, enum row_kind kind) {
    measure_request q = {.repeat = s->repeat,
                         .floor = s->floor,
                         .share = s->shapes && kind == ROW_NATIVE,
                         .most_seconds = s->most_seconds};
    q.settings.model = s->weak ? MODEL_RC11 : MODEL_SC;
    vector_push(&q.settings.files, text_string(&r->files[kind]));
    for (uint32_t i = 0; i < r->definitions.count; i++) {
        vector_push(&q.settings.definitions, vector_at(&r->definitions, i));
    }
    return q;
}

/* ---- running ---- */

/* Returns how many counts were wrong. */
static uint32_t run_row(const bench_settings *s, const table *t, const row *r, enum row_kind kind) {
    uint32_t wrong = 0;
    line l = {.row = r, .kind = kind};
    if (s->shapes && kind == ROW_NATIVE) {
        l.native_us = native_run_us(r, s->repeat, s->most_seconds);
    }
    for (enum peer p = 0; kind == ROW_NATIVE && p < PEER_COUNT; p++) {
        if (t->peers[p]) {
            peer_measure(p, r, s->repeat, s->peer_seconds, &l.peers[p]);
        }
    }
    measure_request q = request_for(s, r, kind);
    for (uint32_t i = 0; i < s->algorithms.count; i++) {
        l.algorithm = q.algorithm = vector_at(&s->algorithms, i);
        l.end = measure_exploration(&q, &l.figures);
        l.complaint = l.end == CHILD_FAILED ? "it failed"
                      : l.end == CHILD_DONE
                          ? row_complaint(r, l.algorithm, l.figures.executions, l.figures.blocked)
                          : NULL;
        table_add(t, &l);
        wrong += l.complaint != NULL;
    }
    settings_free(&q.settings);
    return wrong;
}

static uint32_t run_rows(const bench_settings *s, table *t, const row_table *rows) {
    uint32_t wrong = 0;
    for (enum peer p = 0; p < PEER_COUNT; p++) {
        t->peers[p] =
            !s->context && !s->shapes && !s->weak && s->kinds[ROW_NATIVE] && peer_is_there(p);
    }
    table_begin(t);
    for (uint32_t i = 0; i < rows->rows.count; i++) {
        const row *r = &vector_at(&rows->rows, i);
        for (enum row_kind kind = 0; kind < ROW_KIND_COUNT && is_wanted(s, r); kind++) {
            if (s->kinds[kind] && is_there(r, kind)) {
                wrong += run_row(s, t, r, kind);
            }
        }
    }
    return wrong;
}

/* Four threads with ten accesses each. */
static uint32_t run_raw(const bench_settings *s, const table *t) {
    uint32_t failed = 0;
    row r = {.name = "length-param(4,4)"};
    text_append(&r.files[ROW_ABSTRACT], "bench/programs/length-param.heddle");
    text_append(&r.files[ROW_NATIVE], "bench/c/length_param.c");
    vector_push(&r.definitions, "T=4");
    vector_push(&r.definitions, "N=4");
    table_begin_raw();
    for (enum row_kind kind = 0; kind < ROW_KIND_COUNT; kind++) {
        if (s->kinds[kind] && is_there(&r, kind)) {
            raw_figures f;
            measure_request q = request_for(s, &r, kind);
            bool done = measure_raw(&q, &f) == CHILD_DONE;
            failed += !done;
            if (done) {
                table_add_raw(t, r.name, kind, &f);
            }
            settings_free(&q.settings);
        }
        text_free(&r.files[kind]);
    }
    vector_free(&r.definitions);
    return failed;
}

static uint32_t run(const bench_settings *s, const row_table *rows, FILE *json_file) {
    json_writer writer;
    table t = {.floor = s->floor,
               .context = s->context,
               .shapes = s->shapes,
               .json = json_file ? &writer : NULL};
    if (json_file) {
        json_open(&writer);
        json_begin_object(&writer);
        json_key(&writer, "version");
        json_string(&writer, HEDDLE_VERSION);
        json_key(&writer, "rows");
        json_begin_array(&writer);
    }
    uint32_t wrong = s->raw ? run_raw(s, &t) : run_rows(s, &t, rows);
    if (json_file) {
        json_end_array(&writer);
        json_key(&writer, "wrong");
        json_unsigned(&writer, wrong);
        json_end_object(&writer);
        text written = {0};
        json_close(&writer, &written);
        fprintf(json_file, "%s\n", text_string(&written));
        text_free(&written);
    }
    return wrong;
}

static int run_and_tell(const bench_settings *s, const row_table *rows) {
    FILE *json_file = s->json ? fopen(s->json, "w") : NULL;
    if (s->json && !json_file) {
        return complain("cannot write ", s->json);
    }
    uint32_t wrong = run(s, rows, json_file);
    if (json_file && fclose(json_file) != 0) {
        return complain("cannot write ", s->json);
    }
    if (wrong) {
        printf("\n*** %u WRONG ***\n", wrong);
    }
    return wrong ? 1 : 0;
}

int main(int argc, char **argv) {
    bench_settings s;
    row_table rows = {0};
    text message = {0};
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--help") == 0) {
            fputs(help, stdout);
            return 0;
        }
    }
    int status = parse(&s, argc, argv);
    if (!status && !rows_read(&rows, s.rows, &message)) {
        status = complain("", text_string(&message));
    }
    status = status ? status : check_programs(&s, &rows);
    status = status ? status : run_and_tell(&s, &rows);
    rows_free(&rows);
    text_free(&message);
    vector_free(&s.algorithms);
    vector_free(&s.programs);
    return status;
}
