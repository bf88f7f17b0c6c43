#include "targets/runtime/kernel/undo.h"

#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "base/block.h"
#include "base/vector.h"
#include "targets/runtime/kernel/errors.h"
#include "targets/runtime/kernel/runtime.h"
#include "targets/runtime/kernel/stack.h"
#include "targets/runtime/kernel/threads.h"
#include "targets/runtime/kernel/undo_check.h"
#include "targets/runtime/kernel/undo_images.h"
#include "targets/runtime/kernel/versions.h"
#include "targets/runtime/memory/heap.h"
#include "targets/runtime/memory/space.h"
#include "targets/runtime/race/race.h"
#include "targets/runtime/sync/inbox.h"
#include "targets/runtime/sync/marks.h"

enum {
    UNIT_LENGTH = 32,        /* steps */
    UNIT_SHARE = 64,         /* of a long execution, one part in so many */
    UNIT_LEAST = 2,          /* steps before a landing that are worth a unit */
    CHECKED_UNIT_LENGTH = 3, /* where going back is checked, which it then is often */
    LARGEST_LOG = 1 << 26,
    LARGEST_STACK = 1 << 18,
    /* What logging costs and saves, in ticks of the processor's clock. */
    ENTRY_BYTES_PER_TICK = 5, /* of log, written and undone */
    LEAST_BALANCE = -200000,
    MOST_BALANCE = 200000,
    MOST_LOST = 10000, /* at once */
    FIRST_PAUSE = 64,  /* times without logging, when it did not pay */
    LONGEST_PAUSE = 4096,
};

enum entry_kind {
    ENTRY_BYTES,
    ENTRY_ITEMS,
    ENTRY_RECORD,
    ENTRY_STACK,
    ENTRY_IMAGE,
    ENTRY_START,
};

/* Stands after the old bytes, so that the log is read from its end. */
typedef struct undo_entry {
    uintptr_t place; /* an address; where the address of an array is; the number of a thread */
    uint64_t offset; /* in the array; the lowest address of a stack; where an image is */
    uint32_t size;
    uint32_t kind;
} undo_entry;

typedef struct undo_unit {
    uint32_t length; /* steps before it */
    uint32_t thread_count;
    bool exited, failed;
    size_t start; /* in the log */
    race_mark race;
    uint32_t marks;    /* of synchronisation objects */
    uint32_t versions; /* changes of them */
    inbox_mark inbox;
} undo_unit;

_Static_assert(sizeof(undo_entry) % 8 == 0, "entries and what they keep stay aligned");
_Static_assert(LARGEST_STACK < LARGEST_LOG && LARGEST_LOG <= UINT32_MAX, "sizes fit entries");

undo_state undo;
undo_slot undo_slots[UNDO_SLOTS];
static VECTOR(undo_unit) units;
static uintptr_t
    run_end; /* the latest entry has granules of the open unit up to here; 0: it has not */

/* Where executions have little in common, logging does not pay: it is given up for a while. */
static struct {
    int64_t balance;      /* ticks saved, less those that logging was worth */
    uint64_t start, step; /* ticks that a start takes, and a step of a replay */
    uint32_t pause, left; /* times to go back without a log: how many, and how many still */
} account;

void undo_open(void) {
    undo = (undo_state){.due = UINT64_MAX, .log = space_reserve(LARGEST_LOG)};
    memset(undo_slots, 0, sizeof undo_slots);
    account.balance = 0;
    account.pause = FIRST_PAUSE;
    account.left = 0;
    account.start = account.step = 0;
}

void undo_close(void) {
    CHECK(munmap(undo.log, LARGEST_LOG) == 0);
    images_close();
    vector_free(&units);
    undo = (undo_state){0};
}

uint64_t undo_clock(void) {
#if defined(__x86_64__)
    return __builtin_ia32_rdtsc();
#else
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
#endif
}

/* Half of what it was and half of the new: an interrupt counts, but not for long. */
static uint64_t average(uint64_t old, uint64_t latest) {
    return old ? (old + latest) / 2 : latest;
}

void undo_note_start(uint64_t since) {
    account.start = average(account.start, undo_clock() - since);
}

