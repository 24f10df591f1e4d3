import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname } from "node:path";
import { replaceFile } from "../../lib/replace-file.ts";
import { versionDirectory } from "../layout.ts";
import { mustRun } from "../run.ts";
import { systemctl } from "../systemd.ts";
import { madeBy } from "../unit.ts";
import { syncDirectory } from "./journal.ts";
import type { UpgradeLayout } from "./layout.ts";

const timeoutMs = 60_000;

/**
 * Writes the unit as a version wants it, and keeps the former one for the way back. May be repeated. One that was made by hand stays.
 */
export async function bringUnit(layout: UpgradeLayout, version: string): Promise<void> {
  const former = await readFile(layout.unit, "utf8").catch(() => undefined);
  if (!former?.includes(madeBy)) return;
  const wanted = await unitOf(layout, version);
  if (wanted === undefined || wanted === former) return;
  if (!existsSync(layout.formerUnit)) {
    await replaceFile(layout.formerUnit, former, 0o644);
    await syncDirectory(dirname(layout.formerUnit));
  }
  await putUnit(layout, wanted);
}

/** Brings the unit of the former version back, if another one took its place. May be repeated. */
export async function returnUnit(layout: UpgradeLayout): Promise<void> {
  if (existsSync(layout.formerUnit)) await putUnit(layout, await readFile(layout.formerUnit, "utf8"));
}

async function putUnit({ unit }: UpgradeLayout, text: string): Promise<void> {
  await replaceFile(unit, text, 0o644);
  await syncDirectory(dirname(unit));
  await systemctl("daemon-reload");
}

/** The version itself knows its unit, for the settings that are there. */
async function unitOf(layout: UpgradeLayout, version: string): Promise<string | undefined> {
  const launcher = `${versionDirectory(layout, version)}/longshore`;
  const printed = await mustRun([launcher, "service", "install", "--dry-run", "--json"], { timeoutMs });
  const { files } = JSON.parse(printed.split("\n").at(-1) ?? "") as { files: { path: string; text: string }[] };
  return files.find(({ path }) => path === layout.unit)?.text;
}
