/* The version of heddle: --version, the JSON output and the manual page have it from here. */
#ifndef HEDDLE_BASE_VERSION_H
#define HEDDLE_BASE_VERSION_H

#define HEDDLE_VERSION "0.1.0"

#endif
