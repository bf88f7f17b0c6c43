/* What the real-world shapes share: `run` is one execution. The native run, for comparison, is
 * many of them in one process, so that starting the process does not count. */
#ifndef NATIVE_RUNS
#define NATIVE_RUNS 1
#endif

static void run(void);

int main(void) {
    for (int i = 0; i < NATIVE_RUNS; i++) {
        run();
    }
    return 0;
}
