import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import { rows, sql } from "../../../db/sql.ts";
import { transaction } from "../../../db/transaction.ts";
import { endRun, findRun, type Run } from "../../../engine/runs/queries.ts";
import { applyUpdate, parseUpdate } from "../../../engine/runs/store.ts";
import { periodicTask } from "../../../features.ts";
import { call, type Reply } from "../../../http/tests/support.ts";
import { addProject, addProvisioned, deployed, openStage, type Stage } from "../../deployments/tests/support.ts";
import { commandRunKinds } from "../jobs.ts";

let stage: Stage;
let serverId: number;
/** Deployed. */
let projectId: number;

before(async () => {
  stage = await openStage();
  serverId = await addProvisioned(stage);
});

beforeEach(async () => {
  projectId = await addProject(stage.pool, serverId);
  await deployed(stage, projectId, serverId);
  await stage.pool.query("update placements set is_prepared = true where project_id = $1", [projectId]);
});

after(() => stage?.close());

const ask = (line: string, body?: object): Promise<Reply> =>
  call(stage.app, line, { token: stage.cast.alice, ...(body && { body }) });

const path = (id?: number) => `/api/v1/projects/${projectId}/commands${id === undefined ? "" : `/${id}`}`;

async function begin(command = "php artisan about", more: object = {}): Promise<number> {
  const reply = await ask(`POST ${path()}`, { command, ...more });
  assert.equal(reply.status, 202, reply.text);
  return reply.body.data.id;
}

const read = async (id: number, query = "") => (await ask(`GET ${path(id)}${query}`)).body.data;

async function runOf(id: number): Promise<Run> {
  const [found] = await rows<{ run_id: number }>(stage.pool, sql`select run_id from project_commands where id = ${id}`);
  const run = await findRun(stage.pool, Number(found?.run_id));
  assert.ok(run);
  return run;
}

const startRun = (runId: number) =>
  stage.pool.query("update runs set state = 'running', started_at = now() where id = $1", [runId]);

type Entries = Parameters<typeof parseUpdate>[1]["entries"];

/** Stores reports of the server, as a follower does. */
async function reportOf(id: number, entries: Entries): Promise<void> {
  const run = await runOf(id);
  const [kind] = commandRunKinds(stage.ctx);
  assert.ok(kind);
  const update = parseUpdate(run, { entries, consumed: 100, offset: run.journal_offset }, 0, (bytes) => bytes);
  await applyUpdate({ pool: stage.pool, kinds: new Map([[kind.kind, kind]]) }, update);
}

const output = (text: string, offset: number): Entries[number] => ({
  type: "output",
  bytes: Buffer.from(text),
  offset,
});

const eventsOf = (): Promise<{ name: string; data: Record<string, unknown> }[]> =>
  rows(
    stage.pool,
    sql`select name, data from events where project_id = ${projectId} and name like 'command.%' order by id`,
  );

