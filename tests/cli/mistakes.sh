#!/bin/bash
# Wrong usage and unreadable files: exit status 2, a message that says what to do, no output.
. "$(dirname "$0")/../library.sh"

wrong() {
    local pattern=$1
    shift
    expect 2 "$heddle" "$@"
    says err "$pattern"
    says err '^heddle: '
    [ "$(wc -l < err)" = 1 ] || fail "one line of message expected"
    silent out
}

expect 2 "$heddle"
says err '^usage: heddle check'
wrong 'unknown command chekc; the commands are check, replay, explain, split, merge and cc' chekc
wrong 'check: name a file, or give --program or --batch' check
wrong 'give only one of a file, --program and --batch' check --program='wx1' a.heddle
wrong 'unknown option --alogrithm=pop; did you mean --algorithm\?' check --alogrithm=pop
wrong 'unknown option -z; --help lists the options' check -z
wrong 'unknown algorithm fast; the algorithms are: .*optimal' check --algorithm=fast --program=wx1
wrong 'max-steps=few: expected a positive integer' check --max-steps=few --program=wx1
wrong 'expected usual, lowest, highest, round-robin or random:SEED' check --first=me --program=wx1
wrong '--keep-going takes no value' check --keep-going=1 --program=wx1
wrong '--program: expected TEXT' check --program=
wrong '--batch needs a value: --batch=FILE' check --batch
wrong '-include needs a path: -include PATH' check -include
wrong '--help=html: expected roff' check --help=html
wrong 'a one-line program takes no -D' check -DN=1 --program=wx1
wrong 'a one-line program takes no -D' check -Wall --batch=x
wrong '--batch prints JSON' check --batch=x --schedule=y

wrong 'cannot read none.heddle: No such file' check none.heddle
wrong 'cannot read none.c: No such file' check none.c
mkdir folder.heddle
wrong 'cannot read folder.heddle: is a directory' check folder.heddle
wrong 'cannot read \.: is a directory' check .
wrong 'cannot read folder.heddle: ' check --batch=folder.heddle
wrong 'cannot read none: No such file' check --batch=none
echo > program.txt
wrong 'program.txt: unknown kind of file' check program.txt
printf 'thread t {\0 }' > nul.heddle
wrong 'cannot read nul.heddle: it is not a text file' check nul.heddle
if [ "$(id -u)" != 0 ]; then
    echo 'thread t { }' > secret.heddle
    chmod 0 secret.heddle
    wrong 'cannot read secret.heddle: Permission denied' check secret.heddle
fi

# Syntax errors have file, line and column.
wrong 'program:1:7: expected an operation' check --program='wx1 / zoo'
printf 'shared x;\nthread t { x = ; }\n' > wrong.heddle
wrong 'wrong.heddle:2:16: expected an expression' check wrong.heddle
echo 'param N = 1; thread t { }' > right.heddle
wrong 'expected the name of a parameter' check -DM=2 right.heddle
wrong '-DN=two: expected NAME=NUMBER' check -DN=two right.heddle
wrong 'name one file only' check right.heddle right.heddle
expect 0 "$heddle" check -DN=2 right.heddle
wrong 'an abstract program takes no arguments' check right.heddle -- b
wrong 'an abstract program takes no arguments and no flags' check -Iinclude right.heddle

# Output that cannot be written.
wrong 'cannot write nowhere/schedule: ' check --schedule=nowhere/schedule --program='l0 l0'
expect 2 "$heddle" check --json=nowhere/json --program='wx1'
says err 'cannot write nowhere/json'
if [ -w /dev/full ]; then
    expect 2 bash -c '"$1" check --program=wx1 > /dev/full' - "$heddle"
    says err 'cannot write to standard output'
fi

wrong 'replay: name one schedule file' replay
wrong 'cannot read none: No such file' replay none
wrong 'replay: unknown option --algorithm=pop' replay --algorithm=pop x
