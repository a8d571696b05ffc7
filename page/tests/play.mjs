// Plays one scene in a real browser: `node play.mjs NAME`. What the scene needs beside the browser it asks of the
// stagehand, who started us and answers on stdin.
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { createInterface } from "node:readline";
import { chromium } from "playwright-core";

const answers = new Map();
let last = 0;
createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, answer } = JSON.parse(line);
  answers.get(id)?.(answer);
  answers.delete(id);
});

function ask(what, with_ = null) {
  const id = ++last;
  process.stdout.write(`${JSON.stringify({ id, ask: what, with: with_ })}\n`);
  return new Promise((resolve) => answers.set(id, resolve));
}

/** Debian's package; another program can be named. Without one the scene fails, loudly. */
function browserProgram() {
  const named = process.env["CARRICK_TEST_CHROMIUM"];
  const names = ["chromium", "chromium-browser", "google-chrome"];
  const places = (process.env["PATH"] ?? "").split(delimiter).flatMap((folder) => names.map((name) => join(folder, name)));
  const found = named ?? places.find((place) => existsSync(place));
  if (!found) throw new Error("no Chromium on PATH: install Debian's package `chromium`, or set CARRICK_TEST_CHROMIUM");
  return found;
}

async function launch() {
  // Chromium refuses its sandbox to root; the scenes load nothing but our own page.
  const args = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  return chromium.launch({ executablePath: browserProgram(), args });
}

const visits = [];

/** A browser window with our page in it, and everything that went wrong in it. */
async function visit(browser, options = {}, address = null) {
  const context = await browser.newContext({ viewport: { width: 1360, height: 840 }, ...options });
  const page = await context.newPage();
  const wrong = [];
  visits.push({ page, wrong });
  page.on("console", (message) => {
    if (message.type() === "error" && !/ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED|net::ERR_/.test(message.text())) wrong.push(message.text());
  });
  page.on("pageerror", (error) => wrong.push(String(error)));
  page.on("request", (request) => {
    if (!/^(http:\/\/127\.0\.0\.1|data:|blob:)/.test(request.url())) wrong.push(`asked for ${request.url()}`);
  });
  await page.goto(address ?? (await ask("address")));
  await page.getByText("Connected").waitFor({ timeout: 15_000 }).catch(async (error) => {
    console.error("the page did not connect:", page.url(), wrong, await page.locator("body").innerText());
    throw error;
  });
  return { context, page, wrong };
}

const name = process.argv[2];
const { scene } = await import(`./scenes/${name}.mjs`);
const browser = await launch();
try {
  await scene({ ask, browser, visit: (options, address) => visit(browser, options, address) });
} catch (error) {
  console.error(error);
  for (const { page, wrong } of visits) console.error("a page of this scene:", wrong, await page.locator("body").innerText().catch(String));
  process.exitCode = 1;
} finally {
  await browser.close();
}
process.exit();
