// Who is not let in: foreign names and pages, visitors without the cookie, a link that was used, guesses.
import assert from "node:assert/strict";
import { request } from "node:http";

function knock(address, { method = "GET", headers = {}, body } = {}) {
  return new Promise((resolve, reject) => {
    const asking = request(address, { method, headers }, (answer) => {
      answer.resume();
      answer.on("end", () => resolve({ status: answer.statusCode, headers: answer.headers }));
      // A stream of events does not end by itself.
      if (answer.headers["content-type"]?.startsWith("text/event-stream")) {
        asking.destroy();
        resolve({ status: answer.statusCode, headers: answer.headers });
      }
    });
    asking.on("error", reject);
    asking.end(body);
  });
}

export async function scene({ ask, visit }) {
  const address = await ask("address");
  const base = address.replace(/enter\/.*/, "");
  const { origin, host } = new URL(base);
  await ask("propose", { name: "a.txt", contents: "new\n" });

  const paths = ["", "api/events", "api/reviews/1", "api/log/1/1", "assets/index.js", "nothing"];
  for (const path of paths) assert.equal((await knock(base + path)).status, 401, `no cookie: ${path}`);
  assert.equal((await knock(`${origin}/`)).status, 401);
  assert.equal((await knock(`${origin}/enter/x`)).status, 401);
  assert.equal((await knock(`${base}enter/${"0".repeat(32)}`)).status, 401);
  const decision = { method: "POST", headers: { origin, "content-type": "application/json" }, body: "{}" };
  assert.equal((await knock(`${base}api/reviews/1/decision`, decision)).status, 401);

  // A foreign request does not even use up the ticket.
  for (const name of ["evil.example", `evil.example:80`, host.replace("127.0.0.1", "127.0.0.1.evil.example"), "127.0.0.1:1"]) {
    assert.equal((await knock(address, { headers: { host: name } })).status, 403, name);
  }
  const { status, headers } = await knock(address);
  assert.equal(status, 303);
  assert.equal(headers.location, new URL(base).pathname);
  const [cookie] = headers["set-cookie"];
  assert.match(cookie, /^carrick=[0-9a-f]{64}; Path=\/[0-9a-f]{16}\/; HttpOnly; SameSite=Strict$/);
  assert.equal((await knock(address)).status, 401, "a link works once");

  const own = { cookie: cookie.split(";")[0] };
  assert.equal((await knock(address, { headers: own })).status, 303, "but leads its own browser to the page");
  const index = await knock(base, { headers: own });
  assert.equal(index.status, 200);
  assert.match(index.headers["content-security-policy"], /default-src 'none'; script-src 'self'; style-src 'self' 'nonce-[0-9a-f]{32}'/);
  assert.doesNotMatch(index.headers["content-security-policy"], /unsafe/);
  assert.equal(index.headers["x-frame-options"], "DENY");
  assert.equal(index.headers["cache-control"], "no-store");
  assert.equal((await knock(`${base}api/events`, { headers: own })).status, 200);
  for (const wrong of [`carrick=${"0".repeat(64)}`, "carrick=", `${own.cookie.slice(0, -1)}`, "other=1"]) {
    assert.equal((await knock(base, { headers: { cookie: wrong } })).status, 401, wrong);
  }

  // With the cookie, too: foreign pages and names are refused.
  for (const [name, more] of [
    ["Origin", { origin: "http://evil.example" }],
    ["Origin null", { origin: "null" }],
    ["another port", { origin: "http://127.0.0.1:1" }],
    ["Host", { host: "evil.example" }],
    ["cross-site", { "sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors", "sec-fetch-dest": "script" }],
    ["another port, says the browser", { "sec-fetch-site": "same-site", "sec-fetch-mode": "cors" }],
  ]) {
    for (const path of ["", "api/events", "api/reviews/1"]) {
      assert.equal((await knock(base + path, { headers: { ...own, ...more } })).status, 403, `${name}: ${path}`);
    }
    const post = { ...decision, headers: { ...decision.headers, ...own, ...more } };
    assert.equal((await knock(`${base}api/reviews/1/decision`, post)).status, 403, name);
  }
  const silent = { method: "POST", headers: { ...own, "content-type": "application/json" }, body: "{}" };
  assert.equal((await knock(`${base}api/reviews/1/decision`, silent)).status, 403, "a decision without an Origin");
  assert.equal((await ask("reviews")).reviews[0].outcome, null, "nobody decided anything");

  // A page of somebody else in the same browser gets nothing, not even a picture of us in a frame.
  const { page, context } = await visit();
  const evil = await context.newPage();
  await evil.goto("data:text/html,<title>evil</title>");
  const got = await evil.evaluate(async (base) => {
    const tried = await Promise.allSettled([fetch(`${base}api/reviews/1`, { credentials: "include" }), fetch(`${base}api/reviews/1/decision`, { method: "POST", credentials: "include", body: "{}" })]);
    return tried.map((one) => one.status);
  }, base);
  assert.deepEqual(got, ["rejected", "rejected"]);
  await page.getByRole("heading", { name: "a.txt" }).waitFor();
}
