#!/bin/bash
# Who may include whom: the table of docs/ARCHITECTURE.md, row by row. A rule is the first whose left
# side matches a file's path; its right side is a pattern for the headers that it may include.
#   tests/include-rules.sh [DIRECTORY]    another copy of the repository
#
# A strategy is a name in dpor/registry.c; the files that begin with it are its own, and no
# other strategy may include them; nor may a file outside of a directory of dpor include what is
# in it. The half of the oracle that judges computes happens-before by
# rules of its own and may not see what it judges. Mutants are broken copies of strategies and live
# by their rules.
#
# Kinds of operations are known to the two tables of them and to the targets; everybody else asks for
# roles (core/operation.h), so that a new kind needs no change elsewhere.
set -euo pipefail
cd "${1:-$(dirname "$0")/..}"

seam='core/(operation|footprint)\.h|explore/target\.h'
public='heddle\.h|heddle/'
judge='cells|machine|machine_(lock|mail|memory|part|section|spin|sync)|meaning|trace|races|observed|brute|hash|weak_(thread|spin|sync|graph|plain|axioms|buffers)'
rules="
src/base/         base/
src/core/         (base|core)/
src/explore/      (base|core|explore)/
src/dpor/         (base|core|explore|dpor)/
src/report/       (base|core|explore|report)/
src/targets/abstract/   base/|targets/abstract/|$seam
src/targets/native/     base/|targets/(native|runtime)/|$seam|$public
src/targets/runtime/    base/|targets/runtime/|$seam|$public
src/supervise/    (base|supervise)/
src/cli/          .
src/mpi/          (base|mpi)/|cli/ranks\.h|supervise/wire\.h
oracle/mutants/   (base|core|explore|dpor|oracle|targets/abstract)/
oracle/($judge)\.[ch]   base/|targets/abstract/program\.h|oracle/($judge)\.h
oracle/(differ|mutant|context_test|work_test)\.[ch]  (base|explore|oracle)/|targets/abstract/|dpor/registry\.h
oracle/           (base|explore|oracle)/|targets/abstract/
bench/            (base|core|explore|report|cli|bench)/|dpor/registry\.h
lib/              $public
"
strategies=$(sed -nE 's/^ *X\(([a-z_]+)\).*/\1/p' src/dpor/registry.c |
    awk '{ print length, $0 }' | sort -rn | cut -d' ' -f2)
[ -n "$strategies" ] || { echo "src/dpor/registry.c: no strategies found"; exit 1; }

# Every include that could be one of ours: file:#include "header" or <header>.
includes() {
    grep -rE --include='*.[ch]' '^[[:space:]]*#[[:space:]]*include[[:space:]]' src oracle bench lib |
        sed -nE 's|^([^:]+):[^"<]*["<]([^">]+)[">].*|\1 \2 &|p'
}

# Sets `allowed` to the right side of the file's rule; rules are few, files are many.
declare -A allowed_by_path
find_rule() {
    local prefix pattern
    allowed=${allowed_by_path[$1]:-}
    [ -z "$allowed" ] || return 0
    while read -r prefix pattern; do
        if [ -n "$prefix" ] && [[ $1 =~ ^$prefix ]]; then
            allowed=$pattern
            break
        fi
    done <<< "$rules"
    allowed_by_path[$1]=$allowed
}

# Sets `owner` to the strategy that a file of src/dpor belongs to, if any.
find_owner() {
    local name=${1##*/} strategy
    owner=
    for strategy in $strategies; do
        if [[ $name =~ ^${strategy}(_.*)?\.[ch]$ ]]; then
            owner=$strategy
            return
        fi
    done
}

failures=0
refuse() {
    echo "$1: $2"
    failures=1
}

directories=$(ls src | paste -sd'|')
while read -r file header line; do
    # <header> is the system's unless it names one of our directories.
    [[ $line != *\<*\>* || $header =~ ^($directories|oracle|bench|lib)/ ]] || continue
    find_rule "$file"
    if [ -z "$allowed" ]; then
        refuse "$file" "no rule for this directory"
    elif [[ $header == *..* ]] || ! [[ $header =~ ^($allowed) ]]; then
        refuse "$file" "may not include $header"
    elif [[ $header == dpor/* && $file == src/dpor/* ]]; then
        find_owner "$header"
        of_header=$owner
        find_owner "$file"
        [ -z "$of_header" ] || [ "$of_header" = "$owner" ] ||
            refuse "$file" "may not include $header, which belongs to another strategy"
        [[ $header != dpor/*/* || $file == src/${header%/*}/* ]] ||
            refuse "$file" "may not include $header, which is of another directory"
    fi
done < <(includes)

kinds=$(sed -nE 's/^ *X\((OPERATION_[A-Z_]+),.*/\1/p' src/core/operation.h | grep -vx OPERATION_NONE | paste -sd'|')
[ -n "$kinds" ] || { echo "src/core/operation.h: no kinds of operations found"; exit 1; }
while IFS=: read -r file line text; do
    refuse "$file:$line" "may not name a kind of operation: $text"
done < <(grep -rnowE --include='*.[ch]' --exclude='*_test.[ch]' "$kinds" \
    src/{base,core,explore,dpor,report,supervise,cli} |
    grep -vE '^src/(core/operation\.[ch]|dpor/graph/graph_meaning\.c):')
exit $failures
