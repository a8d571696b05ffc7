// A review that the agent closes, or leaves behind, while it is on the screen: it stays to be read and copied.
import assert from "node:assert/strict";

const waitForNone = (buttons) => buttons.first().waitFor({ state: "hidden" });

export async function scene({ ask, visit }) {
  const { page, context, wrong } = await visit();
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const buttons = page.getByRole("button", { name: /^(Accept|Reject|Edit)/ });
  const call = await ask("propose", { name: "a.txt", contents: "one\nTWO\nthree\n" });
  await page.locator(".place", { hasText: "1 of 1" }).waitFor();
  await ask("close", "a.txt");
  await page.getByText("The agent closed this change").waitFor();
  assert.deepEqual(await ask("outcome", call), ["DIFF_REJECTED", "a.txt"]);
  await waitForNone(buttons);
  await page.keyboard.press("a");
  await page.keyboard.press("c");
  await page.getByText("Copied.").waitFor();
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), "one\nTWO\nthree\n");

  await ask("propose", { name: "b.txt", contents: "1\n" });
  await page.getByRole("button", { name: /b\.txt.*now/s }).click();
  await page.getByRole("button", { name: "Accept", exact: true }).waitFor();
  await page.keyboard.press("e");
  await page.keyboard.type("mine");
  await ask("leave");
  await page.getByText("The connection to the agent went away").waitFor();
  assert.ok((await page.getByRole("textbox", { name: /Proposed/ }).innerText()).includes("mine"), "what was typed stays");
  await waitForNone(buttons);
  await page.getByText("no agent", { exact: true }).waitFor();

  // The history of this run: both can be read again, and what was decided stays decided.
  const history = page.getByRole("list", { name: "History" });
  assert.equal(await history.getByRole("listitem").count(), 2);
  await history.getByRole("button", { name: /closed by the agent/ }).click();
  await page.getByText("The agent closed this change").waitFor();
  assert.equal((await ask("reviews")).reviews.length, 2);
  assert.deepEqual(wrong, []);
}
