/* Threads that publish locals of theirs and use those of others, by a script that the seed (the
 * argument) decides on. Compiled with ORACLE it prints, for all seeds up to the argument, whether
 * some interleaving uses a local that is gone: by brute force, and with no notion of memory.
 *
 * A local of depth d is alive while its thread has at least d frames: another frame of that depth
 * takes its place, and nobody can tell the two from each other. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_THREADS = 3, MOST_OPERATIONS = 8, SLOTS = 2 };

/* "e0" enter a frame and publish its local, "d" enter one and do nothing with it, "l" leave it, "w0" and "r0" use what is published, if
 * anything is, "n0" publish nothing, "s" do something else, "f" raise a flag, "i" end if nobody has
 * raised it yet, "j" wait for the end of the others, which only the first thread does, as its last
 * operation. */
static char scripts[MOST_THREADS][2 * MOST_OPERATIONS + 1];
static int thread_count, joins;
static uint64_t state;

static unsigned rnd(unsigned n) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (unsigned)(state % n);
}

static int has_place(char kind) {
    return kind == 'e' || kind == 'w' || kind == 'r' || kind == 'n';
}

static void make_script(char *to, unsigned operations) {
    unsigned depth = 0;
    char kind = 's';
    for (unsigned i = 0; i < operations; i++) {
        char next = "eeedllwwwrnsffi"[rnd(15)];
        kind = (next == 'l' && !depth) || (kind == 'l' && rnd(2)) ? "ed"[rnd(2)]
               : kind == 'e' && rnd(2)                            ? 'l'
                                                                  : next;
        depth += (kind == 'e' || kind == 'd') - (kind == 'l');
        *to++ = kind;
        if (has_place(kind)) {
            *to++ = (char)('0' + rnd(SLOTS));
        }
    }
    *to = '\0';
}

static void make_scripts(uint64_t seed) {
    state = (seed + 1) * 0x9e3779b97f4a7c15u;
    thread_count = rnd(3) ? 2 : 3;
    int early = thread_count == 2 && rnd(2); /* of one that ends its locals before others look */
    for (int i = 0; i < thread_count; i++) {
        const char *first = !early ? "" : i ? "i" : "e0lf";
        char *to = stpcpy(scripts[i], first);
        make_script(to, early ? 2 : thread_count == 2 ? 2 + rnd(3) : 1 + rnd(2));
    }
    joins = rnd(2);
    if (joins) {
        char *end = scripts[0];
        for (; *end; end++) {
        }
        end[0] = 'j';
        end[1] = '\0';
    }
}

#ifdef ORACLE
typedef struct machine {
    struct {
        const char *at;
        int depth, owner, used; /* used: the depth of the local that it is about to use */
        int entered, ended;
    } threads[MOST_THREADS];
    int owners[SLOTS], depths[SLOTS]; /* depth 0: nothing is published */
    int flag;
} machine;

static int take_published(machine *m, int t, int slot) {
    m->threads[t].owner = m->owners[slot];
    m->threads[t].used = m->depths[slot];
    return 1;
}

static int others_have_ended(const machine *m, int t) {
    for (int i = 0; i < thread_count; i++) {
        if (i != t && !m->threads[i].ended) {
            return 0;
        }
    }
    return 1;
}

/* 0: the thread has ended, or waits; -1: it uses what is gone. */
static int step(machine *m, int t) {
    const char *at = m->threads[t].at;
    int slot = *at ? at[1] - '0' : 0;
    if (m->threads[t].used) {
        int owner = m->threads[t].owner, depth = m->threads[t].used;
        m->threads[t].used = 0;
        return m->threads[owner].ended || m->threads[owner].depth < depth ? -1 : 1;
    }
    if (m->threads[t].entered) {
        m->threads[t].entered = 0;
        slot = at[-1] - '0';
        m->owners[slot] = t;
        m->depths[slot] = m->threads[t].depth;
        return 1;
    }
    if (*at == 'j' && !others_have_ended(m, t)) {
        return 0;
    }
    m->threads[t].at += !*at ? 0 : 1 + has_place(*at);
    switch (*at) {
        case 'e': m->threads[t].entered = 1; return m->threads[t].depth++, 1;
        case 'd': return m->threads[t].depth++, 1;
        case 'l': return m->threads[t].depth--, 1;
        case 'n': m->depths[slot] = 0; return 1;
        case 'f': m->flag = 1; return 1;
        case 'i': m->threads[t].at = m->flag ? m->threads[t].at : ""; return 1;
        case 's':
        case 'j': return 1;
        case '\0': break;
        default: return take_published(m, t, slot);
    }
    if (m->threads[t].ended) {
        return 0;
    }
    m->threads[t].depth -= m->threads[t].depth > 0;
    m->threads[t].ended = !m->threads[t].depth;
    return 1;
}

static int goes_wrong(const machine *m) {
    for (int t = 0; t < thread_count; t++) {
        machine next = *m;
        int result = step(&next, t);
        if (result < 0 || (result && goes_wrong(&next))) {
            return 1;
        }
    }
    return 0;
}

int main(int argc, char **argv) {
    for (int seed = 0; argc > 1 && seed < atoi(argv[1]); seed++) {
        machine m = {0};
        make_scripts((uint64_t)seed);
        for (int t = 0; t < thread_count; t++) {
            m.threads[t].at = scripts[t];
        }
        printf("%d %d\n", seed, goes_wrong(&m));
    }
    return 0;
}
#else
static atomic_int *_Atomic slots[SLOTS];
static atomic_int other, flag;
static pthread_t threads[MOST_THREADS];

static void join_others(void) {
    for (int i = 1; i < thread_count; i++) {
        pthread_join(threads[i], NULL);
    }
}

static const char *frame(const char *at);
static const char *bare_frame(const char *at);

static const char *follow(const char *at) {
    while (*at) {
        char kind = *at++;
        atomic_int *used;
        switch (kind) {
            case 'l': return at;
            case 's': other = 1; continue;
            case 'f': flag = 1; continue;
            case 'i': at = flag ? at : ""; continue;
            case 'j': join_others(); continue;
            case 'e': at = frame(at); continue;
            case 'd': at = bare_frame(at); continue;
            case 'n': slots[*at++ - '0'] = NULL; continue;
        }
        used = slots[*at++ - '0'];
        if (used && kind == 'w') {
            *used = 1;
        } else if (used) {
            other = *used;
        }
    }
    return at;
}

static const char *frame(const char *at) {
    atomic_int local = 0;
    slots[*at - '0'] = &local;
    return follow(at + 1);
}

static const char *bare_frame(const char *at) {
    atomic_int local;
    (void)&local;
    return follow(at);
}

static void *body(void *script) {
    follow(script);
    return NULL;
}

int main(int argc, char **argv) {
    make_scripts(argc > 1 ? (uint64_t)atoi(argv[1]) : 0);
    for (int i = thread_count; i-- > 0;) {
        pthread_create(&threads[i], NULL, body, scripts[i]);
    }
    pthread_join(threads[0], NULL);
    if (!joins) {
        join_others();
    }
    return 0;
}
#endif
