/* Sets that are as large as select needs them for its descriptors, and one of odd events, of which
 * there are none. SHORT: a set that is too small. */
#include <assert.h>
#include <stdlib.h>
#include <sys/select.h>
#include <unistd.h>

#ifdef SHORT
#define SIZE 4
#else
#define SIZE 8
#endif

int main(void) {
    int ends[2];
    fd_set *in = calloc(1, SIZE), *odd = calloc(1, 8);
    assert(pipe(ends) == 0 && write(ends[1], "x", 1) == 1);
    ((unsigned char *)in)[0] |= (unsigned char)(1 << ends[0]);
    FD_SET(ends[1], odd);
    assert(select(ends[1] + 1, in, NULL, odd, NULL) == 1);
    assert(((unsigned char *)in)[0] == 1 << ends[0] && !FD_ISSET(ends[1], odd));
    free(in);
    free(odd);
    return 0;
}
