#include "emit.h"

#include <inttypes.h>

static uint32_t register_count(const program *p) {
    uint32_t most = 1;
    for (uint32_t t = 0; t < p->threads.count; t++) {
        if (p->threads.items[t].register_count > most) {
            most = p->threads.items[t].register_count;
        }
    }
    return most;
}

static bool spawned_before(const model_thread *t, uint32_t at, const instruction *join) {
    bool spawned = false;
    for (uint32_t i = 0; i < at; i++) {
        const instruction *in = &t->code.items[i];
        if (in->kind == INSTRUCTION_BRANCH || in->kind == INSTRUCTION_JUMP) {
            return false;
        }
        if (in->kind == INSTRUCTION_JOIN && in->cell.first == join->cell.first) {
            return false; /* a second join is an error in C */
        }
        spawned = spawned || (in->kind == INSTRUCTION_SPAWN && in->cell.first == join->cell.first);
    }
    return spawned;
}

bool emit_has_messages(const program *p) {
    for (uint32_t t = 0; t < p->threads.count; t++) {
        for (uint32_t i = 0; i < p->threads.items[t].code.count; i++) {
            enum instruction_kind kind = p->threads.items[t].code.items[i].kind;
            if (kind >= INSTRUCTION_SEND && kind <= INSTRUCTION_POLL) {
                return true;
            }
        }
    }
    return false;
}

static bool has_loops(const program *p, bool awaits) {
    for (uint32_t t = 0; t < p->threads.count; t++) {
        for (uint32_t i = 0; i < p->threads.items[t].code.count; i++) {
            const instruction *in = &p->threads.items[t].code.items[i];
            bool jumps = in->kind == INSTRUCTION_JUMP || in->kind == INSTRUCTION_BRANCH;
            if ((awaits && in->kind == INSTRUCTION_AWAIT) || (jumps && in->jump <= i)) {
                return true;
            }
        }
    }
    return false;
}

bool emit_has_loops(const program *p) {
    return has_loops(p, true);
}

bool emit_has_other_loops(const program *p) {
    return has_loops(p, false);
}

/* In C a message needs a process that exists, so main creates them all before any of them
 * continues.
 */
static bool all_start(const program *p) {
    for (uint32_t t = 0; t < p->threads.count; t++) {
        if (!p->threads.items[t].starts) {
            return false;
        }
    }
    return true;
}

/* What fills a range is copied from a table. */
static bool fill_is_possible(const program *p, const instruction *in) {
    if (in->kind != INSTRUCTION_FILL) {
        return true;
    }
    const expression *value = &p->expressions.items[in->a];
    return value->kind == EXPRESSION_CONSTANT && value->value >= 0 && value->value < 3 &&
           in->length <= 256;
}

/* Only what needs no initialisation of its own, which would be a step more: semaphores of value 0
 * begin with what the runtime writes there, and where only final states are compared, main
 * initialises them. A once would need its code in a function, and whether
 * the result of a barrier is looked at, which makes it a choice, is up to the compiler. */
static bool is_ready(const program *p, const cell *c) {
    return c->kind != CELL_ONCE && c->kind != CELL_BARRIER &&
           (c->kind != CELL_SEMAPHORE || c->initial == 0 || emit_has_loops(p));
}

/* Of two waits for one condition, both have the same mutex: otherwise it is misuse in C alone. */
static bool has_one_mutex(const program *p, const instruction *wait) {
    for (uint32_t t = 0; t < p->threads.count; t++) {
        const model_thread *thread = &p->threads.items[t];
        for (uint32_t i = 0; i < thread->code.count; i++) {
            const instruction *in = &thread->code.items[i];
            bool waits = in->kind == INSTRUCTION_WAIT || in->kind == INSTRUCTION_TIMED_WAIT;
            bool other =
                in->cell.count == 1 && wait->cell.count == 1 && in->cell.first != wait->cell.first;
            if (waits && !other && (in->mutex.count != 1 || in->mutex.first != wait->mutex.first)) {
                return false;
            }
        }
    }
    return true;
}