void undo_note_replay(uint64_t since, uint32_t steps) {
    CHECK(steps);
    account.step = average(account.step, (undo_clock() - since) / steps);
}

uint32_t undo_length(void) {
    return (uint32_t)(runtime.steps - undo.start);
}

static bool is_possible(void) {
    return !undo.disabled && !account.left && !fiber_environments && !runtime.settings.allow_files;
}

/* The log keeps its memory: a program that has filled it does so again. */
static void forget(void) {
    undo.unit = 0;
    undo.used = 0;
    run_end = 0;
    vector_clear(&units);
    images_forget();
    versions_forget();
    race_forget_marks();
}

void undo_forget(void) {
    forget();
    undo.due = is_possible() ? 0 : UINT64_MAX;
}

void undo_disable(void) {
    undo.disabled = true;
    undo_forget();
}

void undo_stop(void) {
    forget();
    undo.due = UINT64_MAX;
}

void undo_stray(void) {
    undo_stop();
    undo.start = runtime.steps + 1; /* no length of an execution */
}

void undo_start(void) {
    CHECK(!units.count && !undo.used); /* undo_stop comes first */
    undo.start = runtime.steps;
    undo_begin_unit();
}

/* Units are longer where an execution is long: the log then grows by little more than its writes,
 * and what is replayed is still a small part. */
static uint32_t unit_length(void) {
    uint32_t share = undo_length() / UNIT_SHARE;
    return undo_checks ? CHECKED_UNIT_LENGTH : share > UNIT_LENGTH ? share : UNIT_LENGTH;
}

/* The last unit is open: nothing in it is logged yet. */
static void renew(void) {
    undo.unit = ++undo.numbers;
    run_end = 0;
    undo.due = runtime.steps + unit_length();
}

void undo_renew(void) {
    const undo_unit *u = &vector_last(&units);
    race_go_back(&u->race);
    marks_go_back(u->marks);
    versions_go_back(u->versions);
    inbox_go_back(&u->inbox);
    undo.start = runtime.steps - u->length;
    renew();
}

void undo_begin_unit(void) {
    if (!is_possible()) {
        undo_forget();
        return;
    }
    undo_unit u = {.length = undo_length(),
                   .thread_count = runtime.thread_count,
                   .exited = runtime.exited,
                   .failed = runtime.failed,
                   .start = undo.used,
                   .marks = marks_count(),
                   .versions = versions_mark()};
    race_take_mark(&u.race);
    inbox_take_mark(&u.inbox);
    vector_push(&units, u);
    renew();
    if (unlikely(undo_checks)) {
        undo_check_begin(undo_last_unit());
    }
}

uint32_t undo_last_unit(void) {
    CHECK(units.count);
    return units.count - 1;
}

void undo_check_units(void) {
    CHECK(undo.used <= LARGEST_LOG && undo.used % 8 == 0);
    CHECK(undo.unit <= undo.numbers && (!undo.unit || units.count));
    CHECK(!undo.disabled || !undo.unit);
    for (uint32_t i = 0; undo.unit && i < units.count; i++) { /* not while a check starts over */
        const undo_unit *u = &vector_at(&units, i);
        CHECK(u->start <= undo.used && u->length <= undo_length());
        CHECK(u->thread_count && u->thread_count <= runtime.thread_count);
        CHECK(!u->failed || u->exited);
        if (i) {
            const undo_unit *before = &vector_at(&units, i - 1);
            CHECK(before->start <= u->start && before->length <= u->length);
            CHECK(before->thread_count <= u->thread_count);
        }
    }
}

void undo_land(void) {
    uint32_t least = undo_checks ? 1 : UNIT_LEAST;
    if (!units.count || undo_length() - vector_last(&units).length >= least) {
        undo_begin_unit();
    }
}

/* ---- logging ---- */

/* Room for old bytes, which the caller writes before add_entry; NULL: the log was full. */
static unsigned char *make_room(size_t size) {
    if (unlikely(size > LARGEST_LOG - 2 * sizeof(undo_entry) ||
                 undo.used > LARGEST_LOG - 2 * sizeof(undo_entry) - size)) {
        undo_forget();
        return NULL;
    }
    return undo.log + undo.used;
}

