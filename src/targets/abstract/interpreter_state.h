/* What the parts of the interpreter share; not included elsewhere.
 *
 * interpreter.c: the functions of the target; interpreter_pending.c: pending operations;
 * interpreter_step.c: steps; interpreter_lock.c: those of mutexes and conditions;
 * interpreter_local.c: local code and memory; interpreter_loop.c: endless loops of it;
 * interpreter_section.c: atomic sections; interpreter_message.c: mailboxes; interpreter_sync.c:
 * semaphores, read-write locks, barriers, onces; interpreter_equal.c: comparing states;
 * interpreter_spin.c, interpreter_spin_plan.c: spin loops; interpreter_versions.c: weak memory. */
#ifndef HEDDLE_TARGETS_ABSTRACT_INTERPRETER_STATE_H
#define HEDDLE_TARGETS_ABSTRACT_INTERPRETER_STATE_H

#include "base/choice_path.h"
#include "explore/target.h"
#include "targets/abstract/liveness.h"
#include "targets/abstract/mailbox.h"
#include "targets/abstract/names.h"
#include "targets/abstract/program.h"
#include "targets/abstract/snapshots.h"

/* Steps of local code without an operation: after the first number the thread is watched for a
 * cycle, after the second it is not followed any further. */
#define LOOP_FREE_STEPS  1024u
#define LOCAL_STEP_LIMIT 10000000u

/* What a mutex or a condition holds that was destroyed and not initialised since. */
#define CELL_DESTROYED ((int64_t)OPERATION_DESTROYED)

enum thread_status {
    THREAD_UNBORN,
    THREAD_RUNS,
    THREAD_ENDED,
    THREAD_ASSUMED, /* stopped forever by an assume that failed */
    THREAD_FAILED,  /* stopped by an error */
};

/* The position of a thread within a wait, or at a barrier. */
enum wait_phase {
    WAIT_NOT,
    WAIT_QUEUED,
    WAIT_SLEEPS,
    WAIT_WOKEN,
    WAIT_TIMED_OUT,
    WAIT_ARRIVED,  /* at a barrier */
    WAIT_RELEASED, /* its group is complete */
};

typedef struct thread_state {
    operation operation; /* pending; what depends on shared state is refreshed when asked for */
    cause causes[2];
    int64_t a, b; /* operands of the pending instruction */
    uint32_t cell, mutex;
    uint32_t wanted, waits; /* of a receive: its pattern, as an object, and as waited for */
    uint32_t pc;
    uint32_t events; /* steps taken */
    uint32_t passed; /* plain accesses in passing, since its latest other step */
    uint32_t first_register;
    cause birth, waker;
    uint32_t condition; /* waited for, while phase is WAIT_QUEUED or WAIT_SLEEPS */
    uint8_t status;
    uint8_t phase;
    /* Local states since the latest step with an effect (interpreter_spin.c): how many are kept,
       and how many there were; the mutex + 1 that it holds in what may be a void round; rounds. */
    uint32_t spin_count, spin_since, spin_mutex, spin_rounds;
    int64_t spin_value; /* of the cell, for which spin_closes is known, if spin_cached */
    bool spin_cached, spin_closes;
    /* Orders that are tried out: the pending operation is a fence before the instruction; and it
       was taken. */
    bool fences, fenced;
    bool broken;  /* an operand of the pending instruction cannot be evaluated */
    bool crowded; /* the pending section has too many alternatives */
} thread_state;

typedef struct undo_item {
    uint32_t cell;
    int64_t value;
} undo_item;

typedef VECTOR(uint32_t) section_choices;

/* Where a thread was in a loop of local code; the cells only of an atomic section. */
typedef VECTOR(int64_t) kept_values;

typedef struct kept_state {
    uint32_t pc, path_used;
    kept_values registers, cells;
} kept_state;

/* Local states that are kept of a thread. */
#define SPIN_RECORDS 16u

/* A plain variable that a thread reads in rounds that are left out, under a mutex (+ 1) or none. */
typedef struct spin_read {
    uint32_t thread, cell, mutex;
} spin_read;

/* What a step did, as spin loops see it. */
typedef struct spin_step {
    enum operation_kind kind;
    uint32_t cell;
    int64_t before, after; /* what the cell held; with versions: the one that was read, or made */
    bool acquired;
    bool passing; /* OPERATION_PASSING */
} spin_step;

