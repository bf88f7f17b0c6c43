/* Memory that was never written decides something in the cases 1, 2, 5, 6 and 7; in 4 it is only
 * printed, in 8 only copied. */
#include <stdio.h>
#include <stdlib.h>
static volatile int x;
static int y[4];
int main(int argc, char **argv) {
    int k = atoi(argv[1]);
    int *p = k == 0 ? calloc(4, 4) : malloc(16);
    if (k == 3)
        p[2] = 0;
    x = 1;
    if (k == 1 && p[2])
        x = 2;
    if (k == 2 && p[2] > 0)
        x = 2;
    if (k == 3 && p[2] > 0)
        x = 2;
    if (k == 4) {
        int v = p[2];
        printf("%d\n", v);
    }
    if (k == 5 && p[3] < 0)
        abort();
    if (k == 6 && p[1] > 5)
        puts("large");
    if (k == 7 && p[1] > 5)
        y[2] = 3;
    if (k == 8)
        y[0] = p[1];
    free(p);
    return 0;
}
