import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { type TestDatabase, testDatabase } from "../../../../test/database.ts";
import { row, sql } from "../../../db/sql.ts";
import type { CallLimit, CloudError } from "../../../providers/cloud/driver.ts";
import { callLimitsOf } from "../providers/call-limits.ts";

let database: TestDatabase;

before(async () => {
  database = await testDatabase();
});
after(() => database?.drop());

async function newProvider(): Promise<{ id: number; name: string }> {
  const made = await row<{ id: number }>(
    database.pool,
    sql`
      with organization as (insert into organizations (name) values ('Acme') returning id)
      insert into server_providers (organization_id, name, provider_type, credentials)
      select id, 'Our cloud', 'cloud_a', ''::bytea from organization returning id
    `,
  );
  return { id: (made as { id: number }).id, name: "Our cloud" };
}

const open = (provider: { id: number; name: string }, patienceMs: number) =>
  callLimitsOf({ pool: database.pool }, provider, { patienceMs });

const limit: CallLimit = { bucket: "all", capacity: 5, refillPerSecond: 50 };

describe("the call limits of a connection", () => {
  it("admits as many calls at once as the bucket holds, and then one by one in the order of asking", async () => {
    const provider = await newProvider();
    // Of two processes.
    const [one, other] = [open(provider, 60_000), open(provider, 60_000)];
    const began = performance.now();
    const waits = await Promise.all(
      Array.from({ length: 25 }, async (_, at) => {
        await (at % 2 === 0 ? one : other).take([limit]);
        return performance.now() - began;
      }),
    );
    const lastMs = Math.max(...waits);
    // 20 more than it holds, at 50 a second.
    assert.ok(lastMs >= 300, `the last call was admitted after ${lastMs} ms`);
    assert.equal(waits.filter((wait) => wait < 20 * 5).length < 20, true);
  });

  it("refuses a call whose turn is too far away, and does not count it", async () => {
    const provider = await newProvider();
    const slow: CallLimit = { bucket: "all", capacity: 1, refillPerSecond: 0.01 };
    const limits = open(provider, 1_000);
    await limits.take([slow]);
    for (let times = 0; times < 3; times++) {
      await assert.rejects(limits.take([slow]), (error: CloudError) => {
        assert.match(error.message, /Our cloud was sent as many calls.*(199|200) seconds/);
        assert.equal(error.permanent, false);
        assert.ok((error.retryAfterMs ?? 0) > 190_000, `${error.retryAfterMs} ms`);
        return true;
      });
    }
  });

  it("takes out of every bucket or out of none", async () => {
    const provider = await newProvider();
    // We take half of what the provider allows.
    const full: CallLimit = { bucket: "read", capacity: 4, refillPerSecond: 0.01 };
    const empty: CallLimit = { bucket: "write", capacity: 2, refillPerSecond: 0.01 };
    const limits = open(provider, 100);
    await limits.take([full, empty]);
    await assert.rejects(limits.take([full, empty]));
    await limits.take([full]);
    await assert.rejects(limits.take([full]));
  });

  it("admits nothing while the provider asks to wait", async () => {
    const provider = await newProvider();
    const limits = open(provider, 100);
    await limits.block(limit, 30_000);
    await assert.rejects(limits.take([limit]), /30 seconds/);
  });
});
