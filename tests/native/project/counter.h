#ifndef COUNTER_H
#define COUNTER_H

typedef struct counter counter;

counter *counter_create(void);
void counter_add(counter *, int amount);
int counter_value(counter *);
void counter_destroy(counter *);

#endif
