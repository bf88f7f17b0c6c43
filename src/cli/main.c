#include <stdio.h>
#include <string.h>

#include "base/exit_status.h"
#include "base/version.h"
#include "cli/commands.h"
#include "cli/message.h"
#include "cli/ranks.h"
#include "cli/remote.h"
#include "cli/report.h"
#include "cli/usage.h"
#include "report/writers/style.h"
#include "targets/native/fixed_addresses.h"
#include "targets/native/native.h"

typedef struct command_entry {
    const char *name;
    enum command command;
    int (*run)(const settings *);
} command_entry;

static const command_entry commands[] = {
    {"check", COMMAND_CHECK, command_check},       {"replay", COMMAND_REPLAY, command_replay},
    {"explain", COMMAND_EXPLAIN, command_explain}, {"debuggee", COMMAND_REPLAY, command_debuggee},
    {"split", COMMAND_SPLIT, command_split},       {"merge", COMMAND_MERGE, command_merge},
};

static int run_command(const command_entry *entry, int argc, char **argv) {
    settings o;
    text message = {0};
    int status;
    if (!options_parse(&o, entry->command, argc, argv, &message)) {
        text whole = {0};
        text_format(&whole, "%s: %s", entry->name, text_string(&message));
        status = report_failure(&o, VERDICT_ERROR, text_string(&whole));
        text_free(&whole);
    } else if (o.help.given) {
        status = usage_print(entry->command, &o);
    } else {
        status = entry->run(&o);
    }
    settings_free(&o);
    text_free(&message);
    return status;
}

/* Builds want a compiler that is one word. */
static bool is_called(const char *word, const char *name) {
    const char *slash = strrchr(word, '/');
    return strcmp(slash ? slash + 1 : word, name) == 0;
}

static int run(int argc, char **argv) {
    if (argc && is_called(argv[0], "heddle-cc")) {
        return native_compiler_driver(argc - 1, argv + 1);
    }
    if (argc < 2) {
        usage_print_all(stderr);
        return EXIT_USAGE;
    }
    if (strcmp(argv[1], "--version") == 0) {
        printf("heddle %s\n", HEDDLE_VERSION);
        return 0;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
        usage_print_all(stdout);
        return 0;
    }
    if (strcmp(argv[1], "cc") == 0) {
        return native_compiler_driver(argc - 2, argv + 2);
    }
    for (uint32_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        if (strcmp(argv[1], commands[i].name) == 0) {
            return run_command(&commands[i], argc - 2, argv + 2);
        }
    }
    return usage_error(
        "unknown command %s; the commands are check, replay, explain, split, merge and cc (heddle "
        "--help)",
        argv[1]);
}

int main(int argc, char **argv) {
    fixed_addresses(argv);
    if (!ranks_open()) {
        return usage_error(RANKS_VARIABLE " is for heddle-mpi, which starts heddle");
    }
    if (all_ranks.rank) {
        return remote_run();
    }
    style_is_passed_on = all_ranks.count != 0;
    int status = run(argc, argv);
    if (fflush(stdout) != 0 || ferror(stdout)) {
        return usage_error("cannot write to standard output");
    }
    return status;
}
