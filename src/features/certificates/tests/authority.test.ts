import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, afterEach, before, describe, test } from "node:test";
import { promisify } from "node:util";
import { type Authority, startAuthority } from "../../../../stage/pebble.ts";
import { selfSigned } from "../../../../stage/self-signed.ts";
import { row, rows, sql } from "../../../db/sql.ts";
import { transaction } from "../../../db/transaction.ts";
import { reconcileAll } from "../../../engine/tests/engines.ts";
import type { Phase, Work } from "../../../engine/workflow/workflow.ts";
import { pollUntil } from "../../../lib/clock.ts";
import { lockProjectForWork } from "../../projects/queries.ts";
import type { PlacedProject } from "../../projects/schema.ts";
import { createPreparedProject, openStage, type Stage } from "../../projects/tests/support.ts";
import { openAuthority } from "../authority/account.ts";
import { setAccountUrl } from "../authority/queries.ts";
import { cancelOrder, orderIfNeeded } from "../orders.ts";
import { findOpenOrder, findOrder } from "../queries.ts";
import type { OrderData, OrderRow } from "../schema.ts";
import { cleanupTarget } from "../targets.ts";
import { certificateWorkflow } from "../workflow.ts";
import { endRunFor, orderQueues, proceed, putAt, workflowFor } from "./support.ts";

// Orders and the authority: pebble, behind a proxy that can make it fail. No servers are involved.

let directory: string;
let authority: Authority;
let stage: Stage;
let site: Server;
/** The response of the names' server to the validation of a challenge, by token. */
const answers = new Map<string, () => Promise<string>>();

before(async () => {
  directory = await mkdtemp(join(tmpdir(), "longshore-authority-"));
  site = createServer(async (request, response) => {
    const answer = await answers.get(request.url?.split("/").at(-1) ?? "")?.();
    response.writeHead(answer === undefined ? 404 : 200).end(answer);
  }).listen(0, "127.0.0.1");
  await once(site, "listening");
  authority = await startAuthority({ directory, httpPort: (site.address() as AddressInfo).port });
  stage = await openStage({ acmeDirectory: authority.directoryUrl, acmeTrustFile: authority.trustFile });
  await stage.ctx.queue.start(orderQueues);
});

afterEach(() => authority.mend());

after(async () => {
  await stage?.close();
  await authority?.close();
  site?.close();
  await rm(directory, { recursive: true, force: true });
});

const look = (id: number) => transaction(stage.pool, (tx) => orderIfNeeded(tx, stage.ctx, id));

/** An order of a new project whose names resolve to the server: the authority is asked next. */
async function readyToOrder(id?: number): Promise<OrderRow> {
  const projectId = id ?? (await createPreparedProject(stage, { ssl_is_enabled: 1 }));
  await look(projectId);
  const { id: orderId, names } = (await findOpenOrder(stage.pool, projectId)) as OrderRow;
  const order = (await findOrder(stage.pool, orderId)) as OrderRow;
  await putAt(stage.pool, order, "reserve", { request: await requestFor(names) });
  return order;
}

/** As a server makes it, with a key that is discarded. */
async function requestFor(names: readonly string[]): Promise<string> {
  const san = `subjectAltName=${names.map((name) => `DNS:${name}`).join(",")}`;
  const key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", join(directory, "key")];
  const made = ["req", "-new", ...key, "-subj", "/", "-addext", san, "-outform", "DER", "-out", join(directory, "csr")];
  await promisify(execFile)("openssl", made);
  return readFile(join(directory, "csr"), "base64");
}

const phaseOf = async (order: OrderRow) => (await workflowFor(stage.pool, order)).phase;

const reread = async ({ id }: OrderRow) => (await findOrder(stage.pool, id)) as OrderRow;

/** A worker's context, at an authority. */
function worker(acmeDirectory = authority.directoryUrl) {
  const ctx = { ...stage.ctx, config: { ...stage.ctx.config, acmeDirectory, acmeSameNamesLimit: 1 } };
  return { ctx, authority: openAuthority(ctx) };
}
type Working = ReturnType<typeof worker>;

