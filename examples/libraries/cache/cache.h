/* A cache of what a slow function returns, under a read-write lock: hits share it. */
#ifndef CACHE_H
#define CACHE_H

typedef struct cache cache;

cache *cache_create(int (*slow)(int key));
void cache_destroy(cache *);

int cache_get(cache *, int key);

/* Keys that are in it. */
int cache_count(cache *);

#endif
