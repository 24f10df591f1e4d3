import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { rebootServer } from "../../../sandbox/sandbox.ts";
import { openPool, type Pool } from "../../../src/db/pool.ts";
import { waitFor } from "../../../stage/api-client.ts";
import { addServer, readServer } from "../../../stage/fixture.ts";
import {
  type Hold,
  installInstrument,
  openGate,
  openShutGate,
  setHolds,
  shutGates,
  waitUntilHeld,
} from "../../../stage/instrument.ts";
import { lengthy, openStage, type Stage } from "../../../stage/support.ts";
import { type Fault, Faults, quickToGiveUp } from "./faults.ts";
import { complete } from "./scope.ts";
import { fillDisk, freeDisk, mountSmallDisk } from "./small-disk.ts";
import { type FaultName, goOnFaults, serverKinds, setupSample, usualRebootFault } from "./table.ts";

// The plans of a server itself: its reboot and its setup.

const { setup, reboot } = serverKinds;

let stage: Stage;
let faults: Faults;
let pool: Pool;

before(async () => {
  stage = await openStage("server-faults", quickToGiveUp);
  faults = new Faults(stage);
  const { url } = JSON.parse(await readFile(join(stage.platform.dataDirectory, "lock"), "utf8")) as { url: string };
  pool = openPool(url, { max: 2 });
  await installInstrument(stage);
}, lengthy);

after(async () => {
  await pool?.end();
  await faults?.end();
  await stage?.close();
});

/** At a step of a plan for the server itself, which names no project. */
const holdAt = (position: number): Hold => ({ project: "", position, moment: "before", gate: `at-${position}` });

const lastRun = async (kind: string): Promise<{ id: number; state: string; error: string | null }> => {
  const query = "select id, state, error from runs where kind = $1 order by id desc limit 1";
  return (await pool.query(query, [kind])).rows[0];
};

const endOfLast = async (): Promise<unknown> =>
  endOf((await pool.query("select kind from runs order by id desc limit 1")).rows[0].kind);

async function endOf(kind: string): Promise<{ id: number; state: string; error: string | null }> {
  const hasEnded = async () => !["created", "starting", "running"].includes((await lastRun(kind)).state);
  await waitFor(`the ${kind} to end`, hasEnded, { timeoutMs: 600_000 });
  return lastRun(kind);
}

const stepsOf = async (runId: number): Promise<{ key: string; status: string }[]> =>
  (await pool.query("select key, status from run_steps where run_id = $1 order by position", [runId])).rows;

const doneInLastRun = async (kind: string): Promise<number> =>
  (await stepsOf((await lastRun(kind)).id)).filter(({ status }) => status === "completed").length;

/** Each step ran and succeeded. */
async function assertSucceeded(kind: string, steps: readonly string[]): Promise<void> {
  const { id, state, error } = await endOf(kind);
  assert.deepEqual([state, error], ["succeeded", null]);
  const wanted = steps.map((key) => ({ key, status: "completed" }));
  assert.deepEqual(await stepsOf(id), wanted);
}

const faultOf: Record<FaultName, Fault> = {
  "control plane": (open) => faults.killControlPlane(open),
  PostgreSQL: (open) => faults.killPostgres(open),
  network: (open) => faults.cutNetwork(open),
  reboot: async (open) => {
    await rebootServer(stage.server.name);
    await open();
  },
  disk: async (open) => {
    await fillDisk(stage);
    await open();
    await endOfLast();
    await freeDisk(stage);
  },
};

describe("a reboot over the API continues when something happens:", () => {
  for (const fault of complete ? ([...goOnFaults, "reboot"] as const) : [usualRebootFault]) {
    for (const [position, step] of reboot.steps.slice(0, complete ? undefined : 1).entries()) {
      it(`${fault}, at the step ${step}`, lengthy, async () => {
        const bootId = () => stage.bash("cat /proc/sys/kernel/random/boot_id");
        const booted = await bootId();
        const hold = holdAt(position);
        // The gate of a later step has to stay closed over the boot before it.
        if (position > 0) await shutGates(stage, [hold]);
        await setHolds(stage, [hold]);
        await stage.client("POST /api/v1/servers/{id}/reboot", { params: { id: stage.serverId } });
        // No command runs on the server while it shuts down: a session would keep it from ending.
        await waitFor("the steps before", async () => (await doneInLastRun("reboot")) === position, {
          timeoutMs: 180_000,
        });
        await waitUntilHeld(stage, [hold]);
        await faultOf[fault](async () => {
          await (position > 0 ? openShutGate : openGate)(stage, hold.gate);
        });
        await assertSucceeded("reboot", reboot.steps);
        assert.notEqual(await bootId(), booted);
        assert.equal((await readServer(stage.client, stage.serverId)).connection_status, 1);
      });
    }
  }
});

/** Removes the server from the platform and adds it again: its setup is then held. */
async function setUpAgain(holds: readonly Hold[]): Promise<void> {
  await stage.client("DELETE /api/v1/servers/{id}", { params: { id: stage.serverId } });
  const left = async () => (await stage.bash("grep -c ' longshore$' /root/.ssh/authorized_keys || true")) === "0";
  await waitFor("the key to be taken out", left, { timeoutMs: 180_000 });
  await setHolds(stage, holds);
  stage.serverId = await addServer({ ...stage.platform, client: stage.client }, stage.server);
}

describe("the setup of a server", () => {
  if (!complete) {
    it("continues at some of its steps, whatever happens there, a reboot included", lengthy, async () => {
      await setUpAgain(setupSample.map(({ position }) => holdAt(position)));
      for (const { position, fault } of setupSample) {
        await waitUntilHeld(stage, [holdAt(position)]);
        await faultOf[fault](async () => void (await openGate(stage, `at-${position}`)));
      }
      await assertSucceeded("provision", setup.steps);
    });
    return;
  }
  for (const fault of [...goOnFaults, "reboot"] as const) {
    it(`continues when something happens at each of its steps: ${fault}`, lengthy, async () => {
      const holds = setup.steps.map((_, position) => holdAt(position));
      await shutGates(stage, holds);
      await setUpAgain(holds);
      for (const hold of holds) {
        await waitUntilHeld(stage, [hold]);
        await faultOf[fault](() => openShutGate(stage, hold.gate));
      }
      await assertSucceeded("provision", setup.steps);
    });
  }

  it("fails or needs no room when the disk is full, and continues when there is room", lengthy, async () => {
    await mountSmallDisk(stage);
    await setUpAgain([holdAt(0)]);
    await waitUntilHeld(stage, [holdAt(0)]);
    await faultOf.disk(() => openGate(stage, "at-0"));
    const { state, error } = await endOf("provision");
    if (state === "failed") {
      assert.match(error ?? "", /disk is full|No space left/);
      await stage.client("POST /api/v1/servers/{id}/setup/retry", { params: { id: stage.serverId } });
    }
    await assertSucceeded("provision", setup.steps);
  });
});

// The last test: the small disk does not survive the boot that another try would cause.
if (complete) {
  describe("a reboot over the API without room", () => {
    it("fails before the server shuts down, and reports why", lengthy, async () => {
      await mountSmallDisk(stage);
      await setHolds(stage, [holdAt(0)]);
      await stage.client("POST /api/v1/servers/{id}/reboot", { params: { id: stage.serverId } });
      await waitUntilHeld(stage, [holdAt(0)]);
      await faultOf.disk(() => openGate(stage, "at-0"));
      const { state, error } = await endOf("reboot");
      assert.equal(state, "failed");
      assert.match(error ?? "", /disk is full|No space left/);
    });
  });
}
