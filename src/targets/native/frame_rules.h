/* The layout of the frames of heddle's own functions on a stack
 * (targets/runtime/memory/own_frames.h), from the unwind tables in heddle's own file. On x86-64
 * only. */
#ifndef HEDDLE_TARGETS_NATIVE_FRAME_RULES_H
#define HEDDLE_TARGETS_NATIVE_FRAME_RULES_H

/* The tables are read when they are first needed. */
void frame_rules_open(void);
void frame_rules_close(void);

#endif
