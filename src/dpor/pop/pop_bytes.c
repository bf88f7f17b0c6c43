#include "dpor/pop/pop_bytes.h"

#include "dpor/sleep_tree_bytes.h"

/* ---- to bytes ---- */

/* An item, or an ancestor of items. */
typedef struct node {
    work_item *item;
    uint32_t longest; /* of an ancestor: how many steps some item shares with it */
    bool wanted;      /* it is one of the items */
} node;

typedef VECTOR(node) node_list;

/* The ancestors of the item that are not in the list yet, the oldest first, and the item. */
static void collect(node_list *nodes, work_item *item) {
    uint32_t start = nodes->count;
    for (work_item *at = item; at && !at->place; at = at->parent) {
        vector_push(nodes, (node){.item = at});
        at->place = UINT32_MAX;
    }
    for (uint32_t i = start, j = nodes->count; i + 1 < j; i++) {
        node moved = vector_at(nodes, i);
        vector_at(nodes, i) = vector_at(nodes, --j);
        vector_at(nodes, j) = moved;
    }
    for (uint32_t i = start; i < nodes->count; i++) {
        work_item *added = vector_at(nodes, i).item;
        added->place = i + 1;
        if (added->parent) {
            node *above = &vector_at(nodes, added->parent->place - 1);
            above->longest = added->shared > above->longest ? added->shared : above->longest;
        }
    }
    vector_at(nodes, item->place - 1).wanted = true;
}

static void put_record(const head_record *record, bool asleep, name_writer *w) {
    bytes_put_number(&w->body, record->tree != NULL);
    if (record->tree) {
        tree_encode(record->tree, w);
    }
    uint32_t count = asleep ? record->asleep.count : 0;
    bool shares = count && vector_at(&record->asleep, count - 1) == record->tree;
    bytes_put_number(&w->body, count - shares);
    bytes_put_number(&w->body, shares);
    for (uint32_t i = 0; i < count - shares; i++) {
        tree_encode(vector_at(&record->asleep, i), w);
    }
}

/* Leaves out the steps of an ancestor that no item shares, as item_finish does. */
static void put_node(const node *n, name_writer *w) {
    const work_item *item = n->item;
    uint32_t length = n->wanted ? item->scripted : n->longest, own = length - item->shared;
    uint32_t marks = item->marks.count < own ? item->marks.count : own;
    bool keeps_record = item->record && length >= item->scripted;
    CHECK(own <= item->steps.count);
    bytes_put_number(&w->body, item->parent ? item->parent->place : 0);
    bytes_put_number(&w->body, n->wanted);
    bytes_put_number(&w->body, item->shared);
    bytes_put_number(&w->body, item->scripted - item->shared);
    bytes_put_number(&w->body, (uint64_t)(item->head_races | item->phantom << 1));
    bytes_put_number(&w->body, own);
    bytes_put_number(&w->body, marks);
    for (uint32_t i = 0; i < own; i++) {
        names_put_thread(w, vector_at(&item->steps, i).thread);
        names_put_choice(w, vector_at(&item->steps, i).choice);
    }
    for (uint32_t i = 0; i < marks; i++) {
        bytes_put_number(&w->body, vector_at(&item->marks, i));
    }
    bytes_put_number(&w->body, keeps_record);
    if (keeps_record) {
        put_record(item->record, n->wanted || length > item->scripted, w);
    }
}

void items_encode(work_item *const *items, uint32_t count, name_writer *w) {
    node_list nodes = {0};
    for (uint32_t i = 0; i < count; i++) {
        collect(&nodes, items[i]);
    }
    bytes_put_number(&w->body, nodes.count);
    for (uint32_t i = 0; i < nodes.count; i++) {
        put_node(&vector_at(&nodes, i), w);
    }
    for (uint32_t i = 0; i < nodes.count; i++) {
        vector_at(&nodes, i).item->place = 0;
    }
    vector_free(&nodes);
}

/* ---- from bytes ---- */

