// The page for everyone: axe-core finds nothing wrong in any state, light or dark, wide or as narrow as a phone.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { AFTER, BEFORE } from "./sample.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

async function check(page, state) {
  await page.evaluate(axe);
  const found = await page.evaluate(async () => {
    const { violations } = await globalThis.axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] });
    return violations.map((one) => `${one.id}: ${one.help}: ${one.nodes.map((node) => `${node.html.slice(0, 160)} ${node.any.map((reason) => reason.message).join("; ")}`).slice(0, 3).join(" | ")}`);
  });
  assert.deepEqual(found, [], state);
  const folder = process.env["CARRICK_SCREENSHOTS"];
  if (folder) await page.screenshot({ path: join(folder, `state-${state.replaceAll(" ", "-")}.png`) });
}

export async function scene({ ask, visit }) {
  const narrow = { width: 390, height: 760 };
  const visits = [];
  for (const colorScheme of ["light", "dark"]) {
    for (const viewport of [{ width: 1360, height: 840 }, narrow]) {
      const { page } = await visit({ colorScheme, viewport });
      const name = `${colorScheme} ${viewport.width}`;
      await check(page, `${name} empty`);
      visits.push({ page, name, wide: viewport !== narrow });
    }
  }
  await ask("write", { name: "src/queue.rs", text: BEFORE });
  const earlier = await ask("propose", { name: "notes.md", contents: "# Notes\n" });
  await visits[0].page.getByRole("heading", { name: "notes.md" }).waitFor();
  await visits[0].page.locator("button.accept:enabled").waitFor();
  await visits[0].page.keyboard.press("r");
  await ask("outcome", earlier);
  await ask("propose", { name: "src/queue.rs", contents: AFTER });
  await ask("write", { name: "b.bin", bytes: [0xff, 0x00] });
  await ask("propose", { name: "b.bin", contents: "text\n" });
  for (const { page, name, wide } of visits) {
    await page.getByRole("navigation").getByRole("button", { name: /queue\.rs/ }).click();
    await page.locator(".place", { hasText: "of 6" }).waitFor();
    await page.keyboard.press("x");
    await check(page, `${name} change`);
    if (wide) {
      await page.keyboard.press("u");
      await page.locator(".cm-deletedChunk").first().waitFor();
      await check(page, `${name} unified`);
      await page.keyboard.press("i");
      await page.locator("#status-details").waitFor();
      await check(page, `${name} status`);
      await page.keyboard.press("i");
    }
    await page.keyboard.press("o");
    await page.getByRole("region", { name: "Conversation with agents" }).waitFor();
    await ask("select", "src/queue.rs:5");
    await page.locator(".log details").first().waitFor();
    await page.locator(".log summary").first().click();
    await page.locator(".log pre").first().waitFor();
    await check(page, `${name} log`);
    await page.keyboard.press("o");
    await page.keyboard.press("?");
    await page.getByRole("dialog").waitFor();
    await check(page, `${name} help`);
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: /b\.bin/ }).click();
    await page.getByText("is not text").first().waitFor();
    await check(page, `${name} not text`);
    await page.getByRole("button", { name: /notes\.md/ }).click();
    await page.getByText("This change was rejected.").waitFor();
    await check(page, `${name} history`);
    const sideways = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    assert.equal(sideways, 0, `${name}: nothing is wider than the window`);
  }
}
