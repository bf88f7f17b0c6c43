#!/bin/bash
# The commands in the documents print what is there. In blocks between ``` a line that begins with "$ "
# is a command for the shell, run at the root of the repository; the lines below it are how its output
# begins, in which "..." stands for any number of lines. Other blocks are left alone, and so is what goes
# on in gdb (tests/cli/gdb.sh).
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
[ $commands -ge 8 ] || fail "only $commands commands were found"
echo "$commands commands"
