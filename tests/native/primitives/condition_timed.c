// A wait for a job with a deadline: the job may have come although the time is over.
// verified --timeouts=may
// JOB_LOST --timeouts=may: assertion done == posted
// TIMEOUT_IS_SUCCESS --timeouts=may: assertion job
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t posted_one = PTHREAD_COND_INITIALIZER;
static int job, posted, done, late;
static void *post(void *unused) {
    pthread_mutex_lock(&lock);
    if (!late) {
        job = 1;
        posted++;
        pthread_cond_signal(&posted_one);
    }
    pthread_mutex_unlock(&lock);
    return unused;
}
int main(void) {
    pthread_t thread;
    struct timespec deadline;
    int status = 0;
    clock_gettime(CLOCK_REALTIME, &deadline);
    deadline.tv_sec++;
    pthread_create(&thread, NULL, post, NULL);
    pthread_mutex_lock(&lock);
    while (!job && status != ETIMEDOUT) {
        status = pthread_cond_timedwait(&posted_one, &lock, &deadline);
    }
#ifdef JOB_LOST
    if (status != ETIMEDOUT) {
#elif defined TIMEOUT_IS_SUCCESS
    {
        assert(job);
#else
    if (job) {
#endif
        job = 0;
        done++;
    }
    late = 1;
    pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
    assert(done == posted);
    return 0;
}
