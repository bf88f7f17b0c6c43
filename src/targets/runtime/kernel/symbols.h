/* The functions of libc that heddle knows, by the table in libc/all.def. Those that heddle stands
 * in for have their prototypes here: NAME becomes heddle_NAME in the objects of the user's program.
 */
#ifndef HEDDLE_TARGETS_RUNTIME_KERNEL_SYMBOLS_H
#define HEDDLE_TARGETS_RUNTIME_KERNEL_SYMBOLS_H

#include <dirent.h>
#include <fenv.h>
#include <locale.h>
#include <pthread.h>
#include <regex.h>
#include <search.h>
#include <semaphore.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <sys/time.h>
#include <sys/times.h>
#include <sys/types.h>
#include <sys/vfs.h>
#include <threads.h>
#include <time.h>
#include <wchar.h>

struct epoll_event;
struct getopt_call;
struct drand48_data;
struct hsearch_data;
struct __jmp_buf_tag;
struct in_addr;
struct pollfd;
struct random_data;
struct iovec;
struct sigaction;
struct stat;
struct tls_index;
struct msghdr;
struct sysinfo;
struct utsname;
typedef void signal_handler(int);

enum symbol_class {
    SYMBOL_UNKNOWN,    /* it has no row */
    SYMBOL_SUPPORTED,  /* it becomes heddle_NAME; see symbols_replacement */
    SYMBOL_IN_PROGRAM, /* it becomes heddle_program_NAME, which is part of the program */
    SYMBOL_HARMLESS,   /* libc's own is called */
    SYMBOL_FORBIDDEN   /* calling it is an error */
};

enum symbol_class symbols_class(const char *name);

/* What a supported function is called after "heddle_": its name, or that of one which does the
 * same. NULL for others. */
const char *symbols_replacement(const char *name);

/* That function; NULL for others. */
void *symbols_address(const char *name);

/* What the program calls the function of heddle at this address; NULL for others. */
const char *symbols_name(const void *address);

/* C code that becomes part of a program that uses something SYMBOL_IN_PROGRAM: it is the same for
 * all names of a group. */
typedef struct program_code {
    const char *group, *text;
} program_code;

const program_code *symbols_program_code(const char *name);

/* The functions that such code calls, one by one; then NULL. */
const char *symbols_helper(uint32_t i);

/* Whether `name` is one of the words of a list. A word that ends in '*' stands for all that begin
 * so. */
bool symbols_listed(const char *names, const char *name);

_Noreturn void heddle_unsupported(const char *name, const void *return_address);

#define MODEL(result, name, parameters, call, ranges)         result heddle_##name parameters;
#define CHANGES_FILES(result, name, parameters, call, ranges) result heddle_##name parameters;
#define SPECIAL(result, name, parameters)                     result heddle_##name parameters;
#define HELPER(result, name, parameters)                      result heddle_##name parameters;
#include "targets/runtime/libc/all.def"

#endif
