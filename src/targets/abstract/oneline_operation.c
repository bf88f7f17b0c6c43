/* The operations of one-line programs: a letter each, and what follows it. */
#include "targets/abstract/oneline_parser.h"

#define LAST_VALUE     0
#define TRYLOCK_RESULT 1

/* --- instructions ---------------------------------------------------------------------------- */

static void mark_operation(parser *p) {
    p->op_line = p->line;
    p->op_column = p->column;
}

static model_thread *current_thread(parser *p) {
    return &vector_last(&p->program->threads);
}

static uint32_t code_end(parser *p) {
    return current_thread(p)->code.count;
}

static instruction new_instruction(parser *p, enum instruction_kind kind) {
    instruction i = program_instruction(kind, p->op_line, p->op_column);
    i.named = LAST_VALUE + 1;
    return i;
}

static void emit(parser *p, instruction i) {
    vector_push(&current_thread(p)->code, i);
}

/* A branch that is taken when the condition is zero, to a place not known yet: patch_branch. */
static uint32_t emit_branch(parser *p, uint32_t condition) {
    instruction i = new_instruction(p, INSTRUCTION_BRANCH);
    i.a = condition;
    emit(p, i);
    return code_end(p) - 1;
}

static void patch_branch(parser *p, uint32_t branch) {
    vector_at(&current_thread(p)->code, branch).jump = code_end(p);
}

/* Emits what was parsed, unless parsing it failed. */
static bool emit_if(parser *p, bool parsed, const instruction *i) {
    if (parsed) {
        emit(p, *i);
    }
    return parsed;
}

/* --- operands -------------------------------------------------------------------------------- */

static bool parse_mutex(parser *p, place *where) {
    return oneline_parse_numbered(p, FIRST_MUTEX, MUTEX_LIMIT, where);
}

static bool parse_condition(parser *p, place *where) {
    return oneline_parse_numbered(p, FIRST_CONDITION, CONDITION_LIMIT, where);
}

static bool parse_rwlock(parser *p, place *where) {
    return oneline_parse_numbered(p, FIRST_RWLOCK, OBJECT_LIMIT, where);
}

/* `x1`, and a memory order if there is one. */
static bool parse_assignment(parser *p, instruction *i, int64_t *value) {
    return oneline_parse_variable(p, &i->cell) && oneline_parse_value(p, value) &&
           oneline_parse_order(p, i);
}

/* --- operations ------------------------------------------------------------------------------ */

static bool parse_read(parser *p, enum instruction_kind kind) {
    instruction i = new_instruction(p, kind);
    i.result = LAST_VALUE;
    return emit_if(p, oneline_parse_variable(p, &i.cell) && oneline_parse_order(p, &i), &i);
}

static bool parse_write(parser *p, enum instruction_kind kind) {
    instruction i = new_instruction(p, kind);
    int64_t value;
    if (!parse_assignment(p, &i, &value)) {
        return false;
    }
    i.a = program_constant(p->program, value);
    emit(p, i);
    return true;
}

static bool parse_add(parser *p, enum instruction_kind kind) {
    instruction i = new_instruction(p, kind);
    int64_t value = 1;
    if (!oneline_parse_variable(p, &i.cell) ||
        ((*p->next == '-' || text_is_digit(*p->next)) && !oneline_parse_value(p, &value)) ||
        !oneline_parse_order(p, &i)) {
        return false;
    }
    i.a = program_constant(p->program, value);
    i.result = LAST_VALUE;
    emit(p, i);
    return true;
}

static bool parse_cas(parser *p, enum instruction_kind kind) {
    instruction i = new_instruction(p, kind);
    int64_t desired;
    if (!parse_assignment(p, &i, &desired)) {
        return false;
    }
    i.a = program_constant(p->program, 0);
    i.b = program_constant(p->program, desired);
    i.result = LAST_VALUE;
    emit(p, i);
    return true;
}

static bool parse_await(parser *p, enum instruction_kind kind) {
    instruction i = new_instruction(p, kind);
    int64_t value;
    if (!parse_assignment(p, &i, &value)) {
        return false;
    }
    i.a = program_constant(p->program, value);
    i.compare = EXPRESSION_EQUAL;
    emit(p, i);
    return true;
}

static bool parse_lock(parser *p, enum instruction_kind kind) {
    instruction i = new_instruction(p, kind);
    i.result = kind == INSTRUCTION_TRYLOCK ? LAST_VALUE : REGISTER_NONE;
    return emit_if(p, parse_mutex(p, &i.cell), &i);
}

