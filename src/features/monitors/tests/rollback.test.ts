import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import { row, sql } from "../../../db/sql.ts";
import { transaction } from "../../../db/transaction.ts";
import { call } from "../../../http/tests/support.ts";
import { deploy, deployed, dispatch, findRow, finishRun } from "../../deployments/tests/support.ts";
import type { VerdictChange } from "../verdicts/queries.ts";
import { recordVerdict } from "../verdicts/record.ts";
import {
  addMonitor,
  addProject,
  addProvisioned,
  eventsOf,
  noticesOf,
  openStage,
  type Stage,
  storedMonitor,
} from "./support.ts";

let stage: Stage;
let server: number;
let project: number;
let monitor: number;
let earlier: number;
let faulty: number;
/** When the faulty deployment became live. */
let switchedAt: number;

before(async () => {
  stage = await openStage();
  server = await addProvisioned(stage, { name: "web" });
});
after(() => stage.close());
beforeEach(async () => {
  project = await addProject(stage.pool, server);
  earlier = await deployed(stage, project, server, "succeeded", "a".repeat(40));
  faulty = await deployed(stage, project, server, "succeeded", "b".repeat(40));
  switchedAt = Date.now() - 3_600_000;
  await switchAt(faulty, switchedAt);
  monitor = await addMonitor(stage, project);
  await judge("up", switchedAt - 60_000);
  await askFor(true);
});

async function switchAt(deployment: number, time: number): Promise<void> {
  await stage.pool.query(
    `update run_steps set key = 'activate', status = 'completed', finished_at = $2
     where run_id = $1 and position = (select min(position) from run_steps where run_id = $1)`,
    [(await findRow(stage, deployment)).run_id, new Date(time)],
  );
}

const askFor = async (isWanted: boolean): Promise<void> => {
  const reply = await call(stage.app, `PUT /api/v1/projects/${project}`, {
    token: stage.cast.alice,
    body: { rollback_on_down: isWanted },
  });
  assert.equal(reply.status, 200, reply.text);
};

async function judge(
  status: "up" | "down",
  time: number,
  { of = monitor, ...more }: Partial<VerdictChange> & { of?: number } = {},
): Promise<boolean> {
  const at = new Date(time);
  const seen = { message: "It was asked.", context: {}, isConfirmedElsewhere: true };
  const change: VerdictChange = { status, at, since: at, observedUntil: at, ...seen, ...more };
  const watched = await storedMonitor(stage, of);
  return transaction(stage.pool, (tx) => recordVerdict(tx, stage.ctx, watched, change));
}

const minutesAfter = (minutes: number): number => switchedAt + minutes * 60_000;
const fall = (minutes: number, more: Parameters<typeof judge>[2] = {}) => judge("down", minutesAfter(minutes), more);

interface Queued {
  id: number;
  initiated_by: number | null;
  release_id: number | null;
  commit_id: string;
  takes_back: number | null;
  description: string;
}

const rollback = (): Promise<Queued | undefined> =>
  row(stage.pool, sql`select * from deployments where project_id = ${project} and process_type = 'rollback'`);

const outcome = async (of = monitor): Promise<Record<string, unknown> | undefined> =>
  (await eventsOf(stage, of)).at(-1)?.context.rollback as Record<string, unknown> | undefined;

const refusal = async (of = monitor): Promise<string> => String((await outcome(of))?.refusal);

