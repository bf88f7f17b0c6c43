// verified: dates and texts that libc keeps in variables of its own
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <time.h>

static void *other(void *unused) {
    assert(strcmp(strerror(-7), "Unknown error -7") == 0);
    return unused;
}

int main(void) {
    pthread_t t;
    time_t day = 86400, later = 1000000000;
    char text[40];
    pthread_create(&t, NULL, other, NULL);
    struct tm *date = gmtime(&day);
    assert(date->tm_mday == 2 && date->tm_year == 70);
    assert(strcmp(asctime(date), "Fri Jan  2 00:00:00 1970\n") == 0);
    assert(strftime(text, sizeof text, "%Y", date) == 4 && strcmp(text, "1970") == 0);
    assert(gmtime(&later) == date && date->tm_year == 101);
    assert(strcmp(asctime_r(date, text), asctime(date)) == 0);
    assert(strcmp(ctime(&later), ctime_r(&later, text)) == 0);
    char *unknown = strerror(-8);
    assert(strcmp(strerror(2), "No such file or directory") == 0);
    assert(strcmp(unknown, "Unknown error -8") == 0);
    assert(strcmp(strsignal(SIGSEGV), "Segmentation fault") == 0);
    assert(strcmp(strsignal(500), "Unknown signal 500") == 0);
    assert(strcmp(strerror_r(-9, text, sizeof text), "Unknown error -9") == 0);
    pthread_join(t, NULL);
    return 0;
}
