#include "targets/native/entry_registers.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* What is cleared where a function begins with these lines. */
static char *cleared(const char *const *lines) {
    entry_registers e = {0};
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    for (; *lines && entry_registers_pass(&e, *lines); lines++) {
    }
    entry_registers_clear(&e, out);
    fclose(out);
    return text;
}

static void a_callback_takes_one_argument(void **state) {
    (void)state;
    char *text = cleared((const char *const[]){
        "\tmovq\t%rsi, -24(%rbp)\n", "\tleaq\tlock(%rip), %rax\n", "\tmovq\t%rax, %rdi\n",
        "\tcall\t__tsan_read4@PLT\n", "\tmovq\t%rcx, %rdx\n", NULL});
    assert_non_null(strstr(text, "%edi, %edi"));
    assert_non_null(strstr(text, "%eax, %eax"));
    assert_non_null(strstr(text, "%ecx, %ecx"));
    assert_non_null(strstr(text, "%xmm7, %xmm7"));
    assert_null(strstr(text, "%esi"));
    free(text);
}

static void what_another_function_takes_is_unknown(void **state) {
    (void)state;
    char *text =
        cleared((const char *const[]){"\tmovl\t$0, %eax\n", "\tcall\ttake\n", "\tret\n", NULL});
    assert_string_equal(text, "\txorl\t%eax, %eax\n");
    free(text);
}

/* Those of programs have more arguments, and so have clang's for copies of structs. */
static void others_with_such_names_are_unknown_too(void **state) {
    (void)state;
    char *text =
        cleared((const char *const[]){"\tcall\t__tsan_mutex_post_lock@PLT\n", "\tret\n", NULL});
    assert_string_equal(text, "");
    free(text);
    text = cleared((const char *const[]){"\tcall\t__tsan_memcpy@PLT\n", "\tret\n", NULL});
    assert_string_equal(text, "");
    free(text);
}

static void some_instructions_use_more_than_they_name(void **state) {
    (void)state;
    char *text = cleared((const char *const[]){"\tendbr64\n", "\tmovl\t$8, %ecx\n", "\trep stosq\n",
                                               "\tcall\t__tsan_read4@PLT\n", NULL});
    assert_string_equal(text, "\txorl\t%ecx, %ecx\n");
    free(text);
    text = cleared((const char *const[]){"#APP\n", "\tsyscall\n", "#NO_APP\n",
                                         "\tcall\t__tsan_read4@PLT\n", NULL});
    assert_string_equal(text, "");
    free(text);
}

static void a_jump_ends_what_is_known(void **state) {
    (void)state;
    char *text = cleared(
        (const char *const[]){"\ttestl\t%edi, %edi\n", "\tje\t.L2\n", "\tmovl\t$1, %ecx\n", NULL});
    assert_string_equal(text, "");
    free(text);
}

static void a_part_that_is_written_leaves_the_rest(void **state) {
    (void)state;
    char *text =
        cleared((const char *const[]){"\tmovb\t$1, %cl\n", "\tcall\t*%rcx\n", "\tret\n", NULL});
    assert_string_equal(text, "");
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_callback_takes_one_argument),
        cmocka_unit_test(what_another_function_takes_is_unknown),
        cmocka_unit_test(others_with_such_names_are_unknown_too),
        cmocka_unit_test(some_instructions_use_more_than_they_name),
        cmocka_unit_test(a_jump_ends_what_is_known),
        cmocka_unit_test(a_part_that_is_written_leaves_the_rest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
