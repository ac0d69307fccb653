// static.mjs DIR: the page as a file. See static.sh.
import { readFileSync } from "node:fs";
import { becomes, check, fileUrl, finish, open, rows, same, status } from "./browser.mjs";

const directory = process.argv[2];
const at = (name) => fileUrl(`${directory}/${name}`);
const visible = (page) => rows(page).count();
const settled = (page, text) => page.waitForFunction((wanted) => document.getElementById("status").textContent.startsWith(wanted), text);

// Every finding once, and what the first page says ------------------------------
{
  const wanted = readFileSync(`${directory}/examples.jsonl`, "utf8").trim().split("\n").map((line) => JSON.parse(line));
  const page = await open(at("examples.html"));
  same("every finding once, in order", await rows(page).evaluateAll((all) => all.map((row) => row.id)), wanted.map((finding) => `f-${finding.id}`));
  same("no id twice", await page.evaluate(() => {
    const ids = [...document.querySelectorAll("[id]")].map((element) => element.id);
    return ids.filter((id, i) => ids.indexOf(id) !== i);
  }), []);
  same("standards mode", await page.evaluate(() => document.compatMode), "CSS1Compat");
  const text = await page.locator("main").innerText();
  for (const words of ["lock tables", "c, linux, pthreads", "not understood", "deadlock", "Everything was read"]) check(`it says ${words}`, text.includes(words), text);
  check("scores are plotted", (await page.locator("svg.scores .bar").count()) >= 2);
  await page.locator("#guards > summary").click();
  same("guards are listed", await page.locator("#guard-rows tr").count(), 5);

  // A deadlock: the picture, both sides, locks and calls marked.
  const deadlock = rows(page).nth(0);
  await deadlock.locator("summary").first().click();
  same("two locks", await deadlock.locator(".cycle .node").count(), 2);
  same("two edges", await deadlock.locator(".cycle .edge").count(), 2);
  same("two sides", await deadlock.locator(".sides > section").count(), 2);
  same("lock calls are marked", await deadlock.locator("mark.lock").first().textContent(), "spin_lock_irq(&rtc_lock)");
  await becomes("side by side", async () => {
    const [left, right] = await deadlock.locator(".sides > section").evaluateAll((all) => all.map((one) => one.getBoundingClientRect().toJSON()));
    return left.y === right.y && right.x > left.x + left.width - 1;
  }, true);

  // A race: the belief, the access.
  const race = rows(page).nth(1);
  await race.locator("summary").first().click();
  check("the belief", (await race.locator(".belief").first().innerText()).startsWith("3 of 4 places hold"), await race.locator(".belief").first().innerText());
  same("the access is marked", await race.locator("pre .at mark").first().textContent(), "total.done");
  check("comments are coloured", (await race.locator("pre .c").count()) > 0);
  const points = await race.locator(".reasons tbody td:first-child").allTextContents();
  const number = (text) => Number(text.replace("−", "-"));
  const total = number(await race.locator(".reasons tfoot td").first().textContent());
  check("the points add up", Math.abs(points.reduce((sum, text) => sum + number(text), 0) - total) < 0.01, `${points} make ${total}`);
  check("how to silence", (await race.locator(".silence").innerText()).includes("racerx: ignore race"));
  await page.context().close();
}

// Filter, sort, search, keys ------------------------------------------------------
{
  const page = await open(at("examples.html"));
  await page.selectOption("#kind", "race");
  await becomes("filter by kind", () => visible(page), 1);
  await page.selectOption("#kind", "");
  await page.fill("#file", "rtc*");
  await settled(page, "1 of 2");
  await becomes("filter by file", () => rows(page).getAttribute("data-kind"), "deadlock");
  await page.fill("#file", "");
  await settled(page, "2 findings");
  await page.keyboard.press("Escape");
  await page.keyboard.press("/");
  await page.keyboard.type("total.done");
  await settled(page, "1 of 2");
  await becomes("search", () => rows(page).getAttribute("data-kind"), "race");
  await page.keyboard.press("Escape");
  await settled(page, "2 findings");
  await page.selectOption("#sort", "file");
  await becomes("sort by file", () => rows(page).evaluateAll((all) => all.map((row) => row.dataset.kind)), ["race", "deadlock"]);
  await page.selectOption("#sort", "rank");
  await page.locator("h1").click();

  await page.keyboard.press("j");
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  await becomes("j and Enter open the second", () => rows(page).evaluateAll((all) => all.map((row) => row.open)), [false, true]);
  await page.keyboard.press("Enter");
  await becomes("Enter closes it", () => rows(page).nth(1).evaluate((row) => row.open), false);
  await page.keyboard.press("k");
  await page.keyboard.press("1");
  await becomes("1 confirms the first", () => rows(page).evaluateAll((all) => all.map((row) => row.dataset.verdict ?? "")), ["confirmed", ""]);
  await page.keyboard.press("n");
  await page.keyboard.type("it's 'quoted' 4");
  await page.keyboard.press("Escape");
  await page.keyboard.press("j");
  await page.keyboard.press("4");
  await becomes("progress", async () => (await status(page)).includes("2 of 2 reviewed, 1 real, precision so far 50 %"), true);
  await page.keyboard.press("?");
  check("help", (await page.locator("dialog[open]").innerText()).includes("next, previous"));
  await page.keyboard.press("Escape");

  // What was said is there after a reload, can be taken back, and can be taken along.
  await page.reload();
  await page.waitForFunction(() => document.documentElement.dataset.ready);
  await becomes("verdicts are kept", () => page.locator("#list .verdict").allTextContents(), ["confirmed", "false"]);
  await page.click("#export");
  const ids = await rows(page).evaluateAll((all) => all.map((row) => row.id.slice(2)));
  const commands = await page.locator("#commands").inputValue();
  same("commands", commands.split("\n").sort(), ["", `racerx mark ${ids[0]} confirmed 'it'\\''s '\\''quoted'\\'' 4'`, `racerx mark ${ids[1]} false`].sort());
  check("it says they are not in the database", (await page.locator("dialog").innerText()).includes("not in the database"));
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByText("Save JSON").click()]);
  const saved = JSON.parse(readFileSync(await download.path(), "utf8"));
  same("JSON", saved.map((one) => one.verdict).sort(), ["confirmed", "false"]);
  await page.keyboard.press("Escape");
  await page.selectOption("#judged", "false");
  await becomes("filter by verdict", () => visible(page), 1);
  await page.selectOption("#judged", "");
  await rows(page).nth(1).locator("summary").first().click();
  await rows(page).nth(1).locator(".judge button").nth(3).click();
  await becomes("taken back", () => page.locator("#list .verdict").allTextContents(), ["confirmed", ""]);
  const second = await open(at("examples.html"), {}, page.context());
  // What one tab stores reaches another, which may be another process, a moment later.
  await becomes("another tab has them", async () => (await second.reload(), second.locator("#list .verdict").allTextContents()), ["confirmed", ""]);
  await page.context().close();
}

