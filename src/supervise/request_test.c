#include "supervise/request.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/monotonic.h"

static bool repeats(request *last, int number, uint32_t sender) {
    struct signalfd_siginfo info = {
        .ssi_signo = (uint32_t)number, .ssi_code = sender ? SI_USER : SI_KERNEL, .ssi_pid = sender};
    return request_repeats(last, &info);
}

static void sent_twice_at_once(void **state) {
    (void)state;
    request last = {0};
    assert_false(repeats(&last, SIGTERM, 17));
    last.time = monotonic_seconds() + 3600; /* however slow this machine is */
    assert_true(repeats(&last, SIGTERM, 17));
    assert_false(repeats(&last, SIGTERM, 18));
}

static void sent_later(void **state) {
    (void)state;
    request last = {0};
    assert_false(repeats(&last, SIGINT, 17));
    last.time -= 2;
    assert_false(repeats(&last, SIGINT, 17));
}

static void typed(void **state) {
    (void)state;
    request last = {0};
    assert_false(repeats(&last, SIGINT, 0));
    assert_false(repeats(&last, SIGINT, 0));
    assert_true(repeats(&last, SIGHUP, 0));
    assert_true(repeats(&last, SIGHUP, 5));
}

static void other_signals(void **state) {
    (void)state;
    request last = {0};
    assert_false(repeats(&last, SIGCHLD, 17));
    assert_false(repeats(&last, SIGHUP, 17));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sent_twice_at_once),
        cmocka_unit_test(sent_later),
        cmocka_unit_test(typed),
        cmocka_unit_test(other_signals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
