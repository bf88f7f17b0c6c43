#include "targets/native/attachment.h"

#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

/* The last bytes of a file to which another one is attached. */
typedef struct trailer {
    uint64_t offset; /* where that begins; it ends where this does */
    char magic[8];
} trailer;

static const char magic[8] = {'h', 'e', 'd', 'd', 'l', 'e', '+', '1'};

static bool copy(int from, off_t start, off_t end, int to) {
    while (start < end) {
        ssize_t done = sendfile(to, from, &start, (size_t)(end - start));
        if (done <= 0) {
            return false;
        }
    }
    return true;
}

static off_t size_of(int file) {
    struct stat s;
    return fstat(file, &s) == 0 ? s.st_size : -1;
}

bool attachment_append(const char *output, const char *path) {
    int to = open(output, O_WRONLY | O_CLOEXEC), from = open(path, O_RDONLY | O_CLOEXEC);
    off_t place = to >= 0 ? lseek(to, 0, SEEK_END) : -1, size = from >= 0 ? size_of(from) : -1;
    trailer t = {.offset = (uint64_t)place};
    memcpy(t.magic, magic, sizeof magic);
    bool good = place >= 0 && size >= 0 && copy(from, 0, size, to) &&
                write(to, &t, sizeof t) == (ssize_t)sizeof t;
    if (!good && place >= 0 && ftruncate(to, place) != 0) {
        unlink(output);
    }
    if (from >= 0) {
        close(from);
    }
    return to >= 0 && close(to) == 0 && good;
}

/* Opens the file and finds what is attached to it; -1 if nothing is. */
static int find(const char *path, off_t *start, off_t *end) {
    trailer t;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    *end = file >= 0 ? size_of(file) - (off_t)sizeof t : -1;
    bool found = *end >= 0 && pread(file, &t, sizeof t, *end) == (ssize_t)sizeof t &&
                 memcmp(t.magic, magic, sizeof magic) == 0 && t.offset <= (uint64_t)*end;
    if (!found && file >= 0) {
        close(file);
        file = -1;
    }
    *start = found ? (off_t)t.offset : 0;
    return file;
}

bool attachment_is_there(const char *path) {
    off_t start, end;
    int file = find(path, &start, &end);
    return file >= 0 && close(file) == 0;
}

int64_t attachment_place(const char *path) {
    off_t start, end;
    int file = find(path, &start, &end);
    if (file >= 0) {
        close(file);
        return start;
    }
    struct stat s;
    return stat(path, &s) == 0 ? s.st_size : -1;
}

