#include "dpor/messages.h"

/* Accesses without bytes name the messages that a receive would take. */
static bool takes(const memory_access *wanted, const memory_access *sent) {
    return !wanted->bytes && sent->mode & ACCESS_WRITE;
}

bool message_matches_exactly(footprint receive, footprint send) {
    return footprint_any_pair(receive, send, takes);
}

bool message_take(message_list *list, footprint receive, sent_message *taken) {
    for (uint32_t i = 0; i < list->messages.count; i++) {
        if (message_matches(receive, vector_at(&list->messages, i).send)) {
            *taken = vector_at(&list->messages, i);
            vector_remove(&list->messages, i, 1);
            return true;
        }
    }
    return false;
}
