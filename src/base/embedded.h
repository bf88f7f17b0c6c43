/* Files that are part of the executable: a page, a script. They need not be installed. `file` is
 * relative to the root of the source tree, where the compiler runs; the Makefile names it as a
 * prerequisite of the object. */
#ifndef HEDDLE_BASE_EMBEDDED_H
#define HEDDLE_BASE_EMBEDDED_H

#define EMBEDDED(name, file)                                                       \
    extern const char name[], name##_end[];                                        \
    __asm__(".pushsection .rodata\n.global " #name "\n" #name ":\n.incbin \"" file \
            "\"\n.global " #name "_end\n" #name "_end:\n.byte 0\n.popsection\n");

#endif
