#!/bin/bash
# The documents name files and functions that exist. Of what is in backquotes:
#
#   `explore/target.h`, `dpor/pop/`, `tests/cli/*.sh`    exists, seen from the repository, src/,
#                                                        src/targets/ or the document's own directory
#   `spinlock.c`, `mutants/`                             is the name of some file or directory
#   `cli/job.c`: `job_run`, `run_roles`                  are functions of that file
#   `exploration_probe`                                  is a word in some source (but not where a
#                                                        document is about functions of libc)
#
# Elsewhere, also in code blocks: targets of links, and paths that begin with a directory of the
# repository (tests/counts.sh).
#
#   tests/docs-paths.sh [DIRECTORY]    another copy of the repository
set -euo pipefail
cd "${1:-$(dirname "$0")/..}"

documents=(README.md CONTRIBUTING.md docs/*.md oracle/README.md)
about_libc='docs/(ENVIRONMENT|PRIMITIVES)\.md'
directories='src|tests|docs|oracle|bench|lib|include|examples|scripts'
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

failures=0
refuse() { # document, name, what is wrong
    echo "$1:$(grep -nF -m1 -- "$2" "$1" | cut -d: -f1): $2 $3"
    failures=1
}

# What is in backquotes outside of code blocks, one per line; a function after "`file`:", and those
# that follow it in a list, as "file:function".
quoted() {
    awk '
    /^ *```/ { code = !code; next }
    !code { sub(/^ +/, ""); text = text " " $0 }
    END {
        count = split(text, part, "`")
        for (i = 2; i <= count; i += 2) {
            first = part[i - 1] == ": " && part[i - 2] ~ /\.[ch]$/
            more = part[i - 1] ~ /^(, | and )$/ && part[i] !~ /[\/.]/
            file = first ? part[i - 2] : more ? file : ""
            print (file == "" ? "" : file ":") part[i]
        }
    }' "$1"
}

# Other paths: where links lead to, and what begins with a directory of the repository.
unquoted() {
    grep -oE '\]\([^):#]+' "$1" | cut -c3- || true
    grep -oE "(^|[^A-Za-z0-9_/.-])($directories)/[A-Za-z0-9_./*-]*[A-Za-z0-9_/*]" "$1" |
        sed -E "s,^[^a-z],," || true
}

# The file or directory that a name stands for, seen from the repository.
find_path() { # document, name
    local directory end='$'
    for directory in "" src/ src/targets/ "${1%"${1##*/}"}"; do
        if compgen -G "$directory${2%/}" > /dev/null; then
            echo "$directory$2"
            return
        fi
    done
    [[ $2 != */ ]] || end=
    [[ $2 != */?* ]] && grep -m1 -E "(^|/)${2//./\\.}$end" "$work/files"
}

check_path() { # document, name
    [[ $2 == build/* ]] || find_path "$1" "$2" > /dev/null || refuse "$1" "$2" "does not exist"
}

check_function() { # document, file, function
    local file
    file=$(find_path "$1" "$2") || return 0 # the name of the file was refused before
    grep -qE "^([a-zA-Z_].*[ *(])?$3[(,]" "$file" || refuse "$1" "$3" "is not a function of $file"
}

find src oracle bench lib include tests scripts docs examples share -type f > "$work/files"
{
    grep -rhoEI '[A-Za-z_][A-Za-z_0-9]*' src oracle bench lib include examples tests scripts share Makefile
    sed -E 's|.*/||; s|\..*||' "$work/files"
} | sort -u > "$work/words"

for document in "${documents[@]}"; do
    while IFS= read -r name; do
        if [[ $name =~ ^([^:]+\.[ch]):([A-Za-z0-9_]+)$ ]]; then
            check_function "$document" "${BASH_REMATCH[1]}" "${BASH_REMATCH[2]}"
        elif [[ $name =~ ^[A-Za-z][A-Za-z0-9_.*-]*/[A-Za-z0-9_.*/-]*$ ]] ||
            [[ $name =~ ^[a-z][a-z0-9_-]*\.(c|h|def|sh|md)$ ]]; then
            check_path "$document" "$name"
        elif [[ $name =~ ^[a-z][a-z0-9]*(_[a-z0-9]+)+$ ]]; then
            [[ $document =~ ^$about_libc$ ]] || grep -qxF -- "$name" "$work/words" ||
                refuse "$document" "$name" "is in no source"
        fi
    done < <(quoted "$document")
    while IFS= read -r name; do
        check_path "$document" "$name"
    done < <(unquoted "$document")
done
exit $failures
