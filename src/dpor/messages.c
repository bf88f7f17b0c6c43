#include "dpor/messages.h"

static bool writes(const memory_access *accesses, uint32_t count, uint32_t object) {
    for (uint32_t i = 0; i < count; i++) {
        if (accesses[i].object == object && accesses[i].mode & ACCESS_WRITE) {
            return true;
        }
    }
    return false;
}

bool message_matches_exactly(footprint receive, footprint send) {
    memory_access wanted_room, sent_room;
    uint32_t wanted_count, sent_count;
    const memory_access *wanted = footprint_accesses(receive, &wanted_room, &wanted_count);
    const memory_access *sent = footprint_accesses(send, &sent_room, &sent_count);
    for (uint32_t i = 0; i < wanted_count; i++) {
        if (!wanted[i].bytes && writes(sent, sent_count, wanted[i].object)) {
            return true;
        }
    }
    return false;
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
