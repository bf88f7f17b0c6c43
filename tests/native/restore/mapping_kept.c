// verified: a mapping lasts as long as the process, and so does what it refers to
// options: --leaks=error
#include <stdlib.h>
#include <sys/mman.h>
int main(void) {
    char **p = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    *p = malloc(10);
    p = NULL;
    return 0;
}
