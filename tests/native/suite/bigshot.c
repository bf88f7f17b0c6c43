/* bigshot: one thread allocates a string, another copies into it. Joined in between it is right;
 * with BUG both run at once, and the copy may go to nowhere (the suite asks whether the string is
 * what it should be, and forgets that it may crash).
 * expect: executions 1 errors none
 * expect -DBUG: errors crash,data-race */
#include <stdlib.h>
#include <string.h>

#include "suite.h"

static char *string;

static void *allocate(void *unused) {
    string = malloc(8);
    return unused;
}

static void *copy(void *unused) {
    strcpy(string, "Bigshot");
    return unused;
}

int main(void) {
    pthread_t one, other;
    pthread_create(&one, NULL, allocate, NULL);
#ifndef BUG
    pthread_join(one, NULL);
#endif
    pthread_create(&other, NULL, copy, NULL);
#ifdef BUG
    pthread_join(one, NULL);
#endif
    pthread_join(other, NULL);
    if (string[0] != 'B') {
        reach_error();
    }
    free(string);
    return 0;
}
