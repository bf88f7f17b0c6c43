/* Handlers of pthread_cleanup_push. The macro of glibc keeps a place to jump to (__sigsetjmp) and
 * registers it; the code that ends the thread jumps to the latest one, which calls its handler and
 * asks for the next. The places are on the thread's own stack, linked through a field that glibc
 * leaves to its implementation. */
#include "targets/runtime/kernel/cleanup.h"

#include <pthread.h>
#include <setjmp.h>

#include "targets/runtime/kernel/symbols.h"

/* What __sigsetjmp fills in and siglongjmp reads are the same bytes of the two types. */
_Static_assert(offsetof(__pthread_unwind_buf_t, __cancel_jmp_buf) == 0, "it begins with the place");
_Static_assert(offsetof(__pthread_unwind_buf_t, __cancel_jmp_buf[0].__mask_was_saved) ==
                   offsetof(struct __jmp_buf_tag, __mask_was_saved),
               "it says that there is no signal mask where siglongjmp looks");

void cleanup_run(runtime_thread *t) {
    __pthread_unwind_buf_t *latest = t->cleanup;
    if (latest) {
        t->cleanup = latest->__pad[0];
        struct __jmp_buf_tag *place =
            (void *)latest; /* it has no signal mask, nor says that it has */
        siglongjmp(place, 1);
    }
}

void heddle___pthread_register_cancel(__pthread_unwind_buf_t *place) {
    runtime_thread *t = runtime.current;
    if (t) {
        place->__pad[0] = t->cleanup;
        t->tail_used = true;
        t->cleanup = place;
    }
}

void heddle___pthread_unregister_cancel(__pthread_unwind_buf_t *place) {
    runtime_thread *t = runtime.current;
    if (t) {
        t->cleanup = place->__pad[0];
    }
}

_Noreturn void heddle___pthread_unwind_next(__pthread_unwind_buf_t *place) {
    (void)place;
    heddle_pthread_exit(runtime.current->result);
}
