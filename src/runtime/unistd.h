/* <unistd.h> without its function `access`: the core has a type of that name. */
#ifndef HEDDLE_RUNTIME_UNISTD_H
#define HEDDLE_RUNTIME_UNISTD_H

#define access access_of_unistd
#include <unistd.h>
#undef access

#endif
