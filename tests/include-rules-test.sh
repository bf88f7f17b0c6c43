#!/bin/bash
# Every row of the table of include rules is enforced: a copy of the repository has a violation of
# each, and each must be named.
. "$(dirname "$0")/library.sh"

mkdir copy
cp -r "$root"/{src,oracle,bench,lib} copy
rules() { "$root/tests/include-rules.sh" "$PWD/copy"; }
expect 0 rules

# violate FILE LINE MESSAGE: FILE gets the LINE, which is refused so.
expected=()
violate() {
    echo "$2" >> "copy/$1"
    expected+=("^$1$3")
}

# plant FILE HEADER: FILE includes HEADER.
plant() { violate "$1" "#include \"$2\"" ": may not include $2"; }

plant src/base/memory.c core/clock.h
plant src/core/execution.c explore/target.h
plant src/explore/exploration.c dpor/registry.h
plant src/dpor/optimal.c report/writers/style.h
plant src/dpor/optimal.c dpor/pop/pop_item.h
plant src/dpor/context/context_source.c dpor/pop/pop.h
plant src/dpor/backtracking.c dpor/observers/observed_check.h
plant src/report/writers/style.c targets/abstract/program.h
plant src/targets/abstract/interpreter.c core/execution.h
plant src/targets/native/native.c core/execution.h
plant src/targets/runtime/kernel/runtime.c targets/native/native.h
plant src/targets/runtime/kernel/runtime.c explore/exploration.h
plant src/supervise/wire.c cli/team.h
plant src/mpi/relay.c cli/team.h
plant oracle/mutants/races_one_reader.c cli/file.h
plant oracle/differ.c core/execution.h
plant oracle/trace.c core/footprint.h
plant oracle/machine.h targets/abstract/interpreter.h
plant oracle/observed.c oracle/recorder.h
plant oracle/recorder.c core/execution.h
plant oracle/generator.c dpor/registry.h
plant bench/main.c targets/abstract/program.h
plant bench/measure.c dpor/pop/pop.h
plant lib/actor.c cli/file.h
plant lib/actor.c base/vector.h
plant src/core/execution.c ../src/explore/target.h

# Everything that docs/ARCHITECTURE.md counts among the half of the oracle that judges.
judges=$(sed -n 's/.*the half that judges (\([^)]*\)).*/\1/p' "$root/docs/ARCHITECTURE.md" | tr -d '`,')
[ -n "$judges" ] || fail "docs/ARCHITECTURE.md: no list of the half that judges"
for judge in $judges; do
    for file in "$root"/oracle/$judge.[ch]; do
        [[ $file == *_test.c || ! -e $file ]] || plant "oracle/${file##*/}" explore/target.h
    done
done

# Angle brackets change nothing, nor does a directory without a rule.
violate src/base/memory.c '#  include <core/execution.h>' ': may not include core/execution.h'
mkdir copy/src/attic
violate src/attic/old.c '#include "base/check.h"' ': no rule'

# Kinds of operations are named in the tables and by the targets alone.
named='static bool is_lock(int kind) { return kind == OPERATION_RELOCK; }'
for file in src/dpor/race.c src/report/trace.c src/dpor/graph/graph_search.c; do
    violate $file "$named" ':[0-9]+: may not name a kind of operation: OPERATION_RELOCK'
done
for file in src/dpor/graph/graph_meaning.c src/targets/abstract/interpreter_sync.c src/dpor/race_test.c; do
    echo "$named" >> "copy/$file"
done

expect 1 rules
for message in "${expected[@]}"; do
    says out "$message"
done
# A header may be refused for two reasons.
[ "$(sed 's/, which .*//' out | sort -u | wc -l)" = ${#expected[@]} ] || fail "more is refused than was planted"
