/* What is done depends on memory that was never written. */
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int taken;

int main(void) {
    int *block = malloc(4 * sizeof *block);
    if (block[2] & 1) {
        atomic_store(&taken, 1);
    }
    free(block);
    return 0;
}
