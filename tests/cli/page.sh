#!/bin/bash
# The page of --html in a browser: stepping by keys and buttons, values and locks, filters, arrows,
# folding, several findings, a narrow screen, printing. Chromium runs a script that is put into the
# page; what it finds wrong is in the text of the page afterwards.
. "$(dirname "$0")/../library.sh"

cp "$root"/tests/findings/*.c .
expect 1 "$heddle" check --html=page.html overflow.c
says page.html '^<!-- heddle report -->$'
# Nothing is fetched, and no source can end the element that it is in.
! grep -nE '(src|href)=|url\((["'"'"'])?https?:|@import|fetch\(|XMLHttpRequest' page.html ||
    fail "the page refers to something else"
printf 'shared x = 0; /* </script><b> & "quoted" */\nthread p { assert(x); }\n' > odd.heddle
expect 1 "$heddle" check --html=odd.html odd.heddle
[ "$(grep -c '</script>' odd.html)" = 2 ] || fail "the source ends an element"
# A verified program, one that is not built, and other people's files.
expect 0 "$heddle" check --html=good.html --program='wx1 / rx'
expect 2 "$heddle" check --html=broken.html no-such-file.c
echo precious > other.html
expect 2 "$heddle" check --html=other.html --program='wx1 / rx'
says err 'other.html exists and is not a page of heddle'

browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome || true)
if [ -z "$browser" ]; then
    echo "skipped: the page itself is not tested, because chromium is not installed (apt-get install chromium)"
    exit 0
fi
chrome() { timeout 120 "$browser" --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --no-first-run \
    --user-data-dir="$folder/profile" "$@" 2> chrome.err; }

