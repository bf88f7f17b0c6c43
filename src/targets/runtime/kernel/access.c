#include "targets/runtime/kernel/access.h"

#include <string.h>

#include "targets/runtime/kernel/foreign.h"
#include "targets/runtime/memory/heap.h"
#include "targets/runtime/sync/section.h"
#include "targets/runtime/sync/sync.h"

known_access access_known[2][KNOWN_ACCESSES];

enum {
    MOST_KNOWN = 16,    /* bytes: what a callback announces */
    LARGE_RANGE = 4096, /* bytes */
};

/* errno is libc's, one per operating-system thread, and switched with the fibers. */
static bool is_error_number(uintptr_t address) {
    return address - (uintptr_t)runtime.error_number < sizeof(int);
}

/* What was written can be read after the step. */
static void set_value_place(runtime_thread *t, uintptr_t address, size_t size, uint8_t mode) {
    DEBUG_CHECK(!t->value_size); /* runtime_prepare says so */
    if (size <= 8 && space_contains(address) && mode != ACCESS_READ) {
        t->value_address = address;
        t->value_size = (uint32_t)size;
    }
}

static enum operation_kind plain_kind(uint8_t mode) {
    DEBUG_CHECK(mode && mode <= ACCESS_READ_WRITE);
    return mode == ACCESS_READ ? OPERATION_READ : OPERATION_WRITE;
}

/* The first byte represents a large range if no step can conflict with it, because there is only
 * one thread, or if conflicts are ignored: a set of all its granules is several times as large as
 * the range. */
static size_t conflicting_size(size_t size) {
    bool conflicts = runtime.thread_count > 1 && !runtime.conflicts_ignored;
    return size <= LARGE_RANGE || conflicts ? size : 1;
}

/* An access to a wide block also reads the object of its header, which freeing the block writes.
 * Where versions are kept, they are those of one object, and only the race detector looks at it. */
static void add_range(uintptr_t address, size_t size, uint8_t mode) {
    const heap_header *wide = size && !runtime.versions ? heap_wide(address) : NULL;
    space_ranges_add(address, conflicting_size(size), mode);
    if (unlikely(wide)) {
        space_ranges_add((uintptr_t)wide, HEAP_LIFE_BYTES, ACCESS_READ);
    }
    if (sync_may_lie_in(size)) {
        access_add_syncs(address, size, mode);
    }
}

static footprint one_range(uintptr_t address, size_t size, uint8_t mode) {
    if (likely(!heap_wide(address) && !sync_may_lie_in(size))) {
        return space_footprint(address, conflicting_size(size), mode);
    }
    space_ranges_begin();
    add_range(address, size, mode);
    return space_ranges_end();
}

static footprint two_ranges(uintptr_t first, size_t first_size, uint8_t first_mode,
                            uintptr_t second, size_t second_size, uint8_t second_mode) {
    if (!second_size) {
        return one_range(first, first_size, first_mode);
    }
    space_ranges_begin();
    add_range(first, first_size, first_mode);
    add_range(second, second_size, second_mode);
    return space_ranges_end();
}

/* An atomic access to a wide block reads its header as plainly as any other. */
static void race_wide(runtime_thread *t, uintptr_t address, uint32_t location) {
    const heap_header *wide = heap_wide(address);
    if (unlikely(wide)) {
        race_plain(t, (uintptr_t)wide, 1, ACCESS_READ, location);
    }
}

typedef struct access_range {
    uintptr_t address;
    size_t size;
    uint8_t mode;
} access_range;

static bool finds_unlocked(runtime_thread *t, const access_range *r, uint32_t location) {
    if (!sync_may_lie_in(r->size)) {
        return true;
    }
    if (r->mode & ACCESS_WRITE) {
        sync_check_overwriting(t, r->address, r->size, location);
    }
    return access_finds_unlocked(r->address, r->size, r->mode);
}

/* A fault is where the pending operation is: the stack ends with heddle's return address (fault.c).
 */
static __attribute__((noinline)) void touch(uintptr_t address) {
    (void)*(const volatile char *)address;
}

