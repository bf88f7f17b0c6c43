#!/bin/bash
# Every kind of finding, exactly as it is shown in text on terminals of 80 and 200 columns, in JSON, SARIF and on
# the page: tests/findings/KIND.golden. A kind without one is a failure.
# After a change that is meant, UPDATE=1 writes these files; look at what has changed.
. "$(dirname "$0")/../library.sh"

cp "$root"/tests/findings/*.c .

# Addresses and times differ from run to run, and where in a loop a thread is found.
plain() {
    sed -E 's/0x[0-9a-f]{6,}/ADDRESS/g; s/\b[0-9]{13,}\b/ADDRESS/g; s/[0-9.]+ s went by/TIME went by/
        s/((unfinished|hang)\.c:[0-9]+):[0-9]+/\1:COLUMN/
        s/("(unfinished|hang)\.c","line":[0-9]+,"column":)[0-9]+/\1"COLUMN"/
        s/(\["(unfinished|hang)\.c",[0-9]+,)[0-9]+/\1"COLUMN"/'
}

golden() {
    local file=$1 kind=${1%.c}
    shift
    COLUMNS=80 "$heddle" check --json=report.json --sarif=report.sarif --html=report.html "$@" "$file" > text 2> err || true
    echo "80 columns"
    sed '/^$/,$d' text | plain
    grep -v '^  *[0-9]* |\|^$' err | plain || true
    if [ "$kind" != unfinished ]; then # which has no table, and takes seconds
        COLUMNS=200 "$heddle" check "$@" "$file" > text 2> err || true
        echo "200 columns"
        sed '/^$/,$d' text | plain
    fi
    echo "json"
    jq -c '.errors[] | (del(.schedule, .steps, .related, .waits)), (.related[]), (.waits[]),
        (.steps[] | [.thread, .kind, .object, .value, .line, .column, .function])' report.json | plain
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

for kind in $("$heddle" explain | sed -nE 's/^  ([a-z-]+) .*/\1/p'); do
    file=$kind.c options=
    [ -f "$file" ] || fail "tests/findings has no program with the kind $kind"
    case $kind in
        exit-status) options=--exit-status ;;
        leak) options=--leaks=error ;;
        use-after-free) options=--no-race-check ;;
        unfinished) options=--watchdog=1 ;;
    esac
    golden "$file" $options > "$kind.shown"
    if [ -n "${UPDATE:-}" ]; then
        cp "$kind.shown" "$root/tests/findings/$kind.golden"
    fi
    [ -f "$root/tests/findings/$kind.golden" ] || fail "$kind has no golden file: UPDATE=1, and look at it"
    grep -q "^{\"kind\":\"$kind\"" "$kind.shown" || fail "$file does not have the kind $kind"
    diff "$root/tests/findings/$kind.golden" "$kind.shown" || fail "$kind is shown in another way"
done
