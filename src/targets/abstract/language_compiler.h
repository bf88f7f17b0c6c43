/* What the parts of the compiler of *.heddle files share; nobody else includes this.
 *
 * Every parse function returns false after an error, which has then been recorded, and its callers
 * return at once. Registers are a stack: locals stay until their block ends, temporaries above
 * them until their statement ends. */
#ifndef HEDDLE_TARGETS_ABSTRACT_LANGUAGE_COMPILER_H
#define HEDDLE_TARGETS_ABSTRACT_LANGUAGE_COMPILER_H

#include "targets/abstract/language.h"
#include "targets/abstract/lexer.h"
#include "targets/abstract/symbol.h"

#define CELL_LIMIT             100000
#define THREAD_LIMIT           10000
#define INSTRUCTION_LIMIT      1000000
#define REGISTER_LIMIT         1000
#define NESTING_LIMIT          200
#define EXPRESSION_DEPTH_LIMIT 1000
#define CHOICE_LIMIT           65536

#define NO_JUMP UINT32_MAX

/* The loop around a statement. Its jumps whose goal is not known yet form two chains through
 * their `jump` fields; NO_JUMP ends a chain. */
typedef struct loop {
    uint32_t breaks, continues;
} loop;

typedef struct compiler {
    program *program;
    parse_error *error;
    const definition *definitions;
    uint32_t definition_count;

    const token *token; /* the next one */
    symbol_table symbols;
    VECTOR(int64_t) initials; /* of the variables, in the order of their declaration */
    bool plain;               /* the variables being declared are plain */
    uint32_t cell_count;      /* declared so far, of all kinds */

    bool in_thread;         /* else only constants are possible */
    model_thread thread;    /* the one being compiled: its code and register count */
    uint32_t emitted;       /* instructions of the finished threads */
    uint32_t registers;     /* in use */
    uint32_t locals;        /* of these, the ones that hold locals: the lowest */
    uint32_t closed_locals; /* what that was at the end of the latest block */
    uint32_t nesting;
    /* Above 0: the code being compiled cannot be reached, because a constant condition says so,
       and will be dropped; constants out of range are no errors there. */
    uint32_t unreachable;
    bool atomic;
    loop *loop; /* the innermost that a break may leave, or NULL */
} compiler;

/* The value of an expression that has been parsed: a constant, or an expression over registers. */
typedef struct operand {
    bool constant;
    bool may_fail; /* evaluating it may divide by zero */
    int64_t value;
    uint32_t expression;
    uint32_t depth;
    uint32_t fresh; /* the temporary that the last instruction put it into, or REGISTER_NONE */
} operand;

/* --- language_code.c: errors, tokens, instructions --- */

__attribute__((format(printf, 3, 4))) bool compiler_fail(compiler *, const token *at,
                                                         const char *format, ...);
/* "expected WHAT, found TOKEN" at the next token. */
bool compiler_fail_expected(compiler *, const char *what);

static inline bool compiler_at(const compiler *c, enum token_kind kind) {
    return c->token->kind == kind;
}

bool compiler_accept(compiler *, enum token_kind);
bool compiler_expect(compiler *, enum token_kind);
bool compiler_expect_name(compiler *, const token **name);
/* The next tokens are this word, which need not be reserved, and a parenthesis. */
bool compiler_at_word(const compiler *, const char *word);

/* Declares a name; the new symbol is the last of the table. */
bool compiler_declare(compiler *, symbol);
/* The symbol of a name, which must have been declared as one of these kinds (a set of bits). */
bool compiler_lookup(compiler *, const token *name, uint32_t kinds, const char *wanted,
                     symbol *found);

bool compiler_enter(compiler *); /* one level of nesting more */
void compiler_leave(compiler *);

uint32_t compiler_position(const compiler *); /* of the next instruction */
instruction compiler_instruction(enum instruction_kind, const token *at);
uint32_t compiler_emit(compiler *, instruction); /* returns its position */
/* BRANCH, ASSUME, ASSERT */
uint32_t compiler_emit_condition(compiler *, enum instruction_kind, const token *at,
                                 uint32_t condition);
