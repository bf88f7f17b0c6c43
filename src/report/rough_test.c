#include "report/rough.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void expect(void (*write)(text *, double), double value, const char *words) {
    text out = {0};
    write(&out, value);
    assert_string_equal(text_string(&out), words);
    text_free(&out);
}

static void two_digits_are_shown(void **state) {
    (void)state;
    expect(rough_number, 0, "0");
    expect(rough_number, 7, "7");
    expect(rough_number, 32768, "33000");
    expect(rough_number, 996, "1000");
    expect(rough_number, 999999, "1 million");
    expect(rough_number, 2704156, "2.7 million");
    expect(rough_number, 64e9, "64 billion");
    expect(rough_number, 640e9, "640 billion");
    expect(rough_number, 3e12, "3 trillion");
    expect(rough_number, 1.2e21, "1e+21");
}

static void times_have_a_unit(void **state) {
    (void)state;
    expect(rough_time, 0.2, "0 s");
    expect(rough_time, 100, "100 s");
    expect(rough_time, 3600, "60 min");
    expect(rough_time, 3600 * 5, "5 h");
    expect(rough_time, 86400 * 3, "3 days");
    expect(rough_time, 86400 * 365 * 1e4, "10000 years");
}

static void a_forecast_has_bounds(void **state) {
    (void)state;
    text out = {0};
    rough_forecast(&out, &(forecast){.low = 27012, .likely = 32768, .high = 41000, .known = true});
    assert_string_equal(text_string(&out), "about 33000 (between 27000 and 41000)");
    text_free(&out);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_digits_are_shown),
        cmocka_unit_test(times_have_a_unit),
        cmocka_unit_test(a_forecast_has_bounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
