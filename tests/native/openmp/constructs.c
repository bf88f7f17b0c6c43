/* Constructs of OpenMP, one for each macro. Those whose names end in _WRONG have a data race, or
 * fail otherwise. */
#include <assert.h>
#include <limits.h>
#include <omp.h>
#include <stdio.h>

static int a[8], sum, turns[2], turn;
static short small = 1;
static double real;
static int kept = 1;
#pragma omp threadprivate(kept)

int main(void) {
#if defined STATIC
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < 8; i++) {
        a[i] = i;
        sum += i;
    }
    assert(sum == 28 && a[7] == 7);
#elif defined NEIGHBOUR_WRONG
#pragma omp parallel for
    for (int i = 0; i < 7; i++) {
        a[i] = a[i + 1] + 1;
    }
#elif defined SHARED_WRONG
#pragma omp parallel for
    for (int i = 0; i < 2; i++) {
        sum += i;
    }
#elif defined DYNAMIC /* 2 x 2 for who takes the two, and 2 for who then finds nothing first */
#pragma omp parallel for schedule(dynamic)
    for (int i = 0; i < 2; i++) {
        a[i] = omp_get_thread_num();
    }
#elif defined DYNAMIC_WRONG
#pragma omp parallel for schedule(dynamic)
    for (int i = 0; i < 2; i++) {
        a[i] = omp_get_thread_num();
    }
    assert(a[0] != a[1]); /* one thread may take both */
#elif defined GUIDED
#pragma omp parallel for schedule(guided) num_threads(2)
    for (int i = 3; i > 0; i--) {
        a[i] = i;
    }
    assert(a[1] == 1 && a[3] == 3 && !a[0]);
#elif defined UNSIGNED
#pragma omp parallel for schedule(dynamic, 2)
    for (unsigned long i = 0; i < 3; i++) {
        a[i] = (int)i;
    }
    assert(a[2] == 2);
#elif defined BY_RUNTIME
#pragma omp parallel for schedule(runtime)
    for (int i = 0; i < 2; i++) {
        a[i] = 1;
    }
    assert(a[0] + a[1] == 2);
#elif defined ORDERED || defined ORDERED_WRONG
#pragma omp parallel for ordered
    for (int i = 0; i < 2; i++) {
#ifdef ORDERED
#pragma omp ordered
#endif
        turns[turn++] = i;
    }
    assert(turns[0] == 0 && turns[1] == 1);
#elif defined ORDERED_DYNAMIC
#pragma omp parallel for ordered schedule(dynamic)
    for (int i = 0; i < 2; i++) {
#pragma omp ordered
        turns[turn++] = i;
    }
    assert(turns[0] == 0 && turns[1] == 1);
#elif defined SECTIONS || defined SECTIONS_WRONG
#pragma omp parallel sections
    {
#pragma omp section
        a[0] = 1;
#pragma omp section
#ifdef SECTIONS
        a[1] = 1;
#else
        a[0] = 2;
#endif
    }
#elif defined SINGLE
#pragma omp parallel
    {
#pragma omp single
        sum++;
        assert(sum == 1);
#pragma omp sections nowait
        {
#pragma omp section
            a[0] = 1;
        }
#pragma omp for nowait schedule(dynamic)
        for (int i = 1; i < 2; i++) {
            a[i] = 1;
        }
    }
    assert(sum == 1 && a[0] == 1 && a[1] == 1);
#elif defined BARRIER || defined BARRIER_WRONG
#pragma omp parallel
    {
        int me = omp_get_thread_num();
        a[me] = 1;
#ifdef BARRIER
#pragma omp barrier
#endif
        assert(a[1 - me] == 1);
    }
#elif defined CRITICAL
#pragma omp parallel
    {
#pragma omp critical
        sum++;
#pragma omp critical(other)
        turn++;
    }
    assert(sum == 2 && turn == 2);
#elif defined CRITICAL_WRONG /* two names are two locks */
#pragma omp parallel
    {
        if (omp_get_thread_num()) {
#pragma omp critical(one)
            sum++;
        } else {
#pragma omp critical(other)
            sum++;
        }
    }
#elif defined ATOMIC
#pragma omp parallel num_threads(3)
#pragma omp atomic
    sum += 2;
    assert(sum == 6);
#elif defined ATOMIC_DOUBLE || defined ATOMIC_DOUBLE_WRONG /* a loop with a compare-exchange */
#pragma omp parallel
    {
#ifdef ATOMIC_DOUBLE_WRONG
        if (omp_get_thread_num()) {
            real = 3;
        } else
#endif
#pragma omp atomic
            real += 7.5;
    }
    assert(real == 15);
