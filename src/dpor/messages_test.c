#include "dpor/messages.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "dpor/mail_test.h"

static void finish(message_list *list) {
    vector_free(&list->messages);
    footprint_table_clear();
    assert_int_equal(memory_in_use(), 0);
}

static void sends_and_receives_are_told_by_their_footprints(void **state) {
    (void)state;
    footprint memory = footprint_single((memory_access){0, ACCESS_ALL_BYTES, ACCESS_WRITE});
    assert_true(message_is_send(send(0)));
    assert_false(message_is_receive(send(0)));
    assert_true(message_is_receive(receive(0)));
    assert_false(message_is_send(receive(0)));
    assert_false(message_is_send(memory) || message_is_receive(memory));
    assert_false(message_is_send(FOOTPRINT_EMPTY) || message_is_receive(FOOTPRINT_EMPTY));
    assert_int_equal(message_mailbox(send(1)), MAILBOX);
    finish(&(message_list){0});
}

static void a_receive_matches_its_tag_or_any(void **state) {
    (void)state;
    assert_true(message_matches(receive(1), send(1)));
    assert_false(message_matches(receive(1), send(2)));
    assert_true(message_matches(receive_any(), send(2)));
    finish(&(message_list){0});
}

static void the_earliest_that_matches_is_taken(void **state) {
    (void)state;
    message_list list = {0};
    sent_message taken;
    vector_push(&list.messages, (sent_message){send(1), 5});
    vector_push(&list.messages, (sent_message){send(2), 6});
    vector_push(&list.messages, (sent_message){send(2), 7});
    assert_true(message_take(&list, receive(2), &taken));
    assert_int_equal(taken.stamp, 6);
    assert_true(message_take(&list, receive_any(), &taken));
    assert_int_equal(taken.stamp, 5);
    assert_false(message_take(&list, receive(1), &taken));
    assert_int_equal(list.messages.count, 1);
    assert_int_equal(vector_at(&list.messages, 0).stamp, 7);
    finish(&list);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sends_and_receives_are_told_by_their_footprints),
        cmocka_unit_test(a_receive_matches_its_tag_or_any),
        cmocka_unit_test(the_earliest_that_matches_is_taken),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
