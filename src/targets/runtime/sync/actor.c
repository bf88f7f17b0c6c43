#include "targets/runtime/sync/actor.h"

#include <heddle/actor.h>
#include <string.h>

#include "base/check.h"
#include "targets/runtime/kernel/access.h"
#include "targets/runtime/kernel/location.h"
#include "targets/runtime/kernel/symbols.h"
#include "targets/runtime/kernel/threads.h"
#include "targets/runtime/race/race.h"
#include "targets/runtime/sync/actor_object.h"
#include "targets/runtime/sync/inbox.h"
#include "targets/runtime/sync/section.h"

#define HERE __builtin_return_address(0)

/* By thread: it receives with predicates. That is learnt while the program runs, and makes what was
 * explored before stale. */
static bool strict[RUNTIME_MAX_THREADS];

void actor_close(void) {
    inbox_close();
    actor_object_close();
    memset(strict, 0, sizeof strict);
}

bool actor_is_strict(uint32_t thread) {
    return strict[thread];
}

void actor_expect_strict(uint32_t thread) {
    strict[thread] = true;
}

static actor identity(uint32_t thread) {
    return thread + 1;
}

/* The mailbox of the thread, which may be changed until the next step. */
static inbox *inbox_of(const runtime_thread *t) {
    return inbox_to_change(t->number);
}

/* The thread of an identity. */
static runtime_thread *thread_of(runtime_thread *t, actor process, const char *what,
                                 uint32_t location) {
    if (process == ACTOR_NONE || process > runtime.thread_count ||
        runtime.threads[process - 1].status == THREAD_NONE) {
        runtime_fail(t, ERROR_MISUSE, location, "%s %u, which is not a process", what, process);
    }
    return &runtime.threads[process - 1];
}

/* The calling thread. Constructors must not call functions of actors. */
static runtime_thread *caller(const char *function, uint32_t location) {
    runtime_thread *t = runtime.current;
    CHECK(t != NULL);
    section_forbid(t, function, location);
    return t;
}

/* What reports show of a payload: its first int, which is often all of it; 0 if there is none. */
static uint64_t payload_value(const letter *l) {
    int32_t first = 0;
    if (l->size) {
        memcpy(&first, inbox_payload(l), l->size < sizeof first ? l->size : sizeof first);
    }
    return (uint64_t)(int64_t)first;
}

/* ---- sending ---- */

/* Messages are synchronised: what the sender did before is seen by the receiver. */
static void stamp(runtime_thread *t, letter *l) {
    sync_object edge = {0};
    race_release(t, &edge);
    l->sender = t->number;
    l->number = inbox_of(t)->process.sends++;
    l->events = t->events;
    l->clock = edge.clock;
}

static void send(runtime_thread *t, uint32_t receiver, uint32_t location) {
    inbox *box = inbox_of(t);
    int32_t tag = inbox_letter(box->outgoing)->tag;
    uint32_t object;
    footprint f = actor_send_footprint(receiver, tag, t->number, box->process.sends,
                                       strict[receiver], &object);
    runtime_prepare(t, OPERATION_SEND, object, f, location);
    runtime_park(t);
    box = inbox_of(t);
    uint32_t sent = box->outgoing;
    CHECK(sent != LETTER_NONE && inbox_letter(sent)->tag == tag);
    box->outgoing = LETTER_NONE;
    stamp(t, inbox_letter_to_change(sent));
    inbox_deliver(receiver, sent);
    t->value = payload_value(inbox_letter(sent));
}

/* The payload is copied before the step is taken: nobody else knows the letter. */
void actor_send(actor receiver, int tag, const void *data, size_t size) {
    uint32_t location = LOCATION_HERE();
    runtime_thread *t = caller("actor_send", location);
    uint32_t to = thread_of(t, receiver, "actor_send to", location)->number;
    if (!inbox_has_room(size)) {
        runtime_fail(t, ERROR_UNSUPPORTED, location,
                     "a message of %zu bytes: an execution can send 1 GiB in all", size);
    }
    if (size) {
        access_plain(data, size, ACCESS_READ, HERE);
    }
    inbox_of(t)->outgoing = inbox_write(tag, data, (uint32_t)size);
    send(t, to, location);
}