const workOn = ({ ctx, authority }: Working, order: OrderRow): Promise<void> =>
  proceed(ctx, order, certificateWorkflow(ctx, authority));

/** Continues an order as its jobs would, until it has ended. */
async function untilEnded(work: Working, order: OrderRow): Promise<OrderRow> {
  for (let tries = 1; (await reread(order)).outcome === null && tries <= 10; tries++) await workOn(work, order);
  return reread(order);
}

const countedAt = async (acmeDirectory: string): Promise<number> => {
  const found = sql`select count(*)::int as count from acme_requests where directory = ${acmeDirectory}`;
  return (await row<{ count: number }>(stage.pool, found))?.count ?? 0;
};

const runsOf = async ({ project_id }: OrderRow): Promise<string[]> => {
  await reconcileAll(stage.ctx, [cleanupTarget]);
  const found = sql`select kind from runs where subject_id = ${project_id} and kind like 'certificate%' order by id`;
  return (await rows<{ kind: string }>(stage.pool, found)).map(({ kind }) => kind);
};

describe("an order that ends during a request to the authority", () => {
  /** The worker continues the order; `event` happens just before it asks. */
  const askAfter = (order: OrderRow, event: () => Promise<unknown>): Promise<void> => {
    const work = worker();
    const client = () => event().then(work.authority.client);
    return workOn({ ...work, authority: { ...work.authority, client } }, order);
  };
  const cancel = (order: OrderRow) =>
    transaction(stage.pool, async (tx) => {
      const project = (await lockProjectForWork(tx, order.project_id)) as PlacedProject;
      await cancelOrder(tx, stage.ctx, project, order);
    });

  test("publishes no challenges, since nothing would remove them", async () => {
    const order = await readyToOrder();
    await askAfter(order, () => cancel(order));
    assert.equal((await reread(order)).outcome, "cancelled");
    assert.deepEqual(await runsOf(order), ["certificate-cleanup"]);
  });

  test("is cancelled when the project's names have changed", async () => {
    const order = await readyToOrder();
    await askAfter(order, () =>
      stage.pool.query("update sites set www_redirect = 1 where project_id = $1", [order.project_id]),
    );
    assert.equal((await reread(order)).outcome, "cancelled");
    assert.deepEqual(await runsOf(order), ["certificate-cleanup"]);
  });

  test("is not installed", async () => {
    const order = await readyToOrder();
    const { certificate } = await selfSigned(order.names);
    await putAt(stage.pool, order, "install", { chain: certificate });
    await cancel(order);
    await workOn(worker(), order);
    assert.deepEqual(await runsOf(order), ["certificate-cleanup"]);
  });
});

describe("an order that was interrupted for long", () => {
  test("is polled after the restart, and does not fail for its age", async (t) => {
    const order = await readyToOrder();
    await workOn(worker(), order);
    const { challenges } = await reread(order);
    await putAt(stage.pool, order, "validate");
    await stage.pool.query(
      `update workflows set phase_started_at = now() - interval '601 seconds', retry_at = now() - interval '10 minutes'
       where subject_id = $1`,
      [order.id],
    );
    // The challenge is published only after the order was fetched again, which shows that it is not done.
    const client = await worker().authority.client();
    t.after(() => answers.clear());
    const from = authority.requests.length;
    const asked = () =>
      authority.requests.slice(from).filter((request) => request.startsWith("POST /my-order/")).length;
    for (const { token } of challenges) {
      answers.set(token, async () => {
        await pollUntil(() => asked() > 3, { timeoutMs: 30_000 });
        return client.keyAuthorization(token);
      });
    }
    for (let looks = 1; (await phaseOf(order)) === "validate" && looks <= 10; looks++) await workOn(worker(), order);
    assert.deepEqual([await phaseOf(order), (await reread(order)).error], ["install", null]);
  });
});

