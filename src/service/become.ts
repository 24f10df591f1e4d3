import { existsSync, realpathSync } from "node:fs";
import { sep } from "node:path";
import { settings } from "../config.ts";
import { serviceLayout, serviceUser } from "./layout.ts";
import { findAccount } from "./machine.ts";
import { readSettings, type ServiceSettings } from "./settings-file.ts";

/**
 * For a command that root runs beside the installed service: its settings, with this process now under the service's user, so that
 * nothing in the data directory belongs to root. Undefined, and without a change, for other users, for a program that is not the
 * installed one, and for another data directory.
 */
export async function becomeService(dataDirectory: string | undefined): Promise<ServiceSettings | undefined> {
  const layout = serviceLayout();
  if (process.getuid?.() !== 0 || !isInstalled(layout.programs) || !existsSync(layout.settings)) return undefined;
  const installed = await readSettings(layout.settings);
  const account = await findAccount(serviceUser);
  if (
    account === undefined ||
    (dataDirectory ?? installed[settings.dataDirectory.env]) !== installed[settings.dataDirectory.env]
  ) {
    return undefined;
  }
  process.setgroups?.([]);
  process.setgid?.(account.gid);
  process.setuid?.(account.uid);
  return installed;
}

const isInstalled = (programs: string): boolean =>
  existsSync(programs) && import.meta.dirname.startsWith(`${realpathSync(programs)}${sep}`);
