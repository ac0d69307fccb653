// hostile.mjs DIR: see hostile.sh. Dialogs, errors and requests fail the test by themselves.
import { check, fileUrl, finish, open, rows, same } from "./browser.mjs";

const harmful = (page) => page.evaluate(() => ({
  strange: [...document.querySelectorAll("img, iframe, object, embed, form, base, template, b b, svg[onload]")].map((element) => element.outerHTML.slice(0, 80)),
  handlers: [...document.querySelectorAll("*")].filter((element) => [...element.attributes].some((attribute) => /^on/i.test(attribute.name))).length,
  scripts: [...document.scripts].filter((script) => script.type !== "text/plain").length,
  styles: document.querySelectorAll("style").length,
}));
const nothing = { strange: [], handlers: 0, scripts: 1, styles: 1 };

for (const javaScriptEnabled of [true, false]) {
  const page = await open(fileUrl(`${process.argv[2]}/hostile.html`), { javaScriptEnabled });
  const how = javaScriptEnabled ? "with JavaScript" : "without";
  const count = await rows(page).count();
  check(`there are findings, ${how}`, count >= 2, count);
  for (let i = 0; i < count; i++) await rows(page).nth(i).locator("summary").first().click();
  await page.waitForTimeout(300);
  const text = await page.locator("#list").innerText();
  for (const words of ["<img src=x onerror=alert(1)>", "<b>&amp;", "</noscript>", "⟨U+202E⟩", "⟨U+000A⟩", "</pre></script>"]) check(`${words} is text, ${how}`, text.includes(words), text.slice(0, 3000));
  check(`no control characters, ${how}`, !/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069]/.test(text.replace(/\r/g, "")));
  // Asking the page from outside works in both.
  same(`nothing came in, ${how}`, await harmful(page), nothing);
  await page.context().close();
}

// The policy would stop a script that got in.
const page = await open(fileUrl(`${process.argv[2]}/hostile.html`));
const ran = await page.evaluate(() => new Promise((resolve) => {
  globalThis.ran = false;
  document.addEventListener("securitypolicyviolation", () => resolve(globalThis.ran));
  document.body.append(Object.assign(document.createElement("script"), { textContent: "globalThis.ran = true" }));
  setTimeout(() => resolve("no violation was seen"), 2000);
}));
same("an added script does not run", ran, false);
const { unwanted } = await import("./browser.mjs");
same("and the browser says so", unwanted.splice(0).filter((one) => !/Content Security Policy/.test(one)), []);
await finish();
