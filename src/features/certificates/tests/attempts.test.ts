import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, describe, test } from "node:test";
import { selfSigned } from "../../../../test/self-signed.ts";
import { row, rows, sql } from "../../../db/sql.ts";
import { transaction } from "../../../db/transaction.ts";
import { findRun, type Run } from "../../../engine/queries.ts";
import { createRun } from "../../../engine/runs.ts";
import { reconcileAll } from "../../../engine/tests/engines.ts";
import { projectLayout } from "../../../host/layout.ts";
import { appOn, call } from "../../../http/tests/support.ts";
import { pollUntil } from "../../../lib/clock.ts";
import { projectTargets } from "../../projects/jobs.ts";
import { lockProjectForWork } from "../../projects/queries.ts";
import type { ProjectRow } from "../../projects/schema.ts";
import { certificateKind, installKind } from "../../projects/schema.ts";
import { createPreparedProject, openStage, readProject, type Stage } from "../../projects/tests/support.ts";
import { beginPublication } from "../../projects/web-server.ts";
import { openAuthority } from "../authority/account.ts";
import { workOnOrder } from "../issue.ts";
import { certificateRunKinds, certificateSchedules } from "../jobs.ts";
import { failOrder, lookAfter, namesOf, orderQueue, probeOf } from "../orders.ts";
import { requestPlan } from "../plans.ts";
import {
  activateCertificate,
  awaitCertificate,
  endOrder,
  findCertificateState,
  findOpenOrder,
  findOrder,
  forgetOldOrders,
  moveOrder,
  recordFailure,
} from "../queries.ts";
import { certificateRoutes } from "../routes.ts";
import type { OrderRow, Phase } from "../schema.ts";

let stage: Stage;
let app: ReturnType<typeof appOn>;

before(async () => {
  stage = await openStage({ answerWithinSeconds: "1" });
  await stage.ctx.queue.start([{ name: orderQueue, policy: "keyed" }]);
  app = appOn(stage.ctx, certificateRoutes);
});

after(async () => {
  await app?.close();
  await stage?.close();
});

const look = (id: number) => transaction(stage.pool, (tx) => lookAfter(tx, stage.ctx, id));
const openOrder = async (id: number) => (await findOpenOrder(stage.pool, id)) as OrderRow;
const stateOf = (id: number) => findCertificateState(stage.pool, id);
const runsOf = (id: number) =>
  rows<{ kind: string }>(
    stage.pool,
    sql`select kind from runs where subject_id = ${id} and kind like 'certificate%' order by id`,
  );
const projectOf = async (id: number) =>
  (await transaction(stage.pool, (tx) => lockProjectForWork(tx, id))) as ProjectRow;
const secured = () => createPreparedProject(stage, { ssl_is_enabled: 1 });

const fail = async (id: number, reason = "The DNS is wrong.") => {
  const order = await openOrder(id);
  await transaction(stage.pool, (tx) => failOrder(tx, stage.ctx, order, { reasons: [reason], isCounted: false }));
};

/** As if a certificate for all names had been installed, which holds for long. */
async function serve(id: number): Promise<void> {
  const { server_id: serverId, ...project } = await projectOf(id);
  const names = namesOf({ ...project, server_id: serverId });
  const [notBefore, notAfter] = [new Date(), new Date(Date.now() + 90 * 86_400_000)];
  await awaitCertificate(stage.pool, id);
  const served = {
    projectId: id,
    serverId,
    version: 1,
    source: "acme" as const,
    names,
    offersOcsp: false,
    notBefore,
    notAfter,
  };
  await activateCertificate(stage.pool, { ...served, renewAt: notAfter });
}

const announced = (id: number) =>
  rows<{ topic: string; text: string }>(
    stage.pool,
    sql`select topic, text from announcements where project_id = ${id} order by id`,
  );

const readError = async (id: number) =>
  (await call(app, `GET /api/v1/projects/${id}/certificates`, { token: stage.cast.alice })).body[0].error;

