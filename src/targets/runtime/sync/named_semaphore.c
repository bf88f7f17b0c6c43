/* Named semaphores. A program starts without any. They lie in an array of the program's own, so
 * that everything else about them is that of other semaphores (semaphore.c); names and how often
 * each is open are a hidden part. */
#include "targets/runtime/sync/named_semaphore.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>

#include "targets/runtime/kernel/ranges.h"
#include "targets/runtime/kernel/symbols.h"
#include "targets/runtime/memory/hidden.h"
#include "targets/runtime/sync/semaphore.h"

static sem_t *fail(int error) {
    errno = error;
    return SEM_FAILED;
}

static named_semaphore *table(void) {
    return ((named_semaphores *)hidden_data(HIDDEN_SEMAPHORES))->items;
}

static const sem_t *array; /* the program's */

const char *named_semaphore_at(uintptr_t address) {
    uintptr_t i = (address - (uintptr_t)array) / sizeof *array;
    bool found = array && i < NAMED_SEMAPHORES_MAX && table()[i].name[0];
    return found ? table()[i].name : NULL;
}

_Static_assert(NAMED_SEMAPHORES_MAX == 16 && NAMED_SEMAPHORE_SIZE == 64, "messages name them");

static bool is_used(const named_semaphore *s) {
    return s->opened || s->named;
}

static named_semaphore *find(const char *name) {
    for (uint32_t i = 0; i < NAMED_SEMAPHORES_MAX; i++) {
        if (table()[i].named && strcmp(table()[i].name, name) == 0) {
            return &table()[i];
        }
    }
    return NULL;
}

static named_semaphore *find_unused(void) {
    for (uint32_t i = 0; i < NAMED_SEMAPHORES_MAX; i++) {
        if (!is_used(&table()[i])) {
            return &table()[i];
        }
    }
    return NULL;
}

static void begin(const char *name, const char *function, const void *here) {
    section_forbid(runtime.current, function, location_of(here));
    if (name) {
        reads(name, strlen(name) + 1, here);
    }
    hidden_change(HIDDEN_SEMAPHORES, here);
}

static sem_t *create(const char *name, unsigned value, sem_t *places, const void *here) {
    named_semaphore *s = find_unused();
    if (!s) {
        heddle_unsupported("more than 16 named semaphores", here);
    }
    if (value > SEM_VALUE_MAX) {
        return fail(EINVAL);
    }
    strcpy(s->name, name);
    s->named = true;
    s->opened = 1;
    semaphore_create(&places[s - table()], value);
    return &places[s - table()];
}

sem_t *heddle_sem_open_in(const char *name, int flags, unsigned value, void *memory,
                          const void *here) {
    sem_t *places = memory;
    array = places;
    begin(name, "sem_open", here);
    if (strlen(name) >= NAMED_SEMAPHORE_SIZE) {
        heddle_unsupported("sem_open of a name with more than 63 bytes", here);
    }
    named_semaphore *s = find(name);
    if (!s) {
        return flags & O_CREAT ? create(name, value, places, here) : fail(ENOENT);
    }
    if (flags & O_CREAT && flags & O_EXCL) {
        return fail(EEXIST);
    }
    if (!s->opened++) {
        semaphore_set_usable(&places[s - table()], true);
    }
    return &places[s - table()];
}

int heddle_sem_close_in(sem_t *semaphore, void *memory, const void *here) {
    begin(NULL, "sem_close", here);
    uintptr_t i = (uintptr_t)(semaphore - (sem_t *)memory);
    if (i >= NAMED_SEMAPHORES_MAX || !table()[i].opened) {
        const char *name = named_semaphore_at((uintptr_t)semaphore);
        runtime_fail(runtime.current, ERROR_MISUSE, location_of(here),
                     "sem_close of %s%sa semaphore that is not open", name ? name : "",
                     name ? ", " : "");
    }
    if (!--table()[i].opened) {
        semaphore_set_usable(semaphore, false);
    }
    return 0;
}

int heddle_sem_unlink(const char *name) {
    begin(name, "sem_unlink", HERE);
    named_semaphore *s = find(name);
    if (!s) {
        errno = ENOENT;
        return -1;
    }
    s->named = false;
    return 0;
}
