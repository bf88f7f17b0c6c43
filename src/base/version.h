/* The version of heddle: used by --version, the JSON output and the manual page. */
#ifndef HEDDLE_BASE_VERSION_H
#define HEDDLE_BASE_VERSION_H

#define HEDDLE_VERSION "0.1.0"

#endif