/** The end of the run that installs, as the server reports it. */
async function endInstallation(id: number, outcome: "succeeded" | "failed"): Promise<void> {
  const { chain, ...order } = await openOrder(id);
  assert.ok(chain === null, "the authority was not asked in this test");
  const { certificate } = await selfSigned(order.names);
  await transaction(stage.pool, async (tx) => {
    const plan = requestPlan(projectLayout(id), { id: order.id, names: order.names, probe: probeOf(order) });
    const run = { serverId: order.server_id, kind: installKind, subjectId: id, plan };
    const runId = await createRun(tx, stage.ctx.queue, run);
    await moveOrder(tx, order.id, order.phase, "install", { chain: certificate, runId });
    const kind = certificateRunKinds(stage.ctx).find((each) => each.kind === installKind);
    await kind?.onEnded(tx, (await findRun(tx, runId)) as Run, outcome);
  });
}

const issue = async (id: number) => {
  const [domain] = (await readProject(stage, id)).domains;
  const body = { project_id: id, domain_id: domain.id };
  return call(app, "POST /api/v1/certificates", { token: stage.cast.alice, body });
};

const renewable = async (): Promise<number> => {
  const id = await secured();
  await serve(id);
  await stage.pool.query("update certificates set renew_at = now() where project_id = $1", [id]);
  await look(id);
  return id;
};

describe("a renewal", () => {
  test("that is served is recorded and announced", async () => {
    const id = await renewable();
    assert.equal((await openOrder(id)).purpose, "renewal");
    await endInstallation(id, "succeeded");
    const order = await openOrder(id);
    const state = await stateOf(id);
    assert.deepEqual([order.phase, state?.version], ["verify", order.id]);
    const left = (Date.parse(state?.renew_at ?? "") - Date.now()) / 86_400_000;
    assert.ok(left > 19.9 && left < 22.1, `in ${left} of 30 days`);
    const [announcement, ...more] = await announced(id);
    assert.deepEqual([announcement?.topic, more], ["certificate.renewed", []]);
    assert.match(announcement?.text ?? "", /^It holds until \d{4}-\d\d-\d\d\.$/);
  });

  test("that fails is announced, and what served before keeps serving", async () => {
    const id = await renewable();
    const before = await stateOf(id);
    await endInstallation(id, "failed");
    assert.equal(await openOrder(id), undefined);
    const state = await stateOf(id);
    assert.deepEqual([state?.version, state?.names, state?.failures], [before?.version, before?.names, 1]);
    const [announcement, ...more] = await announced(id);
    assert.deepEqual([announcement?.topic, more], ["certificate.failed", []]);
    assert.match(announcement?.text ?? "", /The present certificate stays in service\./);
  });
});

