#include "bench/scaling/simulation.h"

#include <string.h>

/* Items are numbers of executions; the oldest first. */
typedef struct player {
    VECTOR(uint32_t) items;
    uint32_t first; /* of the items that are still there */
    bool asked;     /* for work, by the supervisor */
    bool due;       /* it knows, and answers after the current execution */
    bool runs;
    bool idle; /* the supervisor knows that it has none */
    double poor_until, poor_pause;
    double began, giving; /* with the current work; seconds since that went into giving some away */
} player;

enum happening {
    EXECUTED, /* a worker has run an execution */
    ASKED,    /* the request has reached it */
    ANSWERED, /* its answer has reached the supervisor */
    DRY,      /* that a worker has none left has reached it */
    GIVEN,    /* the work has reached a worker */
};

typedef struct event {
    double time;
    uint32_t player;
    enum happening kind;
    uint32_t parcel; /* of ANSWERED and GIVEN: which one; 0: nothing */
} event;

typedef VECTOR(uint32_t) item_numbers;

typedef struct world {
    const item_tree *tree;
    const costs *costs;
    uint32_t *sizes; /* of the trees below each execution, with it */
    player *players;
    uint32_t count, turn, idle;
    uint32_t requests;    /* that were not answered */
    VECTOR(event) events; /* a heap: the earliest first */
    VECTOR(item_numbers) parcels;
    VECTOR(uint32_t) free_parcels;
    double supervisor_free;
    uint64_t left; /* executions */
    simulated result;
} world;

/* ---- events ---- */

static void add_event(world *w, event e) {
    vector_push(&w->events, e);
    uint32_t at = w->events.count - 1;
    for (; at && w->events.items[(at - 1) / 2].time > e.time; at = (at - 1) / 2) {
        w->events.items[at] = w->events.items[(at - 1) / 2];
    }
    w->events.items[at] = e;
}

static event next_event(world *w) {
    event first = vector_at(&w->events, 0), moved = vector_pop(&w->events);
    uint32_t at = 0, count = w->events.count;
    for (uint32_t child; (child = 2 * at + 1) < count; at = child) {
        child += child + 1 < count && w->events.items[child + 1].time < w->events.items[child].time;
        if (w->events.items[child].time >= moved.time) {
            break;
        }
        w->events.items[at] = w->events.items[child];
    }
    if (count) {
        w->events.items[at] = moved;
    }
    return first;
}

/* When the supervisor has done what it is asked for now. */
static double supervise(world *w, double now) {
    double cost = w->costs->handle + w->costs->handle_more * w->count;
    double start = w->supervisor_free > now ? w->supervisor_free : now;
    w->supervisor_free = start + cost;
    w->result.supervisor += cost;
    return w->supervisor_free;
}

/* ---- parcels ---- */

/* As in cli/member.c: the oldest, or half of them where that would take up too much time. */
static uint32_t choose_share(const player *p, double now) {
    enum { SMALL_PART = 20 };
    uint32_t count = p->items.count - p->first;
    bool small = p->giving * SMALL_PART > now - p->began;
    return count < 2 ? 0 : small ? count / 2 : 1;
}

/* The number of the parcel; 0: nothing. */
static uint32_t pack(world *w, player *p, double now) {
    uint32_t count = choose_share(p, now);
    if (!count) {
        return 0;
    }
    if (!w->free_parcels.count) {
        vector_push(&w->parcels, (item_numbers){0});
        vector_push(&w->free_parcels, w->parcels.count);
    }
    uint32_t number = vector_pop(&w->free_parcels);
    item_numbers *parcel = &vector_at(&w->parcels, number - 1);
    vector_clear(parcel);
    for (uint32_t i = 0; i < count; i++) {
        vector_push(parcel, p->items.items[p->first + i]);
    }
    p->first += count;
    return number;
}

static uint32_t parcel_size(const world *w, uint32_t number) {
    return number ? vector_at(&w->parcels, number - 1).count : 0;
}

static void unpack(world *w, player *p, uint32_t number) {
    const item_numbers *parcel = &vector_at(&w->parcels, number - 1);
    p->items.count = p->first = 0;
    for (uint32_t i = 0; i < parcel->count; i++) {
        vector_push(&p->items, parcel->items[i]);
    }
    vector_push(&w->free_parcels, number);
}

/* ---- what workers do ---- */

/* Runs its latest item, and has what that leaves; or says that there is none. */
static void run(world *w, uint32_t number, double now) {
    player *p = &w->players[number];
    p->runs = p->items.count > p->first;
    if (!p->runs) {
        add_event(w, (event){now + w->costs->message, number, DRY, 0});
        return;
    }
    uint32_t item = vector_pop(&p->items), start = p->items.count, child = item + 1;
    const tree_node *node = &w->tree->nodes.items[item];
    for (uint32_t i = 0; i < node->children; i++, child += w->sizes[child]) {
        vector_push(&p->items, child);
    }
    for (uint32_t end = p->items.count; start + 1 < end; start++) { /* the first one is next */
        uint32_t moved = p->items.items[start];
        p->items.items[start] = p->items.items[--end];
        p->items.items[end] = moved;
    }
    add_event(w, (event){now + node->steps * w->costs->step, number, EXECUTED, 0});
}

