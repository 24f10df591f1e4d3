import { readlinkSync } from "node:fs";
import { basename, join } from "node:path";
import { serverPaths } from "../host/layout.ts";

// Where the installed service is on its machine. Everything that installs, upgrades, shows or removes it takes the paths from here.
// Managed servers use /var/lib/longshore, /etc/longshore, /usr/local/lib/longshore and /srv/longshore: one machine may be both.

/** The unit, its user and group. */
export const serviceName = "longshore";
export const serviceUser = "longshore";
/** The oneshot that renews the certificate of a site of nginx, and its timer. */
export const certificateUnit = "longshore-certificate";

export interface ServiceLayout {
  /** Has a directory for each version, and the link to the one that runs. */
  programs: string;
  versions: string;
  /** Leads to the directory of the version that runs; replaced by a rename (`switchVersion`). */
  current: string;
  /** The command `longshore`, which leads to the launcher below `current`. */
  command: string;
  /** The same of the Debian package. */
  packagedCommand: string;
  settingsDirectory: string;
  /** The environment file of the unit; root's alone, since it may hold the address of a database with its password. */
  settings: string;
  data: string;
  /** Records and backups of upgrades; root's. */
  upgrades: string;
  /** Compiled modules, which the next start loads faster. */
  cache: string;
  unit: string;
  certificateService: string;
  certificateTimer: string;
  /** The certificate that nginx shows, and its key: written by the service's user, below `data`. */
  tls: string;
  nginxDirectory: string;
  nginxSite: string;
  /** Where nginx finds the files that prove to an authority that this machine has the domain; there during an order. */
  challenges: string;
  /** Where root's account is opened to keys. */
  rootKeys: string;
  /** Rules of nftables for a machine that Longshore manages: who may connect to its own ports, and from where. */
  portRules: string;
  firewallRules: string;
}

/** All paths; `root` is another file system's, for tests. */
export function serviceLayout(root = "/"): ServiceLayout {
  const at = (...parts: string[]): string => join(root, ...parts);
  const programs = at("usr/lib/longshore");
  const settingsDirectory = at("etc/longshore-control");
  const data = at("var/lib/longshore-control");
  const units = at("etc/systemd/system");
  const nginxDirectory = at("etc/nginx");
  return {
    programs,
    versions: join(programs, "versions"),
    current: join(programs, "current"),
    command: at("usr/local/bin/longshore"),
    packagedCommand: at("usr/bin/longshore"),
    settingsDirectory,
    settings: join(settingsDirectory, "longshore.env"),
    data,
    upgrades: at("var/lib/longshore-upgrade"),
    cache: at("var/cache/longshore-control"),
    unit: join(units, `${serviceName}.service`),
    certificateService: join(units, `${certificateUnit}.service`),
    certificateTimer: join(units, `${certificateUnit}.timer`),
    tls: join(data, "tls"),
    nginxDirectory,
    nginxSite: join(nginxDirectory, "conf.d/longshore-control.conf"),
    challenges: at("run/longshore-certificate"),
    rootKeys: at("root/.ssh/authorized_keys"),
    // The setup of a server reads these directories.
    portRules: at(serverPaths.portRules, "longshore-control.nft"),
    firewallRules: at("etc/nftables.d/longshore-control.nft"),
  };
}

/** The directory of one version: a complete package with the launcher `longshore`, console and node_modules. */
export function versionDirectory({ versions }: ServiceLayout, version: string): string {
  if (!/^\d+\.\d+\.\d+[\w.+-]*$/.test(version)) throw new Error(`${version} is not a version.`);
  return join(versions, version);
}

/** The version that `current` leads to; undefined before the first installation. */
export function findCurrentVersion({ current }: ServiceLayout): string | undefined {
  try {
    return basename(readlinkSync(current));
  } catch {
    return undefined;
  }
}

/** The launcher of the version that runs. */
export const launcherOf = ({ current }: ServiceLayout): string => join(current, "longshore");
