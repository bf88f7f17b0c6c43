#define _GNU_SOURCE
/* Names, priorities and affinity of threads. Names and priorities are remembered, and have no
 * effect: all orders are explored whatever the priorities are. There is one processor. */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "targets/runtime/kernel/access.h"
#include "targets/runtime/kernel/location.h"
#include "targets/runtime/kernel/symbols.h"
#include "targets/runtime/kernel/threads.h"
#include "targets/runtime/memory/hidden.h"

enum { KEEPS_POLICY = -1 };

/* ---- names ---- */

_Static_assert(THREAD_NAME_SIZE == 16, "what Linux allows, with the zero byte");

/* A step, once a thread has named another one, or asked for its name, in a program that asks; and
 * so for priorities. */
static void announce_name(const runtime_thread *of, bool changes, const void *here) {
    if (runtime.reads_names && of != runtime.current && !hidden_changes(HIDDEN_NAMES)) {
        hidden_expect(HIDDEN_NAMES);
        target_make_stale(space.target);
    }
    if (!hidden_changes(HIDDEN_NAMES)) {
        return;
    }
    if (changes) {
        hidden_change(HIDDEN_NAMES, here);
    } else {
        hidden_read(HIDDEN_NAMES, here);
    }
}

int heddle_pthread_setname_np(pthread_t id, const char *name) {
    runtime_thread *of = threads_by_id(id);
    size_t length = strnlen(name, THREAD_NAME_SIZE);
    if (!of || length == THREAD_NAME_SIZE) {
        return of ? ERANGE : ESRCH;
    }
    access_plain(name, length + 1, ACCESS_READ, __builtin_return_address(0));
    announce_name(of, true, __builtin_return_address(0));
    undo_record(of);
    of->tail_used = true;
    memcpy(of->name, name, length + 1);
    return 0;
}

int heddle_pthread_getname_np(pthread_t id, char *name, size_t size) {
    const runtime_thread *of = threads_by_id(id);
    char shown[THREAD_NAME_SIZE];
    if (!of || size < THREAD_NAME_SIZE) {
        return of ? ERANGE : ESRCH;
    }
    announce_name(of, false, __builtin_return_address(0));
    if (of->name[0]) {
        memcpy(shown, of->name, sizeof shown);
    } else {
        threads_name(of->number, shown, sizeof shown);
    }
    size_t length = strnlen(shown, sizeof shown);
    CHECK(length < sizeof shown);
    access_plain(name, length + 1, ACCESS_WRITE, __builtin_return_address(0));
    memcpy(name, shown, length + 1);
    return 0;
}

/* ---- priorities ---- */

bool threads_can_have(int policy, int priority) {
    int most = sched_get_priority_max(policy & ~SCHED_RESET_ON_FORK);
    int least = sched_get_priority_min(policy & ~SCHED_RESET_ON_FORK);
    return policy >= 0 && most >= 0 && priority >= least && priority <= most;
}

void threads_set_priority(runtime_thread *of, int policy, int priority) {
    if (policy != of->policy || priority != of->priority) {
        CHECK(threads_can_have(policy, priority)); /* asks the system, so not for each thread */
        undo_record(of);
        of->tail_used = true;
        of->policy = policy & ~SCHED_RESET_ON_FORK;
        of->priority = priority;
    }
}

static int set_priority(runtime_thread *of, int policy, int priority, const void *here) {
    if (!of) {
        return ESRCH;
    }
    announce_name(of, true, here);
    policy = policy == KEEPS_POLICY ? of->policy : policy;
    if (!threads_can_have(policy, priority)) {
        return EINVAL;
    }
    threads_set_priority(of, policy, priority);
    return 0;
}

static int read_priority(const struct sched_param *parameters, const void *here) {
    access_plain(parameters, sizeof *parameters, ACCESS_READ, here);
    return parameters->sched_priority;
}

static int give_priority(const runtime_thread *of, int *policy, struct sched_param *parameters,
                         const void *here) {
    if (!of) {
        return ESRCH;
    }
    announce_name(of, false, here);
    int its_policy = of->policy, its_priority = of->priority;
    if (policy) {
        access_plain(policy, sizeof *policy, ACCESS_WRITE, here);
        *policy = its_policy;
    }
    if (parameters) {
        access_plain(parameters, sizeof *parameters, ACCESS_WRITE, here);
        *parameters = (struct sched_param){.sched_priority = its_priority};
    }
    return 0;
}

int heddle_pthread_setschedparam(pthread_t id, int policy, const struct sched_param *parameters) {
    int priority = read_priority(parameters, __builtin_return_address(0));
    return policy < 0
               ? EINVAL
               : set_priority(threads_by_id(id), policy, priority, __builtin_return_address(0));
}

int heddle_pthread_getschedparam(pthread_t id, int *policy, struct sched_param *parameters) {
    return give_priority(threads_by_id(id), policy, parameters, __builtin_return_address(0));
}

int heddle_pthread_setschedprio(pthread_t id, int priority) {
    return set_priority(threads_by_id(id), KEEPS_POLICY, priority, __builtin_return_address(0));
}