/* Memory that is not the program's has no versions and does not become valid later: where versions
 * are kept, the pending access fails here, before a search that needs versions refuses the
 * program. */
static void check_foreign(runtime_thread *t, uintptr_t address, size_t size, uint8_t mode) {
    if (unlikely(runtime.versions) && size && !space_contains(address)) {
        validity_check(t, address, size, mode, t->pending.location);
        touch(address);
    }
}

/* Takes the step, outside of sections. It is named after the first range; the second one may be
 * empty. */
static void step_plainly(runtime_thread *t, enum operation_kind kind, const access_range *a,
                         const access_range *b, footprint f, bool passing, uint32_t location) {
    DEBUG_CHECK(!t->section_depth && !t->deferred_size);
    runtime_prepare(t, kind, space_object(a->address) | OBJECT_OFFSET(a->address), f, location);
    t->pending.flags |= passing ? OPERATION_PASSING : 0;
    set_value_place(t, a->address, a->size, a->mode);
    check_foreign(t, a->address, a->size, a->mode);
    check_foreign(t, b->address, b->size, b->mode);
    runtime_park(t);
    if (unlikely(sync_may_lie_in(a->size) || sync_may_lie_in(b->size))) {
        t->acquired = finds_unlocked(t, a, location) && finds_unlocked(t, b, location);
    }
}

/* ---- in passing ---- */

/* To decide whether a round of a loop changes anything, every access, and everything that was read,
 * has to be known. */
static void note_plain(runtime_thread *t, uintptr_t address, size_t size, uint8_t mode) {
    DEBUG_CHECK(t == runtime.current && mode && mode <= ACCESS_READ_WRITE);
    if (unlikely(runtime.spinning) && mode == ACCESS_READ && sync_may_lie_in(size)) {
        access_note_read(t, address, size);
    } else if (unlikely(runtime.spinning)) {
        spin_note(t, address, size, mode);
    }
}

/* Ranges go to the race detector one granule at a time: no set of them has to be made. */
static void race_memory(runtime_thread *t, uintptr_t address, size_t size, uint8_t mode,
                        uint32_t location) {
    const heap_header *wide = size ? heap_wide(address) : NULL;
    race_range(t, address, size, mode, location);
    if (unlikely(wide)) {
        race_range(t, (uintptr_t)wide, HEAP_LIFE_BYTES, ACCESS_READ, location);
    }
}

static void race_good_range(runtime_thread *t, uintptr_t address, size_t size, uint8_t mode,
                            uint32_t location) {
    note_plain(t, address, size, mode);
    race_memory(t, address, size, mode, location);
}

/* ---- struct copies and ranges ---- */

static void log_write(uintptr_t address, size_t size, uint8_t mode) {
    if (mode & ACCESS_WRITE) {
        undo_write(address, size);
    }
}

static void record_copy(runtime_thread *t, uintptr_t to, size_t to_size, uintptr_t from,
                        size_t size, uint8_t mode, uint32_t location) {
    validity_check(t, from, size, mode, location);
    validity_check(t, to, to_size, ACCESS_WRITE, location);
    undo_write(to, to_size);
    race_good_range(t, to, to_size, ACCESS_WRITE, location);
    race_good_range(t, from, size, mode, location);
}

/* The destination was announced before, the source is now. */
static void announce_copy(runtime_thread *t, uintptr_t from, size_t size, uint8_t mode,
                          uint32_t entry, uint32_t location) {
    uintptr_t to = t->deferred_address;
    size_t to_size = t->deferred_size;
    DEBUG_CHECK(to_size && space_contains(to));
    t->deferred_size = 0;
    bool shared = !space_private(t, from, size);
    bool passing = passing_is(entry) && !t->section_depth &&
                   !access_has_syncs(to, to_size, ACCESS_WRITE) &&
                   !(shared && access_has_syncs(from, size, mode));
    if (passing && passing_begin(t, location)) {
        record_copy(t, to, to_size, from, shared ? size : 0, mode, location);
        return;
    }
    footprint f = two_ranges(to, to_size, ACCESS_WRITE, from, shared ? size : 0, mode);
    if (!t->section_depth) {
        const access_range target = {to, to_size, ACCESS_WRITE};
        const access_range source = {from, shared ? size : 0, mode};
        step_plainly(t, OPERATION_WRITE, &target, &source, f, passing, location);
    }
    if (shared) {
        validity_check(t, from, size, mode, location);
    }
    validity_check(t, to, to_size, ACCESS_WRITE, location);
    undo_write(to, to_size);
    note_plain(t, to, to_size, ACCESS_WRITE);
    if (t->section_depth) {
        section_access(t, to, to_size, ACCESS_WRITE, f, location);
    } else {
        race_plain_set(t, f, location);
    }
}

