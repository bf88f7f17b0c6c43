/* The native target through its interface: built, loaded, stepped, saved and compared. The test
 * runs from the root of the source tree, as all do. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory.h"
#include "explore/target.h"
#include "targets/native/native.h"

static target *open_source(const char *text, bool race_check) {
    char path[] = "build/native_test_program.c";
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
    const char *inputs[] = {path};
    const char *flags[] = {"-w"};
    settings options = {.files = {.items = inputs, .count = 1},
                        .flags = {.items = flags, .count = 1},
                        .no_race_check = !race_check};
    native_program program;
    char message[NATIVE_MESSAGE_SIZE];
    if (!native_build(&options, &program, message)) {
        fail_msg("%s", message);
    }
    target *t = native_open(&program, &options, message);
    assert_non_null(t);
    native_remove(&program);
    assert_string_equal(program.directory, "");
    remove(path);
    return t;
}

/* Takes the steps of these threads in turn. */
static void steps(target *t, const char *threads) {
    for (; *threads; threads++) {
        step_result result;
        const operation *o = t->class->pending(t, (uint32_t)(*threads - '0'));
        assert_non_null(o);
        assert_true(operation_enabled(o));
        t->class->step(t, (uint32_t)(*threads - '0'), CHOICE_NONE, &result);
    }
}

static const char two_writers[] =
    "#include <pthread.h>\n"
    "long x, y, z;\n"
    "void *f(void *a) { x = 1; z = 1; return 0; }\n"
    "void *g(void *a) { y = 2; z = 1; return 0; }\n"
    "int main() { pthread_t t; pthread_create(&t, 0, f, 0); pthread_create(&t, 0, g, 0);\n"
    "  return 0; }\n";

static bool equal_after(target *t, const char *first, const char *second) {
    t->class->expect_comparisons(t);
    t->class->reset(t);
    steps(t, first);
    size_t size = t->class->state_size(t);
    char *one = memory_resize(NULL, 0, size);
    t->class->save(t, one);
    t->class->reset(t);
    steps(t, second);
    size_t other_size = t->class->state_size(t);
    char *other = memory_resize(NULL, 0, other_size);
    t->class->save(t, other);
    bool equal = t->class->equal(t, one, other);
    memory_resize(one, size, 0);
    memory_resize(other, other_size, 0);
    return equal;
}

static void commuting_steps_give_equal_states(void **unused) {
    (void)unused;
    target *t = open_source(two_writers, false);
    assert_true(equal_after(t, "0012", "0021"));
    assert_true(equal_after(t, "001212", "002121"));
    assert_false(equal_after(t, "001", "002"));
    t->class->destroy(t);
    assert_int_equal(memory_in_use(), 0);
}

static void a_restored_state_goes_on_as_before(void **unused) {
    (void)unused;
    target *t = open_source(two_writers, true);
    t->class->reset(t);
    steps(t, "001");
    size_t size = t->class->state_size(t);
    char *state = memory_resize(NULL, 0, size);
    t->class->save(t, state);
    for (int round = 0; round < 3; round++) {
        steps(t, "122");
        assert_int_equal(t->class->ending(t), ENDING_COMPLETE);
        t->class->restore(t, state);
    }
    memory_resize(state, size, 0);
    t->class->destroy(t);
}

/* Takes the steps at once, without looking at what they do. */
static void replay(target *t, const char *threads, uint32_t length) {
    step script[32];
    for (uint32_t i = 0; i < length; i++) {
        script[i] = (step){(uint32_t)(threads[i] - '0'), CHOICE_NONE};
    }
    t->class->replay(t, script, length);
}

/* With a creation in the middle, a mutex, errno, and a fault. */
static void replayed_steps_are_the_same_steps(void **unused) {
    (void)unused;
    target *t = open_source(
        "#include <pthread.h>\n"
        "#include <errno.h>\n"
        "#include <stdatomic.h>\n"
        "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n"
        "atomic_long a; long x, y; int *none;\n"
        "void *f(void *p) { errno = 5; pthread_mutex_lock(&m); x = errno; pthread_mutex_unlock(&m);"
        "  a++; return 0; }\n"
        "void *g(void *p) { pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); a++;"
        "  y = errno; *none = 1; return 0; }\n"
        "int main() { pthread_t t; pthread_create(&t, 0, f, 0); pthread_create(&t, 0, g, 0);\n"
        "  return 0; }\n",
        true);
    static const char threads[] = "01110222122222";
    size_t size = 0, other_size = 0;
    char *taken = NULL, *replayed = NULL;
    t->class->reset(t);
    steps(t, threads); /* the first run leaves other garbage on the stacks */
    for (uint32_t length = 0; length < sizeof threads; length++) {
        char prefix[sizeof threads] = {0};
        memcpy(prefix, threads, length);
        t->class->reset(t);
        steps(t, prefix);
        taken = memory_resize(taken, size, t->class->state_size(t));
        size = t->class->state_size(t);
        t->class->save(t, taken);
        t->class->reset(t);
        replay(t, threads, length);
        replayed = memory_resize(replayed, other_size, t->class->state_size(t));
        other_size = t->class->state_size(t);
        t->class->save(t, replayed);
        assert_true(t->class->equal(t, taken, replayed));
        assert_string_equal(t->class->pending(t, 2) ? "alive" : "dead",
                            length < 5 || length == 14 ? "dead" : "alive");
    }
    assert_int_equal(t->class->ending(t), ENDING_COMPLETE);
    memory_resize(taken, size, 0);
    memory_resize(replayed, other_size, 0);
    t->class->destroy(t);
}