bool attachment_extract(const char *path, const char *file) {
    off_t start, end;
    int from = find(path, &start, &end);
    if (from < 0) {
        return false;
    }
    int to = open(file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    bool good = to >= 0 && copy(from, start, end, to);
    close(from);
    return to >= 0 && close(to) == 0 && good;
}

/* There was no loader: nothing is relocated, and no function of libc can be called. The executable
 * that is attached is copied to memory and run from there, in this process, with the name of this
 * file in its environment (<heddle/check.h>). */
const char attachment_entry[] =
    "#include <sys/syscall.h>\n"
    "enum { ENTRY_HERE = -100, ENTRY_EMPTY_PATH = 0x1000, ENTRY_NAME = 4200, ENTRY_MOST = 4000 };\n"
    "static long entry_call(long number, long a, long b, long c, long d, long e) {\n"
    "#ifdef __x86_64__\n"
    "    register long r10 __asm__(\"r10\") = d, r8 __asm__(\"r8\") = e;\n"
    "    __asm__ volatile(\"syscall\" : \"+a\"(number) : \"D\"(a), \"S\"(b), \"d\"(c), "
    "\"r\"(r10),\n"
    "        \"r\"(r8) : \"rcx\", \"r11\", \"memory\");\n"
    "    return number;\n"
    "#else\n"
    "    register long x8 __asm__(\"x8\") = number, x0 __asm__(\"x0\") = a, x1 __asm__(\"x1\") = "
    "b;\n"
    "    register long x2 __asm__(\"x2\") = c, x3 __asm__(\"x3\") = d, x4 __asm__(\"x4\") = e;\n"
    "    __asm__ volatile(\"svc 0\" : \"+r\"(x0) : \"r\"(x8), \"r\"(x1), \"r\"(x2), \"r\"(x3),\n"
    "        \"r\"(x4) : \"memory\");\n"
    "    return x0;\n"
    "#endif\n"
    "}\n"
    "static int entry_begins(const char *text, const char *with) {\n"
    "    while (*with && *text == *with) { text++, with++; }\n"
    "    return !*with;\n"
    "}\n"
    "static void entry_run(long file, char **arguments, char **variables) {\n"
    "    static const char start[] = \"HEDDLE_PROGRAM=\";\n"
    "    char name[ENTRY_NAME], *changed[ENTRY_MOST + 2];\n"
    "    int count = 0, known = 0;\n"
    "    for (; variables[count] && count < ENTRY_MOST; count++) {\n"
    "        known = known || entry_begins(variables[count], start);\n"
    "        changed[count] = variables[count];\n"
    "    }\n"
    "    for (unsigned i = 0; i + 1 < sizeof start; i++) { name[i] = start[i]; }\n"
    "    long length = entry_call(SYS_readlinkat, ENTRY_HERE, (long)\"/proc/self/exe\",\n"
    "        (long)(name + sizeof start - 1), sizeof name - sizeof start, 0);\n"
    "    if (length > 0 && !known) {\n"
    "        name[sizeof start - 1 + length] = '\\0';\n"
    "        changed[count++] = name;\n"
    "    }\n"
    "    changed[count] = 0;\n"
    "    entry_call(SYS_execveat, file, (long)\"\", (long)arguments, (long)changed,\n"
    "        ENTRY_EMPTY_PATH);\n"
    "}\n"
    "__attribute__((used, noreturn)) static void heddle_entry_at(long *stack) {\n"
    "    static const char words[] = \"heddle: this program was linked by heddle cc; \"\n"
    "        \"run it with: heddle check PROGRAM\\n\";\n"
    "    struct { unsigned long offset; char magic[8]; } trailer;\n"
    "    char **arguments = (char **)(stack + 1);\n"
    "    long file = entry_call(SYS_openat, ENTRY_HERE, (long)\"/proc/self/exe\", 0, 0, 0);\n"
    "    long end = entry_call(SYS_lseek, file, -(long)sizeof trailer, 2, 0, 0);\n"
    "    if (entry_call(SYS_read, file, (long)&trailer, sizeof trailer, 0, 0) == sizeof trailer "
    "&&\n"
    "        entry_begins(trailer.magic, \"heddle+\")) {\n"
    "        long copy = entry_call(SYS_memfd_create, (long)\"program\", 1, 0, 0, 0);\n"
    "        long at = (long)trailer.offset, done = 1;\n"
    "        while (done > 0 && at < end) {\n"
    "            done = entry_call(SYS_sendfile, copy, file, (long)&at, end - at, 0);\n"
    "        }\n"
    "        entry_run(copy, arguments, arguments + stack[0] + 1);\n"
    "    }\n"
    "    entry_call(SYS_write, 2, (long)words, sizeof words - 1, 0, 0);\n"
    "    for (;;) { entry_call(SYS_exit_group, 2, 0, 0, 0, 0); }\n"
    "}\n"
    "#ifdef __x86_64__\n"
    "__asm__(\".globl heddle_entry\\n.type heddle_entry, %function\\nheddle_entry:\\n\"\n"
    "    \"\\tmovq %rsp, %rdi\\n\\tandq $-16, %rsp\\n\\tcall heddle_entry_at\\n\");\n"
    "#else\n"
    "__asm__(\".globl heddle_entry\\n.type heddle_entry, %function\\nheddle_entry:\\n\"\n"
    "    \"\\tmov x0, sp\\n\\tbl heddle_entry_at\\n\");\n"
    "#endif\n";
