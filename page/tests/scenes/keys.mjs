// Everything by keyboard alone: chunks, views, editing, decisions, help, and switching single keys off.
import assert from "node:assert/strict";

const OLD = Array.from({ length: 60 }, (_, i) => `line ${i + 1}`).join("\n") + "\n";
const NEW = OLD.replace("line 5\n", "line five\n").replace("line 30\n", "line  30\n").replace("line 55\n", "line fifty-five\n");

export async function scene({ ask, visit }) {
  for (const name of ["first.txt", "second.txt"]) await ask("write", { name, text: OLD });
  const { page, wrong } = await visit();
  const press = (...keys) => keys.reduce((done, key) => done.then(() => page.keyboard.press(key)), Promise.resolve());
  const place = page.locator(".place");
  const first = await ask("propose", { name: "first.txt", contents: NEW });
  const second = await ask("propose", { name: "second.txt", contents: NEW });
  await page.getByRole("heading", { name: "first.txt" }).waitFor();
  await place.getByText("1 of 3").waitFor();

  await press("?");
  await page.getByRole("dialog", { name: "Keys" }).waitFor();
  await press("Escape");
  await page.getByRole("dialog").waitFor({ state: "hidden" });

  await press("u");
  await page.locator(".cm-deletedChunk").first().waitFor();
  assert.ok(await page.locator(".cm-collapsedLines").first().isVisible());
  await press("f");
  await page.locator(".cm-collapsedLines").first().waitFor({ state: "detached" });
  await press("f", "s");
  await page.locator(".cm-highlightSpace").first().waitFor();
  await press("s", "w");
  await place.getByText("1 of 2").waitFor();
  await press("w", "u", "j");
  await page.locator(".cm-mergeView").waitFor();

  await press("]");
  await page.getByRole("heading", { name: "second.txt" }).waitFor();
  await press("[");
  await page.getByRole("heading", { name: "first.txt" }).waitFor();

  // Back at the first one. The second chunk goes; the third is edited; a goes on to the second review.
  await place.getByText(/of 3/).waitFor();
  while (!(await place.getByText("2 of 3").isVisible())) await press("j");
  await press("x");
  await page.getByRole("button", { name: "Accept 2 of 3" }).waitFor();
  await place.getByText("3 of 3").waitFor();
  await press("e");
  await page.getByRole("button", { name: /Stop editing/ }).waitFor();
  await page.keyboard.type(" a");
  await press("Escape");
  await page.getByRole("button", { name: /Stop editing/ }).waitFor({ state: "hidden" });
  await page.locator("button.accept:enabled").waitFor();
  await press("a");
  const kept = NEW.replace("line  30", "line 30").replace("line fifty-five", "line fifty-five a");
  assert.deepEqual(await ask("outcome", first), ["FILE_SAVED", kept]);

  await page.getByRole("heading", { name: "second.txt" }).waitFor();
  await place.getByText("1 of 3").waitFor();
  await press("?");
  await page.getByLabel("Single keys are on").uncheck();
  await press("Escape");
  await page.getByRole("dialog").waitFor({ state: "hidden" });
  await press("r");
  assert.equal(await ask("pending", second), true, "single keys are off");
  await page.locator("button.accept:enabled").waitFor();
  await press("?");
  await page.getByLabel("Single keys are on").check();
  await press("Escape");
  await page.getByRole("dialog").waitFor({ state: "hidden" });
  await page.locator("button.accept:enabled").waitFor();
  await press("r");
  assert.deepEqual(await ask("outcome", second), ["DIFF_REJECTED", "second.txt"]);

  // The same with Tab and Enter: everything that can be pressed can be reached.
  const third = await ask("propose", { name: "first.txt", contents: NEW });
  await place.getByText("1 of 3").waitFor();
  const focused = () => page.evaluate(() => document.activeElement?.textContent ?? "");
  await page.evaluate(() => document.querySelector("main")?.focus());
  await page.locator("button.accept:enabled").waitFor();
  for (let tabs = 0; tabs < 30 && !(await focused()).startsWith("Accept"); tabs++) await press("Tab");
  await press("Enter");
  assert.deepEqual(await ask("outcome", third), ["FILE_SAVED", NEW]);
  assert.deepEqual(wrong, []);
}
