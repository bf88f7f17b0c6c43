#!/bin/bash
# Every kind of finding, exactly as it is shown in text on terminals of 80 and 200 columns, in JSON, SARIF and on
# the page: tests/findings/KIND.golden; those of weak memory models: tests/findings/weak/*.golden. A kind without one,
# or one that a format does not show, is a failure.
# After a change that is meant, UPDATE=1 writes these files; look at what has changed.
. "$(dirname "$0")/../library.sh"

cp -r "$root"/tests/findings/*.c "$root/tests/findings/weak" .

# Addresses and times differ from run to run, and where in a loop a thread is found.
plain() {
    sed -E 's/0x[0-9a-f]{6,}/ADDRESS/g; s/\b[0-9]{13,}\b/ADDRESS/g; s/[0-9.]+ s went by/TIME went by/
        s/((unfinished|hang)\.c:[0-9]+):[0-9]+/\1:COLUMN/
        s/("(unfinished|hang)\.c","line":[0-9]+,"column":)[0-9]+/\1"COLUMN"/
        s/(\["(unfinished|hang)\.c",[0-9]+,)[0-9]+/\1"COLUMN"/'
}

golden() {
    local file=$1 kind=$2
    shift 2
    COLUMNS=80 "$heddle" check --json=report.json --sarif=report.sarif --html=report.html "$@" "$file" > text 2> err || true
    echo "80 columns"
    sed '/^$/,$d' text | plain
    grep -v '^  *[0-9]* |\|^$' err | plain || true
    if [ "$kind" != unfinished ]; then # which has no table, and takes seconds
        COLUMNS=200 "$heddle" check "$@" "$file" > text 2> err || true
        echo "200 columns"
        sed '/^$/,$d' text | plain
        grep -v '^  *[0-9]* |\|^$' err | plain || true
    fi
    echo "json"
    jq -c '.errors[] | (del(.schedule, .steps, .related, .waits)), (.related[]), (.waits[]),
        (.steps[] | [.thread, .kind, .object, .value, .line, .column, .function, (.order // empty)])' report.json | plain
    echo "sarif"
    jq -c 'def place: .physicalLocation as $p | [$p.artifactLocation.uri, $p.region.startLine,
            $p.region.startColumn, .logicalLocations[0].name, .message.text];
        .runs[0] | .invocations[0], (.results[] | [.ruleId, .level, .message.text, (.locations[] | place)],
        (.relatedLocations[] | place),
        (.codeFlows[]?.threadFlows[] | .id as $id | .locations[]
         | [$id, .executionOrder, .importance, (.location | place)]))' report.sarif | plain
    echo "page"
    sed -n 's/^<script type="application\/json" id="data">\(.*\)<\/script>$/\1/p' report.html |
        jq -c '.files[].name, (.findings[] | [.kind, .where, .decided, .threads], .rows, .edges, .waits,
            .places, .reasons[], (.steps[] | [.thread, .text, .object, .after, .code,
            ([to_entries[] | select(.value == true) | .key] | join(" "))]))' | plain
}

# shown FILE KIND GOLDEN OPTION...: the file has a finding of the kind, shown as the golden file has it.
shown() {
    local file=$1 kind=$2 golden=$root/tests/findings/$3
    shift 3
    golden "$file" "$kind" "$@" > shown
    if [ -n "${UPDATE:-}" ]; then
        cp shown "$golden"
    fi
    [ -f "$golden" ] || fail "$file has no golden file: UPDATE=1, and look at it"
    for format in '80 columns|(error|warning): .*\[KIND\]$|^heddle: KIND: ' '200 columns|error: .*\[KIND\]$|^heddle: KIND: ' \
        'json|^{"kind":"KIND"' 'sarif|^\["KIND",' 'page|^\["KIND",'; do
        pattern=${format#*|}
        awk -v name="${format%%|*}" '/^([0-9]+ columns|json|sarif|page)$/ { on = $0 == name; next } on' shown > part
        [ "$kind/${format%%|*}" = "unfinished/200 columns" ] || grep -qE "${pattern//KIND/$kind}" part ||
            fail "$file: the kind $kind is not in ${format%%|*}"
    done
    diff "$golden" shown || fail "$file is shown in another way"
}

for kind in $("$heddle" explain | sed -nE 's/^  ([a-z-]+) .*/\1/p'); do
    options=
    [ -f "$kind.c" ] || fail "tests/findings has no program with the kind $kind"
    case $kind in
        exit-status) options=--exit-status ;;
        leak) options=--leaks=error ;;
        use-after-free) options=--no-race-check ;;
        unfinished) options=--watchdog=1 ;;
    esac
    shown "$kind.c" "$kind" "$kind.golden" $options
done

while read -r file kind; do
    shown "weak/$file" "$kind" "weak/$file.golden" "$(sed -n '1s/.*\(--model=[a-z0-9]*\).*/\1/p' "weak/$file")"
done << 'END'
store-buffer.c assertion
message.c data-race
reclaim.c data-race
lost-wakeup.c deadlock
abstract.heddle assertion
END
