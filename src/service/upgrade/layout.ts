import { dirname, join } from "node:path";
import type { ServiceLayout } from "../layout.ts";

/** Where an upgrade keeps what it needs: in a directory of root, which the service cannot write. */
export interface UpgradeLayout extends ServiceLayout {
  /** The upgrade under way. */
  journal: string;
  /** How the last one ended. */
  ending: string;
  /** Held by the process that upgrades. */
  lock: string;
  /** While it is there, systemd does not start the service. */
  hold: string;
  downloads: string;
  /** The copy of the data directory from before the last upgrade. Belongs to the service's user, like what it was copied from. */
  backup: string;
  /** Makes systemd respect the hold. */
  holdDropIn: string;
  /** Settles an interrupted upgrade during a boot, before the service starts. */
  bootUnit: string;
}

export const bootUnitName = "longshore-upgrade";
/** Settles an upgrade whose process was killed; made for each upgrade. */
export const watchUnitName = "longshore-upgrade-watch";

export function upgradeLayout(layout: ServiceLayout): UpgradeLayout {
  const { upgrades, unit } = layout;
  return {
    ...layout,
    journal: join(upgrades, "journal.json"),
    ending: join(upgrades, "last.json"),
    lock: join(upgrades, "lock"),
    hold: join(upgrades, "hold"),
    downloads: join(upgrades, "downloads"),
    backup: join(upgrades, "backup"),
    holdDropIn: join(`${unit}.d`, "upgrade.conf"),
    bootUnit: join(dirname(unit), `${bootUnitName}.service`),
  };
}
