# For the end-to-end tests, which source it: a directory of their own, and what they expect.
#   expect STATUS COMMAND…   runs it; standard output and error are in the files out and err
#   says out|err PATTERN     the file has a line that matches the extended regular expression
#   worker_of PROCESS        the process that works for a heddle that runs
#   misuse MACRO PATTERN     misuse.c with that macro is an error under all of $algorithms, which says so
#   tally FILE               executions that ended/deadlocks/artifacts of the JSON object in the file
#   json FILTER              jq's filter is true for the JSON object in the file out
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
json() { jq -e "$1" < "${2:-out}" > /dev/null || fail "not true of the JSON: $1"; }
tally() { jq -r '"\(.executions - .deadlocks)/\(.deadlocks)/\(.artifacts)"' "$1"; }
worker_of() { local child; read -r child _ < "/proc/$1/task/$1/children"; echo "$child"; }
misuse() {
    for algorithm in $algorithms; do
        expect 1 "$heddle" check --algorithm=$algorithm -D$1 misuse.c
        says out "$2"
    done
}
