#include "targets/native/names.h"

#include "base/bytes.h"
#include "targets/runtime/kernel/expect.h"
#include "targets/runtime/kernel/fiber.h"
#include "targets/runtime/kernel/location.h"
#include "targets/runtime/kernel/passing.h"
#include "targets/runtime/kernel/spin.h"
#include "targets/runtime/kernel/spin_looks.h"
#include "targets/runtime/kernel/spin_observers.h"
#include "targets/runtime/kernel/spin_places.h"
#include "targets/runtime/kernel/threads.h"
#include "targets/runtime/libc/channels.h"
#include "targets/runtime/libc/floating.h"
#include "targets/runtime/memory/hidden.h"
#include "targets/runtime/memory/space.h"
#include "targets/runtime/sync/actor.h"
#include "targets/runtime/sync/actor_object.h"
#include "targets/runtime/sync/annotation.h"
#include "targets/runtime/sync/cancel.h"
#include "targets/runtime/sync/sync.h"

#define HIGHEST_ADDRESS (((uint64_t)1 << 48) - 1)

/* ---- what was learnt ---- */

/* The layout of memory: names that are addresses mean nothing in a process with another layout. */
static void list_places(uint64_t places[5]) {
    places[0] = space.region_low;
    places[1] = space.stack_size;
    places[2] = space.heap_size;
    places[3] = space.globals_low;
    places[4] = space.text_low;
}

static void put_syncs(bytes *out) {
    bytes_put_number(out, syncs.count - 1);
    for (uint32_t i = 1; i < syncs.count; i++) {
        bytes_put_number(out, sync_object_at(i)->address);
        bytes_put_number(out, sync_object_at(i)->coarse);
        bytes_put_number(out, sync_object_at(i)->observer);
        bytes_put_number(out, sync_object_at(i)->joint);
    }
}

static void put_shared(bytes *out) {
    space_shared_range range;
    bytes_put_number(out, space_shared_count());
    for (uint32_t i = 0; space_shared_at(i, &range); i++) {
        bytes_put_number(out, range.thread);
        bytes_put_number(out, range.below_top);
        bytes_put_number(out, range.size);
    }
}

static void put_promoted(const target *t, bytes *out) {
    uint32_t count = 0;
    uintptr_t offset;
    while (passing_promoted(count, &offset)) {
        count++;
    }
    bytes_put_number(out, t->promoted);
    bytes_put_number(out, count);
    for (uint32_t i = 0; passing_promoted(i, &offset) && i < count; i++) {
        bytes_put_number(out, offset);
    }
}

static void take_promoted(target *t, byte_reader *r) {
    t->promoted |= bytes_take_number(r, 1) != 0;
    uint32_t count = bytes_take_count(r);
    for (uint32_t i = 0; i < count && !r->failed; i++) {
        r->failed = !passing_expect(bytes_take_number(r, UINTPTR_MAX));
    }
}

static void put_looks(bytes *out) {
    spin_known_look look;
    for (uint32_t at = 0; spin_looks_known(&at, &look);) {
        bytes_put_number(out, look.bytes);
        bytes_put_number(out, look.address);
        bytes_put_number(out, look.thread);
        bytes_put_number(out, location_address(look.location) - space.text_low);
    }
    bytes_put_number(out, 0);
}

static void take_looks(byte_reader *r) {
    spin_known_look look;
    while ((look.bytes = (uint8_t)bytes_take_number(r, UINT8_MAX)) != 0 && !r->failed) {
        look.address = bytes_take_number(r, HIGHEST_ADDRESS);
        look.thread = (uint32_t)bytes_take_number(r, RUNTIME_MAX_THREADS - 1);
        uintptr_t offset = bytes_take_number(r, space.text_size);
        look.location = location_of((const void *)(space.text_low + offset));
        if (!r->failed) {
            spin_looks_expect(&look);
        }
    }
}

static void put_spins(bytes *out) {
    uint32_t count = 0, marks;
    uintptr_t offset;
    while (spin_known(count, &offset, &marks)) {
        count++;
    }
    bytes_put_number(out, count);
    for (uint32_t i = 0; spin_known(i, &offset, &marks); i++) {
        bytes_put_number(out, offset);
        bytes_put_number(out, marks);
    }
    bytes_put_number(out, spin_once);
    bytes_put_number(out, spin_is_wanted());
    put_looks(out);
}

