#include "dpor/pop/pop_path.h"

void path_free(pop_path *path) {
    vector_free(&path->steps);
    vector_free(&path->marks);
    vector_free(&path->limits);
    vector_free(&path->heads);
}

static void truncate_path(pop_path *path, uint32_t length) {
    path->marks.count = length;
    while (path->limits.count && vector_last(&path->limits) >= length) {
        path->limits.count--;
    }
    while (path->heads.count && vector_last(&path->heads).position >= length) {
        path->heads.count--;
    }
}

/* The item's own steps, from `common` up to `end`. */
static void fill(pop_path *path, const work_item *item, uint32_t common, uint32_t end) {
    uint32_t from = item->shared > common ? item->shared : common;
    CHECK(end <= path->steps.count && end <= path->marks.count &&
          end <= item->shared + item->steps.count);
    const step *steps = item->steps.items;
    for (uint32_t i = from; i < end; i++) {
        uint32_t own = i - item->shared;
        vector_at_fast(&path->steps, i) = steps[own];
        vector_at_fast(&path->marks, i) =
            own < item->marks.count ? vector_at_fast(&item->marks, own) : 0;
    }
    if (item->record && item->scripted > from && item->scripted <= end) {
        vector_push(&path->heads, (placed_head){item->scripted - 1, item->record});
    }
}

/* Heads were found in reverse order. */
static void reverse_heads(pop_path *path, uint32_t from) {
    for (uint32_t to = path->heads.count; from + 1 < to; from++) {
        placed_head moved = vector_at(&path->heads, from);
        vector_at(&path->heads, from) = vector_at(&path->heads, --to);
        vector_at(&path->heads, to) = moved;
    }
}

void path_follow(pop_path *path, const work_item *item, uint32_t common) {
    uint32_t length = item->scripted, end = length;
    CHECK(common <= length && common <= path->marks.count);
    truncate_path(path, common);
    uint32_t kept = path->heads.count;
    vector_resize(&path->steps, length);
    vector_resize(&path->marks, length);
    for (const work_item *from = item; end > common; from = from->parent) {
        CHECK(from && from->shared <= end);
        fill(path, from, common, end);
        end = from->shared;
    }
    reverse_heads(path, kept);
    for (uint32_t i = common; i < length; i++) {
        if (vector_at_fast(&path->marks, i) & MARK_LIMIT) {
            vector_push(&path->limits, i);
        }
    }
    DEBUG_INVARIANT(path_check(path, item));
}

void path_check(const pop_path *path, const work_item *item) {
    uint32_t stale = 0;
    CHECK(path->steps.count == item->scripted && path->marks.count >= item->scripted);
    for (uint32_t i = 0; i < path->marks.count; i++) {
        uint8_t marks = vector_at(&path->marks, i);
        CHECK((marks & ~MARK_ALL) == 0);
        CHECK(!(marks & (MARK_HEAD | MARK_LIMIT)) || marks & MARK_SCHEDULE);
        if (marks & MARK_LIMIT) {
            CHECK(stale < path->limits.count && vector_at(&path->limits, stale) == i);
            stale++;
        }
    }
    CHECK(stale == path->limits.count);
    for (uint32_t i = 0; i < path->heads.count; i++) {
        const placed_head *head = &vector_at(&path->heads, i);
        CHECK(head->record && head->position < path->marks.count);
        CHECK(vector_at(&path->marks, head->position) & MARK_HEAD);
        CHECK(i == 0 || vector_at(&path->heads, i - 1).position < head->position);
    }
}

head_record *path_record(const pop_path *path, uint32_t position) {
    uint32_t low = 0, high = path->heads.count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (vector_at(&path->heads, middle).position < position) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    bool found = low < path->heads.count && vector_at(&path->heads, low).position == position;
    return found ? vector_at(&path->heads, low).record : NULL;
}
