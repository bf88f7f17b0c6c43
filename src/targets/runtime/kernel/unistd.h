/* <unistd.h> without its function `access`: the core has a type of that name. */
#ifndef HEDDLE_TARGETS_RUNTIME_KERNEL_UNISTD_H
#define HEDDLE_TARGETS_RUNTIME_KERNEL_UNISTD_H

#define access access_of_unistd
#include <unistd.h>
#undef access

#endif
