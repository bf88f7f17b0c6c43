#include "base/limit.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/exit_status.h"
#include "base/memory.h"

static void nothing_is_reached_at_first(void **state) {
    (void)state;
    for (enum limit i = 0; i < LIMIT_COUNT; i++) {
        assert_false(limit_was_reached(i));
        assert_true(limit_words(i)[0] != '\0');
    }
}

static void stopping_is_more_than_reaching(void **state) {
    (void)state;
    limit_reached(LIMIT_TEXT);
    assert_true(limit_was_reached(LIMIT_TEXT) && !limit_stops);
    limit_stop(LIMIT_OBJECTS);
    assert_true(limit_was_reached(LIMIT_OBJECTS) && limit_stops);
    limit_clear();
    assert_false(limit_was_reached(LIMIT_TEXT) || limit_was_reached(LIMIT_OBJECTS) || limit_stops);
}

static void an_escape_leads_to_the_exit(void **state) {
    (void)state;
    jmp_buf here;
    if (setjmp(here) == 0) {
        limit_exit = &here;
        limit_escape(LIMIT_EVENTS);
    }
    limit_exit = NULL;
    assert_true(limit_was_reached(LIMIT_EVENTS) && limit_stops);
    limit_clear();
}

static int status_of_exhaustion(void) {
    pid_t child = fork();
    if (!child) {
        fclose(stderr);
        memory_resize(NULL, 0, (size_t)1 << 20);
        _exit(0);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    return WEXITSTATUS(status);
}

static void memory_stops_at_the_limit_and_escapes_beyond(void **state) {
    (void)state;
    memory_limit(1000, 1);
    char *block = memory_resize(NULL, 0, 1000);
    assert_false(limit_stops);
    block = memory_resize(block, 1000, 1001);
    assert_true(limit_stops && limit_was_reached(LIMIT_MEMORY));
    assert_int_equal(status_of_exhaustion(), EXIT_INCOMPLETE);
    memory_resize(block, 1001, 0);
    limit_clear();
    memory_limit(0, 1);
}

static void the_machine_has_memory(void **state) {
    (void)state;
    assert_true(memory_of_machine() > 1 << 20);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_reached_at_first),
        cmocka_unit_test(stopping_is_more_than_reaching),
        cmocka_unit_test(an_escape_leads_to_the_exit),
        cmocka_unit_test(memory_stops_at_the_limit_and_escapes_beyond),
        cmocka_unit_test(the_machine_has_memory),
    };
    return cmocka_run_group_tests_name("limit", tests, NULL, NULL);
}
