#include "cli/gdb.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/embedded.h"
#include "base/exit_status.h"
#include "cli/file.h"
#include "cli/load.h"
#include "cli/message.h"
#include "report/writers/page_data.h"
#include "targets/native/command.h"

EMBEDDED(gdb_replayed, "src/cli/gdb/replayed.py")
EMBEDDED(gdb_session, "src/cli/gdb/session.py")
EMBEDDED(gdb_commands, "src/cli/gdb/commands.py")

/* ---- before ---- */

/* The first line that a command of the shell prints. */
static bool ask_shell(const char *line, char *answer, int size) {
    command c = {0};
    pid_t process;
    const char *words[] = {"sh", "-c", line, NULL};
    command_add(&c, words);
    FILE *stream = command_read(&c, &process);
    bool answered = stream && fgets(answer, size, stream);
    if (stream) {
        fclose(stream);
        command_wait(process);
    }
    vector_free(&c);
    return answered;
}

bool gdb_is_possible(const settings *s, text *message) {
    char answer[64] = "";
    if (!load_needs_build(s)) {
        text_append(message,
                    "--gdb: an abstract program has no machine code to debug; heddle replay shows "
                    "its steps, and --html=FILE writes a page to step through them");
        return false;
    }
    ask_shell(
        "command -v gdb > /dev/null || { echo missing; exit; }\n"
        "gdb -nx -batch -ex 'python print(\"python\")' 2> /dev/null",
        answer, sizeof answer);
    bool missing = strcmp(answer, "missing\n") == 0;
    bool possible = strcmp(answer, "python\n") == 0;
    if (!possible) {
        text_append(message, missing
                                 ? "--gdb: there is no gdb; on Debian: apt-get install gdb"
                                 : "--gdb: this gdb cannot run commands in Python; on Debian the "
                                   "package gdb can, but gdb-minimal cannot");
    }
    return possible;
}

/* ---- what gdb needs ---- */

static bool write_in(const char *directory, const char *name, const char *contents, text *message) {
    text path = {0};
    text_format(&path, "%s/%s", directory, name);
    bool written = file_write(text_string(&path), contents, message);
    text_free(&path);
    return written;
}

static bool write_files(const job *j, const char *contents, text *message) {
    text data = {0}, extension = {0};
    page_data(&data, &j->outcome);
    text_format(&extension, "%s\n\n%s\n\n%s", gdb_replayed, gdb_session, gdb_commands);
    bool written = write_in(j->directory, "heddle.py", text_string(&extension), message) &&
                   write_in(j->directory, "finding.json", text_string(&data), message) &&
                   write_in(j->directory, "schedule", contents, message);
    text_free(&data);
    text_free(&extension);
    return written;
}

/* heddle without its own symbols, so that gdb knows only the program's: a breakpoint in `add` is
 * not one in heddle's functions of that name, and `step` does not enter heddle. */
static bool write_debuggee(const char *directory, text *path, text *message) {
    char heddle[NATIVE_PATH_SIZE];
    ssize_t length = readlink("/proc/self/exe", heddle, sizeof heddle - 1);
    command c = {0};
    heddle[length > 0 ? length : 0] = '\0';
    text_format(path, "%s/heddle", directory);
    const char *words[] = {"objcopy", "--strip-all", heddle, text_string(path), NULL};
    command_add(&c, words);
    bool written = command_run(&c);
    vector_free(&c);
    if (!written) {
        text_format(message, "cannot copy %s for gdb: objcopy failed", heddle);
    }
    return written;
}

/* ---- gdb ---- */

static void ignore(int signal) {
    (void)signal;
}

/* Interrupts go to gdb. */
static int wait_for(pid_t process) {
    struct sigaction action = {.sa_handler = ignore}, old_interrupt, old_quit;
    int status = 0;
    sigaction(SIGINT, &action, &old_interrupt);
    sigaction(SIGQUIT, &action, &old_quit);
    while (process > 0 && waitpid(process, &status, 0) < 0 && errno == EINTR) {
    }
    sigaction(SIGINT, &old_interrupt, NULL);
    sigaction(SIGQUIT, &old_quit, NULL);
    return process > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : EXIT_USAGE;
}

/* Arguments after -- are for gdb, and come after heddle's own. */
static int start(const settings *wanted, const job *j, const char *debuggee) {
    text script = {0}, opening = {0}, schedule = {0};
    command c = {0};
    text_format(&script, "%s/heddle.py", j->directory);
    text_format(&opening, "heddle open %s", j->directory);
    text_format(&schedule, "%s/schedule", j->directory);
    const char *first[] = {"gdb",  "-q",
                           "-iex", "set print symbol-loading off",
                           "-x",   text_string(&script),
                           "-ex",  text_string(&opening),
                           NULL};
    const char *last[] = {"--args", debuggee, "debuggee", text_string(&schedule), j->path, NULL};
    command_add(&c, first);
    vector_append(&c, wanted->arguments.items, wanted->arguments.count);
    command_add(&c, last);
    if (j->settings->allow_files) {
        vector_push(&c, "--allow-files");
    }
    setenv("SHELL", "/bin/sh", 1); /* gdb starts programs with it */
    fflush(NULL);
    int status = wait_for(command_start(&c));
    vector_free(&c);
    text_free(&script);
    text_free(&opening);
    text_free(&schedule);
    return status;
}

int gdb_run(const settings *wanted, const job *j, const char *contents) {
    text message = {0}, debuggee = {0};
    bool ready =
        write_files(j, contents, &message) && write_debuggee(j->directory, &debuggee, &message);
    int status =
        ready ? start(wanted, j, text_string(&debuggee)) : usage_error("%s", text_string(&message));
    text_free(&message);
    text_free(&debuggee);
    return status;
}