/* Outside of sections and struct copies. */
static void announce_range(runtime_thread *t, uintptr_t address, size_t size, uint8_t mode,
                           bool is_volatile, uint32_t entry) {
    uint32_t location = entry & ~LOCATION_MARKS;
    DEBUG_CHECK(!t->section_depth && !t->deferred_size);
    bool passing = !(is_volatile && access_volatile_is_step()) && passing_is(entry) &&
                   !access_has_syncs(address, size, mode);
    if (passing && passing_begin(t, location)) {
        validity_check(t, address, size, mode, location);
        log_write(address, size, mode);
        race_good_range(t, address, size, mode, location);
        if (size <= MOST_KNOWN) {
            access_make_known(address, size, mode);
        }
        return;
    }
    footprint f = one_range(address, size, mode);
    const access_range range = {address, size, mode}, nothing = {0};
    step_plainly(t, plain_kind(mode), &range, &nothing, f, passing, location);
    validity_check(t, address, size, mode, location);
    note_plain(t, address, size, mode);
    if (mode == ACCESS_READ && size <= 8 && space_contains(address)) {
        t->value = access_value(address, size);
    }
    log_write(address, size, mode);
    if (is_volatile && runtime.settings.volatiles == VOLATILES_ATOMIC) {
        race_atomic(t, space_footprint(address, size, mode), mode, __ATOMIC_SEQ_CST, location);
        race_wide(t, address, location);
    } else if (mode & ACCESS_WRITE && access_has_syncs(address, size, mode)) {
        race_plain_set(t, f, location);
    } else {
        race_memory(t, address, size, mode, location);
    }
}

void access_announce(runtime_thread *t, uintptr_t address, size_t size, uint8_t mode,
                     bool is_volatile, const void *return_address) {
    uint32_t entry = location_entry(return_address), location = entry & ~LOCATION_MARKS;
    if (unlikely(!space_contains(address))) {
        if (is_error_number(address) || space_constant(address)) {
            validity_check(t, address, size, mode, location);
            return;
        }
        foreign_access(address, return_address);
    }
    space_touch(t, address, size);
    if (unlikely(entry & LOCATION_COMPOUND && mode == ACCESS_WRITE)) {
        t->deferred_address = address;
        t->deferred_size = size;
        runtime.stretch++;
        return;
    }
    if (unlikely(t->deferred_size)) {
        announce_copy(t, address, size, mode, entry, location);
    } else if (unlikely(t->section_depth)) {
        footprint f = one_range(address, size, mode);
        validity_check(t, address, size, mode, location);
        section_access(t, address, size, mode, f, location);
    } else {
        announce_range(t, address, size, mode, is_volatile, entry);
    }
}

/* No other thread sees this range; it must be valid nevertheless. */
static bool is_left_out(runtime_thread *t, uintptr_t address, size_t size, uint8_t mode,
                        uint32_t location) {
    if (size && space_private(t, address, size)) {
        return true;
    }
    if (size && space_constant(address)) {
        validity_check(t, address, size, mode, location);
        return true;
    }
    return !size;
}

static void check_range(runtime_thread *t, const access_range *r, uint32_t location) {
    validity_check(t, r->address, r->size, r->mode, location);
}

