/* Random programs, once as abstract programs and once as C: the same sets of traces?
 *
 *     differential SEED FIRST COUNT [--algorithm=NAME] [--cc=CC] [--faithful] [--program=TEXT]
 *                  [--commuting] [--states] [--idle] [--kind=NAME] [--model=NAME]
 *
 * Each program is explored abstractly and natively with the same algorithm; a trace is hashed from
 * its events with their values and clocks. Prints every program that differs; exit status 1 then.
 * With --commuting, source-DPOR explores them, and the two orders of every race are run and the
 * states after compared; natively, more than one in twenty that is missed is a failure.
 *
 * Loops that wait have executions that differ in dead values, so of programs with loops final
 * states are compared, and of those in which awaits are the only loops the number of traces (by
 * gcc, not optimised, without messages: the others have more). With --states nothing that is known
 * of loops is used: all states of the program are visited, going round as often as it takes
 * (oracle/meaning.h), and compared are the states in which it ends, whether threads can go round
 * forever, and, with the race check, whether there is a race. With --model=sc, tso or rc11 that is
 * done by execution graphs: all atomic accesses are seq_cst, so that a program without a race ends
 * in the same states under each of them. Of one that races, only that is compared.
 * With --idle, the same, and waits time out only where the others can do nothing but go round.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define access heddle_access /* unistd.h has one of its own */
#include "dpor/backtracking.h"
#include "dpor/comparison.h"
#include "dpor/registry.h"
#include "emit.h"
#include "final_state.h"
#include "judged.h"
#include "oracle/generator.h"
#include "oracle/meaning.h"
#include "oracle/print.h"
#include "targets/abstract/interpreter.h"
#include "targets/native/native.h"

enum { BATCH = 40 };

static uint64_t loops_seen, loops_fewer, loops_more;

static bool leaves_dead_values; /* heddle clears none in code of that compiler */

/* Which rounds look alike depends on dead values. Those of awaits are cleared, but not where
 * messages are sent. */
static bool has_more_rounds(const judged *native) {
    return native->loops &&
           (leaves_dead_values || native->gated || emit_has_other_loops(native->program));
}

/* The states in which executions end, and that there are livelocks, do not depend on that. */
static bool same_finals(const judged *a, const judged *b) {
    loops_seen++;
    loops_fewer += b->traces.count < a->traces.count;
    loops_more += b->traces.count > a->traces.count;
    bool counts = has_more_rounds(b) || a->traces.count == b->traces.count;
    return counts && a->raced == b->raced && a->finals.count == b->finals.count &&
           a->errors.count == b->errors.count &&
           memcmp(a->finals.items, b->finals.items, a->finals.count * sizeof *a->finals.items) == 0;
}

/* Which accesses are steps, once some race, need not be the same on both sides. */
static bool same(const judged *a, const judged *b) {
    if (a->loops) {
        return same_finals(a, b);
    }
    return a->raced == b->raced && a->traces.count == b->traces.count &&
           a->errors.count == b->errors.count &&
           memcmp(a->endings, b->endings, sizeof a->endings) == 0 &&
           (a->traces.count == 0 || a->raced ||
            memcmp(a->traces.items, b->traces.items, a->traces.count * sizeof *a->traces.items) ==
                0);
}

/* ---- source-DPOR that compares the states after the two orders of every race, and counts ---- */

static void count_race(backtracking *b, bool feasible) {
    static comparison states;
    judged *j = (judged *)b->base.exploration->sink;
    const reversal *r = &b->reversal;
    sleeper last = {r->last_thread, r->last_choice, r->last_footprint};
    source_cover(b, feasible);
    vector_push(&j->commuting, comparison_commutes(&states, b->base.exploration, r, last));
}

static void commuting_init(strategy *s) {
    backtracking_init((backtracking *)s, count_race);
}

static const strategy_class commuting_class = {
    .name = "commuting",
    .states_only = true,
    .init = commuting_init,
    BACKTRACKING_STRATEGY,
};

typedef struct job {
    program program;
    char *text;
} job;