/* Between two executions. Both of them pay for the items. */
static double answer(world *w, uint32_t number, double now) {
    player *p = &w->players[number];
    uint32_t kept = p->items.count - p->first, parcel = pack(w, p, now);
    double cost = parcel ? kept * w->costs->item / 2 : 0;
    now += cost;
    p->giving += cost;
    p->due = false;
    add_event(w, (event){now + w->costs->message, number, ANSWERED, parcel});
    return now;
}

/* ---- what the supervisor does ---- */

/* As many as there are workers without work, in turn. */
static void ask(world *w, double now) {
    for (uint32_t i = 0; i < w->count && w->requests < w->idle; i++) {
        uint32_t number = w->turn;
        player *p = &w->players[number];
        w->turn = (w->turn + 1) % w->count;
        if (!p->idle && !p->asked && now >= p->poor_until) {
            p->asked = true;
            w->requests++;
            add_event(w, (event){supervise(w, now) + w->costs->message, number, ASKED, 0});
        }
    }
}

static void hand_out(world *w, uint32_t parcel, double now) {
    for (uint32_t i = 0; i < w->count; i++) {
        if (w->players[i].idle) {
            w->players[i].idle = false;
            w->idle--;
            w->result.given++;
            add_event(w, (event){supervise(w, now) + w->costs->message, i, GIVEN, parcel});
            return;
        }
    }
}

/* Each time that it has nothing, it is left alone for twice as long. */
static void note_poor(const world *w, player *p, bool poor, double now) {
    double pause = p->poor_pause ? 2 * p->poor_pause : w->costs->poor_least;
    p->poor_pause = !poor ? 0 : pause < w->costs->poor_most ? pause : w->costs->poor_most;
    p->poor_until = now + p->poor_pause;
}

static void happen(world *w, event e) {
    player *p = &w->players[e.player];
    switch (e.kind) {
        case EXECUTED:
            w->left--;
            w->result.seconds = e.time;
            run(w, e.player, p->due ? answer(w, e.player, e.time) : e.time);
            break;
        case ASKED:
            p->due = p->runs;
            if (!p->runs) {
                answer(w, e.player, e.time);
            }
            break;
        case ANSWERED:
            e.time = supervise(w, e.time);
            w->requests--;
            p->asked = false;
            note_poor(w, p, !e.parcel, e.time);
            if (e.parcel) {
                hand_out(w, e.parcel, e.time);
            }
            ask(w, e.time);
            break;
        case DRY:
            p->idle = true;
            w->idle++;
            ask(w, supervise(w, e.time));
            break;
        case GIVEN:
            e.time += parcel_size(w, e.parcel) * w->costs->item / 2;
            unpack(w, p, e.parcel);
            p->began = e.time;
            p->giving = 0;
            run(w, e.player, e.time);
            break;
    }
}

static void measure_trees(world *w) {
    const item_tree *t = w->tree;
    w->sizes = memory_resize(NULL, 0, t->nodes.count * sizeof *w->sizes);
    for (uint32_t i = t->nodes.count; i-- > 0;) {
        uint32_t child = i + 1;
        for (uint32_t j = 0; j < vector_at(&t->nodes, i).children; j++) {
            child += w->sizes[child];
        }
        w->sizes[i] = child - i;
    }
}

static void free_world(world *w) {
    for (uint32_t i = 0; i < w->count; i++) {
        vector_free(&w->players[i].items);
    }
    for (uint32_t i = 0; i < w->parcels.count; i++) {
        vector_free(&vector_at(&w->parcels, i));
    }
    vector_free(&w->parcels);
    vector_free(&w->free_parcels);
    vector_free(&w->events);
    memory_resize(w->sizes, w->tree->nodes.count * sizeof *w->sizes, 0);
    memory_resize(w->players, w->count * sizeof *w->players, 0);
}

/* Those who had too little are asked again after a while, even if nobody says anything. */
simulated simulate(const item_tree *t, const costs *c, uint32_t workers) {
    world w = {.tree = t, .costs = c, .count = workers, .left = t->nodes.count};
    double asked = 0;
    w.players = memory_resize(NULL, 0, workers * sizeof *w.players);
    measure_trees(&w);
    vector_push(&w.players[0].items, 0);
    run(&w, 0, 0);
    for (uint32_t i = 1; i < workers; i++) {
        add_event(&w, (event){0, i, DRY, 0});
    }
    while (w.left && w.events.count) {
        event e = next_event(&w);
        happen(&w, e);
        if (e.time > asked + c->poor_least / 2) {
            asked = e.time;
            ask(&w, e.time);
        }
    }
    CHECK(!w.left);
    simulated result = w.result;
    free_world(&w);
    return result;
}
