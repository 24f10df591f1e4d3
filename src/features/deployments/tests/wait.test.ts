import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import { call, tokenOf } from "../../../http/tests/support.ts";
import { pollUntil } from "../../../lib/clock.ts";
import { feedOf } from "../../events/feed.ts";
import { addProject, addProvisioned, deploy, dispatch, finishRun, openStage, type Stage } from "./support.ts";

describe("waiting for the end of a deployment", () => {
  let stage: Stage;
  let origin: string;
  let server: number;
  let id: number;
  before(async () => {
    stage = await openStage();
    origin = await stage.app.listen({ host: "127.0.0.1", port: 0 });
    server = await addProvisioned(stage);
  });
  after(() => stage?.close());
  beforeEach(async () => {
    id = (await deploy(stage, await addProject(stage.pool, server)))[0] as number;
  });

  const wait = (seconds: number | string, token = stage.cast.alice) =>
    call(stage.app, `GET /api/v1/deployments/${id}?wait_seconds=${seconds}`, { token });

  /** How many wait now. */
  const waiting = async (): Promise<number> =>
    ((await feedOf(stage.ctx)) as unknown as { turnOf: Map<unknown, unknown> }).turnOf.size;
  const untilWaiting = async (count: number) =>
    assert.ok(
      await pollUntil(async () => (await waiting()) === count, { timeoutMs: 30_000 }),
      `${await waiting()} wait`,
    );

  it("is answered at the end, for each of many who wait, without a read in between", async () => {
    const answers = Promise.all(Array.from({ length: 20 }, () => wait(60)));
    await untilWaiting(20);
    const { query } = stage.pool;
    let reads = 0;
    stage.pool.query = function (this: typeof stage.pool, ...args: unknown[]) {
      if (JSON.stringify(args).includes("from deployments d where d.id =")) reads++;
      return (query as (...given: unknown[]) => unknown).apply(this, args);
    } as typeof query;
    try {
      await dispatch(stage, server);
      // Other deployments mean nothing to them.
      const [other] = (await deploy(stage, await addProject(stage.pool, server))) as [number];
      await dispatch(stage, server);
      await finishRun(stage, other, "succeeded");
      await (await feedOf(stage.ctx)).wake();
      // Only the work itself reads its deployment.
      assert.equal(await waiting(), 20);
      assert.ok(reads < 20, `${reads} reads`);
    } finally {
      stage.pool.query = query;
    }
    await finishRun(stage, id, "failed");
    for (const { status, body } of await answers) assert.deepEqual([status, body.id, body.status], [200, id, 2]);
    assert.equal(await waiting(), 0);
  });

  it("is answered at once when it has ended", async () => {
    await dispatch(stage, server);
    await finishRun(stage, id, "succeeded");
    const { body } = await wait(60);
    assert.deepEqual([body.status, body.error], [1, null]);
  });

  it("is answered with the present state after the time", async () => {
    const before = performance.now();
    const { status, body } = await wait(1);
    assert.deepEqual([status, body.status], [200, 0]);
    assert.ok(performance.now() - before >= 999);
  });

  it("is over when the client is gone", async () => {
    const gone = new AbortController();
    const headers = { authorization: `Bearer ${stage.cast.alice}` };
    const request = fetch(`${origin}/api/v1/deployments/${id}?wait_seconds=60`, { headers, signal: gone.signal });
    await untilWaiting(1);
    gone.abort();
    await assert.rejects(request);
    await untilWaiting(0);
  });

  it("is over when the access is", async () => {
    const token = await tokenOf(stage.pool, "Alice");
    const [revoked, stays] = [wait(60, token), wait(2)];
    await untilWaiting(2);
    await stage.pool.query("delete from tokens where prefix = $1", [token.slice(0, 8)]);
    assert.equal((await revoked).status, 401);
    assert.equal((await stays).status, 200);
  });

  it("takes from a second to a minute", async () => {
    for (const seconds of [0, 61, -1, "x", "1.5"]) assert.equal((await wait(seconds)).status, 422, String(seconds));
    assert.equal((await wait(1, stage.cast.charlie)).status, 404);
  });
});
