/* The entry point of a program that heddle cc linked and that is started directly. There was no
 * loader: nothing is relocated, and no function of libc can be called. The executable that is
 * attached (targets/native/attachment.h) is copied to memory and run from there, in this process,
 * with the name of this file in its environment (<heddle/check.h>). */
#include <stdbool.h>
#include <sys/syscall.h>

enum { HERE = -100, EMPTY_PATH = 0x1000, NAME_SIZE = 4200, MOST_VARIABLES = 4000 };

static long call(long number, long a, long b, long c, long d, long e) {
#ifdef __x86_64__
    register long r10 __asm__("r10") = d, r8 __asm__("r8") = e;
    __asm__ volatile("syscall"
                     : "+a"(number)
                     : "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8)
                     : "rcx", "r11", "memory");
    return number;
#else
    register long x8 __asm__("x8") = number, x0 __asm__("x0") = a, x1 __asm__("x1") = b;
    register long x2 __asm__("x2") = c, x3 __asm__("x3") = d, x4 __asm__("x4") = e;
    __asm__ volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4) : "memory");
    return x0;
#endif
}

static bool begins(const char *text, const char *with) {
    while (*with && *text == *with) {
        text++, with++;
    }
    return !*with;
}

static void run(long file, char **arguments, char **variables) {
    static const char start[] = "HEDDLE_PROGRAM=";
    char name[NAME_SIZE], *changed[MOST_VARIABLES + 2];
    int count = 0;
    bool known = false;
    for (; variables[count] && count < MOST_VARIABLES; count++) {
        known = known || begins(variables[count], start);
        changed[count] = variables[count];
    }
    for (unsigned i = 0; i + 1 < sizeof start; i++) {
        name[i] = start[i];
    }
    long length = call(SYS_readlinkat, HERE, (long)"/proc/self/exe",
                       (long)(name + sizeof start - 1), sizeof name - sizeof start, 0);
    if (length > 0 && !known) {
        name[sizeof start - 1 + (unsigned long)length] = '\0';
        changed[count++] = name;
    }
    changed[count] = 0;
    call(SYS_execveat, file, (long)"", (long)arguments, (long)changed, EMPTY_PATH);
}

__attribute__((used, noreturn)) static void entry(long *stack) {
    static const char words[] =
        "heddle: this program was linked by heddle cc; "
        "run it with: heddle check PROGRAM\n";
    struct {
        unsigned long offset;
        char magic[8];
    } trailer;
    char **arguments = (char **)(stack + 1);
    long file = call(SYS_openat, HERE, (long)"/proc/self/exe", 0, 0, 0);
    long end = call(SYS_lseek, file, -(long)sizeof trailer, 2, 0, 0);
    if (call(SYS_read, file, (long)&trailer, sizeof trailer, 0, 0) == sizeof trailer &&
        begins(trailer.magic, "heddle+")) {
        long copy = call(SYS_memfd_create, (long)"program", 1, 0, 0, 0);
        long at = (long)trailer.offset, done = 1;
        while (done > 0 && at < end) {
            done = call(SYS_sendfile, copy, file, (long)&at, end - at, 0);
        }
        run(copy, arguments, arguments + stack[0] + 1);
    }
    call(SYS_write, 2, (long)words, sizeof words - 1, 0, 0);
    for (;;) {
        call(SYS_exit_group, 2, 0, 0, 0, 0);
    }
}

#ifdef __x86_64__
__asm__(
    ".globl heddle_entry\n.type heddle_entry, %function\nheddle_entry:\n"
    "\tmovq %rsp, %rdi\n\tandq $-16, %rsp\n\tcall entry\n");
#else
__asm__(
    ".globl heddle_entry\n.type heddle_entry, %function\nheddle_entry:\n"
    "\tmov x0, sp\n\tbl entry\n");
#endif
