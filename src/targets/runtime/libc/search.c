#define _GNU_SOURCE
/* Searching: every access to memory of the program is announced, because libc's own would go
 * unseen. Trees are not balanced, which shows in the depths that twalk gives; tables are not
 * hashed, which shows nowhere. */
#include <errno.h>
#include <limits.h>
#include <search.h>
#include <string.h>

#include "targets/runtime/kernel/ranges.h"
#include "targets/runtime/kernel/symbols.h"
#include "targets/runtime/memory/heap.h"

typedef int comparison(const void *, const void *);

/* ---- arrays ---- */

static void *find_element(const void *key, const void *base, const size_t *count, size_t size,
                          comparison *compare, const void *here) {
    reads(count, sizeof *count, here);
    for (size_t i = 0; i < *count; i++) {
        const void *item = (const char *)base + i * size;
        if (compare(key, item) == 0) {
            return (void *)item;
        }
    }
    return NULL;
}

void *heddle_lfind(const void *key, const void *base, size_t *count, size_t size,
                   comparison *compare) {
    return find_element(key, base, count, size, compare, HERE);
}

void *heddle_lsearch(const void *key, void *base, size_t *count, size_t size, comparison *compare) {
    void *found = find_element(key, base, count, size, compare, HERE);
    if (!found) {
        modifies(count, sizeof *count, HERE);
        found = (char *)base + (*count)++ * size;
        copies(found, key, size, HERE);
        memcpy(found, key, size);
    }
    return found;
}

/* ---- links, whatever they lead to ---- */

static void *follow(const void *place, const void *here) {
    void *value;
    reads(place, sizeof value, here);
    memcpy(&value, place, sizeof value);
    return value;
}

static void set(void *place, const void *value, const void *here) {
    writes(place, sizeof value, here);
    memcpy(place, &value, sizeof value);
}

/* ---- lists ---- */

typedef struct element {
    struct element *next, *previous;
} element;

void heddle_insque(void *place, void *before) {
    element *fresh = place, *previous = before;
    element *next = previous ? follow(&previous->next, HERE) : NULL;
    set(&fresh->next, next, HERE);
    set(&fresh->previous, previous, HERE);
    if (previous) {
        set(&previous->next, fresh, HERE);
    }
    if (next) {
        set(&next->previous, fresh, HERE);
    }
}

void heddle_remque(void *place) {
    element *old = place;
    element *next = follow(&old->next, HERE), *previous = follow(&old->previous, HERE);
    if (next) {
        set(&next->previous, previous, HERE);
    }
    if (previous) {
        set(&previous->next, next, HERE);
    }
}

/* ---- trees ---- */

typedef struct tree {
    const void *key; /* first: the program may look at it */
    struct tree *less, *more;
} tree;

/* Where the node with the key is, or would be; and its parent. */
static tree **find_node(const void *key, tree **place, comparison *compare, tree **parent,
                        const void *here) {
    *parent = NULL;
    for (tree *node; (node = follow(place, here));) {
        reads(&node->key, sizeof node->key, here);
        int order = compare(key, node->key);
        if (order == 0) {
            break;
        }
        *parent = node;
        place = order < 0 ? &node->less : &node->more;
    }
    return place;
}

void *heddle_tsearch(const void *key, void **root, comparison *compare) {
    tree *parent;
    if (!root) {
        return NULL;
    }
    tree **place = find_node(key, (tree **)root, compare, &parent, HERE);
    tree *node = *place;
    if (!node && (node = heap_allocate(sizeof *node, HERE))) {
        undo_write((uintptr_t)node, sizeof *node);
        *node = (tree){.key = key};
        set(place, node, HERE);
    }
    return node;
}

void *heddle_tfind(const void *key, void *const *root, comparison *compare) {
    tree *parent;
    return root ? *find_node(key, (tree **)root, compare, &parent, HERE) : NULL;
}

/* A node with two successors gives its place to the least of those that are more. */
void *heddle_tdelete(const void *key, void **root, comparison *compare) {
    tree *parent;
    const void *here = HERE;
    tree **place = root ? find_node(key, (tree **)root, compare, &parent, here) : NULL;
    tree *node = place ? *place : NULL;
    if (!node) {
        return NULL;
    }
    tree *less = follow(&node->less, here), *more = follow(&node->more, here);
    if (less && more) {
        tree **least = &node->more;
        while (follow(&(*least)->less, here)) {
            least = &(*least)->less;
        }
        tree *moved = *least;
        CHECK(moved && moved != node);
        set(least, follow(&moved->more, here), here);
        set(&moved->less, less, here);
        set(&moved->more, follow(&node->more, here), here);
        more = moved;
    }
    set(place, more ? more : less, here);
    heap_free(node, here);
    return parent ? (void *)parent : (void *)root;
}

typedef struct walk {
    void (*plain)(const void *, VISIT, int);
    void (*with)(const void *, VISIT, void *);
    void *context;
    const void *here;
} walk;

