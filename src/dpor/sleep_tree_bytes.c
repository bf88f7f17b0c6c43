#include "dpor/sleep_tree_bytes.h"

/* A tree is followed by the trees that it inherits, in the order of its parts, those by theirs, and
 * so on. This is a list, so neither writing nor reading recurses, however deep trees nest. */

/* ---- to bytes ---- */

static void put_values(const tree_value *values, uint32_t count, name_writer *w) {
    bytes_put_number(&w->body, count);
    for (uint32_t i = 0; i < count; i++) {
        bytes_put_number(&w->body, (uint32_t)(values[i].item - TREE_BASE));
        names_put_object(w, values[i].object);
        bytes_put_number(&w->body, values[i].value);
    }
}

static void put_items(const sleep_tree *t, name_writer *w) {
    bytes_put_number(&w->body, t->items.count);
    for (uint32_t i = 0; i < t->items.count; i++) {
        const tree_item *item = &vector_at(&t->items, i);
        names_put_thread(w, item->thread);
        bytes_put_number(&w->body, item->index);
        names_put_choice(w, item->choice);
        names_put_footprint(w, item->footprint);
        bytes_put_number(&w->body, item->done);
        bytes_put_number(&w->body, item->blocked);
        bytes_put_number(&w->body, item->tainted);
    }
}

static void put_parts(const sleep_tree *t, name_writer *w) {
    bytes_put_number(&w->body, t->parts.count);
    for (uint32_t i = 0; i < t->parts.count; i++) {
        const tree_part *part = &vector_at(&t->parts, i);
        names_put_thread(w, part->head_thread);
        bytes_put_number(&w->body, part->head_index);
        bytes_put_number(&w->body, part->inherited != NULL);
        bytes_put_number(&w->body, part->heads);
        bytes_put_number(&w->body, part->end);
    }
}

/* Of each row, the threads that are in it. */
static void put_sets(const sleep_tree *t, name_writer *w) {
    uint32_t rows = t->sets.count / t->stride;
    CHECK(rows && t->sets.count % t->stride == 0);
    bytes_put_number(&w->body, rows);
    for (uint32_t row = 0; row < rows; row++) {
        uint32_t count = 0;
        for (uint32_t i = 0; i < t->stride; i++) {
            count += vector_at(&t->sets, (size_t)row * t->stride + i) != TREE_NO_INDEX;
        }
        bytes_put_number(&w->body, count);
        for (uint32_t i = 0; i < t->stride; i++) {
            uint32_t index = vector_at(&t->sets, (size_t)row * t->stride + i);
            if (index != TREE_NO_INDEX) {
                names_put_thread(w, i);
                bytes_put_number(&w->body, index);
            }
        }
    }
}

static void put_tree(const sleep_tree *t, name_writer *w) {
    names_put_thread(w, t->base_thread);
    bytes_put_number(&w->body, t->base_index);
    names_put_footprint(w, t->base_footprint);
    bytes_put_number(&w->body, t->base_done);
    put_sets(t, w);
    put_items(t, w);
    put_values(t->values.items, t->values.count, w);
    put_values(t->before.items, t->before.count, w);
    put_parts(t, w);
}

void tree_encode(const sleep_tree *tree, name_writer *w) {
    VECTOR(const sleep_tree *) trees = {0};
    vector_push(&trees, tree);
    for (uint32_t i = 0; i < trees.count; i++) {
        const sleep_tree *t = vector_at(&trees, i);
        put_tree(t, w);
        for (uint32_t j = 0; j < t->parts.count; j++) {
            if (vector_at(&t->parts, j).inherited) {
                vector_push(&trees, vector_at(&t->parts, j).inherited);
            }
        }
    }
    vector_free(&trees);
}

/* ---- from bytes ---- */

/* A part that inherits a tree, which comes later. */
typedef struct heir {
    sleep_tree *tree;
    uint32_t part;
} heir;

typedef VECTOR(heir) heir_list;

static uint32_t take_index(name_reader *r) {
    return (uint32_t)bytes_take_number(r->bytes, TREE_NO_INDEX - 1);
}

/* A number below `count`; 0 if the bytes have none. */
static uint32_t take_below(name_reader *r, uint32_t count) {
    return (uint32_t)bytes_take_number(r->bytes, count ? count - 1 : 0);
}