uint32_t compiler_emit_jump(compiler *, const token *at, uint32_t goal);
void compiler_patch(compiler *, uint32_t position);    /* its jump goes here */
void compiler_patch_chain(compiler *, uint32_t last);  /* and those of a whole chain */
void compiler_truncate(compiler *, uint32_t position); /* drops the code from there */
bool compiler_new_register(compiler *, const token *at, uint32_t *number);

/* --- language_expression.c --- */

bool compile_expression(compiler *, operand *);
/* An expression whose value is known now; `what` says what it is for. */
bool compile_constant(compiler *, const char *what, int64_t *value);
/* name or name[index] of a variable, a mutex or a condition. */
bool compile_place(compiler *, enum symbol_kind, place *);
/* The same, where name and symbol have been read already. */
bool compile_place_of(compiler *, const token *name, const symbol *, place *);
/* [index] or (index) of the thing called `name`: narrows `where`, which is all of it, to the one
   numbered index - low. */
bool compile_index(compiler *, const token *name, int64_t low, place *where);
uint32_t operand_expression(compiler *, const operand *);
bool operand_binary(compiler *, const token *operator, enum expression_kind, const operand *left,
                    const operand *right, operand *result);
/* Puts the operand into a register; best if its instruction can do so itself. */
void operand_store(compiler *, const token *at, const operand *, uint32_t target);
/* Emits an operation whose result goes to a temporary; the operand is that temporary. */
bool operand_emit(compiler *, const token *at, instruction, operand *);
operand operand_register(compiler *, uint32_t number);
operand operand_constant(int64_t value);
/* A call that gives a value, such as cas(…); the next token is its keyword. */
bool compile_call(compiler *, operand *);
bool token_is_call(enum token_kind);
bool token_comparison(enum token_kind, enum expression_kind *);

/* --- language_message.c --- */

/* The next tokens are one of the words send, receive, value, sender and a parenthesis. The words
   are not reserved: names of variables are never followed by one. */
bool compiler_at_message(const compiler *);
/* receive(…), value() or sender() */
bool compile_message_value(compiler *, operand *);
/* send(…), or one of the others, whose value is dropped; without the semicolon. */
bool compile_message_statement(compiler *);
/* Reserves registers for what value() and sender() give, if the body at `body` needs them. */
void compile_message_registers(compiler *, const token *body);

/* --- language_sync.c --- */

#define SYNC_INITIAL_LIMIT 10000

/* The next token begins a declaration of semaphores, read-write locks, barriers or onces. */
bool compiler_at_sync_declaration(const compiler *, enum symbol_kind *);
/* The value after the name, if there is one: into the symbol's. */
bool compile_sync_initial(compiler *, symbol *);
/* The next tokens are one of the words of their operations and a parenthesis. */
bool compiler_at_sync(const compiler *);
bool compile_sync_value(compiler *, operand *);
/* Without the semicolon. */
bool compile_sync_statement(compiler *);
bool compile_once(compiler *, bool (*parse_body)(compiler *));

/* --- language_order.c --- */

/* The next tokens are the word load, or one of store and fence, and a parenthesis. */
bool compiler_at_load(const compiler *);
bool compiler_at_store(const compiler *);
bool compile_load(compiler *, operand *);
/* Without the semicolon. */
bool compile_store(compiler *);
/* ", acquire" before the last parenthesis, and a second one for a cas that fails; or nothing. */
bool compile_order(compiler *, instruction *);

/* --- language_statement.c: statements that are operations; language_control.c: the others --- */

bool compile_statement(compiler *);
/* An assignment or a call, without the semicolon. */
bool compile_simple(compiler *);
/* Any other statement that is no control structure, with its semicolon; the next token is its
   keyword. */
bool compile_operation(compiler *);
bool compile_local(compiler *);
/* q or q(index): a thread. */
bool compile_thread_place(compiler *, const token **name, symbol *thread, place *where);
/* The body of a thread: a block. */
bool compile_body(compiler *);

#endif