describe("an attempt", () => {
  test("is begun once, with its run, however often it is looked", async () => {
    const id = await secured();
    await Promise.all([look(id), look(id), look(id)]);
    assert.deepEqual(await runsOf(id), [{ kind: "certificate" }]);
    assert.equal((await openOrder(id)).phase, "request");
  });

  test("that fails is announced once a day, and repeated when its time has come", async () => {
    const id = await secured();
    await look(id);
    await fail(id);
    const [announcement, ...more] = await announced(id);
    assert.deepEqual([announcement?.topic, more], ["certificate.failed", []]);
    assert.match(
      announcement?.text ?? "",
      /^The DNS is wrong\.\nThe site is served without HTTPS\.\nIt is retried automatically\.$/,
    );
    await look(id);
    assert.equal(await openOrder(id), undefined, "not before its time");
    await stage.pool.query("update certificates set retry_at = now() where project_id = $1", [id]);
    await look(id);
    await fail(id, "The DNS is still wrong.");
    assert.equal((await announced(id)).length, 1);
    assert.deepEqual([(await stateOf(id))?.failures, await readError(id)], [2, "The DNS is still wrong."]);
    await stage.pool.query(
      "update certificates set retry_at = now(), announced_at = now() - interval '25 hours' where project_id = $1",
      [id],
    );
    await look(id);
    await fail(id);
    assert.equal((await announced(id)).length, 2);
  });

  test("that fails ends once, even when several workers find out at the same time", async () => {
    const id = await secured();
    await look(id);
    const order = await openOrder(id);
    const failing = () =>
      transaction(stage.pool, (tx) => failOrder(tx, stage.ctx, order, { reasons: ["No."], isCounted: false }));
    await Promise.all([failing(), failing(), failing()]);
    assert.equal((await stateOf(id))?.failures, 1);
    assert.equal((await runsOf(id)).filter(({ kind }) => kind === "certificate-cleanup").length, 1);
  });

  test("that is no longer needed is not repeated, and its failure is forgotten", async () => {
    const id = await secured();
    await serve(id);
    const failure = { names: ["gone.example.com"], error: "gone.example.com does not exist.", isAnnounced: true };
    await recordFailure(stage.pool, id, { ...failure, retryAt: new Date(Date.now() - 1_000) });
    assert.equal(await readError(id), failure.error);
    await look(id);
    assert.equal(await openOrder(id), undefined);
    assert.deepEqual([(await stateOf(id))?.retry_at, await readError(id)], [null, null]);
  });

  test("that installs is not given up for another one: what it serves has to be recorded", async () => {
    const id = await secured();
    await serve(id);
    await stage.pool.query("update certificates set renew_at = now() where project_id = $1", [id]);
    await look(id);
    await stage.pool.query(
      "update certificate_orders set phase = 'install' where project_id = $1 and outcome is null",
      [id],
    );
    await stage.pool.query("update projects set www_redirect = 1 where id = $1", [id]);
    const { status, body } = await issue(id);
    assert.deepEqual([status, body.message], [422, "A certificate is being installed. Try again in a moment."]);
    assert.equal((await openOrder(id)).phase, "install");
  });

  test("that waits to be installed has one job, however often it is looked and its job is done", async () => {
    const id = await secured();
    await look(id);
    const { id: orderId } = await openOrder(id);
    const { certificate } = await selfSigned((await openOrder(id)).names);
    await moveOrder(stage.pool, orderId, "request", "install", { chain: certificate });
    const project = await projectOf(id);
    await transaction(stage.pool, (tx) => beginPublication(tx, stage.ctx, project));
    await reconcileAll(stage.ctx, projectTargets(stage.ctx));
    const jobs = () =>
      rows<{ is_due: boolean }>(
        stage.pool,
        sql`
          select start_after <= now() as is_due from queue.job
          where name = ${orderQueue} and data->>'orderId' = ${String(orderId)} and state = 'created'
        `,
      );
    const authority = openAuthority(stage.ctx);
    const doJob = () => workOnOrder({ ...stage.ctx, authority, signal: new AbortController().signal }, orderId);
    await doJob();
    assert.deepEqual(await jobs(), [{ is_due: false }], "another look, in case the notification of the end is lost");
    await doJob();
    await stage.pool.query("update certificate_orders set updated_at = now() - interval '5 minutes' where id = $1", [
      orderId,
    ]);
    const task = certificateSchedules(stage.ctx).find(({ name }) => name === "resume-certificate-orders");
    await task?.work(new AbortController().signal);
    await task?.work(new AbortController().signal);
    await look(id);
    assert.deepEqual(await jobs(), [{ is_due: true }], "what was notified is checked now");
  });

  test("of before gives way when the names have changed", async () => {
    const id = await secured();
    await look(id);
    const first = await openOrder(id);
    await stage.pool.query("update projects set www_redirect = 1 where id = $1", [id]);
    const { status, body } = await issue(id);
    assert.deepEqual([status, body.status], [202, "success"]);
    const second = await openOrder(id);
    assert.notEqual(second.id, first.id);
    assert.equal(second.names.length, 2);
  });
});

test("orders are forgotten after 90 days, but for the one that made the certificate that is served", async () => {
  const id = await renewable();
  const served = await openOrder(id);
  await endInstallation(id, "succeeded");
  await transaction(stage.pool, (tx) => endOrder(tx, served.id, { outcome: "succeeded" }));
  await stage.pool.query("update certificates set renew_at = now() where project_id = $1", [id]);
  await look(id);
  const failed = await openOrder(id);
  await fail(id);
  const age = (days: number) =>
    stage.pool.query(
      "update certificate_orders set ended_at = now() - make_interval(days => $2) where project_id = $1",
      [id, days],
    );
  const left = async () =>
    Promise.all([served.id, failed.id].map(async (each) => !!(await findOrder(stage.pool, each))));
  await age(89);
  await forgetOldOrders(stage.pool);
  assert.deepEqual(await left(), [true, true]);
  await age(91);
  await forgetOldOrders(stage.pool);
  assert.deepEqual(await left(), [true, false]);
});

