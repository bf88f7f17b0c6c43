/* Letters and mailboxes, without a program. */
#include "targets/runtime/sync/inbox.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory.h"
#include "targets/runtime/kernel/state.h"
#include "targets/runtime/memory/space.h"

enum { THREADS = 3, BOX = 1 };

static int open_inboxes(void **state) {
    (void)state;
    runtime = (runtime_state){.thread_count = THREADS};
    inbox_reset();
    return 0;
}

static int close_inboxes(void **state) {
    (void)state;
    inbox_close();
    assert_int_equal(memory_in_use(), 0);
    return 0;
}

static uint32_t deliver(int tag, const char *text) {
    uint32_t index = inbox_write(tag, text, (uint32_t)strlen(text));
    inbox_letter_to_change(index)->sender = 2;
    inbox_deliver(BOX, index);
    return index;
}

static void assert_holds(const char *tags) {
    uint32_t at = inboxes[BOX].first;
    for (; *tags; tags++, at = inbox_letter(at)->next) {
        assert_int_not_equal(at, LETTER_NONE);
        assert_int_equal(inbox_letter(at)->tag, *tags);
    }
    assert_int_equal(at, LETTER_NONE);
}

static void letters_leave_from_any_place(void **state) {
    (void)state;
    uint32_t a = deliver('a', "one"), b = deliver('b', ""), c = deliver('c', "three");
    assert_holds("abc");
    inbox_remove(BOX, b);
    assert_holds("ac");
    inbox_remove(BOX, c);
    assert_holds("a");
    deliver('d', "");
    assert_holds("ad");
    inbox_remove(BOX, a);
    assert_holds("d");
    assert_memory_equal(inbox_payload(inbox_letter(c)), "three", 5);
}

static void payloads_are_aligned_and_constant(void **state) {
    (void)state;
    for (int i = 0; i < 100; i++) {
        const letter *l = inbox_letter(deliver(i, "abc"));
        assert_int_equal((uintptr_t)inbox_payload(l) % 16, 0);
        assert_true(space_constant((uintptr_t)inbox_payload(l)));
    }
}

static void patterns_look_at_tag_and_sender(void **state) {
    (void)state;
    inbox_pattern anything = {0}, tags = {.tags = {4, 5}, .tag_count = 2}, from = {.sender = 3};
    inbox_pattern other = {.tags = {5}, .tag_count = 1, .sender = 1};
    const letter *l = inbox_letter(deliver(5, ""));
    assert_true(inbox_fits(&anything, l));
    assert_true(inbox_fits(&tags, l));
    assert_true(inbox_fits(&from, l));
    assert_false(inbox_fits(&other, l));
    assert_false(inbox_fits(&tags, inbox_letter(deliver(6, ""))));
}

static void scanning_goes_on_where_it_was(void **state) {
    (void)state;
    inbox *box = &inboxes[BOX];
    assert_int_equal(inbox_unscanned(box), LETTER_NONE);
    box->scanned = deliver('a', "");
    assert_int_equal(inbox_unscanned(box), LETTER_NONE);
    uint32_t b = deliver('b', "");
    assert_int_equal(inbox_unscanned(box), b);
}

static size_t pass(enum cursor_direction direction, void *at) {
    state_cursor c = {.direction = direction, .at = at};
    inbox_pass_visible(&c);
    inbox_pass_rest(&c);
    return c.size;
}

static void states_come_back(void **state) {
    (void)state;
    deliver('a', "first");
    inbox_letter_to_change(deliver('b', "second"))->events = 7;
    inboxes[2].hand = inbox_write('h', "hand", 4);
    inboxes[0].outgoing = inbox_write('o', NULL, 0);
    inboxes[2].process.sends = 3;
    size_t size = pass(CURSOR_MEASURES, NULL);
    unsigned char *saved = malloc(size), *again = malloc(size);
    assert_int_equal(pass(CURSOR_SAVES, saved), size);
    deliver('c', "later");
    inbox_reset();
    assert_holds("");
    assert_int_equal(pass(CURSOR_RESTORES, saved), size);
    assert_holds("ab");
    assert_int_equal(inbox_letter(inboxes[BOX].last)->events, 7);
    assert_memory_equal(inbox_payload(inbox_letter(inboxes[2].hand)), "hand", 4);
    assert_int_equal(inboxes[2].process.sends, 3);
    assert_int_equal(pass(CURSOR_SAVES, again), size);
    assert_memory_equal(saved, again, size);
    free(saved);
    free(again);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(letters_leave_from_any_place, open_inboxes, close_inboxes),
        cmocka_unit_test_setup_teardown(payloads_are_aligned_and_constant, open_inboxes,
                                        close_inboxes),
        cmocka_unit_test_setup_teardown(patterns_look_at_tag_and_sender, open_inboxes,
                                        close_inboxes),
        cmocka_unit_test_setup_teardown(scanning_goes_on_where_it_was, open_inboxes, close_inboxes),
        cmocka_unit_test_setup_teardown(states_come_back, open_inboxes, close_inboxes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
