/* Runs a shape without heddle, many times in one process, so that starting it does not count:
 * shapes are compiled with their main under another name. */
#undef main

int shape_main(void);

int main(void) {
    for (int i = 0; i < NATIVE_RUNS; i++) {
        int status = shape_main();
        if (status) {
            return status;
        }
    }
    return 0;
}
