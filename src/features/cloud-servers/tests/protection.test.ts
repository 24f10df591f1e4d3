import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import { call } from "../../../http/tests/support.ts";
import { addServer, newAddress, openStage, type Stage } from "../../servers/tests/support.ts";
import type { StandInCloud } from "./stand-in.ts";
import { connect, order, orderBody, startWorker, untilOrders, withCloud } from "./support.ts";

let stage: Stage;
let cloud: StandInCloud;
let id: number;

before(async () => {
  stage = await openStage();
  cloud = withCloud(stage);
  const placed = await order(stage, orderBody(await connect(stage)));
  id = placed.body.server_id;
  const worker = await startWorker(stage.ctx);
  await untilOrders(stage, ["active"]);
  await worker.stop();
});
after(() => stage?.close());
beforeEach(() => {
  cloud.fault = () => "none";
});

const path = () => `/api/v1/servers/${id}`;
const update = (body: object, token = stage.cast.alice) => call(stage.app, `PUT ${path()}`, { token, body });
const record = async () => (await call(stage.app, `GET ${path()}`, { token: stage.cast.alice })).body.data;

/** Whether the record claims the protection, and whether the machine has it at the provider. */
const protection = async () => {
  const [machine] = [...cloud.machines.values()];
  return [(await record()).delete_protection, machine?.isProtected];
};

async function protect(isProtected: boolean): Promise<void> {
  assert.equal((await update({ delete_protection: isProtected })).status, 200);
  assert.deepEqual(await protection(), [isProtected, isProtected]);
}

describe("the protection of an ordered machine", () => {
  for (const isProtected of [true, false]) {
    it(`stays ${isProtected ? "on" : "off"} when the request to change it is rejected`, async () => {
      await protect(isProtected);
      cloud.calls.length = 0;
      const used = newAddress();
      await addServer(stage, { public_ip: used });
      const { alice, bob, charlie, victor } = stage.cast;
      for (const [change, token, status] of [
        [{ ssh_port: 2222 }, bob, 403],
        [{ private_ip: "10.66.6.6" }, bob, 403],
        [{ public_ip: used }, alice, 422],
        [{ public_ip: "127.0.0.1" }, alice, 422],
        [{ queue_limit: 0 }, alice, 422],
        [{}, victor, 403],
        [{}, charlie, 404],
      ] as const) {
        const reply = await update({ delete_protection: !isProtected, ...change }, token);
        assert.equal(reply.status, status, JSON.stringify(change));
        assert.deepEqual(await protection(), [isProtected, isProtected], JSON.stringify(change));
      }
      assert.deepEqual(cloud.calls, []);
    });
  }

  it("is not in the record unless the provider switched it on", async () => {
    await protect(false);
    const { name } = await record();
    for (const fault of ["before", "after", "refused"] as const) {
      cloud.fault = () => fault;
      const reply = await update({ delete_protection: true, name: "web-protected" });
      assert.equal(reply.status, fault === "refused" ? 422 : 503, reply.text);
      assert.equal((await record()).delete_protection, false, fault);
      assert.equal((await record()).name, name, "nothing else was changed either");
    }
    cloud.fault = () => "none";
    await protect(true);
  });

  it("is no longer in the record when the provider may have switched it off, and a repetition switches it off there", async () => {
    for (const fault of ["before", "after", "refused"] as const) {
      await protect(true);
      cloud.fault = () => fault;
      const reply = await update({ delete_protection: false });
      assert.equal(reply.status, fault === "refused" ? 422 : 503, reply.text);
      assert.equal((await record()).delete_protection, false, fault);
      cloud.fault = () => "none";
      await protect(false);
    }
  });
});

describe("the protection of a custom server", () => {
  it("is in the record alone", async () => {
    cloud.calls.length = 0;
    const custom = await addServer(stage);
    const reply = await call(stage.app, `PUT /api/v1/servers/${custom}`, {
      token: stage.cast.alice,
      body: { delete_protection: 1 },
    });
    assert.equal(reply.status, 200);
    const { body } = await call(stage.app, `GET /api/v1/servers/${custom}`, { token: stage.cast.alice });
    assert.equal(body.data.delete_protection, true);
    assert.deepEqual(cloud.calls, []);
  });
});
