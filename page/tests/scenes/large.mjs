// Large files: ten thousand lines are there at once and scroll smoothly; five megabytes open without a long stop.
import assert from "node:assert/strict";

const lines = (count, word) => Array.from({ length: count }, (_, i) => `const value_${i} = compute(${i}, "${word}"); // line ${i}`);

const TURNS = 5;

/** In the page: the moment the browser has drawn the changes of this file. */
function firstPaint(name) {
  return new Promise((resolve) => {
    const look = () => {
      const there = document.querySelector(".title .file")?.textContent === name && document.querySelector(".cm-changedText");
      if (there) requestAnimationFrame(() => resolve(Date.now()));
      else requestAnimationFrame(look);
    };
    look();
  });
}

async function longest(page) {
  return page.evaluate(() => Math.max(0, ...globalThis.stops));
}

export async function scene({ ask, visit }) {
  const { page, wrong } = await visit();
  await page.evaluate(() => {
    globalThis.stops = [];
    new PerformanceObserver((list) => globalThis.stops.push(...list.getEntries().map((entry) => entry.duration))).observe({ type: "longtask" });
  });

  const old = lines(10_000, "a");
  const now = old.map((line, i) => (i % 50 === 7 ? line.replace('"a"', '"b"') : line));
  const paints = [];
  let call = null;
  for (let turn = 1; turn <= TURNS; turn++) {
    const name = `ten${turn}.js`;
    await ask("write", { name, text: old.join("\n") });
    const painted = page.evaluate(firstPaint, name);
    const began = Date.now();
    call = await ask("propose", { name, contents: now.join("\n") });
    paints.push((await painted) - began);
    await page.locator(".place", { hasText: "1 of 200" }).waitFor();
    if (turn < TURNS) {
      await page.locator("button.accept:enabled").click();
      await ask("outcome", call);
    }
  }
  paints.sort((a, b) => a - b);
  await page.keyboard.press("f");
  const scroller = page.locator(".cm-mergeView");
  await scroller.waitFor();
  const frames = await scroller.evaluate(async (element) => {
    const gaps = [];
    let last = performance.now();
    for (let step = 0; step < 60; step++) {
      element.scrollTop += 400;
      await new Promise(requestAnimationFrame);
      gaps.push(performance.now() - last);
      last = performance.now();
    }
    return gaps.sort((a, b) => a - b);
  });
  console.error(`10 000 lines: from openDiff to first paint ${paints[TURNS >> 1]} ms (median of ${TURNS}, ${paints[0]} to ${paints.at(-1)}); scrolling, ms between frames: median ${frames[30].toFixed(0)}, worst ${frames.at(-1).toFixed(0)}`);
  assert.ok(frames[30] < 100, "half of all frames are quick even on a busy machine");
  await page.locator("button.accept:enabled").waitFor();
  await page.keyboard.press("a");
  assert.deepEqual(await ask("outcome", call), ["FILE_SAVED", now.join("\n")]);

  for (const [name, before, after] of [
    ["five.js", lines(100_000, "a"), lines(100_000, "a").map((line, i) => (i % 900 === 5 ? `${line} changed` : line))],
    ["other.js", lines(100_000, "a"), lines(100_000, "b")],
  ]) {
    const [old, now] = [before.join("\n"), after.join("\n")];
    assert.ok(now.length > 5e6);
    await ask("write", { name, text: old });
    const start = Date.now();
    const big = await ask("propose", { name, contents: now });
    await page.getByRole("heading", { name }).waitFor();
    await page.getByText(/1 of \d+/).waitFor({ timeout: 60_000 });
    console.error(`${name}, 5 MB: there after ${Date.now() - start} ms; longest stop of the page ${(await longest(page)).toFixed(0)} ms`);
    if (name === "five.js") {
      await page.keyboard.press("u");
      await page.locator(".cm-deletedChunk").first().waitFor();
      await page.keyboard.press("u");
    }
    await page.locator("button.accept:enabled").waitFor();
    await page.keyboard.press("a");
    assert.equal((await ask("outcome", big))[1], now);
  }
  assert.ok((await longest(page)) < 2000);
  assert.deepEqual(wrong, []);
}
