/* Sleep-set trees as bytes, for other processes and for files. */
#ifndef HEDDLE_DPOR_SLEEP_TREE_BYTES_H
#define HEDDLE_DPOR_SLEEP_TREE_BYTES_H

#include "dpor/sleep_tree.h"
#include "explore/names.h"

void tree_encode(const sleep_tree *, name_writer *);

/* A tree with one reference, or NULL if reading fails. */
sleep_tree *tree_decode(tree_pool *, name_reader *);

#endif
