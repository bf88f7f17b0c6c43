#!/bin/bash
# The verdict, the counts and the findings of C programs are the same wherever heddle is started: in other
# directories, with other environments, limits, standard files, users and priorities. Some minutes for
# all programs; tests/cli/stable.sh has three of them.
#   scripts/stable.sh [PROGRAM...]    a program is FILE.c with its options: "tests/native/x.c -DBUG"
#   PREBUILT=1 scripts/stable.sh      each program is built only once
#   LOAD=1 scripts/stable.sh          also while other processes keep the cores busy
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
heddle=$(realpath "${HEDDLE:-$root/build/heddle}")
folder=$(mktemp -d)
chmod 755 "$folder"
trap 'rm -rf "$folder"' EXIT
cd "$root"

programs() {
    if [ $# -gt 0 ]; then
        printf '%s\n' "$@"
        return
    fi
    local file
    for file in examples/*.c tests/native/{suite,primitives,restore,spin}/*.c; do
        case $file in
            */fib_bench.c) echo "$file -DN=3" ;;
            */restore/* | */spin/*) echo "$file" $(sed -n 's|^// options: ||p' "$file" | grep -o -- '-D[^ ]*') ;;
            */suite/*) printf '%s\n' "$file" "$file -DBUG" ;;
            *) echo "$file" ;;
        esac
    done
}

# What does not depend on the machine, as JSON. Without a limit for stacks the system maps memory elsewhere, so
# that pointers, which are values of steps, differ.
essence() {
    jq -S --arg root "$root/" 'walk(if type == "string" then sub($root; "") | sub("\nfolder [^\n]*"; "") elif type == "number" and . > 1e12 then "pointer" else . end) | del(.seconds, .peak_bytes, .workers) | del(.warnings[] | select(test("address space random")))' "$1"
}

# check DIRECTORY-OF-RESULT COMMAND...: the command starts heddle somewhere; --json=FILE is its report.
arguments() { echo "check --json=$1 --max-executions=3000 -I$root/include"; }

run() { # NAME COMMAND...: the command is followed by heddle's command line
    local name=$1 status=0
    shift
    rm -f "$folder/out/result"
    ( "$@" "$heddle" $(arguments "$folder/out/result") $flags "$file" ) > /dev/null 2> "$folder/err" || status=$?
    { echo "status $status"; essence "$folder/out/result"; } > "$folder/$name" 2>> "$folder/err" || true
    if ! cmp -s "$folder/usual" "$folder/$name"; then
        differences=$((differences + 1))
        echo "$program: $name differs"
        diff "$folder/usual" "$folder/$name" | head -5 || true
        head -3 "$folder/err"
    fi
}

in_root() { cd / && "$@"; }
with_variables() { for i in {1..900}; do export "VARIABLE_$i=$forty"; done; "$@"; }
by_long_name() { (exec -a "$long" "$@"); }
with_limit() { ulimit "$1" "$2" && shift 2 && "$@"; }
with_mask() { umask "$1" && shift && "$@"; }
without_input() { "$@" <&-; }
with_pipe() { sleep 0 | "$@"; }
without_output() { # that nothing can be printed is an error of its own
    local status=0
    "$@" >&- || status=$?
    [ $status != 2 ] || status=$usual
    return $status
}
without_errors() { "$@" 2>&-; }
with_terminal() { script -qec "$(printf '%q ' "$@")" /dev/null < /dev/null; }
in_tmux() { # a server of its own
    local status
    tmux -L "heddle$$" -f /dev/null new-session -d "$(printf '%q ' "$@"); echo \$? > $folder/out/status; tmux -L heddle$$ wait -S over"
    tmux -L "heddle$$" wait over
    status=$(cat "$folder/out/status")
    return "$status"
}
under_load() {
    local one other status=0
    (while :; do :; done) & one=$!
    (while :; do :; done) & other=$!
    "$@" || status=$?
    kill $one $other
    return $status
}

as_user() { setpriv --reuid=65534 --regid=65534 --clear-groups env HOME=/ "$@"; }

# Somebody else can start heddle only if all directories above it are open.
other_user=
if [ "$(id -u)" = 0 ] && as_user test -x "$heddle" && as_user test -r "$root/include/heddle.h"; then
    other_user=yes
else
    echo "skipped: another user (needs root, and a checkout that others may read)"
fi

differences=0
printf -v forty 'x%.0s' {1..40}
printf -v long 'h%.0s' {1..3000}
mkdir -m 777 "$folder/out" "$folder/elsewhere"
while read -r program; do
    read -r file flags <<< "$program"
    file=$(realpath "$file")
    if [ "${PREBUILT:-}" ]; then
        "$heddle" cc -I"$root/include" $flags -o "$folder/program" "$file"
        file=$folder/program flags=
    fi
    rm -f "$folder/out/result"
    usual=0
    "$heddle" $(arguments "$folder/out/result") $flags "$file" > /dev/null 2>&1 < /dev/null || usual=$?
    { echo "status $usual"; essence "$folder/out/result"; } > "$folder/usual"
    run directory in_root
    run home env HOME=/nonexistent XDG_RUNTIME_DIR=/nonexistent
    run language env LC_ALL=C.UTF-8 LANG=de_DE.UTF-8 LANGUAGE=de
    run zone env TZ=Asia/Tokyo
    run variables with_variables
    run empty env -i "PATH=$PATH"
    run name by_long_name
    run stack with_limit -s 512
    run deep with_limit -s unlimited
    run files with_limit -n 40
    run core with_limit -c unlimited
    run mask with_mask 077
    run temporary env "TMPDIR=$folder/elsewhere"
    run input without_input
    run pipe with_pipe
    run output without_output
    run errors without_errors
    run nice nice -n 19
    run fixed setarch -R
    [ ! "${LOAD:-}" ] || run load under_load
    ! command -v script > /dev/null || run terminal with_terminal
    ! command -v tmux > /dev/null || run tmux in_tmux
    [ -z "$other_user" ] || run user as_user
    echo "$program: compared"
done < <(programs "$@")
echo "$differences differences"
[ "$differences" = 0 ]
