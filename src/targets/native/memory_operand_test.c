#include "targets/native/memory_operand.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void the_last_letter_is_the_size(void **state) {
    (void)state;
    assert_int_equal(memory_operand_size("movb\t%al, x(%rip)"), 1);
    assert_int_equal(memory_operand_size("addw\t$1, (%rax)"), 2);
    assert_int_equal(memory_operand_size("cmpl\t$0, (%rax)"), 4);
    assert_int_equal(memory_operand_size("pushq\t8(%rax)"), 8);
    assert_int_equal(memory_operand_size("movq"), 8);
    assert_int_equal(memory_operand_letter_size('\0'), 0);
}

static void extensions_access_what_they_extend(void **state) {
    (void)state;
    assert_int_equal(memory_operand_size("movzbl\t(%rax), %ecx"), 1);
    assert_int_equal(memory_operand_size("movswq\t(%rax), %rcx"), 2);
    assert_int_equal(memory_operand_size("movslq\t(%rax), %rcx"), 4);
}

static void floating_point_and_vectors_have_other_letters(void **state) {
    (void)state;
    assert_int_equal(memory_operand_size("movss\t(%rax), %xmm0"), 4);
    assert_int_equal(memory_operand_size("addsd\t(%rax), %xmm0"), 8);
    assert_int_equal(memory_operand_size("movhps\t%xmm0, (%rax)"), 8);
    assert_int_equal(memory_operand_size("movd\t%xmm0, (%rax)"), 4);
    assert_int_equal(memory_operand_size("movdqu\t(%rax), %xmm0"), 16);
    assert_int_equal(memory_operand_size("movntdq\t%xmm0, (%rax)"), 16);
    assert_int_equal(memory_operand_size("fistpll\t(%rax)"), 8);
    assert_int_equal(memory_operand_size("fstpt\t(%rax)"), 10);
}

static void unknown_instructions_have_no_size(void **state) {
    (void)state;
    assert_int_equal(memory_operand_size("movddup\t(%rax), %xmm0"), 0);
    assert_int_equal(memory_operand_size("movd"), 0);
    assert_int_equal(memory_operand_size(""), 0);
}

static void operands_are_a_key_and_a_displacement(void **state) {
    (void)state;
    memory_operand at;
    assert_true(memory_operand_parse("8+x(%rip), %eax", &at));
    assert_string_equal(at.key, "x(%rip)");
    assert_int_equal(at.displacement, 8);
    assert_true(memory_operand_parse("-24(%rbp,%rcx,4)", &at));
    assert_string_equal(at.key, "(%rbp,%rcx,4)");
    assert_int_equal(at.displacement, -24);
    assert_false(memory_operand_parse("%fs:40", &at));
    assert_false(memory_operand_parse("%rax", &at));
}

static void the_last_operand_is_after_the_last_comma_outside(void **state) {
    (void)state;
    assert_string_equal(memory_operand_last("movl\t%eax, 4(%rbp,%rcx)"), "4(%rbp,%rcx)");
    assert_string_equal(memory_operand_last("incl\t(%rax,%rcx)"), "(%rax,%rcx)");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_last_letter_is_the_size),
        cmocka_unit_test(extensions_access_what_they_extend),
        cmocka_unit_test(floating_point_and_vectors_have_other_letters),
        cmocka_unit_test(unknown_instructions_have_no_size),
        cmocka_unit_test(operands_are_a_key_and_a_displacement),
        cmocka_unit_test(the_last_operand_is_after_the_last_comma_outside),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
