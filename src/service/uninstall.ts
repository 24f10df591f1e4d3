import { existsSync } from "node:fs";
import { readlink, realpath, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Output } from "../cli/output.ts";
import { settings as table } from "../config.ts";
import { AppError } from "../lib/errors.ts";
import { type ServiceLayout, serviceUser } from "./layout.ts";
import { findAccount, hostName, mustRun, requireMachine, run } from "./machine.ts";
import { removeSite } from "./nginx.ts";
import { readSettings, type ServiceSettings } from "./settings-file.ts";
import { removeUnits, requireOwnUnit } from "./systemd.ts";
import { closeThisMachine } from "./this-machine.ts";

export interface Uninstalled {
  /** The directory with the data; null if it was removed. */
  data: string | null;
}

/**
 * Removes the service, its settings, its user and all versions of the program. Data stays, for root alone, unless `purge` names this
 * machine. Repeated after an interruption, it removes the rest. Throws AppError before anything is removed if the name is another.
 */
export async function uninstall(
  layout: ServiceLayout,
  purge: string | undefined,
  output: Output,
): Promise<Uninstalled> {
  requireMachine("service uninstall");
  if (purge !== undefined && purge !== (await hostName())) {
    throw new AppError("refused", `This machine is ${await hostName()}, not ${purge}: nothing was removed.`);
  }
  await requireOwnUnit(layout);
  const settings = await readSettings(layout.settings);
  const data = settings[table.dataDirectory.env] ?? layout.data;
  await removeSite(layout);
  await closeThisMachine(layout, data);
  await removeUnits([layout.unit]);
  if (purge === undefined) await keepData(data, settings, output);
  else await removeAll(data, layout.data);
  if (settings[table.databaseUrl.env]) output.note("The database that the settings named stays.");
  await removeAll(layout.settingsDirectory, layout.cache, layout.upgrades, layout.challenges);
  if (await findAccount(serviceUser)) await mustRun(["userdel", serviceUser]);
  // Last, since this process is part of it: what it needs is loaded.
  await removePrograms(layout);
  if (await isOfNpm(layout))
    output.note("The package that npm installed stays: npm uninstall -g longshore removes it.");
  return { data: purge === undefined && existsSync(data) ? data : null };
}

const removeAll = (...paths: string[]): Promise<unknown> =>
  Promise.all(paths.map((path) => rm(path, { recursive: true, force: true })));

/**
 * The user's number may become another user's, and a key among the settings would be lost with them: without it, the stored secrets
 * cannot be read.
 */
async function keepData(data: string, settings: ServiceSettings, output: Output): Promise<void> {
  if (!existsSync(data)) return;
  const keys = settings[table.secretKey.env];
  const file = join(data, "secret.key");
  if (keys && !existsSync(file)) {
    await writeFile(file, `${keys.split(",").join("\n")}\n`, { mode: 0o600, flag: "wx" });
    output.note(`The secret key of the settings is in ${file}.`);
  }
  await mustRun(["chown", "-R", "--no-dereference", "root:root", data]);
}

async function isOfNpm({ command, packagedCommand }: ServiceLayout): Promise<boolean> {
  const targets = await Promise.all([command, packagedCommand].map((path) => realpath(path).catch(() => "")));
  return targets.some((target) => target.includes("/node_modules/"));
}

async function removePrograms(layout: ServiceLayout): Promise<void> {
  const target = await readlink(layout.command).catch(() => "");
  if (target.startsWith(`${layout.programs}/`)) await rm(layout.command, { force: true });
  const { stdout } = await run(["dpkg", "--status", "longshore"]);
  if (/^Status: install ok installed$/m.test(stdout)) await mustRun(["dpkg", "--purge", "longshore"]);
  await removeAll(layout.programs);
}