/* What was written to a cell, the latest last (interpreter_versions.c). */
typedef VECTOR(int64_t) version_list;

/* Which version a step has added. */
typedef struct version_note {
    uint32_t length; /* steps with it */
    uint32_t cell, index;
    uint32_t messages; /* how long interpreter.version_clocks was */
} version_note;

/* Of a version: where the clock of what happens before those who acquire it begins in
 * interpreter.version_clocks; NO_MESSAGE: nothing does. Kept only where there are plain cells. */
#define NO_MESSAGE UINT32_MAX
typedef VECTOR(uint32_t) message_list;

typedef struct failure {
    program_error error;
    char message[160];
} failure;

typedef VECTOR(failure) failure_list;

typedef struct race_detector race_detector;
typedef struct spin_rule spin_rule;

/* Plain accesses that a thread may make in passing before it stops for the others. */
#define PASSING_LIMIT 1000u

extern const target_names interpreter_names;

typedef struct interpreter {
    target base;
    const program *program;
    size_t state_size;
    size_t front_size; /* of what comes before the messages */
    char *state;       /* cells, threads, registers, sync, races, mailboxes, messages */
    char *initial;     /* what comes before the messages, as it is at the start */
    /* A mutex holds its owner + 1, or CELL_DESTROYED; so does a condition. A semaphore holds its
       value, a read-write lock how many readers have it or the negative of its writer + 1, a
       barrier how many threads have arrived. */
    int64_t *cells;
    thread_state *threads;
    int64_t *registers;
    int64_t *records;       /* of interpreter_spin.c: local states; of thread t from the value */
    uint32_t *first_record; /* first_record[t] on */
    char *sync;             /* what interpreter_sync.c keeps beside the cells: */
    size_t *sync_rooms;     /* by cell: where */
    size_t holds_size;      /* what of it belongs to states, at its beginning: holders of locks */
    size_t leaves;          /* where the causes of departures are, `barrier_most` for each thread */
    uint32_t barrier_most;  /* threads that a barrier waits for */
    uint32_t post_limit;    /* of a semaphore: posts that nobody has taken */
    bool *coarse;           /* by cell: more is ordered, unless the strategy is fine */
    char *races;            /* of the race detector (interpreter_race.h); NULL: no plain cells */
    char *races_end;
    mailbox *mailboxes; /* of the threads; NULL if the program has no messages */
    message *messages;
    uint32_t *first_location; /* of each thread's code */
    uint32_t *waiters;
    /* By cell: some await looks at it. Whether an await is enabled is observable without any event
       that observes it, so writes to such cells are never left unordered: they count as reads. */
    bool *awaited;
    bool *section_varies; /* by location: the accesses of the atomic section there vary */
    uint32_t location_count;
    failure_list failures; /* of the current step */
    const char *broken_message;
    VECTOR(memory_access) accesses; /* of a step that has several */
    uint32_t *writers; /* by cell: the latest of these steps that wrote it, as counted in */
    uint32_t several;
    VECTOR(undo_item) undo;
    VECTOR(memory_access) united; /* accesses of all alternatives of a section */
    choice_path path;             /* the choices of the section that is being run */
    section_choices *choices;     /* by thread: the alternatives of its section */
    VECTOR(int64_t) saved;        /* registers, while a section is tried */
    kept_state kept;
    failure_list start_failures; /* of local code that runs before the first step */
    VECTOR(int64_t) tags;        /* of the pattern that is being looked for */
    name_table names;            /* objects that are no cells; numbered after these */
    liveness liveness;           /* computed when states are first compared */
    snapshot_stack snapshots;    /* on the way since the reset */
    uint32_t length;             /* steps of that way */
    bool strayed;                /* a state was restored since: it is not on the way */
    bool keeps_versions;
    VECTOR(order_change) changes;  /* of memory orders, to be tried out */
    VECTOR(version_list) versions; /* by cell */
    VECTOR(version_note) version_notes;
    VECTOR(message_list) version_messages; /* by cell, as in `versions` */
    VECTOR(uint32_t) version_clocks;
    const race_detector *detector;
    const spin_rule *rule;
    enum target_accesses treatment;
    VECTOR(memory_access) touched; /* like `accesses`, with the modes that races are about */
    /* By location: a plain access that is a step because it races; or will be, from the next
       exploration on. */
    bool *promoted, *wanted;
    uint32_t promotions; /* wanted, not yet promoted */
    uint32_t born;       /* thread + 1 that the current step has spawned */
    /* Of interpreter_spin.c. By location: in a loop; closes void rounds. By cell: somebody tries to
       lock it. */
    bool *in_loop, *spins, *tried;
    bool spin_wrote; /* the current step has written in passing */
    bool spin_once;  /* rounds with plain reads are left out from the second on */
    uint32_t spin_failures;
    kept_values spin_saved, round_kept;
    VECTOR(spin_read) spin_reads; /* of what is being tried */
    VECTOR(spin_read) void_reads; /* of all rounds that are left out */
} interpreter;