#elif defined ATOMIC_FORMS /* of every size, and where there is no such instruction */
    for (int i = 0; i < 3; i++) {
        if (i == 1) {
#pragma omp parallel
            {
#pragma omp atomic
                small *= 3;
#pragma omp atomic
                a[sum] = 7 - a[sum];
            }
        }
        small += i;
        turns[1] = small;
    }
    assert(turns[1] == 12 && a[0] == 0);
#elif defined REDUCTION_DOUBLE
#pragma omp parallel for reduction(+ : real)
    for (int i = 0; i < 4; i++) {
        real += i * 0.5;
    }
    assert(real == 3);
#elif defined LOCK || defined LOCK_WRONG
    omp_lock_t one, other;
    omp_init_lock(&one);
    omp_init_lock(&other);
#pragma omp parallel
    {
        int me = omp_get_thread_num();
#ifdef LOCK_WRONG
        omp_set_lock(me ? &one : &other);
        omp_set_lock(me ? &other : &one);
#else
        (void)me;
        omp_set_lock(&one);
        while (!omp_test_lock(&other)) {
        }
#endif
        sum++;
        omp_unset_lock(&other);
        omp_unset_lock(&one);
    }
    assert(sum == 2);
    omp_destroy_lock(&one);
    omp_destroy_lock(&other);
#elif defined NEST_LOCK || defined NEST_LOCK_WRONG
    omp_nest_lock_t nest;
    omp_init_nest_lock(&nest);
#pragma omp parallel
    {
        omp_set_nest_lock(&nest);
        assert(omp_test_nest_lock(&nest) == 2);
        omp_unset_nest_lock(&nest);
#ifdef NEST_LOCK_WRONG
        omp_unset_nest_lock(&nest);
#endif
        sum++;
#ifdef NEST_LOCK
        omp_unset_nest_lock(&nest);
#endif
    }
    assert(sum == 2);
    omp_destroy_nest_lock(&nest);
#elif defined TASK || defined TASK_WRONG
#pragma omp parallel
#pragma omp single
    {
#pragma omp task
        a[0] = 1;
#pragma omp task
        a[1] = 2;
#ifdef TASK
#pragma omp taskwait
#endif
        sum = a[0] + a[1];
    }
    assert(sum == 3);
#elif defined GRANDCHILD_WRONG || defined TASKGROUP /* taskwait waits for children alone */
#pragma omp parallel
#pragma omp single
    {
#ifdef TASKGROUP
#pragma omp taskgroup
#endif
#pragma omp task
        {
#pragma omp task
            a[0] = 1;
        }
#ifdef GRANDCHILD_WRONG
#pragma omp taskwait
#endif
        sum = a[0];
    }
    assert(sum == 1);
#elif defined DEPEND || defined DEPEND_WRONG
#pragma omp parallel
#pragma omp single
    {
#pragma omp task depend(out : a[0])
        a[0] = 1;
#ifdef DEPEND
#pragma omp task depend(in : a[0])
#else
#pragma omp task depend(in : a[1])
#endif
        sum = a[0];
    }
    assert(sum == 1);
#elif defined DEPEND_GROUP || defined DEPEND_GROUP_WRONG /* tasks of one member, in two groups */
#pragma omp parallel
#pragma omp single
    {
#pragma omp task depend(in : a[0])
        sum += a[0];
#pragma omp taskgroup
        {
#ifdef DEPEND_GROUP
#pragma omp task depend(out : a[0])
#else
#pragma omp task
#endif
            a[0] = 1;
        }
    }
    assert(sum == 0);
#elif defined WAIT_IN_GROUP || defined WAIT_IN_GROUP_WRONG /* for children outside of it as well */
#pragma omp parallel
#pragma omp single
    {
#pragma omp task
        a[0] = 1;
#pragma omp taskgroup
        {
#ifdef WAIT_IN_GROUP
#pragma omp taskwait
#endif
            sum = a[0];
        }
    }
    assert(sum == 1);
#elif defined UNDEFERRED || defined UNDEFERRED_WRONG /* waits for what it depends on, alone */
#pragma omp parallel
#pragma omp single
    {
#pragma omp task depend(out : a[0])
        a[0] = 1;
#pragma omp task depend(out : a[1])
        a[1] = 1;
#pragma omp task if (0) depend(in : a[0])
#ifdef UNDEFERRED
        sum = a[0];
#else
        sum = a[1];
#endif
#pragma omp taskwait depend(in : a[1])
        sum += a[1];
    }
    assert(sum == 2);
#elif defined CHAIN /* who is the single one; the tasks have one order */
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < 5; i++) {
#pragma omp task depend(inout : sum)
        sum++;
    }
    assert(sum == 5);
#elif defined NESTED
    omp_set_num_threads(2);
#pragma omp parallel
#pragma omp parallel reduction(+ : sum)
    sum += omp_get_num_threads();
    assert(omp_get_max_threads() == 2 && omp_get_num_threads() == 1);