/* Written field by field: a copy of a local one waits for the stores to it. */
static inline void add_entry(enum entry_kind kind, uintptr_t place, uint64_t offset, size_t size) {
    size_t used = undo.used + ((size + 7) & ~(size_t)7);
    undo_entry *e = (undo_entry *)(undo.log + used);
    DEBUG_CHECK(undo.unit && used <= LARGEST_LOG - sizeof *e);
    e->place = place;
    e->offset = offset;
    e->size = (uint32_t)size;
    e->kind = kind;
    undo.used = used + sizeof *e;
    run_end = 0;
}

/* Most of what is logged is a granule, or a row of eight clocks. */
static inline void copy_out(unsigned char *to, const void *from, size_t size) {
    switch (size) {
        case 8: memcpy(to, from, 8); break;
        case 32: memcpy(to, from, 32); break;
        default: block_copy(to, from, size);
    }
}

/* Bytes of a stack change, perhaps one of a thread that does not run. */
static inline void spoil_stack(uintptr_t address) {
    if (unlikely(address - space.stacks_low < space.stacks_size)) {
        images_spoil(space_stack_owner(address));
    }
}

void undo_log_bytes(uintptr_t address, size_t size) {
    spoil_stack(address);
    unsigned char *room = make_room(size);
    if (room) {
        copy_out(room, (const void *)address, size);
        add_entry(ENTRY_BYTES, address, 0, size);
    }
}

_Static_assert(UNDO_GRANULE == sizeof(uint64_t), "a granule is read at once");
_Static_assert((UNDO_SLOTS & (UNDO_SLOTS - 1)) == 0, "the slot of a granule is a mask away");

/* The granule that follows those of the latest entry, which moves on. */
static void extend_run(uintptr_t address) {
    uint64_t granule = *(const volatile uint64_t *)address; /* which may fault */
    if (!make_room(sizeof granule)) {
        return;
    }
    undo.used -= sizeof(undo_entry);
    undo_entry last = *(const undo_entry *)(undo.log + undo.used);
    DEBUG_CHECK(last.kind == ENTRY_BYTES && last.place + last.size == address);
    memcpy(undo.log + undo.used, &granule, sizeof granule);
    undo.used -= last.size; /* what add_entry adds */
    add_entry(ENTRY_BYTES, last.place, 0, last.size + sizeof granule);
}

/* What is written one after the other is one entry. */
void undo_log_granule(uintptr_t granule) {
    uintptr_t address = granule * UNDO_GRANULE;
    if (address == run_end) {
        extend_run(address);
    } else {
        undo_log_bytes(address, UNDO_GRANULE);
    }
    run_end = undo.unit ? address + UNDO_GRANULE : 0;
    undo_slots[granule % UNDO_SLOTS] = (undo_slot){granule, undo.unit};
}

static unsigned char *array_at(uintptr_t items) {
    unsigned char *array;
    memcpy(&array, (const void *)items, sizeof array);
    return array;
}

void undo_log_items(void *items, size_t offset, size_t size) {
    unsigned char *room = make_room(size);
    if (room) {
        copy_out(room, array_at((uintptr_t)items) + offset, size);
        add_entry(ENTRY_ITEMS, (uintptr_t)items, offset, size);
    }
}

void undo_log_record(runtime_thread *t) {
    images_spoil(t->number);
    size_t size = runtime_record_size(t);
    unsigned char *room = undo.unit ? make_room(size) : NULL;
    if (room) {
        block_copy(room, t, size);
        add_entry(ENTRY_RECORD, t->number, 0, size);
    }
    t->record_unit = undo.unit;
}

static void log_stack(runtime_thread *t) {
    stack_trim(t);
    uintptr_t low = t->stack_used, top = t->own_low + t->own_size;
    if (top - low > LARGEST_STACK) {
        undo_forget();
        return;
    }
    unsigned char *room = make_room(top - low);
    if (room) {
        block_copy(room, (const void *)low, top - low);
        add_entry(ENTRY_STACK, t->number, low, top - low);
    }
}

/* Without a unit, nothing is logged. */
static bool log_image(runtime_thread *t) {
    if (!undo.unit || t->record_unit == undo.unit || !make_room(0)) {
        return false;
    }
    const thread_image *image = images_take(t);
    if (image) {
        add_entry(ENTRY_IMAGE, t->number, (uintptr_t)image, 0);
    }
    return image != NULL;
}