static void threads_are_numbered_by_their_creators(void **unused) {
    (void)unused;
    target *t = open_source(
        "#include <pthread.h>\n"
        "long x;\n"
        "void *leaf(void *a) { x = (long)a; return 0; }\n"
        "void *f(void *a) { pthread_t t; pthread_create(&t, 0, leaf, a); return 0; }\n"
        "int main() { pthread_t t; pthread_create(&t, 0, f, (void *)5);\n"
        "  pthread_create(&t, 0, f, (void *)6); return 0; }\n",
        true);
    step_result result;
    t->class->reset(t);
    steps(t, "0012"); /* T1's child, then T2's */
    t->class->step(t, 3, CHOICE_NONE, &result);
    assert_int_equal(result.value, 5);
    t->class->reset(t);
    steps(t, "0021"); /* the other way round: the same numbers */
    t->class->step(t, 3, CHOICE_NONE, &result);
    assert_int_equal(result.value, 5);
    t->class->destroy(t);
}

static void races_name_both_accesses(void **unused) {
    (void)unused;
    target *t = open_source(two_writers, true);
    step_result result;
    t->class->reset(t);
    steps(t, "00112");
    t->class->step(t, 2, CHOICE_NONE, &result);
    assert_non_null(result.error);
    assert_int_equal(result.error->kind, ERROR_DATA_RACE);
    assert_string_equal(result.error->message,
                        "data race on z: write by T2 at native_test_program.c:4, write by T1 at "
                        "native_test_program.c:3");
    t->class->destroy(t);
}

/* What one target knows of accesses is not known of those of the next one. */
static void every_target_finds_the_race(void **unused) {
    (void)unused;
    for (int i = 0; i < 2; i++) {
        target *t = open_source(
            "#include <pthread.h>\n"
            "long z;\n"
            "pthread_mutex_t a, b;\n"
            "void *f(void *m) { pthread_mutex_lock(m); z = 1; pthread_mutex_unlock(m); return 0; "
            "}\n"
            "int main() { pthread_t t; pthread_create(&t, 0, f, &a); pthread_create(&t, 0, f, "
            "&b);\n"
            "  return 0; }\n",
            true);
        step_result result;
        t->class->treat_accesses(t, ACCESSES_IN_PASSING);
        t->class->reset(t);
        steps(t, i ? "001" : "002");
        if (i) {
            t->class->step(t, 2, CHOICE_NONE, &result);
            assert_true(result.error && result.error->kind == ERROR_DATA_RACE);
        }
        t->class->destroy(t);
    }
}

static void keep_warning(void *kept, const char *words) {
    snprintf(kept, NATIVE_MESSAGE_SIZE, "%s", words);
}

static void structs_by_value_are_announced(void **unused) {
    (void)unused;
    char warnings[NATIVE_MESSAGE_SIZE] = "";
    target *t = open_source(
        "struct s { long a, b, c; } g, h;\n"
        "struct s get(void) { return h; }\n"
        "long use(struct s x, void (*f)(void)) { return x.a; }\n"
        "void f(void) {}\n"
        "int main() { struct s local = get(), *p = &h;\n"
        "  use(local, f);\n"
        "  g = get();\n"
        "  use(*p, f);\n"
        "  return use(g, f) != 0; }\n",
        true);
    uint32_t count = 0;
    for (t->class->reset(t); t->class->pending(t, 0); count++) {
        step_result result;
        t->class->step(t, 0, 0, &result);
    }
    native_uncovered(t, keep_warning, warnings);
    t->class->destroy(t);
    assert_string_equal(warnings, "");
    assert_int_equal(count, 5);
}

static void what_does_not_compile_leaves_nothing(void **unused) {
    (void)unused;
    const char *inputs[] = {"build/there_is_no_such_file.c"};
    settings options = {.files = {.items = inputs, .count = 1}};
    native_program program;
    char message[NATIVE_MESSAGE_SIZE];
    assert_false(native_build(&options, &program, message));
    assert_non_null(strstr(message, "there_is_no_such_file.c"));
    assert_string_equal(program.directory, "");
    assert_int_equal(memory_in_use(), 0);
}

static void unsupported_calls_are_named(void **unused) {
    (void)unused;
    target *t = open_source(
        "#include <unistd.h>\n\n"
        "int main() { return fork(); }\n",
        true);
    t->class->reset(t);
    const program_error *error = t->class->start_error(t, 0);
    assert_non_null(error);
    assert_int_equal(error->kind, ERROR_UNSUPPORTED);
    assert_string_equal(error->message, "unsupported: fork");
    const char *file;
    uint32_t line;
    assert_true(t->class->describe_location(t, error->location, &file, &line));
    assert_int_equal(line, 3);
    t->class->destroy(t);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(commuting_steps_give_equal_states),
        cmocka_unit_test(a_restored_state_goes_on_as_before),
        cmocka_unit_test(replayed_steps_are_the_same_steps),
        cmocka_unit_test(threads_are_numbered_by_their_creators),
        cmocka_unit_test(races_name_both_accesses),
        cmocka_unit_test(every_target_finds_the_race),
        cmocka_unit_test(what_does_not_compile_leaves_nothing),
        cmocka_unit_test(unsupported_calls_are_named),
        cmocka_unit_test(structs_by_value_are_announced),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
