#include "targets/abstract/oneline.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/random.h"
#include "targets/abstract/disassembly_test.h"

static void expect_code(const char *text, const char *expected) {
    program p;
    parse_error error;
    bool parsed = oneline_parse(&p, text, &error);
    expect_listed(parsed, &p, &error, disassemble, expected);
}

static void expect_cells(const char *text, const char *expected) {
    program p;
    parse_error error;
    bool parsed = oneline_parse(&p, text, &error);
    expect_listed(parsed, &p, &error, list_cells, expected);
}

static void expect_error(const char *text, uint32_t column, const char *message) {
    program p;
    parse_error error;
    bool parsed = oneline_parse(&p, text, &error);
    expect_refused(parsed, &p, &error, 1, column, message);
}

static void accesses(void **state) {
    (void)state;
    expect_code("wx1 / rx / rx",
                "p0: write x 1; end\n"
                "p1: read x -> r0; end\n"
                "p2: read x -> r0; end\n");
    expect_code("ww-12 ru/ax ay2 az-3",
                "p0: write w -12; read u -> r0; end\n"
                "p1: add x 1 -> r0; add y 2 -> r0; add z -3 -> r0; end\n");
    expect_code("cx1 ix-1", "p0: cas x 0 1 -> r0; await x == -1; end\n");
    expect_code("wx-9223372036854775808", "p0: write x -9223372036854775808; end\n");
}

static void prefixes(void **state) {
    (void)state;
    expect_code("cx1 ?wy1 !ry",
                "p0: cas x 0 1 -> r0; branch r0 @3; write y 1; branch !r0 @5; read y -> r0; end\n");
    expect_code("n2 ?W0.0 !u0",
                "p0: choose 2 -> r0; branch r0 @3; wait c0 m0; branch !r0 @5; unlock m0; end\n");
    expect_code("?t0 rx",
                "p0: branch r0 @4; trylock m0 -> r1; branch r1 @4; unlock m0; read x -> r0; end\n");
}

static void synchronisation(void **state) {
    (void)state;
    expect_code("l0 W0.1 u0 / T2.0 g0 b2",
                "p0: lock m0; wait c0 m1; unlock m0; end\n"
                "p1: timed_wait c2 m0 -> r0; signal c0; broadcast c2; end\n");
    expect_code("t0 / k0 h",
                "p0: trylock m0 -> r1; branch r1 @3; unlock m0; end\n"
                "p1: trylock m0 -> r0; assume r0; end\n");
}

static void messages(void **state) {
    (void)state;
    expect_code("S1.5 S0.12 / M M5 M5.6 N ?N7",
                "p0: send p1 5; send p0 12; end\n"
                "p1: receive -> r0; receive 5 -> r0; receive 5|6 -> r0; poll 0 -> r0; "
                "branch r0 @6; poll 0 7 -> r0; end\n");
    expect_error("S1.5", 1, "expected a thread below 1, found 1");
    expect_error("S0", 3, "expected '.' and the tag, found the end of the program");
    expect_error("S0.0", 4, "expected a tag of at least 1, found 0");
    expect_error("M0", 2, "expected a tag of at least 1, found 0");
    expect_error("M1.x", 4, "expected a number, found 'x'");
    expect_error("[M1]", 2, "expected r, w, a, c, n or h in an atomic section, found 'M'");
}

static void threads(void **state) {
    (void)state;
    expect_code("s1 rx j1 rx / * wx1 / wx2",
                "p0: spawn p1; read x -> r0; join p1; read x -> r0; end\n"
                "p1*: write x 1; end\n"
                "p2: write x 2; end\n");
    expect_code("s1 / *wx1", "p0: spawn p1; end\np1*: write x 1; end\n");
    expect_code("wx1 / / *", "p0: write x 1; end\np1: end\np2*: end\n");
}

static void sections(void **state) {
    (void)state;
    expect_code("[rx,wy1] / wx1",
                "p0: {; read x -> r0; write y 1; }; end\n"
                "p1: write x 1; end\n");
    expect_code("?[ rx , ?wy1,!cz1 ]",
                "p0: branch r0 @8; {; read x -> r0; branch r0 @5; write y 1; branch !r0 @7; "
                "cas z 0 1 -> r0; }; end\n");
}

static void only_cells_that_occur(void **state) {
    (void)state;
    expect_cells("wx1 / rx / rx", "x=0");
    expect_cells("rw rz ru ry", "y=0 z=0 u=0 w=0");
    expect_cells("l7 W3.12 ry g0", "y=0 m7 m12 c0 c3");
    expect_cells("h", "");
}