static bool states; /* --states */
static bool graphs; /* --model */

/* The language has plain variables in programs with mutexes and conditions alone; the oracle's
 * machine and C have them in all. */
static bool parse_states(job *j) {
    static const char from[] = "plain ", to[] = "shared ";
    parse_error error;
    char *text = calloc(2, strlen(j->text) + 1), *out = text;
    uint64_t plain = 0;
    for (const char *at = j->text; *at;) {
        bool is_plain = strncmp(at, from, sizeof from - 1) == 0;
        if (is_plain) {
            plain |= (uint64_t)1 << (at[sizeof from - 1] - 'a');
            out = stpcpy(out, to);
            at += sizeof from - 1;
        } else {
            *out++ = *at++;
        }
    }
    bool good = print_parse(&j->program, text, &error);
    for (uint32_t i = 0; good && i < j->program.cells.count; i++) {
        cell *c = &j->program.cells.items[i];
        c->plain = c->kind == CELL_VARIABLE && plain >> (c->name[0] - 'a') & 1;
    }
    free(text);
    return good;
}

static bool parse(job *j) {
    parse_error error;
    return states ? parse_states(j) : print_parse(&j->program, j->text, &error);
}

static uint64_t compared, skipped, traces_seen, with_messages, with_errors;
static uint64_t commuting_seen[2][2]; /* races: abstractly, natively */

/* Both explorations meet the same races in the same order, unless a thread of the C program learns
 * late of what it shares. */
static void count_commuting(const judged *abstract, const judged *native) {
    for (uint32_t i = 0;
         i < abstract->commuting.count && abstract->commuting.count == native->commuting.count;
         i++) {
        commuting_seen[abstract->commuting.items[i]][native->commuting.items[i]]++;
    }
}

/* Where a read-write lock is tried for writing, native states differ in more than abstract ones:
 * fewer orders are found to commute, which costs a reduction and nothing else. */
static bool tries_to_write(const program *p) {
    for (uint32_t t = 0; t < p->threads.count; t++) {
        const model_thread *thread = &p->threads.items[t];
        for (uint32_t i = 0; i < thread->code.count; i++) {
            if (thread->code.items[i].kind == INSTRUCTION_TRY_WRITE_LOCK) {
                return true;
            }
        }
    }
    return false;
}

/* One program of the batch that was built; true if both sides agree. */
static bool judge(job *j, unsigned number, const char *shared_object, const settings *base,
                  const strategy_class *strategy) {
    static judged abstract, native;
    abstract.base.class = native.base.class = &judged_class;
    target *model = interpreter_create(&j->program);
    abstract.native = false;
    abstract.program = native.program = &j->program;
    abstract.loops = native.loops = emit_has_loops(&j->program);
    abstract.misuse = native.misuse = false;
    abstract.target = model;
    bool finished = judged_explore(&abstract, model, strategy);
    model->class->destroy(model);
    footprint_table_clear();
    if (!finished || abstract.misuse) {
        skipped++;
        return true;
    }
    char argument[16], message[NATIVE_MESSAGE_SIZE];
    snprintf(argument, sizeof argument, "%u", number);
    const char *arguments[] = {argument};
    settings options = *base;
    options.arguments = (string_list){.items = arguments, .count = 1};
    native_program loaded = {0};
    snprintf(loaded.path, sizeof loaded.path, "%s", shared_object);
    native.target = native_open(&loaded, &options, message);
    if (!native.target) {
        printf("%s\n", message);
        return false;
    }
    native.native = true;
    native.gated = emit_has_messages(&j->program);
    memset(native.cells, 0, sizeof native.cells);
    finished = judged_explore(&native, native.target, strategy);
    native.target->class->destroy(native.target);
    if (!finished && has_more_rounds(&native)) {
        skipped++; /* they are too many */
        return true;
    }
    compared++;
    with_messages += native.gated;
    with_errors += abstract.errors.count != 0;
    traces_seen += abstract.traces.count;
    if (!tries_to_write(&j->program)) {
        count_commuting(&abstract, &native);
    }
    if (finished && same(&abstract, &native)) {
        return true;
    }
    printf("DIFFERENT: %s\n  abstract: %u traces (%" PRIu64 " deadlocks, %" PRIu64
           " assumed, %u errors, %" PRIu64 " blocked), native: %u (%" PRIu64 ", %" PRIu64
           ", %u, %" PRIu64 ")%s\n",
           j->text, abstract.traces.count, abstract.endings[2], abstract.endings[1],
           abstract.errors.count, abstract.redundant, native.traces.count, native.endings[2],
           native.endings[1], native.errors.count, native.redundant,
           finished ? "" : ", not finished");
    return false;
}

