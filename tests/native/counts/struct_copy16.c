/* The same for sizes that have callbacks of their own: 1, 2, 4, 8 and 16 bytes. One thread copies
 * each, another reads the halves of the 16-byte one: 3 places.
 * expect --no-race: executions 3 errors none */
#include <assert.h>
#include <pthread.h>

struct s1 {
    char a;
};
struct s2 {
    char a, b;
};
struct s4 {
    short a, b;
};
struct s8 {
    int a, b;
};
struct s16 {
    long a, b;
};
static struct s1 p1, q1;
static struct s2 p2, q2;
static struct s4 p4, q4;
static struct s8 p8, q8;
static struct s16 p16, q16 = {1, 2};

static void *copier(void *unused) {
    (void)unused;
    p1 = q1;
    p2 = q2;
    p4 = q4;
    p8 = q8;
    p16 = q16;
    return NULL;
}

static void *reader(void *unused) {
    (void)unused;
    long a = p16.a, b = p16.b;
    assert(a == 0 || b == 2);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, copier, NULL);
    pthread_create(&thread, NULL, reader, NULL);
    return 0;
}
