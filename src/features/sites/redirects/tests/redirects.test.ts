import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import type { Run } from "../../../../engine/runs/queries.ts";
import { call } from "../../../../http/tests/support.ts";
import {
  createPreparedProject,
  createProject,
  openStage,
  type Play,
  playServers,
  type Stage,
} from "../../../projects/tests/support.ts";

let stage: Stage;
let stop: () => Promise<void> = async () => {};
let runs: Run[] = [];

before(async () => {
  stage = await openStage({ answerWithinSeconds: "60" });
});
afterEach(async () => {
  await stop();
  stop = async () => {};
});
after(() => stage?.close());

async function play(answer: (run: Run) => Play = () => ({})): Promise<void> {
  runs = [];
  stop = await playServers(stage, (run) => {
    runs.push(run);
    return answer(run);
  });
}

const change = (id: number, redirects: object[], token = stage.cast.alice, more: object = {}) =>
  call(stage.app, `PUT /api/v1/projects/${id}/redirects`, { token, body: { redirects, ...more } });
const shown = async (id: number, token = stage.cast.alice) =>
  (await call(stage.app, `GET /api/v1/projects/${id}/redirects`, { token })).body.data;
const importText = (id: number, body: object) =>
  call(stage.app, `POST /api/v1/projects/${id}/redirects/import`, { token: stage.cast.alice, body });
const scripts = () => runs.flatMap(({ plan }) => plan.steps.map(({ script }) => script)).join("\n");

const order = { from: "/old", to: "/new" };
const redirect = { match: "exact", ...order, status: 301, keeps_query: true };

test("given redirects reach the web server at once, in their order", async () => {
  const id = await createPreparedProject(stage);
  await play();
  const { status, body } = await change(id, [
    order,
    { match: "pattern", from: "/blog/:slug", to: "/news/:slug", status: 308, keeps_query: 0 },
    { from: "/gone" },
  ]);
  assert.deepEqual([status, body.message], [200, "The redirects were replaced, and the web server follows."]);
  assert.equal(body.nginx_response.ok, true);
  const stored = [
    redirect,
    { match: "pattern", from: "/blog/:slug", to: "/news/:slug", status: 308, keeps_query: false },
    { match: "exact", from: "/gone", to: null, status: 410, keeps_query: true },
  ];
  assert.deepEqual(body.data, stored);
  const { redirects, sync } = await shown(id);
  assert.deepEqual([redirects, sync.state], [stored, "applied"]);
  assert.match(scripts(), /\/old\(\?:.*"301 \/new.*\n.*\/blog\/.*\n.*\/gone.*"410"/);
  // Again: nothing changes, and no run begins.
  const before = runs.length;
  assert.equal((await change(id, stored)).status, 200);
  assert.equal(runs.length, before);
  assert.equal((await change(id, [])).status, 200);
  assert.deepEqual((await shown(id)).redirects, []);
});

test("what the web server rejects is taken back to what it served, and the answer has the reason", async () => {
  const id = await createPreparedProject(stage);
  await play();
  assert.equal((await change(id, [order])).status, 200);
  await stop();
  let refuses = true;
  await play((run) => {
    if (run.kind !== "site" || !refuses) return {};
    refuses = false;
    return { exitCode: 1, output: "nginx rejects the new settings: no such thing. The former ones stay.\n" };
  });
  const { status, body } = await change(id, [{ from: "/a", to: "/b" }]);
  assert.equal(status, 422);
  assert.match(body.message, /^The change was taken back\. nginx rejects the new settings/);
  assert.deepEqual((await shown(id)).redirects, [redirect]);
});

test("a wrong redirect is refused with its field, and nothing changes", async () => {
  const id = await createPreparedProject(stage);
  const errors = async (...redirects: object[]) => {
    const { status, body } = await change(id, redirects);
    assert.equal(status, 422, JSON.stringify(body));
    return Object.keys(body.errors);
  };
  assert.deepEqual(await errors(order, { from: "no slash", to: "/x" }), ["redirects.1.from"]);
  assert.deepEqual(await errors({ from: "/a", to: '/x"; return 200; #' }), ["redirects.0.to"]);
  assert.deepEqual(await errors({ from: "/a", to: "/$host" }), ["redirects.0.to"]);
  assert.deepEqual(await errors({ from: "/a\n} server {", to: "/b" }), ["redirects.0.from"]);
  assert.deepEqual(await errors({ from: "/a", to: "/b" }, { from: "/b", to: "/a" }), ["redirects.0.to"]);
  assert.deepEqual(await errors({ from: "/a", status: 200 }), ["redirects.0.status"]);
  assert.deepEqual(await errors({ from: "/a", match: "regex" }), ["redirects.0.match"]);
  assert.deepEqual(await errors(...Array.from({ length: 501 }, (_, at) => ({ from: `/${at}`, to: "/x" }))), [
    "redirects",
  ]);
  assert.deepEqual((await shown(id)).redirects, []);
});

test("an import adds to the redirects or replaces them, and lists what it left out", async () => {
  const id = await createPreparedProject(stage);
  await play();
  await change(id, [order]);
  const { status, body } = await importText(id, {
    format: "_redirects",
    text: "/a /b\n/api/* https://x.test/:splat 200\n",
  });
  assert.equal(status, 200);
  assert.equal(body.message, "1 redirect was imported without 1 line of the text, and the web server follows.");
  assert.deepEqual([body.imported, body.ignored.map(({ line }: { line: number }) => line)], [1, [2]]);
  const added = { match: "exact", from: "/a", to: "/b", status: 301, keeps_query: true };
  assert.deepEqual((await shown(id)).redirects, [redirect, added]);
  await importText(id, { format: "htaccess", text: "Redirect 301 /c /d", replace: true });
  assert.deepEqual((await shown(id)).redirects, [{ ...added, match: "prefix", from: "/c", to: "/d" }]);
  const circle = await importText(id, { format: "_redirects", text: "/d /c" });
  assert.deepEqual([circle.status, Object.keys(circle.body.errors)], [422, ["text"]]);
  const long = await importText(id, { format: "_redirects", text: "x\n".repeat(5_000) });
  assert.deepEqual([long.status, Object.keys(long.body.errors)], [422, ["text"]]);
});

test("who has not seen the change of another replaces nothing, and gets the redirects as they are", async () => {
  const id = await createProject(stage, {});
  const { updated_at: seen } = await shown(id);
  assert.equal((await change(id, [order], stage.cast.alice, { expected_updated_at: seen })).status, 200);
  const mine = { format: "_redirects", text: "/a /b", replace: true };
  for (const late of [
    await change(id, [], stage.cast.bob, { expected_updated_at: seen }),
    await importText(id, { ...mine, expected_updated_at: seen }),
  ])
    assert.deepEqual([late.status, late.body.current.redirects], [409, [redirect]]);
  const { updated_at: now } = await shown(id);
  assert.equal((await importText(id, { ...mine, expected_updated_at: now })).status, 200);
  assert.deepEqual(
    (await shown(id)).redirects.map(({ from }: { from: string }) => from),
    ["/a"],
  );
});

test("a project without a release keeps them for its first deployment; viewers read, and strangers find nothing", async () => {
  const id = await createProject(stage, {});
  const { status, body } = await change(id, [order]);
  assert.deepEqual(
    [status, body.message],
    [200, "The redirects were replaced; the first deployment brings it to the server."],
  );
  assert.deepEqual((await shown(id, stage.cast.victor)).redirects, [redirect]);
  assert.equal((await change(id, [], stage.cast.victor)).status, 403);
  assert.equal((await change(id, [], stage.cast.charlie)).status, 404);
});
