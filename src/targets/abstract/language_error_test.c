/* Programs that are wrong: the messages, and where they point; and random ones. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "targets/abstract/disassembly_test.h"
#include "targets/abstract/language.h"

static void expect_error(const char *text, uint32_t line, uint32_t column, const char *message) {
    program p;
    parse_error error;
    bool parsed = language_parse(&p, "test.heddle", text, NULL, 0, &error);
    expect_refused(parsed, &p, &error, line, column, message);
}

/* The body of a thread, in its own line, after declarations as in expect_body; two threads q are
 * spawned ones. */
static void expect_body_error(const char *body, uint32_t column, const char *message) {
    char text[4096];
    snprintf(text, sizeof text,
             "param N = 3; shared x, y, a[4]; mutex m, ms[2]; condition c;\n"
             "spawned thread q(j in 1..2) { } thread other { } thread t {\n%s\n}",
             body);
    expect_error(text, 3, column, message);
}

/* --- errors ---------------------------------------------------------------------------------- */

static void lexical_errors(void **state) {
    (void)state;
    expect_error("thread t {\n x = 1 # 2; }", 2, 8, "expected a word or a sign, found '#'");
    expect_error("shared x;\n  /* no end\n\n", 2, 3, "expected '*/' at the end of this comment");
    expect_error("param N = 99999999999999999999;", 1, 11, "expected a number of 64 bits");
    expect_error("param N = 3x;", 1, 12, "expected a number or a name, found a mixture of the two");
    expect_error("\xc3\xa9", 1, 1, "expected a word or a sign, found byte 0xc3");
}

static void declaration_errors(void **state) {
    (void)state;
    expect_error("", 1, 1, "expected a thread, found the end of the file");
    expect_error(
        "x = 1;", 1, 1,
        "expected a declaration (param, shared, plain, mutex, condition, semaphore, rwlock, "
        "barrier, once, thread or spawned thread), found 'x'");
    expect_error("semaphore s = -1; thread t { }", 1, 15,
                 "expected a number from 0 to 10000, found -1");
    expect_error("rwlock r = 1; thread t { }", 1, 10,
                 "expected no initial value of a read-write lock");
    expect_error("semaphore s; thread t { release(s); }", 1, 33,
                 "expected a read-write lock, 's' is a semaphore");
    expect_error("semaphore s; thread t { local v = sem_post(s); }", 1, 35,
                 "expected a value, 'sem_post' has no value");
    expect_error("once o; thread t { while (1) { once (o) { break; } } }", 1, 43,
                 "expected 'break' inside a loop");
    expect_error("shared x\nthread t { }", 2, 1, "expected ';', found 'thread'");
    expect_error("shared x;\nmutex x;", 2, 7,
                 "expected a new name, 'x' is a shared variable declared in line 1");
    expect_error("shared x, a[x];", 1, 13, "expected a constant, 'x' is a shared variable");
    expect_error("shared a[0];", 1, 9,
                 "expected at least 1 element and at most 100000 cells in all, found 0 elements");
    expect_error("shared a[60000], b[60000];", 1, 19,
                 "expected at least 1 element and at most 100000 cells in all, found 60000 "
                 "elements");
    expect_error("shared a[2] = {1, 2, 3};", 1, 22, "expected at most 2 initial values");
    expect_error("shared a = {1};", 1, 12, "expected an expression, found '{'");
    expect_error("shared if;", 1, 8, "expected a name, found 'if'");
    expect_error("param N = 1 / 0;", 1, 13, "expected a divisor other than 0");
    expect_error("param N = choose(2);", 1, 11, "expected a constant, found 'choose'");
    expect_error("thread t(j in 1..20000) { }", 1, 10, "expected at most 10000 threads");
    expect_error("thread t(j in 0..9999) { } thread u { }", 1, 35,
                 "expected at most 10000 threads");
    expect_error("thread t(j 1..2) { }", 1, 12, "expected 'in', found '1'");
    expect_error("shared j;\nthread t(j in 1..2) { }", 2, 10,
                 "expected a new name, 'j' is a shared variable declared in line 1");
    expect_error("thread t {", 1, 11, "expected '}', found the end of the file");
    expect_error("spawned t { }", 1, 9, "expected 'thread', found 't'");
}

static void name_errors(void **state) {
    (void)state;
    expect_body_error("x = z;", 5, "expected a value, 'z' has not been declared");
    expect_body_error("z = 1;", 1, "expected a variable to assign to, 'z' has not been declared");
    expect_body_error("N = 1;", 1, "expected a variable to assign to, 'N' is a parameter");
    expect_body_error("m = 1;", 1, "expected a variable to assign to, 'm' is a mutex");
    expect_body_error("x = m;", 5, "expected a value, 'm' is a mutex");
    expect_body_error("x = t;", 5, "expected a value, 't' is a thread");
    expect_body_error("lock(x);", 6, "expected a mutex, 'x' is a shared variable");
    expect_body_error("wait(m, m);", 6, "expected a condition, 'm' is a mutex");
    expect_body_error("local r; cas(r, 0, 1);", 14,
                      "expected a shared variable, 'r' is a local variable");
    expect_body_error("local x;", 7,
                      "expected a new name, 'x' is a shared variable declared in line 1");
    expect_body_error("local r = r;", 11, "expected a value, 'r' has not been declared");
    expect_body_error("{ local r; } r = 1;", 14,
                      "expected a variable to assign to, 'r' has not been declared");
    expect_body_error("spawn x;", 7, "expected a thread, 'x' is a shared variable");
    expect_body_error("spawn other;", 7, "expected a spawned thread, 'other' starts by itself");
}

