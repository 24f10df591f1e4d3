import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, beforeEach, describe, it } from "node:test";
import { transaction } from "../../../db/transaction.ts";
import { Worker } from "../../../engine/queue/worker.ts";
import { Scheduler } from "../../../engine/schedule/scheduler.ts";
import { pollUntil } from "../../../lib/clock.ts";
import { type HttpStandIn, openHttpStandIn, openSmtpStandIn } from "../../../providers/notify/tests/stand-ins.ts";
import { announce } from "../actions.ts";
import { claimDelivery, settleDelivery } from "../delivery/queries.ts";
import { notificationJobs, notificationSchedules } from "../jobs.ts";
import {
  channelsWithJobs,
  created,
  deliver,
  deliveriesOf,
  happens,
  openStage,
  read,
  type Stage,
  task,
  timePasses,
  update,
  webhook,
} from "./support.ts";

/** A server that never responds, and records all requested paths. */
async function neverAnswering() {
  const asked = new Set<string>();
  const underWay = new Set<string>();
  const askedAgain: string[] = [];
  const server = createServer(({ url = "" }, response) => {
    if (underWay.has(url)) askedAgain.push(url);
    asked.add(url);
    underWay.add(url);
    response.on("close", () => underWay.delete(url));
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as AddressInfo;
  const close = () => void server.close().closeAllConnections();
  return { url: `http://127.0.0.1:${port}`, asked, askedAgain, close };
}

describe("what happens", () => {
  let stage: Stage;
  let other: HttpStandIn;
  before(async () => {
    other = await openHttpStandIn();
    const mail = await openSmtpStandIn();
    after(() => mail.close());
    stage = await openStage({
      notifyAllow: "127.0.0.1",
      telegramUrl: other.url,
      smtpUrl: mail.url,
      mailFrom: "deploy@example.com",
    });
  });
  after(async () => {
    await stage.close();
    await other.close();
  });
  beforeEach(async () => {
    await stage.pool.query("delete from notification_channels");
    await stage.pool.query("delete from queue.job");
    other.received.length = 0;
  });

  const hook = (more: object = {}) => created(stage, webhook(`${other.url}/hook/verysecret`, more));
  const last = async (id: number) => (await deliveriesOf(stage, id))[0];

  it("is sent to channels that listen, and to no others", async () => {
    const listening = await hook();
    const ofProject = await hook({ project_ids: null });
    await stage.pool.query("update notification_channels set project_ids = '{5}' where id = $1", [ofProject.id]);
    const deaf = [await hook({ on: ["deployment.succeeded"] }), await hook({ is_active: 0 })];
    await happens(stage);
    assert.deepEqual(await channelsWithJobs(stage), [listening.id]);
    await happens(stage, { data: { project_id: 5 } });
    assert.deepEqual(await channelsWithJobs(stage), [listening.id, listening.id, ofProject.id]);
    for (const { id } of deaf) assert.deepEqual(await deliveriesOf(stage, id), []);
  });

  it("is sent to channels of its own organization", async () => {
    const { id } = await hook();
    await happens(stage, { organizationId: stage.cast.charlieOrganizationId });
    assert.deepEqual(await deliveriesOf(stage, id), []);
  });

  it("is sent when its transaction commits, and not when it does not", async () => {
    await hook();
    const rolledBack = transaction(stage.pool, async (tx) => {
      const { organizationId } = stage.cast;
      await announce(tx, stage.ctx, { organizationId, topic: "deployment.failed", title: "No", text: "", data: {} });
      throw new Error("broken");
    });
    await assert.rejects(rolledBack, /broken/);
    assert.deepEqual(await channelsWithJobs(stage), []);
  });

  it("is sent to the others while a channel is being deleted", async () => {
    const { id: leaving } = await hook();
    const { id: staying } = await hook();
    let happening: Promise<void> | undefined;
    await transaction(stage.pool, async (tx) => {
      await tx.query("delete from notification_channels where id = $1", [leaving]);
      happening = happens(stage);
      const waiting = "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
      assert.ok(await pollUntil(async () => (await stage.pool.query(waiting)).rows[0], { timeoutMs: 30_000 }));
    });
    await happening;
    assert.deepEqual(await channelsWithJobs(stage), [staying]);
  });

  it("reaches a webhook signed, with an id that stays the same", async () => {
    const began = Math.floor(Date.now() / 1_000);
    const { id, secret } = await hook();
    await happens(stage, { title: "Deployment of shop failed", data: { project_id: 5 } });
    other.answerWith({ status: 500 });
    await deliver(stage, id);
    await timePasses(stage, id);
    await deliver(stage, id);
    const [first, second] = other.received;
    assert.equal(first?.path, "/hook/verysecret");
    assert.equal(first?.headers["webhook-id"], second?.headers["webhook-id"]);
    assert.equal(first?.text, second?.text);
    assert.deepEqual(first?.body.organization, { id: stage.cast.organizationId, name: "Acme" });
    assert.equal(first?.body.type, "deployment.failed");
    const signed = `${second?.headers["webhook-id"]}.${second?.headers["webhook-timestamp"]}.${second?.text}`;
    const key = Buffer.from(secret.replace("whsec_", ""), "base64");
    assert.equal(
      second?.headers["webhook-signature"],
      `v1,${createHmac("sha256", key).update(signed).digest("base64")}`,
    );
    const sentAt = Number(second?.headers["webhook-timestamp"]);
    assert.ok(sentAt >= began && sentAt <= Date.now() / 1_000);
    const delivery = await last(id);
    assert.deepEqual(
      [delivery.status, delivery.attempts, delivery.answer, delivery.error],
      ["delivered", 2, "200 ok", null],
    );
  });

  it("is signed with the new secret once it was renewed", async () => {
    const { id, secret } = await hook();
    await stage.app.inject({
      method: "POST",
      url: `/api/v1/notification-channels/${id}/secret`,
      headers: { authorization: `Bearer ${stage.cast.alice}` },
    });
    await happens(stage);
    await deliver(stage, id);
    const { headers, text } = await other.request(1);
    const key = Buffer.from(secret.replace("whsec_", ""), "base64");
    const old = createHmac("sha256", key).update(`${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${text}`);
    assert.notEqual(headers["webhook-signature"], `v1,${old.digest("base64")}`);
  });

  it("is retried later, with the reason shown and without the secret in it", async () => {
    const { id } = await hook();
    await happens(stage);
    other.answerWith({ status: 503, body: "no /hook/verysecret here" });
    const began = Date.now();
    await deliver(stage, id);
    const ended = Date.now();
    const { status, attempts, error, next_attempt_at } = await last(id);
    assert.deepEqual([status, attempts], ["queued", 1]);
    assert.equal(error, "The other side answered 503: no ******** here");
    const dueAt = Date.parse(next_attempt_at);
    assert.ok(dueAt - began > 5_000 && dueAt - ended <= 15_000, String(dueAt - began));
    const { last_delivery } = (await read(stage, id)).body.data;
    assert.deepEqual([last_delivery.status, last_delivery.error], ["queued", error]);
    await stage.pool.query("update notification_deliveries set next_attempt_at = next_attempt_at + interval '1 hour'");
    await deliver(stage, id);
    assert.equal(other.received.length, 1, "not before its time");
  });

  it("leaves the other side alone for as long as it asks", async () => {
    const { id } = await hook();
    await happens(stage);
    await happens(stage);
    other.answerWith({ status: 429, headers: { "Retry-After": "600" } });
    const began = Date.now();
    await deliver(stage, id);
    assert.ok(Date.parse((await deliveriesOf(stage, id))[1].next_attempt_at) - began > 590_000);
    await deliver(stage, id);
    assert.equal(other.received.length, 1, "the second one waits as well");
    await task(stage, "deliver-due-notifications");
    assert.ok(
      !(await stage.pool.query("select 1 from queue.job where singleton_key like 'channel %' and state = 'created'"))
        .rows[1],
    );
    await stage.pool.query("update notification_channels set held_until = now() where id = $1", [id]);
    await timePasses(stage, id);
    await deliver(stage, id);
    assert.equal(other.received.length, 3);
  });

  it("is given up when it is refused for good, or after a day", async () => {
    const { id } = await hook();
    await happens(stage);
    other.answerWith({ status: 410, body: "gone" });
    await deliver(stage, id);
    assert.deepEqual(
      [(await last(id)).status, (await last(id)).error],
      ["failed", "The other side answered 410: gone"],
    );
    await happens(stage);
    await stage.pool.query("update notification_deliveries set created_at = now() - interval '1 day', attempts = 30");
    other.answerWith({ status: 500, body: "" });
    await deliver(stage, id);
    assert.deepEqual([(await last(id)).status, (await last(id)).attempts], ["failed", 31]);
    assert.equal((await read(stage, id)).body.data.last_delivery.status, "failed");
    assert.equal((await last(id)).next_attempt_at, null);
  });

  it("comes in its order, one after the other", async () => {
    const { id } = await hook();
    for (const title of ["first", "second", "third"]) await happens(stage, { title });
    await Promise.all([deliver(stage, id), deliver(stage, id), deliver(stage, id)]);
    assert.deepEqual(
      other.received.map(({ body }) => body.title),
      ["first", "second", "third"],
    );
  });

  it("is given back when the process stops in the middle, and continues at once in the next", async () => {
    const { id } = await hook();
    await happens(stage);
    other.answerWith({ silent: true });
    const stopping = new AbortController();
    const delivering = deliver(stage, id, stopping.signal);
    await other.request(1);
    stopping.abort();
    await delivering;
    assert.deepEqual([(await last(id)).status, (await last(id)).attempts], ["queued", 0]);
    await deliver(stage, id);
    assert.equal((await last(id)).status, "delivered");
    assert.equal(other.received[0]?.headers["webhook-id"], other.received[1]?.headers["webhook-id"]);
  });

  it("is settled by who has the last attempt, not by one that was thought dead", async () => {
    const { id } = await hook();
    await happens(stage);
    const claim = () => transaction(stage.pool, (tx) => claimDelivery(tx, id, 30_000));
    const dead = await claim();
    assert.equal(await claim(), undefined, "under way");
    await timePasses(stage, id);
    const alive = await claim();
    assert.ok(dead && alive && alive.attempts === 2);
    assert.equal(await settleDelivery(stage.pool, dead, { status: "failed", error: "late" }), false);
    assert.equal(await settleDelivery(stage.pool, alive, { status: "delivered", answer: "200" }), true);
    assert.equal(await settleDelivery(stage.pool, alive, { status: "failed", error: "twice" }), false);
  });

  it("is not sent any more once the channel is switched off", async () => {
    const { id } = await hook();
    await happens(stage);
    await update(stage, id, { is_active: false });
    await deliver(stage, id);
    assert.equal(other.received.length, 0);
    assert.deepEqual(
      [(await last(id)).status, (await last(id)).error],
      ["failed", "The channel was switched off before it was delivered."],
    );
    await update(stage, id, { is_active: true });
    await deliver(stage, id);
    assert.equal(other.received.length, 0);
  });

  it("is found by the task when its job is lost, and ended when it could not be delivered", async () => {
    const { id } = await hook();
    await happens(stage);
    await stage.pool.query("delete from queue.job");
    await task(stage, "deliver-due-notifications");
    await task(stage, "deliver-due-notifications");
    assert.deepEqual(await channelsWithJobs(stage), [id], "one job, however often it is looked");
    await stage.pool.query("update notification_deliveries set created_at = now() - interval '25 hours'");
    await task(stage, "abandon-old-notifications");
    assert.equal((await last(id)).error, "It could not be delivered within a day.");
  });

  it("is forgotten after thirty days", async () => {
    const { id } = await hook();
    await happens(stage, { title: "Old" });
    await happens(stage, { title: "New" });
    await stage.pool.query("update announcements set created_at = now() - interval '31 days' where title = 'Old'");
    await task(stage, "delete-old-notifications");
    assert.deepEqual(
      (await deliveriesOf(stage, id)).map(({ title }: { title: string }) => title),
      ["New"],
    );
  });

  it("is neither held up nor lost by a channel that cannot even be attempted", async () => {
    const { id } = await hook();
    await stage.pool.query("update notification_channels set target = '\\x00' where id = $1", [id]);
    await happens(stage);
    await deliver(stage, id);
    assert.deepEqual(
      [(await last(id)).status, (await last(id)).error],
      ["queued", "Longshore could not send it; its log says why."],
    );
  });

  it("is sent to the others while channels of which there are more than enough never answer", async (t) => {
    const dead = await neverAnswering();
    await Promise.all(Array.from({ length: 45 }, (_, at) => created(stage, webhook(`${dead.url}/${at}`))));
    await happens(stage);
    await happens(stage);
    const worker = new Worker(stage.ctx.queue, notificationJobs(stage.ctx), stage.ctx.log);
    const scheduler = new Scheduler(stage.ctx, notificationSchedules(stage.ctx));
    await scheduler.start();
    t.after(async () => {
      dead.close();
      await Promise.all([worker.stop(), scheduler.stop()]);
    });
    await worker.start(stage.ctx.listener);
    assert.ok(await pollUntil(() => dead.asked.size === 45, { timeoutMs: 60_000 }));
    await hook();
    await happens(stage, { title: "To those who listen" });
    assert.equal((await other.request(1)).body.title, "To those who listen");
    assert.deepEqual(dead.askedAgain, [], "each of them holds one worker, not one for each message");
  });
});