/* One of the two. */
static void visit(const walk *w, const tree *node, VISIT when, int depth) {
    CHECK(!w->with != !w->plain && depth >= 0);
    if (w->with) {
        w->with(node, when, w->context);
    } else {
        w->plain(node, when, depth);
    }
}

static void walk_from(const walk *w, const tree *node, int depth) {
    const tree *less = follow(&node->less, w->here), *more = follow(&node->more, w->here);
    if (!less && !more) {
        visit(w, node, leaf, depth);
        return;
    }
    visit(w, node, preorder, depth);
    if (less) {
        walk_from(w, less, depth + 1);
    }
    visit(w, node, postorder, depth);
    if (more) {
        walk_from(w, more, depth + 1);
    }
    visit(w, node, endorder, depth);
}

void heddle_twalk(const void *root, void (*action)(const void *, VISIT, int)) {
    if (root && action) {
        walk_from(&(walk){.plain = action, .here = HERE}, root, 0);
    }
}

void heddle_twalk_r(const void *root, void (*action)(const void *, VISIT, void *), void *context) {
    if (root && action) {
        walk_from(&(walk){.with = action, .context = context, .here = HERE}, root, 0);
    }
}

static void destroy(tree *node, void (*free_key)(void *), const void *here) {
    if (node) {
        destroy(follow(&node->less, here), free_key, here);
        destroy(follow(&node->more, here), free_key, here);
        reads(&node->key, sizeof node->key, here);
        free_key((void *)node->key);
        heap_free(node, here);
    }
}

void heddle_tdestroy(void *root, void (*free_key)(void *)) {
    destroy(root, free_key, HERE);
}

/* ---- tables ---- */

/* What is in struct hsearch_data: a block of entries, how many fit and how many there are. */
typedef struct entries {
    ENTRY *items;
    unsigned room, count;
} entries;

_Static_assert(sizeof(entries) == sizeof(struct hsearch_data), "it takes its place");
_Static_assert(sizeof(entries) == 2 * sizeof(long), "the variable in libc/search.def");

/* As libc does: a prime number, so that as many entries fit; 0: too many. */
static size_t room_for(size_t count) {
    for (size_t room = count < 3 ? 3 : count | 1; room <= UINT_MAX - 2; room += 2) {
        size_t factor = 3;
        while (factor * factor <= room && room % factor) {
            factor += 2;
        }
        if (factor * factor > room) {
            return room;
        }
    }
    return 0;
}

int heddle_hash_create(size_t count, struct hsearch_data *data, const void *here) {
    entries *table = (entries *)data;
    modifies(table, sizeof *table, here);
    if (table->items) {
        return 0;
    }
    size_t room = room_for(count);
    CHECK(!room || (room >= count && room % 2));
    ENTRY *items = room ? heap_allocate(room * sizeof *items, here) : NULL;
    if (!items) {
        errno = ENOMEM;
        return 0;
    }
    undo_write((uintptr_t)table, sizeof *table);
    *table = (entries){.items = items, .room = (unsigned)room};
    return 1;
}

static ENTRY *find_entry(const entries *table, const char *key, const void *here) {
    for (unsigned i = 0; i < table->count; i++) {
        ENTRY *entry = &table->items[i];
        reads(&entry->key, sizeof entry->key, here);
        reads_two(key, strlen(key) + 1, entry->key, strlen(entry->key) + 1, here);
        if (strcmp(key, entry->key) == 0) {
            return entry;
        }
    }
    return NULL;
}

ENTRY *heddle_hash_search(char *key, void *value, int action, struct hsearch_data *data,
                          const void *here) {
    entries *table = (entries *)data;
    reads(table, sizeof *table, here);
    ENTRY *found = find_entry(table, key, here);
    if (found || action == FIND) {
        errno = found ? errno : ESRCH;
        return found;
    }
    DEBUG_CHECK(table->count <= table->room);
    if (table->count == table->room) {
        errno = ENOMEM;
        return NULL;
    }
    modifies(table, sizeof *table, here);
    found = &table->items[table->count++];
    writes(found, sizeof *found, here);
    *found = (ENTRY){key, value};
    return found;
}

void heddle_hash_destroy(struct hsearch_data *data, const void *here) {
    entries *table = (entries *)data;
    modifies(table, sizeof *table, here);
    heap_free(table->items, here);
    undo_write((uintptr_t)table, sizeof *table);
    *table = (entries){0};
}

int heddle_hcreate_r(size_t room, struct hsearch_data *data) {
    return heddle_hash_create(room, data, HERE);
}

int heddle_hsearch_r(ENTRY entry, ACTION action, ENTRY **result, struct hsearch_data *data) {
    ENTRY *found = heddle_hash_search(entry.key, entry.data, (int)action, data, HERE);
    writes(result, sizeof *result, HERE);
    *result = found;
    return found != NULL;
}

void heddle_hdestroy_r(struct hsearch_data *data) {
    heddle_hash_destroy(data, HERE);
}