/* The thread whose gettid is `number`; the first one is that of the process. */
static runtime_thread *numbered(pid_t number) {
    return number ? threads_by_id((pthread_t)(number - heddle_getpid()) + 1) : runtime.current;
}

static int result_of(int error) {
    errno = error ? error : errno;
    return error ? -1 : 0;
}

int heddle_sched_setscheduler(pid_t process, int policy, const struct sched_param *parameters) {
    int priority = read_priority(parameters, __builtin_return_address(0));
    return result_of(policy < 0 || process < 0 ? EINVAL
                                               : set_priority(numbered(process), policy, priority,
                                                              __builtin_return_address(0)));
}

int heddle_sched_getscheduler(pid_t process) {
    const runtime_thread *of = process < 0 ? NULL : numbered(process);
    if (!of) {
        return result_of(process < 0 ? EINVAL : ESRCH);
    }
    announce_name(of, false, __builtin_return_address(0));
    return of->policy;
}

int heddle_sched_setparam(pid_t process, const struct sched_param *parameters) {
    int priority = read_priority(parameters, __builtin_return_address(0));
    return result_of(process < 0 ? EINVAL
                                 : set_priority(numbered(process), KEEPS_POLICY, priority,
                                                __builtin_return_address(0)));
}

int heddle_sched_getparam(pid_t process, struct sched_param *parameters) {
    return result_of(process < 0 ? EINVAL
                                 : give_priority(numbered(process), NULL, parameters,
                                                 __builtin_return_address(0)));
}

/* ---- affinity: the first processor alone ---- */

static void give_set(size_t size, cpu_set_t *set, const void *here) {
    access_plain(set, size, ACCESS_WRITE, here);
    memset(set, 0, size);
    *(unsigned char *)set = size > 0;
}

int heddle_pthread_setaffinity_np(pthread_t id, size_t size, const cpu_set_t *set) {
    (void)size, (void)set;
    return threads_by_id(id) ? 0 : ESRCH;
}

int heddle_pthread_getaffinity_np(pthread_t id, size_t size, cpu_set_t *set) {
    if (!threads_by_id(id)) {
        return ESRCH;
    }
    give_set(size, set, __builtin_return_address(0));
    return 0;
}

int heddle_sched_setaffinity(pid_t process, size_t size, const cpu_set_t *set) {
    (void)process, (void)size, (void)set;
    return 0;
}

int heddle_sched_getaffinity(pid_t process, size_t size, cpu_set_t *set) {
    (void)process;
    give_set(size, set, __builtin_return_address(0));
    return 0;
}

/* ---- what a thread is like ---- */

int heddle_pthread_getattr_np(pthread_t id, pthread_attr_t *attributes) {
    const runtime_thread *of = threads_by_id(id);
    if (!of) {
        return ESRCH;
    }
    access_plain(attributes, sizeof *attributes, ACCESS_WRITE, __builtin_return_address(0));
    int error = pthread_attr_init(attributes);
    CHECK(of->own_low && of->own_size);
    if (!error) {
        pthread_attr_setdetachstate(
            attributes, of->detached ? PTHREAD_CREATE_DETACHED : PTHREAD_CREATE_JOINABLE);
        error = pthread_attr_setstack(attributes, (void *)of->own_low, of->own_size);
    }
    return error;
}

/* Of another thread, the time is not known. */
int heddle_pthread_getcpuclockid(pthread_t id, clockid_t *clock) {
    if (id != heddle_pthread_self()) {
        heddle_unsupported("pthread_getcpuclockid of another thread", __builtin_return_address(0));
    }
    access_plain(clock, sizeof *clock, ACCESS_WRITE, __builtin_return_address(0));
    *clock = CLOCK_THREAD_CPUTIME_ID;
    return 0;
}

/* ---- whether the thread can be cancelled (cancel.h) ---- */

static int exchange_setting(int *setting, int value, int *old, const void *here) {
    if (old) {
        access_plain(old, sizeof *old, ACCESS_WRITE, here);
        *old = *setting;
    }
    *setting = value;
    runtime.current->tail_used = true;
    return 0;
}

int heddle_pthread_setcancelstate(int state, int *old) {
    runtime_thread *t = runtime.current;
    if (state != PTHREAD_CANCEL_ENABLE && state != PTHREAD_CANCEL_DISABLE) {
        return EINVAL;
    }
    return exchange_setting(&t->cancel_state, state, old, __builtin_return_address(0));
}

int heddle_pthread_setcanceltype(int type, int *old) {
    runtime_thread *t = runtime.current;
    if (type == PTHREAD_CANCEL_ASYNCHRONOUS) {
        runtime_fail(t, ERROR_UNSUPPORTED, LOCATION_HERE(),
                     "unsupported: asynchronous cancellation (pthread_setcanceltype)");
    }
    if (type != PTHREAD_CANCEL_DEFERRED) {
        return EINVAL;
    }
    return exchange_setting(&t->cancel_type, type, old, __builtin_return_address(0));
}
