#define _GNU_SOURCE
#include "mpi/relay.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/exit_status.h"

enum { TAG = 0, SHORTEST_PAUSE = 20 * 1000, LONGEST_PAUSE = 2 * 1000 * 1000 /* nanoseconds */ };

/* ---- life ---- */

static void choose_signals(sigset_t *set) {
    sigemptyset(set);
    sigaddset(set, SIGINT);
    sigaddset(set, SIGTERM);
}

void relay_block_signals(void) {
    sigset_t set;
    choose_signals(&set);
    sigprocmask(SIG_BLOCK, &set, NULL);
}

bool relay_open(relay *r, int rank, int ranks) {
    sigset_t set;
    choose_signals(&set);
    *r = (relay){.rank = rank, .count = rank ? 1 : ranks - 1};
    r->signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
    r->links = calloc((size_t)r->count + 1, sizeof *r->links);
    for (int i = 0; i < r->count && r->links; i++) {
        r->links[i].rank = rank ? 0 : i + 1;
        r->links[i].descriptor = -1;
    }
    return r->links && r->signals >= 0;
}

/* ---- from MPI to heddle ---- */

static void drop_packets(relay_link *l) {
    while (l->first) {
        relay_packet *next = l->first->next;
        free(l->first);
        l->first = next;
    }
    l->last = NULL;
}

static void close_link(relay_link *l) {
    if (l->descriptor >= 0) {
        close(l->descriptor);
    }
    l->descriptor = -1;
    drop_packets(l);
}

