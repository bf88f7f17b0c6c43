#include "targets/runtime/sync/actor_object.h"

#include "base/hash_index.h"
#include "base/vector.h"
#include "targets/runtime/memory/space.h"

typedef struct entry {
    actor_object key;
    uint32_t number;     /* of ACTOR_SENT…: that of the ACTOR_TAGGED for reports */
    footprint footprint; /* of ACTOR_SENT…; else unused */
} entry;

static struct {
    VECTOR(entry) entries;
    hash_index indices; /* of entries, by their keys */
} objects;

void actor_object_close(void) {
    vector_free(&objects.entries);
    hash_index_free(&objects.indices);
}

static uint32_t hash(actor_object key) {
    uint64_t h = hash_index_mix(HASH_INDEX_SEED, (uint64_t)key.kind << 32 | (uint32_t)key.tag);
    h = hash_index_mix(h, (uint64_t)key.owner << 32 | key.other);
    return hash_index_fold(hash_index_mix(h, key.number));
}

static bool is_wanted(const void *context, uint32_t index) {
    const actor_object *a = context, *b = &vector_at(&objects.entries, index).key;
    return a->kind == b->kind && a->tag == b->tag && a->owner == b->owner && a->other == b->other &&
           a->number == b->number;
}

/* The entry may move when another one is made. */
static entry *intern(actor_object key, bool *fresh) {
    uint32_t index = hash_index_find(&objects.indices, hash(key), is_wanted, &key);
    *fresh = index == HASH_INDEX_NONE;
    if (*fresh) {
        index = objects.entries.count;
        hash_index_add(&objects.indices, hash(key), index);
        vector_push(&objects.entries, (entry){.key = key});
    }
    return &vector_at(&objects.entries, index);
}

uint32_t actor_object_number(actor_object key) {
    bool fresh;
    entry *found = intern(key, &fresh);
    if (fresh) {
        found->number = space_new_number(0);
    }
    return found->number;
}

static memory_access touch(actor_object key, enum access_mode mode) {
    return (memory_access){
        .object = actor_object_number(key), .bytes = ACCESS_ALL_BYTES, .mode = (uint8_t)mode};
}

static footprint make_send_footprint(actor_object sent) {
    actor_object at = {.owner = sent.owner};
    memory_access accesses[6];
    at.kind = ACTOR_MAILBOX;
    accesses[0] = touch(at, sent.kind == ACTOR_SENT ? ACCESS_SEND : ACCESS_READ_WRITE);
    at.kind = ACTOR_ANYTHING;
    accesses[1] = touch(at, ACCESS_WRITE);
    at = (actor_object){.kind = ACTOR_TAGGED, .owner = sent.owner, .tag = sent.tag};
    accesses[2] = touch(at, ACCESS_WRITE);
    at.kind = ACTOR_TAGGED_FROM;
    at.other = sent.other;
    accesses[3] = touch(at, ACCESS_WRITE);
    at = (actor_object){.kind = ACTOR_FROM, .owner = sent.owner, .other = sent.other};
    accesses[4] = touch(at, ACCESS_WRITE);
    CHECK(sent.kind == ACTOR_SENT || sent.kind == ACTOR_SENT_STRICTLY);
    at = (actor_object){.kind = ACTOR_LETTER, .other = sent.other, .number = sent.number};
    accesses[5] = touch(at, ACCESS_WRITE);
    return footprint_of(accesses, sizeof accesses / sizeof *accesses);
}

footprint actor_send_footprint(uint32_t receiver, int32_t tag, uint32_t sender, uint32_t number,
                               bool strict, uint32_t *object) {
    actor_object key = {.kind = strict ? ACTOR_SENT_STRICTLY : ACTOR_SENT,
                        .tag = tag,
                        .owner = receiver,
                        .other = sender,
                        .number = number};
    bool fresh;
    entry *found = intern(key, &fresh);
    if (fresh) {
        footprint made = make_send_footprint(key);
        uint32_t tagged = actor_object_number(
            (actor_object){.kind = ACTOR_TAGGED, .owner = receiver, .tag = tag});
        found = intern(key, &fresh);
        CHECK(!fresh && made != FOOTPRINT_EMPTY);
        found->footprint = made;
        found->number = tagged;
    }
    *object = found->number;
    return found->footprint;
}

bool actor_object_find(uint32_t number, actor_object *found) {
    for (uint32_t i = 0; i < objects.entries.count && number; i++) {
        const entry *e = &vector_at(&objects.entries, i);
        bool sent = e->key.kind == ACTOR_SENT || e->key.kind == ACTOR_SENT_STRICTLY;
        if (e->number == number && !sent) {
            *found = e->key;
            return true;
        }
    }
    return false;
}
