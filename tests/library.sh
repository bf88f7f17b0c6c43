# For the end-to-end tests, which source it: a directory of their own, and what they expect.
#   expect STATUS COMMAND…   runs it; standard output and error are in the files out and err
#   checked STATUS ARGUMENT… expect STATUS heddle check ARGUMENT…, but a program is built once for several checks
#   says out|err PATTERN     the file has a line that matches the extended regular expression
#   worker_of PROCESS        the process that works for a heddle that runs
#   misuse MACRO PATTERN     misuse.c with that macro is an error under all of $algorithms, which says so
#   tally FILE               executions that ended/deadlocks/artifacts of the JSON object in the file
#   json FILTER              jq's filter is true for the JSON object in the file out
#   field KEY FILE           the number or word of that name of the JSON object in the file
#   error_line               the line of the first error in out
#   error_is KIND PATTERN    whether the first error in out is of a kind and has a message that match
# The first thing that is not as expected ends the test.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
heddle=$(realpath "${HEDDLE:-$root/build/heddle}")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
last=

fail() {
    echo "FAILED: $*"
    echo "  after: $last"
    for file in out err; do
        [ -s "$file" ] && { echo "  $file:"; head -c 2000 "$file" | sed 's/^/    /'; }
    done
    exit 1
}

expect() {
    local wanted=$1 status=0
    shift
    last="$*"
    "$@" > out 2> err < /dev/null || status=$?
    [ "$status" = "$wanted" ] || fail "exit status $status instead of $wanted"
}

says() { grep -Eq -- "$2" "$1" || fail "no line in $1 matches: $2"; }
silent() { [ ! -s "$1" ] || fail "$1 should be empty"; }

# heddle's JSON object is one line, in which numbers and words come before the errors. jq takes three times as long
# to start as heddle to check a small program: what is usually asked is looked for in the text, and everything else,
# and what is not found there, is left to jq.
read_report() { # file; sets scalars and errors
    { IFS= read -r scalars && ! IFS= read -r errors; } < "$1" && [[ $scalars == '{"verdict":'* ]] || return 1
    errors=${scalars#*\"errors\":} scalars=${scalars%%\"errors\":*}
}

# Whether each of the terms, which "and" joins, is found to be true.
seems_true() { # filter, file
    local all=$1 term scalars errors
    read_report "$2" || return 1
    while [ -n "$all" ]; do
        term=${all%% and *}
        [ "$term" = "$all" ] && all= || all=${all#* and }
        if [[ $term =~ ^\.([a-z_]+)\ ==\ (\"[a-z]+\"|[0-9]+)$ ]]; then
            [[ $scalars == *"\"${BASH_REMATCH[1]}\":${BASH_REMATCH[2]},"* ]] || return 1
        elif [[ $term =~ ^\.errors\[0\]\.kind\ ==\ (\"[a-z-]+\")$ ]]; then
            [[ $errors == "[{\"kind\":${BASH_REMATCH[1]},"* ]] || return 1
        else
            [ "$term" = '.errors == []' ] && [[ $errors == '[],'* ]] || return 1
        fi
    done
}

json() {
    seems_true "$1" "${2:-out}" || jq -e "$1" < "${2:-out}" > /dev/null || fail "not true of the JSON: $1"
}

field() {
    local scalars errors
    if read_report "$2" && [[ $scalars =~ \"$1\":\"?([^\",]*)\"?, ]]; then
        echo "${BASH_REMATCH[1]}"
    else
        jq -r ".$1" "$2"
    fi
}

error_is() {
    local scalars errors message
    if read_report out && [[ $errors =~ ^\[\{\"kind\":\"($1)\",\"message\":\" ]]; then
        message=${errors#*\"message\":\"}
        [[ ${message%%\",\"thread\":*} =~ $2 ]] && return
    fi
    [[ $(jq -r '.errors[0].kind' out) =~ ^($1)$ ]] && jq -r '.errors[0].message' out | grep -Eq -- "$2"
}

# Where the first error in out is.
error_line() {
    local scalars errors
    if read_report out && [[ ${errors%%\"stack\":*} =~ \"line\":([0-9]+),\"column\" ]]; then
        echo "${BASH_REMATCH[1]}"
    else
        jq '.errors[0].line' out
    fi
}

tally() {
    local deadlocks
    deadlocks=$(field deadlocks "$1")
    echo "$(($(field executions "$1") - deadlocks))/$deadlocks/$(field artifacts "$1")"
}
worker_of() { local child; read -r child _ < "/proc/$1/task/$1/children"; echo "$child"; }

# Building a small program takes ten times as long as checking it: what is built is kept. Of the arguments of
# heddle check, sets `program` to the executable that heddle cc makes of the sources and flags, and `options` to the
# rest.
declare -A built=()
build_once() {
    local flags=() sources=() argument key
    options=()
    for argument; do
        case $argument in
            *.c) sources+=("$argument") ;;
            -D* | -I* | -W* | -w | -f* | --cc=* | --optimize) flags+=("$argument") ;;
            *) options+=("$argument") ;;
        esac
    done
    key="${flags[*]} $(cksum "${sources[@]}")"
    if [ -z "${built[$key]:-}" ]; then
        expect 0 "$heddle" cc "${flags[@]}" "${sources[@]}" -o "$folder/built.${#built[@]}"
        built[$key]=$folder/built.${#built[@]}
    fi
    program=${built[$key]}
}

checked() {
    local wanted=$1 program options
    shift
    build_once "$@"
    expect "$wanted" "$heddle" check "${options[@]}" "$program"
}

misuse() {
    for algorithm in $algorithms; do
        checked 1 --algorithm=$algorithm -D$1 misuse.c
        says out "$2"
    done
}
