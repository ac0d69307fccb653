// review.mjs URL: two people review a list. See review.sh.
import { readFileSync } from "node:fs";
import { check, finish, open, rows, same, status, unwanted } from "./browser.mjs";

const url = process.argv[2];
const own = (address) => address.startsWith(url);
async function join(name) {
  const page = await open(url, {}, null);
  page.allowed = own;
  await page.fill("#reviewer", name);
  await page.keyboard.press("Tab");
  return page;
}
const verdicts = (page) => page.locator("#list .verdict").allTextContents();
const saved = (page) => page.waitForResponse((answer) => answer.url().endsWith("api/verdict") && answer.status() === 200);
const allowed = (requests) => requests.filter((one) => !one.startsWith(`request: ${url}api/`));

const anna = await join("anna");
const bert = await join("bert");
check("it says where verdicts go", (await anna.locator(".note").first().innerText()).includes("saved in the database"));

// Filter, open, mark with the keyboard.
await anna.selectOption("#kind", "race");
await anna.locator("h2", { hasText: "Findings" }).click();
await anna.keyboard.press("j");
await anna.keyboard.press("Enter");
await anna.locator("#list .judge").waitFor();
const race = await rows(anna).first().getAttribute("id");
await Promise.all([saved(anna), anna.keyboard.press("1")]);
await anna.waitForFunction(() => document.getElementById("status").textContent.includes("1 of 2 reviewed, 1 real"));
await Promise.all([saved(anna), (async () => {
  await anna.keyboard.press("n");
  await anna.keyboard.type("two threads, no lock");
  await anna.keyboard.press("Escape");
})()]);
await anna.reload();
await anna.waitForFunction(() => document.documentElement.dataset.ready);
same("the verdict is still there after a reload", await anna.locator(`#${race} > summary .verdict`).textContent(), "confirmed");
await anna.locator(`#${race} > summary`).click();
await anna.locator(".said li").first().waitFor();
check("its history is shown", (await anna.locator(".said").innerText()).includes("anna"), await anna.locator(".said").innerText());
same("the note is there", await anna.locator(`#${race} .judge textarea`).inputValue(), "two threads, no lock");

// The other one sees it without doing anything, and says something else.
await bert.waitForFunction((id) => document.querySelector(`#${id} .verdict`).textContent === "confirmed", race);
await bert.locator(`#${race} > summary`).click();
await bert.locator(`#${race} .judge textarea`).fill("cannot happen <img src=x onerror=alert(1)>");
await Promise.all([saved(bert), bert.locator(`#${race} .judge button`).nth(3).click()]);
await bert.locator(`#${race} .said li`, { hasText: /bert.*: false/ }).first().waitFor();
const said = await bert.locator(`#${race} .said`).innerText();
check("both verdicts are beside each other", said.includes("anna") && said.includes("confirmed") && said.includes("bert") && said.includes("false"), said);
same("a note is text", await bert.locator("img").count(), 0);
await anna.waitForFunction((id) => document.querySelector(`#${id} .verdict`).textContent === "false", race);
await anna.locator(`#${race} .said li`, { hasText: "bert" }).first().waitFor();
check("the first reviewer sees both", (await anna.locator(`#${race} .said`).innerText()).includes("anna"));
const deadlock = await rows(anna).evaluateAll((all) => all.find((row) => row.dataset.kind === "deadlock").id);
await anna.locator(`#${deadlock} > summary`).focus();
await Promise.all([saved(anna), anna.keyboard.press("1")]);
await anna.waitForFunction(() => document.getElementById("status").textContent.includes("2 of 2 reviewed, 1 real, precision so far 50 %"));
check("progress", (await status(anna)).includes("2 of 2 reviewed"), await status(anna));

// Export: the report with the verdicts.
for (const format of ["html", "jsonl"]) {
  await anna.click("#export");
  const [download] = await Promise.all([anna.waitForEvent("download"), anna.locator("dialog a", { hasText: format }).click()]);
  const text = readFileSync(await download.path(), "utf8");
  check(`export ${format}`, text.includes("confirmed") && text.includes("cannot happen"), text.slice(0, 300));
  await anna.keyboard.press("Escape");
}

// A list that is sorted anew says why things moved; what is being read stays where it is until the reader goes on.
{
  const page = await open(url);
  page.allowed = own;
  const answer = (turned, later) => page.route("**/api/state*", async (route) => {
    const state = await (await route.fetch({ url: `${url}api/state` })).json();
    const all = turned ? state.findings.reverse() : state.findings;
    all.forEach((finding, i) => (finding.rank = i + 1));
    all[0].reasons.push({ points: 2, text: "a sibling was <b>confirmed</b>" });
    state.sequence += later;
    await route.fulfill({ json: state });
  });
  const ids = () => rows(page).evaluateAll((some) => some.map((row) => row.id));
  const before = await ids();
  await answer(true, 1000);
  await page.waitForFunction((id) => document.querySelector("#list > details").id === id, before[1], { timeout: 30000 });
  same("sorted anew", await ids(), [before[1], before[0]]);
  await page.locator("h1").click();
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  await page.locator(`#${before[1]} .judge`).waitFor();
  same("where it was", await page.locator(`#${before[1]} .moved`).textContent(), "was 2");
  check("why it moved", (await page.locator(`#${before[1]} .reasons`).innerText()).includes("a sibling was <b>confirmed</b>"));
  const top = () => page.locator(`#${before[1]}`).evaluate((row) => row.getBoundingClientRect().top);
  const was = await top();
  await page.unroute("**/api/state*");
  await answer(false, 2000);
  await page.waitForFunction((id) => document.querySelector(`#${id} .rank`).textContent === "2", before[1], { timeout: 30000 });
  check("the reader's place on the screen is kept", Math.abs((await top()) - was) < 2, `${was} became ${await top()}`);
  same("and in the list", await ids(), [before[1], before[0]]);
  await page.keyboard.press("j");
  same("j goes on from there", await page.locator(".f.current").getAttribute("id"), before[0]);
  await page.context().close();
}

// A server that went away is said so, and nothing more than that goes wrong.
unwanted.splice(0, unwanted.length, ...allowed(unwanted));
const seen = unwanted.length;
process.kill(Number(process.env.SERVER));
await anna.waitForFunction(() => document.getElementById("link").textContent.includes("cannot be reached"));
check("the reader is told that the server is gone", true);
unwanted.length = seen;
await anna.close();
await bert.close();
unwanted.length = seen;
await finish();
