// The real CLI proposes, the page rejects, the file stays.
import assert from "node:assert/strict";

export async function scene({ ask, visit }) {
  const { page, wrong } = await visit();
  await ask("change", "ONE\ntwo\nthree\nfour\nFIVE\n");
  await page.locator(".place", { hasText: "1 of 2" }).waitFor();
  await page.locator("button.accept:enabled").waitFor();
  await page.keyboard.press("r");
  await ask("rejected");
  assert.equal(await ask("file"), "one\ntwo\nthree\nfour\nfive\n");
  await page.getByText("This change was rejected.").waitFor();
  assert.deepEqual(wrong, []);
}
