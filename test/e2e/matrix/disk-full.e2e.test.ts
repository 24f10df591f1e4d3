import { after, before } from "node:test";
import { waitFor } from "../../../stage/api-client.ts";
import { installInstrument } from "../../../stage/instrument.ts";
import { lengthy, openStage, type Stage } from "../../../stage/support.ts";
import { Fleet } from "./fleet.ts";
import { fillDisk, freeDisk, mountSmallDisk } from "./small-disk.ts";
import { describeStrikes } from "./strikes.ts";
import { reasonOf } from "./table.ts";
import type { Strike } from "./waves.ts";

// The server's disk fills up while runs are in progress. A step that needs room fails with that reason, and the former
// release serves; one that needs none succeeds. Records need room too, and none is lost.

let stage: Stage;
let fleet: Fleet;

before(async () => {
  stage = await openStage("disk-full");
  await mountSmallDisk(stage);
  fleet = await Fleet.open(stage);
  await installInstrument(stage);
}, lengthy);

after(async () => {
  await fleet?.close();
  await stage?.close();
});

const atWork = async (): Promise<string> =>
  stage.bash("systemctl list-units --no-legend --plain 'longshore-run-*' | grep -c ' active ' || true");

const full: Strike = {
  interruptsVisitors: false,
  says: reasonOf.disk,
  fault: "disk",
  async happen(open) {
    await fillDisk(stage);
    await open();
    await waitFor("the runs to end", async () => (await atWork()) === "0", { timeoutMs: 240_000 });
    await freeDisk(stage);
  },
};

describeStrikes("a disk that fills up", () => ({ fleet, strike: full }));
