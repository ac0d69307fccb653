// long.mjs URL: a list of 350 findings, served in parts. See long.sh.
import { check, finish, open, same, status, unwanted } from "./browser.mjs";

const url = process.argv[2];
const answer = await fetch(url);
const html = await answer.text();
check("the page itself is small", html.length < 2 << 20, String(html.length));
same("it has the first rows", html.match(/<details class="f/g).length, 300);
check("and few details", html.match(/<div class="body">/g).length <= 20, String(html.match(/<div class="body">/g).length));
same("nothing is packed into it", html.includes('id="pack-0"'), false);
same("it is sent compressed", answer.headers.get("content-encoding"), "gzip");

const asked = [];
const page = await open(url, {}, null);
page.allowed = (address) => address.startsWith(url);
page.on("request", (request) => asked.push(request.url()));
await page.waitForFunction(() => document.documentElement.dataset.all);
check("all rows are counted", (await status(page)).includes("350"), await status(page));

// One that came later is found, and opens with its own details.
const last = await page.evaluate(async () => {
  const lines = (await (await fetch("api/rows")).text()).trim().split("\n");
  return /id="f-([^"]*)"/.exec(lines.at(-1))[1];
});
const name = await page.evaluate(async (id) => /count\d+/.exec(await (await fetch(`api/details?id=${id}`)).text())[0], last);
await page.fill("#search", name);
await page.waitForFunction(() => document.querySelectorAll("#list > details").length < 20);
await page.locator(`#f-${last} > summary`).click();
await page.locator(`#f-${last} .body .judge`).waitFor();
check("its story is there", (await page.locator(`#f-${last} .body`).innerText()).includes(name));
check("it was asked for", asked.some((address) => address.includes(`api/details?id=${last}`)), asked.join(" "));
same("once", await page.locator(`#f-${last} .body`).count(), 1);
await page.locator(`#f-${last} > summary`).click();
await page.locator(`#f-${last} > summary`).click();
same("and not again", await page.locator(`#f-${last} .body`).count(), 1);

// A verdict on it, and a link to it.
await Promise.all([page.waitForResponse((one) => one.url().endsWith("api/verdict") && one.status() === 200), page.locator(`#f-${last} .judge button`).nth(3).click()]);
const other = await open(`${url}#f-${last}`, {}, null);
other.allowed = page.allowed;
await other.locator(`#f-${last} .body .judge`).waitFor();
same("the verdict is there", await other.locator(`#f-${last} > summary .verdict`).textContent(), "false");
const missing = await fetch(`${url}api/details?id=0000`);
same("what is not there is not", missing.status, 404);
unwanted.splice(0, Infinity, ...unwanted.filter((one) => !one.startsWith(`request: ${url}api/`)));
finish();
