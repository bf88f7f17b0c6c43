#include "core/messages.h"

#include "base/check.h"

static bool find_send(footprint f, uint32_t *mailbox) {
    for (uint32_t i = 0, n = footprint_count(f); i < n; i++) {
        access a = footprint_access(f, i);
        if ((a.mode & ACCESS_SEND) == ACCESS_SEND) {
            *mailbox = a.object;
            return true;
        }
    }
    return false;
}

bool message_is_send(footprint f) {
    uint32_t mailbox;
    return footprint_is_set(f) && find_send(f, &mailbox);
}

uint32_t message_mailbox(footprint send) {
    uint32_t mailbox = 0;
    CHECK(find_send(send, &mailbox));
    return mailbox;
}

bool message_is_receive(footprint f) {
    for (uint32_t i = 0, n = footprint_count(f); i < n; i++) {
        if (!footprint_access(f, i).bytes) {
            return true;
        }
    }
    return false;
}

static bool writes(footprint f, uint32_t object) {
    for (uint32_t i = 0, n = footprint_count(f); i < n; i++) {
        access a = footprint_access(f, i);
        if (a.object == object && a.mode & ACCESS_WRITE) {
            return true;
        }
    }
    return false;
}

bool message_matches(footprint receive, footprint send) {
    for (uint32_t i = 0, n = footprint_count(receive); i < n; i++) {
        access wanted = footprint_access(receive, i);
        if (!wanted.bytes && writes(send, wanted.object)) {
            return true;
        }
    }
    return false;
}

bool message_take(message_list *list, footprint receive, sent_message *taken) {
    for (uint32_t i = 0; i < list->messages.count; i++) {
        if (message_matches(receive, list->messages.items[i].send)) {
            *taken = list->messages.items[i];
            for (; i + 1 < list->messages.count; i++) {
                list->messages.items[i] = list->messages.items[i + 1];
            }
            list->messages.count--;
            return true;
        }
    }
    return false;
}