// Light, dark, print, phone, no JavaScript ------------------------------------------
{
  const paper = (page) => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor.match(/\d+/g).reduce((sum, part) => sum + Number(part), 0));
  const light = await open(at("examples.html"), { colorScheme: "light" });
  const dark = await open(at("examples.html"), { colorScheme: "dark" });
  check("light", (await paper(light)) > 700, await paper(light));
  check("dark", (await paper(dark)) < 120, await paper(dark));
  await dark.emulateMedia({ media: "print" });
  check("paper is white", (await paper(dark)) > 700, await paper(dark));
  same("no controls on paper", await dark.locator(".toolbar").isVisible(), false);
  check("it prints", (await dark.pdf({ format: "A4" })).length > 10000);

  for (const name of ["examples.html", "empty.html", "long.html"]) {
    const phone = await open(at(name), { viewport: { width: 390, height: 844 } });
    for (const summary of await phone.locator("details > summary:visible").all().then((all) => all.slice(0, 6))) await summary.click();
    await becomes(`no sideways scrolling on a phone: ${name}`, () => phone.evaluate(() => document.documentElement.scrollWidth), 390);
    await phone.context().close();
  }

  const plain = await open(at("examples.html"), { javaScriptEnabled: false });
  same("rows without JavaScript", await rows(plain).count(), 2);
  same("no dead controls", await plain.locator(".toolbar").isVisible(), false);
  await rows(plain).nth(1).locator("summary").first().click();
  check("details without JavaScript", (await rows(plain).nth(1).innerText()).includes("no lock held"));
  const long = await open(at("long.html"), { javaScriptEnabled: false });
  same("all rows without JavaScript", await long.locator("#list details.f").count(), 700);
  check("it says what is left out", (await long.locator(".note.plain").innerText()).includes("first 150"), await long.locator(".note.plain").innerText());
}

// An empty list ------------------------------------------------------------------
{
  const page = await open(at("empty.html"));
  const text = await page.locator("body").innerText();
  for (const words of ["No findings", "Nothing to review", "functions", "lock tables"]) check(`empty: it says ${words}`, text.includes(words), text);
}

// A long list: rows are made when they are needed -------------------------------------
{
  const page = await open(at("long.html"));
  same("a part of the rows at first", await visible(page), 300);
  const at300 = await page.evaluate(() => {
    for (let i = 0; i < 320; i++) document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "j", bubbles: true }));
    return [document.querySelector(".f.current .rank").textContent, document.activeElement === document.querySelector(".f.current > summary")];
  });
  same("j goes on past what was there at first", at300, ["320", true]);
  await page.check("#under");
  await settled(page, "700 findings");
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
  await page.waitForFunction(() => document.querySelectorAll("#list > details").length > 300);
  await page.waitForFunction(() => scrollTo(0, document.body.scrollHeight) || document.querySelectorAll("#list > details").length === 700);
  const last = rows(page).nth(699);
  await last.locator("summary").first().click();
  await last.locator(".body .reasons").waitFor();
  check("the last one opens", (await last.locator(".body pre").count()) > 0);
  const whole = await last.evaluate((row) => [row.querySelector(".what").textContent, row.querySelector(".message").textContent, row.id.slice(2), row.querySelector(".silence").textContent]);
  check("its details are its own", whole[3].includes(whole[2]), JSON.stringify(whole));
  same("in order", await page.locator("#list .rank").allTextContents().then((all) => all.map(Number)), Array.from({ length: 700 }, (_, i) => i + 1));
  await page.fill("#search", whole[2]);
  await settled(page, "1 of 700");
  await becomes("search finds what was not on the screen", () => rows(page).getAttribute("id"), `f-${whole[2]}`);
  await page.fill("#search", "");
  await settled(page, "700 findings");
  const direct = await open(`${at("long.html")}#f-${whole[2]}`);
  await direct.locator(`#f-${whole[2]}[open] .body`).waitFor();
  await becomes("a link to a finding opens it", () => direct.locator(`#f-${whole[2]} > summary`).evaluate((one) => one.getBoundingClientRect().top < innerHeight), true);
  await page.locator("#guards > summary").click();
  await page.click("#more-guards");
  await page.waitForFunction(() => document.querySelectorAll("#guard-rows tr").length === 3000);
  await page.context().close();
}
await finish();
