#!/bin/bash
# Every row of the table of include rules is enforced: violations are planted one by one, and each
# must be named.
. "$(dirname "$0")/library.sh"

mkdir copy
cp -r "$root"/{src,oracle,bench,lib} copy
rules() { "$root/tests/include-rules.sh" "$PWD/copy"; }
expect 0 rules

# plant FILE HEADER: the first line of FILE includes HEADER.
plant() {
    cp "copy/$1" kept
    { echo "#include \"$2\""; cat kept; } > "copy/$1"
    expect 1 rules
    says out "^$1: may not include $2"
    mv kept "copy/$1"
}

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
plant src/mpi/relay.c cli/team.h
plant oracle/brute.c explore/target.h
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

# Angle brackets change nothing, nor does a folder without a rule.
cp copy/src/base/memory.c kept
echo '#  include <core/clock.h>' >> copy/src/base/memory.c
expect 1 rules
says out '^src/base/memory.c: may not include core/clock.h'
mv kept copy/src/base/memory.c
mkdir copy/src/attic
echo '#include "base/check.h"' > copy/src/attic/old.c
expect 1 rules
says out '^src/attic/old.c: no rule'
rm -r copy/src/attic
expect 0 rules