static void take_sets(sleep_tree *t, name_reader *r) {
    uint32_t rows = bytes_take_count(r->bytes);
    r->bytes->failed = r->bytes->failed || rows == 0;
    for (uint32_t row = 0; row < rows && !r->bytes->failed; row++) {
        if (row) {
            tree_add_set(t);
        }
        uint32_t count = bytes_take_count(r->bytes);
        for (uint32_t i = 0; i < count && !r->bytes->failed; i++) {
            uint32_t thread = names_take_thread(r), index = take_index(r);
            CHECK(thread < t->stride);
            vector_at(&t->sets, (size_t)row * t->stride + thread) = index;
        }
    }
}

static void take_items(sleep_tree *t, name_reader *r) {
    uint32_t count = bytes_take_count(r->bytes);
    for (uint32_t i = 0; i < count && !r->bytes->failed; i++) {
        tree_item item = {.thread = names_take_thread(r), .index = take_index(r)};
        item.choice = names_take_choice(r);
        item.footprint = names_take_footprint(r);
        item.done = bytes_take_flag(r->bytes);
        item.blocked = bytes_take_flag(r->bytes);
        item.tainted = take_below(r, t->sets.count / t->stride);
        vector_push(&t->items, item);
    }
}

static tree_value take_value(const sleep_tree *t, name_reader *r) {
    tree_value v = {.item = (uint32_t)bytes_take_number(r->bytes, UINT32_MAX) + TREE_BASE};
    r->bytes->failed = r->bytes->failed || (v.item != TREE_BASE && v.item >= t->items.count);
    v.object = names_take_object(r);
    v.value = bytes_take_number(r->bytes, UINT64_MAX);
    return v;
}

static void take_values(sleep_tree *t, name_reader *r) {
    uint32_t count = bytes_take_count(r->bytes);
    for (uint32_t i = 0; i < count && !r->bytes->failed; i++) {
        vector_push(&t->values, take_value(t, r));
    }
    count = bytes_take_count(r->bytes);
    for (uint32_t i = 0; i < count && !r->bytes->failed; i++) {
        vector_push(&t->before, take_value(t, r));
    }
}

static void take_parts(sleep_tree *t, name_reader *r, heir_list *heirs) {
    uint32_t count = bytes_take_count(r->bytes), end = 0;
    r->bytes->failed = r->bytes->failed || count == 0;
    vector_clear(&t->parts);
    for (uint32_t i = 0; i < count && !r->bytes->failed; i++) {
        tree_part part = {.head_thread = names_take_thread(r), .head_index = take_index(r)};
        bool inherits = bytes_take_flag(r->bytes);
        part.heads = take_below(r, t->sets.count / t->stride);
        part.end = (uint32_t)bytes_take_number(r->bytes, t->items.count);
        r->bytes->failed = r->bytes->failed || part.end < end;
        end = part.end;
        vector_push(&t->parts, part);
        if (inherits) {
            vector_push(heirs, (heir){t, i});
        }
    }
    r->bytes->failed = r->bytes->failed || end != t->items.count;
}

static sleep_tree *take_tree(tree_pool *pool, name_reader *r, heir_list *heirs) {
    uint32_t thread = names_take_thread(r), index = take_index(r);
    if (r->bytes->failed) {
        return NULL;
    }
    event base = {.thread = thread, .index = index, .footprint = names_take_footprint(r)};
    sleep_tree *t = tree_new(pool, clock_stride(r->thread_count));
    tree_set_base(t, &base);
    t->base_done = bytes_take_flag(r->bytes);
    take_sets(t, r);
    take_items(t, r);
    take_values(t, r);
    take_parts(t, r, heirs);
    t->quiet = false; /* the bytes are incomplete */
    return t;
}

sleep_tree *tree_decode(tree_pool *pool, name_reader *r) {
    heir_list heirs = {0};
    sleep_tree *root = take_tree(pool, r, &heirs);
    for (uint32_t i = 0; i < heirs.count && !r->bytes->failed; i++) {
        sleep_tree *inherited = take_tree(pool, r, &heirs);
        heir h = vector_at(&heirs, i);
        vector_at(&h.tree->parts, h.part).inherited = inherited;
    }
    vector_free(&heirs);
    if (root && r->bytes->failed) {
        tree_release(pool, root);
        root = NULL;
    }
    return root;
}
