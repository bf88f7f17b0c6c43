#include "cli/usage.h"

#include <string.h>

#include "base/exit_status.h"
#include "cli/algorithm.h"
#include "cli/message.h"
#include "dpor/registry.h"

/* One screen of 24 lines. */
void usage_print_all(FILE *out) {
    fputs(
        "usage: heddle check [options] FILE.c... [-- ARGUMENTS]\n"
        "       heddle check [options] FILE.heddle\n"
        "       heddle replay [--gdb] SCHEDULE\n"
        "       heddle explain [KIND]\n"
        "\n"
        "heddle explores all interleavings of a concurrent program and reports failed\n"
        "assertions, crashes, deadlocks, data races and memory errors with a schedule.\n"
        "\n"
        "commands:\n"
        "  check       explore a program: C sources, objects, or what heddle cc linked\n"
        "  replay      run a schedule again, step by step or in gdb\n"
        "  explain     what a kind of error means, and what usually fixes it\n"
        "  split, merge  explore one program as several jobs\n"
        "  cc          the compiler with heddle's flags: make CC=heddle-cc\n"
        "\n"
        "often used with check:\n"
        "  -DN=3 -Iinclude -lm   as for the compiler\n"
        "  -k                    do not stop at the first error\n"
        "  --function=NAME       check a function instead of main\n"
        "  --time-limit=5m       stop after this time\n"
        "  --schedule=FILE       keep the schedule of the first error, for replay\n"
        "  --html=FILE --json --sarif=FILE --junit=FILE    other reports\n"
        "heddle COMMAND --help lists all options; heddle --version.\n",
        out);
}

static void print_algorithms(FILE *out) {
    fputs("\nalgorithms:\n", out);
    text name = {0}, summary = {0};
    for (const strategy_class *const *s = strategy_registry; *s; s++) {
        text_clear(&name);
        text_clear(&summary);
        text_format(&name, "  %s", (*s)->name);
        text_format(&summary, "%s%s", (*s)->summary,
                    *s == algorithm_default() ? " (the default)" : "");
        help_print(text_string(&name), text_string(&summary), out);
    }
    text_free(&name);
    text_free(&summary);
}

static void print_statuses(FILE *out) {
    fputs("\nexit status:\n", out);
#define PRINT_STATUS(name, status, meaning) fprintf(out, "  %-4d%s\n", status, meaning);
    EXIT_STATUSES(PRINT_STATUS)
#undef PRINT_STATUS
}

static void print_check(FILE *out) {
    fputs(
        "usage: heddle check [options] FILE.c... [-- ARGUMENTS]\n"
        "       heddle check [options] FILE.heddle\n"
        "       heddle check [options] --program='wx1 / rx / rx'\n"
        "       heddle check [options] --batch=FILE\n",
        out);
    options_print_help(COMMAND_CHECK, out);
    print_algorithms(out);
    print_statuses(out);
}

static void print_replay(FILE *out) {
    fputs(
        "usage: heddle replay [options] SCHEDULE\n"
        "       heddle replay --gdb [options] SCHEDULE [-- ARGUMENTS OF GDB]\n"
        "\n"
        "Runs the program of a schedule file along it, prints every step, and reports\n"
        "where the program no longer does what was recorded. With --gdb it opens the\n"
        "debugger at the step that fails.\n",
        out);
    options_print_help(COMMAND_REPLAY, out);
}

static void print_explain(FILE *out) {
    fputs(
        "usage: heddle explain [KIND]\n"
        "\n"
        "Explains what a kind of error means, such as data-race, and what usually fixes\n"
        "it. Without a kind it lists them.\n",
        out);
    options_print_help(COMMAND_EXPLAIN, out);
}

static void print_split(FILE *out) {
    fputs(
        "usage: heddle split --parts=K FILE\n"
        "\n"
        "Splits what is left in FILE, which heddle check --checkpoint has written, into\n"
        "FILE.1 to FILE.K. Each is explored by heddle check --resume=FILE.N, at any time\n"
        "and anywhere; heddle merge then gives the verdict.\n",
        out);
    options_print_help(COMMAND_SPLIT, out);
}

static void print_merge(FILE *out) {
    fputs(
        "usage: heddle merge [options] FILE...\n"
        "\n"
        "Combines the results of the parts of an exploration, and reports as heddle check\n"
        "does. A part that is missing, unfinished or duplicated is named, and the verdict\n"
        "is then \"incomplete\" unless there is an error.\n",
        out);
    options_print_help(COMMAND_MERGE, out);
}

static void print_command(enum command command, FILE *out) {
    switch (command) {
        case COMMAND_CHECK: print_check(out); break;
        case COMMAND_REPLAY: print_replay(out); break;
        case COMMAND_EXPLAIN: print_explain(out); break;
        case COMMAND_SPLIT: print_split(out); break;
        case COMMAND_MERGE: print_merge(out); break;
    }
}

int usage_print(enum command command, const settings *o) {
    if (o->help.value && strcmp(o->help.value, "roff") == 0) {
        options_print_manual(command, stdout);
    } else if (o->help.value) {
        return usage_error("--help=%s: expected roff or nothing", o->help.value);
    } else {
        print_command(command, stdout);
    }
    return 0;
}