void undo_log_thread(runtime_thread *t) {
    if (!log_image(t)) {
        if (t->record_unit != undo.unit) {
            undo_log_record(t);
        }
        images_spoil(t->number);
        if (undo.unit) {
            log_stack(t);
        }
    }
    t->unit = t->record_unit = undo.unit;
}

void undo_log_start(uint32_t thread) {
    if (make_room(0)) {
        add_entry(ENTRY_START, thread, 0, 0);
    }
}

/* ---- going back ---- */

static void undo_entry_at_end(void) {
    DEBUG_CHECK(undo.used >= sizeof(undo_entry));
    undo.used -= sizeof(undo_entry);
    undo_entry e = *(const undo_entry *)(undo.log + undo.used);
    DEBUG_CHECK(undo.used >= e.size);
    undo.used -= (e.size + 7) & ~(size_t)7;
    const unsigned char *old = undo.log + undo.used;
    switch ((enum entry_kind)e.kind) {
        case ENTRY_BYTES:
            spoil_stack(e.place);
            if (likely(!undo_canary)) {
                copy_out((unsigned char *)e.place, old, e.size);
            }
            break;
        case ENTRY_ITEMS: copy_out(array_at(e.place) + e.offset, old, e.size); break;
        case ENTRY_RECORD:
            images_put_record(&runtime.threads[e.place], old, e.size);
            images_spoil((uint32_t)e.place);
            break;
        case ENTRY_STACK:
            images_put_stack(&runtime.threads[e.place], e.offset, old, e.size);
            images_spoil((uint32_t)e.place);
            break;
        case ENTRY_IMAGE:
            images_put_back((uint32_t)e.place, (const thread_image *)(uintptr_t)e.offset);
            break;
        case ENTRY_START: threads_undo_start((uint32_t)e.place); break;
    }
}

/* The unit that begins last among those that begin early enough; UINT32_MAX: there is none. */
static uint32_t find_unit(uint32_t length) {
    uint32_t i = units.count;
    while (i-- > 0 && vector_at(&units, i).length > length) {
    }
    return i;
}

static int64_t undo_ticks(size_t bytes) {
    return (int64_t)(bytes / ENTRY_BYTES_PER_TICK);
}

/* What going back to the unit saves: starting over would replay what lies before it. */
static int64_t saved_ticks(const undo_unit *u) {
    int64_t spent = undo_checks ? 0 : undo_ticks(undo.used - u->start);
    return (int64_t)(account.start + u->length * account.step) - spent;
}

/* So many ticks were saved, or lost. */
static void add_to_balance(int64_t ticks) {
    account.balance += ticks;
    if (account.balance > MOST_BALANCE) {
        account.balance = MOST_BALANCE;
        account.pause = FIRST_PAUSE;
    } else if (account.balance < LEAST_BALANCE) {
        account.balance = 0;
        account.left = account.pause;
        account.pause = account.pause < LONGEST_PAUSE ? 2 * account.pause : LONGEST_PAUSE;
    }
}

/* The log was of no use, and is given up. */
static bool refuse(void) {
    int64_t lost = undo_ticks(undo.used);
    if (account.left) {
        account.left--;
    } else {
        add_to_balance(lost < MOST_LOST ? -lost : -MOST_LOST);
    }
    return false;
}

bool undo_back(uint32_t length) {
    uint32_t i = find_unit(length);
    if (i == UINT32_MAX || !is_possible() || saved_ticks(&vector_at(&units, i)) < 0) {
        return refuse();
    }
    units.count = i + 1;
    const undo_unit *u = &vector_last(&units);
    add_to_balance(saved_ticks(u));
    while (undo.used > u->start) {
        undo_entry_at_end();
    }
    CHECK(undo.used == u->start);
    runtime.thread_count = u->thread_count;
    runtime.exited = u->exited;
    runtime.failed = u->failed;
    errors_clear();
    runtime.starting_count = 0;
    runtime.steps++; /* what was found out about the present is stale */
    undo_renew();
    return true;
}
