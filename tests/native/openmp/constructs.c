/* Constructs of OpenMP, one for each macro. Those whose names end in _WRONG have a data race, or
 * fail otherwise. */
#include <assert.h>
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
#elif defined TASKLOOP
#pragma omp parallel
#pragma omp single
#pragma omp taskloop
    for (int i = 0; i < 4; i++) {
        a[i] = i;
    }
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
