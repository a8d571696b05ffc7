// The connection goes and comes: a banner, an automatic return, no decision lost and none that counts twice.
import assert from "node:assert/strict";

const NEW = "one\nTWO\nthree\n";

export async function scene({ ask, visit }) {
  const { page, context } = await visit();
  let sent = 0;

  // The answer to a decision is lost on the way back: it is sent again and answered the same.
  let call = await ask("propose", { name: "a.txt", contents: NEW });
  await page.getByRole("heading", { name: "a.txt" }).waitFor();
  await page.locator(".place", { hasText: "1 of 1" }).waitFor();
  await page.route("**/decision", async (route) => {
    sent++;
    const answer = await route.fetch();
    if (sent === 1) await route.abort("connectionreset");
    else await route.fulfill({ response: answer });
  });
  await page.locator("button.accept:enabled").waitFor();
  await page.keyboard.press("a");
  assert.deepEqual(await ask("outcome", call), ["FILE_SAVED", NEW]);
  await page.locator(".toast", { hasText: /^Accepted\.$/ }).waitFor();
  assert.equal(sent, 2, "sent twice, counted once");
  await page.unroute("**/decision");

  // A decision that cannot be sent is kept through a reload, and sent when it can be.
  call = await ask("propose", { name: "b.txt", contents: NEW });
  await page.getByRole("heading", { name: "b.txt" }).waitFor();
  await page.locator(".place", { hasText: "1 of 1" }).waitFor();
  await page.route("**/decision", (route) => route.abort("connectionrefused"));
  await page.locator("button.accept:enabled").waitFor();
  await page.keyboard.press("r");
  await page.getByText("Your decision is on its way.").waitFor();
  assert.equal(await ask("pending", call), true);
  await page.reload();
  await page.getByText("sending…").waitFor();
  await page.unroute("**/decision");
  assert.deepEqual(await ask("outcome", call), ["DIFF_REJECTED", "b.txt"]);

  // The server dies under the page.
  call = await ask("propose", { name: "c.txt", contents: NEW });
  await page.getByRole("heading", { name: "c.txt" }).waitFor();
  await page.locator(".place", { hasText: "1 of 1" }).waitFor();
  // waits: a review is written down once it has waited a second, and only then outlives its server
  await new Promise((resolve) => setTimeout(resolve, 1300));
  await ask("stop");
  await page.getByRole("alert").getByText("The connection to carrick is lost.").waitFor();
  await page.locator("button.accept:enabled").waitFor();
  await page.keyboard.press("a");
  await page.getByText("Kept, and sent when the connection is back.").waitFor();
  await ask("start");
  await page.getByText("Connected").waitFor();
  assert.ok(await page.getByRole("alert").isHidden());
  // The agent that waited for it is gone, and the number belongs to a review of another run.
  await page.locator(".toast", { hasText: "Not counted: carrick was started again" }).waitFor();
  await page.getByRole("button", { name: /c\.txt.*connection lost/s }).first().click();
  await page.getByText("The connection to the agent went away").waitFor();

  // And everything works as before.
  call = await ask("propose", { name: "d.txt", contents: NEW });
  await page.getByRole("button", { name: /d\.txt/ }).click();
  await page.getByRole("heading", { name: "d.txt" }).waitFor();
  await page.locator(".place", { hasText: "1 of 1" }).waitFor();
  await page.locator("button.accept:enabled").waitFor();
  await page.keyboard.press("a");
  assert.deepEqual(await ask("outcome", call), ["FILE_SAVED", NEW]);
  await context.close();
}
