/* An abstract program: what both notations (files *.heddle and one-line programs) compile to.
 *
 * Shared cells are numbered densely: variables and array elements first, then mutexes, then
 * conditions, semaphores, read-write locks, barriers, onces; such a number is also the object
 * number in footprints. Threads are numbered in the order of their declaration. Every thread has
 * `register_count` registers; register 0 is the "last value" of the one-line notation and an
 * ordinary register otherwise. Values are 64-bit signed; arithmetic wraps around.
 *
 * Local instructions (SET, JUMP, BRANCH, ASSUME, ASSERT) run as part of the step before them; a
 * thread's local code before its first operation runs when the thread starts. */
#ifndef HEDDLE_TARGETS_ABSTRACT_PROGRAM_H
#define HEDDLE_TARGETS_ABSTRACT_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

#include "base/memory_model.h"
#include "base/vector.h"

enum expression_kind {
    EXPRESSION_CONSTANT, /* value */
    EXPRESSION_REGISTER, /* value = register number */
    /* unary: left */
    EXPRESSION_NOT,    /* !a: 1 if a is 0, else 0 */
    EXPRESSION_NEGATE, /* -a */
    /* binary: left, right */
    EXPRESSION_ADD,
    EXPRESSION_SUBTRACT,
    EXPRESSION_MULTIPLY,
    EXPRESSION_DIVIDE,    /* truncating; by zero: the program's error "misuse" */
    EXPRESSION_REMAINDER, /* sign of the dividend; by zero: the same */
    EXPRESSION_EQUAL,
    EXPRESSION_NOT_EQUAL,
    EXPRESSION_LESS,
    EXPRESSION_LESS_EQUAL,
    EXPRESSION_GREATER,
    EXPRESSION_GREATER_EQUAL,
    EXPRESSION_AND, /* 0 or 1; both sides are evaluated, which is unobservable: no side effects */
    EXPRESSION_OR,
};

typedef struct expression {
    enum expression_kind kind;
    int64_t value;
    uint32_t left, right; /* in program.expressions, always smaller than the expression's own */
} expression;

enum instruction_kind {
    /* Operations (visible): one step each, or part of an atomic section. */
    INSTRUCTION_READ,     /* result := cell */
    INSTRUCTION_WRITE,    /* cell := a */
    INSTRUCTION_ADD,      /* result := cell; cell := cell + a */
    INSTRUCTION_EXCHANGE, /* result := cell; cell := a */
    INSTRUCTION_CAS,      /* result := (cell == a); if so cell := b */
    INSTRUCTION_FILL,     /* cell and those after it, `length` in all, := a */
    INSTRUCTION_COPY,     /* the same := as many cells from `source` on, as they were before */
    INSTRUCTION_AWAIT,    /* blocks until cell COMPARE a; compare is an expression_kind */
    INSTRUCTION_LOCK,     /* cell is a mutex */
    INSTRUCTION_UNLOCK,
    INSTRUCTION_TRYLOCK,    /* result := 1 if obtained, else 0 */
    INSTRUCTION_INIT,       /* cell is a mutex or a condition */
    INSTRUCTION_DESTROY,    /* the same */
    INSTRUCTION_WAIT,       /* cell is the condition, mutex the mutex */
    INSTRUCTION_TIMED_WAIT, /* the same; result := 1 if it timed out, else 0 */
    INSTRUCTION_SIGNAL,
    INSTRUCTION_BROADCAST,
    INSTRUCTION_FENCE,
    INSTRUCTION_SEMAPHORE_WAIT, /* cell is a semaphore */
    INSTRUCTION_SEMAPHORE_TRY,  /* result := 1 if it took one, else 0 */
    INSTRUCTION_POST,
    INSTRUCTION_READ_LOCK, /* cell is a read-write lock */
    INSTRUCTION_WRITE_LOCK,
    INSTRUCTION_TRY_READ_LOCK, /* result := 1 if obtained, else 0 */
    INSTRUCTION_TRY_WRITE_LOCK,
    INSTRUCTION_RELEASE,  /* whichever of both the thread holds, the latest first */
    INSTRUCTION_BARRIER,  /* cell is a barrier: two steps */
    INSTRUCTION_ONCE,     /* cell is a once; result := 1 if the thread is to initialise, else 0 */
    INSTRUCTION_ONCE_END, /* it has initialised */
    INSTRUCTION_CHOOSE,   /* result := one of 0..a-1, a constant */
    INSTRUCTION_SPAWN,    /* thread number a + first */
    INSTRUCTION_JOIN,     /* the same */
    INSTRUCTION_SEND,     /* to the mailbox of thread `cell`: tag a, value b */
    INSTRUCTION_RECEIVE,  /* takes the earliest message that the pattern matches out of the
                             thread's own mailbox: result := tag, value := value, sender :=
                             thread; blocks while there is none */
    INSTRUCTION_POLL,     /* the same; while there is none it continues: result := a */
    INSTRUCTION_ATOMIC_BEGIN, /* up to the matching END: one step. Not nested. Inside only READ,
                                 WRITE, ADD, EXCHANGE, CAS, FILL, COPY, CHOOSE and local
                                 instructions. The step's choice is that of all its CHOOSEs: the
                                 first one takes it modulo its alternatives, the next one what is
                                 left divided by these, and so on. */
    INSTRUCTION_ATOMIC_END,
    /* Local. */
    INSTRUCTION_SET,    /* result := a */
    INSTRUCTION_JUMP,   /* go to jump */
    INSTRUCTION_BRANCH, /* if a is zero go to jump */
    INSTRUCTION_ASSUME, /* if a is zero the thread stops here forever */
    INSTRUCTION_ASSERT, /* if a is zero: error "assertion"; the thread ends */
    INSTRUCTION_END,    /* the thread ends; the last instruction of every thread */
};

