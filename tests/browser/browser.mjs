// browser.mjs: a browser for the tests beside it, and how they say what they saw.
import { pathToFileURL } from "node:url";
const { chromium } = await import(pathToFileURL(process.env.PLAYWRIGHT));

const flags = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync"];
export const browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: flags, timeout: 120000 });
export const fileUrl = (path) => pathToFileURL(path).href;

let failures = 0;
export const unwanted = []; // what no page may do: errors, dialogs, requests
export function check(name, condition, why = "") {
  console.log(condition ? `ok ${name}` : `not ok ${name}: ${why}`);
  failures += !condition;
}
export function same(name, got, wanted) {
  check(name, JSON.stringify(got) === JSON.stringify(wanted), `got ${JSON.stringify(got)}, wanted ${JSON.stringify(wanted)}`);
}

// What a page comes to show after an action: asked again until it is as wanted, or for half a minute.
export async function becomes(name, ask, wanted) {
  let got;
  for (const end = Date.now() + 30000; Date.now() < end; await new Promise((resolve) => setTimeout(resolve, 100)))
    if (JSON.stringify((got = await ask())) === JSON.stringify(wanted)) break;
  same(name, got, wanted);
}

// A page in a profile of its own, watched.
export async function open(url, options = {}, context = null) {
  context ??= await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  context.setDefaultTimeout(60000);
  const page = await context.newPage();
  page.on("pageerror", (error) => unwanted.push(`error: ${error.message}`));
  page.on("console", (message) => message.type() === "error" && unwanted.push(`console: ${message.text()}`));
  page.on("dialog", (dialog) => (unwanted.push(`dialog: ${dialog.message()}`), dialog.dismiss()));
  page.on("request", (request) => page.allowed?.(request.url()) || request.url().startsWith("blob:") || request.url().startsWith("data:") || request.url().split("#")[0] === url.split("#")[0] || unwanted.push(`request: ${request.url()}`));
  await page.goto(url);
  if (options.javaScriptEnabled !== false) await page.waitForFunction(() => document.documentElement.dataset.ready || !document.getElementById("list"));
  return page;
}

// Closes the browser; status 1 when something was not as it must be.
export async function finish() {
  same("no errors, dialogs or requests", unwanted, []);
  await browser.close();
  process.exit(failures ? 1 : 0);
}

export const rows = (page) => page.locator("#list > details");
export const status = (page) => page.locator("#status").textContent();
