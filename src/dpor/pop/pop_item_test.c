#include "dpor/pop/pop_path.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

typedef struct fixture {
    item_pool pool;
    execution execution;
    pop_path path;
} fixture;

static int open_fixture(void **state) {
    fixture *f = memory_resize(NULL, 0, sizeof *f);
    execution_init(&f->execution);
    *state = f;
    return 0;
}

static int close_fixture(void **state) {
    fixture *f = *state;
    path_free(&f->path);
    item_pool_free(&f->pool);
    execution_free(&f->execution);
    memory_resize(f, sizeof *f, 0);
    assert_int_equal(memory_in_use(), 0);
    return 0;
}

/* Steps of thread 0 that touch nothing. */
static void run_to(fixture *f, uint32_t length) {
    execution_reserve_threads(&f->execution, 2);
    while (execution_length(&f->execution) < length) {
        operation op = {.kind = OPERATION_CHOOSE, .footprint = FOOTPRINT_EMPTY};
        execution_append(&f->execution, 0, CHOICE_NONE, &op);
    }
}

static work_item *child(fixture *f, work_item *run, uint32_t shared, uint32_t thread) {
    work_item *item = item_new(&f->pool, run, shared);
    item_add(item, (step){thread, CHOICE_NONE}, MARK_SCHEDULE | MARK_HEAD | MARK_LIMIT);
    return item;
}

static void a_run_keeps_what_its_children_share(void **state) {
    fixture *f = *state;
    work_item *root = item_new(&f->pool, NULL, 0);
    run_to(f, 1000);
    work_item *late = child(f, root, 900, 1), *early = child(f, root, 10, 1);
    item_finish(&f->pool, root, &f->execution);
    assert_int_equal(root->steps.count, 900);
    assert_int_equal(item_common(late, early), 10);
    item_drop(&f->pool, late);
    assert_int_equal(root->steps.count, 10);
    assert_true(root->steps.capacity < 100);
    item_drop(&f->pool, early);
}

static void a_child_hangs_below_the_run_that_its_prefix_came_from(void **state) {
    fixture *f = *state;
    work_item *root = item_new(&f->pool, NULL, 0);
    run_to(f, 20);
    work_item *one = child(f, root, 10, 1);
    item_finish(&f->pool, root, &f->execution);
    work_item *old = child(f, one, 4, 1), *new = child(f, one, 11, 1);
    assert_ptr_equal(old->parent, root);
    assert_ptr_equal(new->parent, one);
    assert_int_equal(item_common(old, new), 4);
    assert_int_equal(item_common(new, one), 11);
    item_drop(&f->pool, old);
    item_finish(&f->pool, one, &f->execution);
    item_drop(&f->pool, new);
}

static void a_path_is_that_of_the_item_and_its_ancestors(void **state) {
    fixture *f = *state;
    work_item *root = item_new(&f->pool, NULL, 0);
    run_to(f, 8);
    work_item *one = child(f, root, 5, 1);
    one->record = record_new(&f->pool);
    item_finish(&f->pool, root, &f->execution);
    path_follow(&f->path, one, 0);
    assert_int_equal(f->path.steps.count, 6);
    assert_int_equal(vector_at(&f->path.steps, 4).thread, 0);
    assert_int_equal(vector_at(&f->path.steps, 5).thread, 1);
    assert_int_equal(f->path.limits.count, 1);
    assert_ptr_equal(path_record(&f->path, 5), one->record);
    assert_null(path_record(&f->path, 4));
    work_item *two = child(f, one, 6, 0), *other = child(f, one, 3, 1);
    head_record *record = one->record;
    item_finish(&f->pool, one, &f->execution);
    path_follow(&f->path, other, item_common(one, other));
    assert_int_equal(vector_at(&f->path.steps, 3).thread, 1);
    assert_null(path_record(&f->path, 5));
    uint32_t common = item_common(other, two);
    assert_int_equal(common, 3);
    path_follow(&f->path, two, common);
    assert_int_equal(vector_at(&f->path.steps, 3).thread, 0);
    assert_int_equal(vector_at(&f->path.steps, 5).thread, 1);
    assert_ptr_equal(path_record(&f->path, 5), record);
    assert_int_equal(f->path.limits.count, 2);
    item_drop(&f->pool, other);
    item_drop(&f->pool, two);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_run_keeps_what_its_children_share, open_fixture,
                                        close_fixture),
        cmocka_unit_test_setup_teardown(a_child_hangs_below_the_run_that_its_prefix_came_from,
                                        open_fixture, close_fixture),
        cmocka_unit_test_setup_teardown(a_path_is_that_of_the_item_and_its_ancestors, open_fixture,
                                        close_fixture),
    };
    return cmocka_run_group_tests_name("pop_item", tests, NULL, NULL);
}