static void take_spins(byte_reader *r) {
    uint32_t count = bytes_take_count(r);
    for (uint32_t i = 0; i < count && !r->failed; i++) {
        uintptr_t offset = bytes_take_number(r, UINTPTR_MAX);
        uint32_t marks = (uint32_t)bytes_take_number(r, UINT32_MAX);
        r->failed = r->failed || !spin_expect(offset, marks);
    }
    enum spin_once once = (enum spin_once)bytes_take_number(r, SPIN_ONCE_ALL);
    spin_once = once > spin_once ? once : spin_once;
    if (bytes_take_flag(r)) {
        spin_want();
    }
    take_looks(r);
}

static void encode_knowledge(target *t, bytes *out) {
    uint64_t places[5];
    list_places(places);
    for (uint32_t i = 0; i < 5; i++) {
        bytes_put_number(out, places[i]);
    }
    threads_encode(out);
    bytes_put_number(out, t->compares);
    bytes_put_number(out, t->needs_all);
    bytes_put_number(out, runtime.timed);
    bytes_put_number(out, fiber_environments);
    for (uint32_t part = 0; part < HIDDEN_PART_COUNT; part++) {
        bytes_put_number(out, hidden_changes(part));
    }
    for (uint32_t i = 0; i < threads_known(); i++) {
        bytes_put_number(out, actor_is_strict(i));
    }
    put_shared(out);
    put_syncs(out);
    put_promoted(t, out);
    put_spins(out);
}

static void take_shared(byte_reader *r) {
    uint32_t count = bytes_take_count(r);
    for (uint32_t i = 0; i < count && !r->failed; i++) {
        space_shared_range range = {.thread = (uint32_t)bytes_take_number(r, threads_known() - 1)};
        range.below_top = (size_t)bytes_take_number(r, HIGHEST_ADDRESS);
        range.size = (size_t)bytes_take_number(r, sizeof(uint64_t));
        r->failed = r->failed || !range.size || !space_expect_shared(&range);
    }
}

static uintptr_t take_address(byte_reader *r) {
    uintptr_t address = (uintptr_t)bytes_take_number(r, HIGHEST_ADDRESS);
    r->failed = r->failed || !address;
    return address;
}

static void take_syncs(byte_reader *r) {
    uint32_t count = bytes_take_count(r);
    for (uint32_t i = 0; i < count && !r->failed; i++) {
        uintptr_t address = take_address(r);
        bool coarse = bytes_take_flag(r);
        uint32_t observer = (uint32_t)bytes_take_number(r, UINT32_MAX);
        bool joint = bytes_take_flag(r);
        if (!r->failed) {
            sync_object *s = sync_expect(address);
            s->coarse |= coarse;
            s->joint |= joint;
            spin_observers_merge(s, observer);
        }
    }
}

static void take_habits(target *t, uint32_t threads, byte_reader *r) {
    t->compares |= bytes_take_flag(r);
    t->needs_all |= bytes_take_flag(r);
    if (bytes_take_flag(r)) {
        expect_clock();
    }
    if (bytes_take_flag(r)) {
        floating_separate();
    }
    for (uint32_t part = 0; part < HIDDEN_PART_COUNT; part++) {
        if (bytes_take_flag(r)) {
            hidden_expect(part);
        }
    }
    for (uint32_t i = 0; i < threads && !r->failed; i++) {
        if (bytes_take_flag(r)) {
            actor_expect_strict(i);
        }
    }
}

static void decode_knowledge(target *t, byte_reader *r) {
    bool stale = t->stale;
    uint64_t places[5];
    list_places(places);
    for (uint32_t i = 0; i < 5; i++) {
        uint64_t there = bytes_take_number(r, UINT64_MAX);
        r->failed = r->failed || there != places[i];
    }
    if (!r->failed) {
        uint32_t threads = threads_decode(r);
        take_habits(t, threads, r);
        take_shared(r);
        take_syncs(r);
        take_promoted(t, r);
        take_spins(r);
    }
    t->stale = stale;
}

static uint32_t known_threads(target *t) {
    (void)t;
    return threads_known();
}

/* ---- objects ---- */

enum object_sort {
    OBJECT_MEMORY,
    OBJECT_SYNC,
    OBJECT_HIDDEN,
    OBJECT_ACTOR,
    OBJECT_CHANNEL,
    OBJECT_CANCEL,
    OBJECT_ANNOTATION,
    OBJECT_SORT_COUNT
};