bool emit_possible(const program *p) {
    if (emit_has_messages(p) && !all_start(p)) {
        return false;
    }
    for (uint32_t i = 0; i < p->cells.count; i++) {
        if (!is_ready(p, &p->cells.items[i])) {
            return false;
        }
    }
    for (uint32_t t = 0; t < p->threads.count; t++) {
        const model_thread *thread = &p->threads.items[t];
        for (uint32_t i = 0; i < thread->code.count; i++) {
            const instruction *in = &thread->code.items[i];
            bool threads = in->kind == INSTRUCTION_SPAWN || in->kind == INSTRUCTION_JOIN;
            bool range = in->kind == INSTRUCTION_FILL || in->kind == INSTRUCTION_COPY;
            bool waits = in->kind == INSTRUCTION_WAIT || in->kind == INSTRUCTION_TIMED_WAIT;
            if (!fill_is_possible(p, in) || (waits && !has_one_mutex(p, in)) ||
                (range && !program_is_plain(p, in)) ||
                /* memcpy is not atomic */ (threads && in->cell.count != 1) ||
                (in->kind == INSTRUCTION_JOIN && !spawned_before(thread, i, in))) {
                return false;
            }
        }
    }
    return true;
}

void emit_prologue(FILE *out) {
    fputs(
        "#include <errno.h>\n#include <heddle.h>\n#include <heddle/actor.h>\n"
        "#include <pthread.h>\n#include <semaphore.h>\n"
        "#include <stdatomic.h>\n#include <stdint.h>\n#include <stdlib.h>\n"
        "#include <string.h>\n#include <unistd.h>\n#include <sched.h>\n"
        "#ifdef __x86_64__\n#define pause_a_little() __builtin_ia32_pause()\n"
        "#else\n#define pause_a_little() sched_yield()\n#endif\n"
        "static const long filled[3][256] = {[1] = {[0 ... 255] = 1}, [2] = {[0 ... 255] = 2}};\n"
        "static _Thread_local pthread_t ids[64];\n" /* who joins a thread has started it */
        "static pthread_t get_id(int i) { return ids[i]; }\n"
        "static void start(void *(*f)(void *), long i) {\n"
        "    pthread_t id;\n    pthread_create(&id, NULL, f, (void *)i);\n    ids[i] = id;\n}\n"
        /* They are numbered as main starts them, so that nobody has to write it down. */
        "static pthread_mutex_t gates[64];\n"
        "static actor get_actor(int i) { return (actor)i + 2; }\n"
        "static void start_actor(void (*f)(void *), long i) {\n"
        "    if (actor_spawn(f, (void *)i) != get_actor((int)i)) { abort(); }\n}\n"
        "static struct timespec late = {2000000000, 0};\n"
        "static sem_t never = {.__align = 0x73656d61};\n"
        "#define rdlock(l) if (pthread_rwlock_rdlock(l)) sem_wait(&never)\n"
        "#define wrlock(l) if (pthread_rwlock_wrlock(l)) sem_wait(&never)\n"
        "typedef union { unsigned words[2]; pthread_barrier_t barrier; } barrier;\n"
        "#define barrier_wait(b) pthread_barrier_wait(&(b)->barrier)\n"
        "static _Thread_local long local0, local1, local2, local3, local4, local5, local6, "
        "local7,\n"
        "    local8, local9, local10, local11, local12, local13, local14, local15;\n"
        /* Half of a granule, of which the runtime remembers the latest access. */
        "#define plain_load(place) (*(int *)(place))\n"
        "#define plain_store(place, value) (*(int *)(place) = (value))\n"
        "static int compare_and_swap(_Atomic long *x, long expected, long desired) {\n"
        "    return atomic_compare_exchange_strong(x, &expected, desired);\n}\n",
        out);
}

static const char *const words[] = {
    [EXPRESSION_ADD] = "+",
    [EXPRESSION_SUBTRACT] = "-",
    [EXPRESSION_MULTIPLY] = "*",
    [EXPRESSION_DIVIDE] = "/",
    [EXPRESSION_REMAINDER] = "%",
    [EXPRESSION_EQUAL] = "==",
    [EXPRESSION_NOT_EQUAL] = "!=",
    [EXPRESSION_LESS] = "<",
    [EXPRESSION_LESS_EQUAL] = "<=",
    [EXPRESSION_GREATER] = ">",
    [EXPRESSION_GREATER_EQUAL] = ">=",
    [EXPRESSION_AND] = "&&",
    [EXPRESSION_OR] = "||",
};

