/* Spin locks, and the locks of OpenMP. A thread that spins does nothing but wait, so it is blocked
 * like one that waits for a mutex; one that spins for its own lock is blocked forever. There is no
 * static initialiser: memory that pthread_spin_init never saw is no spin lock (on x86-64 zeroes
 * would be a locked one). */
#include <errno.h>
#include <pthread.h>

#include "targets/runtime/kernel/location.h"
#include "targets/runtime/kernel/lock_versions.h"
#include "targets/runtime/kernel/spin.h"
#include "targets/runtime/kernel/symbols.h"
#include "targets/runtime/sync/sync.h"

static bool is_usual(const sync_object *s) {
    return !s->count;
}

static const sync_class spinlock_class = {.name = "spin lock",
                                          .in_use = "is locked",
                                          .changed = "initialising or destroying a spin lock",
                                          .is_enabled = sync_is_unowned,
                                          .is_usual = is_usual,
                                          .life = {.size = sizeof(pthread_spinlock_t),
                                                   .destroyed = UINT32_MAX,
                                                   .ready = 1,
                                                   .shows_holders = true,
                                                   .shown = 4}};

/* A critical section of OpenMP: the variable that stands for its name holds zeroes at first. */
static const sync_class critical_class = {
    .name = "critical section",
    .in_use = "is locked",
    .changed = "initialising a critical section",
    .is_enabled = sync_is_unowned,
    .is_usual = is_usual,
    .life = {.size = sizeof(void *), .destroyed = UINT32_MAX, .shows_holders = true, .shown = 4}};

int heddle_pthread_spin_init(pthread_spinlock_t *lock, int shared) {
    (void)shared; /* there is one process */
    sync_init((void *)lock, &spinlock_class, LOCATION_HERE());
    return 0;
}

int heddle_pthread_spin_destroy(pthread_spinlock_t *lock) {
    sync_destroy((void *)lock, &spinlock_class, LOCATION_HERE());
    return 0;
}

static FIBER_RETURN int lock_spinlock(volatile void *lock, const sync_class *class,
                                      uint32_t location) {
    runtime_thread *t = runtime.current;
    uint32_t index = sync_at(lock, class);
    if (unlikely(t->section_depth)) {
        section_sync(t, index, "pthread_spin_lock", location);
    }
    sync_block(t, index, OPERATION_LOCK, location);
    sync_check_usable(t, index, class, location);
    sync_take(t, index);
    return 0;
}

int heddle_pthread_spin_lock(pthread_spinlock_t *lock) {
    if (unlikely(!runtime.current)) {
        return 0;
    }
    runtime_before_park();
    return lock_spinlock(lock, &spinlock_class, LOCATION_HERE());
}

static int try_spinlock(pthread_spinlock_t *lock, uint32_t location) {
    runtime_thread *t = runtime.current;
    if (!t) {
        return 0;
    }
    uint32_t index = sync_at(lock, &spinlock_class);
    if (unlikely(t->section_depth)) {
        section_sync(t, index, "pthread_spin_trylock", location);
    }
    spin_note_try(index);
    sync_step(t, index, OPERATION_TRYLOCK, location);
    sync_arrive(t, index);
    sync_check_usable(t, index, &spinlock_class, location);
    if (!sync_is_free(sync_object_at(index)) || lock_versions_find_held(t, index)) {
        return EBUSY;
    }
    sync_take(t, index);
    t->value = 1;
    return 0;
}

int heddle_pthread_spin_trylock(pthread_spinlock_t *lock) {
    return try_spinlock(lock, LOCATION_HERE());
}

static FIBER_RETURN int unlock_spinlock(volatile void *lock, const sync_class *class,
                                        uint32_t location) {
    runtime_thread *t = runtime.current;
    uint32_t index = sync_at(lock, class);
    if (unlikely(t->section_depth)) {
        section_sync(t, index, "pthread_spin_unlock", location);
    }
    if (unlikely(!sync_owned(t, index))) {
        sync_misuse(t, index, location, "unlock of", "the thread does not hold");
    }
    sync_step(t, index, OPERATION_UNLOCK, location);
    sync_check(t, lock, class->life.size, location);
    sync_give(t, index);
    return 0;
}

int heddle_pthread_spin_unlock(pthread_spinlock_t *lock) {
    if (unlikely(!runtime.current)) {
        return 0;
    }
    runtime_before_park();
    return unlock_spinlock(lock, &spinlock_class, LOCATION_HERE());
}

/* ---- OpenMP ---- */

_Static_assert(sizeof(pthread_spinlock_t) == 4, "that of omp_lock_t");

void heddle_omp_init_lock(void *lock) {
    sync_init(lock, &spinlock_class, LOCATION_HERE());
}

void heddle_omp_destroy_lock(void *lock) {
    sync_destroy(lock, &spinlock_class, LOCATION_HERE());
}

void heddle_omp_set_lock(void *lock) {
    if (likely(runtime.current)) {
        runtime_before_park();
        lock_spinlock(lock, &spinlock_class, LOCATION_HERE());
    }
}

void heddle_omp_unset_lock(void *lock) {
    if (likely(runtime.current)) {
        runtime_before_park();
        unlock_spinlock(lock, &spinlock_class, LOCATION_HERE());
    }
}

int heddle_omp_test_lock(void *lock) {
    return try_spinlock(lock, LOCATION_HERE()) == 0;
}

void heddle_GOMP_critical_name_start(void **name) {
    if (likely(runtime.current)) {
        runtime_before_park();
        lock_spinlock(name, &critical_class, LOCATION_HERE());
    }
}

void heddle_GOMP_critical_name_end(void **name) {
    if (likely(runtime.current)) {
        runtime_before_park();
        unlock_spinlock(name, &critical_class, LOCATION_HERE());
    }
}
