/* The exit statuses of heddle, defined only here. */
#ifndef HEDDLE_BASE_EXIT_STATUS_H
#define HEDDLE_BASE_EXIT_STATUS_H

/*    name            status  meaning, for --help and the manual */
#define EXIT_STATUSES(X)                                                                      \
    X(EXIT_VERIFIED, 0, "every execution (or every one of a part) was explored; no error")    \
    X(EXIT_BUG, 1, "an error was found")                                                      \
    X(EXIT_USAGE, 2, "wrong usage, a file that cannot be read or built, an unsupported call") \
    X(EXIT_INCOMPLETE, 3,                                                                     \
      "no error found, but a limit or an interruption cut the exploration short")             \
    X(EXIT_INTERNAL, 70, "an internal error of heddle")

#define EXIT_STATUS_ENUM(name, status, meaning) name = status,
enum exit_status { EXIT_STATUSES(EXIT_STATUS_ENUM) };
#undef EXIT_STATUS_ENUM

#endif
