/* Builtins of the x86 that get a pointer: WAY says which. With -DLOCKED both threads hold a lock. */
#include <assert.h>
#include <immintrin.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Alignas(16) float halves[4] = {1, 1, 1, 1};
static _Alignas(16) int numbers[4] = {1, 1, 1, 1};
static float low, high;

static void touch(void) {
#if WAY == 1
    _mm_storel_pi((__m64 *)halves, _mm_set1_ps(2));
#elif WAY == 2
    _mm_stream_ps(halves, _mm_set1_ps(2));
#elif WAY == 3
    low = _mm_cvtss_f32(_mm_loadl_pi(_mm_set1_ps(0), (__m64 *)halves));
    __m128 pair = _mm_loadh_pi(_mm_set1_ps(0), (__m64 *)halves);
    high = _mm_cvtss_f32(_mm_movehl_ps(pair, pair));
#elif WAY == 4
    _mm_stream_si32(numbers + 1, 2);
#elif WAY == 5
    unsigned sum;
    _addcarry_u32(0, 1, 1, &sum);
    _addcarry_u32(0, sum, 0, (unsigned *)numbers + 1);
#else
    _mm_maskmoveu_si128(_mm_set1_epi32(2), _mm_set1_epi32(-1), (char *)numbers);
#endif
}

static void *run(void *unused) {
#ifdef LOCKED
    pthread_mutex_lock(&lock);
#endif
    touch();
#ifdef LOCKED
    pthread_mutex_unlock(&lock);
#endif
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, run, NULL);
#ifdef LOCKED
    pthread_mutex_lock(&lock);
#endif
    halves[0] = halves[1] = 3;
    numbers[1] = 3;
    int number = numbers[1];
    float half = halves[1];
#ifdef LOCKED
    pthread_mutex_unlock(&lock);
#endif
    pthread_join(thread, NULL);
    assert(number == 3 && half == 3 && low == high);
}
