/* Sends and receives as tests write them down. */
#ifndef HEDDLE_DPOR_MAIL_TEST_H
#define HEDDLE_DPOR_MAIL_TEST_H

#include "core/footprint.h"

/* A mailbox is object 10; object 11 stands for "any", objects from 12 on for tags. */
enum { MAILBOX = 10, ANY, FIRST_TAG };

static inline footprint send(uint32_t tag) {
    memory_access accesses[] = {{MAILBOX, ACCESS_ALL_BYTES, ACCESS_SEND},
                                {ANY, ACCESS_ALL_BYTES, ACCESS_WRITE},
                                {FIRST_TAG + tag, ACCESS_ALL_BYTES, ACCESS_WRITE}};
    return footprint_of(accesses, 3);
}

static inline footprint receive(uint32_t tag) {
    return footprint_single((memory_access){FIRST_TAG + tag, 0, ACCESS_READ});
}

static inline footprint receive_any(void) {
    return footprint_single((memory_access){ANY, 0, ACCESS_READ});
}

#endif
