#include "oracle/sandbox.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/check.h"

void *sandbox_share(size_t size) {
    void *block = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    CHECK(block != MAP_FAILED);
    return block;
}

void sandbox_unshare(void *block, size_t size) {
    CHECK(munmap(block, size) == 0);
}

void sandbox_limit(uint32_t seconds) {
    struct itimerval limit = {.it_value = {.tv_sec = seconds}};
    CHECK(setitimer(ITIMER_PROF, &limit, NULL) == 0);
}

enum sandbox_end sandbox_judge(int status) {
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) {
        return SANDBOX_RETURNED;
    }
    return WIFSIGNALED(status) && WTERMSIG(status) == SIGPROF ? SANDBOX_TIMED_OUT : SANDBOX_DIED;
}

/* The messages of a dying child are known or expected. */
static void silence(void) {
    int nowhere = open("/dev/null", O_WRONLY);
    if (nowhere >= 0) {
        dup2(nowhere, STDERR_FILENO);
        close(nowhere);
    }
}

enum sandbox_end sandbox_run(void (*function)(void *), void *argument, uint32_t seconds) {
    int status;
    fflush(NULL);
    pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        silence();
        sandbox_limit(seconds);
        function(argument);
        _exit(0);
    }
    CHECK(waitpid(child, &status, 0) == child);
    return sandbox_judge(status);
}
