/* All mutants: name (of the file here, and of the symbol mutant_NAME), the strategy whose promises
 * it breaks, and the fault. */
#ifndef HEDDLE_ORACLE_MUTANTS_LIST_H
#define HEDDLE_ORACLE_MUTANTS_LIST_H

#define MUTANTS(X)                                                                                 \
    X(optimal_sleep_not_asked, "optimal", "line 6: the sleep set is not asked before inserting")   \
    X(optimal_sleep_forever, "optimal", "a sleeping step is not woken by what conflicts with it")  \
    X(optimal_no_sleep, "optimal", "what was explored does not go to sleep")                       \
    X(optimal_reads_ignored, "optimal", "reads take no part in races")                             \
    X(optimal_types_kept, "optimal", "a step is not asked for again in its new place")             \
    X(optimal_varying_dropped, "optimal", "steps that depend on the state are never reversed")     \
    X(optimal_locks_as_writes, "optimal", "an unlock is reversed with the lock that it enables")   \
    X(optimal_causes_ignored, "optimal", "a step is planned before what causes it")                \
    X(optimal_first_alternative, "optimal", "only the first alternative of a choice is explored")  \
    X(optimal_tree_not_followed, "optimal", "a sequence is inserted without following the tree")   \
    X(optimal_tree_stops_early, "optimal", "any node of the tree covers a sequence, not a leaf")   \
    X(optimal_one_step, "optimal", "only the first step of a sequence is inserted")                \
    X(optimal_blocked_ignored, "optimal", "threads blocked at the end take no part in races")      \
    X(optimal_initials_only, "optimal", "initials instead of weak initials")                       \
    X(optimal_clock_without_causes, "optimal",                                                     \
      "a reversed step does not come after what causes it")                                        \
    X(optimal_first_access_only, "optimal", "an atomic section races by one of its accesses only") \
    X(optimal_sleepers_read, "optimal", "a sleeping write is woken by writes only")                \
    X(optimal_inits_pass, "optimal", "a lock is never tried before its mutex is initialised")      \
    X(optimal_readers_stay, "optimal",                                                             \
      "a writer that readers hold up is reversed with none of them")                               \
    X(pop_supplies_hold, "pop", "a semaphore's wait never comes before the post that it took")     \
    X(pop_refusals_cover, "pop", "an event that a step cannot precede covers earlier ones")        \
    X(pop_acquisition_sleeps, "pop", "an acquisition for reading has a tree")                      \
    X(source_blocked_nearest, "source", "a step that blocks races with the nearest event only")    \
    X(pop_never_stale, "pop", "every race is taken to be fresh")                                   \
    X(pop_base_only, "pop", "what conflicts with the second event is not in its past")             \
    X(pop_past_too_large, "pop", "the schedule contains what happens after the first event")       \
    X(pop_trees_ignored, "pop", "the sleep-set trees forbid nothing")                              \
    X(pop_inherited_as_stored, "pop", "inherited trees have not seen the schedule (P6)")           \
    X(pop_related_empty, "pop", "R starts without the head of the schedule (P2)")                  \
    X(pop_items_lost, "pop", "trees have no items (B1)")                                           \
    X(pop_values_forgotten, "pop", "compare-and-swaps are not re-evaluated after the base")        \
    X(pop_types_kept, "pop", "a step is not asked for again in its new place")                     \
    X(pop_first_alternative, "pop", "only the first alternative of a choice is explored")          \
    X(pop_latest_race_only, "pop", "only the latest race of a step is reversed")                   \
    X(pop_blocked_ignored, "pop", "threads blocked at the end take no part in races")              \
    X(pop_cas_tree_dropped, "pop", "the tree of a successful compare-and-swap is dropped (B4)")    \
    X(pop_tree_not_closed, "pop", "the second event of a race is not in its tree (P4)")            \
    X(pop_timeouts_ignored, "pop", "a waking does not race with the time-out that it prevents")    \
    X(pop_blocks_after_related, "pop", "what happens after an event of R is forbidden (P1)")       \
    X(pop_related_grows_rarely, "pop", "not every related event joins R (P3)")                     \
    X(pop_head_not_closing, "pop", "a head that is reversed again is not in its tree (P4)")        \
    X(pop_inherited_after_head, "pop", "k <= i in Proposition 1 (C) (P5)")                         \
    X(pop_inner_discarded, "pop", "a write discards expressions that contain its variable (P7)")   \
    X(pop_spins_open, "pop", "trees take steps of spin loops to be possible anywhere")             \
    X(pop_writes_sleep, "pop", "heads that overwrite the base have trees as well (B3)")            \
    X(pop_all_covered, "pop", "a new tree takes the place of all that sleep and only read")        \
    X(pop_bytes_awake, "pop", "work as bytes loses the sleeping trees")                            \
    X(pop_bytes_choices_lost, "pop", "work as bytes has only first alternatives")                  \
    X(pop_bytes_marks_lost, "pop", "work as bytes forgets which steps are in schedules")           \
    X(pop_bytes_sets_lost, "pop", "work as bytes has trees with empty sets")                       \
    X(observers_literal_line_8, "observers", "an observed race is reversed without its observer")  \
    X(observers_ends_ignored, "observers", "a watched step at the end of a sequence is forgotten") \
    X(observers_all_ordered, "observers", "writes are ordered whether observed or not")            \
    X(observers_wide_steps_cut, "observers", "of what a step writes, only 64 cells are compared")  \
    X(observers_mail_unordered, "observers", "sends to one mailbox are never reversed")            \
    X(context_all_commute, "context", "orders commute if they can be run")                         \
    X(context_order_changes, "context", "the order of a pair is not settled for the whole search") \
    X(context_nothing_left_out, "context",                                                         \
      "a step not allowed after all of notdep(e,E) is given up")                                   \
    X(context_types_kept, "context", "steps that vary are reversed where they conflict already")   \
    X(context_source_weak_initials, "context-source", "weak initials cover a sequence")            \
    X(source_last_race_only, "source", "only the latest race of a step is reversed")               \
    X(source_blocked_ignored, "source", "blocked threads take no part in races")                   \
    X(source_sleep_forever, "source", "a sleeping step is not woken by what conflicts with it")    \
    X(source_first_alternative, "source", "only the first alternative of a choice is explored")    \
    X(source_types_kept, "source", "a step is not asked for again in its new place")               \
    X(source_sleeps_with_all_choices, "source",                                                    \
      "a thread sleeps as soon as one of its alternatives does")                                   \
    X(source_inits_pass, "source", "a lock is never tried before its mutex is initialised")        \
    X(source_await_nearest, "source", "an await is reversed with the nearest write only")          \
    X(classic_reads_ignored, "classic", "reads take no part in races")                             \
    X(classic_locks_as_writes, "classic", "locks race like writes")                                \
    X(graph_maximal_ignored, "graph", "events that read something old are removed as well")        \
    X(graph_frozen_ignored, "graph", "what was revisited is removed as well")                      \
    X(graph_prefix_left_out, "graph",                                                              \
      "what comes before the write is ignored (Previous without P)")                               \
    X(graph_read_not_tested, "graph", "the read that is revisited need not be maximal")            \
    X(graph_nearest_revisit_only, "graph", "a write is read by the youngest read alone")           \
    X(graph_readers_forgotten, "graph", "what was read before does not matter for coherence")      \
    X(graph_writes_forgotten, "graph", "what was written before does not matter for coherence")    \
    X(graph_updates_separated, "graph",                                                            \
      "a write may come between a read-modify-write and what it read")                             \
    X(graph_update_taken, "graph", "no read-modify-write reads what another one read")             \
    X(graph_cycles_allowed, "graph", "no order of all accesses is asked for (SC, TSO)")            \
    X(graph_tso_as_sc, "graph", "on TSO no read comes before an earlier write")                    \
    X(graph_seq_cst_ignored, "graph", "seq_cst means acquire and release (RC11)")                  \
    X(graph_release_ignored, "graph", "release writes and fences release nothing")                 \
    X(graph_acquire_ignored, "graph", "acquire fences acquire nothing")                            \
    X(graph_lives_give_way, "graph", "a lock gives way to every operation of its mutex")           \
    X(graph_spins_leave, "graph", "a read in a spin loop continues with every write")              \
    X(graph_polls_unasked, "graph", "a lock that polls is not asked when it comes")                \
    X(graph_waiting_locks_lost, "graph", "a lock that waits forever could not have come first")    \
    X(none_repeats, "none", "a step is explored twice from the same prefix")                       \
    X(none_forgets, "none", "the last alternative of a choice is left out")

