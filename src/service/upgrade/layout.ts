import { join } from "node:path";
import { type ServiceLayout, serviceLayout } from "../layout.ts";

/** Where an upgrade keeps what it needs: in a directory of root, which the service cannot write. */
export interface UpgradeLayout extends ServiceLayout {
  records: string;
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

/** All paths; `root` is another file system's, for tests. */
export function upgradeLayout(root = "/"): UpgradeLayout {
  const layout = serviceLayout(root);
  const records = join(root, "var/lib/longshore-upgrade");
  return {
    ...layout,
    records,
    journal: join(records, "journal.json"),
    ending: join(records, "last.json"),
    lock: join(records, "lock"),
    hold: join(records, "hold"),
    downloads: join(records, "downloads"),
    backup: join(records, "backup"),
    holdDropIn: join(`${layout.unit}.d`, "upgrade.conf"),
    bootUnit: join(root, `etc/systemd/system/${bootUnitName}.service`),
  };
}