describe("an outage within five minutes after a deployment, confirmed by another server,", () => {
  it("rolls the project back to the release before, and is reported with it in the event and the notice", async () => {
    await fall(4);
    const queued = await rollback();
    assert.equal(queued?.release_id, earlier);
    assert.equal(queued?.commit_id, "a".repeat(40));
    assert.equal(queued?.initiated_by, null);
    assert.equal(queued?.takes_back, faulty);
    assert.equal(
      queued?.description,
      `Automatic rollback of deployment ${faulty} to deployment ${earlier}: monitor ${monitor} (Shop) is down`,
    );
    assert.deepEqual(await outcome(), { deployment_id: queued?.id, target_id: earlier });
    const { body } = await call(stage.app, `GET /api/v1/deployments/${queued?.id}`, { token: stage.cast.alice });
    assert.deepEqual(body.initiator, { type: "monitor", id: monitor, name: "Shop" });
    const [notice] = await noticesOf(stage, monitor);
    assert.match(notice?.text ?? "", new RegExp(`rolls back to deployment ${earlier} by itself`));
  });

  it("names Longshore as the one that started the rollback", async () => {
    await fall(1);
    const queued = await rollback();
    assert.ok(queued);
    await dispatch(stage, server);
    await finishRun(stage, queued.id, "succeeded", { commit: "a".repeat(40) });
    const announcement = await row<{ title: string; text: string }>(
      stage.pool,
      sql`select title, text from announcements where (data->>'deployment_id')::bigint = ${queued.id}`,
    );
    assert.equal(announcement?.title, "Rollback of shop succeeded");
    assert.match(announcement?.text ?? "", /started by Longshore\.\nAutomatic rollback/);
  });

  it("rolls back once, for any number of monitors and any result of the rollback", async () => {
    const others = [await addMonitor(stage, project), await addMonitor(stage, project)] as const;
    for (const other of others) await judge("up", switchedAt, { of: other });
    const [second, third] = others;
    await Promise.all([fall(1), fall(1, { of: second })]);
    const queued = await rollback();
    assert.ok(queued);
    const outcomes = [await outcome(), await outcome(second)];
    assert.equal(outcomes.filter((each) => each?.deployment_id === queued.id).length, 1);
    assert.equal(outcomes.filter((each) => each?.refusal !== undefined).length, 1);
    await dispatch(stage, server);
    await finishRun(stage, queued.id, "failed");
    await fall(2, { of: third });
    assert.match(await refusal(third), /was rolled back automatically before/);
  });

  it("never rolls back a rollback", async () => {
    await fall(1);
    const queued = await rollback();
    assert.ok(queued);
    await dispatch(stage, server);
    await finishRun(stage, queued.id, "succeeded", { commit: "a".repeat(40) });
    await switchAt(queued.id, minutesAfter(2));
    await judge("up", minutesAfter(2));
    await fall(3);
    assert.equal(await outcome(), undefined);
  });
});

describe("nothing is rolled back", () => {
  const nothing = async () => assert.equal(await rollback(), undefined);

  it("without rollback_on_down", async () => {
    await askFor(false);
    await fall(1);
    assert.equal(await outcome(), undefined);
    await nothing();
  });

  it("when no other server confirmed the outage", async () => {
    await fall(1, { isConfirmedElsewhere: false });
    assert.equal(await refusal(), "No other server could confirm the outage.");
    const [notice] = await noticesOf(stage, monitor);
    assert.match(notice?.text ?? "", /not rolled back automatically: No other server could confirm the outage\./);
    assert.match(notice?.text ?? "", /rollback candidates/);
    await nothing();
  });

  it("when the outage begins before the deployment is live, or more than five minutes after it", async () => {
    await fall(5.1);
    assert.equal(await outcome(), undefined);
    await judge("up", minutesAfter(6));
    await fall(7, { since: new Date(minutesAfter(-1)) });
    assert.equal(await outcome(), undefined);
    await nothing();
  });

  it("for a monitor that was never up", async () => {
    const fresh = await addMonitor(stage, project);
    await fall(1, { of: fresh });
    assert.equal(await outcome(fresh), undefined);
    await nothing();
  });

  it("while another deployment is queued, or when another one is live", async () => {
    const [next] = (await deploy(stage, project)) as [number];
    await fall(1);
    assert.equal(await refusal(), "A deployment of the project is queued or running.");
    await dispatch(stage, server);
    await finishRun(stage, next, "succeeded", { commit: "c".repeat(40) });
    await stage.pool.query("delete from run_steps where run_id = $1", [(await findRow(stage, next)).run_id]);
    await judge("up", minutesAfter(2));
    await fall(3);
    assert.match(await refusal(), /is not live any more/);
    await nothing();
  });

  it("when there is no earlier release", async () => {
    await stage.pool.query("delete from deployments where id = $1", [earlier]);
    await fall(1);
    assert.equal(await refusal(), "There is no earlier release to roll back to.");
    await nothing();
  });
});

describe("rollback_on_down", () => {
  it("is off by default, and kept by updates that omit it", async () => {
    const read = async (id: number) =>
      (await call(stage.app, `GET /api/v1/projects/${id}`, { token: stage.cast.alice })).body.rollback_on_down;
    assert.equal(await read(await addProject(stage.pool, server)), false);
    assert.equal(await read(project), true);
    await call(stage.app, `PUT /api/v1/projects/${project}`, { token: stage.cast.alice, body: { name: "shop" } });
    assert.equal(await read(project), true);
  });
});