/* ---- predicates ---- */

/* The predicate that is being tried: the letter that it is called with, and its result. */
static struct {
    uint32_t letter;
    bool answered, answer;
} trial;

static bool ask(const inbox_pattern *wanted, uint32_t index) {
    const letter *l = inbox_letter(index);
    actor_message message = {.tag = l->tag, .sender = identity(l->sender), .size = l->size};
    return wanted->predicate(&message, inbox_payload(l), wanted->context);
}

/* Runs in the fiber, and never returns. */
static void answer_trial(runtime_thread *t) {
    CHECK(section_tried() && !trial.answered);
    t->section_depth = 1;
    trial.answer = ask(&inbox_of(t)->process.wanted, trial.letter);
    trial.answered = true;
    runtime_park(t);
}

/* A predicate that misbehaves accepts the letter: the step then reports what is wrong. */
static bool accepts(runtime_thread *t, inbox *box, uint32_t index) {
    if (!box->process.wanted.predicate) {
        return true;
    }
    trial.letter = index;
    trial.answered = false;
    footprint touched = section_footprint(t);
    box->misbehaves = !trial.answered || touched != FOOTPRINT_EMPTY;
    return box->misbehaves || trial.answer;
}

/* In the step: the predicate runs again, and its fault or forbidden operation is reported. If there
 * is none, it has touched memory that it must not touch. */
static void show_misbehaviour(runtime_thread *t, const inbox *box) {
    t->section_depth = 1;
    ask(&box->process.wanted, box->found);
    t->section_depth = 0;
    runtime_fail(t, ERROR_MISUSE, t->pending.location,
                 "the predicate of a receive touches memory that is neither the message nor on the "
                 "stack of its process");
}

/* ---- pending receives ---- */

/* New letters come after those that were looked at, and no other thread takes any. */
static void search(runtime_thread *t, inbox *box) {
    for (uint32_t next; !box->found && (next = inbox_unscanned(box)) != LETTER_NONE;) {
        if (inbox_fits(&box->process.wanted, inbox_letter(next)) && accepts(t, box, next)) {
            box->found = next;
        }
        box->scanned = next;
    }
}

static memory_access reads(actor_object object, uint8_t bytes) {
    return (memory_access){
        .object = actor_object_number(object), .bytes = bytes, .mode = ACCESS_READ};
}

/* The kinds of message that a pattern takes, and their number. With bytes: all that could have been
 * taken instead of a time-out; without: what the receive is looking for. */
static uint32_t kinds(uint32_t thread, const inbox_pattern *wanted, uint8_t bytes,
                      memory_access *accesses) {
    CHECK(wanted->tag_count <= ACTOR_MAX_TAGS);
    bool from = wanted->sender != ACTOR_NONE;
    actor_object object = {.owner = thread, .other = from ? wanted->sender - 1 : 0};
    if (!wanted->tag_count) {
        object.kind = from ? ACTOR_FROM : ACTOR_ANYTHING;
        accesses[0] = reads(object, bytes);
        return 1;
    }
    object.kind = from ? ACTOR_TAGGED_FROM : ACTOR_TAGGED;
    for (uint32_t i = 0; i < wanted->tag_count; i++) {
        object.tag = wanted->tags[i];
        accesses[i] = reads(object, bytes);
    }
    return wanted->tag_count;
}

static footprint silence(uint32_t thread) {
    memory_access accesses[ACTOR_MAX_TAGS];
    uint32_t count = kinds(thread, &inboxes[thread].process.wanted, ACCESS_ALL_BYTES, accesses);
    return footprint_of(accesses, count);
}

/* The footprint of a receive that takes a letter; `read` is the letter if the receive could also
 * have come before it. */
static footprint reception(uint32_t thread, const letter *read) {
    memory_access accesses[ACTOR_MAX_TAGS + 1];
    uint32_t count = 0;
    if (!strict[thread]) {
        count = kinds(thread, &inboxes[thread].process.wanted, 0, accesses);
    }
    if (read) {
        actor_object object = {.kind = ACTOR_LETTER, .other = read->sender, .number = read->number};
        accesses[count++] = reads(object, ACCESS_ALL_BYTES);
    }
    return count ? footprint_of(accesses, count) : FOOTPRINT_EMPTY;
}

