/* The registers of x86-64, each with all its names: a general one has those of the whole, of its
 * lower half, of its lowest two bytes, and of single bytes. */
#ifndef HEDDLE_TARGETS_NATIVE_REGISTERS_H
#define HEDDLE_TARGETS_NATIVE_REGISTERS_H

#include <stdbool.h>

#define REGISTERS(LETTERED, INDEXED, NUMBERED, VECTOR) \
    LETTERED(RAX, "a")                                 \
    LETTERED(RBX, "b")                                 \
    LETTERED(RCX, "c")                                 \
    LETTERED(RDX, "d")                                 \
    INDEXED(RSI, "si")                                 \
    INDEXED(RDI, "di")                                 \
    INDEXED(RBP, "bp")                                 \
    INDEXED(RSP, "sp")                                 \
    NUMBERED(R8, "r8")                                 \
    NUMBERED(R9, "r9")                                 \
    NUMBERED(R10, "r10")                               \
    NUMBERED(R11, "r11")                               \
    NUMBERED(R12, "r12")                               \
    NUMBERED(R13, "r13")                               \
    NUMBERED(R14, "r14")                               \
    NUMBERED(R15, "r15")                               \
    VECTOR(XMM0, "xmm0")                               \
    VECTOR(XMM1, "xmm1")                               \
    VECTOR(XMM2, "xmm2")                               \
    VECTOR(XMM3, "xmm3")                               \
    VECTOR(XMM4, "xmm4")                               \
    VECTOR(XMM5, "xmm5")                               \
    VECTOR(XMM6, "xmm6")                               \
    VECTOR(XMM7, "xmm7")                               \
    VECTOR(XMM8, "xmm8")                               \
    VECTOR(XMM9, "xmm9")                               \
    VECTOR(XMM10, "xmm10")                             \
    VECTOR(XMM11, "xmm11")                             \
    VECTOR(XMM12, "xmm12")                             \
    VECTOR(XMM13, "xmm13")                             \
    VECTOR(XMM14, "xmm14")                             \
    VECTOR(XMM15, "xmm15")

#define REGISTER_ENUM(name, letters) REGISTER_##name,
enum register_number {
    REGISTERS(REGISTER_ENUM, REGISTER_ENUM, REGISTER_ENUM, REGISTER_ENUM) REGISTER_COUNT
};
#undef REGISTER_ENUM

/* The text begins with a name of (part of) the register. */
bool register_starts(const char *text, enum register_number);

/* The text is the name of the whole general register or of its lower half. */
bool register_is_wide(const char *text, enum register_number);

/* Some register, or part of it, of the operands, "8(%rsp), %eax", is this one. */
bool register_in(const char *operands, enum register_number);

/* The instruction that makes it zero. */
const char *register_clear(enum register_number);

#endif
