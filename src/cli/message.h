/* Messages on standard error, all of which begin with "heddle: ". */
#ifndef HEDDLE_CLI_MESSAGE_H
#define HEDDLE_CLI_MESSAGE_H

/* Prints a line and returns the exit status for wrong usage, so that `return usage_error(…)`. */
int usage_error(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
