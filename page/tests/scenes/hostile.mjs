// Names and contents that want to be more than text: nothing runs, nothing hides, nothing is lost.
import assert from "node:assert/strict";

const NAME = "<img src=x onerror=alert(1)>\u202etxt.exe\u001b[31m.html";
const EVIL = [
  "<script>globalThis.ran = true</script>",
  "<img src=x onerror='globalThis.ran = true'>",
  "if (user !== \u202e \u2066// admin\u2069 \u2066) {",
  "zero\u200bwidth and a bom\ufeff",
  "escape \u001b[2J \u0007 \u009b31m and nul \u0000",
  "tags \u{e0041}\u{e0042}",
  "javascript:alert(1) ${globalThis.ran = true} {{ran}}",
  "</textarea></title><svg onload=alert(1)>",
].join("\n");

export async function scene({ ask, visit }) {
  await ask("write", { name: NAME, text: `${EVIL}\nold\n` });
  const call = await ask("propose", { name: NAME, contents: `${EVIL}\nnew\n\u202emore\n` });
  for (const layout of ["Split", "Unified"]) {
    const { page, wrong } = await visit();
    await page.locator(".place", { hasText: "1 of 1" }).waitFor();
    await page.getByRole("button", { name: layout, exact: true }).click();
    await page.getByRole("button", { name: "Fold" }).click();
    await page.locator(".cm-specialChar").first().waitFor();
    const shown = await page.locator("body").innerText();
    assert.ok(shown.includes("<script>globalThis.ran"), "shown as text");
    assert.ok(shown.includes("U+202E") && shown.includes("U+200B") && shown.includes("\u241b") && shown.includes("U+E0041"), shown);
    const raw = [...shown].filter((c) => /[\u0000-\u0008\u000e-\u001f\u007f-\u009f\u200b\u202a-\u202e\u2066-\u2069\ufeff]/u.test(c));
    assert.deepEqual(raw.map((c) => c.codePointAt(0)?.toString(16)), [], "nothing harmful is in the page");
    assert.equal(await page.evaluate(() => "ran" in globalThis), false);
    assert.equal(await page.locator("img:not(.cm-widgetBuffer), script:not([src]), svg").count(), 0);
    assert.ok((await page.title()).startsWith("(1) "));
    assert.deepEqual(wrong, []);
  }
  // A change that takes harmful lines away shows them as well.
  const { page, wrong } = await visit();
  await page.locator(".place", { hasText: "1 of 1" }).waitFor();
  await page.locator("button.accept:enabled").waitFor();
  await page.keyboard.press("a");
  assert.deepEqual(await ask("outcome", call), ["FILE_SAVED", `${EVIL}\nnew\n\u202emore\n`], "byte for byte");
  await ask("write", { name: "away.html", text: EVIL });
  const away = await ask("propose", { name: "away.html", contents: "clean\n" });
  await page.getByRole("heading", { name: "away.html" }).waitFor();
  await page.getByRole("button", { name: "Unified", exact: true }).click();
  const gone = await page.locator(".cm-deletedChunk").first().innerText();
  assert.ok(gone.includes("<script>"), gone);
  assert.ok(!/[\u202a-\u202e\u2066-\u2069\u200b\u001b\u0000]/.test(gone), "lines that go are harmless, too");
  await page.locator("button.accept:enabled").waitFor();
  await page.keyboard.press("a");
  assert.deepEqual(await ask("outcome", away), ["FILE_SAVED", "clean\n"]);
  assert.deepEqual(wrong, []);
}