static void emit_expression(const program *p, uint32_t e, FILE *out) {
    const expression *x = &p->expressions.items[e];
    switch (x->kind) {
        case EXPRESSION_CONSTANT: fprintf(out, "%" PRId64 "L", x->value); break;
        case EXPRESSION_REGISTER: fprintf(out, "r%" PRId64, x->value); break;
        case EXPRESSION_NOT:
        case EXPRESSION_NEGATE:
            fputs(x->kind == EXPRESSION_NOT ? "(long)!(" : "-(", out);
            emit_expression(p, x->left, out);
            fputs(")", out);
            break;
        default:
            fputs("(", out);
            emit_expression(p, x->left, out);
            fprintf(out, " %s ", words[x->kind]);
            emit_expression(p, x->right, out);
            fputs(")", out);
    }
}

static void emit_place(const program *p, unsigned n, const place *where, FILE *out) {
    static const char names[] = {'v', 'm', 'c', 's', 'w', 'b', 'o'};
    fprintf(out, "%c%u[%u", names[p->cells.items[where->first].kind], n, where->first);
    if (where->count > 1) {
        fputs(" + ", out);
        emit_expression(p, where->index, out);
    }
    fputs("]", out);
}

static void emit_call(const program *p, unsigned n, const instruction *in, const char *function,
                      FILE *out) {
    fprintf(out, "%s(&", function);
    emit_place(p, n, &in->cell, out);
}

static void emit_result(const instruction *in, FILE *out) {
    if (in->result != REGISTER_NONE) {
        fprintf(out, "r%u = ", in->result);
    }
}

static void emit_send(const program *p, const instruction *in, FILE *out) {
    fputs("{ long w = ", out);
    if (in->b == EXPRESSION_NONE) {
        fputs("0", out);
    } else {
        emit_expression(p, in->b, out);
    }
    fprintf(out, "; actor_send_value(get_actor(%u", in->cell.first);
    if (in->cell.count > 1) {
        fputs(" + ", out);
        emit_expression(p, in->cell.index, out);
    }
    fputs("), ", out);
    emit_expression(p, in->a, out);
    fputs(", w); }", out);
}

static void emit_register(uint32_t number, const char *value, FILE *out) {
    if (number != REGISTER_NONE) {
        fprintf(out, "r%u = %s; ", number, value);
    }
}

static void emit_receive(const program *p, const instruction *in, FILE *out) {
    fputs("{ actor_message m; long w; if (actor_receive(&m, &w, sizeof w, ACTOR_MATCH(", out);
    if (in->pattern.count) {
        fputs("ACTOR_TAGS(", out);
        for (uint32_t i = 0; i < in->pattern.count; i++) {
            fputs(i ? ", " : "", out);
            emit_expression(p, p->tags.items[in->pattern.first + i], out);
        }
        fputs("), ", out);
    }
    fprintf(out, ".timeout_ms = %s))) { ",
            in->kind == INSTRUCTION_POLL ? "ACTOR_NOT_AT_ALL" : "ACTOR_FOREVER");
    emit_register(in->value, "w", out);
    emit_register(in->sender, "(long)m.sender - 2", out);
    emit_register(in->result, "m.tag", out);
    if (in->kind == INSTRUCTION_POLL && in->result != REGISTER_NONE) {
        fprintf(out, "} else { r%u = ", in->result);
        emit_expression(p, in->a, out);
        fputs("; ", out);
    }
    fputs("} }", out);
}

static void emit_plain_call(const program *p, unsigned n, const instruction *in,
                            const char *function, FILE *out) {
    emit_call(p, n, in, function, out);
    fputs(")", out);
}

/* Waiting in the ways that programs have: nothing, a hint to the processor, a yield, a sleep. */
static void emit_await(const program *p, unsigned n, const instruction *in, FILE *out) {
    static const char *const pauses[] = {"", "pause_a_little()", "sched_yield()", "usleep(1)"};
    fputs("while (!(", out);
    emit_call(p, n, in, program_is_plain(p, in) ? "plain_load" : "atomic_load", out);
    fprintf(out, ") %s ", words[in->compare]);
    emit_expression(p, in->a, out);
    fprintf(out, ")) { %s; }", pauses[(n + in->cell.first + in->line) % 4]);
}

