#!/bin/bash
# The benchmark tool: counts, the floor, raw costs, JSON, wrong counts, wrong usage, and peers, which
# are played by scripts that print what the real ones do.
. "$(dirname "$0")/library.sh"

bench() { "$root/bench/run" --repeat=1 "$@"; }

cat > rows << 'END'
# small ones
readers(4)    | readers    | readers    | -DN=4       | 16
exp-mem3(3)   | exp-mem3   | exp_mem3   | -DN=3       | 12 observers:2
readers(6)    | readers    | readers    | -DN=6       | 64 | large
length(2,9)   | length-param | -        | -DT=2 -DN=9 | 4
END

expect 0 bench --rows="$PWD/rows" --floor --json="$PWD/json"
says out '^readers\(4\) +abstract +pop +16 +0 '
says out '^readers\(4\) +abstract +optimal +16 +0 '
says out '^program .* floor us +ratio$'
grep -q 'readers(6)' out && fail "a large row ran unasked"
json '.wrong == 0 and all(.rows[]; .end == "done" and .wrong == null and .blocked == 0)' json
json 'all(.rows[]; .executions == .traces and .seconds > 0 and .peak_bytes > 500000)' json
json 'all(.rows[]; .floor_us > 0 and .floor_executions == .executions)' json
json '[.rows[] | select(.program == "length(2,9)")] | length == 2' json
says out '^exp-mem3\(3\) +native +pop +12 +0 '

# Shapes of real programs, beside their native runs.
cat > shapes << 'END'
allocator(1)  | - | shapes/allocator | -DN=1 | 6
END
expect 0 bench --shapes --rows="$PWD/shapes" --algorithms=pop --json="$PWD/json"
says out '^program .* native us +times +own %$'
json '.rows[0].native_us > 0 and .rows[0].own_share >= 0 and .rows[0].own_share < 1' json

# Graphs under a weak model.
cat > weak << 'END'
ring(3)  | ring | ring | -DN=3 -DORDER=0 | 8
ring(4)  | ring | ring | -DN=4 -DORDER=1 | 15
END
expect 0 bench --weak --rows="$PWD/weak"
says out '^ring\(3\) +native +graph +8 +0 '
says out '^ring\(4\) +abstract +graph +15 +0 '

# Which rows.
expect 0 bench --rows="$PWD/rows" --abstract --algorithms=pop readers
[ "$(grep -c '^readers' out)" = 1 ] || fail "readers names one row"
expect 0 bench --rows="$PWD/rows" --abstract --algorithms=pop 'readers(6)'
says out '^readers\(6\) +abstract +pop +64 '
expect 0 bench --rows="$PWD/rows" --abstract --algorithms=source,classic --large readers
[ "$(grep -c '^readers' out)" = 4 ] || fail "two rows under two algorithms"

# A count that is wrong.
sed 's/| 16/| 17/; s/| 12 observers/| 13 observers/' rows > wrong
expect 1 bench --rows="$PWD/wrong" --abstract --algorithms=pop --json="$PWD/json" readers
says out 'WRONG: expected 17 and 0 blocked'
says out '1 WRONG'
json '.wrong == 1 and .rows[0].wrong != null' json

# The columns and programs of the context-sensitive algorithms.
expect 0 bench --context --abstract --algorithms=optimal,observers,context-source,context \
    --json="$PWD/json" running-example Fib
says out '^program .* pruned +states .* dont-do$'
says out '^running-example +abstract +context-source +2 +0 +[1-9]'
says out '^Fib\(5\) +abstract +context +1 +0 +[1-9]'
json 'all(.rows[]; (.wanted | startswith("context")) == (.pruned > 0))' json
echo 'readers(4) | readers | - | -DN=4 | 16 context:15 observers:16' > known
expect 1 bench --context --rows="$PWD/known" --algorithms=observers,context
says out 'WRONG: expected 15'
says out '1 WRONG'

# Wrong usage.
expect 2 bench --frobnicate
says err 'frobnicate'
expect 2 bench --algorithms=best
says err 'no algorithm best'
expect 2 bench no-such-program
says err 'no row for no-such-program'
expect 2 bench --rows="$PWD/no-such-file"
echo 'readers | 16' > bad
expect 2 bench --rows="$PWD/bad"
says err 'bad:1:'
expect 0 bench --help
says out 'usage: bench/run'

# Raw costs.
expect 0 bench --raw --abstract
says out '^length-param\(4,4\) +abstract +40 '

# Peers.
mkdir peers
cat > peers/nidhugg << 'END'
#!/bin/bash
[ "$1 $2" = "--sc --optimal" ] && grep -q 'target triple' "$3" || exit 1
echo "Trace count: 16 (also 3 sleepset blocked)"
echo "No errors were detected."
echo "Total wall-clock time: 0.01 s"
END
cat > peers/genmc << 'END'
#!/bin/bash
[ "$1 $2 $3" = "--sc -- -DN=4" ] && [ -e "$4" ] || exit 1
echo "*** Verification complete."
echo "No errors were detected."
echo "Number of complete executions explored: 15"
echo "Number of blocked executions seen: 2"
echo "Total wall-clock time: 0.02s"
END
chmod +x peers/*
command -v clang > /dev/null || { echo "no clang: nidhugg is not tried"; exit 0; }
PATH=$PWD/peers:$PATH
expect 0 bench --rows="$PWD/rows" --native --algorithms=pop --json="$PWD/json" 'readers(4)'
says out 'nidhugg us +genmc us +ratio'
says out '^readers\(4\) +native +pop +16 .* [0-9.]+  +[0-9.]+! +[0-9.]+$'
json '.rows[0].nidhugg | .end == "done" and .executions == 16 and .blocked == 3' json
json '.rows[0].genmc | .end == "done" and .executions == 15 and .blocked == 2' json
json '.rows[0].peer_ratio > 0' json

# One that takes too long, one that says nothing.
printf '#!/bin/bash\nwhile :; do :; done\n' > peers/genmc
printf '#!/bin/bash\necho killed\n' > peers/nidhugg
expect 0 bench --rows="$PWD/rows" --native --algorithms=pop --peer-seconds=1 --json="$PWD/json" 'readers(4)'
says out '^readers\(4\) .* failed +too long$'
json '.rows[0] | .genmc.end == "timeout" and .nidhugg.end == "failed"' json