/* `I0` and `D0` of a mutex, `Ic0` and `Dc0` of a condition. */
static bool parse_change(parser *p, enum instruction_kind kind) {
    instruction i = new_instruction(p, kind);
    bool parsed = oneline_accept(p, 'c') ? parse_condition(p, &i.cell) : parse_mutex(p, &i.cell);
    return emit_if(p, parsed, &i);
}

/* An attempt to lock something and, if it obtained it, the unlock. */
static bool parse_attempt(parser *p, enum instruction_kind kind, enum instruction_kind undo,
                          bool (*parse_cell)(parser *, place *)) {
    instruction trylock = new_instruction(p, kind);
    instruction unlock = new_instruction(p, undo);
    if (!parse_cell(p, &trylock.cell)) {
        return false;
    }
    unlock.cell = trylock.cell;
    trylock.result = TRYLOCK_RESULT;
    current_thread(p)->register_count = TRYLOCK_RESULT + 1;
    emit(p, trylock);
    uint32_t branch = emit_branch(p, program_register(p->program, TRYLOCK_RESULT));
    emit(p, unlock);
    patch_branch(p, branch);
    return true;
}

static bool parse_try_section(parser *p, enum instruction_kind kind) {
    return parse_attempt(p, kind, INSTRUCTION_UNLOCK, parse_mutex);
}

static bool parse_semaphore_operation(parser *p, enum instruction_kind kind) {
    instruction i = new_instruction(p, kind);
    i.result = kind == INSTRUCTION_SEMAPHORE_TRY ? LAST_VALUE : REGISTER_NONE;
    return emit_if(p, oneline_parse_numbered(p, FIRST_SEMAPHORE, OBJECT_LIMIT, &i.cell), &i);
}

static bool parse_barrier(parser *p, enum instruction_kind kind) {
    instruction i = new_instruction(p, kind);
    return emit_if(p, oneline_parse_numbered(p, FIRST_BARRIER, OBJECT_LIMIT, &i.cell), &i);
}

/* After the first letter: `Rl0`, `Wl0`, `Ul0`, and `Rt0`, `Wt0`, which unlock at once. */
static bool parse_rwlock_operation(parser *p, enum instruction_kind kind) {
    if (kind != INSTRUCTION_RELEASE && oneline_accept(p, 't')) {
        kind =
            kind == INSTRUCTION_READ_LOCK ? INSTRUCTION_TRY_READ_LOCK : INSTRUCTION_TRY_WRITE_LOCK;
        return parse_attempt(p, kind, INSTRUCTION_RELEASE, parse_rwlock);
    }
    instruction i = new_instruction(p, kind);
    if (!oneline_accept(p, 'l')) {
        return oneline_fail_expected(
            p, kind == INSTRUCTION_RELEASE ? "'l' and a number" : "'l' or 't'");
    }
    return emit_if(p, parse_rwlock(p, &i.cell), &i);
}

/* `O0`, and `O0.x`, whose initialiser adds 1 to x. */
static bool parse_once(parser *p, enum instruction_kind kind) {
    instruction once = new_instruction(p, kind), end = new_instruction(p, INSTRUCTION_ONCE_END);
    instruction add = new_instruction(p, INSTRUCTION_ADD);
    if (!oneline_parse_numbered(p, FIRST_ONCE, OBJECT_LIMIT, &once.cell)) {
        return false;
    }
    bool adds = oneline_accept(p, '.');
    if (adds && !oneline_parse_variable(p, &add.cell)) {
        return false;
    }
    end.cell = once.cell;
    once.result = TRYLOCK_RESULT;
    current_thread(p)->register_count = TRYLOCK_RESULT + 1;
    emit(p, once);
    uint32_t branch = emit_branch(p, program_register(p->program, TRYLOCK_RESULT));
    if (adds) {
        add.a = program_constant(p->program, 1);
        emit(p, add);
    }
    emit(p, end);
    patch_branch(p, branch);
    return true;
}

/* `W0.1`, but `Wl0` and `Wt0` are about read-write locks. */
static bool parse_wait(parser *p, enum instruction_kind kind) {
    if (kind == INSTRUCTION_WAIT && (*p->next == 'l' || *p->next == 't')) {
        return parse_rwlock_operation(p, INSTRUCTION_WRITE_LOCK);
    }
    instruction i = new_instruction(p, kind);
    if (!parse_condition(p, &i.cell)) {
        return false;
    }
    if (!oneline_accept(p, '.')) {
        return oneline_fail_expected(p, "'.' and the mutex");
    }
    if (!parse_mutex(p, &i.mutex)) {
        return false;
    }
    i.result = kind == INSTRUCTION_TIMED_WAIT ? LAST_VALUE : REGISTER_NONE;
    emit(p, i);
    return true;
}

