/* <threads.h>: the same objects and steps as those of <pthread.h>; only the names of results
 * differ. */
#include <errno.h>
#include <pthread.h>
#include <threads.h>

#include "targets/runtime/kernel/access.h"
#include "targets/runtime/kernel/location.h"
#include "targets/runtime/kernel/symbols.h"
#include "targets/runtime/kernel/threads.h"
#include "targets/runtime/sync/clock.h"
#include "targets/runtime/sync/condition.h"
#include "targets/runtime/sync/mutex.h"

_Static_assert(sizeof(mtx_t) == sizeof(pthread_mutex_t), "a mutex");
_Static_assert(sizeof(cnd_t) == sizeof(pthread_cond_t), "a condition");

static int result_of(int error) {
    return error == 0           ? thrd_success
           : error == EBUSY     ? thrd_busy
           : error == ETIMEDOUT ? thrd_timedout
           : error == ENOMEM    ? thrd_nomem
                                : thrd_error;
}

static pthread_mutex_t *mutex_of(mtx_t *mutex) {
    return (pthread_mutex_t *)mutex;
}

static pthread_cond_t *condition_of(cnd_t *condition) {
    return (pthread_cond_t *)condition;
}

/* ---- threads ---- */

int heddle_thrd_create(thrd_t *thread, thrd_start_t start, void *argument) {
    runtime_thread *t = runtime.current;
    if (!t) {
        return thrd_error; /* in a constructor */
    }
    /* An int is returned in the same register as a pointer. */
    void *(*returns_pointer)(void *) = (void *(*)(void *))(void (*)(void))start;
    pthread_t id =
        threads_start(t, NULL, returns_pointer, argument, "thrd_create", LOCATION_HERE());
    access_plain(thread, sizeof *thread, ACCESS_WRITE, __builtin_return_address(0));
    *thread = id;
    return thrd_success;
}

int heddle_thrd_join(thrd_t id, int *result) {
    void *returned;
    int error = threads_join(id, &returned, "thrd_join", LOCATION_HERE());
    if (!error && result) {
        access_plain(result, sizeof *result, ACCESS_WRITE, __builtin_return_address(0));
        *result = (int)(intptr_t)returned;
    }
    return result_of(error);
}

int heddle_thrd_detach(thrd_t id) {
    return result_of(threads_detach(id, "thrd_detach", LOCATION_HERE()));
}

_Noreturn void heddle_thrd_exit(int result) {
    heddle_pthread_exit((void *)(intptr_t)result);
}

thrd_t heddle_thrd_current(void) {
    return heddle_pthread_self();
}

int heddle_thrd_equal(thrd_t first, thrd_t second) {
    return first == second;
}

void heddle_thrd_yield(void) {
    heddle_sched_yield();
}

int heddle_thrd_sleep(const struct timespec *duration, struct timespec *rest) {
    return heddle_nanosleep(duration, rest);
}

/* ---- mutexes ---- */

int heddle_mtx_init(mtx_t *mutex, int type) {
    int kind = type & mtx_recursive ? PTHREAD_MUTEX_RECURSIVE : PTHREAD_MUTEX_NORMAL;
    mutex_init(mutex_of(mutex), kind, LOCATION_HERE());
    return thrd_success;
}

void heddle_mtx_destroy(mtx_t *mutex) {
    mutex_destroy(mutex_of(mutex), LOCATION_HERE());
}

int heddle_mtx_lock(mtx_t *mutex) {
    runtime_before_park();
    return result_of(mutex_lock(mutex_of(mutex), LOCATION_HERE()));
}

int heddle_mtx_trylock(mtx_t *mutex) {
    return result_of(mutex_try(mutex_of(mutex), EBUSY, LOCATION_HERE()));
}

int heddle_mtx_timedlock(mtx_t *mutex, const struct timespec *time) {
    return result_of(
        mutex_lock_until(mutex_of(mutex), clock_deadline(CLOCK_REALTIME, time), LOCATION_HERE()));
}

int heddle_mtx_unlock(mtx_t *mutex) {
    runtime_before_park();
    return result_of(mutex_unlock(mutex_of(mutex), LOCATION_HERE()));
}

/* ---- conditions ---- */

int heddle_cnd_init(cnd_t *condition) {
    condition_init(condition_of(condition), LOCATION_HERE());
    return thrd_success;
}

void heddle_cnd_destroy(cnd_t *condition) {
    condition_destroy(condition_of(condition), LOCATION_HERE());
}

int heddle_cnd_wait(cnd_t *condition, mtx_t *mutex) {
    return result_of(condition_wait(condition_of(condition), mutex_of(mutex), LOCATION_HERE()));
}

int heddle_cnd_timedwait(cnd_t *condition, mtx_t *mutex, const struct timespec *time) {
    return result_of(condition_wait_until(condition_of(condition), mutex_of(mutex),
                                          clock_deadline(CLOCK_REALTIME, time), LOCATION_HERE()));
}

int heddle_cnd_signal(cnd_t *condition) {
    return result_of(condition_signal(condition_of(condition), LOCATION_HERE()));
}

int heddle_cnd_broadcast(cnd_t *condition) {
    return result_of(condition_broadcast(condition_of(condition), LOCATION_HERE()));
}
