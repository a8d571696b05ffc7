// The real CLI proposes two chunks, the page rejects one, the CLI writes the other.
import assert from "node:assert/strict";

export async function scene({ ask, visit }) {
  const { page, wrong } = await visit();
  await ask("change", "ONE\ntwo\nthree\nfour\nFIVE\n");
  await page.locator(".place", { hasText: "1 of 2" }).waitFor();
  await page.keyboard.press("x");
  await page.getByRole("button", { name: "Accept 1 of 2" }).click();
  await ask("done");
  assert.equal((await ask("file")).trimEnd(), "one\ntwo\nthree\nfour\nFIVE");
  await page.getByText("accepted with changes").waitFor();
  assert.deepEqual(wrong, []);
}
