#include "dpor/pop/pop_item.h"

/* Blocks below this size are not worth freeing. */
enum { TRIM_LEAST = 64 };

/* An item with this many more steps in common is taken first. */
enum { WORTH_SORTING = 16 };

/* ---- records ---- */

head_record *record_new(item_pool *pool) {
    head_record *record = pool->free_records;
    if (record) {
        pool->free_records = record->next_free;
    } else {
        record = memory_resize(NULL, 0, sizeof *record);
    }
    record->tree = NULL;
    return record;
}

/* What must not be completed right after the head is no longer needed. */
static void wake(item_pool *pool, head_record *record) {
    while (record->asleep.count) {
        tree_release(&pool->trees, vector_pop(&record->asleep));
    }
    if (record->asleep.capacity > TRIM_LEAST) {
        vector_free(&record->asleep);
    }
}

static void record_release(item_pool *pool, head_record *record) {
    if (record->tree) {
        tree_release(&pool->trees, record->tree);
    }
    wake(pool, record);
    record->next_free = pool->free_records;
    pool->free_records = record;
}

/* ---- life ---- */

static void link_child(work_item *parent, work_item *item) {
    item->previous = NULL;
    item->next = parent->children;
    if (item->next) {
        item->next->previous = item;
    }
    parent->children = item;
    parent->child_count++;
}

static void unlink_child(work_item *parent, work_item *item) {
    *(item->previous ? &item->previous->next : &parent->children) = item->next;
    if (item->next) {
        item->next->previous = item->previous;
    }
    CHECK(parent->child_count > 0);
    parent->child_count--;
}

static work_item *new_child(item_pool *pool, work_item *parent, uint32_t shared) {
    work_item *item =
        pool->spare.count ? vector_pop(&pool->spare) : memory_resize(NULL, 0, sizeof *item);
    vector_clear(&item->steps);
    vector_clear(&item->marks);
    item->parent = parent;
    item->depth = parent ? parent->depth + 1 : 0;
    item->shared = item->scripted = shared;
    item->record = NULL;
    item->head_races = true;
    item->phantom = item->finished = item->foreign = false;
    item->place = 0;
    item->children = item->next = item->previous = NULL;
    item->child_count = item->trim_count = 0;
    if (parent) {
        link_child(parent, item);
    }
    return item;
}

work_item *item_new(item_pool *pool, work_item *parent, uint32_t shared) {
    while (parent && parent->parent && shared <= parent->shared) {
        parent = parent->parent;
    }
    return new_child(pool, parent, shared);
}

work_item *item_restore(item_pool *pool, work_item *parent, uint32_t shared) {
    work_item *item = new_child(pool, parent, shared);
    item->foreign = true;
    return item;
}

void item_add(work_item *item, step next, uint8_t marks) {
    DEBUG_CHECK(item->steps.count == item->marks.count && !item->child_count && !item->record);
    DEBUG_CHECK(marks & MARK_SCHEDULE && (marks & ~MARK_ALL) == 0);
    vector_push(&item->steps, next);
    vector_push(&item->marks, marks);
    item->scripted++;
}

void item_pool_trim(item_pool *pool) {
    while (pool->spare.count) {
        work_item *item = vector_pop(&pool->spare);
        vector_free(&item->steps);
        vector_free(&item->marks);
        memory_resize(item, sizeof *item, 0);
    }
    vector_free(&pool->spare);
    while (pool->free_records) {
        head_record *record = pool->free_records;
        pool->free_records = record->next_free;
        vector_free(&record->asleep);
        memory_resize(record, sizeof *record, 0);
    }
    tree_pool_trim(&pool->trees);
}

void item_pool_free(item_pool *pool) {
    item_pool_trim(pool);
    tree_pool_free(&pool->trees);
}

/* ---- after the run ---- */

static uint32_t longest_shared(const work_item *item) {
    uint32_t longest = item->shared;
    for (const work_item *child = item->children; child; child = child->next) {
        longest = child->shared > longest ? child->shared : longest;
    }
    return longest;
}