# browse PAGE SIZE: runs the script of standard input in the page.
browse() {
    last="page $1 in the browser"
    { sed '/^<\/body>/,$d' "$1"
      cat << 'END'
<script>
const faults = [], $ = (id) => document.getElementById(id);
const check = (good, words) => { if (!good) faults.push(words); };
const same = (a, b, words) => check(JSON.stringify(a) === JSON.stringify(b), words + ": " + JSON.stringify(a));
const key = (name) => document.dispatchEvent(new KeyboardEvent("keydown", { key: name, bubbles: true }));
const now = () => $("position").textContent;
const rows = (id) => [...$(id).tBodies[0].rows].map((r) => [...r.cells].map((c) => c.textContent));
const shown = () => [...document.querySelectorAll("#steps > li:not(.fold):not(.waits)")].filter((l) => !l.hidden).length;
try {
END
      cat
      echo '} catch (error) { faults.push(String(error.stack || error)); }'
      echo 'document.body.textContent = "RESULT " + (faults.length ? faults.join("; ") : "good") + " END";</script></body></html>'
    } > test.html
    chrome --window-size="$2" --virtual-time-budget=3000 --dump-dom "file://$PWD/test.html" > dom || fail "chromium: $(tail -2 chrome.err)"
    grep -q 'RESULT good END' dom || fail "$(grep -oE 'RESULT .* END' dom || tail -3 dom)"
}

browse page.html 1400,900 << 'END'
same(now(), "step 6 of 6", "it starts at the error");
check($("forward").disabled && !$("back").disabled, "nothing follows the last step");
same(rows("values"), [["used", "2", "main, step 5"]], "values");
key("ArrowLeft");
same(now(), "step 5 of 6", "left");
$("back").click();
same(now(), "step 4 of 6", "back");
same(rows("values"), [["used", "1", "T1, step 4"]], "values of step 4");
check($("values").querySelector("tr.changed").cells[0].textContent === "used", "what changed");
const marked = () => [...document.querySelectorAll("#source .row.at")].map((r) => r.firstChild.textContent + r.lastChild.textContent);
same(marked(), ["10main", "11T1"], "where the threads are");
check(document.querySelector("#source .row.now").firstChild.textContent === "11", "the line of the step");
key("Home");
same(now(), "step 1 of 6", "home");
key("ArrowLeft");
same(now(), "step 1 of 6", "nothing before the first");
$("forward").click();
key("ArrowRight");
same(now(), "step 3 of 6", "forward");
key("End");
key("!");
same(now(), "step 3 of 6", "the deciding step");
$("slider").value = 4; $("slider").dispatchEvent(new Event("input"));
same(now(), "step 5 of 6", "slider");
document.querySelectorAll(".step")[1].click();
same(now(), "step 2 of 6", "click");
// Filters hide steps, and stepping follows.
$("variable").value = "used"; $("variable").dispatchEvent(new Event("change"));
same(shown(), 4, "steps of used");
key("ArrowRight"); key("ArrowRight"); key("ArrowRight");
same(now(), "step 5 of 6", "stepping through the filter");
$("variable").value = ""; $("variable").dispatchEvent(new Event("change"));
const box = document.querySelector("#threads input"); box.click();
same(shown(), 2, "steps of T1");
box.click();
same(shown(), 6, "all steps");
// A click on a variable shows its steps alone, another one all of them again.
$("values").tBodies[0].rows[0].cells[0].click();
same([$("variable").value, shown()], ["used", 4], "a click on a variable");
$("values").tBodies[0].rows[0].cells[0].click();
same([$("variable").value, shown()], ["", 6], "and on it again");
// Arrows.
const steps = document.querySelectorAll(".step");
steps[4].dispatchEvent(new Event("mouseenter"));
check(document.querySelectorAll("#edges path").length >= 2, "arrows");
same([...document.querySelectorAll(".step.before")].length, 4, "steps before");
steps[4].dispatchEvent(new Event("mouseleave"));
same(document.querySelectorAll("#edges path").length, 0, "arrows vanish");
check(document.documentElement.scrollWidth <= innerWidth, "no scrolling sideways");
END

# Threads by what they start with, the end of a step that is no step, and numbers of three digits beside their steps.
cat > long.c << 'END'
#include <pthread.h>
#include <stdlib.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int rounds;
static void *work(void *p) {
    for (int i = 0; i < 30; i++) {
        pthread_mutex_lock(&m);
        rounds++;
        pthread_mutex_unlock(&m);
    }
    free(p);
    return NULL;
}
static void *clean(void *p) { free(p); return NULL; }
int main(void) {
    pthread_t a, b;
    void *p = malloc(8);
    pthread_create(&a, NULL, work, p);
    pthread_create(&b, NULL, clean, p);
    pthread_join(b, NULL);
    pthread_join(a, NULL);
    free(p);
}
END
expect 1 "$heddle" check --no-race-check --html=long.html long.c
for size in 1400,900 390,844; do
    browse long.html $size << 'END'
same([...document.querySelectorAll("#lanes > span")].map((l) => l.textContent), ["", "main", "T1 work", "T2 clean"], "names of threads");
same([...document.querySelectorAll("li.ends .step")].map((s) => s.textContent.includes("double free")), [true], "the second free");
check(document.querySelectorAll(".step").length > 100, "a long one");
for (const n of document.querySelectorAll("#steps .number")) check(n.scrollWidth <= n.clientWidth, "a number that is too wide: " + n.textContent);
END
done

# In a small window, too, a deadlock's page begins with what is blocked.
expect 1 "$heddle" check --html=deadlock.html deadlock.c
browse deadlock.html 390,300 << 'END'
const blocked = document.querySelector("li.waits").getBoundingClientRect(), view = $("timeline").getBoundingClientRect();
check($("timeline").scrollHeight > $("timeline").clientHeight, "it is too small for all steps");
check(blocked.bottom <= view.bottom, "what is blocked is in view: " + blocked.bottom + " of " + view.bottom);
END

# Locks and who holds them; a deadlock's explanation; one column on a phone.
browse deadlock.html 390,844 << 'END'
same(rows("locks"), [["left", "main", "step 2"], ["right", "T1", "step 3"]], "locks");
key("ArrowLeft");
same(rows("locks"), [["left", "main", "step 2"]], "locks before");
same([...document.querySelectorAll("li.waits .step")].map((w) => w.lastChild.textContent), ["waits for right, held by T1", "waits for left, held by main"], "what is blocked");
check(!$("timeline").classList.contains("list"), "two lanes fit on a phone");
check($("reasons").textContent.includes("cycle: main -> T1 -> main"), "the cycle");
check(document.documentElement.scrollWidth <= innerWidth, "no scrolling sideways: " + document.documentElement.scrollWidth);
check($("right").getBoundingClientRect().top >= $("left").getBoundingClientRect().bottom - 1, "one column");
for (const b of document.querySelectorAll("#controls button")) check(b.getBoundingClientRect().height >= 30, "buttons for fingers");
END

# A lock that two threads hold to read: each is named, and the others when one has released it.
cat > readers.c << 'END'
#include <pthread.h>
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void *reader(void *unused) {
    pthread_rwlock_rdlock(&lock);
    return unused;
}
int main(void) {
    pthread_t one, other;
    pthread_mutex_lock(&mutex);
    pthread_rwlock_rdlock(&lock);
    pthread_create(&one, NULL, reader, NULL);
    pthread_create(&other, NULL, reader, NULL);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    pthread_rwlock_unlock(&lock);
    pthread_rwlock_wrlock(&lock);
}
END
expect 1 "$heddle" check --html=readers.html readers.c
says out 'main waits to write-lock lock, held by T1 since step 5 \(readers.c:5\), which has ended, and by T2 since'
browse readers.html 1400,900 << 'END'
same(rows("locks"), [["mutex", "main", "step 1"], ["lock", "T1, T2", "step 5, step 6"]], "readers");
key("ArrowLeft");
same(rows("locks")[1], ["lock", "main, T1, T2", "step 2, step 5, step 6"], "readers before");
END

# The other access of a race is marked; who waits there is not the error. A weak memory model: what was read
# too late, and the hint.
expect 1 "$heddle" check --html=race.html data-race.c
browse race.html 390,844 << 'END'
same([...document.querySelectorAll("li.involved .step")].map((s) => s.title), ["main, data-race.c:18"], "the other access");
same(document.querySelectorAll("li.waits").length, 1, "main waits");
same(document.querySelectorAll("li.stuck").length, 0, "but that is not the error");
const label = document.querySelector("li.waits .number");
check(label.scrollWidth <= label.clientWidth, "its label fits: " + label.scrollWidth + " of " + label.clientWidth);
END
expect 1 "$heddle" check --model=rc11 --html=weak.html "$root/tests/findings/weak/abstract.heddle"
browse weak.html 1400,900 << 'END'
check($("steps").textContent.includes("read x -> 0 (old; step 1 is newer)"), "the old value");
check($("reasons").textContent.includes("Hint: this cannot happen with release in place of relaxed"), "the hint");
same(rows("figures").filter((r) => r[0] === "Checked under")[0][1], "memory model RC11", "the model");
END

# Folded steps open; several findings; nothing but figures.
cat > long.heddle << 'END'
shared x = 0;
thread p { local i; for (i = 0; i < 100; i++) { x = i; } assert(0); }
thread q { assert(0); }
END
expect 1 "$heddle" check -k --html=long.html long.heddle
browse long.html 1400,900 << 'END'
same(document.querySelectorAll("#findings button").length, 2, "findings");
const long = [...document.querySelectorAll("#findings button")].findIndex((b) => (b.click(), now().endsWith("100")));
check(long >= 0 && shown() < 60, "folded");
key("Home");
for (let i = 0; i < 40; i++) key("ArrowRight");
same(now(), "step 41 of 100", "into the fold");
same(shown(), 100, "unfolded");
END

# Twenty threads are a list, in which each step names its thread; names on a line of the source are few.
cat > many.c << 'END'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x;
static void *add(void *unused) { atomic_fetch_add(&x, 1); return unused; }
int main(void) {
    pthread_t threads[20];
    for (int i = 0; i < 20; i++) pthread_create(&threads[i], NULL, add, NULL);
    for (int i = 0; i < 20; i++) pthread_join(threads[i], NULL);
    for (int i = 0; i < 3000; i++) atomic_store(&x, i);
    assert(atomic_load(&x) != 2999);
}
END
expect 1 "$heddle" check --html=many.html many.c
browse many.html 1400,900 << 'END'
check($("timeline").classList.contains("list"), "a list");
check(document.documentElement.scrollWidth <= innerWidth, "no scrolling sideways");
check($("timeline").scrollTop > 0, "the last step is in view");
const last = Number(now().split(" ")[3]);
check(last > 3000, "all steps are there: " + last);
key("Home");
for (let i = 0; i < 50; i++) key("ArrowRight");
same(now(), "step 51 of " + last, "stepping");
same(document.querySelectorAll(".step.now").length, 1, "one step is the present one");
same(document.querySelectorAll(".step.later").length, last - 51, "and the later ones are faint");
const who = (i) => document.querySelectorAll("#steps > li:not(.fold):not(.waits) .who")[i].textContent;
same(who(0), "main", "its thread");
const names = [...document.querySelectorAll("#source .row.at b")].map((b) => b.childNodes.length);
check(names.length > 0 && Math.max(...names) <= 5, "few names: " + names);
END
browse good.html 1400,900 << 'END'
same($("headline").textContent, "No errors were detected.", "headline");
check(rows("figures").some((r) => r[0].includes("complete executions") && r[1] === "2"), "figures");
same(rows("figures").filter((r) => r[0] === "Checked under")[0][1], "sequential consistency", "the model");
END
browse broken.html 1400,900 << 'END'
check($("headline").textContent.includes("no-such-file.c"), "headline");
END

# Printed, it has all steps on few pages.
chrome --print-to-pdf=page.pdf "file://$PWD/page.html" > /dev/null || fail "printing: $(tail -2 chrome.err)"
[ -s page.pdf ] || fail "nothing was printed"
pages=$(grep -ac '/Type */Page\b' page.pdf)
[ "$pages" -ge 1 ] && [ "$pages" -le 4 ] || fail "$pages pages"