static inline const instruction *model_current(const interpreter *m, uint32_t t) {
    return &vector_at_fast(&vector_at_fast(&m->program->threads, t).code, m->threads[t].pc);
}

static inline int64_t *model_registers(interpreter *m, uint32_t t) {
    return m->registers + m->threads[t].first_register;
}

static inline void model_set_result(interpreter *m, uint32_t t, const instruction *in,
                                    int64_t value) {
    if (in->result != REGISTER_NONE) {
        model_registers(m, t)[in->result] = value;
    }
}

static inline footprint model_whole(uint32_t object, enum access_mode mode) {
    return footprint_single((memory_access){object, ACCESS_ALL_BYTES, (uint8_t)mode});
}

static inline bool model_owns(const interpreter *m, uint32_t t, uint32_t mutex) {
    return m->cells[mutex] == (int64_t)t + 1;
}

/* Nobody holds it, whether it can be used or not. */
static inline bool model_is_free(const interpreter *m, uint32_t mutex) {
    return m->cells[mutex] <= 0;
}

static inline bool model_is_local(enum instruction_kind kind) {
    return kind >= INSTRUCTION_SET && kind != INSTRUCTION_END;
}

static inline bool model_is_sync(enum instruction_kind kind) {
    return kind >= INSTRUCTION_SEMAPHORE_WAIT && kind <= INSTRUCTION_ONCE_END;
}

static inline void model_set_enabled(operation *op, bool enabled) {
    op->flags = (uint8_t)((op->flags & ~OPERATION_ENABLED) | (enabled ? OPERATION_ENABLED : 0));
}

/* --- interpreter_local.c --- */

/* An error of the program: the thread stops there. */
void model_fail(interpreter *, uint32_t thread, enum error_kind, const char *what);

/* Operands over the thread's registers; false, with m->broken_message, if there is no value. */
bool model_evaluate(interpreter *, uint32_t thread, uint32_t expression, int64_t *value);
bool model_resolve(interpreter *, uint32_t thread, const place *, uint32_t *cell);

/* How a visible memory instruction accesses its cell in the current state. */
enum access_mode model_memory_mode(const interpreter *, const instruction *, uint32_t cell,
                                   int64_t a);
/* The step that is about to be logged has accessed nothing yet. */
void model_start_accesses(interpreter *);
/* Logs how it accesses its cells: one, or a range of them. */
void model_log_accesses(interpreter *, const instruction *, uint32_t cell, int64_t a);
/* Its reads and writes; the value for reports is returned. */
int64_t model_apply_memory(interpreter *, uint32_t thread, const instruction *, uint32_t cell,
                           int64_t a, int64_t b);

/* Runs one local instruction; false if the thread cannot continue. */
bool model_run_local(interpreter *, uint32_t thread, const instruction *);

/* --- interpreter_pending.c --- */

/* The access belongs to the step before it, and is not shown as one itself. */
bool model_is_passing(const interpreter *, uint32_t thread, const instruction *);
/* Sets the pending operation of a thread that stands before a visible instruction; what depends on
 * shared state is left to model_refresh. */
void model_arrive(interpreter *, uint32_t thread);
void model_refresh(interpreter *, uint32_t thread);

/* --- interpreter_step.c, interpreter_lock.c --- */

/* Runs local code up to the next operation or the end of the thread. */
void model_advance(interpreter *, uint32_t thread);
/* The effect of one visible instruction; true if the thread continues after it. */
bool model_take(interpreter *, uint32_t thread, uint32_t choice, step_result *);
bool model_take_lock(interpreter *, uint32_t thread, uint32_t choice, step_result *);

/* --- interpreter_versions.c --- */

