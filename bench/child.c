#include "bench/child.h"

#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* A child does not outlive the tool, nor its time. */
static void limit_child(uint32_t seconds) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    struct rlimit limit = {.rlim_cur = seconds, .rlim_max = seconds + 5};
    setrlimit(RLIMIT_CPU, &limit);
}

static enum child_end end_of(int status) {
    if (WIFSIGNALED(status)) {
        return WTERMSIG(status) == SIGXCPU ? CHILD_TIMEOUT : CHILD_FAILED;
    }
    return WEXITSTATUS(status) == 0 ? CHILD_DONE : CHILD_FAILED;
}

static _Noreturn void work_and_tell(child_work *work, const void *request, void *result,
                                    size_t size, int out) {
    bool done = work(request, result) && write(out, result, size) == (ssize_t)size;
    _exit(done ? 0 : 1);
}

enum child_end child_run(child_work *work, const void *request, void *result, size_t size,
                         uint32_t most_seconds) {
    int ends[2], status;
    fflush(NULL);
    if (pipe(ends) != 0) {
        return CHILD_FAILED;
    }
    pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        limit_child(most_seconds);
        work_and_tell(work, request, result, size, ends[1]);
    }
    close(ends[1]);
    bool received = child > 0 && read(ends[0], result, size) == (ssize_t)size;
    close(ends[0]);
    if (child < 0 || waitpid(child, &status, 0) != child) {
        return CHILD_FAILED;
    }
    return received                          ? end_of(status)
           : end_of(status) == CHILD_TIMEOUT ? CHILD_TIMEOUT
                                             : CHILD_FAILED;
}

static double seconds_of(struct timeval t) {
    return (double)t.tv_sec + (double)t.tv_usec * 1e-6;
}

enum child_end child_command(char *const *argv, FILE *output, uint32_t most_seconds,
                             command_figures *figures) {
    struct rusage usage;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        limit_child(most_seconds);
        dup2(fileno(output), STDOUT_FILENO);
        dup2(fileno(output), STDERR_FILENO);
        execvp(argv[0], argv);
        _exit(127);
    }
    if (child < 0 || wait4(child, &figures->status, 0, &usage) != child) {
        return CHILD_FAILED;
    }
    enum child_end end = end_of(figures->status);
    figures->seconds = seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime);
    figures->peak_bytes = (uint64_t)usage.ru_maxrss * 1024;
    return end;
}

uint64_t child_peak_bytes(void) {
    FILE *status = fopen("/proc/self/status", "r");
    char line[256];
    uint64_t kilobytes = 0;
    while (status && fgets(line, sizeof line, status)) {
        if (sscanf(line, "VmHWM: %" SCNu64, &kilobytes) == 1) {
            break;
        }
    }
    if (status) {
        fclose(status);
    }
    return kilobytes * 1024;
}