static head_record *take_record(item_pool *pool, name_reader *r) {
    head_record *record = record_new(pool);
    if (bytes_take_flag(r->bytes)) {
        record->tree = tree_decode(&pool->trees, r);
    }
    uint32_t count = bytes_take_count(r->bytes);
    bool shares = bytes_take_flag(r->bytes);
    r->bytes->failed = r->bytes->failed || (shares && !record->tree);
    for (uint32_t i = 0; i < count && !r->bytes->failed; i++) {
        sleep_tree *tree = tree_decode(&pool->trees, r);
        if (tree) {
            vector_push(&record->asleep, tree);
        }
    }
    if (shares && !r->bytes->failed) {
        vector_push(&record->asleep, tree_share(record->tree));
    }
    return record;
}

static void take_steps(work_item *item, name_reader *r) {
    uint32_t own = bytes_take_count(r->bytes);
    uint32_t marks = (uint32_t)bytes_take_number(r->bytes, own);
    for (uint32_t i = 0; i < own && !r->bytes->failed; i++) {
        uint32_t thread = names_take_thread(r);
        vector_push(&item->steps, (step){thread, names_take_choice(r)});
    }
    for (uint32_t i = 0; i < marks && !r->bytes->failed; i++) {
        vector_push(&item->marks, (uint8_t)bytes_take_number(r->bytes, MARK_ALL));
    }
}

/* The item fits its parent, and its parts fit each other. */
static bool fits(const work_item *item, bool wanted) {
    const work_item *parent = item->parent;
    if (parent && (item->shared > parent->shared + parent->steps.count ||
                   (parent->parent && item->shared <= parent->shared))) {
        return false;
    }
    if (!parent && item->shared) {
        return false;
    }
    uint32_t sigma = item->scripted - item->shared;
    if (wanted) {
        return item->steps.count == sigma && item->marks.count == sigma && (sigma || !parent);
    }
    return item->marks.count <= sigma && (!item->record || item->steps.count >= sigma);
}

/* The parent is one of the entries before it, and an ancestor. */
static work_item *take_node(item_pool *pool, name_reader *r, const node_list *nodes, bool *wanted) {
    uint32_t parent = (uint32_t)bytes_take_number(r->bytes, nodes->count);
    work_item *above = parent ? vector_at(nodes, parent - 1).item : NULL;
    *wanted = bytes_take_flag(r->bytes);
    uint32_t shared = (uint32_t)bytes_take_number(r->bytes, INT32_MAX);
    if (r->bytes->failed || (parent && vector_at(nodes, parent - 1).wanted)) {
        r->bytes->failed = true;
        return NULL;
    }
    work_item *item = item_restore(pool, above, shared);
    item->scripted = shared + (uint32_t)bytes_take_number(r->bytes, INT32_MAX);
    uint64_t flags = bytes_take_number(r->bytes, 3);
    item->head_races = flags & 1;
    item->phantom = flags & 2;
    take_steps(item, r);
    if (bytes_take_flag(r->bytes)) {
        item->record = take_record(pool, r);
    }
    r->bytes->failed = r->bytes->failed || !fits(item, *wanted);
    return item;
}

/* Every ancestor is needed by an item. */
static bool are_needed(const node_list *nodes) {
    for (uint32_t i = 0; i < nodes->count; i++) {
        const node *n = &vector_at(nodes, i);
        if (!n->wanted && !n->item->child_count) {
            return false;
        }
    }
    return true;
}

/* Children first, so that no parent is freed with its last child. */
static void discard(item_pool *pool, const node_list *nodes) {
    for (uint32_t i = nodes->count; i-- > 0;) {
        item_drop(pool, vector_at(nodes, i).item);
    }
}

void items_decode(item_pool *pool, name_reader *r, item_list *list) {
    node_list nodes = {0};
    uint32_t count = bytes_take_count(r->bytes);
    for (uint32_t i = 0; i < count && !r->bytes->failed; i++) {
        bool wanted;
        work_item *item = take_node(pool, r, &nodes, &wanted);
        if (item) {
            vector_push(&nodes, (node){.item = item, .wanted = wanted});
        }
    }
    r->bytes->failed = r->bytes->failed || !are_needed(&nodes);
    if (r->bytes->failed) {
        discard(pool, &nodes);
    }
    for (uint32_t i = 0; i < nodes.count && !r->bytes->failed; i++) {
        node *n = &vector_at(&nodes, i);
        n->item->finished = !n->wanted;
        if (n->wanted) {
            vector_push(list, n->item);
        }
    }
    vector_free(&nodes);
}