describe("an order whose process dies at the end of each phase, before the result is stored", () => {
  test("continues with the authority's order, and counts once", async (t) => {
    const over = Promise.withResolvers<void>();
    const processes: Promise<unknown>[] = [];
    t.after(async () => {
      answers.clear();
      over.resolve();
      await Promise.allSettled(processes);
    });
    const order = await readyToOrder();
    const { ctx, authority: asked } = worker();
    const counted = await countedAt(authority.directoryUrl);
    const from = authority.answered.length;
    let death = Promise.withResolvers<void>();
    const deaths: string[] = [];
    const dieOnce = async (name: string, signal: AbortSignal) => {
      if (deaths.includes(name)) return;
      deaths.push(name);
      death.resolve();
      // The process that takes over ends this one, and the end of the test at the latest.
      await Promise.race([once(signal, "abort"), over.promise]);
    };
    const kind = certificateWorkflow(ctx, asked);
    const phases = kind.phases.map((phase) => {
      const { name } = phase;
      if ("run" in phase) return phase;
      const work = "call" in phase ? phase.call : phase.until;
      const mortal = async (held: Work<OrderData>) => {
        const learnt = await work(held);
        if ("call" in phase || learnt !== undefined) await dieOnce(name, held.signal);
        return learnt;
      };
      return { ...phase, ["call" in phase ? "call" : "until"]: mortal } as Phase<OrderData>;
    });
    for (let lives = 1; (await reread(order)).outcome === null && lives <= 20; lives++) {
      death = Promise.withResolvers<void>();
      const life = proceed(ctx, order, { ...kind, phases });
      processes.push(life);
      await Promise.race([life, death.promise]);
      await stage.pool.query(
        "update workflows set lease_until = now() - interval '1 second' where subject_id = $1 and lease_until is not null",
        [order.id],
      );
      if ((await workflowFor(stage.pool, order)).runId === null) continue;
      for (const { token, content } of (await reread(order)).challenges) answers.set(token, async () => content);
      await endRunFor(ctx, order, "succeeded");
    }
    assert.deepEqual(deaths, ["reserve", "order", "validate", "fetch", "look"]);
    const placed = authority.answered.slice(from).filter((line) => line === "POST /order-plz 201");
    assert.equal(placed.length, 1);
    assert.equal(await countedAt(authority.directoryUrl), counted + 3);
    assert.equal((await reread(order)).outcome, "succeeded");
  });
});

describe("the quota", () => {
  test("is not used up by an authority that cannot be reached", async () => {
    const dead = "https://127.0.0.1:9/directory";
    const work = worker(dead);
    // Its account exists from an earlier time: the order is the first request.
    await work.authority.client().catch(() => undefined);
    await setAccountUrl(stage.pool, dead, "https://127.0.0.1:9/account");
    const first = await readyToOrder();
    for (let times = 1, order = first; times <= 2; times++) {
      order = await untilEnded(work, order);
      assert.match(order.error ?? "", /^The certificate authority cannot be reached: .*refused the connection/);
      await stage.pool.query("update certificates set retry_at = now() where project_id = $1", [order.project_id]);
      order = await readyToOrder(order.project_id);
    }
    assert.equal(await countedAt(dead), 0);
  });

  test("is not used up by a temporary refusal", async () => {
    const order = await readyToOrder();
    const before = await countedAt(authority.directoryUrl);
    authority.fail(/order-plz/, { status: 500, type: "serverInternal", detail: "It is down." });
    assert.match((await untilEnded(worker(), order)).error ?? "", /It is down\./);
    assert.equal(await countedAt(authority.directoryUrl), before);
  });

  test("counts an order once that was requested twice", async () => {
    const order = await readyToOrder();
    const before = await countedAt(authority.directoryUrl);
    authority.fail(/authz/i, { status: 500, type: "serverInternal", detail: "It is down." }, 1);
    await workOn(worker(), order);
    assert.equal(await phaseOf(order), "order");
    await workOn(worker(), order);
    assert.equal(await phaseOf(order), "challenges");
    // The account, the set of names, and their domain.
    assert.equal(await countedAt(authority.directoryUrl), before + 3);
  });
});
