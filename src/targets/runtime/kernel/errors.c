#include "targets/runtime/kernel/errors.h"

#include <string.h>

#include "base/check.h"

/* A step runs its own thread and one that it creates, each of which has a race and another error at
 * most; there is room for as much again. */
enum { MOST_ERRORS = 8 };

static program_error items[MOST_ERRORS], held[MOST_ERRORS];
static uint32_t count, held_count;

void errors_clear(void) {
    count = 0;
}

static bool is_race(const program_error *error) {
    return error->kind == ERROR_DATA_RACE;
}

bool errors_have(uint32_t thread, bool race) {
    for (uint32_t i = 0; i < count; i++) {
        if (items[i].thread == thread && is_race(&items[i]) == race) {
            return true;
        }
    }
    return false;
}

void errors_add(const program_error *error) {
    if (errors_have(error->thread, is_race(error))) {
        return;
    }
    CHECK(count < MOST_ERRORS); /* none is dropped silently */
    uint32_t place = count;
    while (place > 0 && !is_race(error) && is_race(&items[place - 1])) {
        place--;
    }
    memmove(&items[place + 1], &items[place], (count - place) * sizeof items[0]);
    items[place] = *error;
    count++;
    CHECK(place < count);
}

const program_error *errors_first(void) {
    for (uint32_t i = 0; i < count; i++) {
        items[i].next = i + 1 < count ? &items[i + 1] : NULL;
    }
    return count ? &items[0] : NULL;
}

void errors_hold(const program_error *first) {
    for (held_count = 0; first; first = first->next) {
        CHECK(held_count < MOST_ERRORS);
        held[held_count++] = *first;
    }
}

const program_error *errors_release(const program_error *own) {
    if (!held_count) {
        return own;
    }
    program_error part[MOST_ERRORS];
    uint32_t part_count = 0;
    for (; own; own = own->next) {
        part[part_count++] = *own;
    }
    errors_clear();
    for (uint32_t i = 0; i < held_count; i++) {
        errors_add(&held[i]);
    }
    for (uint32_t i = 0; i < part_count; i++) {
        errors_add(&part[i]);
    }
    held_count = 0;
    return errors_first();
}