/* ---- loops: all states of the program against what is explored of its C ---- */

static uint64_t without_end, stuck_in_rounds, racing;

/* A thread sees that something is held without being ordered after whoever holds it: two accesses
 * may race that never stand next to each other. */
static bool tries(const program *p) {
    for (uint32_t t = 0; t < p->threads.count; t++) {
        for (uint32_t i = 0; i < p->threads.items[t].code.count; i++) {
            enum instruction_kind kind = p->threads.items[t].code.items[i].kind;
            if (kind == INSTRUCTION_TRYLOCK || kind == INSTRUCTION_SEMAPHORE_TRY ||
                kind == INSTRUCTION_TRY_READ_LOCK || kind == INSTRUCTION_TRY_WRITE_LOCK) {
                return true;
            }
        }
    }
    return false;
}

static machine_event step_of(const machine *m, uint32_t thread) {
    machine copy = *m;
    return machine_force_step(&copy, thread);
}

/* Two accesses that conflict, one of them plain, can both be the next step. */
static bool has_race(const machine *m) {
    uint32_t count = m->program->threads.count;
    for (uint32_t a = 0; a < count; a++) {
        for (uint32_t b = 0; b < a; b++) {
            if (!machine_possible(m, a) || !machine_possible(m, b)) {
                continue;
            }
            machine_event one = step_of(m, a), other = step_of(m, b);
            bool meet = cells_meet(&one.did_write, &other.did_write) ||
                        cells_meet(&one.did_write, &other.did_read) ||
                        cells_meet(&one.did_read, &other.did_write);
            if (meet && (one.plain || other.plain)) {
                return true;
            }
        }
    }
    return false;
}

static void visit_state(void *context, const machine *m, bool end) {
    judged *j = context;
    j->races = j->races || has_race(m);
    for (uint32_t t = 0; t < m->program->threads.count; t++) {
        j->misuse = j->misuse || m->threads[t].status == STATUS_FAILED;
    }
    if (end) {
        bool stuck = machine_ending(m) != FINISH_COMPLETE && machine_ending(m) != FINISH_ASSUMED;
        vector_push(&j->finals, judged_mix(final_state_machine(m), stuck));
    }
}

static bool explore_native(judged *j, const char *shared_object, const settings *options,
                           const strategy_class *strategy) {
    char message[NATIVE_MESSAGE_SIZE];
    native_program loaded = {0};
    snprintf(loaded.path, sizeof loaded.path, "%s", shared_object);
    j->target = native_open(&loaded, options, message);
    if (!j->target) {
        printf("%s\n", message);
        return false;
    }
    memset(j->cells, 0, sizeof j->cells);
    j->races = false; /* one that was found stays found when the exploration starts over */
    bool finished = judged_explore(j, j->target, strategy);
    j->target->class->destroy(j->target);
    return finished;
}

/* What a process has found, as its exit status. */
enum { FOUND_ALL = 1, FOUND_RACES = 2, FOUND_ROUNDS = 4, FOUND_SKIPPED = 8, FOUND_WRONG = 16 };

static bool has_ended(pid_t child, int *found) {
    int status = -1;
    bool ended = child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) &&
                 WEXITSTATUS(status) < 2 * FOUND_WRONG;
    *found = ended ? WEXITSTATUS(status) : FOUND_WRONG;
    return ended;
}

