#!/bin/bash
# Broken versions of the race detector of C programs must be caught: its sources are compiled again
# with one thing replaced, linked with the rest of heddle, and judge programs.c wrongly. Only the
# release build is broken: it is its objects that the rest is taken from.
. "$(dirname "$0")/../library.sh"

build=$(dirname "$heddle")
[ "$build" = "$root/build" ] || exit 0
programs_c=$root/tests/native/detector/programs.c

# name, what is right (0: verified, 1: a bug), options
programs="
READERS 1
READ_AFTER_WRITE 1
WRITE_AFTER_READ 1
LOCKED 0
AFTER_UNLOCK 1
SEQUENCE 0
RELAXED 1
SIZES 0
SIZES_BACK 0
SIZES_GO_ON 0
SIZES_LOST 1
MIXED 1
MIXED_BACK 1
NEIGHBOURS 0
LAST_BYTES 1
RANGE 1
AGAIN 1
STREAK 1
STREAK_ENDS 0
STREAK_GOES_ON 1
STREAK_BACK 0
STREAK_ATOMIC 0
STREAK_WRITES 1
STREAK_READS 0
STREAK_BEYOND 1
STREAK_BEYOND_WIDE 1
LOST 1 --no-race-check
STALE 1 --no-race-check
CREATOR 1
JOINED 0
"

# judges HEDDLE: the names of the programs that it judges wrongly, up to the first.
judges() {
    local name right options status
    while read -r name right options; do
        [ -n "$name" ] || continue
        status=0
        "$1" check --quiet -j 1 $options "./$name" > out 2> err < /dev/null || status=$?
        [ "$status" = "$right" ] || { echo "$name"; return; }
    done <<< "$programs"
}

while read -r name _; do
    [ -z "$name" ] || expect 0 "$heddle" cc "-D$name" -o "$name" "$programs_c"
done <<< "$programs"
wrong=$(judges "$heddle")
[ -z "$wrong" ] || fail "heddle itself judges $wrong wrongly"

# mutant NAME FILE SCRIPT [SOURCE]: FILE of src/targets/runtime after sed's SCRIPT, which must change
# it; of a header, as SOURCE has it.
mutant() {
    local name=$1 file=src/targets/runtime/$2 source=src/targets/runtime/${4:-$2} wrong
    last="mutant $name"
    rm -rf src
    mkdir -p "$(dirname "$file")"
    sed -E "$3" "$root/$file" > "$file"
    ! cmp -s "$root/$file" "$file" || fail "$name is no longer a mutant: sed has changed nothing"
    [ -e "$source" ] || source=$root/$source
    expect 0 gcc -std=gnu11 -O1 -w -Isrc -I"$root/src" -I"$root/include" -I"$root" -c -o mutant.o "$source"
    expect 0 gcc -Wl,-S,--dynamic-list="$root/src/targets/runtime/kernel/exports.list" -o mutant \
        mutant.o "$build/obj/src/cli/main.o" "$build/libheddle.a" -lm -ldw -lelf -ldl
    wrong=$(judges ./mutant)
    [ -n "$wrong" ] || fail "the mutant $name judges all programs rightly"
    echo "$name: caught by $wrong"
}

# What is kept of accesses, and what is compared.
mutant no_read_sets race/plain.c '/^static inline uint32_t rest_of_read/a\
    if (history \&\& !is_write(vector_at(\&race.records, history).access)) {\
        history = vector_at(\&race.records, history).next;\
    }'
mutant reads_unchecked race/plain.c 's/is_write\(r->access \| latest->access\)/is_write(latest->access)/'
mutant reads_forgotten race/plain.c 's/is_write\(r->access \| latest->access\)/is_write(r->access)/'
mutant bytes_ignored race/plain.c 's/\(plain_bytes\(r->access\) & plain_bytes\(latest->access\)\)/1/'
mutant atomics_forgotten race/atomic.c 's/slot->time\[write\] > clock\[i\]/0/'
mutant atomics_unchecked race/atomic.c 's/unlikely\(s->histories\[0\] \| s->histories\[1\]\)/0/'
mutant known_forever kernel/access.h 's/ && known->stretch == runtime.stretch//' kernel/tsan.c
mutant ranges_too_short race/plain.c 's/uintptr_t end = address \+ size;/uintptr_t end = address + 1;/'
mutant frees_too_short kernel/access_free.c 's/wide \? HEAP_LIFE_BYTES : block->size,/1,/'

# Streaks.
mutant streak_unchanged kernel/streak.h 's/memcpy\(at, &s->is, size\);//' kernel/tsan.c
mutant streak_too_early kernel/streak.c '/race_note_words\(words/a\
        for (uint32_t i = 0; i < (end - low) / HALF_SIZE; i++) words[i] = alike->after;'
mutant streak_forever kernel/streak.h 's/s->stretch != runtime.stretch \|\|//' kernel/tsan.c
mutant streak_modes_mixed kernel/streak.h 's/streaks\[mode != ACCESS_READ\]/streaks[0]/' libc/scan.c
mutant streak_unlogged kernel/streak.c 's/undo_log_bytes\(low, end - low\);//'
mutant streak_unnoted kernel/streak.c 's/^ *race_note_words\(.*\);//'
mutant streak_beyond kernel/streak.c 's/live_until\(low, most\);/most;/'
mutant streak_beyond_wide kernel/streak.c 's/high \? granules_down\(high\)/high ? most/'

# Sizes.
mutant sizes_apart race/atomic.c 's/unlikely\(s->cell.mixed\)/0/'
mutant bytes_kept race/atomic.c 's/other->current &= .*;//'
mutant sequences_apart race/atomic.c 's/modifies && other->released/0/'

# Clocks.
mutant release_not_joined race/clocks.c '/^void race_release\(/,/^}/ s/race_copy_row\(.*\);//'
mutant release_without_tick race/clocks.c '/^void race_release\(/,/^}/ s/race_tick\(t\);//'
mutant acquire_not_joined race/clocks.c '/^void race_acquire\(/,/^}/ s/race_join_rows\(.*\);//'
mutant join_not_joined race/clocks.c '/^void race_join\(/,/^}/ s/race_join_rows\(.*\);//'
mutant creation_not_joined race/clocks.c '/^void race_thread\(/,/^}/ s/race_copy_row\(.*\);//'
mutant creation_without_tick race/clocks.c '/^void race_thread\(/,/^}/ s/race_tick\(creator\);//'
mutant updates_replace race/atomic.c 's/race_join_rows\(c->clock, source\)/race_copy_row(c->clock, source)/'
mutant relaxed_releases race/atomic.c 's/likely\(releases\(order\)\) \? t->clock : t->release_clock/t->clock/'

# Promotion of the places that race.
mutant promotion_forgotten kernel/passing.c '/^void passing_promote\(/a\
    return;'
mutant other_place_forgotten race/race.c 's/passing_promote\(other->location\);//'