/* Both are shared. */
static void announce_two(runtime_thread *t, const access_range *a, const access_range *b,
                         uint32_t entry) {
    uint32_t location = entry & ~LOCATION_MARKS;
    bool passing = passing_is(entry) && !t->section_depth &&
                   !access_has_syncs(a->address, a->size, a->mode) &&
                   !access_has_syncs(b->address, b->size, b->mode);
    bool passed = passing && passing_begin(t, location);
    footprint f = FOOTPRINT_EMPTY;
    if (!passed) {
        f = two_ranges(a->address, a->size, a->mode, b->address, b->size, b->mode);
    }
    if (!passed && !t->section_depth) {
        bool second = a->mode == ACCESS_READ;
        step_plainly(t, plain_kind(a->mode | b->mode), second ? b : a, second ? a : b, f, passing,
                     location);
    }
    check_range(t, a, location);
    check_range(t, b, location);
    if (!passed && plain_kind(a->mode | b->mode) == OPERATION_READ && b->size <= 8) {
        t->value = access_value(b->address, b->size); /* of what the step is named after */
    }
    log_write(a->address, a->size, a->mode);
    log_write(b->address, b->size, b->mode);
    if (passed) {
        race_good_range(t, a->address, a->size, a->mode, location);
        race_good_range(t, b->address, b->size, b->mode, location);
    } else if (t->section_depth) {
        if (b->mode & ACCESS_WRITE) {
            section_log(b->address, b->size);
        }
        section_access(t, a->address, a->mode == ACCESS_READ ? 0 : a->size, a->mode, f, location);
    } else {
        note_plain(t, a->address, a->size, a->mode);
        note_plain(t, b->address, b->size, b->mode);
        race_plain_set(t, f, location);
    }
}

void access_two(const void *first, size_t first_size, uint8_t first_mode, const void *second,
                size_t second_size, uint8_t second_mode, const void *return_address) {
    runtime_thread *t = runtime.current;
    if (!t) {
        return;
    }
    access_range a = {(uintptr_t)first, first_size, first_mode};
    access_range b = {(uintptr_t)second, second_size, second_mode};
    uint32_t entry = location_entry(return_address), location = entry & ~LOCATION_MARKS;
    bool no_first = is_left_out(t, a.address, a.size, a.mode, location);
    bool no_second = is_left_out(t, b.address, b.size, b.mode, location);
    if (no_first || no_second) {
        const access_range *other = no_first ? &b : &a;
        if (!no_first || !no_second) {
            access_announce(t, other->address, other->size, other->mode, false, return_address);
        }
        return;
    }
    foreign_access(a.address, return_address);
    foreign_access(b.address, return_address);
    space_touch(t, a.address, a.size);
    space_touch(t, b.address, b.size);
    announce_two(t, &a, &b, entry);
}

bool access_atomic_rare(runtime_thread *t, uintptr_t address, size_t size, enum operation_kind kind,
                        uint8_t mode, const void *return_address) {
    foreign_access(address, return_address);
    space_touch(t, address, size);
    uint32_t location = location_of(return_address);
    footprint f = one_range(address, size, mode);
    if (t->section_depth) {
        validity_check(t, address, size, mode, location);
        section_access(t, address, size, mode, f, location);
        return false;
    }
    runtime_prepare(t, kind, space_object(address) | OBJECT_OFFSET(address), f, location);
    check_foreign(t, address, size, mode);
    t->atomic_footprint = space_footprint(address, size, mode);
    t->atomic_location = location;
    runtime_park(t);
    validity_check(t, address, size, mode, location);
    if (mode & ACCESS_WRITE) {
        undo_write(address, size);
    }
    race_wide(t, address, location);
    return true;
}