/* The states in which it ends, and whether it can loop forever. */
static bool same_states(const judged *all, const judged *native) {
    return native->rounds == all->rounds && native->finals.count == all->finals.count &&
           memcmp(native->finals.items, all->finals.items,
                  all->finals.count * sizeof *all->finals.items) == 0;
}

static int find_states(job *j, const char *shared_object, const settings *options,
                       const strategy_class *strategy) {
    static judged all, native;
    native.base.class = &judged_class;
    native.native = native.loops = native.states = true;
    all.program = native.program = &j->program;
    if (!emit_has_loops(&j->program) ||
        !meaning_states(&j->program, options->timeouts == TIMEOUTS_IDLE, visit_state, &all,
                        &all.rounds) ||
        all.misuse) {
        return FOUND_SKIPPED;
    }
    judged_sort_finals(&all);
    settings checking = *options;
    checking.no_race_check = false;
    bool checked = explore_native(&native, shared_object, &checking, strategy);
    bool races = native.races;
    bool finished =
        graphs ? checked : explore_native(&native, shared_object, options, strategy);
    bool good = (!finished || (graphs && races) || same_states(&all, &native)) &&
                (races == all.races || (!checked && !races) || (races && tries(&j->program)));
    if (!good) {
        printf("DIFFERENT: %s\n  all: %u ends%s%s, native: %u%s%s%s\n", j->text, all.finals.count,
               all.rounds ? ", rounds" : "", all.races ? ", races" : "", native.finals.count,
               native.rounds ? ", rounds" : "", races ? ", races" : "",
               finished ? "" : ", not finished");
    }
    return (good ? 0 : FOUND_WRONG) | (all.races ? FOUND_RACES : 0) |
           (all.rounds ? FOUND_ROUNDS : 0) | (finished ? FOUND_ALL : 0);
}

static bool judge_states(job *j, unsigned number, const char *shared_object, const settings *base,
                         const strategy_class *strategy) {
    char argument[16];
    snprintf(argument, sizeof argument, "%u", number);
    const char *arguments[] = {argument};
    settings options = *base;
    options.arguments = (string_list){.items = arguments, .count = 1};
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        int result = find_states(j, shared_object, &options, strategy);
        fflush(stdout);
        _exit(result);
    }
    int found;
    if (!has_ended(child, &found)) {
        printf("DIFFERENT: %s\n  no end\n", j->text);
        return false;
    }
    if (found & FOUND_SKIPPED) {
        skipped++;
        return true;
    }
    compared++;
    racing += (found & FOUND_RACES) != 0;
    stuck_in_rounds += (found & FOUND_ROUNDS) != 0;
    without_end += !(found & FOUND_ALL);
    return !(found & FOUND_WRONG);
}

/* Dead values that the compiler leaves in a frame may hide that races commute, but few. */
static bool report_commuting(void) {
    printf("races that commute: %" PRIu64 " on both sides, %" PRIu64 " only abstractly, %" PRIu64
           " only natively, %" PRIu64 " on none\n",
           commuting_seen[1][1], commuting_seen[1][0], commuting_seen[0][1], commuting_seen[0][0]);
    return commuting_seen[1][0] * 20 <= commuting_seen[1][1];
}

static bool judge_batch(job *jobs, unsigned count, const settings *base,
                        const strategy_class *strategy) {
    char source[] = "/tmp/heddle-differential-XXXXXX.c", message[NATIVE_MESSAGE_SIZE];
    int file = mkstemps(source, 2);
    FILE *out = fdopen(file, "w");
    emit_prologue(out);
    for (unsigned i = 0; i < count; i++) {
        emit_program(&jobs[i].program, i, out);
    }
    emit_main(count, out);
    fclose(out);
    const char *inputs[] = {source};
    settings options = *base;
    options.files = (string_list){.items = inputs, .count = 1};
    native_program program;
    bool good = native_build(&options, &program, message);
    if (!good) {
        printf("%s: %s\n", source, message);
        return false;
    }
    for (unsigned i = 0; i < count; i++) {
        good =
            (states ? judge_states : judge)(&jobs[i], i, program.path, &options, strategy) && good;
    }
    native_remove(&program);
    unlink(source);
    return good;
}

