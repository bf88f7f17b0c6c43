/* lazy01: three critical sections, 3! orders; the last sees 3 if it comes after both of the others.
 * Without BUG a sum that cannot be is looked for.
 * expect: executions 6 errors none
 * expect -DBUG: executions 6 errors assertion */
#include "suite.h"

#ifdef BUG
enum { LIMIT = 3 };
#else
enum { LIMIT = 4 };
#endif
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int data;

static void *worker(void *argument) {
    long me = (long)argument;
    pthread_mutex_lock(&mutex);
    if (me < 2) {
        data += (int)me + 1;
    } else if (data >= LIMIT) {
        reach_error();
    }
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void) {
    run(3, worker);
    return 0;
}