/* Those that have an address of their own and are not what is there. */
static bool encode_apart(uint32_t object, bytes *out) {
    uint32_t number;
    uintptr_t address;
    if (channels_find(object, &number)) {
        bytes_put_number(out, OBJECT_CHANNEL);
        bytes_put_number(out, number);
    } else if (cancel_find(object, &number)) {
        bytes_put_number(out, OBJECT_CANCEL);
        bytes_put_number(out, number);
    } else if (annotation_find(object, &address)) {
        bytes_put_number(out, OBJECT_ANNOTATION);
        bytes_put_number(out, address);
    } else {
        return false;
    }
    return true;
}

static void encode_object(target *t, uint32_t object, bytes *out) {
    actor_object found;
    enum hidden_part part;
    const sync_object *sync = sync_by_object(object);
    (void)t;
    if (sync) {
        bytes_put_number(out, OBJECT_SYNC);
        bytes_put_number(out, sync->address);
    } else if (hidden_find(object, &part)) {
        bytes_put_number(out, OBJECT_HIDDEN);
        bytes_put_number(out, part);
    } else if (actor_object_find(object, &found)) {
        bytes_put_number(out, OBJECT_ACTOR);
        bytes_put_number(out, found.kind);
        bytes_put_number(out, (uint32_t)found.tag);
        bytes_put_number(out, found.owner);
        bytes_put_number(out, found.other);
        bytes_put_number(out, found.number);
    } else if (!encode_apart(object, out)) {
        bytes_put_number(out, OBJECT_MEMORY);
        bytes_put_number(out, space_object_touched(object));
    }
}

static uint32_t take_actor_object(byte_reader *r) {
    actor_object o = {.kind = (uint8_t)bytes_take_number(r, ACTOR_LETTER)};
    o.tag = (int32_t)bytes_take_number(r, UINT32_MAX);
    o.owner = (uint32_t)bytes_take_number(r, threads_known() - 1);
    o.other = (uint32_t)bytes_take_number(r, threads_known() - 1);
    o.number = (uint32_t)bytes_take_number(r, UINT32_MAX);
    return r->failed ? 0 : actor_object_number(o);
}

static uint32_t decode_object(target *t, byte_reader *r) {
    bool stale = t->stale;
    uintptr_t address;
    uint32_t object = 0, number;
    enum hidden_part part;
    switch (bytes_take_number(r, OBJECT_SORT_COUNT - 1)) {
        case OBJECT_SYNC:
            address = take_address(r);
            object = r->failed ? 0 : sync_expect(address)->object;
            break;
        case OBJECT_HIDDEN:
            part = (enum hidden_part)bytes_take_number(r, HIDDEN_PART_COUNT - 1);
            object = r->failed ? 0 : hidden_object(part);
            break;
        case OBJECT_ACTOR: object = take_actor_object(r); break;
        case OBJECT_CHANNEL:
            number = (uint32_t)bytes_take_number(r, CHANNELS_MAX - 1);
            object = r->failed ? 0 : channels_object(number);
            break;
        case OBJECT_CANCEL:
            number = (uint32_t)bytes_take_number(r, threads_known() - 1);
            object = r->failed ? 0 : cancel_object(number);
            break;
        case OBJECT_ANNOTATION:
            address = take_address(r);
            object = r->failed ? 0 : annotation_object(address);
            break;
        default: /* an operation that waits in an atomic section has none */
            address = (uintptr_t)bytes_take_number(r, HIGHEST_ADDRESS);
            object = address && !r->failed ? space_object(address) : 0;
    }
    t->stale = stale;
    return object;
}

/* ---- locations ---- */

static void encode_location(target *t, uint32_t location, bytes *out) {
    uintptr_t address = location_address(location);
    (void)t;
    bytes_put_number(out, address ? address - space.text_low + 1 : 0);
}

static uint32_t decode_location(target *t, byte_reader *r) {
    uintptr_t offset = (uintptr_t)bytes_take_number(r, space.text_size);
    (void)t;
    return offset ? location_of((const void *)(space.text_low + offset - 1)) : LOCATION_NONE;
}

const target_names native_names = {
    .thread_count = known_threads,
    .encode_knowledge = encode_knowledge,
    .decode_knowledge = decode_knowledge,
    .encode_object = encode_object,
    .decode_object = decode_object,
    .encode_location = encode_location,
    .decode_location = decode_location,
};
