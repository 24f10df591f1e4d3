import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { restrict, tokenOf } from "../../../http/tests/support.ts";
import { adminMember } from "../../accounts/admin.ts";
import {
  addProject,
  addProvisioned,
  call,
  create,
  created,
  deliveriesOf,
  happens,
  openStage,
  read,
  remove,
  type Stage,
  stored,
  update,
  webhook,
} from "./support.ts";

const url = "https://hooks.example.com/services/T0/B0/verysecret?key=alsosecret";

describe("a notification channel", () => {
  let stage: Stage;
  before(async () => {
    stage = await openStage();
  });
  after(() => stage.close());

  const list = async (token = stage.cast.alice) =>
    (await call(stage.app, "GET /api/v1/notification-channels", { token })).body;

  it("is created with what it needs, and is on by default", async () => {
    const { status, body } = await create(stage, {
      name: "Ops",
      type: "slack",
      target: url,
      on: ["deployment.failed"],
    });
    assert.equal(status, 201);
    const { id, created_at, updated_at, ...fields } = body.data;
    assert.deepEqual(fields, {
      name: "Ops",
      type: "slack",
      target: "https://hooks.example.com/…",
      on: ["deployment.failed"],
      project_ids: null,
      is_active: true,
      last_delivery: null,
    });
    assert.deepEqual((await read(stage, id)).body.data, body.data);
    assert.equal((await list()).total_items, 1);
  });

  const kinds: [type: string, target: string, shown: string, more?: object][] = [
    ["slack", url, "https://hooks.example.com/…"],
    ["discord", url, "https://hooks.example.com/…"],
    ["webhook", url, "https://hooks.example.com/…"],
    ["email", " ops@example.com,dev@example.com , ops@example.com", "ops@example.com, dev@example.com"],
    ["telegram", "-1001234567890/7", "-1001234567890/7", { bot_token: "123456:AAHverysecretverysecretverysecret00" }],
    ["telegram", "@releases", "@releases", { bot_token: "123456:AAHverysecretverysecretverysecret00" }],
  ];
  for (const [type, target, shown, more] of kinds) {
    it(`of type ${type} to ${target.trim().slice(0, 12)} shows and stores nothing that opens it`, async () => {
      const { status, body, text } = await create(stage, {
        name: type,
        type,
        target,
        on: ["deployment.failed"],
        ...more,
      });
      assert.equal(status, 201, text);
      assert.equal(body.data.target, shown);
      const row = await stored(stage, body.data.id);
      for (const seen of [text, (await read(stage, body.data.id)).text, JSON.stringify(await list()), row]) {
        assert.doesNotMatch(seen, /verysecret|alsosecret/);
      }
    });
  }

  it("that is a webhook shows its secret once, and another one when it is renewed", async () => {
    const { id, secret } = await created(stage, webhook(url));
    assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
    assert.ok(!(await read(stage, id)).text.includes("whsec_"));
    const renewed = await call(stage.app, `POST /api/v1/notification-channels/${id}/secret`, {
      token: stage.cast.alice,
    });
    assert.match(renewed.body.data.secret, /^whsec_/);
    assert.notEqual(renewed.body.data.secret, secret);
    assert.ok(!(await stored(stage, id)).includes("whsec_"));
    const slack = await created(stage, { ...webhook(url), type: "slack" });
    assert.equal(slack.secret, undefined);
  });

  it("is refused with every bad field at once", async () => {
    const errorsOf = async (body: object) => (await create(stage, body)).body.errors;
    const bad = await errorsOf({
      name: "a\nb",
      type: "slack",
      target: "hooks.example.com",
      on: ["nothing"],
      project_ids: [],
    });
    assert.deepEqual(Object.keys(bad).sort(), ["name", "on.0", "project_ids", "target"]);
    assert.deepEqual(Object.keys(await errorsOf({})).sort(), ["name", "on", "target", "type"]);
    for (const target of [
      "javascript:alert(1)",
      "https://user:password@example.com/",
      "https://",
      "ftp://example.com",
      "",
    ]) {
      assert.deepEqual(Object.keys(await errorsOf(webhook(target))), ["target"], target);
    }
    const addresses = [
      "no-address",
      "a@b, c",
      "a@example.com\r\nBcc: b@example.com",
      "<a@example.com>",
      ",",
      "a b@example.com",
    ];
    for (const target of addresses) {
      assert.deepEqual(Object.keys(await errorsOf({ ...webhook(target), type: "email" })), ["target"], target);
    }
    assert.deepEqual(Object.keys(await errorsOf({ ...webhook("someone"), type: "telegram" })).sort(), [
      "bot_token",
      "target",
    ]);
    const token = { bot_token: "123456:../../evil/AAAAAAAAAAAAAAAAAAAAAA" };
    assert.deepEqual(Object.keys(await errorsOf({ ...webhook("@releases"), type: "telegram", ...token })), [
      "bot_token",
    ]);
  });

  it("keeps what is omitted, and its target when it comes back as it was shown", async () => {
    const { id } = await created(stage, webhook(url, { name: "Before" }));
    const before = await stage.pool.query("select target, secret from notification_channels where id = $1", [id]);
    const shown = (await read(stage, id)).body.data;
    const { status, body } = await update(stage, id, { ...shown, name: "After", is_active: 0 });
    assert.equal(status, 200);
    assert.deepEqual([body.data.name, body.data.is_active, body.data.target], ["After", false, shown.target]);
    const after = await stage.pool.query("select target, secret from notification_channels where id = $1", [id]);
    assert.deepEqual(after.rows, before.rows);
    assert.equal((await update(stage, id, { on: ["certificate.failed"] })).body.data.name, "After");
  });

  it("takes a new target, and keeps the bot's token beside it", async () => {
    const bot_token = "123456:AAHverysecretverysecretverysecret00";
    const { id } = await created(stage, { ...webhook("-100/1"), type: "telegram", bot_token });
    assert.equal((await update(stage, id, { target: "@releases" })).body.data.target, "@releases");
    const { rows } = await stage.pool.query("select target from notification_channels where id = $1", [id]);
    assert.deepEqual(JSON.parse(stage.ctx.secrets.decrypt(rows[0].target)), {
      botToken: bot_token,
      chatId: "@releases",
      threadId: null,
    });
    const bad = await update(stage, id, { target: "nowhere", bot_token: "x" });
    assert.deepEqual([bad.status, Object.keys(bad.body.errors).sort()], [422, ["bot_token", "target"]]);
  });

  it("stays of its type", async () => {
    const { id } = await created(stage, webhook(url));
    assert.equal((await update(stage, id, { type: "webhook" })).status, 200);
    assert.deepEqual(Object.keys((await update(stage, id, { type: "slack" })).body.errors), ["type"]);
  });

  it("is gone when it is deleted, with its deliveries", async () => {
    const { id } = await created(stage, webhook(url));
    await happens(stage);
    assert.equal((await deliveriesOf(stage, id)).length, 1);
    assert.equal((await remove(stage, id, stage.cast.bob)).status, 403);
    assert.equal((await remove(stage, id, stage.cast.charlie)).status, 404);
    assert.equal((await remove(stage, id)).status, 200);
    assert.equal((await remove(stage, id)).status, 404);
    assert.equal((await read(stage, id)).status, 404);
  });

  it("is one of at most fifty", async () => {
    await stage.pool.query(`insert into notification_channels (organization_id, name, type, target, shown_target, topics)
      select ${stage.cast.charlieOrganizationId}, 'Mail', 'email', '\\x00', '', '{}' from generate_series(1, 49)`);
    const body = { ...webhook("a@example.com"), type: "email" };
    const both = await Promise.all([create(stage, body, stage.cast.charlie), create(stage, body, stage.cast.charlie)]);
    assert.deepEqual(both.map(({ status }) => status).sort(), [201, 422]);
  });
});

