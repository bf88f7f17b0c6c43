// verified: changes of the environment are undone
#include <assert.h>
#include <locale.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static _Atomic int x;

static void *worker(void *unused) {
    const char *value = getenv("HEDDLE_TEST_NAME");
    assert(!value || strcmp(value, "one") == 0 || strcmp(value, "two") == 0);
    x++;
    return unused;
}

int main(void) {
    pthread_t t;
    static char entry[] = "HEDDLE_TEST_OTHER=3";
    assert(!getenv("HEDDLE_TEST_NAME") && !getenv("HEDDLE_TEST_OTHER"));
    assert(strcmp(setlocale(LC_ALL, ""), "C") == 0);
    setenv("HEDDLE_TEST_NAME", "one", 1);
    pthread_create(&t, NULL, worker, NULL);
    setenv("HEDDLE_TEST_NAME", "none", 0);
    setenv("HEDDLE_TEST_NAME", "two", 1);
    putenv(entry);
    x++;
    assert(strcmp(getenv("HEDDLE_TEST_OTHER"), "3") == 0);
    unsetenv("HEDDLE_TEST_NAME");
    assert(!getenv("HEDDLE_TEST_NAME"));
    pthread_join(t, NULL);
    return 0;
}