static void emit_instruction(const program *p, unsigned n, const instruction *in, FILE *out) {
    switch (in->kind) {
        case INSTRUCTION_READ:
            emit_result(in, out);
            emit_call(p, n, in, program_is_plain(p, in) ? "plain_load" : "atomic_load", out);
            fputs(")", out);
            break;
        case INSTRUCTION_WRITE:
        case INSTRUCTION_ADD:
        case INSTRUCTION_EXCHANGE:
            if (in->kind != INSTRUCTION_WRITE) {
                emit_result(in, out);
            }
            emit_call(p, n, in,
                      program_is_plain(p, in)         ? "plain_store"
                      : in->kind == INSTRUCTION_WRITE ? "atomic_store"
                      : in->kind == INSTRUCTION_ADD   ? "atomic_fetch_add"
                                                      : "atomic_exchange",
                      out);
            fputs(", ", out);
            emit_expression(p, in->a, out);
            fputs(")", out);
            break;
        case INSTRUCTION_CAS:
            emit_result(in, out);
            emit_call(p, n, in, "compare_and_swap", out);
            fputs(", ", out);
            emit_expression(p, in->a, out);
            fputs(", ", out);
            emit_expression(p, in->b, out);
            fputs(")", out);
            break;
        case INSTRUCTION_FILL:
            emit_call(p, n, in, "memcpy", out);
            fprintf(out, ", filled[%" PRId64 "], %u * sizeof(long))",
                    p->expressions.items[in->a].value, in->length);
            break;
        case INSTRUCTION_COPY:
            emit_call(p, n, in, "memmove", out);
            fprintf(out, ", &v%u[%u], %u * sizeof(long))", n, in->source, in->length);
            break;
        case INSTRUCTION_LOCK:
        case INSTRUCTION_UNLOCK:
            emit_call(p, n, in,
                      in->kind == INSTRUCTION_LOCK ? "pthread_mutex_lock" : "pthread_mutex_unlock",
                      out);
            fputs(")", out);
            break;
        case INSTRUCTION_INIT:
        case INSTRUCTION_DESTROY:
            emit_call(
                p, n, in,
                p->cells.items[in->cell.first].kind == CELL_MUTEX
                    ? in->kind == INSTRUCTION_INIT ? "pthread_mutex_init" : "pthread_mutex_destroy"
                : in->kind == INSTRUCTION_INIT ? "pthread_cond_init"
                                               : "pthread_cond_destroy",
                out);
            fputs(in->kind == INSTRUCTION_INIT ? ", NULL)" : ")", out);
            break;
        case INSTRUCTION_TRYLOCK:
            emit_result(in, out);
            emit_call(p, n, in, "pthread_mutex_trylock", out);
            fputs(") == 0", out);
            break;
        case INSTRUCTION_WAIT:
        case INSTRUCTION_TIMED_WAIT:
            emit_result(in, out);
            emit_call(p, n, in,
                      in->kind == INSTRUCTION_WAIT ? "pthread_cond_wait" : "pthread_cond_timedwait",
                      out);
            fputs(", &", out);
            emit_place(p, n, &in->mutex, out);
            fputs(in->kind == INSTRUCTION_WAIT ? ")" : ", &late) == ETIMEDOUT", out);
            break;
        case INSTRUCTION_SIGNAL:
        case INSTRUCTION_BROADCAST:
            emit_call(
                p, n, in,
                in->kind == INSTRUCTION_SIGNAL ? "pthread_cond_signal" : "pthread_cond_broadcast",
                out);
            fputs(")", out);
            break;
        case INSTRUCTION_FENCE:
            fprintf(out, "atomic_thread_fence(memory_order_%s)", access_order_word(in->order));
            break;
        case INSTRUCTION_SEMAPHORE_WAIT: emit_plain_call(p, n, in, "sem_wait", out); break;
        case INSTRUCTION_POST: emit_plain_call(p, n, in, "sem_post", out); break;
        case INSTRUCTION_READ_LOCK: emit_plain_call(p, n, in, "rdlock", out); break;
        case INSTRUCTION_WRITE_LOCK: emit_plain_call(p, n, in, "wrlock", out); break;
        case INSTRUCTION_RELEASE: emit_plain_call(p, n, in, "pthread_rwlock_unlock", out); break;
        case INSTRUCTION_BARRIER: emit_plain_call(p, n, in, "barrier_wait", out); break;
        case INSTRUCTION_SEMAPHORE_TRY:
        case INSTRUCTION_TRY_READ_LOCK:
        case INSTRUCTION_TRY_WRITE_LOCK:
            emit_result(in, out);
            emit_call(p, n, in,
                      in->kind == INSTRUCTION_SEMAPHORE_TRY   ? "sem_trywait"
                      : in->kind == INSTRUCTION_TRY_READ_LOCK ? "pthread_rwlock_tryrdlock"
                                                              : "pthread_rwlock_trywrlock",
                      out);
            fputs(") == 0", out);
            break;
        case INSTRUCTION_ONCE:
        case INSTRUCTION_ONCE_END: break;
        case INSTRUCTION_CHOOSE:
            emit_result(in, out);
            fputs("heddle_choose(", out);
            emit_expression(p, in->a, out);
            fputs(")", out);
            break;
        case INSTRUCTION_SPAWN:
            fprintf(out, "start(thread%u_%u, %u)", n, in->cell.first, in->cell.first);
            break;
        case INSTRUCTION_JOIN:
            fprintf(out, "pthread_join(get_id(%u), NULL)", in->cell.first);
            break;
        case INSTRUCTION_SEND: emit_send(p, in, out); break;
        case INSTRUCTION_RECEIVE:
        case INSTRUCTION_POLL: emit_receive(p, in, out); break;
        case INSTRUCTION_ATOMIC_BEGIN: fputs("heddle_atomic_begin()", out); break;
        case INSTRUCTION_ATOMIC_END: fputs("heddle_atomic_end()", out); break;
        case INSTRUCTION_SET:
            emit_result(in, out);
            emit_expression(p, in->a, out);
            break;
        case INSTRUCTION_JUMP: fprintf(out, "goto l%u", in->jump); break;
        case INSTRUCTION_BRANCH:
            fputs("if (!", out);
            emit_expression(p, in->a, out);
            fprintf(out, ") goto l%u", in->jump);
            break;
        case INSTRUCTION_ASSUME:
        case INSTRUCTION_ASSERT:
            fputs(in->kind == INSTRUCTION_ASSUME ? "heddle_assume((" : "heddle_assert((", out);
            emit_expression(p, in->a, out);
            fputs(") != 0)", out);
            break;
        case INSTRUCTION_AWAIT: emit_await(p, n, in, out); break;
        case INSTRUCTION_END: break;
    }
    fputs(";\n", out);
}

