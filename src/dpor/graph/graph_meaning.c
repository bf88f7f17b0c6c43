#include "dpor/graph/graph_meaning.h"

/* Rows that differ in little: kind, support, goes on, succeeds, writes, orders, takes, drains. */
// clang-format off
#define ACCESS(when, drains) \
    {GRAPH_READ, SUPPORT_VERSIONS, WHEN_ANY, when, when, ORDERS_OWN, false, drains}
#define TRY(support, when, writes, drains) \
    {GRAPH_READ, support, WHEN_ANY, when, writes, ORDERS_ACQUIRE, false, drains}
#define TAKE(when, writes, drains) \
    {GRAPH_READ, SUPPORT_SINGLE, when, WHEN_ANY, writes, ORDERS_ACQUIRE, true, drains}
#define CHANGE(support, orders) \
    {GRAPH_READ, support, WHEN_ANY, WHEN_ANY, WHEN_ANY, orders, false, false}
#define RELEASE \
    {GRAPH_WRITE, SUPPORT_SINGLE, WHEN_ANY, WHEN_ANY, WHEN_ANY, ORDERS_RELEASE, false, false}
#define OTHER(kind, support, drains) \
    {kind, support, WHEN_ANY, WHEN_ANY, WHEN_ANY, ORDERS_OWN, false, drains}
// clang-format on

static const graph_meaning unknown = OTHER(GRAPH_OTHER, SUPPORT_NEVER, false);

static const graph_meaning meanings[OPERATION_KIND_COUNT] = {
    [OPERATION_READ] = {GRAPH_READ, SUPPORT_VERSIONS, WHEN_ANY, WHEN_ANY, WHEN_NONE, ORDERS_OWN,
                        false, false},
    [OPERATION_AWAIT] = {GRAPH_READ, SUPPORT_ALWAYS, WHEN_AWAITED, WHEN_ANY, WHEN_NONE, ORDERS_OWN,
                         false, false},
    [OPERATION_ADD] = ACCESS(WHEN_ANY, false),
    [OPERATION_EXCHANGE] = ACCESS(WHEN_ANY, false),
    [OPERATION_MODIFY] = ACCESS(WHEN_ANY, false),
    [OPERATION_CAS] = ACCESS(WHEN_EXPECTED, true),
    [OPERATION_WRITE] = OTHER(GRAPH_WRITE, SUPPORT_VERSIONS, false),
    [OPERATION_FENCE] = OTHER(GRAPH_FENCE, SUPPORT_ALWAYS, false),

    [OPERATION_LOCK] = TAKE(WHEN_ZERO, WHEN_ANY, false),
    [OPERATION_RELOCK] = TAKE(WHEN_ZERO, WHEN_ANY, false),
    [OPERATION_WRITE_LOCK] = TAKE(WHEN_ZERO, WHEN_ANY, false),
    [OPERATION_READ_LOCK] = TAKE(WHEN_UNWRITTEN, WHEN_ANY, false),
    [OPERATION_SEMAPHORE_WAIT] = TAKE(WHEN_POSITIVE, WHEN_ANY, false),
    [OPERATION_ONCE] = TAKE(WHEN_SETTLED, WHEN_ZERO, true),
    [OPERATION_TRYLOCK] = TRY(SUPPORT_VERSIONS, WHEN_ZERO, WHEN_ZERO, true),
    [OPERATION_TRY_WRITE_LOCK] = TRY(SUPPORT_SINGLE, WHEN_ZERO, WHEN_ANY, false),
    [OPERATION_TRY_READ_LOCK] = TRY(SUPPORT_SINGLE, WHEN_UNWRITTEN, WHEN_ANY, false),
    [OPERATION_SEMAPHORE_TRY] = TRY(SUPPORT_SINGLE, WHEN_POSITIVE, WHEN_ANY, false),
    [OPERATION_UNLOCK] = RELEASE,
    [OPERATION_WAIT_UNLOCK] = RELEASE,
    [OPERATION_ONCE_END] = RELEASE,
    [OPERATION_POST] = CHANGE(SUPPORT_SINGLE, ORDERS_RELEASE),
    [OPERATION_WAIT] = CHANGE(SUPPORT_WAITER, ORDERS_NONE),
    [OPERATION_SIGNAL] = CHANGE(SUPPORT_SINGLE, ORDERS_NONE),
    [OPERATION_BROADCAST] = CHANGE(SUPPORT_SINGLE, ORDERS_NONE),

    [OPERATION_ARRIVE] = OTHER(GRAPH_OTHER, SUPPORT_READER, true),
    [OPERATION_LEAVE] = OTHER(GRAPH_OTHER, SUPPORT_ALWAYS, true),
    [OPERATION_SPAWN] = OTHER(GRAPH_OTHER, SUPPORT_ALWAYS, true),
    [OPERATION_JOIN] = OTHER(GRAPH_OTHER, SUPPORT_ALWAYS, true),
    [OPERATION_INIT] = OTHER(GRAPH_OTHER, SUPPORT_ALONE, false),
    [OPERATION_DESTROY] = OTHER(GRAPH_OTHER, SUPPORT_ALONE, false),
    [OPERATION_CHOOSE] = OTHER(GRAPH_OTHER, SUPPORT_ALWAYS, false),
    [OPERATION_FREE] = OTHER(GRAPH_OTHER, SUPPORT_ALWAYS, false),
    [OPERATION_PAUSE] = OTHER(GRAPH_OTHER, SUPPORT_ALWAYS, false),
};

const graph_meaning *graph_meaning_of(enum operation_kind kind) {
    CHECK(kind < OPERATION_KIND_COUNT);
    return meanings[kind].support == SUPPORT_NEVER ? &unknown : &meanings[kind];
}
