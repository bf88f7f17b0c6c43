/* What heddle does not cover, each after an argument: only what runs may count. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <syslog.h>
#include <unistd.h>
static char name[16];
static int x;
/* Defined in elsewhere.c, which heddle does not compile. */
int elsewhere(int);

__asm__(".globl in_assembly\nin_assembly: movl $7, %eax; ret\n");
extern int obstack_exit_failure; int in_assembly(void);

int main(int count, char **arguments) {
    const char *what = count > 1 ? arguments[1] : "";
    if (strcmp(what, "function") == 0) {
        return gethostid() == 1;
    } else if (strcmp(what, "pointer") == 0) {
        int (*get)(int) = setlogmask;
        return get(0) < 0;
    } else if (strcmp(what, "variable") == 0) {
        return obstack_exit_failure == 7;
    } else if (strcmp(what, "assembly") == 0) {
        __asm__ volatile("rep stosb" : : "D"(name), "c"(16L), "a"(0) : "memory");
    } else if (strcmp(what, "segment") == 0) {
        __asm__ volatile("lsl %1, %0" : "=r"(x) : "r"(0));
    } else if (strcmp(what, "outside") == 0) {
        return in_assembly() - 7;
    } else if (strcmp(what, "object") == 0) {
        return elsewhere(1) - 2;
    } else if (strcmp(what, "builtin") == 0) {
        __builtin_strcpy(name, "abc");
    } else if (strcmp(what, "unsupported") == 0) {
        return (int)fork();
    }
    return 0;
}
