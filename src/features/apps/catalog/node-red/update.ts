import type { AppUpdate, AppUpdater } from "../../app.ts";
import { npmInstall, writeStart } from "../../npm.ts";
import { install, startCommand } from "./install.ts";

/** npm is Node-RED's own way to update; flows are upgraded when they are read. */
const prepare = (work: AppUpdate) => [
  ...npmInstall(work, "node-red"),
  writeStart(work, startCommand(work)),
  ...install(work),
];

const upgrade = () => [];

export const update: AppUpdater = { prepare, upgrade };