static bool parse_wake(parser *p, enum instruction_kind kind) {
    instruction i = new_instruction(p, kind);
    return emit_if(p, parse_condition(p, &i.cell), &i);
}

static bool parse_choose(parser *p, enum instruction_kind kind) {
    instruction i = new_instruction(p, kind);
    uint32_t line = p->line, column = p->column, count;
    if (!oneline_parse_number(p, CHOICE_LIMIT + 1, &count)) {
        return false;
    }
    if (count == 0) {
        return oneline_fail_at(p, line, column, "expected at least 1 alternative, found 0");
    }
    i.a = program_constant(p->program, count);
    i.result = LAST_VALUE;
    emit(p, i);
    return true;
}

/* Whether the thread exists is known only at the end: check_thread. */
static bool parse_thread_operation(parser *p, enum instruction_kind kind) {
    instruction i = new_instruction(p, kind);
    if (!oneline_parse_number(p, THREAD_LIMIT, &i.cell.first)) {
        return false;
    }
    i.a = program_constant(p->program, 0);
    emit(p, i);
    return true;
}

/* Tags are above 0: a receive that finds nothing gives 0. */
static bool parse_tag(parser *p, uint32_t *tag) {
    uint32_t line = p->line, column = p->column;
    int64_t value = 0;
    if (!oneline_parse_digits(p, false, &value)) {
        return false;
    }
    if (value == 0) {
        return oneline_fail_at(p, line, column, "expected a tag of at least 1, found 0");
    }
    *tag = program_constant(p->program, value);
    return true;
}

static bool parse_send(parser *p, enum instruction_kind kind) {
    instruction i = new_instruction(p, kind);
    if (!oneline_parse_number(p, THREAD_LIMIT, &i.cell.first)) {
        return false;
    }
    if (!oneline_accept(p, '.')) {
        return oneline_fail_expected(p, "'.' and the tag");
    }
    return emit_if(p, parse_tag(p, &i.a), &i);
}

/* Tags separated by dots, or none. */
static bool parse_receive(parser *p, enum instruction_kind kind) {
    instruction i = new_instruction(p, kind);
    uint32_t tags[PATTERN_LIMIT], count = 0;
    if (text_is_digit(*p->next)) {
        do {
            if (count == PATTERN_LIMIT) {
                return oneline_fail_at(p, p->line, p->column, "expected at most %d tags",
                                       PATTERN_LIMIT);
            }
            if (!parse_tag(p, &tags[count++])) {
                return false;
            }
        } while (oneline_accept(p, '.'));
    }
    i.pattern = program_pattern(p->program, tags, count);
    i.a = kind == INSTRUCTION_POLL ? program_constant(p->program, 0) : EXPRESSION_NONE;
    i.result = LAST_VALUE;
    emit(p, i);
    return true;
}

/* Reads again and again, until the variable holds the value. */
static bool parse_spin(parser *p, enum instruction_kind kind) {
    instruction i = new_instruction(p, kind);
    int64_t value;
    if (!parse_assignment(p, &i, &value)) {
        return false;
    }
    i.result = TRYLOCK_RESULT;
    current_thread(p)->register_count = TRYLOCK_RESULT + 1;
    emit(p, i);
    uint32_t seen = program_register(p->program, TRYLOCK_RESULT);
    uint32_t wanted = program_constant(p->program, value);
    uint32_t branch =
        emit_branch(p, program_expression(p->program, EXPRESSION_EQUAL, seen, wanted));
    vector_at(&current_thread(p)->code, branch).jump = branch - 1;
    return true;
}

static bool parse_fence(parser *p, enum instruction_kind kind) {
    instruction i = new_instruction(p, kind);
    return emit_if(p, oneline_parse_order(p, &i), &i);
}

static bool parse_assume(parser *p, enum instruction_kind kind) {
    instruction i = new_instruction(p, kind);
    i.a = program_register(p->program, LAST_VALUE);
    emit(p, i);
    return true;
}

/* --- sections and prefixes ------------------------------------------------------------------- */

typedef struct operation_form {
    char letter;
    enum instruction_kind kind;
    bool (*parse)(parser *, enum instruction_kind);
} operation_form;

