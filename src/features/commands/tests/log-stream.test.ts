import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { transaction } from "../../../db/transaction.ts";
import type { Entry } from "../../../engine/runs/journal.ts";
import { endRun, findRun, type Run } from "../../../engine/runs/queries.ts";
import { applyUpdate, parseUpdate } from "../../../engine/runs/store.ts";
import { followEvents } from "../../../http/tests/event-stream.ts";
import { call } from "../../../http/tests/support.ts";
import { addProject, addProvisioned, deployed, openStage, type Stage } from "../../deployments/tests/support.ts";
import { commandRunKinds } from "../jobs.ts";
import { findCommand } from "../queries.ts";

let stage: Stage;
let origin: string;
let projectId: number;

before(async () => {
  stage = await openStage();
  origin = await stage.app.listen({ host: "127.0.0.1", port: 0 });
  const serverId = await addProvisioned(stage);
  projectId = await addProject(stage.pool, serverId);
  await deployed(stage, projectId, serverId);
  await stage.pool.query("update placements set is_prepared = true where project_id = $1", [projectId]);
});
after(() => stage?.close());

async function begin(command: string): Promise<{ id: number; run: Run }> {
  const token = stage.cast.alice;
  const reply = await call(stage.app, `POST /api/v1/projects/${projectId}/commands`, { token, body: { command } });
  const { id } = reply.body.data;
  const { rows } = await stage.pool.query("select run_id from project_commands where id = $1", [id]);
  const run = await findRun(stage.pool, Number(rows[0].run_id));
  assert.ok(run);
  return { id, run };
}

test("the output of a command is followed to its end", async (t) => {
  const { id, run } = await begin("php artisan migrate");
  const [kind] = commandRunKinds(stage.ctx);
  assert.ok(kind);
  const kinds = new Map([[kind.kind, kind]]);
  const followed = await followEvents(t, `${origin}/api/v1/projects/${projectId}/commands/${id}/log/stream`, {
    token: stage.cast.alice,
  });
  await followed.until(() => followed.all("status").length === 1);
  await stage.pool.query("update runs set state = 'running', started_at = now() where id = $1", [run.id]);
  const report = (offset: number, ...entries: Entry[]) =>
    applyUpdate(
      { pool: stage.pool, kinds },
      parseUpdate(run, { entries, consumed: 100, offset }, 0, (bytes) => bytes),
    );
  await report(0, { type: "step", position: 0, at: Date.now() });
  await report(100, { type: "output", bytes: Buffer.from("Nothing to migrate.\n"), offset: 150 });
  await followed.until(() => followed.all("log").length === 1);
  assert.deepEqual(followed.all("log"), [
    { offset: 150, first_line: 1, step: "command", audience: "client", text: "Nothing to migrate.\n" },
  ]);
  assert.equal(followed.all("step")[0].status, "running");
  await transaction(stage.pool, async (tx) => {
    const ended = await endRun(tx, run.id, { state: "failed", error: "It failed." });
    if (ended) await kind.onEnded(tx, ended, "failed");
  });
  await followed.ended();
  assert.deepEqual(
    followed.all("status").map(({ status }) => status),
    ["queued", "running", "failed"],
  );
  assert.deepEqual(followed.all("end"), [{ status: "failed", error: "It failed." }]);
});

test("the output of a command is that of its own project", async () => {
  const { id } = await begin("php artisan about");
  const other = await addProject(stage.pool, await addProvisioned(stage));
  const path = `GET /api/v1/projects/${other}/commands/${id}/log/stream`;
  assert.equal((await call(stage.app, path, { token: stage.cast.alice })).status, 404);
  const actor = { organizationId: stage.cast.organizationId, userId: 0 } as never;
  assert.ok(await findCommand(stage.pool, actor, { projectId, commandId: id }));
});