/* The same of race detectors (targets/abstract/interpreter_race.h), with the kind of programs that
 * show the fault. */
#define RACE_MUTANTS(X)                                                                            \
    X(races_one_reader, "optimal", "plain", "of the reads of a cell only the latest is kept")      \
    X(races_release_lost, "optimal", "plain", "an unlock does not pass on what its thread knows")  \
    X(races_range_short, "optimal", "ranges", "of a range only the first cell is announced")       \
    X(races_not_promoted, "optimal", "plain", "what races is reported and stays in passing")       \
    X(races_atomic_passed_over, "optimal", "plain", "atomic accesses do not race with plain ones") \
    X(races_relaxed_acquires, "graph", "weakplain", "a relaxed read acquires (RC11)")

/* Of spin loops. */
#define SPIN_MUTANTS(X)                                                                       \
    X(spins_effects_ignored, "optimal", "a step that changes something does not end a round") \
    X(spins_races_as_before, "optimal", "steps that wait in spin loops race like any others") \
    X(spins_all_real, "optimal", "a thread that waits in a spin loop repeats it forever")     \
    X(spins_by_place, "optimal", "local states are the same if the place is")

/* Those that few programs catch, and of the programs of seed 1 the first one that does. A hunt with
 * that seed begins with it; if it no longer catches the mutant, with the first program. */
#define RARE_SEED 1
#define RARE_MUTANTS(X)              \
    X(optimal_readers_stay, 784)     \
    X(pop_inherited_as_stored, 222)  \
    X(pop_bytes_sets_lost, 872)      \
    X(observers_wide_steps_cut, 210) \
    X(context_types_kept, 2685)      \
    X(graph_seq_cst_ignored, 165)    \
    X(graph_acquire_ignored, 1144)   \
    X(graph_lives_give_way, 56)      \
    X(graph_waiting_locks_lost, 560) \
    X(races_atomic_passed_over, 218) \
    X(races_relaxed_acquires, 1205)

#endif