static void positions(void **state) {
    (void)state;
    program p;
    parse_error error;
    assert_true(oneline_parse(&p, "wx1 / rx  ?wy1", &error));
    const model_thread *second = &vector_at(&p.threads, 1);
    assert_int_equal(vector_at(&vector_at(&p.threads, 0).code, 0).column, 1);
    assert_int_equal(vector_at(&second->code, 0).column, 7);
    assert_int_equal(vector_at(&second->code, 1).column, 11);
    assert_int_equal(vector_at(&second->code, 2).column, 11);
    assert_int_equal(vector_at(&second->code, 3).column, 15);
    assert_int_equal(vector_at(&second->code, 3).line, 1);
    program_free(&p);
}

static void errors(void **state) {
    (void)state;
    expect_error("", 1, "expected an operation, found the end of the program");
    expect_error("  ", 3, "expected an operation, found the end of the program");
    expect_error("wx1 / ex", 7, "expected an operation, found 'e'");
    expect_error("wa1", 2,
                 "expected a variable (x, y, z, u, v or w, plain in capitals), found 'a'");
    expect_error("wx", 3, "expected a number, found the end of the program");
    expect_error("wx- 1", 4, "expected a number, found ' '");
    expect_error("wx1rx", 4, "expected a space, '/' or the end after an operation, found 'r'");
    expect_error("wx99999999999999999999", 3, "expected a number of 64 bits");
    expect_error("l1000", 2, "expected a number below 1000, found 1000");
    expect_error("W0", 3, "expected '.' and the mutex, found the end of the program");
    expect_error("n0", 2, "expected at least 1 alternative, found 0");
    expect_error("??wx1", 2, "expected an operation, found '?'");
    expect_error("wx1 / s2", 7, "expected a thread below 2, found 2");
    expect_error("s1 / wx1", 1,
                 "expected a thread that starts when spawned (a leading '*'), found 1");
    expect_error("[rx,l0]", 5, "expected r, w, a, c, n or h in an atomic section, found 'l'");
    expect_error("[]", 2, "expected r, w, a, c, n or h in an atomic section, found ']'");
    expect_error("[rx", 4, "expected ',' or ']', found the end of the program");
    expect_error("rx * wx1", 4, "expected an operation, found '*'");
    expect_error("\x80", 1, "expected an operation, found byte 0x80");
}

static void primitives(void **state) {
    (void)state;
    expect_error("Rx0", 2, "expected 'l' or 't', found 'x'");
    expect_error("Ut0", 2, "expected 'l' and a number, found 't'");
    expect_error("rx P100", 5, "expected a number below 100, found 100");
    expect_error("[sem] P0", 5, "expected a number, found ']'");
    expect_error("[bar 0] B0", 6, "expected at most 16 numbers from 1 to 10000");
    expect_error("[sem 1 x] P0", 8, "expected a number or ']', found 'x'");
    expect_error("O0.1", 4,
                 "expected a variable (x, y, z, u, v or w, plain in capitals), found '1'");
}

/* Random texts over the notation's letters: no crash, and nothing is left behind. */
static void random_texts(void **state) {
    (void)state;
    static const char letters[] = "rwacilutkWTgbnsjhPpVRUBO[],?!*/ xyzuvw0129-. \n  ";
    random_source source = {.state = 1};
    for (int round = 0; round < 20000; round++) {
        char text[40];
        uint32_t length = random_below(&source, sizeof text - 1);
        for (uint32_t i = 0; i < length; i++) {
            text[i] = letters[random_below(&source, sizeof letters - 1)];
        }
        text[length] = 0;
        program p;
        parse_error error;
        if (oneline_parse(&p, text, &error)) {
            free(disassemble(&p));
        } else {
            assert_true(error.line > 0 && error.column > 0 && error.message[0]);
        }
        program_free(&p);
        assert_int_equal(memory_in_use(), 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(accesses),
        cmocka_unit_test(prefixes),
        cmocka_unit_test(messages),
        cmocka_unit_test(threads),
        cmocka_unit_test(synchronisation),
        cmocka_unit_test(sections),
        cmocka_unit_test(only_cells_that_occur),
        cmocka_unit_test(positions),
        cmocka_unit_test(errors),
        cmocka_unit_test(primitives),
        cmocka_unit_test(random_texts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
