#include "cli/options.h"

#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory.h"
#include "cli/option_table.h"

#define MOST_ARGUMENTS 32

/* Parses a command line given as words separated by blanks. */
static bool parse(settings *o, enum command command, char *line, text *message) {
    char *arguments[MOST_ARGUMENTS + 1];
    int count = 0;
    for (char *word = strtok(line, " "); word; word = strtok(NULL, " ")) {
        assert_true(count < MOST_ARGUMENTS);
        arguments[count++] = word;
    }
    arguments[count] = NULL;
    return options_parse(o, command, count, arguments, message);
}

static void expect_message(enum command command, const char *line, const char *expected) {
    char copy[256];
    settings o;
    text message = {0};
    snprintf(copy, sizeof copy, "%s", line);
    assert_false(parse(&o, command, copy, &message));
    assert_string_equal(text_string(&message), expected);
    settings_free(&o);
    text_free(&message);
    assert_int_equal(memory_in_use(), 0);
}

static void values_arrive(void **state) {
    (void)state;
    char line[] =
        "-k --algorithm=source --first=random:42 -DN=5 --define=M=6 -D K=7 --max-steps 10 a.heddle "
        "--json=out --max-executions=20 b.heddle -o s --full --no-progress -- -x y";
    settings o;
    text message = {0};
    assert_true(parse(&o, COMMAND_CHECK, line, &message));
    assert_true(o.keep_going && o.full && o.no_progress && o.json.given && !o.help.given);
    assert_string_equal(o.algorithm, "source");
    assert_int_equal(o.first.policy, FIRST_RANDOM);
    assert_int_equal(o.first.seed, 42);
    assert_int_equal(o.definitions.count, 3);
    assert_string_equal(vector_at(&o.definitions, 0), "N=5");
    assert_string_equal(vector_at(&o.definitions, 1), "M=6");
    assert_string_equal(vector_at(&o.definitions, 2), "K=7");
    assert_int_equal(o.max_steps, 10);
    assert_int_equal(o.max_executions, 20);
    assert_string_equal(o.json.value, "out");
    assert_string_equal(o.schedule, "s");
    assert_int_equal(o.files.count, 2);
    assert_string_equal(vector_at(&o.files, 1), "b.heddle");
    assert_int_equal(o.arguments.count, 2);
    assert_string_equal(vector_at(&o.arguments, 0), "-x");
    settings_free(&o);
    assert_int_equal(memory_in_use(), 0);
}

static void nothing_is_set_by_default(void **state) {
    (void)state;
    char line[] = "-";
    settings o;
    text message = {0};
    assert_true(parse(&o, COMMAND_CHECK, line, &message));
    assert_false(o.keep_going || o.full || o.json.given || o.algorithm || o.program || o.batch);
    assert_int_equal(o.first.policy, FIRST_USUAL);
    assert_int_equal(o.files.count, 1); /* a single hyphen is a file name */
    settings_free(&o);
}

static void aliases_name_an_algorithm(void **state) {
    (void)state;
    char line[] = "--json --optimal x --source";
    settings o;
    text message = {0};
    assert_true(parse(&o, COMMAND_CHECK, line, &message));
    assert_string_equal(o.algorithm, "source");
    assert_true(o.json.given && !o.json.value);
    settings_free(&o);
}

static void mistakes_are_explained(void **state) {
    (void)state;
    expect_message(COMMAND_CHECK, "--alogrithm=pop",
                   "unknown option --alogrithm=pop; did you mean --algorithm?");
    expect_message(COMMAND_CHECK, "--unheard-of",
                   "unknown option --unheard-of; --help lists the options");
    expect_message(COMMAND_CHECK, "-kz", "unknown option -kz; --help lists the options");
    expect_message(COMMAND_REPLAY, "--algorithm=pop",
                   "unknown option --algorithm=pop; --help lists the options");
    expect_message(COMMAND_CHECK, "--algorithm", "--algorithm needs a value: --algorithm=NAME");
    expect_message(COMMAND_CHECK, "--algorithm=", "--algorithm: expected NAME after \"=\"");
    expect_message(COMMAND_CHECK, "-include", "-include needs a path: -include PATH");
    expect_message(COMMAND_CHECK, "-D", "--define needs a value: --define=NAME=VALUE");
    expect_message(COMMAND_CHECK, "--keep-going=yes", "--keep-going takes no value");
    expect_message(COMMAND_CHECK, "--max-steps=0", "--max-steps=0: expected a positive integer");
    expect_message(COMMAND_CHECK, "--max-steps=-1", "--max-steps=-1: expected a positive integer");
    expect_message(COMMAND_CHECK, "--preemption-bound=-1",
                   "--preemption-bound=-1: expected 0 or a positive integer");
    expect_message(COMMAND_CHECK, "--max-executions=99999999999999999999",
                   "--max-executions=99999999999999999999: expected a positive integer");
    expect_message(COMMAND_CHECK, "--first=random:x",
                   "--first=random:x: expected usual, lowest, highest, round-robin or random:SEED");
}

/* What the parser and the help rely on. */
static void table_is_well_formed(void **state) {
    (void)state;
    for (uint32_t i = 0; i < option_count; i++) {
        const option *o = &option_table[i];
        if (option_is_heading(o)) {
            assert_true(o->help && !o->letter && i + 1 < option_count);
            assert_false(option_is_heading(o + 1));
            continue;
        }
        assert_true(i > 0 && o->commands != 0 && o->apply != NULL && strlen(o->name) < 64);
        assert_int_equal(o->rule == VALUE_NONE, o->value_name == NULL);
        assert_true(o->help[strlen(o->help) - 1] == '.' && isupper((unsigned char)o->help[0]));
        for (uint32_t j = 0; j < i; j++) {
            assert_string_not_equal(o->name, option_table[j].name);
            assert_true(!o->letter || o->letter != option_table[j].letter);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_arrive),
        cmocka_unit_test(nothing_is_set_by_default),
        cmocka_unit_test(aliases_name_an_algorithm),
        cmocka_unit_test(mistakes_are_explained),
        cmocka_unit_test(table_is_well_formed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