/* Every other program keeps its registers in thread-local variables: they start out as 0 in every
 * execution, also in threads that take no step, and are left as something else. */
enum { THREAD_LOCALS = 16 };

static bool uses_thread_locals(const program *p, unsigned n) {
    return n % 2 && register_count(p) <= THREAD_LOCALS && !emit_has_loops(p);
}

static void emit_registers(const program *p, unsigned n, FILE *out) {
    for (uint32_t r = 0; r < register_count(p); r++) {
        if (uses_thread_locals(p, n)) {
            fprintf(out, "    heddle_assert(r%u == 0);\n", r);
        } else {
            fprintf(out, "    long r%u = 0;\n    (void)r%u;\n", r, r);
        }
    }
}

static void emit_locals(const program *p, unsigned n, uint32_t t, const instruction *end,
                        FILE *out) {
    fputs("{ long sum = 0; ", out);
    for (uint32_t r = 0; r < end->named; r++) {
        fprintf(out, "sum = sum * 31 + r%u; ", r);
    }
    fprintf(out, "atomic_store(&v%u[%u], sum * 31 + 1); }\n    ", n, p->cells.count + t);
}

static void emit_end(const program *p, unsigned n, bool messages, FILE *out) {
    for (uint32_t r = 0; r < register_count(p) && uses_thread_locals(p, n); r++) {
        fprintf(out, "r%u = 7; ", r);
    }
    fputs(messages ? "return;\n" : "return NULL;\n", out);
}

static void emit_thread(const program *p, unsigned n, uint32_t t, FILE *out) {
    const model_thread *thread = &p->threads.items[t];
    bool messages = emit_has_messages(p);
    fprintf(out, "static void %sthread%u_%u(void *unused) {\n    (void)unused;\n",
            messages ? "" : "*", n, t);
    if (messages) {
        fprintf(out, "    pthread_mutex_lock(&gates[%u]);\n", t);
    }
    emit_registers(p, n, out);
    for (uint32_t i = 0; i < thread->code.count; i++) {
        fprintf(out, "l%u: __attribute__((unused));\n    ", i);
        if (thread->code.items[i].kind == INSTRUCTION_END) {
            if (emit_has_loops(p)) {
                emit_locals(p, n, t, &thread->code.items[i], out);
            }
            emit_end(p, n, messages, out);
        } else {
            emit_instruction(p, n, &thread->code.items[i], out);
        }
    }
    fputs("}\n", out);
}

