/* What a mutant puts in the place of something right. If the source no longer uses that, the
 * mutant has lost its fault: it still compiles, and shows as one that escapes. */
#ifndef HEDDLE_ORACLE_MUTANTS_BROKEN_H
#define HEDDLE_ORACLE_MUTANTS_BROKEN_H

#define BROKEN __attribute__((unused)) static

#endif
