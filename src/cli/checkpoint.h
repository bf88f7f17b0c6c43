/* What is done and what is left of an exploration, as a file: `heddle check --checkpoint` writes it
 * and `--resume` continues with it.
 *
 * It contains what it belongs to, followed by a list of stretches (stretch.h): the words of the
 * command line that affect the result, the program as it was built, and the heddle that wrote it.
 * Work items are meaningless to any other, so a file is refused unless all of these are the same;
 * the message names what differs. The file begins with a line that identifies it, and ends with a
 * checksum. It is always replaced as a whole, never modified. */
#ifndef HEDDLE_CLI_CHECKPOINT_H
#define HEDDLE_CLI_CHECKPOINT_H

#include "base/settings.h"
#include "base/text.h"
#include "cli/stretch.h"
#include "cli/texts.h"

#define CHECKPOINT_BEGINNING "heddle checkpoint 1\n"
#define CHECKPOINT_KIND      "a checkpoint of heddle"

typedef struct checkpoint {
    uint64_t heddle;  /* hash of the executable that wrote it */
    uint64_t program; /* hash of what was explored, as it was built */
    text directory;   /* in which heddle ran */
    text_list words;  /* of the command line, as options_parse keeps them */
    text_list arguments;
    double seconds;       /* that it took so far */
    uint32_t part, parts; /* it is part number `part` of `parts`; 0: it is not a part */
    uint64_t split;       /* identifies the exploration: the same for all its parts */
    bool fresh;           /* nothing of the part has been explored */
    bool resumed;         /* it continues with what a file had; not in files */
    bool restarted;       /* the exploration has started over since it was resumed */
    stretch_list stretches;
} checkpoint;

void checkpoint_free(checkpoint *);

/* A checkpoint with these settings in which nothing is done. */
void checkpoint_begin(checkpoint *, const settings *);

/* Takes the stretches of the other one, and the time that they took. */
void checkpoint_take_over(checkpoint *, checkpoint *);

/* Writes it with these stretches in place of its own. False: `message` says what is wrong. */
bool checkpoint_write(const checkpoint *, const stretch_list *, const char *path, text *message);

/* Reads a file that this heddle has written. False: `message` says what is wrong, and nothing has
 * to be freed. */
bool checkpoint_read(checkpoint *, const char *path, text *message);

/* The same, with the settings that it was made with and those of `given` that do not affect the
 * result. False: `message` says what is wrong, or what differs in `given`. Both have to be freed in
 * any case. The strings of the settings are those of the checkpoint and of `given`. */
bool checkpoint_open(checkpoint *, settings *, const settings *given, const char *path,
                     text *message);

/* Opens the checkpoint and calls the command's function; *status is then the exit status. False:
 * `message` says what is wrong. */
typedef bool checkpoint_use(const settings *given, checkpoint *, settings *, int *status,
                            text *message);

/* Returns the exit status. */
int checkpoint_command(const settings *given, checkpoint_use *);

/* Everything is done; of a part, everything in that part. */
bool checkpoint_is_finished(const checkpoint *);

/* A hash of the program: of what was built at `path` for a C program, else of its text. */
uint64_t checkpoint_hash_program(const settings *, const char *path);

/* Whether the program is the one that was explored; if not, `message` says so. */
bool checkpoint_is_of(const checkpoint *, uint64_t program, text *message);

#endif
