// The page as a person sees it first; with CARRICK_SCREENSHOTS set to a folder, pictures are kept there.
import { join } from "node:path";
import assert from "node:assert/strict";
import { AFTER, BEFORE } from "./sample.mjs";

export async function scene({ ask, visit }) {
  await ask("write", { name: "src/queue.rs", text: BEFORE });
  await ask("write", { name: "README.md", text: "# Queue\n\nA queue with a bound.\n" });
  await ask("propose", { name: "src/queue.rs", contents: AFTER });
  await ask("propose", { name: "README.md", contents: "# Queue\n\nA queue with a bound, and a reason beside it.\n" });
  await ask("propose", { name: "src/limits.rs", contents: "//! How much is too much.\n\npub const LIMIT: usize = 256;\n" });
  await ask("select", "src/queue.rs:3-9");
  for (const colorScheme of ["light", "dark"]) {
    const { page, wrong } = await visit({ colorScheme, viewport: { width: 1440, height: 800 } });
    await page.getByRole("heading", { name: "queue.rs" }).waitFor();
    await page.locator(".cm-changedLine").first().waitFor();
    await page.keyboard.press("j");
    await page.keyboard.press("x");
    await page.locator(".chunk-button.rejected.chosen").waitFor();
    await page.locator("button.accept:enabled").waitFor();
    await picture(page, `page-${colorScheme}.png`);
    assert.equal(await page.title(), "(3) work – carrick");
    assert.deepEqual(wrong, []);
  }
}

async function picture(page, name) {
  const folder = process.env["CARRICK_SCREENSHOTS"];
  if (folder) await page.screenshot({ path: join(folder, name) });
}
