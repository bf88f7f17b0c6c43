/* Frees the inside of a block. */
#include <stdlib.h>

int main(void) {
    char *block = malloc(8);
    free(block + 1);
    return 0;
}
