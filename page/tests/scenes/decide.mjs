// A change accepted, rejected, by chunk and edited; what the agent hears is exact to the byte.
import assert from "node:assert/strict";

const OLD = "one\ntwo\nthree\nfour\nfive\nsix\nseven\n";
const NEW = "ONE\ntwo\nthree\nfour\nfive\nsix\nSEVEN\n";

export async function scene({ ask, visit }) {
  const { page, wrong } = await visit();
  const accept = page.getByRole("button", { name: "Accept", exact: true });
  const waits = (name) => page.getByRole("heading", { name, level: 1 }).waitFor();

  async function propose(name, before, after) {
    if (before !== null) await ask("write", { name, text: before });
    const call = await ask("propose", { name, contents: after });
    await waits(name);
    await page.locator(".editors .cm-content").first().waitFor();
    return call;
  }

  await page.getByRole("heading", { name: "Nothing waits for you" }).waitFor();
  let call = await propose("whole.txt", OLD, NEW);
  await accept.click();
  assert.deepEqual(await ask("outcome", call), ["FILE_SAVED", NEW]);
  await page.getByText("This change was accepted.").waitFor();

  // One that comes by itself cannot be decided for a moment: the second of two quick clicks is not for it.
  const soon = await ask("propose", { name: "soon.txt", contents: "1\n" });
  const later = await ask("propose", { name: "later.txt", contents: "2\n" });
  await waits("soon.txt");
  await accept.click();
  await page.keyboard.press("a");
  assert.deepEqual(await ask("outcome", soon), ["FILE_SAVED", "1\n"]);
  assert.equal(await ask("pending", later), true);
  await accept.click();
  assert.deepEqual(await ask("outcome", later), ["FILE_SAVED", "2\n"]);

  call = await propose("no.txt", OLD, NEW);
  await page.getByRole("button", { name: /^Reject$/ }).click();
  assert.deepEqual(await ask("outcome", call), ["DIFF_REJECTED", "no.txt"]);

  for (const layout of ["Split", "Unified"]) {
    call = await propose(`${layout}.txt`, OLD, NEW);
    await page.getByRole("button", { name: layout, exact: true }).click();
    await page.locator('[data-chunk="2"] .chunk-button.rejected').click();
    await page.getByRole("button", { name: "Accept 1 of 2" }).click();
    assert.deepEqual(await ask("outcome", call), ["FILE_SAVED", NEW.replace("SEVEN", "seven")], layout);
  }

  // The end of a text without a line end, and lines that only come or only go.
  for (const [name, before, after] of [
    ["end.txt", "a\nb\nc\nd", "A\nb\nc\nd\ne\n"],
    ["come.txt", "a\nb\nc\n", "0\na\nb\nc\nd"],
    ["go.txt", "0\na\nb\nc\nd", "a\nb\nc\n"],
  ]) {
    call = await propose(name, before, after);
    await page.locator('[data-chunk="1"] .chunk-button.rejected').click();
    await page.getByRole("button", { name: "Accept 1 of 2" }).click();
    const [word, contents] = await ask("outcome", call);
    assert.equal(word, "FILE_SAVED");
    const lines = { "end.txt": "a\nb\nc\nd\ne\n", "come.txt": "a\nb\nc\nd", "go.txt": "0\na\nb\nc\n" };
    assert.equal(contents, lines[name], name);
  }

  call = await propose("edited.txt", OLD, NEW);
  await page.getByRole("button", { name: "Split", exact: true }).click();
  await page.getByRole("button", { name: /^Edit/ }).click();
  const proposed = page.getByRole("textbox", { name: "Proposed contents of edited.txt" });
  await proposed.locator(".cm-line").nth(2).click();
  await page.keyboard.press("End");
  await page.keyboard.type(" and more");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Accept edited" }).click();
  assert.deepEqual(await ask("outcome", call), ["FILE_SAVED", NEW.replace("three", "three and more")]);

  // CRLF in both: untouched when accepted, kept when edited.
  const crlf = (text) => text.replaceAll("\n", "\r\n");
  call = await propose("crlf.txt", crlf(OLD), crlf(NEW));
  await accept.click();
  assert.deepEqual(await ask("outcome", call), ["FILE_SAVED", crlf(NEW)]);
  call = await propose("crlf2.txt", crlf(OLD), crlf(NEW));
  await page.locator('[data-chunk="1"] .chunk-button.rejected').click();
  await page.getByRole("button", { name: "Accept 1 of 2" }).click();
  assert.deepEqual(await ask("outcome", call), ["FILE_SAVED", crlf(NEW.replace("ONE", "one"))]);

  // A CR in the middle and no line end at the end: accepted as it came.
  const odd = "a\rb\nc\r\nd\n\n\ne";
  call = await propose("odd.txt", "a\n", odd);
  await accept.click();
  assert.deepEqual(await ask("outcome", call), ["FILE_SAVED", odd]);

  call = await propose("nothing.txt", OLD, NEW);
  for (const number of [1, 2]) await page.locator(`[data-chunk="${number}"] .chunk-button.rejected`).click();
  assert.ok(await page.getByRole("button", { name: "Nothing left" }).isDisabled());
  await page.getByRole("button", { name: /^Reject$/ }).click();
  assert.deepEqual(await ask("outcome", call), ["DIFF_REJECTED", "nothing.txt"]);

  // New and unreadable files can be decided, too.
  call = await propose("deep/new.txt", null, "fresh\n").catch(() => null);
  assert.notEqual(call, null);
  await accept.click();
  assert.deepEqual(await ask("outcome", call), ["FILE_SAVED", "fresh\n"]);
  await ask("write", { name: "picture.bin", bytes: [0xff, 0xfe, 0x00, 0x80] });
  call = await propose("picture.bin", null, "now text\n");
  await page.getByText("is not text").first().waitFor();
  await accept.click();
  assert.deepEqual(await ask("outcome", call), ["FILE_SAVED", "now text\n"]);
  assert.deepEqual(wrong, []);
}
