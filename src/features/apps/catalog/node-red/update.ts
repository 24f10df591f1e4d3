import type { AppUpdate } from "../../app.ts";
import { npmInstall, writeStart } from "../../npm.ts";
import { install, startCommand } from "./install.ts";

/** npm is Node-RED's own way to update; flows are upgraded when they are read. */
export const prepareUpdate = (work: AppUpdate) => [
  ...npmInstall(work, "node-red"),
  writeStart(work, startCommand(work)),
  ...install(work),
];

export const upgrade = () => [];
