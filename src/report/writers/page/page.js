"use strict";
(function () {
  const data = JSON.parse(document.getElementById("data").textContent);
  const $ = (id) => document.getElementById(id);
  const make = (tag, cls, words) => {
    const e = document.createElement(tag);
    if (cls) e.className = cls;
    if (words !== undefined) e.textContent = words;
    return e;
  };
  // "T1 worker": the name of a thread, and what the program calls it.
  const nameInto = (element, t) => {
    element.append(finding.threads[t]);
    if (finding.roles[t]) element.append(" ", make("span", "role", finding.roles[t]));
    return element;
  };
  const colour = (thread) => "var(--t" + (thread % 8) + ")";
  const MOST_NAMES = 5; // of threads that stand on one line of the source
  let finding, now = 0, items = [], byStep = [], hovered = -1, shownFile = -1;

  // ---- what the steps have done up to a place ----

  // Several threads may hold a lock to read, and a thread several times.
  function changeHolders(locks, s, i) {
    let holders = (locks.get(s.object) || { holders: [] }).holders;
    const own = holders.find((h) => h.by === s.thread);
    if (s.releases) {
      if (own) own.times--;
      holders = holders.filter((h) => h.times > 0);
    } else if (own) {
      own.times++;
    } else {
      holders = (s.shares ? holders : []).concat({ by: s.thread, step: i, times: 1 });
    }
    locks.set(s.object, { holders, step: i });
  }

  // Values of variables and holders of locks after step n, each with the step that made it so.
  function stateAfter(n) {
    const values = new Map(), locks = new Map();
    for (let i = 0; i <= n; i++) {
      const s = finding.steps[i];
      if ((s.takes && s.acquired) || s.releases) changeHolders(locks, s, i);
      if (s.after !== undefined) {
        const old = values.get(s.object);
        const changed = !old || old.value !== s.after;
        values.set(s.object, { value: s.after, step: i,
          writer: s.writes ? i : old ? old.writer : -1, changed: changed && i === n });
      }
    }
    return { values, locks };
  }

  // The last step of each thread up to n: where it stands.
  function placesAt(n) {
    const places = finding.threads.map(() => -1);
    for (let i = 0; i <= n; i++) places[finding.steps[i].thread] = finding.steps[i].place;
    if (n === finding.steps.length - 1) finding.waits.forEach((w) => { places[w.thread] = w.place; });
    return places;
  }

  // All steps that happen before step n: along edges and each thread's own order.
  function before(n) {
    const found = new Set(), last = finding.threads.map(() => -1), own = [];
    finding.steps.forEach((s, i) => { own[i] = last[s.thread]; last[s.thread] = i; });
    const into = new Map();
    finding.edges.forEach(([from, to, readsOnly]) => { if (!readsOnly) into.set(to, (into.get(to) || []).concat(from)); });
    const pending = [n];
    while (pending.length) {
      const i = pending.pop();
      for (const b of (into.get(i) || []).concat(own[i] >= 0 ? [own[i]] : [])) {
        if (!found.has(b)) { found.add(b); pending.push(b); }
      }
    }
    return found;
  }

  // ---- filters ----

  // What the filter leaves; read from the controls once, not for each step.
  let wanted = { variable: "", threads: [] };
  function readFilter() {
    wanted = { variable: $("variable").value,
      threads: [...document.querySelectorAll("#threads input")].map((box) => box.checked) };
  }
  function isVisible(i) {
    const s = finding.steps[i];
    return (!wanted.variable || s.object === wanted.variable) && wanted.threads[s.thread] !== false;
  }
  const isFiltered = () => wanted.variable !== "" || wanted.threads.includes(false);
  const visible = () => finding.steps.map((s, i) => i).filter(isVisible);

  function applyFilter() {
    readFilter();
    const filtered = isFiltered();
    items.forEach((item) => {
      if (item.fold) item.li.hidden = filtered || item.open;
      else item.li.hidden = filtered ? !isVisible(item.step) : item.folded && !item.folded.open;
    });
    let last = -1;
    items.forEach((item) => {
      if (item.fold || item.li.hidden) return;
      const thread = finding.steps[item.step].thread;
      item.li.classList.toggle("switch", last >= 0 && last !== thread);
      last = thread;
    });
    drawEdges(hovered);
  }

  // ---- the timeline ----

  // No line ends within an arrow, nor between it and the value.
  function unbroken(text) {
    const at = text.lastIndexOf(" -> ");
    if (at < 0 || text.length - at > 16) return [text];
    return [text.slice(0, at + 1), make("span", "unbroken", text.slice(at + 1))];
  }

  function stepItem(i) {
    const s = finding.steps[i], li = make("li");
    const failed = s.failed && !finding.ends; // what fails after a step has a box of its own
    const mark = failed ? "✗ " : i + 1 === finding.decided ? "! " : "";
    li.append(make("span", "number", mark + (i + 1)));
    const button = make("button", "step");
    button.append(make("span", "who", finding.threads[s.thread]), ...unbroken(s.text));
    if (s.code) button.append(make("small", "", s.code));
    button.style.gridColumn = s.thread + 2;
    button.style.setProperty("--of", colour(s.thread));
    button.title = finding.threads[s.thread] + (s.where ? ", " + s.where : "");
    button.addEventListener("click", () => go(i));
    const point = (n) => () => { hovered = n; drawEdges(n); };
    button.addEventListener("mouseenter", point(i));
    button.addEventListener("mouseleave", point(-1));
    button.addEventListener("focus", point(i));
    button.addEventListener("blur", point(-1));
    li.classList.toggle("failed", failed);
    li.classList.toggle("involved", s.involved && !failed);
    li.classList.toggle("decides", i + 1 === finding.decided);
    li.append(button);
    byStep[i] = { li, step: i, button };
    items.push(byStep[i]);
    return li;
  }

  function buildTimeline() {
    items = [];
    byStep = [];
    const list = $("steps"), lanes = $("lanes");
    list.replaceChildren();
    lanes.replaceChildren(make("span", "", ""));
    document.documentElement.style.setProperty("--lanes", finding.threads.length);
    document.documentElement.style.setProperty("--number", numberWidth() + "rem");
    finding.threads.forEach((name, t) => {
      const head = nameInto(make("span"), t);
      head.style.setProperty("--of", colour(t));
      lanes.append(head);
    });
    finding.rows.forEach(([first, count, shown]) => {
      if (shown) { list.append(stepItem(first)); return; }
      const li = make("li", "fold"), button = make("button", "", "… " + count + " steps");
      const fold = { li, fold: true, open: false };
      li.append(button);
      items.push(fold);
      list.append(li);
      for (let i = first; i < first + count; i++) {
        list.append(stepItem(i));
        items[items.length - 1].folded = fold;
      }
      button.addEventListener("click", () => { fold.open = true; applyFilter(); });
    });
    if (finding.ends) list.append(endItem());
    if (finding.waits.length) list.append(waitsItem());
  }

  // What the blocked threads would do next; it is the error itself if they never get it.
  function waitsItem() {
    const li = make("li", "waits");
    li.classList.toggle("stuck", finding.kind === "deadlock" || finding.kind === "livelock");
    li.append(make("span", "number", "blocked"));
    finding.waits.forEach((w) => {
      const box = make("span", "step");
      box.append(make("span", "who", finding.threads[w.thread]), w.text);
      box.style.setProperty("--of", colour(w.thread));
      box.style.gridColumn = w.thread + 2;
      box.style.gridRow = 1;
      li.append(box);
    });
    return li;
  }

  // Where the error is, if that is not the last step but the code after it.
  function endItem() {
    const li = make("li", "ends"), box = make("span", "step");
    box.append(make("span", "who", finding.threads[finding.thread]), finding.ends);
    if (finding.endsAt) box.append(make("small", "", finding.endsAt));
    box.style.setProperty("--of", colour(finding.thread));
    box.style.gridColumn = finding.thread + 2;
    li.append(make("span", "number", "✗"), box);
    return li;
  }

  const itemOf = (i) => byStep[i];
  // Room for a mark and the digits of the last step.
  const numberWidth = () => 0.9 + 0.62 * (2 + String(finding.steps.length).length);

  // Lanes that would not fit side by side become a list, in which each step names its thread.
  function arrange() {
    const narrow = innerWidth <= 512, lane = narrow ? 5.6 : 7.5, root = parseFloat(getComputedStyle(document.documentElement).fontSize);
    const needed = (numberWidth() + finding.threads.length * lane) * root;
    $("timeline").classList.toggle("list", needed > $("timeline").clientWidth + 1);
  }

  function drawEdges(n) {
    const group = $("edges"), box = $("timeline").getBoundingClientRect();
    group.replaceChildren();
    const known = n >= 0 ? before(n) : new Set();
    items.forEach((item) => item.button && item.button.classList.toggle("before", known.has(item.step)));
    if (n < 0) return;
    const scroll = $("timeline");
    $("arrows").style.height = scroll.scrollHeight + "px";
    finding.edges.forEach(([from, to, readsOnly]) => {
      if (to !== n && !known.has(to)) return;
      const a = itemOf(from), b = itemOf(to);
      if (a.li.hidden || b.li.hidden) return;
      const r = a.button.getBoundingClientRect(), s = b.button.getBoundingClientRect();
      // From below the earlier step, near the side of the other lane, to above the later one.
      const side = s.left > r.left ? 1 : -1, inset = Math.min(40, r.width / 3);
      const x1 = (side > 0 ? r.right : r.left) - side * inset - box.left + scroll.scrollLeft;
      const x2 = (side > 0 ? s.left : s.right) + side * inset - box.left + scroll.scrollLeft;
      const y1 = r.bottom - box.top + scroll.scrollTop, y2 = s.top - box.top + scroll.scrollTop;
      const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
      if (readsOnly) path.classList.add("read");
      const bend = Math.max(12, (y2 - y1) / 2);
      path.setAttribute("d", `M${x1},${y1} C${x1},${y1 + bend} ${x2},${y2 - bend} ${x2},${y2}`);
      group.append(path);
    });
  }

  // ---- the state beside it ----

  function fill(table, rows, empty) {
    const body = table.tBodies[0];
    body.replaceChildren();
    rows.forEach(({ cells, changed, thread }) => {
      const tr = make("tr", changed ? "changed" : "");
      cells.forEach((words, i) => {
        const td = make("td", "", words);
        if (thread !== undefined && i === thread.column) td.style.color = colour(thread.number);
        tr.append(td);
      });
      body.append(tr);
    });
    if (!rows.length) {
      const tr = make("tr", "none"), td = make("td", "", empty);
      td.colSpan = 3;
      tr.append(td);
      body.append(tr);
    }
  }

  function showState() {
    const { values, locks } = stateAfter(now);
    const who = (step) => step >= 0 ? finding.threads[finding.steps[step].thread] + ", step " + (step + 1) : "";
    fill($("values"), [...values].map(([name, v]) => ({ cells: [name, v.value, who(v.writer)], changed: v.changed })), "none yet");
    [...$("values").tBodies[0].rows].forEach((tr, i) => {
      const name = [...values.keys()][i];
      if (name !== undefined) tr.cells[0].addEventListener("click", () => {
        $("variable").value = $("variable").value === name ? "" : name;
        applyFilter();
        go(now);
      });
    });
    fill($("locks"), [...locks].map(([name, l]) => ({
      cells: [name, l.holders.map((h) => finding.threads[h.by]).join(", ") || "nobody",
        l.holders.map((h) => "step " + (h.step + 1)).join(", ")],
      changed: l.step === now,
      thread: l.holders.length === 1 ? { column: 1, number: l.holders[0].by } : undefined })), "none yet");
  }

  function showFile(number) {
    const file = data.files[number];
    $("files").childNodes.forEach((b, i) => b.setAttribute("aria-selected", String(i === number)));
    if (shownFile !== number) {
      shownFile = number;
      const used = new Set(finding.places.filter((p) => p.file === number).map((p) => p.line));
      $("source").replaceChildren(...file.lines.map((words, i) => {
        const row = make("div", "row");
        row.classList.toggle("used", used.has(i + 1));
        row.append(make("i", "", i + 1), make("code", "", words), make("b"));
        return row;
      }));
    }
    const places = placesAt(now), rows = $("source").childNodes;
    rows.forEach((row) => { row.classList.remove("at", "now"); row.lastChild.replaceChildren(); row.lastChild.removeAttribute("title"); });
    places.forEach((place, t) => {
      const p = place >= 0 ? finding.places[place] : undefined;
      if (!p || p.file !== number || !rows[p.line - 1]) return;
      const row = rows[p.line - 1], label = make("span", "", finding.threads[t]);
      label.style.setProperty("--of", colour(t));
      if (row.lastChild.childNodes.length < MOST_NAMES) row.lastChild.append(label);
      else row.lastChild.title = (row.lastChild.title || [...row.lastChild.childNodes].map((n) => n.textContent).join(" ")) + " " + finding.threads[t];
      if (row.lastChild.title) row.lastChild.lastChild.textContent = "…";
      row.classList.add("at");
      if (finding.steps.length && t === finding.steps[now].thread) {
        row.classList.add("now");
        row.style.setProperty("--of", colour(t));
        const box = $("source");
        box.scrollTop = row.offsetTop - box.clientHeight / 2;
      }
    });
  }

  // Inside the timeline, as far as needed; the page itself moves only when somebody steps.
  function scrollTo(li, atLoad) {
    const box = $("timeline"), a = li.getBoundingClientRect(), b = box.getBoundingClientRect();
    const head = $("lanes").offsetHeight;
    if (a.bottom > b.bottom) box.scrollTop += a.bottom - b.bottom + 4;
    else if (a.top < b.top + head) box.scrollTop -= b.top + head - a.top + 4;
    if (!atLoad && (b.top > innerHeight - 40 || b.bottom < 40)) li.scrollIntoView({ block: "nearest" });
  }

  function go(n, atLoad) {
    if (!finding.steps.length) return;
    const previous = now;
    now = Math.max(0, Math.min(finding.steps.length - 1, n));
    const item = itemOf(now);
    if (item.folded && !item.folded.open) { item.folded.open = true; applyFilter(); }
    // Only the steps from the one before to this one change their looks.
    const low = atLoad ? 0 : Math.min(previous, now), high = atLoad ? finding.steps.length - 1 : Math.max(previous, now);
    for (let i = low; i <= high; i++) {
      const button = byStep[i].button;
      button.classList.toggle("now", i === now);
      button.classList.toggle("later", i > now);
      if (i === now) button.setAttribute("aria-current", "step");
      else button.removeAttribute("aria-current");
    }
    const end = document.querySelector("li.ends, li.waits.stuck");
    scrollTo(end && now === finding.steps.length - 1 ? end : item.li, atLoad);
    $("slider").value = now;
    $("position").textContent = "step " + (now + 1) + " of " + finding.steps.length;
    const list = visible();
    $("back").disabled = $("first").disabled = !list.some((i) => i < now);
    $("forward").disabled = $("last").disabled = !list.some((i) => i > now);
    showState();
    const place = finding.places[finding.steps[now].place];
    if (place && place.file >= 0) showFile(place.file);
    else if (data.files.length) showFile(Math.max(shownFile, 0));
  }

  // To the nearest step that the filter shows.
  function move(direction) {
    const list = visible().filter((i) => direction > 0 ? i > now : i < now);
    if (list.length) go(direction > 0 ? list[0] : list[list.length - 1]);
  }
  const toEnd = (end) => { const list = visible(); if (list.length) go(end ? list[list.length - 1] : list[0]); };
  const decide = () => { if (finding.decided > 0) go(finding.decided - 1); };

  // ---- the page ----

  function buildFilters() {
    const select = $("variable"), names = [...new Set(finding.steps.map((s) => s.object).filter(Boolean))];
    select.replaceChildren(new Option("all", ""), ...names.map((n) => new Option(n, n)));
    $("threads").replaceChildren(...finding.threads.map((name, t) => {
      const label = make("label"), box = make("input");
      box.type = "checkbox";
      box.checked = true;
      box.value = t;
      box.addEventListener("change", () => { applyFilter(); go(now); });
      label.style.setProperty("--of", colour(t));
      label.append(box);
      nameInto(label, t);
      return label;
    }));
  }

  function show(number) {
    finding = data.findings[number];
    $("findings").childNodes.forEach((b, i) => b.setAttribute("aria-pressed", String(i === number)));
    $("headline").textContent = finding.message;
    $("place").textContent = finding.where + " [" + finding.kind + "]";
    $("meaning").replaceChildren(make("h2", "", finding.title), make("p", "", finding.meaning),
      make("h2", "", "What usually fixes it"), make("p", "", finding.remedy));
    $("reasons").replaceChildren(...finding.reasons.map((words) => make("p", "", words)));
    $("decide").disabled = !(finding.decided > 0);
    $("slider").max = Math.max(0, finding.steps.length - 1);
    shownFile = -1;
    const used = new Set(finding.places.map((p) => p.file));
    $("files").replaceChildren(...data.files.map((f, i) => {
      const b = make("button", "", f.name);
      b.setAttribute("role", "tab");
      b.hidden = !used.has(i);
      b.addEventListener("click", () => showFile(i));
      return b;
    }));
    buildFilters();
    buildTimeline();
    arrange();
    applyFilter();
    go(finding.steps.length - 1, true);
  }

  function showFigures() {
    const body = $("figures").tBodies[0];
    data.figures.forEach(([label, value]) => {
      const tr = make("tr");
      tr.append(make("td", "", label), make("td", "", value));
      body.append(tr);
    });
    $("warnings").replaceChildren(...data.warnings.map((w) => make("li", "", w)));
    $("notes").replaceChildren(...data.notes.map((n) => make("li", "", n)));
    $("version").textContent = "heddle " + data.version;
  }

  $("first").addEventListener("click", () => toEnd(false));
  $("last").addEventListener("click", () => toEnd(true));
  $("back").addEventListener("click", () => move(-1));
  $("forward").addEventListener("click", () => move(1));
  $("decide").addEventListener("click", decide);
  $("slider").addEventListener("input", () => go(Number($("slider").value)));
  $("variable").addEventListener("change", () => { applyFilter(); go(now); });
  addEventListener("resize", () => { if (finding) { arrange(); drawEdges(hovered); } });
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || /^(SELECT|INPUT)$/.test(event.target.tagName)) return;
    const act = { ArrowLeft: () => move(-1), ArrowRight: () => move(1), Home: () => toEnd(false),
      End: () => toEnd(true), "!": decide }[event.key];
    if (act) { event.preventDefault(); act(); }
  });

  showFigures();
  if (data.findings.length) {
    $("findings").replaceChildren(...(data.findings.length > 1 ? data.findings.map((f, i) => {
      const b = make("button", "", (i + 1) + ": " + f.kind);
      b.addEventListener("click", () => show(i));
      return b;
    }) : []));
    show(0);
  } else {
    $("headline").textContent = data.summary;
    $("headline").classList.toggle("good", data.verdict === "verified");
    document.querySelector("main").hidden = true;
    document.querySelector("footer").firstChild.remove();
  }
})();
