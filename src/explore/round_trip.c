#include "explore/exchange.h"

static bool move(exchange *e, strategy *s) {
    round_trip *trip = (round_trip *)e;
    const strategy_work *work = s->class->work;
    uint32_t all = work->count(s), count = random_below(&trip->random, all + 1);
    bytes moved = {0};
    work->encode(s, 0, count, &moved);
    CHECK(work->count(s) == all);
    work->drop(s, count);
    CHECK(work->count(s) == all - count);
    byte_reader r = byte_reader_of(moved.content.items, moved.content.count);
    trip->failed = !work->decode(s, &r) || !bytes_finished(&r);
    CHECK(trip->failed || work->count(s) == all);
    bytes_free(&moved);
    return !trip->failed;
}

static bool has_no_more(exchange *e, strategy *s) {
    (void)e, (void)s;
    return false;
}

static const exchange_class round_trip_class = {.serve = move, .refill = has_no_more};

void round_trip_open(round_trip *trip, uint64_t seed) {
    static const volatile uint32_t always = 1;
    *trip =
        (round_trip){.exchange = {.class = &round_trip_class, .wanted = &always}, .random = {seed}};
}