static char *random_text(const generator_request *request, uint64_t index) {
    static sketch s;
    static printed p;
    generator_program(request, index, &s);
    print_sketch(&s, &p);
    return strdup(p.text);
}

int main(int argc, char **argv) {
    settings base = {.no_race_check = true, .timeouts = TIMEOUTS_MAY};
    const strategy_class *strategy = strategy_find("optimal");
    const char *only = NULL, *kind = NULL;
    const char *flags[] = {"-w", "-Iinclude"};
    base.flags = (string_list){.items = flags, .count = 2};
    for (int i = 4; i < argc; i++) {
        if (strncmp(argv[i], "--algorithm=", 12) == 0) {
            strategy = strategy_find(argv[i] + 12);
        } else if (strcmp(argv[i], "--states") == 0) {
            states = true;
        } else if (strcmp(argv[i], "--idle") == 0) {
            states = true;
            base.timeouts = TIMEOUTS_IDLE;
        } else if (strcmp(argv[i], "--commuting") == 0) {
            strategy = &commuting_class;
        } else if (strncmp(argv[i], "--cc=", 5) == 0) {
            base.compiler = argv[i] + 5;
            leaves_dead_values = true;
        } else if (strcmp(argv[i], "--faithful") == 0) {
            base.optimize = leaves_dead_values = true;
        } else if (strncmp(argv[i], "--kind=", 7) == 0) {
            kind = argv[i] + 7;
        } else if (strncmp(argv[i], "--model=", 8) == 0) {
            graphs = memory_model_of(argv[i] + 8, &judged_model);
            strategy = graphs ? strategy_find("graph") : NULL;
        } else if (strncmp(argv[i], "--program=", 10) == 0) {
            only = argv[i] + 10;
        }
    }
    if (argc < 4 || !strategy) {
        fprintf(stderr, "usage: differential SEED FIRST COUNT [--algorithm=NAME]\n");
        return 2;
    }
    generator_request request = {.seed = strtoull(argv[1], NULL, 10), .kind = GENERATOR_ANY_KIND};
    for (uint32_t k = 0; kind && k < generator_kind_count(); k++) {
        request.kind = strcmp(generator_kind_name(k), kind) == 0 ? k : request.kind;
    }
    uint64_t first = strtoull(argv[2], NULL, 10), end = first + strtoull(argv[3], NULL, 10);
    bool good = true;
    job jobs[BATCH];
    unsigned count = 0;
    for (uint64_t i = first; i < end; i++) {
        job *j = &jobs[count];
        j->text = only ? strdup(only) : random_text(&request, i);
        if (!parse(j) || !emit_possible(&j->program)) {
            skipped++;
            program_free(&j->program);
            free(j->text);
        } else {
            count++;
        }
        if (count == BATCH || (i + 1 == end && count)) {
            good = judge_batch(jobs, count, &base, strategy) && good;
            while (count) {
                program_free(&jobs[--count].program);
                free(jobs[count].text);
            }
        }
    }
    printf("%" PRIu64 " programs compared (%" PRIu64 " with messages, %" PRIu64
           " with errors), %" PRIu64 " traces, %" PRIu64 " skipped: %s\n",
           compared, with_messages, with_errors, traces_seen, skipped,
           good ? "no difference" : "DIFFERENCES");
    if (states) {
        printf("%" PRIu64 " can go round forever, %" PRIu64 " race, %" PRIu64
               " were not finished natively\n",
               stuck_in_rounds, racing, without_end);
    }
    printf("%" PRIu64 " with loops: fewer executions in C in %" PRIu64 ", more in %" PRIu64 "\n",
           loops_seen, loops_fewer, loops_more);
    if (strategy == &commuting_class) {
        good = report_commuting() && good;
    }
    return good ? 0 : 1;
}
