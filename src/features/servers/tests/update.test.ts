import assert from "node:assert/strict";
import { networkInterfaces } from "node:os";
import { after, before, beforeEach, describe, it } from "node:test";
import { rows, sql } from "../../../db/sql.ts";
import { reconcileAll } from "../../../engine/tests/engines.ts";
import { call, restrict } from "../../../http/tests/support.ts";
import { pollUntil } from "../../../lib/clock.ts";
import { addressError, refuseAddress } from "../connections.ts";
import { dispatchQueue } from "../dispatch.ts";
import { serverTargets } from "../jobs.ts";
import {
  addProvisioned,
  addServer,
  emptyQueue,
  errorsOf,
  eventsOf,
  jobsIn,
  newAddress,
  openStage,
  type Stage,
  spellingsOf,
} from "./support.ts";

let stage: Stage;
let id: number;

before(async () => {
  stage = await openStage();
});
after(() => stage?.close());
beforeEach(async () => {
  id = await addProvisioned(stage);
  await emptyQueue(stage.pool, dispatchQueue);
});

const update = (body: unknown, token = stage.cast.alice) =>
  call(stage.app, `PUT /api/v1/servers/${id}`, { token, body });
const read = async () =>
  (await call(stage.app, `GET /api/v1/servers/${id}`, { token: stage.cast.alice })).body.data as Record<
    string,
    unknown
  >;

describe("an address that opens what the caller cannot reach", () => {
  it("is changed by Owners and Admins without a restriction only", async () => {
    const { alice, adam, bob, charlie } = stage.cast;
    assert.equal((await update({ notes: "anything else" }, bob)).status, 200);
    for (const change of [{ public_ip: newAddress() }, { private_ip: "10.66.6.6" }, { ssh_port: 2222 }]) {
      assert.equal((await update(change, bob)).status, 403, JSON.stringify(change));
      assert.equal((await update(change, charlie)).status, 404);
    }
    await restrict(stage.pool, "Adam", stage.cast.organizationId, { servers: [id] });
    assert.equal((await update({ private_ip: "10.66.6.6" }, adam)).status, 403);
    assert.equal((await update({ name: "web-9" }, adam)).status, 200);
    assert.equal((await update({ private_ip: "10.66.6.6" }, alice)).status, 200);
  });

  it("is refused where no server is, unless the operator allows it", async () => {
    const refused = ["127.0.0.1", "::1", "0.0.0.0", "169.254.169.254", "fe80::1", "224.0.0.1", "fd00:ec2::254"];
    const own = Object.values(networkInterfaces()).flatMap((all = []) => all.map(({ address }) => address));
    for (const public_ip of [...refused, ...own.filter((address) => !address.includes("%"))]) {
      const reply = await update({ public_ip });
      assert.equal(reply.status, 422, public_ip);
      assert.match(errorsOf(reply).public_ip ?? "", /LONGSHORE_SERVERS_ALLOW/, public_ip);
    }
    const config = { serversAllow: ["127.0.0.0/8"] };
    assert.equal(addressError(config, "127.0.0.1"), undefined);
    assert.ok(addressError(config, "::1"));
    assert.throws(() => refuseAddress({ serversAllow: [] }, "127.0.0.1"), { permanent: true });
  });

  it("is private where the record calls it private", async () => {
    for (const private_ip of ["6.6.6.6", "127.0.0.1", "169.254.1.1", "2001:db8::1"]) {
      assert.equal((await update({ private_ip })).status, 422, private_ip);
    }
    for (const private_ip of ["10.1.2.3", "172.16.0.1", "192.168.1.1", "100.64.0.1", "fd00::1"]) {
      assert.equal((await update({ private_ip })).status, 200, private_ip);
    }
  });
});

