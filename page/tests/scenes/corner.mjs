// The status corner and the log: who is there, what is selected, what was said; filter, pause, contents when opened.
import assert from "node:assert/strict";

export async function scene({ ask, visit }) {
  const { page, context, wrong } = await visit();
  await context.grantPermissions(["notifications"]);
  await ask("select", "a.txt:2-3");
  await page.getByText("a.txt:2–3").waitFor();
  await page.getByText("1 agent", { exact: true }).waitFor();
  await page.getByRole("button", { name: /Connected/ }).click();
  const details = page.locator("#status-details");
  for (const words of ["claude-code", "a.txt:2–3", ".lock", "Last error", "none"]) await details.getByText(words).first().waitFor();
  await page.keyboard.press("i");

  let fetched = 0;
  page.on("request", (request) => {
    if (request.url().includes("/api/log/")) fetched++;
  });
  await page.getByRole("button", { name: "Log" }).click();
  const log = page.getByRole("region", { name: "Conversation with agents" });
  await log.getByText("listening").waitFor();
  const told = async (target, text) => {
    await ask("select", target);
    await log.getByText(text).last().waitFor();
  };
  await told("a.txt:1", "selection_changed");
  assert.equal(fetched, 0, "contents only when opened");
  await log.getByText("selection_changed").last().click();
  await log.locator("pre", { hasText: '"method": "selection_changed"' }).waitFor();
  assert.equal(fetched, 1);

  await log.getByRole("button", { name: "Pause" }).click();
  const before = await log.locator("details").count();
  await ask("select", "a.txt:3");
  await log.getByText(/paused, [1-9]\d* messages? held/).waitFor();
  assert.equal(await log.locator("details").count(), before);
  await log.getByRole("button", { name: "Pause" }).click();
  await page.waitForFunction((count) => document.querySelectorAll(".log details").length > count, before);
  await ask("propose", { name: "a.txt", contents: "x\n" });
  await log.getByText("openDiff").first().waitFor();
  await log.getByRole("searchbox").fill("opendiff");
  assert.equal(await log.locator("details:visible", { hasNotText: "openDiff" }).count(), 0);
  await log.getByRole("button", { name: "Close" }).click();
  assert.equal(await page.title(), "(1) work – carrick");

  // A notification, when it is wanted and the page is not in front.
  await page.evaluate(() => {
    globalThis.told = [];
    globalThis.Notification = class extends EventTarget {
      static permission = "granted";
      static requestPermission = async () => "granted";
      constructor(title) {
        super();
        globalThis.told.push(title);
      }
    };
  });
  await page.getByRole("button", { name: "Notify me" }).click();
  await page.getByRole("button", { name: "Notifying" }).waitFor();
  await page.evaluate(() => Object.defineProperty(document, "hidden", { value: true }));
  await ask("propose", { name: "b.txt", contents: "y\n" });
  await page.waitForFunction(() => globalThis.told.length > 0);
  assert.deepEqual(await page.evaluate(() => globalThis.told), ["b.txt"]);
  assert.deepEqual(wrong, []);
}
