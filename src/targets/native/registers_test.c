#include "targets/native/registers.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void every_part_is_the_register(void **state) {
    (void)state;
    static const char *const names[] = {"rax", "eax", "ax", "al", "ah"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        assert_true(register_starts(names[i], REGISTER_RAX));
        assert_false(register_starts(names[i], REGISTER_RBX));
    }
    assert_true(register_starts("dil)", REGISTER_RDI));
    assert_true(register_starts("r8b,", REGISTER_R8));
    assert_true(register_starts("xmm1, %xmm2", REGISTER_XMM1));
    assert_false(register_starts("r8", REGISTER_R9));
}

static void longer_names_are_others(void **state) {
    (void)state;
    assert_false(register_starts("xmm15", REGISTER_XMM1));
    assert_false(register_starts("axis", REGISTER_RAX));
    assert_false(register_in("8(%r12), %r13", REGISTER_R11));
    assert_true(register_in("%r12, %r1, %r11d", REGISTER_R11));
}

static void operands_name_registers_after_a_percent_sign(void **state) {
    (void)state;
    assert_true(register_in("$1, %ah", REGISTER_RAX));
    assert_true(register_in("-8(%rbp,%rcx,4)", REGISTER_RCX));
    assert_false(register_in("rax(%rip)", REGISTER_RAX));
}

static void the_lower_half_is_wide(void **state) {
    (void)state;
    assert_true(register_is_wide("rbx", REGISTER_RBX));
    assert_true(register_is_wide("r12d", REGISTER_R12));
    assert_false(register_is_wide("bx", REGISTER_RBX));
    assert_false(register_is_wide("rbx)", REGISTER_RBX));
}

static void clearing_names_the_lower_half(void **state) {
    (void)state;
    assert_string_equal(register_clear(REGISTER_RDX), "xorl\t%edx, %edx");
    assert_string_equal(register_clear(REGISTER_RSI), "xorl\t%esi, %esi");
    assert_string_equal(register_clear(REGISTER_R10), "xorl\t%r10d, %r10d");
    assert_string_equal(register_clear(REGISTER_XMM15), "pxor\t%xmm15, %xmm15");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_part_is_the_register),
        cmocka_unit_test(longer_names_are_others),
        cmocka_unit_test(operands_name_registers_after_a_percent_sign),
        cmocka_unit_test(the_lower_half_is_wide),
        cmocka_unit_test(clearing_names_the_lower_half),
    };
    return cmocka_run_group_tests_name("registers", tests, NULL, NULL);
}
