#include "runtime/symbols.h"

#include <string.h>

#include "runtime/exports.h"

/* Defined elsewhere with types of their own; only their addresses matter here. */
extern char heddle___tls_get_addr[], heddle___atomic_load[], heddle___atomic_store[],
    heddle___atomic_exchange[], heddle___atomic_compare_exchange[], heddle___atomic_is_lock_free[];

typedef struct symbol {
    const char *name;
    const void *replacement; /* keeps the file that has it in the link */
} symbol;

#define SYMBOL(name) {#name, (const void *)heddle_##name},
static const symbol symbols[] = {RUNTIME_SYMBOLS(SYMBOL)};
#undef SYMBOL

bool symbols_supported(const char *name) {
    for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++) {
        if (strcmp(symbols[i].name, name) == 0) {
            return symbols[i].replacement != NULL;
        }
    }
    return false;
}

/* Whether `name` is one of the words of a list. A word that ends in '*' stands for all that start
 * so. */
static bool listed(const char *list, const char *name) {
    for (const char *word = list; *word; word += strspn(word, " ")) {
        size_t length = strcspn(word, " ");
        if (word[length - 1] == '*' ? strncmp(word, name, length - 1) == 0
                                    : strlen(name) == length && memcmp(word, name, length) == 0) {
            return true;
        }
        word += length;
    }
    return false;
}

static const char harmless_threads[] =
    "pthread_attr_* pthread_mutexattr_* pthread_condattr_* pthread_setconcurrency "
    "pthread_getconcurrency";

static const char forbidden[] =
    "pthread_* __pthread_* thrd_* mtx_* cnd_* tss_* call_once sem_* mq_* fork vfork _Fork "
    "clone exec* posix_spawn* system popen wait waitpid waitid kill signal sigaction "
    "sigprocmask sigsuspend sigwait* alarm setitimer timer_* pause poll ppoll select pselect "
    "epoll_* eventfd* pipe pipe2 socket accept connect shm_* shmget mmap munmap mprotect "
    "mremap brk sbrk syscall dlopen dlsym makecontext swapcontext setcontext getcontext "
    "atexit at_quick_exit on_exit __VERIFIER_nondet_* read fgets getchar scanf fscanf "
    "__isoc99_scanf __isoc99_fscanf getline getdelim __getdelim getc fgetc gets fread fopen fdopen "
    "freopen open openat creat "
    "unlink unlinkat rename renameat* remove mkdir* rmdir mknod* mkfifo* link linkat symlink* "
    "truncate* ftruncate* tmpfile* tmpnam* mkostemp* mkstemp* chmod fchmod* chown fchown* lchown "
    "utime* "
    "futime* fallocate posix_fallocate* sendfile* copy_file_range writev pwrite* fputws fwprintf "
    "wprintf "
    "chdir fchdir chroot opendir fdopendir readdir* ftw nftw glob fts_* inotify_* readv pread "
    "preadv recv recvfrom recvmsg accept4 flock "
    "lockf getpass open_memstream open_wmemstream fmemopen scandir scandirat wcsdup argz_* "
    "envz_* seed48 lcong48 initstate setstate canonicalize_file_name get_current_dir_name tempnam";

/* They touch nothing of the program's memory, or only what is the thread's own. */
static const char harmless[] =
    "pthread_* __tsan_* heddle_* __VERIFIER_* reach_error main __errno_location abs labs "
    "llabs imaxabs div ldiv lldiv imaxdiv ffs ffsl ffsll strerror bsearch isalpha isdigit isalnum "
    "isspace isblank iscntrl isgraph isupper islower isprint ispunct isxdigit isascii toascii "
    "toupper tolower __ctype_b_loc __ctype_toupper_loc __ctype_tolower_loc isw* towupper towlower "
    "htonl htons ntohl ntohs difftime stdout stderr stdin environ __environ setjmp _setjmp "
    "longjmp __sigsetjmp siglongjmp getuid geteuid getgid getegid sysconf getpagesize get_nprocs "
    "__cxa_finalize _ITM_* __gmon_start__ _GLOBAL_OFFSET_TABLE_ __stack_chk_fail "
    "__popcount* __mul* __div* __udiv* __umod* __mod* __float* __fix* __ext* __trunc* __bswap* "
    "__clz* __ctz* __ffs* __parity* __isnan* __isinf* __finite* __signbit* __fpclassify*";

/* Of these also the forms for float and long double: sinf, sinl. */
static const char harmless_numbers[] =
    "sin cos tan asin acos atan atan2 sinh cosh tanh asinh acosh atanh exp exp2 exp10 expm1 log "
    "log2 log10 log1p logb ilogb pow sqrt cbrt hypot fabs floor ceil round lround llround rint "
    "lrint llrint nearbyint trunc fmod remainder fmin fmax fdim fma copysign nextafter nexttoward "
    "ldexp scalbn scalbln erf erfc tgamma";

static bool is_number_function(const char *name) {
    char plain[32];
    size_t length = strlen(name);
    if (!length || length >= sizeof plain) {
        return false;
    }
    memcpy(plain, name, length + 1);
    if (listed(harmless_numbers, plain)) {
        return true;
    }
    bool suffix = plain[length - 1] == 'f' || plain[length - 1] == 'l';
    plain[length - 1] = '\0';
    return suffix && listed(harmless_numbers, plain);
}

/* See nondet.c. */
static const char undetermined[] =
    "__VERIFIER_nondet_bool __VERIFIER_nondet__Bool __VERIFIER_nondet_char "
    "__VERIFIER_nondet_schar __VERIFIER_nondet_uchar __VERIFIER_nondet_unsigned_char "
    "__VERIFIER_nondet_u8 __VERIFIER_nondet_short __VERIFIER_nondet_ushort "
    "__VERIFIER_nondet_u16 __VERIFIER_nondet_int __VERIFIER_nondet_uint "
    "__VERIFIER_nondet_unsigned __VERIFIER_nondet_unsigned_int __VERIFIER_nondet_u32 "
    "__VERIFIER_nondet_long __VERIFIER_nondet_ulong __VERIFIER_nondet_unsigned_long "
    "__VERIFIER_nondet_longlong __VERIFIER_nondet_ulonglong __VERIFIER_nondet_size_t "
    "__VERIFIER_nondet_loff_t __VERIFIER_nondet_sector_t __VERIFIER_nondet_float "
    "__VERIFIER_nondet_double __VERIFIER_nondet_pointer __VERIFIER_nondet_pchar";

bool symbols_forbidden(const char *name) {
    return !symbols_supported(name) && !listed(harmless_threads, name) &&
           !listed(undetermined, name) && listed(forbidden, name);
}

bool symbols_harmless(const char *name) {
    return symbols_supported(name) || listed(harmless, name) || is_number_function(name);
}
