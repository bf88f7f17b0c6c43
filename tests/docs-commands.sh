#!/bin/bash
# The commands in the documents print what is there. In blocks between ``` a line that begins with "$ "
# is a command for the shell, run at the root of the repository; the lines below it are how its output
# begins, in which "..." stands for any number of lines. Other blocks are left alone, and so is what goes
# on in gdb (tests/cli/gdb.sh). Of the README's list of uses ("heddle ...", two blanks, what it does) and those of
# MEMORY-MODELS.md every command can be run as it stands.
. "$(dirname "$0")/library.sh"
export PATH="$(dirname "$heddle"):$PATH" COLUMNS=120
mkdir run
for name in examples bench include; do
    ln -s "$root/$name" "run/$name"
done

# What a block expects, against what was printed; prints the line that is missing.
matches() { # expected, printed
    awk -v printed="$2" '
    BEGIN { while ((getline line < printed) > 0) { output[++count] = line } }
    $0 == "..." { skips = 1; next }
    {
        while (++at <= count && skips && output[at] != $0) { }
        skips = 0
        if (at > count || output[at] != $0) { print; exit }
    }' "$1"
}

check() { # document, line, command
    local missing
    [[ $3 == *--gdb* ]] && return
    (cd run && bash -c "$3") > printed 2>&1 < /dev/null || true
    missing=$(matches expected printed)
    [ -z "$missing" ] && return
    echo "FAILED: $1:$2: \$ $3"
    echo "  does not print: $missing"
    head -n 40 printed | sed 's/^/    /'
    exit 1
}

commands=0
for document in "$root"/README.md "$root"/docs/*.md; do
    code= command= line=0
    while IFS= read -r text; do
        line=$((line + 1))
        if [[ $text == '```'* || ($code && $text == '$ '*) ]]; then
            [ -n "$command" ] && { check "${document#"$root"/}" "$from" "$command"; commands=$((commands + 1)); }
            command=
            [[ $text == '```'* ]] && { [ -n "$code" ] && code= || code=1; continue; }
            command=${text#'$ '} from=$line
            : > expected
        elif [ -n "$command" ]; then
            printf '%s\n' "$text" >> expected
        fi
    done < "$document"
done
# What the uses are about. A file that one of them writes is not in the way of the next.
mkdir -p uses/include uses/tests
ln -s "$root/tests/native" uses/tests/native
cat > uses/a.c << 'END'
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
int amount(void), total;
static void *put(void *unused) { total += amount(); return unused; }
void test_put(void) { put(NULL); assert(total); }
int main(int count, char **arguments) {
    pthread_t thread;
    pthread_create(&thread, NULL, put, NULL);
    total += count > 1 ? atoi(arguments[1]) : 1;
    pthread_join(thread, NULL);
}
#ifndef N
int amount(void) { return 1; }
#endif
END
echo 'int amount(void) { return N; }' > uses/b.c
cat > uses/program.heddle << 'END'
param N = 2;
shared x = 0;
thread p(i in 1..N) { local t = x; x = t + 1; }
thread main { join p(1); join p(2); assert(x == N); }
END
uses=0
for document in README MEMORY-MODELS; do
    file=$root/docs/$document.md
    [ -f "$file" ] || file=$root/$document.md
    while IFS= read -r command; do
        [[ $command == *--gdb* ]] && continue
        [[ $command != *--batch=FILE ]] || printf 'wx1 / rx\nl0 u0 / l0 u0\n' > uses/FILE
        status=0
        (cd uses && bash -c "$command") > printed 2>&1 < /dev/null || status=$?
        [ $status -le 1 ] || { cat printed; fail "$document.md: $command: exit status $status"; }
        rm -f uses/FILE uses/page.html
        uses=$((uses + 1))
    done < <(awk '/^```/ { code = !code; next } code && /^heddle / { sub(/  +.*/, ""); print }' "$file")
done
[ $uses -ge 15 ] || fail "only $uses uses were found"

[ $commands -ge 8 ] || fail "only $commands commands were found"
echo "$commands commands, $uses uses"
