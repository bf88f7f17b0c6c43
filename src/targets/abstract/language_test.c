#include "targets/abstract/language.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/random.h"
#include "targets/abstract/disassembly_test.h"

/* --- expectations ---------------------------------------------------------------------------- */

static void expect_code_with(const char *text, const definition *definitions, uint32_t count,
                             const char *expected) {
    program p;
    parse_error error;
    if (!language_parse(&p, "test.heddle", text, definitions, count, &error)) {
        fail_msg("%s: %u:%u: %s", text, error.line, error.column, error.message);
    }
    char *code = disassemble(&p);
    assert_string_equal(code, expected);
    free(code);
    program_free(&p);
    assert_int_equal(memory_in_use(), 0);
}

static void expect_code(const char *text, const char *expected) {
    expect_code_with(text, NULL, 0, expected);
}

/* The code of a thread t with this body; x, y, a[4], m, c are shared and N is 3. */
static void expect_body(const char *body, const char *expected) {
    char text[1024], code[1024];
    snprintf(text, sizeof text,
             "param N = 3; shared x, y, a[4]; mutex m; condition c; thread t { %s }", body);
    snprintf(code, sizeof code, "t: %s%send\n", expected, *expected ? "; " : "");
    expect_code(text, code);
}

static void expect_cells(const char *text, const char *expected) {
    program p;
    parse_error error;
    assert_true(language_parse(&p, "test.heddle", text, NULL, 0, &error));
    char *cells = list_cells(&p);
    assert_string_equal(cells, expected);
    free(cells);
    program_free(&p);
}

