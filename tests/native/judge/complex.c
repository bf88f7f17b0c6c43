/* Complex numbers: constants, passed and returned by value, as variables that threads share. With
 * RACE they race. */
#include <assert.h>
#include <pthread.h>

static double _Complex wide;
static float _Complex narrow;
static struct pair {
    double _Complex number;
    int count;
} pair;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static double _Complex twice(double _Complex z) {
    return 2 * z;
}
static float _Complex conjugate(float _Complex z) {
    return ~z;
}

static void *work(void *unused) {
    pthread_mutex_lock(&m);
    wide = 1 + 2 * 1.0i;
    narrow = conjugate(1 + 1.0fi);
    wide = twice(wide) + twice(1.0i);
    pair.number = twice(pair.number);
    pthread_mutex_unlock(&m);
    return unused;
}

int main(void) {
    pthread_t thread;
    pair = (struct pair){.number = 3};
    pthread_create(&thread, 0, work, 0);
#ifdef RACE
    double _Complex seen = RACE;
    assert(__real__ seen >= 0);
#endif
    pthread_join(thread, 0);
    assert(__real__ wide == 2 && __imag__ wide == 6);
    assert(__real__ narrow == 1 && __imag__ narrow == -1 && __real__ pair.number == 6);
    return 0;
}