static void refresh_waiting(runtime_thread *t, const letter *found) {
    operation *o = &t->pending;
    uint32_t count = t->events == 0 && t->number != RUNTIME_MAIN;
    if (found && found->sender != t->number) {
        t->causes[count++] = (cause){found->sender, found->events};
    }
    o->cause_count = count;
    o->flags = found ? OPERATION_ENABLED : 0;
}

static void refresh_timed(runtime_thread *t, const letter *found) {
    t->pending.footprint = found ? reception(t->number, found) : silence(t->number);
}

/* For reports. */
static uint32_t object_of_receive(const runtime_thread *t, const letter *found, bool waits) {
    actor_object object = {.kind = waits ? ACTOR_WAIT : ACTOR_TIME_OUT, .owner = t->number};
    if (found) {
        object.kind = ACTOR_TAKEN;
        object.tag = found->tag;
        object.other = found->sender;
    }
    return actor_object_number(object);
}

/* What was found before the program went back may be due to steps that are undone. */
static void refresh(runtime_thread *t) {
    inbox *box = &inboxes[t->number];
    if (unlikely(box->past != inbox_past())) {
        inbox_forget_search(box);
    }
    if (box->shown && box->found) {
        return;
    }
    search(t, box);
    if (box->shown && !box->found) {
        return;
    }
    box->shown = true;
    const letter *found = box->found ? inbox_letter(box->found) : NULL;
    t->pending.object = object_of_receive(t, found, box->process.wanted.waits);
    if (box->process.wanted.waits) {
        refresh_waiting(t, found);
    } else {
        refresh_timed(t, found);
    }
}

/* The rule must run before the step: inside the fiber it is too late to try a predicate. */
static const refresh_rule receive_rule = {.update = refresh, .before_step = true};

/* ---- receiving ---- */

static void copy_pattern(runtime_thread *t, const actor_pattern *pattern, const void *here) {
    inbox_pattern *wanted = &inbox_of(t)->process.wanted;
    *wanted = (inbox_pattern){.waits = true};
    if (!pattern) {
        return;
    }
    access_plain(pattern, sizeof *pattern, ACCESS_READ, here);
    actor_pattern p = *pattern;
    if (p.tag_count > ACTOR_MAX_TAGS) {
        runtime_fail(t, ERROR_MISUSE, location_of(here), "a receive with %zu tags (at most %d)",
                     p.tag_count, ACTOR_MAX_TAGS);
    }
    if (p.tag_count) {
        access_plain(p.tags, p.tag_count * sizeof *p.tags, ACCESS_READ, here);
        memcpy(wanted->tags, p.tags, p.tag_count * sizeof *p.tags);
    }
    wanted->tag_count = (uint32_t)p.tag_count;
    wanted->sender = p.sender;
    wanted->predicate = p.predicate;
    wanted->context = p.context;
    wanted->waits = p.timeout_ms == ACTOR_FOREVER;
}

/* Moves the letter that was found from the mailbox to `hand`. */
static void take(runtime_thread *t, inbox *box) {
    CHECK(box->hand == LETTER_NONE && inbox_fits(&box->process.wanted, inbox_letter(box->found)));
    box->hand = box->found;
    inbox_remove(t->number, box->hand);
    const letter *l = inbox_letter(box->hand);
    race_acquire(t, &(sync_object){.clock = l->clock});
    t->value = payload_value(l);
}

/* Copies the letter in `hand` to the program's memory: at once, or in one step if others may see
 * it. */
static void hand_out(runtime_thread *t, actor_message *message, void *data, const void *here) {
    const inbox *box = inbox_of(t);
    CHECK(box->hand != LETTER_NONE);
    const letter *l = inbox_letter(box->hand);
    size_t size = data ? l->size : 0;
    access_two(message, message ? sizeof *message : 0, ACCESS_WRITE, data, size, ACCESS_WRITE,
               here);
    l = inbox_letter(box->hand); /* it may have moved */
    if (message) {
        *message = (actor_message){.tag = l->tag, .sender = identity(l->sender), .size = l->size};
    }
    if (size) {
        memcpy(data, inbox_payload(l), size);
    }
    inbox_of(t)->hand = LETTER_NONE;
}

