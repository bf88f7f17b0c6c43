/* The state of a build; shared by the files that build a program. */
#ifndef HEDDLE_TARGETS_NATIVE_BUILDING_H
#define HEDDLE_TARGETS_NATIVE_BUILDING_H

#include "base/settings.h"
#include "base/vector.h"
#include "targets/native/command.h"
#include "targets/native/compile.h"
#include "targets/native/native.h"
#include "targets/native/objects.h"

/* A private copy. */
typedef struct program_object {
    char path[NATIVE_PATH_SIZE];
    char input[NATIVE_PATH_SIZE]; /* what the user named */
    bool given;                   /* compiled before */
    bool by_flag;                 /* -lNAME */
    bool whole;                   /* an archive of which all members are linked */
    compilation compilation;      /* otherwise */
} program_object;

typedef struct building {
    const settings *settings;
    const char *directory;
    char *message;
    VECTOR(program_object *) objects;
    object_symbols symbols;
    string_list flags;   /* for the compiler */
    bool defines_inline; /* functions that are only inline have definitions */
    bool takes_shared;   /* objects of shared libraries, which may define the same names */
} building;

/* Adds the object to a command that links: its private copy, or what the user named. */
void building_add_object(command *, const program_object *, const char *path);

/* Gives the message; false. */
__attribute__((format(printf, 2, 3))) bool building_fail(building *, const char *format, ...);

#endif
