import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, describe, test } from "node:test";
import { selfSigned } from "../../../../stage/self-signed.ts";
import { row, rows, sql } from "../../../db/sql.ts";
import { transaction } from "../../../db/transaction.ts";
import { targetRunKind } from "../../../engine/reconcile/apply.ts";
import { endRun, type Run } from "../../../engine/runs/queries.ts";
import { reconcileAll } from "../../../engine/tests/engines.ts";
import { workflowQueue } from "../../../engine/workflow/start.ts";
import { appOn, call } from "../../../http/tests/support.ts";
import { pollUntil } from "../../../lib/clock.ts";
import { projectTargets } from "../../projects/jobs.ts";
import { lockProjectForWork } from "../../projects/queries.ts";
import type { PlacedProject } from "../../projects/schema.ts";
import {
  createPreparedProject,
  openStage,
  playServers,
  readProject,
  type Stage,
} from "../../projects/tests/support.ts";
import { siteTargets } from "../../sites/jobs.ts";
import { beginPublication } from "../../sites/publish.ts";
import { openAuthority } from "../authority/account.ts";
import { failOrder, namesOf, orderIfNeeded } from "../orders.ts";
import {
  activateCertificate,
  awaitCertificate,
  endOrder,
  findCertificateState,
  findOpenOrder,
  findOrder,
  forgetOldOrders,
  recordFailure,
} from "../queries.ts";
import { certificateRoutes } from "../routes.ts";
import type { OrderRow } from "../schema.ts";
import { cleanupTarget } from "../targets.ts";
import { certificateWorkflow } from "../workflow.ts";
import { endPhase, endRunFor, orderQueues, proceed, putAt, workflowFor } from "./support.ts";

let stage: Stage;
let app: ReturnType<typeof appOn>;

before(async () => {
  stage = await openStage({ answerWithinSeconds: "1" });
  await stage.ctx.queue.start(orderQueues);
  app = appOn(stage.ctx, certificateRoutes);
});

after(async () => {
  await app?.close();
  await stage?.close();
});

const look = (id: number) => transaction(stage.pool, (tx) => orderIfNeeded(tx, stage.ctx, id));
const openOrder = async (id: number) => (await findOpenOrder(stage.pool, id)) as OrderRow;
const stateOf = (id: number) => findCertificateState(stage.pool, id);
const runsOf = (id: number) =>
  rows<{ kind: string }>(
    stage.pool,
    sql`select kind from runs where subject_id = ${id} and kind like 'certificate%' order by id`,
  );
const projectOf = async (id: number) =>
  (await transaction(stage.pool, (tx) => lockProjectForWork(tx, id))) as PlacedProject;
const secured = () => createPreparedProject(stage, { ssl_is_enabled: 1 });

/** The order fails at its first phase, and its workflow ends. */
const fail = async (id: number, reason = "The DNS is wrong.") => {
  const order = await openOrder(id);
  await endPhase(stage.ctx, order, "failed", reason);
  await proceed(stage.ctx, order);
};

/** As if a certificate for all names with a long life had been installed. */
async function serve(id: number): Promise<void> {
  const project = await projectOf(id);
  const { home_server_id: serverId } = project;
  const names = namesOf(project);
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
  await activateCertificate(stage.pool, { ...served, renewAt: notAfter, leftOut: [], retryAt: null });
}

const announced = (id: number) =>
  rows<{ topic: string; text: string }>(
    stage.pool,
    sql`select topic, text from announcements where project_id = ${id} order by id`,
  );

const readError = async (id: number) =>
  (await call(app, `GET /api/v1/projects/${id}/certificates`, { token: stage.cast.alice })).body[0].error;