/* As many as there is room for. */
static void deliver(relay_link *l) {
    while (l->first && l->descriptor >= 0) {
        ssize_t sent =
            send(l->descriptor, l->first->content, l->first->size, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (sent < 0 && (errno == EAGAIN || errno == EINTR)) {
            return;
        }
        relay_packet *next = l->first->next;
        free(l->first);
        l->first = next;
        l->last = next ? l->last : NULL;
    }
    if (l->received_last && !l->first) {
        close_link(l);
    }
}

static void keep(relay_link *l, relay_packet *p) {
    if (l->last) {
        l->last->next = p;
    } else {
        l->first = p;
    }
    l->last = p;
}

static bool receive(relay *r) {
    MPI_Status status;
    int there = 0, size;
    MPI_Iprobe(MPI_ANY_SOURCE, TAG, MPI_COMM_WORLD, &there, &status);
    if (!there) {
        return false;
    }
    MPI_Get_count(&status, MPI_BYTE, &size);
    relay_packet *p = malloc(sizeof *p + (size_t)size);
    if (!p) {
        MPI_Abort(MPI_COMM_WORLD, EXIT_INTERNAL);
        return false;
    }
    *p = (relay_packet){.size = (size_t)size};
    MPI_Recv(p->content, size, MPI_BYTE, status.MPI_SOURCE, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    relay_link *l = &r->links[r->rank ? 0 : status.MPI_SOURCE - 1];
    if (size && l->descriptor >= 0) {
        keep(l, p);
    } else {
        free(p);
    }
    l->received_last = l->received_last || !size;
    deliver(l);
    return true;
}

/* ---- from heddle to MPI ---- */

static bool is_on_its_way(relay_link *l) {
    int done = 1;
    if (l->sending) {
        MPI_Test(&l->request, &done, MPI_STATUS_IGNORE);
    }
    l->sending = !done;
    return !l->sending;
}

static void send_packet(relay_link *l, int size) {
    MPI_Isend(l->outgoing, size, MPI_BYTE, l->rank, TAG, MPI_COMM_WORLD, &l->request);
    l->sending = true;
    l->sent_last = !size;
}

/* Sends one packet, if there is one; the last one when heddle has closed its end, or the other end
 * was closed. */
static bool pass_on(relay_link *l) {
    if (l->sent_last || !is_on_its_way(l)) {
        return false;
    }
    ssize_t size = 0;
    if (l->descriptor >= 0) {
        size = recv(l->descriptor, l->outgoing, sizeof l->outgoing, MSG_DONTWAIT);
        if (size < 0 && (errno == EAGAIN || errno == EINTR)) {
            return false;
        }
    }
    if (size <= 0) {
        close_link(l);
    }
    send_packet(l, size > 0 ? (int)size : 0);
    return true;
}

/* ---- the loop ---- */

static void pass_on_signals(const relay *r) {
    struct signalfd_siginfo info;
    while (read(r->signals, &info, sizeof info) == (ssize_t)sizeof info) {
        if (r->rank == 0) {
            kill(r->heddle, (int)info.ssi_signo);
        }
    }
}

/* Waits until something comes from heddle, or it is time to ask MPI. */
static void rest(const relay *r, struct pollfd *ends, long pause) {
    struct timespec time = {.tv_nsec = pause};
    for (int i = 0; i < r->count; i++) {
        const relay_link *l = &r->links[i];
        short events = (short)((l->sending ? 0 : POLLIN) | (l->first ? POLLOUT : 0));
        ends[i] = (struct pollfd){.fd = events ? l->descriptor : -1, .events = events};
    }
    ends[r->count] = (struct pollfd){.fd = r->signals, .events = POLLIN};
    ppoll(ends, (nfds_t)r->count + 1, &time, NULL);
}

static bool is_over(relay *r) {
    for (int i = 0; i < r->count; i++) {
        relay_link *l = &r->links[i];
        if (!l->sent_last || !l->received_last || !is_on_its_way(l)) {
            return false;
        }
    }
    return true;
}

static bool work(relay *r) {
    bool active = false;
    while (receive(r)) {
        active = true;
    }
    for (int i = 0; i < r->count; i++) {
        deliver(&r->links[i]);
        active = pass_on(&r->links[i]) || active;
    }
    pass_on_signals(r);
    return active;
}

/* ---- the end ---- */

/* Seconds that a rank may take to end after it was to. */
static double patience(void) {
    const char *given = getenv("HEDDLE_MPI_PATIENCE_MS"); /* for tests */
    return given ? strtod(given, NULL) / 1e3 : 10;
}

static bool has_ended(relay *r) {
    int status;
    if (!r->ended && waitpid(r->heddle, &status, WNOHANG) == r->heddle) {
        r->ended = true;
        r->ended_at = MPI_Wtime();
        r->status = WIFEXITED(status) ? WEXITSTATUS(status) : EXIT_INTERNAL;
    }
    return r->ended;
}

/* The report is there, and somebody does not notice: stopped, or not to be reached. The others
 * would wait for that rank forever. */
static void abandon_the_silent(relay *r) {
    if (r->rank || !r->links[0].sent_last || !has_ended(r) ||
        MPI_Wtime() < r->ended_at + patience()) {
        return;
    }
    for (int i = 0; i < r->count; i++) {
        if (!r->links[i].received_last) {
            fprintf(stderr, "heddle-mpi: rank %d does not respond, and is ended with the job\n",
                    r->links[i].rank);
        }
    }
    MPI_Abort(MPI_COMM_WORLD, r->status);
}

/* On rank 0, for the report; on another one, which has nothing left to do, not for long. */
static int wait_for_heddle(relay *r) {
    double by = MPI_Wtime() + patience();
    struct timespec pause = {.tv_nsec = LONGEST_PAUSE};
    while (!has_ended(r)) {
        if (r->rank && MPI_Wtime() >= by) {
            kill(r->heddle, SIGKILL);
        }
        nanosleep(&pause, NULL);
    }
    return r->status;
}

int relay_run(relay *r) {
    struct pollfd *ends = calloc((size_t)r->count + 1, sizeof *ends);
    long pause = SHORTEST_PAUSE;
    while (ends && !is_over(r)) {
        pause = work(r) ? SHORTEST_PAUSE : pause * 2;
        pause = pause < LONGEST_PAUSE ? pause : LONGEST_PAUSE;
        rest(r, ends, pause);
        abandon_the_silent(r);
    }
    free(ends);
    free(r->links);
    return wait_for_heddle(r);
}
