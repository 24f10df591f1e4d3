import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { row, sql } from "../../../db/sql.ts";
import { transaction } from "../../../db/transaction.ts";
import { endRun } from "../../../engine/runs/queries.ts";
import { createRun } from "../../../engine/runs/runs.ts";
import { call, type Reply } from "../../../http/tests/support.ts";
import { importRunKind, lostImportsSchedule } from "../imports/jobs.ts";
import { insertImport, startLoading } from "../imports/queries.ts";
import { importPlan } from "../plans.ts";
import { importKind } from "../schema.ts";
import { ask, create, created, databasesOf, openStage, type Stage } from "./support.ts";

let stage: Stage;

before(async () => {
  stage = await openStage();
});

after(() => stage?.close());

const upload = (id: number, token = stage.cast.alice): Promise<Reply> =>
  call(stage.app, `POST ${databasesOf(stage)}/${id}/imports`, {
    token,
    body: "CREATE TABLE things (id INT);",
    headers: { "content-type": "application/octet-stream" },
  });

const newest = async (databaseId: number) =>
  (await row<{ id: number; status: number; error: string | null }>(
    stage.pool,
    sql`select id, status, error from database_imports where database_id = ${databaseId} order by id desc limit 1`,
  )) as { id: number; status: number; error: string | null };

const insert = async (databaseId: number): Promise<number> => {
  const { alice: userId } = stage.cast.userIds;
  const inserted = await insertImport(stage.pool, { databaseId, userId, emptiesFirst: false });
  return (inserted as { id: number }).id;
};

/** An import whose dump is being loaded, as after an upload. */
async function loading(databaseId: number): Promise<{ id: number; runId: number }> {
  const id = await insert(databaseId);
  const database = { engine: "mariadb", name: "shop", username: "shop", exists: true, isAdopted: false } as const;
  const plan = importPlan(id, { ...database, id: databaseId, isEmptying: false, remote: false, users: [] });
  const runId = await transaction(stage.pool, async (tx) => {
    const run = { serverId: stage.serverId, ...importKind, subjectId: id, plan };
    const made = await createRun(tx, stage.ctx.queue, run);
    await startLoading(tx, id, { sizeBytes: 29, runId: made });
    return made;
  });
  return { id, runId };
}

const endLoading = (runId: number, error: string | null) =>
  transaction(stage.pool, async (tx) => {
    await tx.query("update runs set state = 'running', started_at = clock_timestamp() where id = $1", [runId]);
    const state = error === null ? "succeeded" : "failed";
    const ended = await endRun(tx, runId, { state, error });
    if (ended) await importRunKind(stage.ctx).onEnded(tx, ended, state);
  });

describe("an upload of a dump", () => {
  it("fails with the server's reason, and keeps no other back", async () => {
    const id = await created(stage, { name: "away" });
    const reply = await upload(id);
    assert.notEqual(reply.status, 202);
    const { status, error } = await newest(id);
    assert.equal(status, 2);
    assert.ok(error);
    assert.ok(await insert(id), "another one can begin");
  });

  it("is refused while another one is under way, and for a database that does not exist", async () => {
    const id = await created(stage, { name: "busy" });
    await insert(id);
    const reply = await upload(id);
    assert.equal(reply.status, 422);
    assert.match(reply.body.message, /Another dump/);
    assert.equal((await upload(await create(stage, { name: "not_yet" }))).status, 422);
  });

  it("is for members in reach, as is the download", async () => {
    const id = await created(stage, { name: "guarded" });
    assert.equal((await upload(id, stage.cast.victor)).status, 403);
    assert.equal((await upload(id, stage.cast.charlie)).status, 404);
    const download = async (token: string) => (await ask(stage, "GET", `/${id}/dump`, { token })).status;
    assert.equal(await download(stage.cast.victor), 403);
    assert.equal(await download(stage.cast.charlie), 404);
  });

  it("is over when its process ended long ago", async () => {
    const id = await created(stage, { name: "lost" });
    const importId = await insert(id);
    const { work } = lostImportsSchedule(stage.ctx);
    await work(new AbortController().signal);
    assert.equal((await newest(id)).status, 0);
    await stage.pool.query("update database_imports set created_at = now() - interval '3 hours' where id = $1", [
      importId,
    ]);
    await work(new AbortController().signal);
    assert.deepEqual(await newest(id), { id: importId, status: 2, error: "The upload was interrupted." });
  });
});

describe("a dump that is loaded", () => {
  it("ends with its run, well or for the reason of the server", async () => {
    const id = await created(stage, { name: "loaded" });
    const well = await loading(id);
    assert.equal((await ask(stage, "GET", `/${id}/imports/${well.id}`)).body.data.status, 3);
    await endLoading(well.runId, null);
    const { data } = (await ask(stage, "GET", `/${id}/imports/${well.id}`)).body;
    assert.equal(data.status, 1);
    assert.equal(data.size_bytes, 29);
    assert.ok(data.ended_at);
    const ill = await loading(id);
    await endLoading(ill.runId, "The dump was not loaded: ERROR 1064");
    assert.deepEqual(await newest(id), { id: ill.id, status: 2, error: "The dump was not loaded: ERROR 1064" });
  });

  it("is read through its own database only", async () => {
    const [id, other] = [await created(stage, { name: "mine" }), await created(stage, { name: "other" })];
    const load = await loading(id);
    assert.equal((await ask(stage, "GET", `/${other}/imports/${load.id}`)).status, 404);
    assert.equal((await ask(stage, "GET", `/${id}/imports/${load.id}`, { token: stage.cast.charlie })).status, 404);
  });

  it("reaches the server with a password in no plan, and masked in its output", async () => {
    const id = await created(stage, { name: "quiet", password: "needle-password" });
    const { runId } = await loading(id);
    const run = await row<Parameters<NonNullable<ReturnType<typeof importRunKind>["secrets"]>>[0]>(
      stage.pool,
      sql`select * from runs where id = ${runId}`,
    );
    assert.ok(run);
    assert.doesNotMatch(JSON.stringify(run.plan), /needle-password/);
    const secrets = await importRunKind(stage.ctx).secrets?.(run);
    assert.equal(secrets?.files.database_password, "needle-password");
    assert.ok(secrets?.masked.includes("needle-password"));
  });
});