static void index_errors(void **state) {
    (void)state;
    expect_body_error("x[1] = 1;", 2, "expected no '[', 'x' is not an array");
    expect_body_error("x = N[1];", 6, "expected no '[', 'N' is not an array");
    expect_body_error("a = 1;", 3, "expected '[', 'a' is an array");
    expect_body_error("a[4] = 1;", 3, "expected an index of 'a' in 0..3, found 4");
    expect_body_error("x = a[N - 4];", 7, "expected an index of 'a' in 0..3, found -1");
    expect_body_error("lock(ms[2]);", 9, "expected an index of 'ms' in 0..1, found 2");
    expect_body_error("spawn q(3);", 9, "expected an index of 'q' in 1..2, found 3");
    expect_body_error("join q;", 7, "expected '(', 'q' is a replicated thread");
    expect_body_error("join other(1);", 11, "expected no '(', there is only one thread 'other'");
    expect_body_error("local b[3];", 8, "expected no '[', there are no local arrays");
    expect_error("thread t { join q(1); } spawned thread q(j in 1..0) { }", 1, 19,
                 "expected no index, 'q' is empty, found 1");
}

static void statement_errors(void **state) {
    (void)state;
    expect_error("shared x; thread t {\n  x = 1\n}", 3, 1, "expected ';', found '}'");
    expect_body_error("x 1;", 3,
                      "expected an assignment ('=', '+=', '-=', '++' or '--'), found '1'");
    expect_body_error("x = ;", 5, "expected an expression, found ';'");
    expect_body_error("x = (1;", 7, "expected ')', found ';'");
    expect_body_error("1 = x;", 1, "expected a statement, found '1'");
    expect_body_error("else x = 1;", 1, "expected a statement, found 'else'");
    expect_body_error("break;", 1, "expected 'break' inside a loop");
    expect_body_error("x = choose(y);", 12, "expected a constant for the number of alternatives");
    expect_body_error("x = choose(0);", 12, "expected between 1 and 65536 alternatives, found 0");
    expect_body_error("await(x + 1 == 2);", 9, "expected a comparison or ')', found '+'");
    expect_body_error("await(1 == x);", 7, "expected a name, found '1'");
    expect_body_error("x = 1 % (N - 3);", 7, "expected a divisor other than 0");
    expect_body_error("x = y / 0;", 7, "expected a divisor other than 0");
    expect_body_error("for (x = 1; x < 2) skip;", 18, "expected ';', found ')'");
}

static void atomic_errors(void **state) {
    (void)state;
    expect_body_error("atomic { atomic { } }", 10, "expected no 'atomic' inside an atomic section");
    expect_body_error("atomic { lock(m); }", 10, "expected no 'lock' in an atomic section");
    expect_body_error("atomic { x = trylock(m); }", 14,
                      "expected no 'trylock' in an atomic section");
    expect_body_error("atomic { await(x == 1); }", 10, "expected no 'await' in an atomic section");
    expect_body_error("atomic { spawn q(1); }", 10, "expected no 'spawn' in an atomic section");
    expect_body_error("while (x) atomic { break; }", 20,
                      "expected 'break' inside a loop of the atomic section");
    expect_body_error("atomic x = 1;", 8, "expected '{', found 'x'");
}

/* Repeats a piece between a beginning and an end. */
static char *repeat(const char *start, const char *piece, uint32_t times, const char *end) {
    char *text = malloc(strlen(start) + times * strlen(piece) + strlen(end) + 1);
    char *at = stpcpy(text, start);
    for (uint32_t i = 0; i < times; i++) {
        at = stpcpy(at, piece);
    }
    strcpy(at, end);
    return text;
}

static void expect_message(char *text, const char *message) {
    program p;
    parse_error error;
    assert_false(language_parse(&p, "f", text, NULL, 0, &error));
    assert_string_equal(error.message, message);
    assert_int_equal(memory_in_use(), 0);
    free(text);
}

