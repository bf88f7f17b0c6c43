/* For mutants of sleep_tree.c: it is copied into the mutant, with pop_tree.c, which uses it. */
#include "base/vector.h"
#include "core/execution.h"

#define tree_pool_free   MUTANT(tree_pool_free)
#define tree_pool_trim   MUTANT(tree_pool_trim)
#define tree_new         MUTANT(tree_new)
#define tree_copy        MUTANT(tree_copy)
#define tree_release     MUTANT(tree_release)
#define tree_check       MUTANT(tree_check)
#define tree_set_base    MUTANT(tree_set_base)
#define tree_add_value   MUTANT(tree_add_value)
#define tree_add_before  MUTANT(tree_add_before)
#define tree_add_part    MUTANT(tree_add_part)
#define tree_add_item    MUTANT(tree_add_item)
#define tree_add_blocked MUTANT(tree_add_blocked)
#define tree_add_related MUTANT(tree_add_related)
#define tree_add_set     MUTANT(tree_add_set)
#define tree_update      MUTANT(tree_update)
#define tree_advance     MUTANT(tree_advance)
#define tree_forbids     MUTANT(tree_forbids)
#define tree_is_covered  MUTANT(tree_is_covered)

#include "oracle/mutants/pop_tree.h"