/* The first ACCESS_COUNT of them may stand in an atomic section. */
#define ACCESS_COUNT 6
static const operation_form forms[] = {
    {'r', INSTRUCTION_READ, parse_read},
    {'w', INSTRUCTION_WRITE, parse_write},
    {'a', INSTRUCTION_ADD, parse_add},
    {'c', INSTRUCTION_CAS, parse_cas},
    {'n', INSTRUCTION_CHOOSE, parse_choose},
    {'h', INSTRUCTION_ASSUME, parse_assume},
    {'i', INSTRUCTION_AWAIT, parse_await},
    {'f', INSTRUCTION_FENCE, parse_fence},
    {'q', INSTRUCTION_READ, parse_spin},
    {'l', INSTRUCTION_LOCK, parse_lock},
    {'u', INSTRUCTION_UNLOCK, parse_lock},
    {'k', INSTRUCTION_TRYLOCK, parse_lock},
    {'t', INSTRUCTION_TRYLOCK, parse_try_section},
    {'I', INSTRUCTION_INIT, parse_change},
    {'D', INSTRUCTION_DESTROY, parse_change},
    {'W', INSTRUCTION_WAIT, parse_wait},
    {'T', INSTRUCTION_TIMED_WAIT, parse_wait},
    {'g', INSTRUCTION_SIGNAL, parse_wake},
    {'b', INSTRUCTION_BROADCAST, parse_wake},
    {'P', INSTRUCTION_SEMAPHORE_WAIT, parse_semaphore_operation},
    {'p', INSTRUCTION_SEMAPHORE_TRY, parse_semaphore_operation},
    {'V', INSTRUCTION_POST, parse_semaphore_operation},
    {'R', INSTRUCTION_READ_LOCK, parse_rwlock_operation},
    {'U', INSTRUCTION_RELEASE, parse_rwlock_operation},
    {'B', INSTRUCTION_BARRIER, parse_barrier},
    {'O', INSTRUCTION_ONCE, parse_once},
    {'s', INSTRUCTION_SPAWN, parse_thread_operation},
    {'j', INSTRUCTION_JOIN, parse_thread_operation},
    {'S', INSTRUCTION_SEND, parse_send},
    {'M', INSTRUCTION_RECEIVE, parse_receive},
    {'N', INSTRUCTION_POLL, parse_receive},
};

static bool parse_form(parser *p, size_t form_count, const char *expected) {
    for (size_t i = 0; i < form_count; i++) {
        if (oneline_accept(p, forms[i].letter)) {
            return forms[i].parse(p, forms[i].kind);
        }
    }
    return oneline_fail_expected(p, expected);
}

static bool parse_access(parser *p) {
    return parse_form(p, ACCESS_COUNT, "r, w, a, c, n or h in an atomic section");
}

/* An operation after its prefix, if it has one: `?` and `!` test the last value. */
static bool parse_prefixed(parser *p, bool (*parse)(parser *)) {
    mark_operation(p);
    bool if_set = oneline_accept(p, '?'), if_clear = !if_set && oneline_accept(p, '!');
    if (!if_set && !if_clear) {
        return parse(p);
    }
    uint32_t condition = program_register(p->program, LAST_VALUE);
    if (if_clear) {
        condition = program_expression(p->program, EXPRESSION_NOT, condition, EXPRESSION_NONE);
    }
    uint32_t branch = emit_branch(p, condition);
    if (!parse(p)) {
        return false;
    }
    patch_branch(p, branch);
    return true;
}

static bool parse_section(parser *p) {
    emit(p, new_instruction(p, INSTRUCTION_ATOMIC_BEGIN));
    p->in_section = true;
    do {
        oneline_skip_space(p);
        if (!parse_prefixed(p, parse_access)) {
            return false;
        }
        oneline_skip_space(p);
    } while (oneline_accept(p, ','));
    mark_operation(p);
    if (!oneline_accept(p, ']')) {
        return oneline_fail_expected(p, "',' or ']'");
    }
    emit(p, new_instruction(p, INSTRUCTION_ATOMIC_END));
    p->in_section = false;
    return true;
}

static bool parse_operation(parser *p) {
    if (oneline_accept(p, '[')) {
        return parse_section(p);
    }
    return parse_form(p, sizeof forms / sizeof *forms, "an operation");
}

bool oneline_parse_operation(parser *p) {
    return parse_prefixed(p, parse_operation);
}

void oneline_end_thread(parser *p) {
    mark_operation(p);
    emit(p, new_instruction(p, INSTRUCTION_END));
}