void model_keep_versions(target *, bool keep);
void model_free_versions(interpreter *);
/* Other orders than the program's, at the pending instruction. */
void model_change_order(interpreter *, uint32_t thread);
/* Those of the steps after the first `length`. */
void model_undo_versions(interpreter *, uint32_t length);
/* The alternatives of the pending operation. */
void model_offer_versions(interpreter *, uint32_t thread);
bool model_written(target *, uint32_t thread, uint64_t old, uint64_t *value);
uint64_t model_initial(target *, uint32_t thread);
/* model_take, with one of the versions. What the cell held goes to the spin_step. */
bool model_take_version(interpreter *, uint32_t thread, uint32_t choice, step_result *,
                        spin_step *);

/* --- interpreter_equal.c --- */

bool interpreter_equal_thread(target *, const void *state, const void *other, uint32_t thread);
bool interpreter_equal(target *, const void *state, const void *other);

/* --- interpreter_loop.c --- */

/* Asked before the n-th step of local code, or of a section: the thread stops here, as it is in an
 * endless loop, or in one that heddle does not follow any further. */
bool model_is_endless(interpreter *, uint32_t thread, uint32_t n, bool section);

/* --- interpreter_spin.c --- */

/* interpreter_spin_plan.c: before anything else; returns the size of m->records. */
size_t model_plan_spins(interpreter *);
void model_free_spins(interpreter *);
/* What it does may be part of a void round, and wait. */
bool model_may_be_void(enum instruction_kind);
/* An attempt to take what is no mutex: the same where versions are kept. */
bool model_may_fail(enum instruction_kind);
/* The thread has started; it has written the cell. */
void model_note_start(interpreter *, uint32_t thread);
void model_note_write(interpreter *, uint32_t thread, uint32_t cell);
/* Whether it was not known yet. */
bool model_add_void_read(interpreter *, spin_read);

/* With versions: the pending operation may close a void round; it would if it read the value. */
bool model_may_spin(const interpreter *, uint32_t thread);
bool model_waits(target *, uint32_t thread, uint64_t old);

/* A table, so that the tests can put a broken one in its place. */
struct spin_rule {
    /* The thread has taken a step. */
    void (*note_step)(interpreter *, uint32_t thread, const spin_step *);
    /* Disables the pending operation if it would close a void round. */
    void (*refresh)(interpreter *, uint32_t thread);
    /* The pending operation, which spins, could be taken if its cell held that. */
    bool (*opens)(interpreter *, uint32_t thread, int64_t value);
    /* Threads are left, none of which is enabled. */
    enum target_ending (*judge)(interpreter *);
};

extern const spin_rule interpreter_spins;

/* --- interpreter_section.c --- */

/* Takes the section at pc, to its end or to where the thread stops. */
void model_take_atomic(interpreter *, uint32_t thread, uint32_t choice);
/* What the pending section would access in the current state, and its alternatives. */
void model_refresh_atomic(interpreter *, uint32_t thread);

/* --- interpreter_local.c again --- */

/* Fill m->section_varies and m->awaited. */
void model_classify_sections(interpreter *);
void model_find_awaited(interpreter *);

/* --- interpreter_sync.c --- */

/* In loops; otherwise as many as there are. */
#define POST_LIMIT 256

/* Where everything is, and the size of it all. */
size_t model_plan_sync(interpreter *);
void model_free_sync(interpreter *);
/* For a thread that stands before an instruction of model_is_sync whose operands are good. */
void model_arrive_sync(interpreter *, uint32_t thread);
void model_refresh_sync(interpreter *, uint32_t thread);
/* True if the thread continues after it. */
bool model_take_sync(interpreter *, uint32_t thread, step_result *);

/* --- interpreter_message.c --- */

bool program_has_messages(const program *);

/* For a thread that has just arrived at a SEND, RECEIVE or POLL whose operands are good. */
void model_arrive_message(interpreter *, uint32_t thread);
/* False if a tag of the pattern of a RECEIVE or POLL cannot be evaluated. */
bool model_pattern_is_good(interpreter *, uint32_t thread);
/* What depends on the contents of the mailbox. */
void model_refresh_receive(interpreter *, uint32_t thread);
/* The steps; true if the thread continues after the instruction. */
bool model_send(interpreter *, uint32_t thread, step_result *);
bool model_receive(interpreter *, uint32_t thread, step_result *);

void model_describe_name(const interpreter *, uint32_t number, FILE *out);

#endif
