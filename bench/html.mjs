// html.mjs PAGE N: opens PAGE five times and prints medians. See html.sh.
import { statSync } from "node:fs";
import { browser, fileUrl, rows } from "../tests/browser/browser.mjs";

const [, , path, count] = process.argv;
const frames = (page) => page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
const median = (numbers) => numbers.sort((a, b) => a - b)[Math.floor(numbers.length / 2)];
const results = {};
const note = (name, milliseconds) => (results[name] ??= []).push(milliseconds);
async function timed(name, action) {
  const start = performance.now();
  await action();
  note(name, performance.now() - start);
}

for (let i = 0; i < 5; i++) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  const page = await context.newPage();
  const start = performance.now();
  await page.goto(fileUrl(path), { waitUntil: "commit" });
  await page.waitForSelector("#list > details");
  await frames(page);
  note("first rows on the screen", performance.now() - start);
  await page.waitForFunction(() => document.documentElement.dataset.ready);
  await frames(page);
  note("ready for keys and filters", performance.now() - start);
  const before = await page.locator("#status").textContent();
  await timed("a search", async () => {
    await page.fill("#search", "state_77");
    await page.waitForFunction((text) => document.getElementById("status").textContent !== text, before);
  });
  await page.fill("#search", "");
  await page.waitForFunction((text) => document.getElementById("status").textContent === text, before);
  await timed("a sort", async () => {
    await page.selectOption("#sort", "object");
    await frames(page);
  });
  await timed("opening a packed finding", async () => {
    await rows(page).and(page.locator(".later")).first().locator("summary").first().click();
    await page.waitForSelector(".loaded .body");
  });
  await context.close();
}
console.log(`a page of ${Number(count).toLocaleString("en")} findings`);
console.log(`  ${(statSync(path).size / 1e6).toFixed(1).padStart(7)} MB   size`);
const bars = { "first rows on the screen": 2000, "ready for keys and filters": 2000 };
for (const [name, numbers] of Object.entries(results)) {
  const middle = median(numbers);
  const verdict = bars[name] ? (middle <= bars[name] ? "ok" : "MISSED") : "";
  console.log(`  ${(middle / 1000).toFixed(2).padStart(7)} s    ${name}${bars[name] ? ` (about ${bars[name] / 1000} s: ${verdict})` : ""}`);
}
await browser.close();
