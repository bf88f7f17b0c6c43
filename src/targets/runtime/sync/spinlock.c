/* Spin locks. A thread that spins does nothing but wait, so it is blocked like one that waits for a
 * mutex; one that spins for its own lock is blocked forever. There is no static initialiser: memory
 * that pthread_spin_init never saw is no spin lock (on x86-64 zeroes would be a locked one). */
#include <errno.h>
#include <pthread.h>

#include "targets/runtime/kernel/location.h"
#include "targets/runtime/kernel/symbols.h"
#include "targets/runtime/sync/sync.h"

/* What the program's variable holds; never the state of the lock. */
enum { SPINLOCK_READY = 1, SPINLOCK_DESTROYED = -1 };

static const sync_class spinlock_class = {.name = "spin lock",
                                          .logged = true,
                                          .in_use = "is locked",
                                          .changed = "initialising or destroying a spin lock",
                                          .is_enabled = sync_is_unowned};

static void check_usable(runtime_thread *t, uint32_t index, uint32_t location) {
    const pthread_spinlock_t *lock = (const pthread_spinlock_t *)syncs.objects[index].address;
    sync_check(t, lock, sizeof *lock, location);
    if (unlikely(*lock != SPINLOCK_READY)) {
        bool destroyed = *lock == SPINLOCK_DESTROYED;
        sync_fail_use(t, index, destroyed ? "was destroyed" : "was not initialised", location);
    }
}

int heddle_pthread_spin_init(pthread_spinlock_t *lock, int shared) {
    runtime_thread *t = runtime.current;
    (void)shared; /* there is one process */
    if (t) {
        sync_change(t, (void *)lock, sizeof *lock, &spinlock_class, OPERATION_INIT,
                    LOCATION_HERE());
    }
    undo_write((uintptr_t)lock, sizeof *lock);
    *lock = SPINLOCK_READY;
    return 0;
}

int heddle_pthread_spin_destroy(pthread_spinlock_t *lock) {
    runtime_thread *t = runtime.current;
    if (!t) {
        return 0;
    }
    uint32_t location = LOCATION_HERE();
    uint32_t index =
        sync_change(t, (void *)lock, sizeof *lock, &spinlock_class, OPERATION_DESTROY, location);
    check_usable(t, index, location);
    undo_write((uintptr_t)lock, sizeof *lock);
    *lock = SPINLOCK_DESTROYED;
    return 0;
}

static FIBER_RETURN int lock_spinlock(pthread_spinlock_t *lock, uint32_t location) {
    runtime_thread *t = runtime.current;
    uint32_t index = sync_at(lock, &spinlock_class);
    if (unlikely(t->section_depth)) {
        section_sync(t, index, "pthread_spin_lock", location);
    }
    sync_block(t, index, OPERATION_LOCK, location);
    check_usable(t, index, location);
    sync_take(t, index);
    return 0;
}

int heddle_pthread_spin_lock(pthread_spinlock_t *lock) {
    if (unlikely(!runtime.current)) {
        return 0;
    }
    runtime_before_park();
    return lock_spinlock(lock, LOCATION_HERE());
}

int heddle_pthread_spin_trylock(pthread_spinlock_t *lock) {
    runtime_thread *t = runtime.current;
    if (!t) {
        return 0;
    }
    uint32_t location = LOCATION_HERE(), index = sync_at(lock, &spinlock_class);
    if (unlikely(t->section_depth)) {
        section_sync(t, index, "pthread_spin_trylock", location);
    }
    sync_step(t, index, OPERATION_TRYLOCK, location);
    sync_arrive(t, index);
    check_usable(t, index, location);
    if (!sync_is_free(&syncs.objects[index])) {
        return EBUSY;
    }
    sync_take(t, index);
    t->value = 1;
    return 0;
}

static FIBER_RETURN int unlock_spinlock(pthread_spinlock_t *lock, uint32_t location) {
    runtime_thread *t = runtime.current;
    uint32_t index = sync_at(lock, &spinlock_class);
    if (unlikely(t->section_depth)) {
        section_sync(t, index, "pthread_spin_unlock", location);
    }
    if (unlikely(!sync_owned(t, index))) {
        runtime_fail(t, ERROR_MISUSE, location,
                     "unlock of a spin lock that the thread does not hold");
    }
    sync_step(t, index, OPERATION_UNLOCK, location);
    sync_check(t, lock, sizeof *lock, location);
    sync_give(t, index);
    return 0;
}

int heddle_pthread_spin_unlock(pthread_spinlock_t *lock) {
    if (unlikely(!runtime.current)) {
        return 0;
    }
    runtime_before_park();
    return unlock_spinlock(lock, LOCATION_HERE());
}
