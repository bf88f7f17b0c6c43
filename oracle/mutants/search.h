/* For mutants of the strategies that are made with search.c and search_sleep.c: they are copied
 * into the mutant under the names that the mutant's macro MUTANT gives. The other headers come
 * first, so that the mutant's own macros, defined after this, do not touch them. */
#include "dpor/comparison.h"
#include "dpor/preference.h"
#include "dpor/race.h"
#include "dpor/reversal.h"
#include "dpor/sleep.h"
#include "dpor/touch.h"
#include "dpor/wakeup.h"
#include "explore/blocked.h"
#include "oracle/mutants/broken.h"

#define search_init           MUTANT(search_init)
#define search_free           MUTANT(search_free)
#define search_choose         MUTANT(search_choose)
#define search_stepped        MUTANT(search_stepped)
#define search_ended          MUTANT(search_ended)
#define search_backtrack      MUTANT(search_backtrack)
#define search_drop_first     MUTANT(search_drop_first)
#define search_consider       MUTANT(search_consider)
#define search_probe          MUTANT(search_probe)
#define search_place          MUTANT(search_place)
#define search_sleep_init     MUTANT(search_sleep_init)
#define search_sleep_free     MUTANT(search_sleep_free)
#define search_sleep_descend  MUTANT(search_sleep_descend)
#define search_sleep_ascend   MUTANT(search_sleep_ascend)
#define search_sleep_skips    MUTANT(search_sleep_skips)
#define search_sleep_start    MUTANT(search_sleep_start)
#define search_sleep_open     MUTANT(search_sleep_open)
#define search_is_redundant   MUTANT(search_is_redundant)
#define search_insert         MUTANT(search_insert)
#define normal_form_init      MUTANT(normal_form_init)
#define normal_form_free      MUTANT(normal_form_free)
#define normal_form_objection MUTANT(normal_form_objection)
#define normal_form_reverse   MUTANT(normal_form_reverse)

#include "dpor/search_sleep.h"
