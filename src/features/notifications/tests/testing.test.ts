import assert from "node:assert/strict";
import { after, afterEach, before, describe, it } from "node:test";
import { Worker } from "../../../engine/queue/worker.ts";
import {
  type HttpStandIn,
  openHttpStandIn,
  openSmtpStandIn,
  type SmtpStandIn,
} from "../../../providers/notify/tests/stand-ins.ts";
import { notificationJobs } from "../jobs.ts";
import { call, create, created, deliveriesOf, openStage, read, type Stage, update, webhook } from "./support.ts";

const bot_token = "123456:AAHverysecretverysecretverysecret00";

describe("a test message", () => {
  let stage: Stage;
  let other: HttpStandIn;
  let mail: SmtpStandIn;
  let worker: Worker;
  before(async () => {
    other = await openHttpStandIn();
    mail = await openSmtpStandIn();
    stage = await openStage({
      notifyAllow: "127.0.0.1",
      telegramUrl: other.url,
      smtpUrl: mail.url,
      mailFrom: "Longshore <deploy@example.com>",
    });
    worker = new Worker(stage.ctx.queue, notificationJobs(stage.ctx), stage.ctx.log);
    await worker.start(stage.ctx.listener);
  });
  after(async () => {
    await worker.stop();
    await stage.close();
    await other.close();
    await mail.close();
  });
  afterEach(() => {
    other.received.length = 0;
  });

  const tested = async (type: string, target: string, more: object = {}) => {
    const { id } = await created(stage, { ...webhook(target), type, ...more });
    return { id, reply: await test(id) };
  };
  const test = (id: number) =>
    call(stage.app, `POST /api/v1/notification-channels/${id}/test`, { token: stage.cast.alice });

  it("reaches Slack", async () => {
    const { id, reply } = await tested("slack", `${other.url}/services/T/B/verysecret`);
    assert.equal(reply.status, 200, reply.text);
    assert.equal(reply.body.message, "The test message was delivered: 200 ok");
    assert.equal(reply.body.data.status, "delivered");
    const { path, body } = await other.request(1);
    assert.equal(path, "/services/T/B/verysecret");
    assert.equal(body.attachments[0].blocks[0].text.text, "Test of the notification channel Hook");
    assert.equal((await read(stage, id)).body.data.last_delivery.status, "delivered");
  });

  it("reaches Discord", async () => {
    other.answerWith({ status: 204 });
    const { reply } = await tested("discord", `${other.url}/api/webhooks/1/verysecret`);
    assert.equal(reply.status, 200, reply.text);
    const { body } = await other.request(1);
    assert.match(body.embeds[0].description, /^Alice sent this to see if messages of Acme arrive here\./);
  });

  it("reaches Telegram as the bot", async () => {
    other.answerWith({ body: '{"ok":true,"result":{"message_id":1}}' });
    const { reply } = await tested("telegram", "-1001/7", { bot_token });
    assert.equal(reply.status, 200, reply.text);
    const { path, body } = await other.request(1);
    assert.equal(path, `/bot${bot_token}/sendMessage`);
    assert.deepEqual([body.chat_id, body.message_thread_id], ["-1001", 7]);
  });

  it("reaches people by mail", async () => {
    const { reply } = await tested("email", "ops@example.com, dev@example.com");
    assert.equal(reply.body.message, "The test message was delivered: 250 queued as 4711");
    const { to, headers } = await mail.mail(1);
    assert.deepEqual(to, ["ops@example.com", "dev@example.com"]);
    assert.equal(headers.subject, "Test of the notification channel Hook");
  });

  it("reaches a webhook, signed", async () => {
    const { reply } = await tested("webhook", `${other.url}/hook`);
    assert.equal(reply.status, 200, reply.text);
    const { body, headers } = await other.request(1);
    assert.equal(body.type, "test");
    assert.match(String(headers["webhook-signature"]), /^v1,/);
  });

  const refusals: [type: string, answer: object, said: string][] = [
    ["slack", { status: 404, body: "no_service" }, "The other side answered 404: no_service"],
    [
      "discord",
      { status: 401, body: '{"message": "Invalid Webhook Token"}' },
      'The other side answered 401: {"message": "Invalid Webhook Token"}',
    ],
    ["webhook", { status: 500, body: "Bad verysecret" }, "The other side answered 500: Bad ********"],
    [
      "webhook",
      { status: 302, headers: { Location: "http://169.254.169.254/" } },
      "The other side answered 302: redirects are not followed.",
    ],
  ];
  for (const [type, answer, said] of refusals) {
    it(`to ${type} reports the other side's answer: ${said.slice(20)}`, async () => {
      other.answerWith(answer);
      const { id, reply } = await tested(type, `${other.url}/verysecret`);
      assert.equal(reply.status, 422);
      assert.deepEqual(reply.body, { status: "error", message: `The test message was not delivered. ${said}` });
      const [delivery, ...more] = await deliveriesOf(stage, id);
      assert.deepEqual(more, []);
      assert.deepEqual(
        [delivery.status, delivery.attempts, delivery.topic],
        ["failed", 1, "test"],
        "it is not retried",
      );
      assert.equal(other.received.length, 1);
    });
  }

  it("to Telegram reports Telegram's answer, without the token", async () => {
    other.answerWith({
      status: 400,
      body: `{"ok":false,"description":"Bad Request: chat not found for ${bot_token}"}`,
    });
    const { reply } = await tested("telegram", "@nowhere", { bot_token });
    assert.match(reply.body.message, /400: Bad Request: chat not found for \*+$/);
    other.answerWith({
      status: 429,
      body: '{"ok":false,"description":"Too Many Requests","parameters":{"retry_after":30}}',
    });
    const { id } = await tested("telegram", "@nowhere", { bot_token });
    const { rows } = await stage.pool.query(
      "select held_until - now() > '20 s' as held from notification_channels where id = $1",
      [id],
    );
    assert.equal(rows[0].held, true);
    assert.equal((await test(id)).status, 422, "who tries it does not wait for that");
  });

  it("by mail reports the mail server's answer", async () => {
    mail.answerOnce("RCPT", "550 5.1.1 no such user");
    const { reply } = await tested("email", "gone@example.com");
    assert.equal(
      reply.body.message,
      "The test message was not delivered. The mail server answered: 550 5.1.1 no such user",
    );
  });

  it("does not reach what is private", async () => {
    for (const target of ["http://10.1.2.3/hook", "http://[::1]/", "http://2130706434/"]) {
      const reply = await create(stage, webhook(target));
      assert.equal(reply.status, 422, target);
      const { target: error } = reply.body.errors;
      assert.match(error, /is at a private or reserved address.*LONGSHORE_NOTIFY_ALLOW/);
    }
    const { id } = await created(stage, webhook(`${other.url}/hook`));
    const { status, body } = await update(stage, id, { target: "https://10.1.2.3/" });
    assert.equal(status, 422);
    assert.match(body.errors.target, /LONGSHORE_NOTIFY_ALLOW/);
    assert.equal((await update(stage, id, { target: `${other.url}/…` })).status, 200);
  });

  it("reaches a channel that is switched off", async () => {
    const { id } = await created(stage, webhook(`${other.url}/hook`, { is_active: false }));
    assert.equal((await test(id)).status, 200);
  });

  it("goes ahead of what waits for its next attempt", async () => {
    const { id } = await created(stage, webhook(`${other.url}/hook`));
    await stage.pool.query("update notification_channels set held_until = now() + interval '1 hour' where id = $1", [
      id,
    ]);
    assert.equal((await test(id)).status, 200);
  });
});

describe("a test message that is not sent", () => {
  let stage: Stage;
  before(async () => {
    stage = await openStage({ answerWithinSeconds: "1" });
  });
  after(() => stage.close());

  const test = (id: number) =>
    call(stage.app, `POST /api/v1/notification-channels/${id}/test`, { token: stage.cast.alice });

  it("is answered with 202 when it takes too long", async () => {
    const { id } = await created(stage, webhook("https://hooks.example.com/a"));
    const { status, body } = await test(id);
    assert.deepEqual([status, body.data.status], [202, "queued"]);
  });

  it("is refused by mail where there is no mail server", async () => {
    const { id } = await created(stage, { ...webhook("a@example.com"), type: "email" });
    const { status, body } = await test(id);
    assert.equal(status, 422);
    assert.match(body.message, /LONGSHORE_SMTP_URL/);
  });
});
