/* Functions that read files and the standard input. Rows of the table in symbols.h. */
#ifndef HEDDLE_RUNTIME_SYMBOLS_FILES_H
#define HEDDLE_RUNTIME_SYMBOLS_FILES_H

#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

struct stat;

// clang-format off
#define RUNTIME_FILE_SYMBOLS(X) \
    X(open) X(open64) X(openat) X(close) X(read) X(pread) X(pread64) X(lseek) X(lseek64) X(isatty) \
    X(stat) X(stat64) X(fstat) X(fstat64) X(access) X(fopen) X(fopen64) X(fdopen) X(fileno) \
    X(feof) X(ferror) X(clearerr) X(fgetc) X(getc) X(getc_unlocked) X(getchar) \
    X(getchar_unlocked) X(ungetc) X(fread) X(fgets) X(getline) X(getdelim) X(__getdelim) \
    X(ftell) X(ftello) X(ftello64) X(fseek) X(fseeko) X(fseeko64) X(rewind) X(fscanf) \
    X(__isoc99_fscanf) X(scanf) X(__isoc99_scanf) X(umask)
// clang-format on

int heddle_open(const char *, int, ...);
int heddle_open64(const char *, int, ...);
int heddle_openat(int, const char *, int, ...);
int heddle_close(int);
ssize_t heddle_read(int, void *, size_t);
ssize_t heddle_pread(int, void *, size_t, int64_t);
ssize_t heddle_pread64(int, void *, size_t, int64_t);
int64_t heddle_lseek(int, int64_t, int);
int64_t heddle_lseek64(int, int64_t, int);
int heddle_isatty(int);
int heddle_stat(const char *, struct stat *);
int heddle_stat64(const char *, struct stat *);
int heddle_fstat(int, struct stat *);
int heddle_fstat64(int, struct stat *);
int heddle_access(const char *, int);
mode_t heddle_umask(mode_t);

FILE *heddle_fopen(const char *, const char *);
FILE *heddle_fopen64(const char *, const char *);
FILE *heddle_fdopen(int, const char *);
int heddle_fileno(FILE *);
int heddle_feof(FILE *);
int heddle_ferror(FILE *);
void heddle_clearerr(FILE *);
int heddle_fgetc(FILE *);
int heddle_getc(FILE *);
int heddle_getc_unlocked(FILE *);
int heddle_getchar(void);
int heddle_getchar_unlocked(void);
int heddle_ungetc(int, FILE *);
size_t heddle_fread(void *, size_t, size_t, FILE *);
char *heddle_fgets(char *, int, FILE *);
ssize_t heddle_getline(char **, size_t *, FILE *);
ssize_t heddle_getdelim(char **, size_t *, int, FILE *);
ssize_t heddle___getdelim(char **, size_t *, int, FILE *);
long heddle_ftell(FILE *);
int64_t heddle_ftello(FILE *);
int64_t heddle_ftello64(FILE *);
int heddle_fseek(FILE *, long, int);
int heddle_fseeko(FILE *, int64_t, int);
int heddle_fseeko64(FILE *, int64_t, int);
void heddle_rewind(FILE *);
int heddle_fscanf(FILE *, const char *, ...) __attribute__((format(scanf, 2, 3)));
int heddle___isoc99_fscanf(FILE *, const char *, ...) __attribute__((format(scanf, 2, 3)));
int heddle_scanf(const char *, ...) __attribute__((format(scanf, 1, 2)));
int heddle___isoc99_scanf(const char *, ...) __attribute__((format(scanf, 1, 2)));

#endif