static void check_room(runtime_thread *t, const letter *l, size_t capacity) {
    if (l->size > capacity) {
        runtime_fail(t, ERROR_MISUSE, t->pending.location,
                     "a message of %u bytes (tag %d) is received where there is room for %zu",
                     l->size, l->tag, capacity);
    }
}

/* True: a message was taken. False: the receive has timed out. */
static bool wait_for_letter(runtime_thread *t, uint32_t location) {
    inbox *box = inbox_of(t);
    inbox_forget_search(box);
    if (box->process.wanted.predicate && !strict[t->number]) {
        strict[t->number] = true;
        target_make_stale(space.target);
    }
    runtime_prepare(t, OPERATION_RECEIVE, 0, reception(t->number, NULL), location);
    t->pending.flags |= box->process.wanted.waits ? 0 : OPERATION_VARIES;
    t->refresh = &receive_rule;
    runtime_park(t);
    if (section_tried()) {
        answer_trial(t);
    }
    box = inbox_of(t);
    if (box->misbehaves) {
        show_misbehaviour(t, box);
    }
    if (box->found == LETTER_NONE) {
        CHECK(!box->process.wanted.waits);
        return false;
    }
    take(t, box);
    return true;
}

bool actor_receive(actor_message *message, void *data, size_t capacity,
                   const actor_pattern *pattern) {
    uint32_t location = LOCATION_HERE();
    runtime_thread *t = caller("actor_receive", location);
    copy_pattern(t, pattern, HERE);
    if (!wait_for_letter(t, location)) {
        return false;
    }
    if (data) {
        check_room(t, inbox_letter(inbox_of(t)->hand), capacity);
    }
    hand_out(t, message, data, HERE);
    return true;
}

/* ---- life ---- */

static void *run_process(void *unused) {
    (void)unused;
    const struct inbox_process *process = &inbox_of(runtime.current)->process;
    process->body(process->argument);
    actor_exit();
}

static actor spawn(void (*body)(void *), void *argument, const int *monitor_tag,
                   uint32_t location) {
    runtime_thread *t = caller("actor_spawn", location);
    runtime_thread *child = threads_create(t, run_process, NULL, location);
    struct inbox_process *process = &inbox_of(child)->process;
    process->body = body;
    process->argument = argument;
    process->spawned = true;
    process->monitored = monitor_tag != NULL;
    process->monitor_tag = monitor_tag ? *monitor_tag : 0;
    return identity(child->number);
}

actor actor_spawn(void (*body)(void *), void *argument) {
    return spawn(body, argument, NULL, LOCATION_HERE());
}

actor actor_spawn_monitored(void (*body)(void *), void *argument, int tag) {
    return spawn(body, argument, &tag, LOCATION_HERE());
}

actor actor_self(void) {
    return runtime.current ? identity(runtime.current->number) : ACTOR_NONE;
}

actor actor_parent(void) {
    const runtime_thread *t = runtime.current;
    return t && inbox_of(t)->process.spawned ? identity(t->creator) : ACTOR_NONE;
}

_Noreturn void actor_exit(void) {
    runtime_thread *t = runtime.current;
    uint32_t location = LOCATION_HERE();
    section_forbid(t, "actor_exit", location);
    inbox *box = inbox_of(t);
    if (box->process.monitored) {
        box->outgoing = inbox_write(box->process.monitor_tag, NULL, 0);
        send(t, t->creator, location ? location : t->pending.location);
    }
    heddle_pthread_exit(NULL);
}

void actor_join(actor process) {
    uint32_t location = LOCATION_HERE();
    runtime_thread *t = caller("actor_join", location);
    runtime_thread *other = thread_of(t, process, "actor_join of", location);
    if (other == t || !inbox_of(other)->process.spawned) {
        runtime_fail(t, ERROR_MISUSE, location, "actor_join of %s",
                     other == t ? "the process itself" : "a process that actor_spawn did not make");
    }
    threads_await_end(t, other, location);
}
