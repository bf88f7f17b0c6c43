/* The tree of an exploration's work: which execution left which pieces, and how long each took.
 *
 * Executions are numbered in the order in which one worker runs them. It takes the piece that was
 * left last, so that order is the tree's: the first child of execution k is k + 1, and the next
 * child comes after all that stems from the first. How many children each has is therefore all
 * there is to know. */
#ifndef HEDDLE_BENCH_SCALING_ITEM_TREE_H
#define HEDDLE_BENCH_SCALING_ITEM_TREE_H

#include "base/settings.h"
#include "base/vector.h"

typedef struct tree_node {
    uint32_t children;
    uint32_t steps; /* of the program, with those that were taken to come back to a place */
} tree_node;

typedef struct item_tree {
    VECTOR(tree_node) nodes;
    uint64_t steps;       /* of all */
    double seconds;       /* of the processor, without what follows */
    uint64_t items_moved; /* that became bytes and items again, for the measurement, */
    double move_seconds;  /* which took so long, */
    uint64_t move_bytes;  /* and so many bytes */
} item_tree;

/* Explores the program to its end. False: a message was printed. */
bool item_tree_record(item_tree *, const settings *);
void item_tree_free(item_tree *);

#endif
