import type { AppUpdate, AppUpdater } from "../../app.ts";
import { checkVersion, makeRelease } from "../../npm.ts";
import { service } from "./install.ts";

/** npm is Node-RED's own way to update; flows are upgraded when they are read. */
const prepare = (work: AppUpdate) => [...makeRelease(work, service), checkVersion(work, service)];

const upgrade = () => [];

export const update: AppUpdater = { prepare, upgrade };
