/* A directory with a, b and sub. RACE: two threads read one DIR. AFTER: it is closed. */
#define _GNU_SOURCE
#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
static int visible(const struct dirent *e) {
    return e->d_name[0] != '.';
}
static DIR *shared;
static void *look(void *nothing) {
    struct dirent **list;
    assert(scandir("dir", &list, visible, alphasort) == 3);
    assert(strcmp(list[0]->d_name, "a") == 0 && strcmp(list[2]->d_name, "sub") == 0);
    assert(list[2]->d_type == DT_DIR);
    for (int i = 0; i < 3; i++)
        free(list[i]);
    free(list);
#ifdef RACE
    struct dirent *e = readdir(shared);
    assert(!e || e->d_name[0]);
#endif
    return nothing;
}
int main(void) {
    pthread_t t;
    int n = 0;
    struct dirent *e;
    assert(!opendir("nowhere") && errno == ENOENT && !opendir("file") && errno == ENOTDIR);
    shared = opendir("dir");
    pthread_create(&t, NULL, look, NULL);
    e = readdir(shared);
    assert(!e || e->d_name[0]);
    pthread_join(t, NULL);
    rewinddir(shared);
    while ((e = readdir(shared)))
        n += visible(e);
    assert(n == 3);
    seekdir(shared, 0);
    assert(telldir(shared) == 0 && dirfd(shared) > 2);
    closedir(shared);
#ifdef AFTER
    readdir(shared);
#endif
    return 0;
}