/* Inside a section, where others see only the whole. */
static void compare_in_section(runtime_thread *t, uintptr_t a, uintptr_t e, size_t size,
                               uint32_t location) {
    bool shares = !space_private(t, e, size);
    DEBUG_CHECK(t->section_depth);
    validity_check(t, a, size, ACCESS_READ_WRITE, location);
    if (shares) {
        validity_check(t, e, size, ACCESS_READ_WRITE, location);
    }
    bool same = memcmp((const void *)a, (const void *)e, size) == 0;
    uint8_t mode = same ? ACCESS_READ_WRITE : ACCESS_READ;
    section_access(t, a, size, mode, one_range(a, size, mode), location);
    if (shares) {
        mode = same ? ACCESS_READ : ACCESS_READ_WRITE;
        section_access(t, e, size, mode, one_range(e, size, mode), location);
    }
}

static void refresh_compare(runtime_thread *t) {
    DEBUG_CHECK(t->pending.kind == OPERATION_CAS && t->compare_size);
    bool same = memcmp((const void *)t->compare_address, (const void *)t->compare_expected,
                       t->compare_size) == 0;
    t->pending.footprint = same ? t->compare_success : t->compare_failure;
}

static const refresh_rule compare_rule = {.update = refresh_compare};

/* Usually this is known from the symbols of the program. */
void access_expect_comparisons(void) {
    if (unlikely(!space.target->compares)) {
        space.target->compares = true;
        target_make_stale(space.target);
    }
}

/* What is expected is read, and written, plainly: in passing, if other plain accesses are. */
static void prepare_compare(runtime_thread *t, uintptr_t a, uintptr_t e, size_t size,
                            uint32_t entry) {
    uint32_t location = entry & ~LOCATION_MARKS;
    access_expect_comparisons();
    size_t shared_size = t->compare_shares && !passing_is(entry) ? size : 0;
    t->compare_success = two_ranges(a, size, ACCESS_READ_WRITE, e, shared_size, ACCESS_READ);
    t->compare_failure = two_ranges(a, size, ACCESS_READ, e, shared_size, ACCESS_READ_WRITE);
    t->compare_address = a;
    t->compare_expected = e;
    t->compare_size = (uint32_t)size;
    runtime_prepare(t, OPERATION_CAS, space_object(a) | OBJECT_OFFSET(a), t->compare_success,
                    location);
    t->atomic_location = location;
    t->pending.flags |= OPERATION_VARIES;
    if (size <= 8) {
        memcpy((char *)&t->pending.expected + (a & 7), (const void *)e,
               size <= 8 - (a & 7) ? size : 0);
    }
    if (space_readable(a, size) && space_readable(e, size)) { /* else the step itself faults */
        t->refresh = &compare_rule;
    }
}

bool access_compare(const volatile void *address, const void *expected, size_t size,
                    const void *return_address) {
    runtime_thread *t = runtime.current;
    uintptr_t a = (uintptr_t)address, e = (uintptr_t)expected;
    space_touch(t, a, size);
    uint32_t entry = location_entry(return_address), location = entry & ~LOCATION_MARKS;
    if (unlikely(t->section_depth)) {
        compare_in_section(t, a, e, size, location);
        return false;
    }
    t->compare_shares = !space_private(t, e, size);
    if (t->compare_shares) {
        space_touch(t, e, size);
    }
    prepare_compare(t, a, e, size, entry);
    check_foreign(t, a, size, ACCESS_READ_WRITE);
    runtime_park(t);
    validity_check(t, a, size, ACCESS_READ_WRITE, location);
    undo_write(a, size);
    t->atomic_footprint = space_footprint(a, size, ACCESS_READ);
    race_wide(t, a, location);
    if (unlikely(t->compare_shares)) {
        validity_check(t, e, size, ACCESS_READ_WRITE, location);
        undo_write(e, size);
        race_memory(t, e, size, ACCESS_READ, location);
    }
    return true;
}

void access_compare_done(bool same, int order, int failure_order) {
    runtime_thread *t = runtime.current;
    DEBUG_CHECK(t->pending.kind == OPERATION_CAS);
    access_atomic_done(same ? ACCESS_READ_WRITE : ACCESS_READ, same ? order : failure_order, same);
    if (unlikely(t->compare_shares && !same)) { /* after what the failing read acquired */
        race_plain_set(t, space_footprint(t->compare_expected, t->compare_size, ACCESS_WRITE),
                       t->atomic_location);
    }
}
