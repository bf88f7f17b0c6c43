/* What is done and what is left of an exploration, as a file: `heddle check --checkpoint` writes it
 * and `--resume` continues with it.
 *
 * It is a list of stretches (stretch.h) after what it belongs to: the words of the command line
 * that matter for the result, the program as it was built, and the heddle that wrote it. Items of
 * work have no meaning to anybody else, so a file is refused unless all of that is the same; what
 * differs is named. The file begins with a line that says what it is, and ends with a checksum. It
 * is replaced by a new one as a whole, never changed. */
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
    uint32_t part, parts; /* it is part number `part` of so many; 0: it is no part */
    uint64_t split;       /* the same for all parts of one exploration, and only for them */
    bool resumed;         /* it continues with what a file had; not in files */
    bool restarted;       /* everything was begun again since it was resumed */
    stretch_list stretches;
} checkpoint;

void checkpoint_free(checkpoint *);

/* What is to be explored with these settings; nothing is done. */
void checkpoint_begin(checkpoint *, const settings *);

/* The stretches of the other one, and how long they took. */
void checkpoint_take_over(checkpoint *, checkpoint *);

/* With these stretches in place of its own. False: `message` says what is wrong. */
bool checkpoint_write(const checkpoint *, const stretch_list *, const char *path, text *message);

/* Of a file that this heddle has written. False: `message` says what is wrong, and nothing is to be
 * freed. */
bool checkpoint_read(checkpoint *, const char *path, text *message);

/* The same together with the settings that it was made with and those of `given` that do not matter
 * for the result. False: `message` says what is wrong, or what `given` wants that is something
 * else. Both are to be freed in any case. The strings of the settings are those of the checkpoint
 * and of `given`. */
bool checkpoint_open(checkpoint *, settings *, const settings *given, const char *path,
                     text *message);

/* Opens the checkpoint and does with it what a command is for; *status is then the exit status.
 * False: `message` says what is wrong. */
typedef bool checkpoint_use(const settings *given, checkpoint *, settings *, int *status,
                            text *message);

/* Returns the exit status. */
int checkpoint_command(const settings *given, checkpoint_use *);

/* Everything is done, as far as it was split. */
bool checkpoint_is_finished(const checkpoint *);

/* What was built at `path` of a C program, or is explored as it stands. */
uint64_t checkpoint_hash_program(const settings *, const char *path);

/* Whether the program is the one that was explored; if not, `message` says so. */
bool checkpoint_is_of(const checkpoint *, uint64_t program, text *message);

#endif
