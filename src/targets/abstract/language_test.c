#include "targets/abstract/language.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "targets/abstract/disassembly_test.h"

/* --- expectations ---------------------------------------------------------------------------- */

static void expect_code_with(const char *text, const definition *definitions, uint32_t count,
                             const char *expected) {
    program p;
    parse_error error;
    bool parsed = language_parse(&p, "test.heddle", text, definitions, count, &error);
    expect_listed(parsed, &p, &error, disassemble, expected);
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
    bool parsed = language_parse(&p, "test.heddle", text, NULL, 0, &error);
    expect_listed(parsed, &p, &error, list_cells, expected);
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

int main(void) {
    const struct CMUnitTest tests[] = {
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
        cmocka_unit_test(messages),
    };
    return cmocka_run_group_tests_name("language", tests, NULL, NULL);
}