static void expect_error(const char *text, uint32_t line, uint32_t column, const char *message) {
    program p;
    parse_error error;
    assert_false(language_parse(&p, "test.heddle", text, NULL, 0, &error));
    assert_string_equal(error.message, message);
    assert_int_equal(error.line, line);
    assert_int_equal(error.column, column);
    assert_int_equal(memory_in_use(), 0);
    program_free(&p);
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

/* --- declarations ---------------------------------------------------------------------------- */

static void cells(void **state) {
    (void)state;
    expect_cells("shared x, y = 2, a[2 + 1] = 7; thread t { }", "x=0 y=2 a[0]=7 a[1]=7 a[2]=7");
    expect_cells("condition c; mutex m, l[2]; shared a[3] = {1, -2}; thread t { } shared z;",
                 "a[0]=1 a[1]=-2 a[2]=0 z=0 m l[0] l[1] c");
    expect_cells("/* a // b */ thread t { } // nothing", "");
}

static void parameters(void **state) {
    (void)state;
    const char *text = "param N = 2; param M = N + 1; shared x; thread t { x = N * 10 + M; }";
    definition definitions[3];
    assert_true(definition_parse(&definitions[0], "N=5"));
    assert_true(definition_parse(&definitions[1], "M=-7"));
    assert_true(definition_parse(&definitions[2], "N"));
    expect_code(text, "t: write x 23; end\n");
    expect_code_with(text, definitions, 1, "t: write x 56; end\n");
    expect_code_with(text, definitions, 2, "t: write x 43; end\n");
    expect_code_with(text, definitions, 3, "t: write x 3; end\n");
}

static void definitions_of_nothing(void **state) {
    (void)state;
    program p;
    parse_error error;
    definition d;
    assert_true(definition_parse(&d, "K=5"));
    assert_false(language_parse(&p, "f", "param N = 1, M = 2; thread t {}", &d, 1, &error));
    assert_string_equal(error.message, "expected the name of a parameter (N, M), found 'K'");
    assert_int_equal(error.line, 0);
    assert_false(language_parse(&p, "f", "shared K; thread t {}", &d, 1, &error));
    assert_string_equal(error.message,
                        "expected the name of a parameter (there are none), found 'K'");
    static const char *const wrong[] = {"",    "=1",  "N=",    "N=x",  "N=1x",
                                        "N=-", "3=1", "N N=1", "N= 1", "N=99999999999999999999"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_false(definition_parse(&d, wrong[i]));
    }
    assert_int_equal(memory_in_use(), 0);
}

static void replicated_threads(void **state) {
    (void)state;
    expect_code(
        "param N = 2; shared a[N + 1];\n"
        "thread t(j in 1..N) { a[j] = a[j - 1] + 1; }",
        "t(1): read a[0] -> r0; write a[1] (r0 + 1); end\n"
        "t(2): read a[1] -> r0; write a[2] (r0 + 1); end\n");
    expect_code("shared a[2]; thread t(j in 1..0) { a[j + 5] = 1; } thread u { }", "u: end\n");
    expect_code("thread t(j in -1..0) { }", "t(-1): end\nt(0): end\n");
}

static void spawned_threads(void **state) {
    (void)state;
    expect_code(
        "thread main { spawn q(2); local i = 1; join q(i + 1); spawn r; join r; }\n"
        "spawned thread q(j in 1..2) { if (j < 2) spawn q(j + 1); }\n"
        "spawned thread r { }",
        "main: spawn q(2); set 1 -> r0; join q(1)+((r0 + 1) - 1); spawn r; join r; end\n"
        "q(1)*: spawn q(2); end\n"
        "q(2)*: end\n"
        "r*: end\n");
    expect_code("thread t { local i; spawn q(i); } spawned thread q(j in 0..-1) { }",
                "t: set 0 -> r0; spawn nothing+r0; end\n");
}

/* --- statements ------------------------------------------------------------------------------ */

static void assignments(void **state) {
    (void)state;
    expect_body("x = 1;", "write x 1");
    expect_body("x = y;", "read y -> r0; write x r0");
    expect_body("local r = x; r = y; r = r;", "read x -> r0; read y -> r0; set r0 -> r0");
    expect_body("x = x + y * 2 - N;", "read x -> r0; read y -> r1; write x ((r0 + (r1 * 2)) - 3)");
    expect_body("a[x] = a[y];",
                "read x -> r0; read y -> r1; read a[0]+r1 -> r2; "
                "write a[0]+r0 r2");
    expect_body("x += y; a[2]--;",
                "read x -> r0; read y -> r1; write x (r0 + r1); "
                "read a[2] -> r0; write a[2] (r0 - 1)");
    expect_body("local r, s = 2; r++; r -= s;",
                "set 0 -> r0; set 2 -> r1; set (r0 + 1) -> r0; set (r0 - r1) -> r0");
}

static void single_element_arrays(void **state) {
    (void)state;
    expect_code("shared b[1]; thread t { local i; b[0] = 1; b[i] = 1; }",
                "t: set 0 -> r0; write b[0] 1; assert (r0 == 0); write b[0] 1; end\n");
}

static void calls(void **state) {
    (void)state;
    expect_body("local r = fetch_add(x, 1); fetch_add(a[r], -y);",
                "add x 1 -> r0; read y -> r1; add a[0]+r0 -r1");
    expect_body("local r = exchange(x, 5); r = cas(x, r, r + 1); cas(x, 0, y);",
                "exchange x 5 -> r0; cas x r0 (r0 + 1) -> r0; read y -> r1; cas x 0 r1");
    expect_body("local r = trylock(m); trylock(m); r = timed_wait(c, m); r = choose(N);",
                "trylock m -> r0; trylock m; timed_wait c m -> r0; choose 3 -> r0");
    expect_body("x = 1 + cas(y, 0, 1);", "cas y 0 1 -> r0; write x (1 + r0)");
}

static void operations(void **state) {
    (void)state;
    expect_body("lock(m); unlock(m); wait(c, m); signal(c); broadcast(c); skip; ;",
                "lock m; unlock m; wait c m; signal c; broadcast c");
    expect_body("assume(x == 1); assert(x < 3); assume(0);",
                "read x -> r0; assume (r0 == 1); read x -> r0; assert (r0 < 3); assume 0");
    expect_body("await(x == 1); await(x); await(a[y] < y + 1);",
                "await x == 1; await x != 0; read y -> r0; read y -> r1; "
                "await a[0]+r0 < (r1 + 1)");
}

static void branches(void **state) {
    (void)state;
    expect_body("if (x) y = 1;", "read x -> r0; branch r0 @3; write y 1");
    expect_body("if (x) y = 1; else { y = 2; }",
                "read x -> r0; branch r0 @4; write y 1; jump @5; write y 2");
    expect_body("if (cas(x, 0, 1)) y = 1;", "cas x 0 1 -> r0; branch r0 @3; write y 1");
    expect_body("if (N == 3) x = 1; else a[9] = 1;", "write x 1");
    expect_body("if (N == 4) a[9] = 1 / 0; else if (x) x = 1;",
                "read x -> r0; branch r0 @3; write x 1");
    expect_body("if (N == 4) a[9] = 1;", "");
}

static void loops(void **state) {
    (void)state;
    expect_body("local i = N; while (a[i]) i--;",
                "set 3 -> r0; read a[0]+r0 -> r1; branch r1 @5; set (r0 - 1) -> r0; jump @1");
    expect_body("for (local i = 0; i < N; i++) { if (x) continue; if (y) break; x = i; }",
                "set 0 -> r0; branch (r0 < 3) @11; read x -> r1; branch r1 @5; jump @9; "
                "read y -> r1; branch r1 @8; jump @11; write x r0; set (r0 + 1) -> r0; jump @1");
    expect_body("while (1) { if (N == 4) break; x = 1; }", "write x 1; jump @0");
    expect_body("while (N > 3) { x = 1; break; }", "");
    expect_body("for (; 0; a[9]++) { x = 1; continue; } for (;;) break;", "jump @2; jump @0");
}

static void short_circuits(void **state) {
    (void)state;
    expect_body("local i; i = i && i > 1 || !i;",
                "set 0 -> r0; set ((r0 && (r0 > 1)) || !r0) -> r0");
    expect_body("if (x && y) skip;",
                "read x -> r0; set (r0 != 0) -> r1; branch r1 @5; read y -> r2; "
                "set (r2 != 0) -> r1; branch r1 @6");
    expect_body("local i = 1; if (i == 0 || x == 1) skip;",
                "set 1 -> r0; set (r0 == 0) -> r1; branch !r1 @5; read x -> r2; "
                "set (r2 == 1) -> r1; branch r1 @6");
    expect_body("local i = 1; assert(i == 0 || 4 / i > 1);",
                "set 1 -> r0; set (r0 == 0) -> r1; branch !r1 @4; set ((4 / r0) > 1) -> r1; "
                "assert r1");
    expect_body("x = N > 3 && a[N + 1]; x = N > 2 || 1 / 0; x = N && y;",
                "write x 0; write x 1; read y -> r0; write x (r0 != 0)");
}

static void atomic_sections(void **state) {
    (void)state;
    expect_body("atomic { local r = x; while (r) { r--; break; } y = r; assert(r == 0); }",
                "{; read x -> r0; branch r0 @6; set (r0 - 1) -> r0; jump @6; jump @2; "
                "write y r0; assert (r0 == 0); }");
}

static void scopes_end(void **state) {
    (void)state;
    expect_body("{ local i = 1; } { local i = 2; } if (1) local i = 3; local i = 4;",
                "set 1 -> r0; set 2 -> r0; set 3 -> r0; set 4 -> r0");
}

static void precedence(void **state) {
    (void)state;
    expect_body("x = 1 + 2 * 3 - 8 / 2 % 3; y = -2 + - -3; x = !0 == 1 && 2 < 3 != 0;",
                "write x 6; write y 1; write x 1");
    expect_body("local r; r = r - 1 - 2; r = (r + 1) * 2; r = -r % 3; r = 1 < r == r;",
                "set 0 -> r0; set ((r0 - 1) - 2) -> r0; set ((r0 + 1) * 2) -> r0; "
                "set (-r0 % 3) -> r0; set ((1 < r0) == r0) -> r0");
}

static void positions(void **state) {
    (void)state;
    program p;
    parse_error error;
    assert_true(language_parse(&p, "f", "shared x;\nthread t {\n    assert(x < 3);\n  x = x;\n}",
                               NULL, 0, &error));
    static const uint32_t expected[][2] = {{3, 12}, {3, 5}, {4, 7}, {4, 3}, {5, 1}};
    assert_int_equal(vector_at(&p.threads, 0).code.count, 5);
    for (uint32_t i = 0; i < 5; i++) {
        assert_int_equal(vector_at(&vector_at(&p.threads, 0).code, i).line, expected[i][0]);
        assert_int_equal(vector_at(&vector_at(&p.threads, 0).code, i).column, expected[i][1]);
    }
    assert_string_equal(p.file, "f");
    program_free(&p);
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
                 "expected a value, 'sem_post' gives none");
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
    expect_body_error("x[1] = 1;", 2, "expected no '[', 'x' is no array");
    expect_body_error("x = N[1];", 6, "expected no '[', 'N' is no array");
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

/* --- messages -------------------------------------------------------------------------------- */

static void messages(void **state) {
    (void)state;
    expect_body("send(t, 5); send(t, x, N);", "send t 5 0; read x -> r0; send t r0 3");
    expect_body("receive(); receive(1, N) after 0;",
                "receive value r0 sender r1; poll -1 1|3 value r0 sender r1");
    expect_body("local i = receive(1); i = value() + sender();",
                "receive 1 -> r2 value r0 sender r1; set r0 -> r3; set r1 -> r4; "
                "set (r3 + r4) -> r2");
    expect_body("if (receive(x) == 1) skip;",
                "read x -> r2; receive r2 -> r3 value r0 sender r1; branch (r3 == 1) @3");
    expect_code("thread p(i in 1..2) { send(q(i), i); } thread q(i in 1..2) { receive(i); }",
                "p(1): send q(1) 1 0; end\n"
                "p(2): send q(2) 2 0; end\n"
                "q(1): receive 1 value r0 sender r1; end\n"
                "q(2): receive 2 value r0 sender r1; end\n");
    /* The words are names as well. */
    expect_code("shared send, receive; thread t { local value = send; receive = value; }",
                "t: read send -> r0; write receive r0; end\n");
}

static void message_mistakes(void **state) {
    (void)state;
    expect_body_error("send(x, 1);", 6, "expected a thread, 'x' is a shared variable");
    expect_body_error("send(other);", 11, "expected ',', found ')'");
    expect_body_error("send(q(3), 1);", 8, "expected an index of 'q' in 1..2, found 3");
    expect_body_error("x = send(other, 1);", 5, "expected a value, 'send' gives none");
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
        cmocka_unit_test(messages),
        cmocka_unit_test(message_mistakes),
        cmocka_unit_test(cells),
        cmocka_unit_test(parameters),
        cmocka_unit_test(definitions_of_nothing),
        cmocka_unit_test(replicated_threads),
        cmocka_unit_test(spawned_threads),
        cmocka_unit_test(assignments),
        cmocka_unit_test(single_element_arrays),
        cmocka_unit_test(calls),
        cmocka_unit_test(operations),
        cmocka_unit_test(branches),
        cmocka_unit_test(loops),
        cmocka_unit_test(short_circuits),
        cmocka_unit_test(atomic_sections),
        cmocka_unit_test(scopes_end),
        cmocka_unit_test(precedence),
        cmocka_unit_test(positions),
        cmocka_unit_test(lexical_errors),
        cmocka_unit_test(declaration_errors),
        cmocka_unit_test(name_errors),
        cmocka_unit_test(index_errors),
        cmocka_unit_test(statement_errors),
        cmocka_unit_test(atomic_errors),
        cmocka_unit_test(limits),
        cmocka_unit_test(random_texts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