/** Ends the run of the installation, as the server reports it. */
async function endInstallation(id: number, outcome: "succeeded" | "failed"): Promise<void> {
  const { chain, ...order } = await openOrder(id);
  assert.ok(chain === null, "the authority was not asked in this test");
  const { certificate } = await selfSigned(order.names);
  await putAt(stage.pool, { ...order, chain }, "install", { chain: certificate });
  await endPhase(stage.ctx, { ...order, chain }, outcome);
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

test("a request for another organization's project gets the same 404 as for an unknown one", async () => {
  const id = await createPreparedProject(stage);
  const [domain] = (await readProject(stage, id)).domains;
  const request = (project_id: number) =>
    call(app, "POST /api/v1/certificates", { token: stage.cast.charlie, body: { project_id, domain_id: domain.id } });
  const [theirs, never] = [await request(id), await request(987_654)];
  assert.deepEqual([theirs.status, theirs.body.message], [404, "The project was not found."]);
  assert.deepEqual(never.body, theirs.body);
});

test("a removal that nginx rejects is refused, and keeps the certificate", async () => {
  const id = await secured();
  await serve(id);
  const output = "nginx rejects the new settings: unknown directive. The former ones stay.";
  const stop = await playServers(stage, () => ({ exitCode: 1, output: `${output}\n` }));
  const patient = appOn({ ...stage.ctx, config: { ...stage.ctx.config, answerWithinSeconds: 60 } }, certificateRoutes);
  try {
    const { status, body } = await call(patient, `DELETE /api/v1/certificates/${id}`, { token: stage.cast.alice });
    assert.deepEqual([status, body.status, body.data.nginx_response.ok], [200, "failed", false]);
    assert.match(body.message, /^The change was taken back\. nginx rejects/);
    assert.ok(await stateOf(id));
    assert.equal((await readProject(stage, id)).ssl_is_enabled, 1);
  } finally {
    await patient.close();
    await stop();
  }
});

describe("a bug at the authority's phases", () => {
  test("is described only in the log, and the order is retried", async () => {
    const id = await secured();
    await look(id);
    const order = await openOrder(id);
    await putAt(stage.pool, order, "order");
    const authority = openAuthority(stage.ctx);
    const client = () => Promise.reject(new TypeError("no such property"));
    await proceed(stage.ctx, order, certificateWorkflow(stage.ctx, { ...authority, client }));
    const { state, attempts, error } = await workflowFor(stage.pool, order);
    const sentence = "The work failed unexpectedly; the log of Longshore has the details.";
    assert.deepEqual([state, attempts, error], ["running", 1, sentence]);
    assert.deepEqual((await openOrder(id)).log, [`${sentence} It is retried.`]);
  });
});

describe("a renewal", () => {
  test("is recorded and announced when it is served", async () => {
    const id = await renewable();
    assert.equal((await openOrder(id)).purpose, "renewal");
    await endInstallation(id, "succeeded");
    const order = await openOrder(id);
    const state = await stateOf(id);
    assert.deepEqual([(await workflowFor(stage.pool, order)).phase, state?.version], ["look", order.id]);
    const left = (Date.parse(state?.renew_at ?? "") - Date.now()) / 86_400_000;
    assert.ok(left > 19.9 && left < 22.1, `in ${left} of 30 days`);
    const [announcement, ...more] = await announced(id);
    assert.deepEqual([announcement?.topic, more], ["certificate.renewed", []]);
    assert.match(announcement?.text ?? "", /^It holds until \d{4}-\d\d-\d\d\.$/);
  });

  test("is announced when it fails, and the former certificate keeps serving", async () => {
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
  test("starts once, with one run, however often projects are checked", async () => {
    const id = await secured();
    await Promise.all([look(id), look(id), look(id)]);
    const order = await openOrder(id);
    await Promise.all([1, 2, 3].map(() => proceed(stage.ctx, order)));
    await proceed(stage.ctx, order);
    assert.deepEqual(await runsOf(id), [{ kind: "certificate" }]);
    assert.equal((await workflowFor(stage.pool, order)).phase, "request");
  });

  test("is announced once a day when it fails, and repeated when it is due", async () => {
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

  test("fails once, even if several workers notice at the same time", async () => {
    const id = await secured();
    await look(id);
    const order = await openOrder(id);
    const failing = () =>
      transaction(stage.pool, (tx) => failOrder(tx, stage.ctx, order, { reasons: ["No."], isCounted: false }));
    await Promise.all([failing(), failing(), failing()]);
    assert.deepEqual([(await stateOf(id))?.failures, (await announced(id)).length], [1, 1]);
  });

  test("is not repeated when it is no longer needed, and its failure is cleared", async () => {
    const id = await secured();
    await serve(id);
    const failure = { names: ["gone.example.com"], error: "gone.example.com does not exist.", isAnnounced: true };
    await recordFailure(stage.pool, id, { ...failure, retryAt: new Date(Date.now() - 1_000) });
    assert.equal(await readError(id), failure.error);
    await look(id);
    assert.equal(await openOrder(id), undefined);
    assert.deepEqual([(await stateOf(id))?.retry_at, await readError(id)], [null, null]);
  });

  test("is not replaced while it installs, since the served certificate has to be recorded", async () => {
    const id = await secured();
    await serve(id);
    await stage.pool.query("update certificates set renew_at = now() where project_id = $1", [id]);
    await look(id);
    const order = await openOrder(id);
    await putAt(stage.pool, order, "install");
    await stage.pool.query("update sites set www_redirect = 1 where project_id = $1", [id]);
    const { status, body } = await issue(id);
    assert.deepEqual([status, body.message], [422, "A certificate is being installed. Try again in a moment."]);
    assert.equal((await openOrder(id)).id, order.id);
  });

  test("has one job while it waits to be installed, however often projects are checked", async () => {
    const id = await secured();
    await look(id);
    const order = await openOrder(id);
    const { certificate } = await selfSigned(order.names);
    await putAt(stage.pool, order, "install", { chain: certificate });
    const project = await projectOf(id);
    await transaction(stage.pool, (tx) => beginPublication(tx, stage.ctx, project));
    const { id: workflowId } = await workflowFor(stage.pool, order);
    await stage.pool.query("delete from queue.job where name = $1", [workflowQueue]);
    await reconcileAll(stage.ctx, [...projectTargets(stage.ctx), ...siteTargets(stage.ctx)]);
    const jobs = () =>
      rows<{ is_due: boolean }>(
        stage.pool,
        sql`
          select start_after <= now() as is_due from queue.job
          where name = ${workflowQueue} and data->>'workflowId' = ${String(workflowId)} and state = 'created'
        `,
      );
    await proceed(stage.ctx, order);
    assert.deepEqual(await jobs(), [{ is_due: false }], "another look, in case the notification of the end is lost");
    await proceed(stage.ctx, order);
    await look(id);
    await look(id);
    assert.deepEqual(await jobs(), [{ is_due: true }], "what was notified is checked now");
    assert.deepEqual(await runsOf(id), []);
  });

  test("is replaced when the names have changed", async () => {
    const id = await secured();
    await look(id);
    const first = await openOrder(id);
    await stage.pool.query("update sites set www_redirect = 1 where project_id = $1", [id]);
    const { status, body } = await issue(id);
    assert.deepEqual([status, body.status], [202, "success"]);
    const second = await openOrder(id);
    assert.notEqual(second.id, first.id);
    assert.equal(second.names.length, 2);
  });
});

describe("the remains of orders on a server", () => {
  const cleanups = async (id: number) => {
    await reconcileAll(stage.ctx, [cleanupTarget]);
    return rows<Run>(
      stage.pool,
      sql`select * from runs where kind = 'certificate-cleanup' and subject_id = ${id} order by id`,
    );
  };
  const end = (run: Run) =>
    transaction(stage.pool, async (tx) => {
      const ended = (await endRun(tx, run.id, { state: "succeeded", error: null })) as Run;
      await targetRunKind(stage.ctx, cleanupTarget).onEnded(tx, ended, "succeeded");
    });
  const failNext = async (id: number): Promise<number> => {
    await stage.pool.query("update certificates set retry_at = now() where project_id = $1", [id]);
    await look(id);
    const order = await openOrder(id);
    await fail(id);
    return order.id;
  };
  const removes = (run: Run | undefined, orderId: number) =>
    run?.plan.steps.some(({ script }) => new RegExp(`longshore-${orderId}\\b`).test(script));

  test("are removed by one run at a time; if an order ends during a run, by the next", async () => {
    const id = await secured();
    const first = await failNext(id);
    const [run] = await cleanups(id);
    const second = await failNext(id);
    assert.equal((await cleanups(id)).length, 1);
    assert.deepEqual([removes(run, first), removes(run, second)], [true, false]);
    await end(run as Run);
    const [, next, ...more] = await cleanups(id);
    assert.deepEqual([removes(next, first), removes(next, second), more], [false, true, []]);
    await end(next as Run);
    assert.equal((await cleanups(id)).length, 2, "then there is nothing to remove");
  });

  test("are no longer checked when the project was deleted", async () => {
    const id = await secured();
    await failNext(id);
    const [run] = await cleanups(id);
    await stage.pool.query("delete from projects where id = $1", [id]);
    await end(run as Run);
    const { kind } = cleanupTarget;
    const left = await rows(stage.pool, sql`select id from targets where kind = ${kind} and subject_id = ${id}`);
    assert.deepEqual(left, []);
  });
});

test("orders are deleted after 90 days, except the newest and that of the served certificate", async () => {
  const id = await renewable();
  const served = await openOrder(id);
  await endInstallation(id, "succeeded");
  await transaction(stage.pool, (tx) => endOrder(tx, served.id, { outcome: "succeeded" }));
  await stage.pool.query("update certificates set renew_at = now() where project_id = $1", [id]);
  const attempts: OrderRow[] = [];
  for (const reason of ["The DNS is wrong.", "The DNS is still wrong."]) {
    await stage.pool.query("update certificates set retry_at = null where project_id = $1", [id]);
    await look(id);
    attempts.push(await openOrder(id));
    await fail(id, reason);
  }
  const age = (days: number) =>
    stage.pool.query(
      "update certificate_orders set ended_at = now() - make_interval(days => $2) where project_id = $1",
      [id, days],
    );
  const left = async () =>
    Promise.all([served, ...attempts].map(async (each) => !!(await findOrder(stage.pool, each.id))));
  await age(89);
  await forgetOldOrders(stage.pool, 90);
  assert.deepEqual(await left(), [true, true, true]);
  await age(91);
  await forgetOldOrders(stage.pool, 90);
  assert.deepEqual(await left(), [true, false, true]);
});

describe("the lock of a project comes before that of its order", () => {
  /**
   * While another transaction locks the project, its order can be locked: a transaction that needs both waits for the project
   * without holding the order.
   */
  const locksInOrder = async (begin: (order: OrderRow) => Promise<unknown>, phase = "request", isRunning = false) => {
    const id = await secured();
    await look(id);
    const order = await openOrder(id);
    const { certificate } = await selfSigned(order.names);
    await putAt(stage.pool, order, phase, { chain: certificate });
    if (isRunning) await proceed(stage.ctx, order);
    let begun: Promise<unknown> = Promise.resolve();
    await transaction(stage.pool, async (tx) => {
      await lockProjectForWork(tx, id);
      begun = begin(order);
      begun.catch(() => undefined);
      const me = await row<{ pid: number }>(tx, sql`select pg_backend_pid() as pid`);
      const waits = sql`select 1 from pg_stat_activity where ${me?.pid ?? 0} = any(pg_blocking_pids(pid))`;
      assert.ok(await pollUntil(async () => (await rows(stage.pool, waits)).length > 0, { timeoutMs: 30_000 }));
      await tx.query(sql`select 1 from certificate_orders where id = ${order.id} for update nowait`);
      await tx.query(sql`select 1 from workflows where subject_id = ${order.id} for update nowait`);
    });
    await begun;
  };

  test("when an order fails", () =>
    locksInOrder((order) =>
      transaction(stage.pool, (tx) => failOrder(tx, stage.ctx, order, { reasons: ["No."], isCounted: false })),
    ));

  test("when a run begins", () => locksInOrder((order) => proceed(stage.ctx, order)));

  const ends = (outcome: "succeeded" | "failed") => async (order: OrderRow) => endRunFor(stage.ctx, order, outcome);

  test("when a preparation ends", () => locksInOrder(ends("succeeded"), "request", true));
  test("when an installation ends", () => locksInOrder(ends("failed"), "install", true));

  test("when an authority cannot be reached", () =>
    locksInOrder((order) => {
      const ctx = { ...stage.ctx, config: { ...stage.ctx.config, acmeDirectory: "https://127.0.0.1:9/directory" } };
      return proceed(ctx, order);
    }, "order"));
});

describe("an authority", () => {
  /** Continues, as often as its jobs would, an order whose names resolve to the server. */
  const goOn = async (id: number, acmeDirectory: string): Promise<OrderRow> => {
    const order = await openOrder(id);
    await putAt(stage.pool, order, "reserve", { request: "" });
    const ctx = { ...stage.ctx, config: { ...stage.ctx.config, acmeDirectory } };
    const kind = certificateWorkflow(ctx);
    for (let tries = 1; (await openOrder(id)) && tries <= 10; tries++) await proceed(ctx, order, kind);
    return (await findOrder(stage.pool, order.id)) as OrderRow;
  };

  test("is retried when it cannot be reached, until the order fails with the reason", async () => {
    const id = await secured();
    await look(id);
    const order = await goOn(id, "https://127.0.0.1:9/directory");
    assert.equal(order.outcome, "failed");
    assert.match(order.error ?? "", /^The certificate authority cannot be reached: .*refused the connection/);
    assert.equal(order.log.filter((line) => line.endsWith("It is retried.")).length, 6);
    assert.ok((await stateOf(id))?.retry_at, "it is retried later");
  });

  test("cannot keep an order open by asking for more time", async (t) => {
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
