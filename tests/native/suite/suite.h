/* What programs of the pthread suites of SV-COMP begin with. */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

extern void reach_error(void);
extern void __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

/* So many threads from 0 on, joined. */
static inline void run(long count, void *(*body)(void *)) {
    pthread_t threads[8];
    for (long i = 0; i < count; i++) {
        pthread_create(&threads[i], NULL, body, (void *)i);
    }
    for (long i = 0; i < count; i++) {
        pthread_join(threads[i], NULL);
    }
}