describe("a restricted membership", () => {
  let stage: Stage;
  let inside: number;
  let outside: number;
  before(async () => {
    stage = await openStage();
    const server = await addProvisioned(stage);
    inside = await addProject(stage.pool, server);
    outside = await addProject(stage.pool, await addProvisioned(stage));
    const { pool, cast } = stage;
    const organization = String(cast.organizationId);
    await adminMember({ pool }, { email: "adam@example.com", organization, role: "Admin", projects: [inside] });
    await restrict(pool, "Bob", cast.organizationId, { servers: [server] });
  });
  after(() => stage.close());

  it("makes channels for projects in reach only, and must name them", async () => {
    const by = async (more: object) => create(stage, webhook(url, more), stage.cast.adam);
    assert.deepEqual(Object.keys((await by({})).body.errors), ["project_ids"]);
    assert.deepEqual(Object.keys((await by({ project_ids: null })).body.errors), ["project_ids"]);
    assert.equal(
      (await by({ project_ids: [inside, outside] })).body.errors.project_ids,
      `The project ${outside} does not exist.`,
    );
    const { status, body } = await by({ project_ids: [inside] });
    assert.equal(status, 201);
    const widened = await update(stage, body.data.id, { project_ids: null }, stage.cast.adam);
    assert.deepEqual(Object.keys(widened.body.errors), ["project_ids"]);
    assert.equal((await update(stage, body.data.id, { name: "Mine" }, stage.cast.adam)).status, 200);
  });

  it("sees those that receive only what it reaches", async () => {
    const of = async (project_ids: number[] | null) => (await created(stage, webhook(url, { project_ids }))).id;
    const [all, mixed, hidden, shown] = [
      await of(null),
      await of([inside, outside]),
      await of([outside]),
      await of([inside]),
    ];
    for (const token of [stage.cast.adam, stage.cast.bob]) {
      for (const id of [all, mixed, hidden]) assert.equal((await read(stage, id, token)).status, 404);
      assert.equal((await read(stage, shown, token)).status, 200);
      const listed = await call(stage.app, "GET /api/v1/notification-channels", { token });
      const ids = listed.body.data.map((channel: { id: number }) => channel.id);
      assert.ok(ids.includes(shown) && ![all, mixed, hidden].some((id) => ids.includes(id)));
      assert.equal(listed.body.total_items, ids.length);
    }
    assert.equal((await update(stage, mixed, { name: "x" }, stage.cast.adam)).status, 404);
    assert.equal((await remove(stage, all, stage.cast.adam)).status, 404);
  });

  it("sees of a channel's past what it reaches", async () => {
    const { id } = await created(stage, webhook(url));
    await happens(stage, { title: "Within", data: { project_id: inside } });
    await happens(stage, { title: "Without", data: { project_id: outside } });
    await happens(stage, { title: "Of the organization" });
    await update(stage, id, { project_ids: [inside] });
    const titles = async (token: string) =>
      (await deliveriesOf(stage, id, token)).map((delivery: { title: string }) => delivery.title);
    assert.deepEqual(await titles(stage.cast.alice), ["Of the organization", "Without", "Within"]);
    assert.deepEqual(await titles(stage.cast.adam), ["Within"]);
  });

  it("loses a channel whose projects are all gone, and others lose the project only", async () => {
    const doomed = await addProject(stage.pool, await addProvisioned(stage));
    const { id } = await created(stage, webhook(url, { project_ids: [inside, doomed] }));
    await stage.pool.query("delete from projects where id = $1", [doomed]);
    assert.deepEqual((await read(stage, id, stage.cast.adam)).body.data.project_ids, [inside]);
    await stage.pool.query("update notification_channels set project_ids = $2 where id = $1", [id, [doomed]]);
    assert.equal((await read(stage, id, stage.cast.adam)).status, 404);
    assert.deepEqual((await read(stage, id)).body.data.project_ids, []);
    await happens(stage);
    assert.equal((await deliveriesOf(stage, id)).length, 0, "it does not receive everything");
  });

  it("sends no test to what it does not reach", async () => {
    const { id } = await created(stage, webhook(url));
    const asked = await call(stage.app, `POST /api/v1/notification-channels/${id}/test`, { token: stage.cast.adam });
    assert.equal(asked.status, 404);
    const narrow = await tokenOf(stage.pool, "Alice", "organization:read");
    const refused = await call(stage.app, `POST /api/v1/notification-channels/${id}/test`, { token: narrow });
    assert.equal(refused.status, 403);
  });
});
