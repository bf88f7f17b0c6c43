/* getopt, whose variables are the program's: what a call is given, as the code in libc/getopt.def
 * declares it as well. */
#ifndef HEDDLE_TARGETS_RUNTIME_LIBC_GETOPT_H
#define HEDDLE_TARGETS_RUNTIME_LIBC_GETOPT_H

#include <getopt.h>
#include <stdbool.h>

/* Between two calls. Arguments that are no options and were passed are the ones from first_other to
 * end_other; they go after the options. */
typedef struct getopt_state {
    int begun;
    int position; /* in a group of letters; 0: none */
    int first_other, end_other;
} getopt_state;

typedef struct getopt_call {
    int argc;
    char **argv;
    const char *options;
    const struct option *names; /* NULL: of single letters only */
    int *name_index;
    bool only_names; /* a name may begin with one '-' */
    bool in_order;   /* the first argument that is no option is the end */

    int *index, *error, *option; /* optind, opterr, optopt */
    char **argument;             /* optarg */
    getopt_state *state;
} getopt_call;

#endif