describe("the lock of a project comes before that of its order", () => {
  /**
   * While another transaction holds the project, its order can be locked: a transaction that wants both waits for the project and
   * holds nothing.
   */
  const locksInOrder = async (begin: (order: OrderRow) => Promise<unknown>, phase: Phase = "request") => {
    const id = await secured();
    await look(id);
    const { id: orderId } = await openOrder(id);
    const order = (await moveOrder(stage.pool, orderId, "request", phase)) as OrderRow;
    let begun: Promise<unknown> = Promise.resolve();
    await transaction(stage.pool, async (tx) => {
      await lockProjectForWork(tx, id);
      begun = begin(order);
      begun.catch(() => undefined);
      const me = await row<{ pid: number }>(tx, sql`select pg_backend_pid() as pid`);
      const waits = sql`select 1 from pg_stat_activity where ${me?.pid ?? 0} = any(pg_blocking_pids(pid))`;
      assert.ok(await pollUntil(async () => (await rows(stage.pool, waits)).length > 0, { timeoutMs: 30_000 }));
      await tx.query(sql`select 1 from certificate_orders where id = ${orderId} for update nowait`);
    });
    await begun;
  };
  const ended = (kind: string, outcome: "succeeded" | "failed") => async (order: OrderRow) => {
    const run = (await findRun(stage.pool, order.run_id as number)) as Run;
    const meaning = certificateRunKinds(stage.ctx).find((each) => each.kind === kind);
    await transaction(stage.pool, async (tx) => meaning?.onEnded(tx, run, outcome));
  };

  test("where an order fails", () =>
    locksInOrder((order) =>
      transaction(stage.pool, (tx) => failOrder(tx, stage.ctx, order, { reasons: ["No."], isCounted: false })),
    ));

  test("where a preparation ends", () => locksInOrder(ended(certificateKind, "succeeded")));
  test("where an installation ends", () => locksInOrder(ended(installKind, "failed"), "install"));

  test("where an authority cannot be reached", () =>
    locksInOrder((order) => {
      const ctx = { ...stage.ctx, config: { ...stage.ctx.config, acmeDirectory: "https://127.0.0.1:9/directory" } };
      return workOnOrder({ ...ctx, authority: openAuthority(ctx), signal: new AbortController().signal }, order.id);
    }, "order"));
});

describe("an authority", () => {
  /** Continues, as often as its jobs would, an order whose names lead to the server. */
  const goOn = async (id: number, acmeDirectory: string): Promise<OrderRow> => {
    const order = await openOrder(id);
    await moveOrder(stage.pool, order.id, "request", "order", { request: "" });
    const ctx = { ...stage.ctx, config: { ...stage.ctx.config, acmeDirectory } };
    const work = { ...ctx, authority: openAuthority(ctx), signal: new AbortController().signal };
    for (let tries = 1; (await openOrder(id)) && tries <= 10; tries++) await workOnOrder(work, order.id);
    return (await findOrder(stage.pool, order.id)) as OrderRow;
  };

  test("that cannot be reached is asked five times more, and then named with the reason", async () => {
    const id = await secured();
    await look(id);
    const order = await goOn(id, "https://127.0.0.1:9/directory");
    assert.equal(order.outcome, "failed");
    assert.match(order.error ?? "", /^The certificate authority cannot be reached: .*ECONNREFUSED/);
    assert.equal(order.log.filter((line) => line.endsWith("It is retried.")).length, 6);
    assert.ok((await stateOf(id))?.retry_at, "it is retried later");
  });

  test("that asks for patience again and again does not keep an order open", async (t) => {
    const busy = createServer((_, response) => response.writeHead(503, { "Retry-After": "1" }).end());
    t.after(() => busy.close());
    await new Promise<void>((resolve) => busy.listen(0, "127.0.0.1", resolve));
    const id = await secured();
    await look(id);
    const order = await goOn(id, `http://127.0.0.1:${(busy.address() as AddressInfo).port}/directory`);
    assert.equal(order.outcome, "failed");
    assert.match(order.error ?? "", /^The authority takes no more orders for now: .*status 503\. The next one can/);
  });
});