static void limits(void **state) {
    (void)state;
    expect_message(repeat("param N = ", "(", 100000, ""), "expected at most 200 levels of nesting");
    expect_message(repeat("param N = ", "!", 100000, "1;"),
                   "expected at most 200 levels of nesting");
    expect_message(repeat("thread t { ", "{", 100000, ""),
                   "expected '}', found the end of the file");
    char *blocks = repeat("thread t { ", "{", 100000, "");
    expect_message(repeat(blocks, "}", 100001, ""), "expected at most 200 levels of nesting");
    free(blocks);
    expect_message(repeat("shared x; thread t { local i; x = 1", " + i", 100000, "; }"),
                   "expected an expression of at most 1000 levels");
    expect_message(repeat("shared x; thread t { x = 0", " + (x + x)", 600, "; }"),
                   "expected at most 1000 local values at once");
    expect_message(repeat("shared x; thread t(j in 1..10000) { ", "x = 1; ", 101, "}"),
                   "expected at most 1000000 instructions in all");
    expect_message(repeat("shared ", "n", 65, ";"), "expected a name of at most 64 characters");
}

/* --- fuzzing --------------------------------------------------------------------------------- */

static const char *const seeds[] = {
    "param N = 2; shared x = 1, a[N + 1] = {1, 2}; mutex m, ms[2]; condition c;\n"
    "thread t(j in 1..N) { local i = N, k; while (a[i] && i > 0) { i--; if (x) continue; break; }\n"
    "  a[j] = a[j - 1] + 1; lock(ms[j - 1]); unlock(ms[j - 1]); k = trylock(m); }",
    "shared x, y; mutex m; condition c; spawned thread q(i in 1..3) { x += i; if (i < 3)\n"
    "spawn q(i + 1); else join q(1); } thread p { atomic { local z = x; x = z - y; } wait(c, m);\n"
    "local r = timed_wait(c, m); r = choose(3); assert(r < 3 || cas(x, 0, r)); await(x == r);\n"
    "for (local n = 0; n < 4; n++) { fetch_add(x, 1); exchange(y, x); } signal(c); }",
};

/* Words that a mutation may put in. */
static const char *const pieces[] = {
    "{",  "}",   "(",    ")",     "[",      "]",     ";",       ",",  "0",  "1",       "99999",
    "x",  "a",   "m",    "c",     "q",      "j",     "N",       "=",  "==", "&&",      "||",
    "-",  "!",   "/",    "..",    "if",     "while", "atomic",  "++", "/*", "spawned", "thread",
    "in", "for", "else", "local", "choose", "await", "param",   "//", "\n", "break",   "continue",
    "%",  "+",   "cas",  "skip",  "join",   "spawn", "trylock", "#",
};

static void mutate(random_source *source, char *text, size_t size) {
    size_t length = strlen(text);
    size_t at = random_below(source, (uint32_t)length + 1);
    const char *piece = pieces[random_below(source, sizeof pieces / sizeof *pieces)];
    size_t dropped = random_below(source, 3) ? random_below(source, 8) : 0;
    size_t added = random_below(source, 4) ? strlen(piece) : 0;
    dropped = dropped < length - at ? dropped : length - at;
    if (length - dropped + added + 1 > size) {
        return;
    }
    memmove(text + at + added, text + at + dropped, length - at - dropped + 1);
    memcpy(text + at, piece, added);
}

/* Mutated programs: no crash, and nothing is left behind. */
static void random_texts(void **state) {
    (void)state;
    random_source source = {.state = 7};
    for (int round = 0; round < 20000; round++) {
        char text[2048];
        snprintf(text, sizeof text, "%s", seeds[random_below(&source, 2)]);
        for (uint32_t i = random_below(&source, 6); i > 0; i--) {
            mutate(&source, text, sizeof text);
        }
        program p;
        parse_error error;
        if (language_parse(&p, "fuzz.heddle", text, NULL, 0, &error)) {
            free(disassemble(&p));
        } else {
            assert_true(error.line > 0 && error.column > 0 && error.message[0]);
        }
        program_free(&p);
        assert_int_equal(memory_in_use(), 0);
    }
}

static void message_mistakes(void **state) {
    (void)state;
    expect_body_error("send(x, 1);", 6, "expected a thread, 'x' is a shared variable");
    expect_body_error("send(other);", 11, "expected ',', found ')'");
    expect_body_error("send(q(3), 1);", 8, "expected an index of 'q' in 1..2, found 3");
    expect_body_error("x = send(other, 1);", 5, "expected a value, 'send' has no value");
    expect_body_error("receive(1) after 5;", 18, "expected '0', the only time-out, found '5'");
    expect_body_error("receive(1,);", 11, "expected an expression, found ')'");
    expect_body_error("atomic { receive(); }", 10, "expected no 'receive' in an atomic section");
    expect_body_error("receive(1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17);", 47,
                      "expected at most 16 tags");
    expect_error("shared x = receive(); thread t { }", 1, 12,
                 "expected a constant, found 'receive'");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lexical_errors),   cmocka_unit_test(declaration_errors),
        cmocka_unit_test(name_errors),      cmocka_unit_test(index_errors),
        cmocka_unit_test(statement_errors), cmocka_unit_test(atomic_errors),
        cmocka_unit_test(limits),           cmocka_unit_test(random_texts),
        cmocka_unit_test(message_mistakes),
    };
    return cmocka_run_group_tests_name("language errors", tests, NULL, NULL);
}
