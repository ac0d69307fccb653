// page.js: what the report does beyond being read: filter, sort, keys, verdicts.
// The page is complete without it. What comes from the analysed sources is only ever put in as text (textContent), except
// the packed details, which reports/html_*.c escaped like the rest of the page. docs/html.md.
"use strict";
(() => {
  const root = document.documentElement;
  const served = root.dataset.served === "1";
  const list = document.getElementById("list");
  const byId = (id) => document.getElementById(id);
  const VERDICTS = ["confirmed", "unconfirmed", "minor", "false"];
  const SAYS = { confirmed: "it is a bug", unconfirmed: "it looks like one", minor: "true, but harmless", false: "it cannot happen" };
  root.classList.add("js");

  const make = (tag, properties = {}, ...children) => {
    const element = Object.assign(document.createElement(tag), properties);
    element.append(...children);
    return element;
  };

  // Packs: text that was compressed ---------------------------------------------

  const PACK_PARTS = 50;
  const packs = new Map();

  async function unpack(name) {
    const bytes = Uint8Array.from(atob(byId(name).textContent), (c) => c.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
    return new Response(stream).text();
  }

  function part(index) {
    const number = Math.floor(index / PACK_PARTS);
    if (!packs.has(number)) packs.set(number, unpack(`pack-${number}`).then((text) => text.split("\x1e")));
    return packs.get(number).then((parts) => parts[index % PACK_PARTS]);
  }

  byId("more-guards")?.addEventListener("click", async (event) => {
    event.target.disabled = true;
    byId("guard-rows").insertAdjacentHTML("beforeend", await unpack("guards-0"));
    event.target.closest("p").remove();
  });

  if (!list) return; // nothing was found

  // Findings: one object each; the rows of a long list are made when they are shown ------

  const plain = (html) => html.replace(/<[^>]*>/g, "").replace(/&(lt|gt|amp|quot|#39);/g, (_, name) => ({ lt: "<", gt: ">", amp: "&", quot: '"', "#39": "'" })[name]);
  const findings = [];
  const findingOf = new Map(); // by row
  let later = 0;

  function addFinding(row, html, { classes, id, kind, group = "", verdict = "", note = "", rank }) {
    const finding = {
      row, // null: not made yet
      html, // of its row
      id,
      kind,
      group, // siblings have the same; "": it is alone
      folded: 0, // siblings that stand behind it in the list
      rank: Number(rank),
      printed: Number(rank), // the rank it had when the page was made
      score: null, // newer than the page's, as text
      under: classes.includes("under"), // the ranking's line, or silenced
      silenced: classes.includes("silenced"), // in the source or by a file
      verdict,
      note,
      pack: classes.includes("later") ? later++ : -1, // where its details are, until they are in the row
      reasons: null, // newer than the page's
      history: [], // what reviewers said, oldest first
    };
    finding.given = finding.verdict; // as the page was made
    finding.givenNote = finding.note;
    findings.push(finding);
    if (row) findingOf.set(row, finding);
  }

  const rest = byId("rows");
  const rowPattern = /^<details class="([^"]*)" id="f-([^"]*)" data-kind="([^"]*)" data-score="[^"]*"(?: data-group="([^"]*)")?(?: data-verdict="([^"]*)")?(?: data-note="([^"]*)")?><summary><span class="rank">(\d+)</;
  rest?.remove();
  for (const row of list.children)
    addFinding(row, row.firstElementChild.outerHTML, { classes: row.className, id: row.id.slice(2), rank: row.firstElementChild.firstElementChild.textContent, ...row.dataset });
  const findingById = new Map();
  function addLines(text) {
    for (const line of text.split("\n")) {
      const [, classes, id, kind, group, verdict, note = "", rank] = rowPattern.exec(line) ?? [];
      if (id && !findingById.has(id)) addFinding(null, line, { classes, id, kind, group, verdict, note: plain(note), rank });
    }
    findings.sort((a, b) => a.rank - b.rank); // siblings after the best of their group
    for (const finding of findings) findingById.set(finding.id, finding);
  }
  addLines(rest?.textContent ?? "");
  const fileOf = (finding) => (finding.file ??= plain(/<span class="place">([^<]*)</.exec(finding.html)[1]).replace(/:\d+$/, ""));
  const whatOf = (finding) => (finding.what ??= plain(/<span class="what">(.*?)<\/span><span class="where">/s.exec(finding.html)[1]));
  const textOf = (finding) => (finding.text ??= `${plain(finding.html.replaceAll("</span>", " "))} ${finding.id}`.toLowerCase());

  function rowOf(finding) {
    if (!finding.row) {
      const template = make("template", { innerHTML: finding.html });
      finding.row = template.content.firstElementChild;
      findingOf.set(finding.row, finding);
      dress(finding);
    }
    return finding.row;
  }

  // Brings a row up to date.
  function dress(finding) {
    if (!finding.row) return;
    const cells = finding.row.firstElementChild.children;
    const put = (cell, text) => cell.textContent === text || (cell.textContent = text);
    finding.row.classList.toggle("under", finding.under);
    if (finding.score !== null) put(cells[1], finding.score);
    if (finding.share) cells[1].dataset.share = finding.share;
    showFold(finding);
    put(cells[5], finding.verdict);
    if (finding.verdict) finding.row.dataset.verdict = finding.verdict;
    else delete finding.row.dataset.verdict;
    const moved = finding.rank === finding.printed ? "" : `was ${finding.printed}`;
    if (cells[0].textContent !== finding.rank + moved) {
      cells[0].textContent = finding.rank;
      if (moved) cells[0].append(make("span", { className: "moved", title: "its place when the page was loaded" }, moved));
    }
    if (finding.judge) showJudge(finding);
  }

  async function complete(finding) {
    if (finding.pack >= 0) {
      let html;
      try {
        html = served ? await askText(`api/details?id=${encodeURIComponent(finding.id)}`) : await part(finding.pack);
      } catch (error) {
        complain(`The details cannot be had (${error.message}): close and open it again.`);
        return;
      }
      if (finding.pack < 0) return;
      finding.pack = -1;
      finding.row.insertAdjacentHTML("beforeend", html);
      finding.row.classList.add("loaded");
    }
    addJudge(finding);
    showReasons(finding);
  }

  list.addEventListener("toggle", (event) => {
    const finding = findingOf.get(event.target);
    if (!finding || !finding.row.open) return;
    complete(finding);
    if (served) loadHistory(finding);
  }, true);

  // Filter and sort ---------------------------------------------------------------

  const controls = Object.fromEntries(["search", "kind", "judged", "file", "sort", "under"].map((id) => [id, byId(id)]));
  let shown = findings;
  let current = null; // the one the keys are about
  let progressOfServer = null;

  function fileTest(pattern) {
    if (!pattern) return () => true;
    if (!pattern.includes("*")) return (finding) => fileOf(finding).toLowerCase().includes(pattern);
    const parts = pattern.split("*").map((text) => text.replace(/[.+?^${}()|[\]\\]/g, "\\$&"));
    const expression = new RegExp(`(^|/)${parts.join(".*")}$`, "i");
    return (finding) => expression.test(fileOf(finding));
  }

  function verdictTest(choice) {
    if (!choice) return () => true;
    if (choice === "none") return (finding) => !finding.verdict;
    if (choice === "some") return (finding) => Boolean(finding.verdict);
    return (finding) => finding.verdict === choice;
  }

  // What is under the ranking's line shows when it is asked for; what was judged, or is being looked at, stays.
  const isAbove = (finding) => controls.under.checked || !finding.under || finding.verdict || finding.row?.open || finding === current;

  function showLine() {
    const count = findings.filter((finding) => finding.under).length;
    byId("line").hidden = !count;
    byId("line").lastElementChild.textContent = `under the line (${count.toLocaleString("en")})`;
  }

  // Siblings: findings of one cause are one entry, at the first of them, until somebody unfolds it ------

  const unfolded = new Set(); // groups
  const siblingsOf = (finding) => (finding.group ? findings.filter((other) => other.group === finding.group && other !== finding) : []);

  function fold(matching) {
    const heads = new Map();
    for (const finding of matching) finding.folded = 0;
    return matching.filter((finding) => {
      const head = finding.group && heads.get(finding.group);
      finding.row?.classList.toggle("sibling", Boolean(head));
      if (head) head.folded++;
      else if (finding.group) heads.set(finding.group, finding);
      return !head || unfolded.has(finding.group) || finding.row?.open || finding === current;
    });
  }

  function showFold(finding) {
    const cell = finding.row.firstElementChild.children[3];
    let button = cell.querySelector(".like");
    if (!finding.folded) return button?.remove();
    if (!button) cell.prepend((button = make("button", { type: "button", className: "like", onclick: (event) => (event.preventDefault(), toggleFold(finding)) })));
    button.textContent = `${unfolded.has(finding.group) ? "−" : "+"}${finding.folded} like it`;
    button.setAttribute("aria-expanded", String(unfolded.has(finding.group)));
  }

  function toggleFold(finding) {
    if (!unfolded.delete(finding.group)) unfolded.add(finding.group);
    filter(true);
  }

  // `again`: nobody asked for it, so what is there stays there.
  function filter(again = false) {
    const words = controls.search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const file = fileTest(controls.file.value.trim().toLowerCase());
    const judged = verdictTest(controls.judged.value);
    const kind = controls.kind.value;
    shown = fold(findings.filter((finding) =>
      (again && finding === current) ||
      (isAbove(finding) && (!kind || finding.kind === kind) && judged(finding) && file(finding) && words.every((word) => textOf(finding).includes(word)))));
    for (const finding of shown) if (finding.row && finding.group) showFold(finding);
    render(again ? Math.max(CHUNK, list.children.length) : CHUNK);
    showStatus();
  }

  // Puts the first `most` of what is shown into the page, and all up to the current one. What the reader looks at stays where
  // it is on the screen.
  const CHUNK = 300;
  const more = byId("more");
  function render(most) {
    const place = current ? shown.indexOf(current) + 1 : 0;
    const rows = shown.slice(0, Math.max(most, place ? place + CHUNK / 2 : 0)).map(rowOf);
    more.hidden = rows.length === shown.length;
    more.textContent = `Show more: ${(shown.length - rows.length).toLocaleString("en")} further findings`;
    if (rows.length === list.children.length && rows.every((row, i) => row === list.children[i])) return;
    keepPlace(() => replaceRows(rows));
  }

  function replaceRows(rows) {
    const focused = list.contains(document.activeElement) ? document.activeElement : null;
    if (rows.length > list.children.length && rows.every((row, i) => i >= list.children.length || row === list.children[i])) list.append(...rows.slice(list.children.length));
    else list.replaceChildren(...rows);
    if (focused && list.contains(focused)) focused.focus({ preventScroll: true });
  }

  // The current row, or else the first in sight, stays where it is on the screen.
  function keepPlace(change) {
    const inSight = (one) => one?.isConnected && one.getBoundingClientRect().bottom > 0 && one.getBoundingClientRect().top < innerHeight;
    const row = inSight(current?.row) ? current.row : document.elementFromPoint(innerWidth / 2, innerHeight / 4)?.closest(".f");
    const top = row?.getBoundingClientRect().top;
    change();
    if (row?.isConnected) scrollBy({ top: row.getBoundingClientRect().top - top, behavior: "instant" });
  }

  const renderMore = () => list.children.length < shown.length && render(list.children.length + CHUNK);
  more.addEventListener("click", renderMore);
  new IntersectionObserver((entries) => entries.some((entry) => entry.isIntersecting) && renderMore(), { rootMargin: "1500px" }).observe(more);

  const compare = (key) => (a, b) => (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : a.rank - b.rank);
  const orders = {
    rank: (a, b) => a.rank - b.rank,
    file: compare(fileOf),
    object: compare(whatOf),
    kind: compare((finding) => finding.kind),
    verdict: compare((finding) => (finding.verdict ? VERDICTS.indexOf(finding.verdict) : VERDICTS.length)),
  };

  // Sorted again because of verdicts, the current one stays before all that were still to come, until the reader goes on from
  // it: none of those is passed over, and one that was lifted comes next.
  function sort(again) {
    const pinned = again ? current : null;
    const toCome = new Set(pinned ? findings.slice(findings.indexOf(pinned) + 1) : []);
    findings.sort(orders[controls.sort.value]);
    if (pinned) {
      findings.splice(findings.indexOf(pinned), 1);
      const next = findings.findIndex((finding) => toCome.has(finding));
      findings.splice(next < 0 ? findings.length : next, 0, pinned);
    }
    filter(again);
  }

  function showStatus() {
    const judged = findings.filter((finding) => finding.verdict);
    const real = judged.filter((finding) => finding.verdict === "confirmed" || finding.verdict === "minor").length;
    const wrong = judged.filter((finding) => finding.verdict === "false").length;
    const count = (number, what) => `${number.toLocaleString("en")} ${what}${number === 1 ? "" : "s"}`;
    const entries = shown.some((finding) => finding.folded && !unfolded.has(finding.group));
    const parts = [entries ? `${count(shown.length, "entrie").replace(/entrie$/, "entry")} of ${count(findings.length, "finding")}` : shown.length === findings.length ? count(findings.length, "finding") : `${shown.length.toLocaleString("en")} of ${count(findings.length, "finding")}`];
    const progress = progressOfServer ?? { reviewed: judged.length, of: findings.length, real, false: wrong, precision: real + wrong ? real / (real + wrong) : null };
    if (progress.reviewed) {
      parts.push(`${progress.reviewed} of ${progress.of} reviewed, ${progress.real} real`);
      if (Number.isFinite(progress.precision)) parts[1] += `, precision so far ${Math.round(progress.precision * 100)} %`;
    }
    byId("status").textContent = parts.join(" · ");
  }

  let waiting = 0;
  for (const id of ["search", "file"])
    controls[id].addEventListener("input", () => {
      clearTimeout(waiting);
      waiting = setTimeout(filter, findings.length > 2000 ? 150 : 30);
    });
  for (const id of ["kind", "judged", "under"]) controls[id].addEventListener("change", () => filter());
  controls.sort.addEventListener("change", () => sort(false));

  // The current finding -------------------------------------------------------------

  function select(finding, scroll = true) {
    current?.row.classList.remove("current");
    current = finding;
    if (!finding) return;
    if (!finding.row?.isConnected) render(CHUNK);
    const summary = finding.row.firstElementChild;
    finding.row.classList.add("current");
    summary.focus({ preventScroll: true });
    if (scroll) summary.scrollIntoView({ block: "nearest" });
  }

  function step(by) {
    if (!shown.length) return;
    const at = current ? shown.indexOf(current) : -1;
    if (at >= 0) return select(shown[Math.min(Math.max(at + by, 0), shown.length - 1)]);
    // The current one is filtered out: on to the next after it in the order of the list.
    const place = current ? findings.indexOf(current) : -1;
    const next = shown.find((finding) => findings.indexOf(finding) > place);
    select(by > 0 ? next ?? shown[shown.length - 1] : shown[Math.max(shown.indexOf(next) - 1, 0)]);
  }

  list.addEventListener("focusin", (event) => {
    const finding = findingOf.get(event.target.closest(".f"));
    if (!finding || finding === current) return;
    current?.row.classList.remove("current");
    current = finding;
    finding.row.classList.add("current");
  });

  // Verdicts ---------------------------------------------------------------------

  const storageKey = `racerx verdicts ${root.dataset.subject}`;
  let kept = {}; // of this browser: id → {verdict, note}

  function readKept() {
    try {
      const found = JSON.parse(localStorage.getItem(storageKey) ?? "{}");
      kept = found && typeof found === "object" ? found : {};
    } catch {
      kept = {};
    }
  }

  function writeKept() {
    try {
      localStorage.setItem(storageKey, JSON.stringify(kept));
      byId("link").textContent = "";
    } catch {
      complain("This browser keeps nothing for this page: export before you close it.");
    }
  }

  function complain(text) {
    byId("link").textContent = text;
    byId("link").className = "error";
  }

  function give(finding, verdict, note, all = false) {
    if (all)
      for (const other of siblingsOf(finding)) {
        other.verdict = VERDICTS.includes(verdict) ? verdict : "";
        other.note = note;
        if (!served) kept[other.id] = { verdict: other.verdict, note };
        dress(other);
      }
    finding.verdict = VERDICTS.includes(verdict) ? verdict : "";
    finding.note = note;
    finding.draft = null;
    if (served) {
      send(finding, all);
    } else {
      if (finding.verdict === finding.given && note === finding.givenNote) delete kept[finding.id];
      else kept[finding.id] = { verdict: finding.verdict, note };
      writeKept();
    }
    dress(finding);
    showStatus();
  }

  function mark(finding, verdict) {
    give(finding, finding.verdict === verdict ? "" : verdict, finding.judge ? finding.judge.note.value : finding.note, finding.judge?.all?.checked);
  }

  function addJudge(finding) {
    if (finding.judge) return;
    const body = finding.row.querySelector(".body");
    body.querySelector(".given")?.remove();
    const buttons = VERDICTS.map((verdict, i) =>
      make("button", { type: "button", title: SAYS[verdict], onclick: () => mark(finding, verdict) }, make("kbd", {}, String(i + 1)), ` ${verdict}`));
    const note = make("textarea", { placeholder: "Note, kept with the verdict", rows: 1, maxLength: 4000, value: finding.note });
    note.setAttribute("aria-label", "Note");
    note.addEventListener("change", () => {
      if (finding.verdict || !served) give(finding, finding.verdict, note.value);
      else finding.draft = note.value; // it goes with the verdict
    });
    const said = make("ul", { className: "said" });
    const siblings = siblingsOf(finding).length;
    const all = siblings ? make("input", { type: "checkbox" }) : null;
    finding.judge = { buttons, note, said, all };
    const box = make("div", { className: "judge" }, ...buttons, ...(all ? [make("label", { className: "all" }, all, ` and the ${siblings} like it`)] : []), note, said);
    box.setAttribute("role", "group");
    box.setAttribute("aria-label", "Verdict");
    body.querySelector(".message").after(box);
    showJudge(finding);
  }

  function showJudge(finding) {
    const { buttons, note, said } = finding.judge;
    buttons.forEach((button, i) => button.setAttribute("aria-pressed", String(VERDICTS[i] === finding.verdict)));
    if (document.activeElement !== note) note.value = finding.draft ?? finding.note;
    said.replaceChildren(...finding.history.map((entry) => {
      const time = new Date(entry.time * 1000).toLocaleString([], { dateStyle: "short", timeStyle: "short" });
      return make("li", {}, `${entry.reviewer || "somebody"}, ${time}: ${entry.verdict || "taken back"}${entry.note ? ` (${entry.note})` : ""}`);
    }));
  }

  function showReasons(finding) {
    if (!finding.reasons) return;
    const body = finding.row.querySelector(".reasons tbody");
    const points = (number) => `${number < 0 ? "−" : "+"}${Math.abs(Math.round(number * 1000) / 1000)}`;
    body?.replaceChildren(...finding.reasons.map((reason) =>
      make("tr", {}, make("td", {}, points(reason.points)), make("td", {}, String(reason.text)))));
    const total = finding.row.querySelector(".reasons tfoot td");
    if (total) total.textContent = finding.row.querySelector(".score").textContent;
  }

  // The served page: verdicts go to the database, others' come from it ------------

  let sequence = -1; // of the last state that was asked for
  let newest = -1; // of the last verdict that was saved from here: an older state is out of date
  let generation = null; // another one: the tree was analysed again, and this page is of what was found before

  function applyState(state) {
    if (generation !== null && state.generation !== undefined && state.generation !== generation) return offerReload();
    generation = state.generation ?? null;
    for (const one of state.findings) {
      const finding = findingById.get(one.id);
      if (!finding) continue;
      const typing = finding.judge && document.activeElement === finding.judge.note;
      const changed = finding.verdict !== (one.verdict ?? "") || finding.note !== (one.note ?? "");
      finding.verdict = one.verdict ?? "";
      if (!typing) finding.note = one.note ?? "";
      finding.rank = one.rank;
      finding.score = String(Math.round(one.score * 1000) / 1000).replace("-", "−");
      finding.share = one.share ?? "";
      finding.under = Boolean(one.below_line) || finding.silenced;
      finding.reasons = one.reasons ?? null;
      dress(finding);
      if (changed && finding.row?.open) loadHistory(finding);
      if (finding.judge) showReasons(finding);
    }
    progressOfServer = state.progress;
    sequence = state.sequence;
    showLine();
    sort(true);
  }

  let offered = false;
  function offerReload() {
    if (offered) return;
    offered = true;
    const button = make("button", { type: "button", onclick: () => location.reload() }, "Reload");
    byId("status").before(make("p", { className: "error" }, "The tree was analysed again; this page shows what was found before. ", button));
  }

  async function ask(path, options) {
    const answer = await fetch(path, { cache: "no-store", credentials: "omit", ...options });
    if (answer.status === 204) return null;
    const body = await answer.text();
    let value = null;
    try {
      value = JSON.parse(body);
    } catch {
      // not JSON: an error page
    }
    if (!answer.ok || !value)
      throw Object.assign(new Error(value?.error ?? `the server answered ${answer.status}`), { refused: answer.status >= 400 && answer.status < 500 });
    return value;
  }

  async function askText(path) {
    const answer = await fetch(path, { cache: "no-store", credentials: "omit" });
    if (!answer.ok) throw new Error(`the server answered ${answer.status}`);
    return answer.text();
  }

  // The served page has the first rows; the others come after it can be read.
  async function loadRows() {
    while (findings.length < Number(root.dataset.rows)) {
      try {
        addLines(await askText("api/rows"));
        break;
      } catch (error) {
        complain(`The rest of the list cannot be had yet (${error.message}). It is tried again.`);
        await new Promise((resolve) => setTimeout(resolve, 2000));
      }
    }
    keepPlace(() => (showLine(), filter(true)));
    openHash();
    root.dataset.all = "1";
  }

  let polling = false;
  async function poll() {
    if (polling) return;
    polling = true;
    try {
      const since = generation === null ? `since=${sequence}` : `since=${sequence}&generation=${encodeURIComponent(generation)}`;
      const state = await ask(sequence < 0 ? "api/state" : `api/state?${since}`);
      if (state && !unsent.size && state.sequence >= newest) keepPlace(() => applyState(state));
      if (byId("link").className === "error") byId("link").textContent = byId("link").className = "";
      root.dataset.ready = "1";
    } catch (error) {
      complain(`The server cannot be reached (${error.message}): is racerx review still running?`);
    }
    polling = false;
  }

  // Verdicts of one finding go one after another; the last one said is the last one sent.
  const unsent = new Map();
  async function send(finding, all = false) {
    const waits = unsent.has(finding);
    unsent.set(finding, { id: finding.id, verdict: finding.verdict, note: finding.note, reviewer: byId("reviewer").value, seen: Math.max(sequence, 0), ...(all ? { group: true } : {}) });
    if (waits) return;
    while (unsent.has(finding)) {
      const body = unsent.get(finding);
      try {
        const answer = await ask("api/verdict", {
          method: "POST",
          headers: { "Content-Type": "application/json", "X-Racerx-Token": root.dataset.token },
          body: JSON.stringify(body),
        });
        finding.history = answer.history;
        byId("link").textContent = answer.others ? "Somebody else judged this finding too: both verdicts are kept." : "";
        if (finding.judge) showJudge(finding);
        newest = Math.max(newest, answer.sequence);
      } catch (error) {
        complain(`Not saved (${error.message}).${error.refused ? "" : " It is tried again."}`);
        if (!error.refused) {
          await new Promise((resolve) => setTimeout(resolve, 2000));
          continue;
        }
        sequence = -1; // what the database says counts
      }
      if (unsent.get(finding) === body) unsent.delete(finding);
    }
    poll();
  }
  addEventListener("beforeunload", (event) => {
    if (unsent.size) event.preventDefault();
  });

  async function loadHistory(finding) {
    try {
      finding.history = (await ask(`api/history?id=${encodeURIComponent(finding.id)}`)).history;
      if (finding.judge) showJudge(finding);
    } catch {
      // the next poll says that the server is gone
    }
  }

  // Dialogs --------------------------------------------------------------------

  function openDialog(title, ...content) {
    const close = make("button", { type: "button" }, "Close");
    const dialog = make("dialog", {}, make("h2", {}, title), ...content, make("div", { className: "buttons" }, close));
    const back = document.activeElement;
    close.onclick = () => dialog.close();
    dialog.onclose = () => {
      dialog.remove();
      back?.focus?.({ preventScroll: true });
    };
    document.body.append(dialog);
    dialog.showModal();
    return dialog;
  }

  function openHelp() {
    const keys = [["j  k", "next, previous finding"], ["Enter", "open or close it"], ["1 2 3 4", VERDICTS.join(", ") + "; again: take it back"], ["n", "write a note"], ["/", "search"], ["Esc", "leave a field; clear the search"], ["?", "this list"]];
    openDialog("Keys", make("table", {}, make("tbody", {}, ...keys.map(([key, what]) => make("tr", {}, make("td", {}, make("kbd", {}, key)), make("td", {}, what))))));
  }

  const shellQuote = (text) => `'${text.replaceAll("'", `'\\''`)}'`;

  // Of this page: verdicts, and that one was taken back; a note alone is none.
  const ownVerdicts = () => Object.entries(kept).filter(([id, { verdict }]) => verdict || findingById.get(id)?.given).filter(([id]) => findingById.has(id));

  function commands() {
    return ownVerdicts().map(([id, { verdict, note }]) => `racerx mark ${id} ${verdict || "none"}${note ? ` ${shellQuote(note)}` : ""}\n`).join("");
  }

  function download(name, type, text) {
    const link = make("a", { href: URL.createObjectURL(new Blob([text], { type })), download: name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  }

  function openExport() {
    if (served) {
      const links = ["html", "sarif", "jsonl", "csv"].map((format) => make("a", { href: `api/export?format=${format}`, download: "" }, format));
      openDialog("Export", make("p", {}, "The whole report, with the verdicts of the database:"), make("p", {}, ...links.flatMap((link) => [link, " "])));
      return;
    }
    readKept();
    const text = commands();
    const count = ownVerdicts().length;
    const area = make("textarea", { readOnly: true, value: text, id: "commands" });
    area.setAttribute("aria-label", "Commands");
    const json = () => JSON.stringify(ownVerdicts().map(([id, one]) => ({ id, ...one })), null, 1) + "\n";
    const copy = make("button", { type: "button", onclick: () => { area.select(); document.execCommand("copy"); } }, "Copy");
    const save = make("button", { type: "button", onclick: () => download("verdicts.sh", "text/x-shellscript", text) }, "Save commands");
    const saveJson = make("button", { type: "button", onclick: () => download("verdicts.json", "application/json", json()) }, "Save JSON");
    openDialog("Export", make("p", {}, count ? `${count} verdict${count === 1 ? "" : "s"} given in this browser. They are not in the database until these commands are run beside it:` : "No verdict was given in this browser yet."),
      ...(count ? [area, make("div", { className: "buttons" }, copy, save, saveJson)] : []));
  }

  byId("help").addEventListener("click", openHelp);
  byId("export").addEventListener("click", openExport);

  // Keys -----------------------------------------------------------------------

  const keys = {
    j: () => step(1),
    k: () => step(-1),
    "/": () => controls.search.select(),
    "?": openHelp,
    Enter: () => current && (current.row.open = !current.row.open),
    n: async () => {
      if (!current) return;
      current.row.open = true;
      await complete(current);
      current.judge.note.focus();
    },
  };
  VERDICTS.forEach((verdict, i) => (keys[String(i + 1)] = () => current && mark(current, verdict)));

  document.addEventListener("keydown", (event) => {
    const inField = event.target.matches("input, textarea, select");
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
    if (event.key === "Escape" && inField) {
      if (event.target === controls.search) controls.search.value = "", filter();
      event.target.blur();
      if (current) select(current, false);
      return;
    }
    if (inField || !Object.hasOwn(keys, event.key)) return;
    // A focused button, link or row opens by itself.
    if (event.key === "Enter" && event.target.closest("summary, button, a")) return;
    event.preventDefault();
    keys[event.key]();
  });

  addEventListener("beforeprint", () => render(shown.length)); // paper has no scrolling

  // Start ------------------------------------------------------------------------

  if (served) {
    const reviewer = byId("reviewer");
    try {
      reviewer.value = localStorage.getItem("racerx reviewer") ?? "";
      reviewer.addEventListener("change", () => localStorage.setItem("racerx reviewer", reviewer.value));
    } catch {
      // the name is asked for again next time
    }
    poll();
    setTimeout(loadRows);
    setInterval(() => document.hidden || poll(), 2000);
    addEventListener("focus", poll);
  } else {
    const showKept = () => {
      readKept();
      for (const finding of findings) {
        const own = Object.hasOwn(kept, finding.id) ? kept[finding.id] : null;
        const verdict = own ? String(own.verdict) : finding.given;
        const note = own ? String(own.note ?? "") : finding.givenNote;
        if (verdict === finding.verdict && note === finding.note) continue;
        finding.verdict = VERDICTS.includes(verdict) ? verdict : "";
        finding.note = note;
        dress(finding);
      }
      showStatus();
    };
    showKept();
    addEventListener("storage", showKept); // another tab
    root.dataset.ready = "1";
  }
  showLine();
  filter();

  // #f-ID opens that finding.
  const openHash = () => {
    if (location.hash === "#guards") byId("guards").open = true;
    const finding = findingById.get(location.hash.slice(3));
    if (!finding || !location.hash.startsWith("#f-")) return;
    rowOf(finding).open = true;
    current = finding;
    filter();
    select(finding);
  };
  addEventListener("hashchange", openHash);
  openHash();
  performance.mark("racerx-ready");
})();
