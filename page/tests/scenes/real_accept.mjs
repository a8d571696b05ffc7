// The real CLI proposes, the page accepts, the CLI writes the file. It drops one final newline of a Write by itself.
import assert from "node:assert/strict";

export async function scene({ ask, visit }) {
  const { page, wrong } = await visit();
  await ask("change", "ONE\ntwo\nthree\nfour\nFIVE\n");
  await page.getByRole("heading", { name: "a.txt" }).waitFor();
  await page.getByText("claude-code").first().waitFor();
  await page.getByRole("button", { name: "Accept", exact: true }).click();
  await ask("done");
  assert.equal((await ask("file")).trimEnd(), "ONE\ntwo\nthree\nfour\nFIVE");
  await page.getByText("This change was accepted.").waitFor();
  assert.deepEqual(wrong, []);
}
