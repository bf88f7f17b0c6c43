#!/bin/bash
# Every kind of finding in every format for programs: JSON, SARIF and JUnit, each valid by its schema.
. "$(dirname "$0")/../library.sh"

# schema SCHEMA FILE: the file is valid, and has no key that the schema does not name.
schema() {
    jq -n -r -L "$root/tests" --slurpfile schema "$1" --slurpfile document "$2" \
        'import "schema" as s; s::faults($schema[0]; $document[0]; true)' > faults
    [ ! -s faults ] || fail "$2 is not valid: $(head -3 faults)"
}
valid() {
    schema "$root/docs/schema/report.json" report.json
    schema "$root/tests/sarif-2.1.0.json" report.sarif
    xmllint --noout --schema "$root/tests/junit.xsd" report.xml 2> faults ||
        fail "report.xml is not valid: $(head -3 faults)"
}
check() {
    local status=$1
    shift
    expect "$status" "$heddle" check --json=report.json --sarif=report.sarif --junit=report.xml "$@"
    valid
    jq -r 'paths | map(if type == "number" then "N" else . end) | join(".")' report.json >> keys
}
sarif() { json "$1" report.sarif; }
junit() { [ -n "$(xmllint --xpath "$1" report.xml 2> /dev/null)" ] || fail "not in the JUnit report: $1"; }

# The validator itself can find fault.
echo '{"verdict":"perhaps","errors":[{"kind":"x","line":-1}],"more":1}' > bad.json
jq -n -r -L "$root/tests" --slurpfile schema "$root/docs/schema/report.json" --slurpfile document bad.json \
    'import "schema" as s; s::faults($schema[0]; $document[0]; true)' > faults
for fault in 'verdict: unexpected perhaps' 'no schema_version' 'more is not in the schema' \
    'errors\[0\].kind: unexpected x' 'errors\[0\].line: below 0' 'errors\[0\]: no schedule'; do
    says faults "$fault"
done