/* A place of an array (or a single cell, count 1): first + index, where index is an expression
 * whose value must lie in 0..count-1; outside: the program's error "misuse", the thread ends. */
typedef struct place {
    uint32_t first;
    uint32_t count;
    uint32_t index; /* expression; ignored if count is 1 */
} place;

#define EXPRESSION_NONE UINT32_MAX
#define REGISTER_NONE   UINT32_MAX
#define PATTERN_LIMIT   16 /* tags */

/* What a receive takes: messages with one of these tags, or, if there are none, any message. */
typedef struct pattern {
    uint32_t first; /* in program.tags */
    uint32_t count;
} pattern;

typedef struct instruction {
    enum instruction_kind kind;
    place cell;                   /* variable, mutex, condition; for SPAWN, JOIN and SEND: thread */
    place mutex;                  /* WAIT and TIMED_WAIT only */
    uint32_t length, source;      /* FILL and COPY only */
    uint32_t a, b;                /* expressions, or EXPRESSION_NONE */
    uint32_t result;              /* register, or REGISTER_NONE */
    uint32_t jump;                /* instruction index within the thread */
    enum expression_kind compare; /* AWAIT */
    pattern pattern;              /* RECEIVE and POLL, as are: */
    uint32_t value, sender;       /* registers, or REGISTER_NONE */
    uint8_t order, failure;       /* enum access_order: seq_cst unless the program says so */
    uint32_t named; /* registers below hold locals that are known here, or the last value: part of
                       what an execution results in; the others are temporaries */
    uint32_t line, column;
} instruction;

typedef struct model_thread {
    char *name;
    VECTOR(instruction) code;
    bool starts;             /* from the beginning; otherwise only when spawned */
    uint32_t register_count; /* at least 1 */
} model_thread;

enum cell_kind {
    CELL_VARIABLE,
    CELL_MUTEX,
    CELL_CONDITION,
    CELL_SEMAPHORE, /* initial: its value */
    CELL_RWLOCK,
    CELL_BARRIER, /* initial: how many threads it lets go together */
    CELL_ONCE,
};

typedef struct cell {
    enum cell_kind kind;
    char *name; /* "x", "a[3]", "m" */
    int64_t initial;
    bool plain; /* a variable whose reads and writes are not atomic: data races on it are errors */
} cell;

typedef struct program {
    char *file; /* for messages and reports */
    VECTOR(cell) cells;
    VECTOR(model_thread) threads;
    VECTOR(expression) expressions;
    VECTOR(uint32_t) tags; /* of patterns: expressions */
} program;

void program_init(program *, const char *file);
void program_free(program *);

/* An instruction that names nothing yet, of that place in the source. */
instruction program_instruction(enum instruction_kind, uint32_t line, uint32_t column);

/* It may continue elsewhere than at the next instruction. */
static inline bool instruction_jumps(const instruction *i) {
    return i->kind == INSTRUCTION_JUMP || i->kind == INSTRUCTION_BRANCH;
}

/* It may continue at that place or before it: of one that stands there or later, a loop. */
static inline bool instruction_jumps_back(const instruction *i, uint32_t place) {
    return instruction_jumps(i) && i->jump <= place;
}

/* Helpers for those who build programs. Each returns the index of what it added. */
uint32_t program_add_cell(program *, enum cell_kind, const char *name, int64_t initial);
uint32_t program_add_thread(program *, const char *name, bool starts);
uint32_t program_constant(program *, int64_t value);
uint32_t program_register(program *, uint32_t number);
uint32_t program_expression(program *, enum expression_kind, uint32_t left, uint32_t right);

pattern program_pattern(program *, const uint32_t *tags, uint32_t count);

/* Some instruction compares what a cell holds with what it expects: a CAS, an AWAIT or a ONCE. */
bool program_has_comparisons(const program *);
/* What is wrong with the memory order of an instruction, or NULL. */
const char *program_order_error(const instruction *);

/* The instruction is a plain access: a read or a write, of one cell or of a range, of plain cells
 * only. Atomic operations on a plain cell, also inside of sections, are atomic. */
bool program_is_plain(const program *, const instruction *);

/* Some cell is accessed both plainly and atomically, or may be. */
bool program_mixes_plain(const program *);

/* Some cell is plain. */
bool program_has_plain(const program *);

/* What a program with plain variables may not do, with the instruction that does it; or NULL. Who
 * is blocked must depend on synchronisation alone; messages are not known to the race detector. */
const char *program_plain_error(const program *, const instruction **);

/* a KIND b (b is ignored by unary kinds); false if it divides by zero. */
bool expression_apply(enum expression_kind, int64_t a, int64_t b, int64_t *value);

/* The value of an expression over these registers; false if it divides by zero. */
bool program_evaluate(const program *, uint32_t expression, const int64_t *registers,
                      int64_t *value);

#endif
