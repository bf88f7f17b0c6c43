#!/bin/bash
# On a terminal: colours as --color, NO_COLOR and TERM say, lines that fit its width, and a progress
# line, except with --quiet.
. "$(dirname "$0")/../library.sh"

# terminal COLUMNS COMMAND: its output on a terminal of that width, in the file out.
terminal() {
    last="$2"
    script -qec "stty cols $1 rows 50; $2" /dev/null < /dev/null > raw 2>&1 || true
    tr -d '\r' < raw > out
}
escape=$(printf '\033')
coloured() { grep -qF "$escape[" out || fail "no colours"; }
uncoloured() { ! grep -qF "$escape[" out || fail "colours"; }
# No line of the file is wider than that many columns.
narrow() {
    local width
    width=$(sed "s/$escape\[[0-9;]*m//g" out | LC_ALL=C.UTF-8 wc -L)
    [ "$width" -le "$1" ] || fail "a line has $width columns"
}

cp "$root"/tests/findings/{assertion,data-race,use-after-free}.c .
export TERM=xterm LC_ALL=C.UTF-8
unset NO_COLOR COLUMNS
check="$heddle check --no-progress"
terminal 100 "$check assertion.c"
coloured
says out '└──'
terminal 100 "NO_COLOR=1 $check assertion.c"
uncoloured
terminal 100 "TERM=dumb $check assertion.c"
uncoloured
terminal 100 "$check --color=never assertion.c"
uncoloured
terminal 100 "LC_ALL=C $check --color=never assertion.c"
says out '`---'
expect 1 "$heddle" check assertion.c
uncoloured
expect 1 "$heddle" check --color=always assertion.c
coloured
expect 1 env NO_COLOR=1 "$heddle" check --color=always assertion.c
coloured
expect 2 "$heddle" check --color=sometimes assertion.c
says err 'color=sometimes: expected auto, always or never'

# The table is as wide as the terminal at most; the headline is one line whatever its length.
printf 'int main(void) {\n    return undeclared;\n}\n' > broken.c
for columns in 60 80 100 200; do
    for file in assertion data-race use-after-free; do
        COLUMNS=$columns "$heddle" check --no-race-check $file.c | sed '1d; /^$/,$d' > out || true
        narrow $columns
    done
done
# Three threads keep their columns at 80, and become a list where they would not fit.
terminal 80 "$check --color=never assertion.c"
says out 'step +main +T1 +T2'
terminal 60 "$check assertion.c"
says out 'step.*thread.*operation'

# Warnings and notes are broken at blanks on a terminal, and nowhere else.
for columns in 40 60; do
    terminal $columns "$check --program='wx1:rlx / rx'"
    says out '^Note: checked under sequential'
    sed -n '/^Note/,$p' out > note && mv note out
    narrow $columns
    [ "$(wc -l < out)" -gt 1 ] || fail "a note is not broken"
done
COLUMNS=40 "$heddle" check --program='wx1:rlx / rx' > out
says out '^Note: checked under sequential consistency; --model=rc11 covers the weaker orders$'

terminal 40 "$heddle explain data-race"
sed '1,4d' out > rest && mv rest out
narrow 40
COLUMNS=40 "$heddle" explain data-race > out
says out '^  Two accesses of the same bytes by different threads, at least one a write and$'

# Characters of two columns, tabs, and bytes that are no UTF-8 leave the columns straight.
printf '#include <assert.h>\n#include <stdatomic.h>\nstatic atomic_int 变量, zähler;\nint main(void) {\n
\tatomic_store(&变量,\t1);\t/* 锁 */\n\tassert(atomic_load(&zähler)); /* \xe9 */\n}\n' > straight.c
COLUMNS=100 "$heddle" check straight.c > out || true
says out '^      1  write 变量 = 1       6: atomic_store\(&变量, 1\); /\* 锁 \*/$'
says out '^>     2  read zähler -> 0     7: assert\(atomic_load\(&zähler\)\); /\* \? \*/$'

# Both accesses of a race are red.
terminal 100 "$check data-race.c"
[ "$(grep -cE "$escape\[[0-9;]*31m *write total" out)" = 2 ] || fail "the accesses of the race are not red"

# What the compiler says keeps its colours on a terminal, and has none in reports.
terminal 100 "$check broken.c"
says out "$escape\[.*undeclared"
terminal 100 "$check --json=report.json broken.c"
json '.diagnostics | test("undeclared") and (test("\u001b") | not)' report.json

# Progress.
long="--program='wx1 wx2 wx3 / wx4 wx5 wx6 / wx7 wx8 wx9 / wx1 wx2 wx3' --max-executions=300000"
terminal 100 "$heddle check $long"
says out 'executions, [0-9]+/s, '
terminal 100 "$heddle check --quiet $long"
! grep -q '[0-9]/s, ' out || fail "progress in spite of --quiet"
terminal 15 "$heddle check $long"
tr '\r' '\n' < raw | grep '^.\[Kheddle: ' | sed 's/^.\[K//' > lines || true
[ -s lines ] || fail "no progress on a narrow terminal"
awk 'length > 14 { exit 1 }' lines || fail "progress does not fit a narrow terminal"
! grep -vE '[0-9]$' lines || fail "progress is cut within a word"
for width in 40 80 100; do
    terminal $width "$heddle check $long"
    tr '\r' '\n' < raw | grep '^.\[Kheddle: ' | sed 's/^.\[K//' > lines || true
    awk -v most=$((width - 1)) 'length > most { exit 1 }' lines || fail "progress is wider than $width"
    ! grep -vE '( executions|/s, [0-9.]+ s| to go|\))$' lines || fail "progress is cut within a word"
done
terminal 100 "$heddle check --no-progress $long"
! grep -q 'executions, ' out || fail "progress in spite of --no-progress"
