import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import type { Kind } from "../../../engine/kind.ts";
import { plan, step } from "../../../engine/runs/plan.ts";
import { insertRun } from "../../../engine/runs/queries.ts";
import { periodicTask } from "../../../features.ts";
import { sh } from "../../../host/sh.ts";
import { jobsKind } from "../../jobs/schema.ts";
import { addServer, openStage, type Stage } from "../../servers/tests/support.ts";
import { publishKind } from "../../site-records/schema.ts";
import { deploymentKind } from "../starting.ts";

let stage: Stage;

before(async () => {
  stage = await openStage({ logRetentionDays: "30", auditRetentionDays: "365" });
});
after(() => stage?.close());

const runTask = (name: string) => periodicTask(stage.ctx, name).work(new AbortController().signal);

const count = async (table: string, condition: string) =>
  (await stage.pool.query(`select count(*)::integer from ${table} where ${condition}`)).rows[0].count;

it("deletes what runs other than deployments left behind, but for the newest of each kind", async () => {
  const serverId = await addServer(stage);
  const somePlan = plan("site", [step("some", "Some", sh`true`)], { pointOfNoReturn: "some" });
  const endedRun = async (kind: Kind, daysAgo: number) => {
    const id = await insertRun(stage.pool, { serverId, ...kind, subjectId: 7, plan: somePlan });
    await stage.pool.query(
      "update runs set state = 'succeeded', ended_at = now() - make_interval(days => $2) where id = $1",
      [id, daysAgo],
    );
    await stage.pool.query("insert into run_output values ($1, 0, 0, 'system', 'printed')", [id]);
    return id;
  };
  const [old, newer, deployment] = [
    await endedRun(publishKind, 40),
    await endedRun(publishKind, 35),
    await endedRun(deploymentKind, 40),
  ];
  const [recent] = [await endedRun(jobsKind, 2), await endedRun(jobsKind, 1)];
  // More than one batch.
  await stage.pool.query(
    `insert into runs (server_id, kind, subject, subject_id, plan, nonce, state, ended_at)
     select $1, 'site', 'project', 7, '{}', 'x' || n, 'succeeded', now() - interval '40 days' from generate_series(1, 2500) n`,
    [serverId],
  );
  const newest = await endedRun(publishKind, 32);
  await endedRun(deploymentKind, 31);
  await runTask("delete-old-logs");
  const { rows } = await stage.pool.query(
    "select id, exists (select 1 from run_output where run_id = id) as printed from runs order by id",
  );
  const kept = rows.filter(({ id }) => [old, newer, deployment, recent, newest].includes(id));
  assert.deepEqual(kept, [
    { id: deployment, printed: false },
    { id: recent, printed: true },
    { id: newest, printed: false },
  ]);
  assert.equal(rows.length, 5);
  assert.equal(await count("run_steps", `run_id = ${old}`), 0);
});

it("deletes old entries of the audit log", async () => {
  await stage.pool.query(
    `insert into audit_log (organization_id, user_email, action, summary, subjects, fields, request_id, created_at)
     select organization_id, user_email, action, summary, subjects, fields, request_id, now() - interval '366 days'
     from audit_log, generate_series(1, 1500)`,
  );
  const recent = await count("audit_log", "created_at > now() - interval '365 days'");
  assert.ok(recent > 0 && (await count("audit_log", "true")) > 1_500);
  await runTask("delete-old-audit-entries");
  assert.equal(await count("audit_log", "true"), recent);
});