#elif defined TASKLOOP || defined TASKLOOP_WRONG
#pragma omp parallel
#pragma omp single
#ifdef TASKLOOP
#pragma omp taskloop
#else
#pragma omp taskloop nogroup
#endif
    for (int i = 3; i >= 0; i--) {
        a[i] = i;
    }
#ifdef TASKLOOP_WRONG
#pragma omp parallel
#pragma omp single
#pragma omp taskloop grainsize(2)
    for (unsigned i = 0; i < 4; i++) {
        sum += a[i];
    }
#endif
    assert(a[3] == 3 && a[0] == 0);
#elif defined TASKLOOP_FORMS
#pragma omp parallel
#pragma omp single
    {
#pragma omp taskloop num_tasks(3)
        for (int i = 0; i < 8; i++) {
            a[i] = i;
        }
#pragma omp taskloop grainsize(3)
        for (unsigned long i = 7; i > 3; i -= 2) {
            a[i] = 0;
        }
#pragma omp taskloop
        for (int i = 0; i < turn; i++) {
            a[0] = 1;
        }
    }
    assert(a[0] == 0 && a[3] == 3 && a[4] == 4 && a[5] == 0 && a[6] == 6 && a[7] == 0);
#elif defined TASKLOOP_REDUCTION
#pragma omp parallel
#pragma omp single
#pragma omp taskloop reduction(+ : sum)
    for (int i = 0; i < 4; i++) {
        sum += i;
    }
#elif defined UNSIGNED_WIDE /* steps and distances that do not fit into a long */
#pragma omp parallel reduction(+ : sum)
    {
#pragma omp for schedule(dynamic) nowait
        for (unsigned long i = 20; i <= LONG_MAX; i += LONG_MAX + 50UL) {
            sum += i == 20;
        }
#pragma omp for schedule(guided) nowait
        for (unsigned long i = ULONG_MAX - 3; i >= LONG_MAX + 70UL; i -= LONG_MAX + 50UL) {
            sum += i == ULONG_MAX - 3;
        }
#pragma omp for schedule(static, 1)
        for (long i = LONG_MAX - 5; i < LONG_MAX - 1; i += 3) {
            sum += i <= LONG_MAX - 2;
        }
    }
    assert(sum == 4);
#elif defined LEVELS
    omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
    {
        int outer = omp_get_thread_num();
#pragma omp parallel num_threads(2)
        {
            assert(omp_get_num_threads() == 2 && omp_get_level() == 2);
            assert(omp_get_ancestor_thread_num(1) == outer && omp_get_team_size(1) == 2);
            a[2 * outer + omp_get_thread_num()] = 1;
#pragma omp parallel
            assert(omp_get_num_threads() == 1 && omp_get_active_level() == 2);
        }
    }
    assert(a[0] && a[1] && a[2] && a[3] && omp_get_level() == 0);
#elif defined SETTINGS /* are each thread's own */
#pragma omp parallel
    {
        omp_set_num_threads(3 + omp_get_thread_num());
        omp_set_schedule(omp_sched_static, 1);
#pragma omp barrier
        assert(omp_get_max_threads() == 3 + omp_get_thread_num());
#pragma omp for schedule(runtime)
        for (int i = 0; i < 2; i++) {
            assert(i == omp_get_thread_num());
        }
    }
    assert(omp_get_max_threads() == 2);
#elif defined LEAGUE || defined LEAGUE_WRONG
#pragma omp teams num_teams(2)
    {
        assert(omp_get_num_teams() == 2);
#ifdef LEAGUE
        a[omp_get_team_num()] = 1;
#else
        a[0] = 1;
#endif
#pragma omp parallel
        assert(omp_get_num_threads() == 2);
    }
    assert(a[0] == 1 && a[1] == 1);
#elif defined CANCEL /* has no effect unless the environment says so */
#pragma omp parallel
    {
#pragma omp for
        for (int i = 0; i < 2; i++) {
            a[i] = 1;
#pragma omp cancel for
#pragma omp cancellation point for
        }
#pragma omp cancel parallel
    }
    assert(a[0] && a[1]);
#elif defined LASTING || defined LASTING_WRONG
    for (int i = 0; i < 3; i++) {
#pragma omp parallel num_threads(3)
        {
            assert(kept == 1 + i * omp_get_thread_num());
            kept += omp_get_thread_num();
        }
    }
#ifdef LASTING_WRONG
#pragma omp parallel num_threads(2)
    assert(kept == 1);
#endif
#elif defined PRIVATE
#pragma omp parallel
    kept += omp_get_thread_num();
    assert(kept == 1);
#endif
    (void)turns, (void)turn, (void)kept, (void)small, (void)real;
    printf("%d\n", sum);
    return 0;
}
