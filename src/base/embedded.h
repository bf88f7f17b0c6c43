/* Files that are part of the executable: a page, a script. Written once and found wherever heddle
 * is installed. `file` is seen from the root of the source tree, where the compiler runs; the
 * Makefile names it as a prerequisite of the object. */
#ifndef HEDDLE_BASE_EMBEDDED_H
#define HEDDLE_BASE_EMBEDDED_H

#define EMBEDDED(name, file)                                                       \
    extern const char name[];                                                      \
    __asm__(".pushsection .rodata\n.global " #name "\n" #name ":\n.incbin \"" file \
            "\"\n.byte 0\n.popsection\n");

#endif
