/* Work items as bytes, for other processes and for files: the items with their ancestors, each
 * written once, and of the ancestors only what the items need. */
#ifndef HEDDLE_DPOR_POP_POP_BYTES_H
#define HEDDLE_DPOR_POP_POP_BYTES_H

#include "dpor/pop/pop_item.h"
#include "explore/names.h"

/* Before the call, item_keep must have stored what the items share with runs that are not
 * finished. */
void items_encode(work_item *const *items, uint32_t count, name_writer *);

/* Appends the items to the list, in the same order. If reading fails, it appends none. */
void items_decode(item_pool *, name_reader *, item_list *);

#endif
