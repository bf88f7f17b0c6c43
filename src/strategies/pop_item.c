#include "strategies/pop_item.h"

#include <string.h>

work_item *item_new(item_pool *pool) {
    work_item *item =
        pool->spare.count ? vector_pop(&pool->spare) : memory_resize(NULL, 0, sizeof *item);
    vector_clear(&item->steps);
    vector_clear(&item->marks);
    item->head_races = true;
    item->phantom = false;
    return item;
}

static void record_release(item_pool *pool, head_record *record) {
    if (--record->references) {
        return;
    }
    if (record->tree) {
        tree_release(&pool->trees, record->tree);
    }
    while (record->asleep.count) {
        tree_release(&pool->trees, vector_pop(&record->asleep));
    }
    record->next_free = pool->free_records;
    pool->free_records = record;
}

head_record *record_new(item_pool *pool) {
    head_record *record = pool->free_records;
    if (record) {
        pool->free_records = record->next_free;
    } else {
        record = memory_resize(NULL, 0, sizeof *record);
    }
    record->references = 1;
    record->tree = NULL;
    return record;
}

void item_release(item_pool *pool, work_item *item) {
    while (item->heads.count) {
        record_release(pool, vector_pop(&item->heads).record);
    }
    vector_push(&pool->spare, item);
}

void item_pool_free(item_pool *pool) {
    while (pool->spare.count) {
        work_item *item = vector_pop(&pool->spare);
        vector_free(&item->steps);
        vector_free(&item->marks);
        vector_free(&item->heads);
        memory_resize(item, sizeof *item, 0);
    }
    vector_free(&pool->spare);
    while (pool->free_records) {
        head_record *record = pool->free_records;
        pool->free_records = record->next_free;
        vector_free(&record->asleep);
        memory_resize(record, sizeof *record, 0);
    }
    tree_pool_free(&pool->trees);
}

work_item *item_fork(item_pool *pool, const execution *e, uint32_t length, const uint8_t *marks,
                     const work_item *heads) {
    work_item *item = item_new(pool);
    vector_resize(&item->steps, length);
    vector_resize(&item->marks, length);
    for (uint32_t i = 0; i < length; i++) {
        const event *of = execution_event(e, i);
        item->steps.items[i] = (step){of->thread, of->choice};
    }
    if (length) {
        memcpy(item->marks.items, marks, length);
    }
    for (uint32_t i = 0; i < heads->heads.count; i++) {
        placed_head head = heads->heads.items[i];
        if (head.position < length) {
            head.record->references++;
            vector_push(&item->heads, head);
        }
    }
    return item;
}

void item_add(work_item *item, step next, uint8_t marks) {
    vector_push(&item->steps, next);
    vector_push(&item->marks, marks);
}

head_record *item_record(const work_item *item, uint32_t position) {
    for (uint32_t i = item->heads.count; i-- > 0;) {
        if (item->heads.items[i].position == position) {
            return item->heads.items[i].record;
        }
    }
    return NULL;
}
