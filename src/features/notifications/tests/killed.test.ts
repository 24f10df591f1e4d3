import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { pollUntil } from "../../../lib/clock.ts";
import { newKey } from "../../../lib/secrets.ts";
import { openHttpStandIn } from "../../../providers/notify/tests/stand-ins.ts";
import { startPlatform } from "../../../tests/platform.ts";
import { happens, openStage, timePasses, webhook } from "./support.ts";

test("a notification whose process is killed in the middle is sent again by the next, under the same id", async (t) => {
  const stage = await openStage();
  const other = await openHttpStandIn();
  const data = await mkdtemp(join(tmpdir(), "longshore-notify-"));
  t.after(async () => {
    await stage.close();
    await other.close();
    await rm(data, { recursive: true });
  });
  const env = {
    DATABASE_URL: stage.database.url,
    LONGSHORE_SECRET_KEY: newKey(),
    LONGSHORE_NOTIFY_ALLOW: "127.0.0.1",
    LONGSHORE_LOG_LEVEL: "error",
  };
  const first = await startPlatform(data, env);
  t.after(() => first.signal("SIGKILL"));
  const answer = await fetch(`${first.url}/api/v1/notification-channels`, {
    method: "POST",
    headers: { authorization: `Bearer ${stage.cast.alice}`, "content-type": "application/json" },
    body: JSON.stringify(webhook(other.url)),
  });
  const { id } = ((await answer.json()) as { data: { id: number } }).data;

  other.answerWith({ silent: true });
  await happens(stage, { title: "Deployment of shop failed" });
  const before = await other.request(1);
  first.signal("SIGKILL");
  await first.ended;

  const second = await startPlatform(data, env);
  t.after(() => second.signal("SIGKILL"));
  await timePasses(stage, id);
  const again = await other.request(2);
  assert.equal(again.headers["webhook-id"], before.headers["webhook-id"]);
  assert.equal(again.text, before.text);
  const outcome = () => stage.pool.query("select attempts from notification_deliveries where status = 'delivered'");
  const delivered = await pollUntil(async () => (await outcome()).rows[0], { timeoutMs: 30_000 });
  assert.deepEqual(delivered, { attempts: 2 });
});
