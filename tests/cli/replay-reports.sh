#!/bin/bash
# A replay writes the same reports as the check that found the error; without an error it verifies nothing.
. "$(dirname "$0")/../library.sh"

cp "$root"/tests/findings/assertion.c .
sed -i '1i #include <stdio.h>' assertion.c
sed -i 's/^int main(void) {/&\n    puts("printed by the program");/' assertion.c
expect 1 "$heddle" check --json=first.json --schedule=schedule assertion.c
mkdir reports
cd reports
expect 1 "$heddle" replay --json --sarif=log.sarif --junit=junit.xml --html=page.html --dot=graph.dot \
    --schedule=again ../schedule
mv out ../out
says err '^printed by the program$'
cd ..
json '.verdict == "bug" and .algorithm == "replay" and .executions == 1 and .errors[0].count == 1'
jq -n -r -L "$root/tests" --slurpfile schema "$root/docs/schema/report.json" --slurpfile document out \
    'import "schema" as s; s::faults($schema[0]; $document[0]; true)' > faults
silent faults
diff <(jq '.errors[0] | del(.schedule)' first.json) <(jq '.errors[0] | del(.schedule)' out) ||
    fail "the finding of the replay differs"
diff schedule reports/again || fail "the schedule of the replay differs"
json '.runs[0].results[0].ruleId == "assertion"' reports/log.sarif
says reports/junit.xml '<failure type="assertion"'
says reports/page.html '^<!-- heddle report -->$'
says reports/graph.dot '^digraph heddle \{'

# Both on a terminal's standard output: the text, and what the program prints.
expect 1 "$heddle" replay --json=file.json schedule
says out '^printed by the program$'
says out '^Replayed [0-9]+ steps as recorded\.$'
json '.verdict == "bug"' file.json

# Nothing is overwritten that is not a report.
echo precious > mine
expect 2 "$heddle" replay --html=mine schedule
says err 'mine exists and is not a page of heddle'
says mine '^precious$'

# A schedule without an error is no proof.
{ sed -n '/^error/d; /^unavoidable/d; /^end/q; p' schedule | grep -v '^end' | head -n 8; } > prefix
echo "end $(grep -c '^step' prefix)" >> prefix
expect 0 "$heddle" replay --json prefix
json '.verdict == "incomplete" and .errors == [] and (.message | test("no other was explored"))'

# What goes wrong is in the JSON object as well.
sed -i 's/seen + 1/seen + 2/' assertion.c
expect 2 "$heddle" replay --json schedule
json '.verdict == "error" and (.message | test("diverged at step"))'
expect 2 "$heddle" replay --json none
json '.verdict == "error" and (.message | test("cannot read none"))'