void emit_program(const program *p, unsigned n, FILE *out) {
    fprintf(out, "static _Atomic long v%u[%u] = {0", n, p->cells.count + p->threads.count + 1);
    for (uint32_t i = 0; i < p->cells.count; i++) {
        bool variable = p->cells.items[i].kind == CELL_VARIABLE;
        fprintf(out, ", [%u] = %" PRId64, i, variable ? p->cells.items[i].initial : 0);
    }
    fprintf(out, "};\nstatic pthread_mutex_t m%u[%u];\nstatic pthread_cond_t c%u[%u];\n", n,
            p->cells.count + 1, n, p->cells.count + 1);
    fprintf(out,
            "static pthread_rwlock_t w%u[%u];\nstatic sem_t s%u[] = {[0 ... %u] = {.__align = "
            "0x73656d61}};\nstatic barrier b%u[] = {[%u] = {{0}}",
            n, p->cells.count + 1, n, p->cells.count, n, p->cells.count);
    for (uint32_t i = 0; i < p->cells.count; i++) {
        if (p->cells.items[i].kind == CELL_BARRIER) {
            fprintf(out, ", [%u] = {{0x62617272, %" PRId64 "}}", i, p->cells.items[i].initial);
        }
    }
    fputs("};\n", out);
    bool messages = emit_has_messages(p);
    for (uint32_t t = 0; t < p->threads.count; t++) {
        fprintf(out, "static void %sthread%u_%u(void *unused);\n", messages ? "" : "*", n, t);
    }
    for (uint32_t r = 0; r < THREAD_LOCALS && uses_thread_locals(p, n); r++) {
        fprintf(out, "#define r%u local%u\n", r, r);
    }
    for (uint32_t t = 0; t < p->threads.count; t++) {
        emit_thread(p, n, t, out);
    }
    for (uint32_t r = 0; r < THREAD_LOCALS && uses_thread_locals(p, n); r++) {
        fprintf(out, "#undef r%u\n", r);
    }
    fprintf(out,
            "static void program%u(void) {\n    (void)m%u;\n    (void)c%u;\n    (void)v%u;\n"
            "    (void)w%u;\n    (void)s%u;\n    (void)b%u;\n",
            n, n, n, n, n, n, n);
    if (emit_has_loops(p)) { /* what shows where the variables are; and semaphores begin */
        fprintf(out, "    atomic_store(&v%u[%u], 1);\n    sem_init(&never, 0, 0);\n", n,
                p->cells.count + p->threads.count);
    }
    for (uint32_t i = 0; i < p->cells.count; i++) {
        if (p->cells.items[i].kind == CELL_SEMAPHORE && emit_has_loops(p)) {
            fprintf(out, "    sem_init(&s%u[%u], 0, %" PRId64 ");\n", n, i,
                    p->cells.items[i].initial);
        }
    }
    for (uint32_t t = 0; t < p->threads.count && messages; t++) {
        fprintf(out, "    pthread_mutex_lock(&gates[%u]);\n", t);
    }
    for (uint32_t t = 0; t < p->threads.count; t++) {
        if (messages) {
            fprintf(out, "    start_actor(thread%u_%u, %u);\n", n, t, t);
        } else if (p->threads.items[t].starts) {
            fprintf(out, "    start(thread%u_%u, %u);\n", n, t, t);
        }
    }
    for (uint32_t t = 0; t < p->threads.count && messages; t++) {
        fprintf(out, "    pthread_mutex_unlock(&gates[%u]);\n", t);
    }
    fputs("}\n", out);
}

void emit_main(unsigned count, FILE *out) {
    fputs("int main(int argc, char **argv) {\n    (void)argc;\n    switch (atoi(argv[1])) {\n",
          out);
    for (unsigned i = 0; i < count; i++) {
        fprintf(out, "        case %u: program%u(); break;\n", i, i);
    }
    fputs("    }\n    pthread_exit(NULL);\n}\n", out);
}