/* Frees what no child shares. Trees that sleep after the head are queried only if the step after it
 * is in no schedule, so a child that ends at the head does not need them. */
static void trim(item_pool *pool, work_item *item) {
    uint32_t longest = longest_shared(item);
    item->trim_count = item->child_count / 2;
    if (item->record && longest < item->scripted) {
        record_release(pool, item->record);
        item->record = NULL;
    } else if (item->record && longest == item->scripted) {
        wake(pool, item->record);
    }
    if (longest - item->shared < item->steps.count) {
        item->steps.count = longest - item->shared;
        vector_shrink(&item->steps, TRIM_LEAST);
    }
    if (item->steps.count < item->marks.count) {
        item->marks.count = item->steps.count;
        vector_shrink(&item->marks, TRIM_LEAST);
    }
}

/* Ancestors are freed with their last child; in a loop, because there may be many. */
static void release(item_pool *pool, work_item *item) {
    while (item && item->finished && !item->child_count) {
        work_item *parent = item->parent;
        if (item->record) {
            record_release(pool, item->record);
        }
        if (parent) {
            unlink_child(parent, item);
        }
        vector_push(&pool->spare, item);
        item = parent;
    }
    if (item && item->finished && item->child_count <= item->trim_count) {
        trim(pool, item);
    }
}

void item_keep(work_item *item, const execution *e) {
    uint32_t longest = longest_shared(item);
    for (uint32_t i = item->shared + item->steps.count; i < longest; i++) {
        const event *of = execution_event(e, i);
        vector_push(&item->steps, (step){of->thread, of->choice});
    }
}

void item_finish(item_pool *pool, work_item *item, const execution *e) {
    item_keep(item, e);
    CHECK(!item->finished && item->shared + item->steps.count >= longest_shared(item));
    item->finished = true;
    trim(pool, item);
    item_check(item);
    release(pool, item);
}

void item_drop(item_pool *pool, work_item *item) {
    item->finished = true;
    release(pool, item);
}

/* ---- comparing ---- */

void item_list_sort(item_list *items, uint32_t from) {
    for (uint32_t i = from + 1; i < items->count; i++) {
        work_item *moved = vector_at(items, i);
        uint32_t at = i, least = moved->shared + WORTH_SORTING;
        for (; at > from && vector_at(items, at - 1)->shared > least; at--) {
            vector_at(items, at) = vector_at(items, at - 1);
        }
        vector_at(items, at) = moved;
    }
}

uint32_t item_common(const work_item *one, const work_item *other) {
    uint32_t length = UINT32_MAX;
    while (one != other) {
        bool first = !other || (one && one->depth >= other->depth);
        const work_item **deeper = first ? &one : &other;
        DEBUG_CHECK(*deeper);
        length = (*deeper)->shared < length ? (*deeper)->shared : length;
        *deeper = (*deeper)->parent;
    }
    return length;
}

void item_check(const work_item *item) {
    DEBUG_CHECK(!item->parent || item->depth == item->parent->depth + 1);
    DEBUG_CHECK(!item->parent || !item->parent->parent || item->shared > item->parent->shared);
    DEBUG_CHECK(item->marks.count <= item->steps.count);
    DEBUG_CHECK(item->scripted >= item->shared && item->trim_count <= item->child_count);
    DEBUG_CHECK(!item->record || item->marks.count >= item->scripted - item->shared);
    DEBUG_CHECK(item->parent || !item->shared);
    DEBUG_CHECK(longest_shared(item) <= item->shared + item->steps.count || !item->finished);
#ifdef HEDDLE_DEBUG
    uint32_t count = 0;
    for (const work_item *child = item->children; child; child = child->next) {
        CHECK(child->parent == item && (!child->next || child->next->previous == child));
        count++;
    }
    CHECK(count == item->child_count);
#endif
}