cp "$root"/tests/findings/*.c .
for file in *.c; do
    kind=${file%.c} status=1 options=
    case $kind in
        exit-status) options=--exit-status ;;
        leak) options=--leaks=error ;;
        use-after-free) options=--no-race-check ;;
        unsupported) status=2 ;;
        unfinished) status=3 options=--watchdog=1 ;;
    esac
    check $status $options "$file"
    json ".errors[0].kind == \"$kind\" and (.errors[0].schedule | length > 0)" report.json
    sarif ".runs[0].results[0] | .ruleId == \"$kind\" and .message.text != \"\""
    sarif '.runs[0] as $run | all($run.results[]; $run.tool.driver.rules[.ruleIndex].id == .ruleId)'
    sarif '[.runs[0].results[0].codeFlows[]?.threadFlows[].locations[].executionOrder] |
           sort == [range(1; length + 1)]'
    sarif ".runs[0].invocations[0].exitCode == $status"
    if [ $status = 1 ]; then
        junit "//testsuites[@failures=1 and @errors=0]//failure[@type='$kind']"
    else
        junit "//testsuites[@failures=0 and @errors=1]//error"
    fi
    expect 0 "$heddle" explain "$kind"
    says out "\\($kind\\)"
    says out '^What usually fixes it$'
done
# Every kind that heddle knows has a program here, and is in the schema.
expect 0 "$heddle" explain
sed -nE 's/^  ([a-z-]+) .*/\1/p' out | sort > known
ls ./*.c | sed 's/^\.\///; s/\.c$//' | sort | diff known - || fail "a kind and its program: tests/findings"
jq -r '."$defs".error.properties.kind.enum[]' "$root/docs/schema/report.json" | sort |
    diff known - || fail "a kind and its word: docs/schema/report.json"
expect 2 "$heddle" explain no-such-kind
says err 'unknown kind no-such-kind; heddle explain lists them'

# Both accesses of a race; where a block was allocated and freed; who is blocked where.
check 1 data-race.c
json '[.errors[0].related[] | [.what, .thread, .line]] | sort == [["write", "T1", 10], ["write", "main", 18]]' report.json
json '.errors[0] | .column > 0 and (.steps | all(.column > 0))' report.json
sarif '[.runs[0].results[0].relatedLocations[] | [.message.text, .physicalLocation.region.startLine]] |
       sort == [["write by T1", 10], ["write by main", 18]]'
sarif '[.runs[0].results[0].codeFlows[0].threadFlows[].id] | sort == ["T1", "main"]'
check 1 --no-race-check use-after-free.c
json '[.errors[0].related[] | [.what, .thread, .line]] == [["allocated", "main", 16], ["freed", "T1", 10]]' report.json
check 1 deadlock.c
json '[.errors[0].waits[] | [.thread, .kind, .object, .line]] ==
      [["main", "lock", "right", 20], ["T1", "lock", "left", 10]]' report.json
sarif '.runs[0].results[0].relatedLocations | length == 2'

# Verified; cut short; not built, with what the compiler said.
check 0 --program='wx1 / rx'
junit '//testsuites[@failures=0 and @errors=0]'
sarif '.runs[0].results == [] and .runs[0].invocations[0].executionSuccessful'
check 3 --max-executions=1 --program='wx1 / rx'
junit '//error[@type="incomplete"]'
sarif '.runs[0].invocations[0] | (.executionSuccessful | not) and (.toolExecutionNotifications | length == 1)'
printf 'int main(void) {\n    return undeclared;\n}\n' > broken.c
check 2 broken.c
says err 'broken.c:2:12: error: .undeclared. undeclared'
says err '^heddle: the program does not compile$'
json '.verdict == "error" and (.diagnostics | test("broken.c:2:12: error: .undeclared. undeclared.*\n"))' report.json
junit '//error[@type="error" and contains(., "undeclared")]'
check 2 --json --no-such-option 2> /dev/null
check 2 no-such-file.c

# A part, and weak memory. Every key of the schema has now been seen, but for the estimate, which takes seconds.
expect 3 "$heddle" check --checkpoint=state --max-executions=3 --program='wx1 / wx2 / rx / rx'
expect 0 "$heddle" split --parts=2 state
check 0 --resume=state.1
check 1 --model=rc11 "$root/tests/findings/weak/message.c"
jq -r 'def under($path): .properties // {} | to_entries[] | ($path + [.key]) as $at | ($at | join(".")),
        (.value | select(has("$ref") | not) | under($at));
    ."$defs" as $defs | under([]), ([["errors.N", "error"], ["errors.N.related.N", "relation"],
        ["errors.N.waits.N", "wait"], ["errors.N.steps.N", "step"]][] | .[0] as $at | $defs[.[1]] | under([$at]))' \
    "$root/docs/schema/report.json" | grep -v '^estimate' | sort -u > named
sort -u keys | comm -13 - named > unseen
[ ! -s unseen ] || fail "the schema has keys that no report has: $(paste -sd' ' unseen)"

# Names that URIs and XML have to escape.
cp data-race.c 'a <b> & "c" %.c'
check 1 'a <b> & "c" %.c'
sarif '.runs[0].results[0].locations[0].physicalLocation.artifactLocation.uri == "a%20%3Cb%3E%20%26%20%22c%22%20%25.c"'
[ "$(xmllint --xpath 'string(//testcase/@name)' report.xml)" = 'a <b> & "c" %.c' ] || fail "name in XML"

# Bytes that are not UTF-8, in a name and in what the compiler quotes.
latin=$(printf 'Stra\337e.c')
cp data-race.c "$latin"
check 1 "$latin"
[ "$(xmllint --xpath 'string(//testcase/@name)' report.xml)" = 'Stra?e.c' ] || fail "name in XML"
printf 'int main(void) {\n    return undeclared; /* \374ber */\n}\n' > "$latin"
check 2 "$latin"

# Reports replace reports and nothing else; a batch writes none.
echo precious > other
for option in sarif junit; do
    expect 2 "$heddle" check --$option=other --program='wx1 / rx'
    says err 'other exists and is not a (SARIF log|JUnit report) of heddle'
    expect 2 "$heddle" check --batch=- --$option=new
done
[ "$(cat other)" = precious ] || fail "it was overwritten"

# All errors are there, not only those that the text shows.
printf 'thread p(i in 1..12) { assert(i == 0); }\n' > many.heddle
expect 1 "$heddle" check -k --sarif=report.sarif many.heddle
sarif '.runs[0].results | length == 12'

# Whoever fails while it holds a lock has not ended for those who wait for the lock.
cat > held.c << 'END'
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int done;
static void *sets(void *unused) {
    pthread_mutex_lock(&mutex);
    done = 1;
    pthread_mutex_unlock(&mutex);
    return unused;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, sets, NULL);
    pthread_mutex_lock(&mutex);
    assert(done);
}
END
expect 1 "$heddle" check --html=held.html held.c
says held.html 'waits for mutex, held by main'
! grep -q 'which has ended' held.html || fail "main has not ended"

# What to do next is said.
expect 1 "$heddle" check data-race.c
says out '^What it means and what usually fixes it: heddle explain data-race$'
says out '^To step through it in a browser: --html=FILE$'

expect 2 "$heddle" check unsupported.c
says err '^What it means and what usually fixes it: heddle explain unsupported$'
expect 2 "$heddle" check -q unsupported.c
[ "$(wc -l < err)" = 1 ] || fail "more than one line with --quiet"

# --verbose: commands, explanations, times. --quiet wins nothing by it.
expect 1 "$heddle" check --verbose data-race.c
says err '^\+ gcc '
says out '^  What usually fixes it:$'
says out '^Build: [0-9.]+ s; peak memory: [0-9.]+ MiB$'
