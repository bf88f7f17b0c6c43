#include "supervise/message.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory.h"

enum { PROCESS = 17 };

/* Two messages, as bytes. */
static void write_stream(bytes *out) {
    static const char *const strings[] = {"first", "and the second"};
    for (uint32_t i = 0; i < 2; i++) {
        bytes content = {0};
        bytes_put_string(&content, strings[i]);
        frame f = frame_make(MESSAGE_FAILURE, PROCESS, i, &content);
        for (uint32_t j = 0; j < sizeof f; j++) {
            vector_push(&out->content, ((const unsigned char *)&f)[j]);
        }
        for (uint32_t j = 0; j < content.content.count; j++) {
            vector_push(&out->content, vector_at(&content.content, j));
        }
        bytes_free(&content);
    }
}

/* Takes what comes in pieces of that size; returns how many messages were good. */
static uint32_t read_stream(const bytes *stream, uint32_t piece, inbox *i) {
    uint32_t taken = 0;
    enum message_type type;
    byte_reader content;
    for (uint32_t at = 0; at < stream->content.count; at += piece) {
        uint32_t rest = stream->content.count - at;
        inbox_add(i, stream->content.items + at, rest < piece ? rest : piece);
        while (inbox_take(i, &type, &content)) {
            text string = {0};
            bytes_take_string(&content, &string);
            assert_int_equal(type, MESSAGE_FAILURE);
            assert_true(bytes_finished(&content));
            assert_string_equal(text_string(&string), taken ? "and the second" : "first");
            text_free(&string);
            taken++;
        }
    }
    return taken;
}

static void in_pieces(void **state) {
    (void)state;
    bytes stream = {0};
    write_stream(&stream);
    for (uint32_t piece = 1; piece <= stream.content.count; piece++) {
        inbox i = {.process = PROCESS};
        assert_int_equal(read_stream(&stream, piece, &i), 2);
        assert_false(i.broken);
        assert_false(inbox_has_rest(&i));
        inbox_free(&i);
    }
    bytes_free(&stream);
    assert_int_equal(memory_in_use(), 0);
}

/* A changed bit is noticed, wherever it is, and nothing after it is believed. */
static void changed_bits(void **state) {
    (void)state;
    bytes stream = {0};
    write_stream(&stream);
    for (uint32_t bit = 0; bit < stream.content.count * 8; bit++) {
        inbox i = {.process = PROCESS};
        vector_at(&stream.content, bit / 8) ^= (unsigned char)(1u << bit % 8);
        uint32_t first = sizeof(frame) + 6;
        uint32_t good = read_stream(&stream, 7, &i);
        assert_int_equal(good, bit / 8 < first ? 0 : 1);
        assert_true(i.broken || inbox_has_rest(&i));
        vector_at(&stream.content, bit / 8) ^= (unsigned char)(1u << bit % 8);
        inbox_free(&i);
    }
    bytes_free(&stream);
    assert_int_equal(memory_in_use(), 0);
}

static void others_are_refused(void **state) {
    (void)state;
    bytes stream = {0};
    write_stream(&stream);
    inbox other = {.process = PROCESS + 1}, later = {.process = PROCESS, .sequence = 1};
    assert_int_equal(read_stream(&stream, 64, &other), 0);
    assert_string_equal(other.complaint, "a message comes from another process");
    assert_int_equal(read_stream(&stream, 64, &later), 0);
    assert_string_equal(later.complaint, "a message is missing, or came twice");
    inbox_free(&other);
    inbox_free(&later);
    bytes_free(&stream);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(in_pieces),
        cmocka_unit_test(changed_bits),
        cmocka_unit_test(others_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
