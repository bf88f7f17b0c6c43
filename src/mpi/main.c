/* heddle-mpi: one heddle on each rank of an MPI job.
 *
 *     mpirun -n 64 heddle-mpi check program.c
 *
 * This process explores nothing. It starts the heddle in its own directory, with the same command
 * line and the same environment on every rank, and carries packets (supervise/wire.h) between rank
 * 0 and the others (relay.h). So heddle itself needs no MPI, and MPI's threads and memory are not
 * in the process that runs the program under test. */
#include <errno.h>
#include <fcntl.h>
#include <mpi.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/exit_status.h"
#include "cli/ranks.h"
#include "mpi/relay.h"

enum { PATH_MOST = 4096, STACK_SIZE = 8 << 20 };

extern char **environ;

/* ---- the same environment everywhere ---- */

/* Variables that differ between ranks must not reach the program. */
static bool is_of_mpi(const char *variable) {
    static const char *const prefixes[] = {"OMPI_", "PMIX_", "PMI_",   "PRTE_", "ORTE_",
                                           "OPAL_", "MPI_",  "MPIR_",  "HYDI_", "HYDRA_",
                                           "I_MPI", "SLURM", "IPATH_", "_="};
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
        if (strncmp(variable, prefixes[i], strlen(prefixes[i])) == 0) {
            return true;
        }
    }
    return false;
}

/* Strings with their NULs, one after the other. */
static char *pack_environment(int *size) {
    char *packed = NULL;
    *size = 0;
    for (char **at = environ; *at; at++) {
        int length = (int)strlen(*at) + 1;
        if (is_of_mpi(*at)) {
            continue;
        }
        packed = realloc(packed, (size_t)(*size + length));
        if (!packed) {
            MPI_Abort(MPI_COMM_WORLD, EXIT_INTERNAL);
        }
        memcpy(packed + *size, *at, (size_t)length);
        *size += length;
    }
    return packed;
}

/* The environment of rank 0 and the variable with the number of the rank. */
static char **make_environment(char *variable) {
    int size = 0, count = 0;
    char *packed = pack_environment(&size);
    MPI_Bcast(&size, 1, MPI_INT, 0, MPI_COMM_WORLD);
    packed = realloc(packed, (size_t)size + 1);
    MPI_Bcast(packed, size, MPI_CHAR, 0, MPI_COMM_WORLD);
    for (int i = 0; i < size; i++) {
        count += !packed[i];
    }
    char **list = calloc((size_t)count + 2, sizeof *list);
    if (!packed || !list) {
        MPI_Abort(MPI_COMM_WORLD, EXIT_INTERNAL);
    }
    list[0] = variable;
    for (int i = 0, next = 1; i < size; i += (int)strlen(packed + i) + 1) {
        list[next++] = packed + i;
    }
    return list;
}

/* ---- heddle ---- */

/* Where the system maps memory depends on the limit of the stack. */
static void limit_stack(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_STACK, &limit) == 0) {
        limit.rlim_cur = limit.rlim_max < STACK_SIZE ? limit.rlim_max : STACK_SIZE;
        setrlimit(RLIMIT_STACK, &limit);
    }
}

/* The heddle in the directory of this executable. */
static void find_heddle(char *path) {
    ssize_t length = readlink("/proc/self/exe", path, PATH_MOST - sizeof "heddle");
    path[length > 0 ? length : 0] = '\0';
    char *slash = strrchr(path, '/');
    strcpy(slash ? slash + 1 : path, "heddle");
}

/* Its end of each connection gets the descriptor number that it expects. */
static bool add_connections(posix_spawn_file_actions_t *actions, relay *r, int *ends) {
    for (int i = 0; i < r->count; i++) {
        int pair[2];
        if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0) {
            return false;
        }
        r->links[i].descriptor = pair[0];
        ends[i] = fcntl(pair[1], F_DUPFD_CLOEXEC, RANKS_FIRST_WIRE + r->count);
        close(pair[1]);
        posix_spawn_file_actions_adddup2(actions, ends[i], RANKS_FIRST_WIRE + i);
    }
    return true;
}

/* In its own process group, so that only this process sends it signals. */
static bool start_heddle(relay *r, const char *path, char **argv, char **environment) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none;
    int *ends = calloc((size_t)r->count + 1, sizeof *ends);
    sigemptyset(&none);
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
    posix_spawnattr_setsigmask(&attributes, &none);
    bool done = ends && add_connections(&actions, r, ends) &&
                posix_spawn(&r->heddle, path, &actions, &attributes, argv, environment) == 0;
    for (int i = 0; i < r->count && ends; i++) {
        close(ends[i]);
    }
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    free(ends);
    return done;
}

/* ---- all ranks together ---- */

/* How many ranks are on this machine. */
static int count_here(void) {
    MPI_Comm here;
    int count;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &here);
    MPI_Comm_size(here, &count);
    MPI_Comm_free(&here);
    return count;
}

/* Reports an error once. */
static bool all_agree(int rank, bool good, const char *complaint) {
    int mine = !good, bad = 0;
    MPI_Allreduce(&mine, &bad, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (bad && rank == 0) {
        fprintf(stderr, "heddle-mpi: %s (on %d ranks)\n", complaint, bad);
    }
    return !bad;
}

static int run(char **argv, int rank, int count) {
    char path[PATH_MOST], variable[sizeof RANKS_VARIABLE "=" + 64];
    bool usable = argv[1] && (strcmp(argv[1], "check") == 0 || strcmp(argv[1], "--help") == 0 ||
                              strcmp(argv[1], "--version") == 0);
    if (!all_agree(
            rank, usable,
            "usage: mpirun -n RANKS heddle-mpi check ..., with the options of heddle check")) {
        return EXIT_USAGE;
    }
    find_heddle(path);
    if (!all_agree(
            rank, access(path, X_OK) == 0 && count <= RANKS_MOST,
            "there is no heddle in the directory of heddle-mpi, or there are too many ranks")) {
        return EXIT_USAGE;
    }
    snprintf(variable, sizeof variable, RANKS_VARIABLE "=" RANKS_FORMAT, (unsigned)rank,
             (unsigned)count, (unsigned)count_here());
    char **environment = make_environment(variable);
    limit_stack();
    relay r;
    bool started = relay_open(&r, rank, count) && start_heddle(&r, path, argv, environment);
    if (!all_agree(rank, started, "heddle cannot be started: too many processes or open files")) {
        MPI_Abort(MPI_COMM_WORLD, EXIT_INTERNAL);
    }
    return relay_run(&r);
}

int main(int argc, char **argv) {
    int rank, count;
    relay_block_signals(); /* in MPI's threads as well, or one of them takes the signal */
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &count);
    int status = run(argv, rank, count);
    MPI_Bcast(&status, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return status;
}