describe("a command", () => {
  test("is queued, with who asked for it, and listed with the newest first", async () => {
    const reply = await ask(`POST ${path()}`, { command: "php artisan about" });
    const { id, created_at, ...rest } = reply.body.data;
    assert.deepEqual(rest, {
      project_id: projectId,
      server_id: serverId,
      initiated_by: stage.cast.userIds.alice,
      command: "php artisan about",
      timeout_seconds: 1800,
      status: "queued",
      exit_code: null,
      error: null,
      started_at: null,
      ended_at: null,
    });
    assert.ok(created_at);
    const newer = await begin();
    const page = (await ask(`GET ${path()}`)).body;
    assert.deepEqual([page.per_page, page.data.map((each: { id: number }) => each.id)], [50, [newer, id]]);
    const [entry] = await rows<{ action: string; subjects: string[]; fields: string[] }>(
      stage.pool,
      sql`select action, subjects, fields from audit_log where action like '%/commands' order by id limit 1`,
    );
    assert.deepEqual([entry?.action, entry?.fields], ["POST /api/v1/projects/:id/commands", ["command"]]);
    assert.ok(entry?.subjects.includes(`command:${id}`));
  });

  test("shows what its server reports: output in pages, its exit status and its end", async () => {
    const id = await begin();
    await startRun((await runOf(id)).id);
    await reportOf(id, [{ type: "step", position: 0, at: 1 }, output("one\n", 10)]);
    await reportOf(id, [output("two\n", 110)]);
    const first = await read(id, "?limit=1");
    assert.deepEqual([first.status, first.log.data.map(({ text }: { text: string }) => text)], ["running", ["one\n"]]);
    assert.deepEqual([first.log.has_more, first.log.is_complete], [true, false]);
    await reportOf(id, [
      { type: "done", position: 0, exitCode: 3, durationMs: 5, at: 2 },
      { type: "end", outcome: "failed", at: 3 },
    ]);
    const { status, exit_code, error, ended_at, log } = await read(id, `?after=${first.log.next}`);
    assert.deepEqual([status, exit_code], ["failed", 3]);
    assert.match(error, /exit status 3: two$/);
    assert.ok(ended_at);
    assert.deepEqual([log.data[0].text, log.is_complete], ["two\n", true]);
    assert.deepEqual(
      (await eventsOf()).map(({ name, data }) => [name, data.status, data.offset]),
      [
        ["command.updated", "queued", undefined],
        ["command.log", "running", 10],
        ["command.log", "running", 110],
        ["command.log", "running", undefined],
        ["command.updated", "failed", undefined],
      ],
    );
  });

  test("has the values of the project's environment masked in what it prints", async () => {
    await ask(`PUT /api/v1/projects/${projectId}/environment-variables`, { environment_variables: "KEY=s3cret-value" });
    const [kind] = commandRunKinds(stage.ctx);
    const secrets = await kind?.secrets?.(await runOf(await begin()));
    assert.deepEqual(secrets, { files: {}, masked: ["s3cret-value"] });
  });

  test("is stored with its secrets masked: those of the environment, and those that it passes on", async () => {
    await ask(`PUT /api/v1/projects/${projectId}/environment-variables`, {
      environment_variables: "KEY=s3cret-value\nAPP_ENV=production",
    });
    const command =
      "MYSQL_PWD=abc ./run --env=production s3cret-value --token='a b c d e' mysql://me:pass-word@db/shop";
    const { body } = await ask(`POST /api/v1/projects/${projectId}/commands`, { command });
    const shown = "******** ./run --env=production ******** --token='********' mysql://me:********@db/shop";
    assert.equal(body.data.command, shown);
    const run = await runOf(body.data.id);
    assert.ok(JSON.stringify(run.plan).includes("s3cret-value"), "The server gets it as it was written.");
    await transaction(stage.pool, async (tx) => {
      const ended = await endRun(tx, run.id, { state: "succeeded", error: null });
      if (ended) await commandRunKinds(stage.ctx)[0]?.onEnded(tx, ended, "succeeded");
    });
    const { rows } = await stage.pool.query(
      "select c::text || r::text as text from project_commands c join runs r on r.id = c.run_id where c.id = $1",
      [body.data.id],
    );
    assert.doesNotMatch(rows[0].text, /s3cret-value|a b c d|pass-word|PWD=abc/);
  });

  test("is cancelled once, and not after its end", async () => {
    const id = await begin();
    assert.equal((await ask(`POST ${path(id)}/cancel`)).status, 202);
    assert.equal((await read(id)).status, "cancelling");
    assert.equal((await ask(`POST ${path(id)}/cancel`)).status, 409);
    await stage.pool.query("update runs set state = 'cancelled', ended_at = now() where id = $1", [
      (await runOf(id)).id,
    ]);
    assert.equal((await read(id)).status, "cancelled");
    assert.equal((await ask(`POST ${path(id)}/cancel`)).status, 409);
  });

  test("belongs to its project", async () => {
    const id = await begin();
    const other = await addProject(stage.pool, serverId);
    assert.equal((await ask(`GET /api/v1/projects/${other}/commands/${id}`)).status, 404);
    assert.equal((await ask(`POST /api/v1/projects/${other}/commands/${id}/cancel`)).status, 404);
  });

  test("goes when its log does", async () => {
    const [old, newest] = [await begin(), await begin()];
    for (const id of [old, newest]) {
      await stage.pool.query(
        "update runs set state = 'succeeded', ended_at = now() - interval '1 year' where id = $1",
        [(await runOf(id)).id],
      );
    }
    await periodicTask(stage.ctx, "delete-old-logs").work(new AbortController().signal);
    const { data } = (await ask(`GET ${path()}`)).body;
    assert.deepEqual(
      data.map((each: { id: number }) => each.id),
      [newest],
    );
  });
});

describe("a command is refused", () => {
  const refusal = async (): Promise<string> => {
    const reply = await ask(`POST ${path()}`, { command: "true" });
    assert.equal(reply.status, 422, reply.text);
    return reply.body.message;
  };

  test("on a server that the project is not on", async () => {
    const elsewhere = await addProvisioned(stage);
    const reply = await ask(`POST ${path()}`, { command: "true", server_id: elsewhere });
    assert.equal(reply.status, 422, reply.text);
    assert.match(reply.text, /The project is not on this server/);
  });

  test("without a live release", async () => {
    await stage.pool.query("update projects set installation_status = 0 where id = $1", [projectId]);
    assert.match(await refusal(), /no live release/);
  });

  test("while the project is moved or removed", async () => {
    const leaving = await addProvisioned(stage);
    await stage.pool.query("insert into placements (project_id, server_id, role) values ($1, $2, 'leaving')", [
      projectId,
      leaving,
    ]);
    const reply = await ask(`POST ${path()}`, { command: "true", server_id: leaving });
    assert.match(reply.body.message, /being removed/);
    await stage.pool.query(
      `insert into deployments (organization_id, project_id, server_id, process_type, git_branch, description, status, started_at)
       select organization_id, id, server_id, 'move', 'main', 'test', 3, now() from projects where id = $1`,
      [projectId],
    );
    assert.match(await refusal(), /being moved/);
  });

  test("beside five others, until one has ended", async () => {
    const ids = [];
    for (let n = 0; n < 5; n++) ids.push(await begin());
    assert.match(await refusal(), /at most 5 commands at once/);
    const { id: runId } = await runOf(ids[2] as number);
    await stage.pool.query("update runs set state = 'succeeded', ended_at = now() where id = $1", [runId]);
    await begin();
  });

  test("when it is none, too long, or may take too long", async () => {
    const bad = { command: "x".repeat(10_001), timeout_seconds: 3_601 };
    const reply = await ask(`POST ${path()}`, bad);
    assert.deepEqual([reply.status, Object.keys(reply.body.errors).sort()], [422, ["command", "timeout_seconds"]]);
    assert.equal((await ask(`POST ${path()}`, { command: " \n" })).status, 422);
  });
});

test("a project that is deleted takes its commands along, and ends those that run", async () => {
  const id = await begin();
  const { id: runId } = await runOf(id);
  assert.equal((await ask(`DELETE /api/v1/project/${projectId}`)).status, 200);
  assert.ok((await findRun(stage.pool, runId))?.cancel_requested_at);
  assert.equal((await ask(`GET ${path(id)}`)).status, 404);
});
