/* Thread-specific values: pthread_key_*, tss_*. They belong to one thread, so nothing here is a
 * step. A key's number depends on the thread that creates it and on how many that one has created
 * before, and on nothing else. */
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <threads.h>

#include "targets/runtime/kernel/access.h"
#include "targets/runtime/kernel/keys.h"
#include "targets/runtime/kernel/location.h"
#include "targets/runtime/kernel/symbols.h"
#include "targets/runtime/sync/section.h"

typedef void destructor_function(void *);

/* By number: who creates it, and what is called for values that are left. They outlive executions.
 */
static struct {
    uint32_t creator, creation;
    destructor_function *destructor;
} keys[RUNTIME_KEYS];
static uint32_t key_count;
_Static_assert(RUNTIME_KEYS % 64 == 0, "runtime_thread.keys_deleted has a bit for each");
_Static_assert(sizeof(tss_t) == sizeof(pthread_key_t), "tss_* passes them on");

void keys_close(void) {
    key_count = 0;
}

static uint32_t find(uint32_t creator, uint32_t creation) {
    uint32_t key = 0;
    while (key < key_count && (keys[key].creator != creator || keys[key].creation != creation)) {
        key++;
    }
    return key;
}

static uint32_t create(runtime_thread *t, destructor_function *destructor, uint32_t location) {
    uint32_t key = find(t->number, t->keys_created);
    if (key == RUNTIME_KEYS) {
        runtime_fail(t, ERROR_UNSUPPORTED, location, "unsupported: more than %d keys",
                     RUNTIME_KEYS);
    }
    CHECK(key <= key_count); /* it has a number, or takes the next */
    key_count = key == key_count ? key + 1 : key_count;
    keys[key].creator = t->number;
    t->tail_used = true;
    keys[key].creation = t->keys_created++;
    keys[key].destructor = destructor;
    return key;
}

static bool is_key(const runtime_thread *t, unsigned key) {
    const uint64_t *deleted = runtime.threads[RUNTIME_MAIN].keys_deleted;
    return t && key < key_count && !(deleted[key / 64] >> key % 64 & 1);
}

/* Destructors may set values again, and are then called again, at least as often as POSIX demands.
 * */
void keys_destroy(runtime_thread *t) {
    for (int round = 0; round < PTHREAD_DESTRUCTOR_ITERATIONS; round++) {
        bool left = false;
        for (uint32_t key = 0; key < key_count; key++) {
            void *value = t->keys[key];
            if (value && is_key(t, key) && keys[key].destructor) {
                t->keys[key] = NULL;
                left = true;
                keys[key].destructor(value);
            }
        }
        if (!left) {
            return;
        }
    }
}

int heddle_pthread_key_create(pthread_key_t *key, void (*destructor)(void *)) {
    runtime_thread *t = runtime.current;
    if (!t) {
        return EAGAIN;
    }
    section_forbid(t, "pthread_key_create", LOCATION_HERE());
    uint32_t number = create(t, destructor, LOCATION_HERE());
    access_plain(key, sizeof *key, ACCESS_WRITE, __builtin_return_address(0));
    *key = number;
    return 0;
}

/* Destructors are not called for the values that threads still have. */
int heddle_pthread_key_delete(pthread_key_t key) {
    if (!is_key(runtime.current, key)) {
        return EINVAL;
    }
    runtime_thread *main = &runtime.threads[RUNTIME_MAIN];
    undo_record(main);
    main->tail_used = true;
    main->keys_deleted[key / 64] |= (uint64_t)1 << key % 64;
    return 0;
}

int heddle_pthread_setspecific(pthread_key_t key, const void *value) {
    runtime_thread *t = runtime.current;
    if (!is_key(t, key)) {
        return EINVAL;
    }
    CHECK(key < RUNTIME_KEYS);
    t->keys[key] = (void *)value;
    t->tail_used = true;
    return 0;
}

void *heddle_pthread_getspecific(pthread_key_t key) {
    runtime_thread *t = runtime.current;
    return is_key(t, key) ? t->keys[key] : NULL;
}

int heddle_tss_create(tss_t *key, void (*destructor)(void *)) {
    runtime_thread *t = runtime.current;
    section_forbid(t, "tss_create", LOCATION_HERE());
    uint32_t number = create(t, destructor, LOCATION_HERE());
    access_plain(key, sizeof *key, ACCESS_WRITE, __builtin_return_address(0));
    *key = number;
    return thrd_success;
}

void heddle_tss_delete(tss_t key) {
    heddle_pthread_key_delete(key);
}

int heddle_tss_set(tss_t key, void *value) {
    return heddle_pthread_setspecific(key, value) ? thrd_error : thrd_success;
}

void *heddle_tss_get(tss_t key) {
    return heddle_pthread_getspecific(key);
}
