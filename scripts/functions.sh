#!/bin/bash
# functions.sh: docs/FUNCTIONS.md, every function that heddle knows and its model, from the tables in
# src/targets/runtime/libc. A comment "/* FILE.c: MODEL */" there holds for the SPECIAL rows below it.
set -euo pipefail
cd "$(dirname "$0")/.."

cat << 'EOF'
# Every function that heddle knows, and its model

Written by `make manual` from `src/targets/runtime/libc/*.def`. Threads and synchronisation in detail:
[PRIMITIVES.md](PRIMITIVES.md); files, clocks and the rest of the world: [ENVIRONMENT.md](ENVIRONMENT.md).

| kind | meaning |
|---|---|
| ranges | the memory that the function touches is announced, then libc does the work |
| changes files | the same; an error without `--allow-files` |
| libc's own | called as it is: it touches no memory of the program, or only the thread's own |
| unsupported | an error when it is reached (exit status 2) |

A function that is not listed is called, and the verdict is "incomplete" if it was reached. `name*` stands
for all names that begin so and have no row of their own.
EOF

files=$(sed -n 's/^#include "\(.*\.def\)"/src\/\1/p' src/targets/runtime/libc/all.def)
awk '
function field(row, i,  parts) {
    sub(/^[A-Z_]+\(/, "", row)
    sub(/\).*/, "", row)
    split(row, parts, /, */)
    return parts[i]
}
function flush(  i) {
    for (i = 1; i <= groups; i++) {
        printf "| %s | %s |\n", names[order[i]], order[i]
    }
    delete names
    delete order
    groups = 0
}
function add(model, name) {
    if (!(model in names)) {
        order[++groups] = model
        names[model] = "`" name "`"
    } else {
        names[model] = names[model] ", `" name "`"
    }
}
function add_all(model, text,  words, count, i) {
    count = split(text, words, " ")
    for (i = 1; i <= count; i++) {
        add(model, words[i])
    }
}
FNR == 1 {
    flush()
    heading = $0
    sub(/^\/\* /, "", heading)
    sub(/\.? Rows: see all\.def.*/, "", heading)
    gsub(/</, "`<", heading)
    gsub(/>/, ">`", heading)
    printf "\n## %s\n\n| functions | model |\n|---|---|\n", heading
    model = ""
}
/^\/\* [a-z_0-9., ;:]*\.c: / {
    model = $0
    while (model !~ /\*\//) {
        getline
        sub(/^ +(\* )?/, "")
        model = model " " $0
    }
    sub(/^\/\* [^:]*: /, "", model)
    sub(/\.? \*\/.*/, "", model)
}
/^SPECIAL\(/ { add(model, field($0, 2)) }
/^MODEL\(/ { add("ranges", field($0, 2)) }
/^CHANGES_FILES\(/ { add("changes files", field($0, 2)) }
/^ALIAS\(/ { add("the same as the function after the arrow", field($0, 1) "` → `" field($0, 2)) }
/^IN_PROGRAM\(/ { add("kept in variables of the program", field($0, 1)) }
/^(HARMLESS|NUMBER|FORBIDDEN)\(/ {
    kind = $0
    sub(/\(.*/, "", kind)
    text = $0
    while (text !~ /"\)/) {
        getline
        text = text $0
    }
    list = ""
    while (match(text, /"[^"]*"/)) {
        list = list substr(text, RSTART + 1, RLENGTH - 2)
        text = substr(text, RSTART + RLENGTH)
    }
    add_all(kind == "FORBIDDEN" ? "unsupported" : "libc'"'"'s own" (kind == "NUMBER" ? ", with the forms for float and long double" : ""), list)
}
END { flush() }
' $files
