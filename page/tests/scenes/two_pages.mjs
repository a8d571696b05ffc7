// Two pages at once: what one decides the other shows; the second decision does not count.
import assert from "node:assert/strict";

export async function scene({ ask, visit }) {
  const one = await visit();
  const other = await visit();
  const call = await ask("propose", { name: "a.txt", contents: "one\nTWO\nthree\n" });
  for (const { page } of [one, other]) await page.getByRole("heading", { name: "a.txt" }).waitFor();
  assert.equal(await other.page.title(), "(1) work – carrick");

  const open = ({ page }) => page.locator("button.accept:enabled").waitFor();
  await Promise.all([open(one), open(other)]);
  // Both press at the same moment: one counts.
  await Promise.all([one.page.keyboard.press("a"), other.page.keyboard.press("r")]);
  const outcome = await ask("outcome", call);
  const word = outcome[0] === "FILE_SAVED" ? "accepted" : "rejected";
  for (const { page } of [one, other]) await page.getByText(`This change was ${word}.`).waitFor();
  const said = await Promise.all([one, other].map(({ page }) => page.locator(".toast").textContent()));
  assert.equal(said.filter((words) => words?.startsWith("Not counted")).length, 1, String(said));
  assert.equal(await other.page.title(), "work – carrick");

  // What is marked on one page stays there: a review decided elsewhere takes nothing from the screen.
  const next = await ask("propose", { name: "a.txt", contents: "1\ntwo\n3\n" });
  await other.page.locator(".place", { hasText: "of 2" }).waitFor();
  await other.page.keyboard.press("x");
  await one.page.locator(".place", { hasText: "of 2" }).waitFor();
  await open(one);
  await one.page.keyboard.press("a");
  assert.deepEqual(await ask("outcome", next), ["FILE_SAVED", "1\ntwo\n3\n"]);
  await other.page.getByText("This change was accepted.").waitFor();
  assert.deepEqual([...one.wrong, ...other.wrong].filter((words) => !/409/.test(words)), []);
}
