#!/bin/bash
# The JSON object has the keys that are promised, and standard output holds nothing else.
. "$(dirname "$0")/../library.sh"

expect 1 "$heddle" check --json --program='l0 l1 u1 u0 / l1 l0 u0 u1'
silent err
[ "$(wc -l < out)" = 1 ] || fail "one line expected"
json 'keys == (["verdict","schema_version","algorithm","model","executions","assume_blocked","deadlocks","artifacts","blocked","pruned",
      "dont_do","events","seconds","peak_bytes","workers","errors","warnings","notes","version"] | sort)'
json '.verdict == "bug" and .deadlocks == 1 and .blocked == 0 and .pruned == 0'
json '.seconds >= 0 and .peak_bytes > 100000 and .workers == 1 and .warnings == []'
json '.errors[0] | keys == (["kind","message","stack","threads","thread","file","line","column","related","waits",
      "steps","remarks","unavoidable_after","schedule","count"] | sort)'
json '[.errors[0].steps[] | [.thread, .kind, .object, .value]] ==
      [["p0", "lock", "m0", null], ["p1", "lock", "m1", null]]'
json '.errors[0].kind == "deadlock" and .errors[0].count == 1'
json '.errors[0].message == "deadlock: p0 waits for m1, held by p1; p1 waits for m0, held by p0"'
json ".version == \"$("$heddle" --version | cut -d' ' -f2)\""

# The schedule in it is a schedule file.
jq -r '.errors[0].schedule' < out > schedule
expect 1 "$heddle" replay schedule

# To a file: the text is still printed.
expect 0 "$heddle" check --json=result --program='wx1 / rx'
says out 'No errors were detected'
json '.executions == 2' result

# Text that JSON has to escape.
printf 'thread t {\n    assert(0);\n}\n' > 'odd "name" \ .heddle'
expect 1 "$heddle" check --json 'odd "name" \ .heddle'
json '.errors[0].file == "odd \"name\" \\ .heddle" and .errors[0].line == 2'
json '.errors[0].kind == "assertion"'

# Distinct errors are listed, equal ones are counted.
cat > two.heddle <<'END'
shared x = 0;
thread p { x = 1; }
thread q { local a = x; assert(a == 0); }
thread r { local b = x; assert(b == 1); }
END
expect 1 "$heddle" check -k --json two.heddle
json '[.errors[] | [.line, .kind]] | sort == [[3, "assertion"], [4, "assertion"]]'
json '[.errors[].count] | add >= 2'

# Several errors before the first step, each with a schedule of its own.
printf 'thread p { assert(0); }\nthread q { assert(0); }\n' > early.heddle
expect 1 "$heddle" check -k --json early.heddle
json '[.errors[].line] | sort == [1, 2]'
for i in 0 1; do
    jq -r ".errors[$i].schedule" < out > early-$i
done
for i in 0 1; do
    expect 1 "$heddle" replay early-$i
    says out 'before the first step'
done

# An algorithm that cannot treat the program hands it over and says so.
expect 0 "$heddle" check --json --algorithm=pop --program='[rx,?wy1] / wx1 / ry'
json '.algorithm == "optimal" and .warnings == [] and (.notes[0] | test("^pop falls back to optimal: "))'

# Whatever is wrong, and wherever it stands, standard output is one JSON object with a message.
printf 'int main(void) { return undeclared; }\n' > broken.c
printf 'thread p {' > broken.heddle
while read -r arguments; do
    expect 2 "$heddle" check $arguments
    jq -es 'length == 1 and .[0].verdict == "error" and (.[0].message | length > 0)' < out > /dev/null ||
        fail "no JSON: $arguments"
done << 'END'
--json
--json --no-such-option
--no-such-option --json
--max-steps=few --json
--json --algorithm=none-such --program=wx1
--json --schedule=no/such/folder --program=wx1
--html=no/such/folder --json --program=wx1
--json no-such-file.c
--json broken.c
--json broken.heddle
--json --program=wx
--json --function=none broken.heddle
--json --resume=no-such-file
--json --program=wx1 -- argument
END

# An algorithm whose work cannot be shared has one worker.
expect 0 "$heddle" check --json --algorithm=none --program='wx1 / rx'
json '.workers == 1'
