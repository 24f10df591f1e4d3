import { after, before } from "node:test";
import { rebootServer } from "../../../sandbox/sandbox.ts";
import { installInstrument } from "../../../stage/instrument.ts";
import { lengthy, openStage, type Stage } from "../../../stage/support.ts";
import { Fleet } from "./fleet.ts";
import { describeStrikes } from "./strikes.ts";
import { reasonOf } from "./table.ts";
import type { Strike } from "./waves.ts";

// The server is rebooted while runs are in progress. Before its point of no return a run is undone, and the former
// release serves; past it, and in plans that only move forward, it continues after the boot.

let stage: Stage;
let fleet: Fleet;

before(async () => {
  stage = await openStage("rebooted");
  fleet = await Fleet.open(stage);
  await installInstrument(stage);
}, lengthy);

after(async () => {
  await fleet?.close();
  await stage?.close();
});

const reboot: Strike = {
  interruptsVisitors: true,
  says: reasonOf.reboot,
  fault: "reboot",
  happen: () => rebootServer(stage.server.name),
};

describeStrikes("a reboot", () => ({ fleet, strike: reboot }));
