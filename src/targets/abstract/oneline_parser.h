/* What the parts of the parser of one-line programs share; nobody else includes this. */
#ifndef HEDDLE_TARGETS_ABSTRACT_ONELINE_PARSER_H
#define HEDDLE_TARGETS_ABSTRACT_ONELINE_PARSER_H

#include "base/text.h"
#include "targets/abstract/oneline.h"

#define MUTEX_LIMIT     1000
#define CONDITION_LIMIT 1000
#define THREAD_LIMIT    10000
#define CHOICE_LIMIT    65536
#define OBJECT_LIMIT    100 /* semaphores, read-write locks, barriers, onces: of each */
#define INITIALS_MOST   16
#define INITIAL_MOST    10000

/* While parsing, a cell is named by its symbol: variables first, then mutexes, conditions and the
 * others; which of them occur, and so their numbers, is known only at the end. */
#define ONELINE_VARIABLES "xyzuvwXYZUVW" /* capitals are plain */
enum {
    VARIABLE_COUNT = sizeof ONELINE_VARIABLES - 1,
    FIRST_MUTEX = VARIABLE_COUNT,
    FIRST_CONDITION = FIRST_MUTEX + MUTEX_LIMIT,
    FIRST_SEMAPHORE = FIRST_CONDITION + CONDITION_LIMIT,
    FIRST_RWLOCK = FIRST_SEMAPHORE + OBJECT_LIMIT,
    FIRST_BARRIER = FIRST_RWLOCK + OBJECT_LIMIT,
    FIRST_ONCE = FIRST_BARRIER + OBJECT_LIMIT,
    SYMBOL_COUNT = FIRST_ONCE + OBJECT_LIMIT,
};

/* Initial values of semaphores, or how many threads barriers wait for. */
typedef struct initial_list {
    uint32_t count; /* at least 1 */
    int64_t values[INITIALS_MOST];
} initial_list;

typedef struct parser {
    program *program;
    const char *next;
    uint32_t line, column;       /* of next */
    uint32_t op_line, op_column; /* of the operation being parsed */
    bool used[SYMBOL_COUNT];
    bool in_section; /* of an atomic step, where orders mean nothing */
    initial_list semaphores, barriers;
    parse_error *error;
} parser;

/* Records the error; false. */
__attribute__((format(printf, 4, 5))) bool oneline_fail_at(parser *, uint32_t line, uint32_t column,
                                                           const char *format, ...);

/* Reports that the next character is something else; false. */
bool oneline_fail_expected(parser *, const char *expected);

static inline bool oneline_is_space(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

void oneline_skip_space(parser *);
bool oneline_accept(parser *, char c);
bool oneline_accept_word(parser *, const char *word);

/* These give what they have read, or report an error and return false. */
bool oneline_parse_digits(parser *, bool negative, int64_t *value);
bool oneline_parse_value(parser *, int64_t *value);
bool oneline_parse_variable(parser *, place *where);

/* The memory order after an operation, if there is one: `:acq`, and `:ar.rlx` of a
 * compare-and-swap.
 */
bool oneline_parse_order(parser *, instruction *);

/* A number below `limit`, which names something. */
bool oneline_parse_number(parser *, uint32_t limit, uint32_t *number);

/* The number of a mutex or another object, of which there are `limit`, whose symbols begin at
 * `first`. */
bool oneline_parse_numbered(parser *, uint32_t first, uint32_t limit, place *where);

/* An operation of the last thread, with its prefix; and what stands after the last one. */
bool oneline_parse_operation(parser *);
void oneline_end_thread(parser *);

/* After the last thread: replaces symbols by the numbers of cells, and checks the thread numbers.
 */
bool oneline_resolve(parser *);

#endif
