/* The client requests of valgrind that say something to a race detector. The macros of its headers
 * (<valgrind/helgrind.h>, <valgrind/drd.h>) are inline assembly that does nothing outside of
 * valgrind; heddle calls this function before it (targets/native/assembly.h). All other requests do
 * nothing, and return what they return without valgrind. */
#include "targets/runtime/kernel/location.h"
#include "targets/runtime/sync/annotation.h"
#include "targets/runtime/sync/benign.h"

#define TOOL(a, b) ((a) << 24 | (b) << 16)

/* Numbers and meaning of arguments are part of valgrind's binary interface. */
enum {
    HELGRIND_UNLOCK_PRE = TOOL('H', 'G') + 261,
    HELGRIND_LOCK_POST = TOOL('H', 'G') + 264,
    HELGRIND_RWLOCK_ACQUIRED = TOOL('H', 'G') + 273, /* lock, whether it is a writer */
    HELGRIND_RWLOCK_RELEASED = TOOL('H', 'G') + 274, /* lock */
    HELGRIND_SEM_RELEASED = TOOL('H', 'G') + 278,
    HELGRIND_SEM_ACQUIRED = TOOL('H', 'G') + 279,
    HELGRIND_HAPPENS_BEFORE = TOOL('H', 'G') + 289,
    HELGRIND_HAPPENS_AFTER = TOOL('H', 'G') + 290,
    HELGRIND_FORGET_ALL = TOOL('H', 'G') + 291,
    HELGRIND_UNTRACKED = TOOL('H', 'G') + 295, /* address, size */
    HELGRIND_TRACKED = TOOL('H', 'G') + 296,
    DRD_SUPPRESSION_START = TOOL('D', 'R') + 2, /* address, size */
    DRD_SUPPRESSION_FINISH = TOOL('D', 'R') + 3,
    DRD_SEM_ACQUIRED = TOOL('D', 'R') + 13,
    DRD_SEM_RELEASED = TOOL('D', 'R') + 14,
};

void heddle_client_request(const uintptr_t *request, size_t unused, const void *return_address);

/* The number and five arguments. The mode in which a lock is released is that in which this thread
 * has acquired it: helgrind's macro does not pass it. */
void heddle_client_request(const uintptr_t *request, size_t unused, const void *return_address) {
    (void)unused;
    uint32_t location = location_of(return_address);
    const void *place = (const void *)request[1];
    switch (request[0]) {
        case HELGRIND_LOCK_POST: annotation_lock(place, false, location); break;
        case HELGRIND_UNLOCK_PRE: annotation_unlock(place, false, location); break;
        case HELGRIND_RWLOCK_ACQUIRED: annotation_lock(place, !request[2], location); break;
        case HELGRIND_RWLOCK_RELEASED:
            annotation_unlock(place, !annotation_is_owner(place), location);
            break;
        case DRD_SEM_RELEASED:
        case HELGRIND_SEM_RELEASED:
        case HELGRIND_HAPPENS_BEFORE: annotation_release(place, location); break;
        case DRD_SEM_ACQUIRED:
        case HELGRIND_SEM_ACQUIRED:
        case HELGRIND_HAPPENS_AFTER: annotation_acquire(place, location); break;
        case HELGRIND_FORGET_ALL: annotation_forget(place, location); break;
        case DRD_SUPPRESSION_START:
        case HELGRIND_UNTRACKED: benign_begin(request[1], request[2]); break;
        case DRD_SUPPRESSION_FINISH:
        case HELGRIND_TRACKED: benign_end(request[1], request[2]); break;
        default: break;
    }
}
