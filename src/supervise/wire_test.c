#include "supervise/wire.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/memory.h"

typedef struct both {
    wire near, far;
} both;

static void open_both(both *b) {
    int ends[2];
    assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends), 0);
    wire_open(&b->near, ends[0], 1);
    wire_open(&b->far, ends[1], 0);
}

static void close_both(both *b) {
    close(b->near.descriptor);
    close(b->far.descriptor);
    wire_free(&b->near);
    wire_free(&b->far);
    assert_int_equal(memory_in_use(), 0);
}

static void send_number(wire *w, uint64_t number) {
    bytes content = {0};
    bytes_put_number(&content, number);
    assert_true(wire_send(w, MESSAGE_WORK, &content));
    bytes_free(&content);
}

static void expect_number(wire *w, uint64_t number) {
    enum message_type type;
    byte_reader content;
    assert_true(inbox_take(&w->inbox, &type, &content));
    assert_int_equal(type, MESSAGE_WORK);
    assert_int_equal(bytes_take_number(&content, UINT64_MAX), number);
    assert_true(bytes_finished(&content));
}

static void expect_nothing(wire *w) {
    enum message_type type;
    byte_reader content;
    assert_false(inbox_take(&w->inbox, &type, &content));
    assert_false(w->inbox.broken);
}

/* Messages of any length arrive, in both directions. */
static void messages_arrive(void **state) {
    (void)state;
    both b;
    enum message_type type;
    byte_reader content;
    bytes large = {0};
    open_both(&b);
    send_number(&b.near, 7);
    for (uint32_t i = 0; i < 3 * WIRE_PACKET_MOST; i++) {
        vector_push(&large.content, (unsigned char)i);
    }
    assert_true(wire_send(&b.near, MESSAGE_START, &large));
    assert_true(wire_read(&b.far));
    assert_int_equal(b.far.generation, 1);
    assert_true(wire_read(&b.far));
    expect_number(&b.far, 7);
    assert_true(inbox_take(&b.far.inbox, &type, &content));
    assert_int_equal(content.end - content.at, large.content.count);
    assert_memory_equal(content.at, large.content.items, large.content.count);
    send_number(&b.far, 9);
    assert_true(wire_read(&b.near));
    expect_number(&b.near, 9);
    bytes_free(&large);
    close_both(&b);
}

/* Whoever sent was killed in the middle of a message: the next generation begins afresh, and what
 * is left of the one before does not count. */
static void generations_end(void **state) {
    (void)state;
    both b;
    open_both(&b);
    uint32_t half[] = {1, FRAME_MAGIC};
    assert_int_equal(send(b.near.descriptor, half, sizeof half, 0), sizeof half);
    wire_open(&b.near, b.near.descriptor, 2);
    send_number(&b.near, 5);
    wire_cancel(b.near.descriptor, 3);
    assert_true(wire_read(&b.far));
    assert_int_equal(b.far.generation, 1);
    expect_nothing(&b.far);
    assert_true(wire_read(&b.far));
    assert_int_equal(b.far.generation, 2);
    assert_true(wire_read(&b.far)); /* the rest of that message, and its end */
    assert_int_equal(b.far.generation, 3);
    expect_nothing(&b.far);
    wire late;
    wire_open(&late, b.near.descriptor, 2);
    send_number(&late, 6);
    assert_true(wire_read(&b.far));
    expect_nothing(&b.far);
    close_both(&b);
}

static void an_end_is_noticed(void **state) {
    (void)state;
    both b;
    open_both(&b);
    assert_true(wire_is_open(b.near.descriptor));
    assert_true(wire_read(&b.near));
    shutdown(b.far.descriptor, SHUT_RDWR);
    assert_false(wire_is_open(b.near.descriptor));
    assert_false(wire_read(&b.near));
    assert_false(wire_send(&b.near, MESSAGE_QUIT, &(bytes){0}));
    close_both(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(messages_arrive),
        cmocka_unit_test(generations_end),
        cmocka_unit_test(an_end_is_noticed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
