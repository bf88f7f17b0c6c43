#include "runtime/access.h"

#include <string.h>

#include "runtime/foreign.h"
#include "runtime/section.h"

/* errno is libc's, one per operating-system thread, and switched with the fibers. */
static bool is_error_number(uintptr_t address) {
    return address - (uintptr_t)runtime.error_number < sizeof(int);
}

/* What was written can be read after the step. */
static void set_value_place(runtime_thread *t, uintptr_t address, size_t size, uint8_t mode) {
    if (size <= 8 && space_contains(address) && mode != ACCESS_READ) {
        t->value_address = address;
        t->value_size = (uint32_t)size;
    }
}

static enum operation_kind plain_kind(uint8_t mode) {
    return mode == ACCESS_READ ? OPERATION_READ : OPERATION_WRITE;
}

void access_announce(runtime_thread *t, uintptr_t address, size_t size, uint8_t mode,
                     const void *return_address) {
    if (unlikely(!space_contains(address))) {
        if (is_error_number(address) || space_constant(address)) {
            return;
        }
        foreign_access(address, return_address);
    }
    uint32_t location = location_entry(return_address);
    space_touch(t, address, size);
    if (unlikely((location & LOCATION_COMPOUND) && mode == ACCESS_WRITE)) {
        t->deferred_address = address;
        t->deferred_size = size;
        return;
    }
    location &= ~LOCATION_COMPOUND;
    footprint f;
    if (unlikely(t->deferred_size)) {
        f = space_two_ranges(t->deferred_address, t->deferred_size, ACCESS_WRITE, address, size,
                             mode);
        address = t->deferred_address;
        size = t->deferred_size;
        mode = ACCESS_WRITE;
        t->deferred_size = 0;
    } else {
        f = space_footprint(address, size, mode);
    }
    if (unlikely(t->section_depth)) {
        section_access(t, address, size, mode, f, location);
        return;
    }
    runtime_prepare(t, plain_kind(mode), space_object(address) | OBJECT_OFFSET(address), f,
                    location);
    set_value_place(t, address, size, mode);
    runtime_park(t);
    race_plain(t, f, location);
}

void access_two(const void *first, size_t first_size, uint8_t first_mode, const void *second,
                size_t second_size, uint8_t second_mode, const void *return_address) {
    runtime_thread *t = runtime.current;
    if (!t) {
        return;
    }
    uintptr_t a = (uintptr_t)first, b = (uintptr_t)second;
    if (first_size && (space_private(t, a, first_size) || space_constant(a))) {
        first_size = 0;
    }
    if (second_size && (space_private(t, b, second_size) || space_constant(b))) {
        second_size = 0;
    }
    if (!first_size || !second_size) {
        if (first_size) {
            access_announce(t, a, first_size, first_mode, return_address);
        } else if (second_size) {
            access_announce(t, b, second_size, second_mode, return_address);
        }
        return;
    }
    uint32_t location = location_of(return_address);
    foreign_access(a, return_address);
    foreign_access(b, return_address);
    space_touch(t, a, first_size);
    space_touch(t, b, second_size);
    footprint f = space_two_ranges(a, first_size, first_mode, b, second_size, second_mode);
    if (t->section_depth) {
        section_access(t, a, first_mode == ACCESS_READ ? 0 : first_size, first_mode, f, location);
        return;
    }
    enum operation_kind kind = plain_kind(first_mode | second_mode);
    runtime_prepare(t, kind, space_object(first_mode == ACCESS_READ ? b : a), f, location);
    runtime_park(t);
    race_plain(t, f, location);
}

bool access_atomic_rare(runtime_thread *t, uintptr_t address, size_t size, enum operation_kind kind,
                        uint8_t mode, const void *return_address) {
    foreign_access(address, return_address);
    space_touch(t, address, size);
    uint32_t location = location_of(return_address);
    footprint f = space_footprint(address, size, mode);
    if (t->section_depth) {
        section_access(t, address, size, mode, f, location);
        return false;
    }
    runtime_prepare(t, kind, space_object(address) | OBJECT_OFFSET(address), f, location);
    t->atomic_footprint = f;
    t->atomic_location = location;
    runtime_park(t);
    return true;
}

bool access_compare(const volatile void *address, const void *expected, size_t size,
                    const void *return_address) {
    runtime_thread *t = runtime.current;
    uintptr_t a = (uintptr_t)address, e = (uintptr_t)expected;
    space_touch(t, a, size);
    uint32_t location = location_of(return_address);
    if (unlikely(t->section_depth)) {
        bool same = memcmp((const void *)a, expected, size) == 0;
        uint8_t mode = same ? ACCESS_READ_WRITE : ACCESS_READ;
        section_access(t, a, size, mode, space_footprint(a, size, mode), location);
        if (!space_private(t, e, size)) {
            mode = same ? ACCESS_READ : ACCESS_READ_WRITE;
            section_access(t, e, size, mode, space_footprint(e, size, mode), location);
        }
        return false;
    }
    t->compare_shares = !space_private(t, e, size);
    if (t->compare_shares) {
        space_touch(t, e, size);
    }
    footprint single = space_footprint(a, size, ACCESS_READ);
    if (likely(!t->compare_shares)) {
        t->compare_success = space_footprint(a, size, ACCESS_READ_WRITE);
        t->compare_failure = single;
    } else {
        t->compare_success = space_two_ranges(a, size, ACCESS_READ_WRITE, e, size, ACCESS_READ);
        t->compare_failure = space_two_ranges(a, size, ACCESS_READ, e, size, ACCESS_READ_WRITE);
    }
    t->compare_address = a;
    t->compare_expected = e;
    t->compare_size = (uint32_t)size;
    runtime_prepare(t, OPERATION_CAS, space_object(a) | OBJECT_OFFSET(a), t->compare_success,
                    location);
    t->atomic_location = location;
    t->pending.flags |= OPERATION_VARIES;
    if (size <= 8) {
        memcpy((char *)&t->pending.expected + (a & 7), expected, size <= 8 - (a & 7) ? size : 0);
    }
    if (space_readable(a, size) && space_readable(e, size)) { /* else the step itself faults */
        t->refresh = REFRESH_COMPARE;
    }
    runtime_park(t);
    t->atomic_footprint = single;
    if (unlikely(t->compare_shares)) {
        race_plain(t, space_footprint(e, size, ACCESS_READ), location);
    }
    return true;
}

void access_compare_done(bool same, int order, int failure_order) {
    runtime_thread *t = runtime.current;
    access_atomic_done(same ? ACCESS_READ_WRITE : ACCESS_READ, same ? order : failure_order, same);
    if (unlikely(t->compare_shares && !same)) { /* behind what the failing read acquired */
        race_plain(t, space_footprint(t->compare_expected, t->compare_size, ACCESS_WRITE),
                   t->atomic_location);
    }
}
