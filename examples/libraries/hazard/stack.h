/* A stack without locks. Who is about to look into a node says so in a hazard pointer; who has
 * popped one frees it when no hazard pointer points to it. */
#ifndef STACK_H
#define STACK_H

#include <stdbool.h>

enum { STACK_THREADS = 2 };

void stack_push(int value);

/* By thread number `self`; false: the stack is empty. */
bool stack_pop(int self, int *value);

/* Frees what the thread has popped and could not free yet. */
void stack_finish(int self);

#endif
