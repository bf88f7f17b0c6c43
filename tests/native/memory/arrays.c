/* Indices beyond arrays inside frames and objects, and of thread-locals. The argument names the
 * case: CASE marks the line that is wrong; case 0 does what is right only just. */
#include <stdint.h>
#include <stdlib.h>

typedef struct member {
    int values[4];
    char inner[4];
    int after;
} member;

typedef struct text {
    int length;
    char old[1]; /* the last member of a block of any size */
} text;

typedef struct flexible {
    int length;
    char bytes[];
} flexible;

static _Thread_local int own[2];
static int matrix[2][3];
static member members[6];
static volatile int sink;

#define CASE(number, ...)   \
    if (wanted == number) { \
        __VA_ARGS__;        \
    }

static void right(int length) {
    int local[5], any[length];
    text *t = calloc(1, sizeof *t + 10);
    flexible *f = calloc(1, sizeof *f + 10);
    const int *end = &local[5];
    for (int *p = local; p != end; p++) {
        *p = 0;
    }
    any[length - 1] = local[4];
    own[1] = matrix[1][2] = members[5].values[3] = members[5].inner[3] = "abc"[3];
    t->old[10] = f->bytes[9] = 1;
    sink = *(&matrix[0][0] + 5) + (int)(&own[2] - own);
    free(t);
    free(f);
}

int main(int argc, char **arguments) {
    int wanted = argc > 1 ? atoi(arguments[1]) : 0;
    int local[5] = {0}, beside[5] = {0}, five = 5, four = 4;
    int any[four - 1];
    any[0] = 0;
    if (wanted == 0) {
        right(four);
        return 0;
    }
    CASE(1, local[five] = 1)
    CASE(2, local[four - 5]++)
    CASE(3, sink = beside[five])
    CASE(4, members[0].values[four] = 1)
    CASE(5, own[four - 2] = 1)
    CASE(6, matrix[0][four - 1] = 1)
    CASE(7, any[four - 1] = 1)
    CASE(8, sink = local[(unsigned char)(four - 5)])
    CASE(9, sink = local[(uintptr_t)four - 5])
    CASE(10, members[1].inner[four] = 1)
    CASE(11, int *volatile p = &local[(short)five]; sink = *p; sink = local[five])
    CASE(12, members[five + 1].after = 1)
    return sink & 0;
}