describe("a change of a server", () => {
  it("takes every field, and returns which server", async () => {
    const change = {
      name: "web-2",
      public_ip: newAddress(),
      private_ip: "10.99.0.1",
      ssh_port: 2222,
      nat_port: 2022,
      timezone: "Europe/Berlin",
      notes: "two\nlines",
      queue_limit: 3,
      environment: "staging",
    };
    const reply = await update(change);
    assert.equal(reply.status, 200);
    assert.deepEqual(Object.keys(reply.body).sort(), ["message", "server_id", "status"]);
    const { name, public_ip, private_ip, ssh_port, nat_port, timezone, notes, queue_limit, environment } = await read();
    assert.deepEqual(
      { name, public_ip, private_ip, ssh_port, nat_port, timezone, notes, queue_limit, environment },
      change,
    );
    assert.equal((await eventsOf(stage.pool, id)).at(-1), "server.updated");
  });

  it("leaves what it does not name", async () => {
    const before = await read();
    assert.equal((await update({ notes: "new", unknown: 1, id: 99, server_status: 0 })).status, 200);
    const { updated_at: _, ...after } = await read();
    const { updated_at: __, ...expected } = { ...before, notes: "new" } as Awaited<ReturnType<typeof read>>;
    assert.deepEqual(after, expected);
  });

  it("empties what may be empty", async () => {
    await update({ private_ip: "10.99.0.1", queue_limit: 3, notes: "x", environment: "dev" });
    await update({ private_ip: "", nat_port: "", queue_limit: "", notes: null, environment: null });
    const { private_ip, nat_port, queue_limit, notes, environment } = await read();
    assert.deepEqual([private_ip, nat_port, queue_limit, notes, environment], [null, null, null, null, null]);
  });

  it("is refused with every bad field at once", async () => {
    const reply = await update({
      name: " ",
      public_ip: "1.2.3",
      private_ip: "x",
      ssh_port: 0,
      nat_port: 70_000,
      timezone: "x/y",
      notes: 1,
      queue_limit: 0,
      environment: "test",
    });
    assert.equal(reply.status, 422);
    assert.equal(Object.keys(errorsOf(reply)).length, 9);
    assert.match(errorsOf(reply).queue_limit ?? "", /empty for no limit/);
    for (const queue_limit of [1.5, -1, "3", true, 1e12]) {
      assert.ok(errorsOf(await update({ queue_limit })).queue_limit, String(queue_limit));
    }
  });

  it("is refused with an address that is used or forbidden together with the other bad fields", async () => {
    const taken = newAddress();
    await addServer(stage, { public_ip: taken }, stage.cast.charlie);
    for (const public_ip of [taken, "127.0.0.1"]) {
      assert.deepEqual(Object.keys(errorsOf(await update({ public_ip, queue_limit: 0 }))).sort(), [
        "public_ip",
        "queue_limit",
      ]);
    }
  });

  it("does not show whether an address is used to those who cannot change it, or not reach the server", async () => {
    const taken = newAddress();
    await addServer(stage, { public_ip: taken });
    assert.equal((await update({ public_ip: taken }, stage.cast.bob)).status, 403);
    assert.equal((await update({ public_ip: taken }, stage.cast.charlie)).status, 404);
    assert.deepEqual(Object.keys(errorsOf(await update({ public_ip: taken, queue_limit: 0 }, stage.cast.bob))), [
      "queue_limit",
    ]);
  });

  it("cannot take another server's address, also when two take one at once", async () => {
    const taken = newAddress();
    const other = await addProvisioned(stage, { public_ip: taken });
    assert.deepEqual(errorsOf(await update({ public_ip: taken })), {
      public_ip: "The public address is used by another server.",
    });
    assert.equal((await update({ public_ip: (await read()).public_ip })).status, 200);
    const body = { public_ip: newAddress() };
    const replies = await Promise.all(
      [id, other].map((each) => call(stage.app, `PUT /api/v1/servers/${each}`, { token: stage.cast.alice, body })),
    );
    assert.deepEqual(replies.map((reply) => reply.status).sort(), [200, 422]);
  });

  it("takes no IPv4 address in the form of an IPv6 address, which would be a second spelling of it", async () => {
    for (const public_ip of spellingsOf(newAddress())) {
      assert.match(errorsOf(await update({ public_ip })).public_ip ?? "", /must be an IPv4 or IPv6 address/, public_ip);
    }
    for (const private_ip of spellingsOf("10.1.2.3")) {
      assert.match(errorsOf(await update({ private_ip })).private_ip ?? "", /private network/, private_ip);
    }
    for (const column of ["public_ip", "private_ip"]) {
      const save = stage.pool.query(`update servers set ${column} = '::ffff:a01:203' where id = $1`, [id]);
      await assert.rejects(save, { code: "23514" }, "the database refuses it as well");
    }
  });

  it("is for members and not for viewers or strangers", async () => {
    assert.equal((await update({ notes: "Bob" }, stage.cast.bob)).status, 200);
    assert.equal((await update({ notes: "Victor" }, stage.cast.victor)).status, 403);
    assert.equal((await update({ notes: "Charlie" }, stage.cast.charlie)).status, 404);
  });
});

describe("the queue limit", () => {
  it("wakes the deployments when it is raised, and only then", async () => {
    const woken = () => jobsIn(stage.pool, dispatchQueue);
    await update({ queue_limit: 1 });
    assert.deepEqual(await woken(), []);
    await update({ queue_limit: 2 });
    assert.deepEqual(await woken(), [{ serverIds: [id] }]);
    await emptyQueue(stage.pool, dispatchQueue);
    await update({ queue_limit: 1, notes: "lower" });
    await update({ notes: "the same" });
    assert.deepEqual(await woken(), []);
    await update({ queue_limit: null });
    assert.deepEqual(await woken(), [{ serverIds: [id] }]);
  });
});

describe("the time zone", () => {
  it("is set on the server by a run, unless its setup is still to do that", async () => {
    const runs = async () => {
      await reconcileAll(stage.ctx, serverTargets());
      const found = await rows<{ script: string }>(
        stage.pool,
        sql`select plan->'steps'->0->>'script' as script from runs where server_id = ${id} and kind = 'timezone'`,
      );
      return found.map(({ script }) => /Europe\/\w+/.exec(script)?.[0]);
    };
    await update({ timezone: "Europe/Berlin", notes: "x" });
    await update({ timezone: "Europe/Berlin" });
    assert.deepEqual(await runs(), ["Europe/Berlin"]);
    id = await addServer(stage);
    await update({ timezone: "Europe/Paris" });
    assert.deepEqual(await runs(), []);
  });
});

describe("a kept connection", () => {
  // A server's connection data is read again as soon as the former connection was dropped.
  const forgotten: number[] = [];
  before(() => {
    const { hosts } = stage.ctx;
    const forget = hosts.forget.bind(hosts);
    hosts.forget = (serverId) => {
      forgotten.push(serverId);
      return forget(serverId);
    };
  });

  it("is forgotten when address or port change, in every process", async () => {
    await update({ ssh_port: 2200 });
    assert.ok(await pollUntil(() => forgotten.includes(id), { timeoutMs: 30_000 }));
    forgotten.length = 0;
    await update({ public_ip: newAddress() });
    assert.ok(await pollUntil(() => forgotten.includes(id), { timeoutMs: 30_000 }));
  });

  it("stays otherwise", async () => {
    forgotten.length = 0;
    await update({ notes: "no matter", ssh_port: 22 });
    await update({ ssh_port: 2022 });
    assert.ok(await pollUntil(() => forgotten.length > 0, { timeoutMs: 30_000 }));
    assert.deepEqual(forgotten, [id]);
  });
});
